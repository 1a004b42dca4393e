// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// alike starts 12 goroutines that share a wait group, a lock and a counter, and have a
// variable of their own each.
const alike = `package main

import "sync"

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 12 {
		wg.Add(1)
		own := new(int)
		go func() {
			defer wg.Done()
			mu.Lock()
			*own++
			n += *own
			mu.Unlock()
		}()
		_ = i
	}
	wg.Wait()
	println(n)
}
`

// Threads that are alike have a canonical order that is found without trying all: 12
// goroutines, of which only the number in each place matters, give some hundred states.
func TestExplore_OrdersManyThreadsThatAreAlike(t *testing.T) {
	level.SkipShort(t, "explores a large program")
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(alike), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions})
	if err != nil || !r.Complete || len(r.Outcomes) != 1 || r.Outcomes[0].Stderr != "12\n" {
		t.Fatalf("%v, %+v", err, r)
	}
	if r.States > 2000 {
		t.Errorf("%d states", r.States)
	}
}
