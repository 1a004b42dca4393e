// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
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

// families starts n goroutines that each start one more; the two share a lock.
const families = `package main

import "sync"

func main() {
	for range %d {
		go func() {
			var mu sync.Mutex
			go func() {
				mu.Lock()
				mu.Unlock()
			}()
			mu.Lock()
			mu.Unlock()
		}()
	}
	select {}
}
`

// Pairs that are alike have one order, found part by part: of n pairs, each of which is in one of four states, only how many are in which matters.
func TestExplore_OrdersFamiliesThatAreAlike(t *testing.T) {
	for _, n := range []int{3, 6, 12} {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, fmt.Appendf(nil, families, n), 0o666); err != nil {
			t.Fatal(err)
		}
		prog, err := load(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions})
		if err != nil || !r.Complete {
			t.Fatalf("%v, %+v", err, r)
		}
		if want := (n + 3) * (n + 2) * (n + 1) / 6; int(r.States) != want {
			t.Errorf("%d pairs: %d states, not %d", n, r.States, want)
		}
	}
}
