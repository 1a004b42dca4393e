// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"testing"

	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

const releaseProgram = `package main

import "sync"

type box struct {
	a  int
	mu sync.RWMutex
}

var (
	x    = &box{a: 1}
	list = make([]box, 1)
	kept = box{a: 1}
	held any
)

func main() {
	done := make(chan bool)
	%s
	go func() {
		%s
		done <- true
	}()
	%s
	<-done
}
`

// Who has started the reader holds the lock, so that giving it back is the only operation of the lock that meets the
// plain read of its words: the release is a step of its own then, with every set of reductions.
func TestExplore_SeesWhatMeetsTheReleaseOfALock(t *testing.T) {
	var programs []corpus.Program
	for _, lock := range [][2]string{{"x.mu.Lock()", "x.mu.Unlock()"}, {"x.mu.RLock()", "x.mu.RUnlock()"}} {
		for _, read := range []string{"kept = *x", "y := *x; kept.a = y.a", "held = *x", "list = append(list, *x)", "println(*x == kept)", "list[0] = *x", "m := map[int]box{}; m[0] = *x"} {
			programs = append(programs, corpus.Program{Source: fmt.Sprintf(releaseProgram, lock[0], read, lock[1])})
		}
	}
	loads := together(t, programs)
	for i, p := range programs {
		if level.Out(i, 3) {
			continue
		}
		prog, err := loads[i]()
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []vm.Reductions{vm.AllReductions, vm.Fusing | vm.FrozenReads, 0} {
			if !races(t, prog, set) {
				t.Errorf("with %v there is no race\n%s", set, p.Source)
			}
		}
	}
}
