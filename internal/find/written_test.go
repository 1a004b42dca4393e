// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"go/ast"
	"go/parser"
	"maps"
	"slices"
	"testing"
)

// What a body writes is a place that is assigned to, or of which the address is taken, and all that leads there.
func TestWrites_NamesFields(t *testing.T) {
	for body, want := range map[string][]string{
		"c.n++":                         {"n"},
		"c.m[k] = c.max":                {"m"},
		"c.a.b = 1":                     {"a", "b"},
		"(*c).p = &c.q":                 {"p", "q"},
		"for c.i = range 3 {}":          {"i"},
		"delete(c.m, 1)":                {"m"},
		"_ = T{Max: c.Min}":             {"Max"},
		"if c.n > c.max { c.OnDrop() }": nil,
	} {
		e, err := parser.ParseExpr("func() { " + body + " }")
		if err != nil {
			t.Fatal(err)
		}
		into := map[string]bool{}
		writes(e.(*ast.FuncLit).Body, into)
		if got := slices.Sorted(maps.Keys(into)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}
