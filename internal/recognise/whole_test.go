// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"testing"

	"pangolin/internal/collection"
)

// Of the fields of a struct that callers make, the first number or text varies by itself: beside the next one, or beside a bool or a constant where there is none.
func TestFind_LetsTwoFieldsVaryByThemselves(t *testing.T) {
	for fields, want := range map[string][]int{
		"N int":                     {0},
		"On bool":                   {0},
		"N int; S string":           {collection.FirstOfTwo, collection.SecondOfTwo},
		"N int; On bool":            {collection.BesideFew, collection.OneOfFew},
		"On bool; N int":            {collection.OneOfFew, collection.BesideFew},
		"Mode Mode; N int":          {collection.OneOfFew, collection.BesideFew},
		"On bool; N int; S string":  {0, collection.FirstOfTwo, collection.SecondOfTwo},
		"N int; On bool; Also bool": {collection.BesideFew, collection.OneOfFew, 0},
		"On bool; Mode Mode":        {0, 0},
	} {
		t.Run(fields, func(t *testing.T) {
			_, c := findOne(t, "package p; type Mode string; const (Fast Mode = \"f\"; Slow Mode = \"s\"); type A struct{ "+fields+" }; type O struct{ a A }; func (o *O) Set(a A) { o.a = a }",
				collection.Overrides{Type: "O"})
			parts := c.Operations[0].Params[0].Codec.Parts
			if len(parts) != len(want) {
				t.Fatalf("%d fields, want %d", len(parts), len(want))
			}
			for i, p := range parts {
				if p.Codec.Pair != want[i] {
					t.Errorf("%s varies as %d, want %d", p.Name, p.Codec.Pair, want[i])
				}
			}
		})
	}
}
