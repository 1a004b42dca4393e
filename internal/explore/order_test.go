// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A seed changes the order of visits, and nothing else: each order is the same each time, all states are visited, and paths lead to them.
func TestRun_VisitsAllStatesInTheOrderOfASeed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	others := 0
	for n := range 300 {
		d := randomDrawing(r, 2+r.IntN(40))
		distance, transitions := d.slowly(never)
		var usual []int
		components := map[string]bool{}
		for seed := range uint64(5) {
			visits := func(workers int) []int {
				rec, cycles := newRecord(), []string{}
				res := Run(context.Background(), d, Options{Seed: seed, Workers: workers, Cycles: true, Visit: rec.visitor(never), OnComponent: func(c *Component) Action {
					cycles = append(cycles, fmt.Sprint(c.States))
					return Continue
				}})
				if !res.Complete || res.States != uint64(len(distance)) || res.Transitions != transitions || len(rec.depths) != len(distance) || rec.twice {
					t.Fatalf("drawing %d, seed %d, %d workers: %d of %d states, %d of %d transitions, twice %v", n, seed, workers, res.States, len(distance), res.Transitions, transitions, rec.twice)
				}
				replayAll(t, d, rec)
				slices.Sort(cycles)
				components[fmt.Sprint(cycles)] = true
				return rec.order
			}
			order := visits(1)
			if again := visits(1); !slices.Equal(order, again) {
				t.Fatalf("drawing %d, seed %d: %v, and then %v", n, seed, order, again)
			}
			if visits(3); seed == 0 {
				usual = order
			} else if !slices.Equal(usual, order) {
				others++
			}
		}
		if len(components) != 1 {
			t.Fatalf("drawing %d: cycles %v", n, components)
		}
	}
	if others < 300 {
		t.Errorf("only %d of 1200 orders differ from the usual one", others)
	}
}

// Of the orders of three moves each is some seed's.
func TestPermute_GivesEachOrder(t *testing.T) {
	got := map[string]int{}
	for seed := range uint64(600) {
		moves := []Move{1, 2, 3}
		permute(moves, []uint64{7, 8}, seed+1)
		got[fmt.Sprint(moves)]++
	}
	if len(got) != 6 {
		t.Errorf("orders %v", got)
	}
	for order, n := range got {
		if n < 60 {
			t.Errorf("%s is the order of %d of 600 seeds", order, n)
		}
	}
}
