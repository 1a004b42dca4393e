// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"slices"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/corpus"
	"pangolin/internal/vm"
)

// waitsForAfter asks whether a timer has fired of which it has the channel alone.
const waitsForAfter = `package main

import "time"

func main() {
	after := time.After(1)
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
	select {
	case <-after:
		println("fired")
	default:
		println("to come")
	}
}
`

// TestTimers_AreNotLostWhileSomebodyHasTheirChannel: a timer that nobody will notice goes first and alone, and this one is none.
func TestTimers_AreNotLostWhileSomebodyHasTheirChannel(t *testing.T) {
	prog, err := load(writeProgram(t, corpus.Program{Name: "after", Source: waitsForAfter}))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []vm.Reductions{vm.AllReductions, vm.Fusing, 0} {
		r, err := explore(prog, outcomes.Options{Reductions: set})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range r.Outcomes {
			got = append(got, o.Stderr)
		}
		slices.Sort(got)
		if !slices.Equal(got, []string{"fired\n", "to come\n"}) {
			t.Errorf("with %v: %q", set, got)
		}
	}
}
