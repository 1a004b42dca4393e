// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/verdict"
)

// Operation is the index of an operation by its name; -1 if there is none.
func (t *Target) Operation(name string) int {
	return slices.IndexFunc(t.Found.Operations, func(o collection.Operation) bool { return o.Name == name })
}

// OnHandle reports whether an operation is called on what another one returns, such as receiving
// from a returned channel. Without that it does nothing.
func (t *Target) OnHandle(operation int) bool { return t.Found.Operations[operation].Call.Use != nil }

// Refuses reports whether the results of an operation show nothing but refusal: false, nil, an
// error.
func (t *Target) Refuses(x *verdict.Returns) bool {
	op := t.Operation(x.Operation)
	if op < 0 || x.More || x.Never || x.Waits || len(x.Results) == 0 {
		return false
	}
	o := &t.Found.Operations[op]
	n := len(o.Results)
	if o.Call.Noted || o.Call.Watched {
		n-- // the last result is the number of calls
	}
	if n == 0 || o.Results[n-1].Codec == nil {
		return false
	}
	for _, text := range x.Results {
		parts := strings.Split(text, ", ")
		if len(parts) != len(o.Results) || !refused(o.Results[n-1].Codec, parts[n-1]) {
			return false
		}
	}
	return true
}

// Idle reports whether the results of an operation do not show that anything was done: every call
// was refused, found nothing at what another operation had returned, or returned only such things.
func (t *Target) Idle(x *verdict.Returns) bool {
	op := t.Operation(x.Operation)
	if op < 0 || x.More || x.Waits || len(x.Results) == 0 {
		return false
	}
	o := &t.Found.Operations[op]
	if o.Call.Use == nil {
		handle := func(r collection.Result) bool { return r.Codec != nil && r.Codec.Shape == collection.AsHandle }
		return t.Refuses(x) || len(o.Results) > 0 && !slices.ContainsFunc(o.Results, func(r collection.Result) bool { return !handle(r) })
	}
	for _, text := range x.Results {
		for _, part := range strings.Split(text, ", ") {
			if part != "0" && part != `""` && part != "nil" && part != "false" {
				return false
			}
		}
	}
	return true
}

// refused reports whether a result, as text, is what an operation returns if it has nothing.
func refused(c *collection.Codec, text string) bool {
	switch {
	case c.Shape == collection.AsBool:
		return text == "false"
	case c.Shape == collection.AsError || c.Shape == collection.AsFailure:
		return text != "nil"
	}
	return c.Nilable() && text == "nil"
}
