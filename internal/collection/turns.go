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

// amount tells numbers that say how much by the name of their parameter. A number with another name may name something, as a key does.
var amount = regexp.MustCompile(`(?i)^(n|num|number|count|weight|units?|size|amount|delta|permits?|tokens?|slots|want)$`)

// locking tells operations that lock what they are given, whatever its name: Lock(n) is not for n units.
var locking = regexp.MustCompile(`(?i)lock`)

// Alike reports whether the arguments of two calls of the operation are equal but for amounts and contexts: those of Acquire(ctx, 1) and Acquire(ctx, 2) are, those of Lock("a") and Lock("b") are not.
func (o *Operation) Alike(a, b history.Tuple) bool {
	for i := range o.Params {
		p := &o.Params[i]
		much := slices.Contains(numbers, p.Type) && amount.MatchString(p.Name) && !locking.MatchString(o.Name)
		aside := p.Meaning == oracle.ParamThread || p.Codec != nil && p.Codec.Shape == AsContext
		if !much && !aside && a.At(i) != b.At(i) {
			return false
		}
	}
	return true
}

// Uncancelled are the arguments with context.Background() in place of contexts that are cancelled at any moment.
func (o *Operation) Uncancelled(args history.Tuple) history.Tuple {
	for i := range o.Params {
		if c := o.Params[i].Codec; c != nil && c.Shape == AsContext {
			args = args.With(i, history.IntValue(args.At(i).Int&^1)) // see givenContext
		}
	}
	return args
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
