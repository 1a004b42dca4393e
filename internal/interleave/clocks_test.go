// SPDX-License-Identifier: BSD-3-Clause

package interleave_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/interleave"
	"pangolin/internal/vm"
)

// What orders an access of x in one goroutine and one in another.
var ordered = map[string][2]string{
	"a lock":                           {"mu.Lock(); x = 1; mu.Unlock()", "mu.Lock(); print(x); mu.Unlock()"},
	"a lock that readers share":        {"rw.Lock(); x = 1; rw.Unlock()", "rw.RLock(); print(x); rw.RUnlock()"},
	"a lock that a reader gives back":  {"rw.Lock(); x = 1; rw.Unlock()", "rw.RLock(); y := x; rw.RUnlock(); rw.Lock(); x = y; rw.Unlock()"},
	"a group":                          {"x = 1; group.Done()", "group.Wait(); print(x)"},
	"a channel with room":              {"x = 1; buffered <- 1", "<-buffered; print(x)"},
	"a channel with room, used twice":  {"buffered <- 1; x = 1; buffered <- 1", "<-buffered; <-buffered; print(x)"},
	"the room in a channel":            {"buffered <- 1; buffered <- 1; x = 1", "print(x); <-buffered; <-buffered"},
	"a channel without room":           {"x = 1; c <- 1", "<-c; print(x)"},
	"a channel without room, backward": {"c <- 1; x = 1", "print(x); <-c"},
	"a channel that is closed":         {"x = 1; close(c)", "<-c; print(x)"},
	"an atomic number":                 {"x = 1; set.Store(true)", "for !set.Load() { runtime.Gosched() }; print(x)"},
	"an atomic exchange":               {"x = 1; set.Store(true)", "for !set.Swap(false) { runtime.Gosched() }; print(x)"},
}

// walk executes a program at random and reports whether the clocks show a race of two accesses of x. The state is saved and loaded again at times,
// by which objects get other numbers.
func (p *program) walk(seed uint64) bool {
	r := rand.New(rand.NewPCG(seed, 1))
	opt := interleave.Plain(interleave.Program(0))
	opt.Chronicle = true
	m := p.img.NewMachine(opt)
	again := interleave.NewRerun(m)
	m.Start(p.main)
	again.Settle()
	clocks := again.Clock()
	for range 500 {
		var may []int
		for i := range m.Threads() {
			if m.Enabled(i) && (!m.Atomic() || len(may) == 0) {
				may = append(may, i)
			}
		}
		if m.Ended().Kind != vm.Running || m.Fault() != nil || len(may) == 0 {
			return false
		}
		i := may[r.IntN(len(may))]
		if !m.Atomic() && len(clocks.RacesOf(i)) > 0 {
			return true
		}
		m.RunExactly(i, 1, chooser{r})
		m.Settled()
		if r.IntN(3) == 0 && !m.Atomic() {
			again.Settle()
		}
	}
	return false
}

type chooser struct{ *rand.Rand }

func (c chooser) Choose(n int) int { return c.IntN(n) }

// What Go's memory model orders does not race by the clocks, and what it does not order does: a race that a search has found is shown only if
// they confirm it.
func TestClocks_KnowWhatOrdersAccesses(t *testing.T) {
	const frame = `package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

var (
	x   int
	mu  sync.Mutex
	rw  sync.RWMutex
	set atomic.Bool
)

func main() {
	var group sync.WaitGroup
	group.Add(1)
	buffered, c := make(chan int, 1), make(chan int)
	runtime.Gosched()
	go func() { A; _, _ = buffered, c }()
	B
}
`
	// of is the program in which one goroutine executes a, and another one b.
	of := func(a, b string) *program {
		return load(t, strings.NewReplacer("A;", a+";", "B\n", b+"\n").Replace(frame))
	}
	for what, sides := range ordered {
		p := of(sides[0], sides[1])
		for seed := range uint64(100) {
			if p.walk(seed) {
				t.Errorf("%s orders the accesses, and execution %d shows a race", what, seed)
				break
			}
		}
	}
	if !slices.ContainsFunc([]uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, of("x = 1", "print(x)").walk) {
		t.Error("nothing orders the accesses, and no execution shows a race")
	}
}
