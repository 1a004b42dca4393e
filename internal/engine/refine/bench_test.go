package refine

import (
	"context"
	"testing"

	"pangolin/internal/vm"
)

// BenchmarkConcrete generates the system of the lazy list under three threads with one call each.
func BenchmarkConcrete(b *testing.B) {
	s := load(b, "list", "LazyList")
	c := Client{Threads: 3, Calls: 1, Values: 2, Reduce: vm.AllReductions}
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		sys, err := Concrete(context.Background(), s, c, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		states += sys.States()
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
