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

// thousands are bodies of main that start 1,000 goroutines that are alike, with the number of states: what counts is how many have moved.
var thousands = []struct {
	name, body, prints string
	states             uint64
}{
	{"atomic", `
	var n atomic.Int64
	done := make(chan bool)
	for range 1000 {
		go func() {
			if n.Add(1) == 1000 {
				close(done)
			}
		}()
	}
	<-done
	println(n.Load())`, "1000\n", 2005},
	{"mutex", `
	var mu sync.Mutex
	n := 0
	done := make(chan bool)
	for range 1000 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			n++
			if n == 1000 {
				close(done)
			}
		}()
	}
	<-done
	println(n)`, "1000\n", 10003},
	{"WaitGroup", `
	var wg sync.WaitGroup
	wg.Add(1000)
	for range 1000 {
		go wg.Done()
	}
	wg.Wait()`, "", 1002},
}

func TestExplore_FollowsThousandsThatAreAlike(t *testing.T) {
	level.SkipShort(t, "explores a large program")
	for _, p := range thousands {
		file := filepath.Join(t.TempDir(), "main.go")
		source := fmt.Sprintf("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar (\n\t_ sync.Mutex\n\t_ atomic.Int64\n)\n\nfunc main() {%s\n}\n", p.body)
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		prog, err := load(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions})
		if err != nil || !r.Complete || len(r.Outcomes) != 1 || r.Outcomes[0].Stderr != p.prints {
			t.Fatalf("%s: %v, %+v", p.name, err, r)
		}
		if uint64(r.States) != p.states {
			t.Errorf("%s: %d states, not %d", p.name, r.States, p.states)
		}
	}
}
