package bounded_test

import (
	"slices"
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
)

// What a remembered step gives is what the machine gives that executes it; and the parts of a
// state, put together, are the words that the machine saves.
func TestParts_AreTheStatesOfTheMachine(t *testing.T) {
	all := slices.Clone(crossChecked)
	if *more {
		for i := range all {
			all[i].typ, all[i].config = "", "D"
		}
	}
	for _, c := range all {
		t.Run(c.pkg[len("pangolin/collections/"):]+" "+c.typ, func(t *testing.T) {
			recalls, states := bounded.Doubt(t)
			p := prepare(t, c.pkg, c.typ, c.config)
			if _, err := p.Verify(t.Context(), pangolin.Search{Workers: 1}); err != nil {
				t.Fatal(err)
			}
			t.Log(recalls.Load(), "steps recalled on the way to", states.Load(), "states")
		})
	}
}
