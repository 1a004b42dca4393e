// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pangolin/oracle"
)

// Each client that is drawn is one of the space's list, up to the order of the threads, and each of a small list is drawn.
func TestDraw_GivesTheClientsOfTheSpace(t *testing.T) {
	for _, kind := range []oracle.Kind{oracle.Queue, oracle.Set, oracle.PQueue, oracle.Counter} {
		for _, adds := range []bool{false, true} {
			scope := Scope{Threads: Range{1, 2}, Steps: Range{1, 3}, PreAdds: Range{0, 1}, Values: 2, GenericValues: true, AddsDominant: adds, DistinctPriorities: kind == oracle.PQueue}
			if kind == oracle.Counter {
				scope.PreAdds = Range{}
			}
			space, err := NewSpace(scope, DefaultOps(kind))
			if err != nil {
				t.Fatal(err)
			}
			listed := map[string]bool{}
			for c := range space.All() {
				listed[withoutIdle(c)] = true
			}
			rng := rand.New(rand.NewPCG(1, 2))
			drawn := map[string]bool{}
			for range 40_000 {
				c, ok := space.Draw(rng.IntN)
				if !ok {
					continue
				}
				text := withoutIdle(c)
				if !listed[text] {
					t.Fatalf("%s, adds dominant %v: drawn, and not listed: %s", kind, adds, text)
				}
				drawn[text] = true
			}
			if len(drawn) != len(listed) {
				t.Errorf("%s, adds dominant %v: %d of %d clients are drawn", kind, adds, len(drawn), len(listed))
			}
		}
	}
}

func withoutIdle(c Client) string { return fmt.Sprint(c.Pre, c.Threads) }
