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
	list := own(o)
	n := len(list)
	if n == 0 || list[n-1].Codec == nil {
		return false
	}
	for _, text := range x.Results {
		parts := strings.Split(text, ", ")
		for len(parts) > n && slices.Contains(untold, parts[len(parts)-1]) {
			parts = parts[:len(parts)-1]
		}
		if o.Call.Watched && len(parts) == n+1 {
			parts = parts[:n] // without the counter that functions count
		}
		if len(parts) != n || !refused(list[n-1].Codec, parts[n-1]) {
			return false
		}
	}
	return true
}

// untold are the texts of results that are not the method's own, if it has called nothing and returned no object.
var untold = []string{"0 calls", "no object"}

// own are the results that the method itself has: not how often it has called what it was given, nor which objects it has returned.
func own(o *collection.Operation) []collection.Result {
	n := len(o.Results)
	if o.Objects() != nil {
		n--
	}
	if o.Call.Noted || o.Call.Observed || o.Call.Watched {
		n--
	}
	return o.Results[:n]
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
		list := own(o)
		return t.Refuses(x) || len(list) > 0 && !slices.ContainsFunc(list, func(r collection.Result) bool { return !handle(r) })
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
