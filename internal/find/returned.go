// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/verdict"
)

// Operation is the number of an operation; -1 if there is none of the name.
func (t *Target) Operation(name string) int {
	return slices.IndexFunc(t.Found.Operations, func(o collection.Operation) bool { return o.Name == name })
}

// OnHandle says that an operation is one on what another one gives, as receiving from a channel is: without one it does nothing.
func (t *Target) OnHandle(operation int) bool { return t.Found.Operations[operation].Call.Use != nil }

// Refuses says that what an operation returned tells of nothing but refusal: false, nil, an error.
func (t *Target) Refuses(x *verdict.Returns) bool {
	op := t.Operation(x.Operation)
	if op < 0 || x.More || x.Never || x.Waits || len(x.Results) == 0 {
		return false
	}
	o := &t.Found.Operations[op]
	n := len(o.Results)
	if o.Call.Noted || o.Call.Watched {
		n-- // the last is the count of calls
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

// Idle says that what an operation returned does not show that anything was done: it refused each call, found nothing at what another operation
// had given, or gave no more than what others are for.
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

// refused says that a result, as it is written, is what is returned instead of something.
func refused(c *collection.Codec, text string) bool {
	switch {
	case c.Shape == collection.AsBool:
		return text == "false"
	case c.Shape == collection.AsError || c.Shape == collection.AsFailure:
		return text != "nil"
	}
	return c.Nilable() && text == "nil"
}
