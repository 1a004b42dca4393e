// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// A second judge of races: vector clocks over random executions (interleave.Clocks), instruction by instruction. The search
// remembers one access at a time, and knows of no clocks.

// pair is a race as the two lines of its accesses.
func pair(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// searched are the races that the search finds.
func searched(t *testing.T, prog *ir.Program, opt outcomes.Options) map[[2]int]bool {
	t.Helper()
	r, err := explore(prog, opt)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Fault != nil:
		t.Fatal(r.Fault)
	case !r.Complete:
		t.Skip(r.Limit)
	}
	found := map[[2]int]bool{}
	for _, o := range r.Outcomes {
		if o.Kind == outcomes.Race {
			found[pair(o.Accesses[0].Line, o.Accesses[1].Line)] = true
		}
	}
	return found
}

// random is a Chooser.
type random struct{ *rand.Rand }

func (r random) Choose(n int) int { return r.IntN(n) }

// walked are the races that random executions show by clocks.
func walked(t *testing.T, prog *ir.Program, walks int) map[[2]int]bool {
	t.Helper()
	img, err := vm.NewImage(prog)
	if err != nil {
		t.Fatal(err)
	}
	found := map[[2]int]bool{}
	for n := range walks {
		ch := random{rand.New(rand.NewPCG(uint64(n), 1))}
		opt := interleave.Plain(interleave.Program(0))
		opt.Chronicle = true
		m := img.NewMachine(opt)
		again := interleave.NewRerun(m)
		m.Start(prog.Roots[0])
		again.Settle()
		clocks := again.Clock()
		stay := 0
		for range 5000 {
			if m.Ended().Kind != vm.Running || m.Fault() != nil {
				break
			}
			var may []int
			for i := range m.Threads() {
				if m.Enabled(i) {
					may = append(may, i)
				}
			}
			if len(may) == 0 {
				break
			}
			// A goroutine goes on for a while, so that another one may come far while one stands somewhere.
			i := may[ch.IntN(len(may))]
			if slices.Contains(may, stay) && (ch.IntN(8) > 0 || m.Atomic()) {
				i = stay
			}
			stay = i
			if !m.Atomic() {
				for _, race := range clocks.RacesOf(i) {
					found[pair(race[0].At.Line, race[1].At.Line)] = true
				}
			}
			m.RunExactly(i, 1, ch)
			m.Settled()
		}
	}
	return found
}

// TestExplore_FindsTheRacesOfTheClocks compares the search with clocks over random executions of random programs, in
// both directions: what executions show, the search finds, and what it finds the clocks confirm in one that it gives.
func TestExplore_FindsTheRacesOfTheClocks(t *testing.T) {
	n, walks := 30, 100
	switch {
	case level.Short():
		n = 6
	case level.More():
		n, walks = 600, 300
	}
	var programs []corpus.Program
	for i := range n {
		programs = append(programs, corpus.Program{Source: corpus.Telling(uint64(i))})
	}
	loads := together(t, programs)
	races, shown := 0, 0
	for i := range programs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			prog, err := loads[i]()
			if err != nil {
				t.Fatal(err)
			}
			found := searched(t, prog, outcomes.Options{Reductions: vm.AllReductions, Schedules: true})
			races += len(found)
			for race := range walked(t, prog, walks) {
				shown++
				if !found[race] {
					t.Errorf("the clocks show a race of lines %v, which the search does not find\n%s", race, programs[i].Source)
				}
			}
			if i%5 == 0 {
				if got := searched(t, prog, outcomes.Options{}); fmt.Sprint(got) != fmt.Sprint(found) {
					t.Errorf("races %v without reductions, %v with\n%s", got, found, programs[i].Source)
				}
			}
		})
	}
	t.Logf("%d races, %d of them in random executions", races, shown)
	if n >= 30 && shown < races/2 {
		t.Errorf("random executions show %d of %d races only", shown, races)
	}
}
