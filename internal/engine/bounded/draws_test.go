// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// A loop that goes on while it draws the same number is executed again, instruction by instruction, with the numbers that the search drew in one
// step. When the count of what may be drawn began anew at each instruction, the search failed and began again without remembered steps.
func TestDraws_AreRepeatedAsTheSearchTookThem(t *testing.T) {
	const source = `package example

import (
	"sync/atomic"
	_ "unsafe"
)

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

// Counter counts, and loses what is counted at the same time.
type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() int64 {
	level := int64(1)
	for cheaprand()&3 == 0 && level < 8 {
		level++
	}
	v := c.n.Load() + level - level + 1
	c.n.Store(v)
	return v
}

func (c *Counter) Get() int64 { return c.n.Load() }
`
	v := verifySource(t, source, pangolin.Request{Type: "Counter", Kind: "object", Scope: pangolin.Scope{Threads: "2", Steps: "2"}})
	if v.Status != verdict.Violated || v.Violation.Class != "history" {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
	if text := strings.Join(v.Assumptions, "\n"); !strings.Contains(text, "twice in a row") || strings.Contains(text, "has failed") {
		t.Errorf("the search was repeated, or drew too often:\n%s", text)
	}
}

// A step that ends with the same number twice in a row leaves the next one free to draw it again: in a replay as in the search, which counts what a
// step draws, not what went before. Here the calls lose one another only if the step behind the first load draws 0 as well.
func TestDraws_AreCountedAnewAtEachStep(t *testing.T) {
	const source = `package example

import (
	"sync/atomic"
	_ "unsafe"
)

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

// Counter counts, and loses what is counted at the same time, if it is lucky.
type Counter struct{ n, looked atomic.Int64 }

func (c *Counter) Inc() int64 {
	c.looked.Load()
	if cheaprand()&3 != 0 || cheaprand()&3 != 0 {
		return c.n.Add(1)
	}
	v := c.n.Load()
	if cheaprand()&3 != 0 {
		return c.n.Add(1)
	}
	c.n.Store(v + 1)
	return v + 1
}

func (c *Counter) Get() int64 { return c.n.Load() }
`
	v := verifySource(t, source, pangolin.Request{Type: "Counter", Kind: "object", Scope: pangolin.Scope{Threads: "2", Steps: "2"}})
	if v.Status != verdict.Violated || v.Violation.Class != "history" {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
	if text := strings.Join(v.Assumptions, "\n"); strings.Contains(text, "has failed") {
		t.Errorf("the search was repeated:\n%s", text)
	}
}

// A loop that goes on while a random fraction is below 0.9 goes on for ever with the quarters that are explored, and not with others. One that
// draws a number and then goes round without drawing is endless.
func TestDraws_LoopsThatDrawAreUndecided(t *testing.T) {
	const source = `package example

import (
	"math/rand"
	"sync/atomic"
)

// Patient ends with any fraction above 0.9.
type Patient struct{ n atomic.Int64 }

func (c *Patient) Inc() {
	for rand.Float64() < 0.9 {
		c.n.Load()
	}
	c.n.Add(1)
}

func (c *Patient) Get() int64 { return c.n.Load() }

// Normal draws until a number is accepted.
type Normal struct{ n atomic.Int64 }

func (c *Normal) Inc() { _ = rand.ExpFloat64(); c.n.Add(1) }

func (c *Normal) Get() int64 { return c.n.Load() }

// Endless does not return if it draws 0.
type Endless struct{ n atomic.Int64 }

func (c *Endless) Inc() {
	if rand.Float64() == 0 {
		for {
			c.n.Load()
		}
	}
	c.n.Add(1)
}

func (c *Endless) Get() int64 { return c.n.Load() }
`
	for name, want := range map[string]verdict.Status{"Patient": verdict.Unknown, "Normal": verdict.Unknown, "Endless": verdict.Violated} {
		v := verifySource(t, source, pangolin.Request{Type: name, Kind: "counter", Scope: pangolin.Scope{Threads: "2", Steps: "2"}})
		if v.Status != want || want == verdict.Unknown && !strings.Contains(v.Reason, "draws random numbers") {
			t.Errorf("%s: %s, want %s: %s", name, v.Status, want, v.Reason)
		}
	}
}

// A loop that goes on while it draws the same number below a bound ends, also where calls before the client make it, and the verdict says so. Where it
// ends at once, nothing is left out.
func TestDraws_LevelsBelowABoundEnd(t *testing.T) {
	source := func(level string) string {
		return `package example

import (
	"math/rand"
	"sync"
)

// Set is a sorted set whose nodes draw how many of two lists they are in.
type Set struct {
	mu    sync.Mutex
	lists [2][]int
}

func draw() (level int) {
	` + level + `
	return level
}

func (s *Set) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, y := range s.lists[0] {
		if y == x {
			return false
		}
	}
	for i := range min(1+draw(), 2) {
		s.lists[i] = append(s.lists[i], x)
	}
	return true
}

func (s *Set) Contains(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, y := range s.lists[0] {
		if y == x {
			return true
		}
	}
	return false
}
`
	}
	for level, said := range map[string]bool{
		"for rand.Intn(2) == 0 { level++ }":              true,
		"for rand.Intn(4) == 3 { level++ }":              true,
		"for level < 3 && rand.Intn(2) == 0 { level++ }": false,
		"for range 3 { level += rand.Intn(2) }":          false,
	} {
		v := verifySource(t, source(level), pangolin.Request{Type: "Set", Kind: "set", Scope: pangolin.Scope{Threads: "2", Steps: "2", PreAdds: "0..1"}})
		if v.Status != verdict.Verified {
			t.Errorf("%s: %s: %s", level, v.Status, v.Reason)
		}
		if strings.Contains(strings.Join(v.Assumptions, "\n"), "7 times if the bound is 2") != said {
			t.Errorf("%s: said: %t:\n%s", level, !said, strings.Join(v.Assumptions, "\n"))
		}
	}
}
