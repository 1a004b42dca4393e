// SPDX-License-Identifier: BSD-3-Clause

package edit

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

type inner struct {
	N    int
	Text string
}

type outer struct {
	On   bool
	List []inner
	To   *inner
	Many [2]uint8
}

// TestAny_ChangesEachPart makes many copies of a value and changes each: every part is another one in some of them, and the value itself is
// never changed.
func TestAny_ChangesEachPart(t *testing.T) {
	make := func() outer {
		return outer{On: true, List: []inner{{1, "a"}, {2, "b"}}, To: &inner{3, "c"}, Many: [2]uint8{4, 5}}
	}
	whole, want := make(), make()
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	for range 2000 {
		x := whole
		if !Any(&x, random) {
			t.Fatal("there was nothing to change")
		}
		note := func(what string, changed bool) { seen[what] = seen[what] || changed }
		note("truth value", x.On != whole.On)
		note("element", len(x.List) == 2 && x.List[0].N != 1)
		note("text", len(x.List) == 2 && x.List[1].N == 2 && x.List[1].Text != "b")
		note("fewer", len(x.List) == 1)
		note("more", len(x.List) == 3)
		note("nil", x.To == nil)
		note("behind a pointer", x.To != nil && x.To.N != 3)
		note("array", x.Many != whole.Many)
	}
	for what, yes := range seen {
		if !yes {
			t.Errorf("never changed: %s", what)
		}
	}
	if !reflect.DeepEqual(whole, want) {
		t.Errorf("the value itself has become %+v", whole)
	}
}
