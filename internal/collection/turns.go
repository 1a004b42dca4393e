// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"regexp"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// numbers are the types of parameters that may say how much a call wants.
var numbers = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}

// naming tells numbers that name something by the name of their parameter.
var naming = regexp.MustCompile(`(?i)^(k|key|id|name|slot|index|idx|i|shard|topic|user|owner|path)$|(Key|ID|Id|Name)$`)

// Alike reports whether two calls of the operation want more or less of the same: Acquire(ctx, 1) and Acquire(ctx, 2), but not Lock("a") and Lock("b"). Arguments that name something are equal.
func (o *Operation) Alike(a, b history.Tuple) bool {
	for i := range o.Params {
		p := &o.Params[i]
		much := slices.Contains(numbers, p.Type) && !naming.MatchString(p.Name)
		aside := p.Meaning == oracle.ParamThread || p.Codec != nil && p.Codec.Shape == AsContext
		if !much && !aside && a.At(i) != b.At(i) {
			return false
		}
	}
	return true
}

// Declines reports whether a result says that the call has not done what it was to do: a bool is false, or an error is not nil, and all else is zero.
func (o *Operation) Declines(t history.Tuple) bool {
	declined := false
	for i := range o.Results {
		c, v := o.Results[i].Codec, t.At(i)
		failure := c != nil && c.Shape == AsFailure && c.Bit == 0
		switch {
		case v.Kind == history.Panic:
			return false
		case failure && v.Kind == history.Int && v.Int == 0, o.Results[i].Type == "error" && v.Kind == history.Nil: // it has done it
			return false
		case failure || v.Kind == history.Err:
			declined = true
		case v.Int != 0:
			return false
		case o.Results[i].Type == "bool":
			declined = true
		}
	}
	return declined
}
