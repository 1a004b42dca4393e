// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"maps"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// mostInexecutable limits the operations that are left out of one type.
const mostInexecutable = 4

// Inexecutable leaves out the operations that cannot be executed.
//
// A type with thirty operations one of which lays a string over a slice was unknown as a whole. What the verdict of the others says is true of
// every client that does not call the one, and it names the one.
var Inexecutable = Rule{
	Name: "inexecutable",
	Doc: "An operation needs something that is not supported, or has too many states for the oracle with the goroutines beside it. The type is verified without it, and without up to " +
		"three more of the kind, if one that is left returns different results (where some operation of the type has a result); the verdict lists them as left out. Operations that the user has named (-ops) are not left out.",
	When: func(c Case) bool { return c.Err == nil && leavable(&c.Answer) },
	Ask: func(c Case, so []Answer) (Question, bool) {
		last := &c.Answer
		if n := len(so); n > 0 {
			last = &so[n-1]
		}
		if len(so) == mostInexecutable || last.Err != nil || !leavable(last) {
			return Question{}, false
		}
		out := maps.Clone(last.Reading.Overrides.Without)
		if out == nil {
			out = map[string]string{}
		}
		out[last.Verdict.Inexecutable] = "is not executable: " + firstLine(last.Verdict.Reason)
		r, err := c.Reading.without(c, out)
		if err != nil {
			return Question{}, false
		}
		return Question{Reading: r, Scope: r.Scopes, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if n := len(so); n > 0 && so[n-1].Err == nil && !leavable(&so[n-1]) && !(c.Reading.tells() && hollow(&so[n-1].Verdict)) {
			c.accept(so[n-1])
		}
		return c
	},
}

// hollow reports whether a verdict is verified of operations of which each returned always the same. A register without its Load is so, for nobody
// sees what it stores, and a counter without its Inc.
func hollow(v *verdict.Verdict) bool {
	return v.Status == verdict.Verified && len(v.Returns) > 0 &&
		!slices.ContainsFunc(v.Returns, func(r verdict.Returns) bool { return len(r.Results) > 1 || r.More })
}

// tells reports whether some operation has a result.
func (r *Reading) tells() bool {
	return slices.ContainsFunc(r.Found.Operations, func(o collection.Operation) bool { return len(o.Results) > 0 })
}

// leavable reports whether an answer is unknown for the sake of one operation, which the user has not named and which is not the only one.
func leavable(a *Answer) bool {
	name := a.Verdict.Inexecutable
	return a.Verdict.Status == verdict.Unknown && name != "" && !slices.Contains(a.Reading.Overrides.Ops, name) && len(a.Reading.Found.Operations) > 1
}

// without returns the reading without some operations.
func (r *Reading) without(c Case, out map[string]string) (*Reading, error) {
	names := strings.Join(slices.Sorted(maps.Keys(out)), ",")
	return r.found("without "+names, func() (*find.Target, error) { return r.Target.Without(c.ctx, out) })
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
