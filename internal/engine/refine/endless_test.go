// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"fmt"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// The folded system of any number of calls is that of n calls, for the n at which one more call adds nothing: the same nodes, arrows and laps.
// Before, it has fewer.
func TestFold_OfAnyNumberOfCallsIsWhatEverMoreCallsComeTo(t *testing.T) {
	level.SkipShort(t, "folds systems")
	for i, c := range []struct {
		pkg, typ string
		values   int
	}{{"list", "FineList", 1}, {"list", "CoarseList", 2}, {"lock", "Reentrant", 1}, {"list", "LockFreeList", 1}, {"list", "LazyList", 1}, {"queue", "BoundedQueue", 1}} {
		if level.Out(i, 6) {
			continue // one will do; -level more takes all
		}
		s := load(t, c.pkg, c.typ)
		folds := func(client Client) *folded {
			client.Threads, client.Values, client.Reduce = 2, c.values, vm.Fusing
			sys, err := newSystem(s, client, stepwise)
			if err != nil {
				t.Fatal(err)
			}
			f, res, err := fold(t.Context(), sys, Limits{States: 400_000})
			if err != nil || !res.Complete {
				t.Fatal(c.typ, err, res.States)
			}
			return f
		}
		any, before := folds(Client{Endless: true}), 0
		size := func(f *folded) string {
			list, _ := f.classify("")
			return fmt.Sprint(len(f.nodes), len(f.arrows), list)
		}
		for n := 2; ; n++ {
			f := folds(Client{Steps: n})
			for k, x := range f.nodes { // each node of few calls is one of any number of them
				if n < 5 && k%17 == 0 && !any.has(x) {
					t.Fatalf("%s: %d calls come to a state that any number of them does not", c.typ, n)
				}
			}
			if len(f.nodes) > len(any.nodes) || len(f.arrows) > len(any.arrows) {
				t.Fatalf("%s: %d calls have %d nodes and %d arrows, any number of calls %d and %d", c.typ, n, len(f.nodes), len(f.arrows), len(any.nodes), len(any.arrows))
			}
			if len(f.arrows) == before {
				if size(f) != size(any) {
					t.Errorf("%s: %d calls come to %s, any number of calls to %s", c.typ, n, size(f), size(any))
				}
				t.Logf("%s: from %d calls on %d nodes and %d arrows", c.typ, n-1, len(f.nodes), len(f.arrows))
				break
			}
			before = len(f.arrows)
		}
	}
}

// has reports whether some node says the same of the calls in progress.
func (f *folded) has(x node) bool {
	for _, n := range f.nodes {
		if n == x {
			return true
		}
	}
	return false
}
