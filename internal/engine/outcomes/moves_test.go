// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/corpus"
	"pangolin/internal/vm"
)

// A table of what moves elements of slices, in races: copy, append and clear.

const moveProgram = `package main

func main() {
	s := []int{3, 1, 2}
	t := s
	done := make(chan bool)
	go func() {
		%s
		done <- true
	}()
	%s
	<-done
	_ = t
}
`

// copy, append and clear of part of a slice access just that part, reading one slice and writing another, with every set of reductions. What
// is empty is not accessed, wherever it lies.
func TestExplore_SeesWhichElementsAreMoved(t *testing.T) {
	const read, write = "read", "write"
	rows := []struct{ other, own, access string }{
		{"clear(s)", "t = t[1:]; t = append(t[:0:1], 1, 2)", ""},
		{"clear(s)", "t = append(t[1:1:1], 5)", ""},
		{"clear(s)", "copy(t[1:1], t[:0])", ""},
		{"clear(s)", "t = append(t[:1], t[1:1]...)", ""},
		{"clear(s)", "clear(t[1:1])", ""},
		{"copy(s, []int{4, 5, 6})", "clear(t[1:1])", ""},
		{"copy(s, []int{4, 5, 6})", "t = append(t[:2:2], t[2:2]...)", ""},
		{"clear(s)", "t = append(t[1:1:2], 5)", write},
		{"clear(s)", "t = append(t[:1:1], 5)", read},
		{"clear(s[1:])", "t = append(t[:1:1], 5)", ""},
		{"clear(s)", "copy(make([]int, 2), t)", read},
		{"clear(s)", "copy(t, make([]int, 2))", write},
		{"clear(s[2:])", "copy(make([]int, 2), t)", ""},
		{"clear(s[:1])", "copy(t[1:], t)", read},
		{"clear(s[2:])", "copy(t[1:], t)", write},
		{"clear(s)", "t = append([]int(nil), t...)", read},
		{"s[0] = 1", "t = append([]int(nil), t[1:]...)", ""},
	}
	var programs []corpus.Program
	for _, r := range rows {
		programs = append(programs, corpus.Program{Source: fmt.Sprintf(moveProgram, r.other, r.own)})
	}
	loads := together(t, programs)
	for i, r := range rows {
		prog, err := loads[i]()
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []vm.Reductions{vm.AllReductions, vm.Fusing, vm.FrozenReads, 0} {
			got, err := explore(prog, outcomes.Options{Reductions: set})
			if err != nil {
				t.Fatal(err)
			}
			access := ""
			for _, o := range got.Outcomes {
				if o.Kind != outcomes.Race {
					continue
				}
				for _, a := range o.Accesses {
					if a.Function == "main" || a.Function == "main.main" {
						access += map[bool]string{false: read, true: write}[a.Write]
					}
				}
			}
			if access != r.access {
				t.Errorf("%s beside %s, with %v: %q, want %q", r.own, r.other, set, access, r.access)
			}
		}
	}
}
