// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"context"
	"testing"

	"pangolin/internal/lts"
	"pangolin/internal/vm"
)

// largeList is the fine-grained list under three threads with two calls each, with as little left out
// as makes a system of the size that mCRL2 202307.1 was measured with: 1,000,865 states, generated
// in 44.4 s of CPU time on one machine, and compared with its abstract side in 4.94 s (branching
// bisimulation) and 6.95 s (weak traces), with 344 MiB.
func largeList() Client {
	return Client{Threads: 3, Calls: 2, Values: 2, Reduce: vm.Fusing | vm.RememberedSteps, Elements: [][]int64{{0, 1}, {1, 0}, {0, 1}}}
}

// BenchmarkConcrete generates systems: the lazy list's under three threads with one call each, and that of
// the fine-grained list.
func BenchmarkConcrete(b *testing.B) {
	for _, x := range []struct {
		typ    string
		client Client
	}{
		{"LazyList", Client{Threads: 3, Calls: 1, Values: 2, Reduce: vm.AllReductions}},
		{"FineList", largeList()},
	} {
		b.Run(x.typ, func(b *testing.B) {
			s := load(b, "list", x.typ)
			b.ReportAllocs()
			states := 0
			for b.Loop() {
				sys, err := Concrete(context.Background(), s, x.client, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				states += sys.States()
			}
			b.ReportMetric(float64(states)/float64(b.N), "states")
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
		})
	}
}

// BenchmarkCompare compares the fine-grained list with its abstract side.
func BenchmarkCompare(b *testing.B) {
	s := load(b, "list", "FineList")
	code, err := Concrete(context.Background(), s, largeList(), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	body, err := Atomic(context.Background(), s, largeList(), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range []lts.Equivalence{lts.Branching, lts.WeakTrace} {
		b.Run(string(e), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !lts.Equivalent(code, body, e) {
					b.Fatal("not equivalent")
				}
			}
			b.ReportMetric(float64(code.States()), "states")
			b.ReportMetric(float64(body.States()), "abstract-states")
		})
	}
}
