// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
)

// scribbler writes operations that keep threads' numbers, their own and others', in all ways that a step may change: in the heap,
// in objects that leave it, in variables.
type scribbler struct {
	*rand.Rand
	text strings.Builder
}

func (s *scribbler) field() string { return string("ac"[s.IntN(2)]) }

func (s *scribbler) one(list ...string) { s.text.WriteString(list[s.IntN(len(list))] + "\n") }

func (s *scribbler) statement(depth int) {
	x, y := s.field(), s.field()
	switch k := s.IntN(12); {
	case k < 4:
		s.one("v = b."+x+".Load()", "v = n.by.Load()", "v = n.next.by.Load()", "v = b."+x+".Swap(me)")
	case k < 7:
		s.one("b."+x+".Store(me)", "b."+x+".Store(v)", "b."+x+".Store(0)", "b."+x+".CompareAndSwap(v, me)", "b."+x+".CompareAndSwap(0, v)")
	case k < 8:
		s.one("n = b.at.Load()", "n = n.next")
	case k < 10:
		s.one("b.at.Store(linked(v, n))", "b.at.Store(linked(me, &node{}))", "n.by.Store(me)", "n.by.Store(v)", "b.at.Store(linked(0, &node{}))")
	case k < 11 || depth == 0:
		s.one("b.mu.Lock(); b.x, b.y = b.y, b.x; b.mu.Unlock()", "b.mu.Lock(); b.x = me; b.mu.Unlock()", "b.mu.Lock(); v = b.y; b.mu.Unlock()",
			"b.mu.Lock(); b.y = v; b.mu.Unlock()")
	default:
		s.one("if v == me {", "if b."+x+".Load() == v {", "if b."+x+".Load() == b."+y+".Load() {", "if v != 0 {")
		s.statement(depth - 1)
		s.one("}")
	}
}

func (s *scribbler) source() string {
	s.text.WriteString(`package example

import (
	"sync"
	"sync/atomic"
)

func pangolinThread() int64

type node struct { by atomic.Int64; next *node }

func linked(by int64, next *node) *node { n := &node{next: next}; if n.next == nil { n.next = n }; n.by.Store(by); return n }

type Box struct { a, c atomic.Int64; at atomic.Pointer[node]; mu sync.Mutex; x, y int64 }

func New() *Box { b := &Box{}; b.at.Store(linked(0, nil)); return b }
`)
	for _, name := range []string{"One", "Two", "Three"}[:2+s.IntN(2)] {
		fmt.Fprintf(&s.text, "\nfunc (b *Box) %s() {\n\tme, v, n := pangolinThread() + 1, int64(0), b.at.Load()\n\t_, _, _ = me, v, n\n", name)
		for range 3 + s.IntN(5) {
			s.statement(1)
		}
		s.text.WriteString("}\n")
	}
	// A node that was made without a successor leads to itself, so that all that is read is there.
	return strings.ReplaceAll(s.text.String(), "&node{}", "linked(0, nil)")
}

// Whatever threads do with their numbers, searches with remembered steps and without find as much, and every step that is
// recalled is the machine's.
func TestParts_AreThoseOfThreadsNumbers(t *testing.T) {
	level.SkipShort(t, "executes every step twice")
	seeds := uint64(8)
	if level.More() {
		seeds = 150
	}
	recalled, states := int64(0), int64(0)
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := &scribbler{Rand: rand.New(rand.NewPCG(seed, 26))}
			source := s.source()
			recalls, _ := bounded.Doubt(t)
			req := pangolin.Request{Type: "Box", New: "New()", Oracle: "self", Scope: pangolin.Scope{Config: []string{"3x3x0", "2x4x0", "3x2x0"}[seed%3]},
				Search: pangolin.Search{MaxStates: 200_000, Workers: 1}}
			with, err := trySource(t, source, req)
			if err != nil {
				t.Fatalf("%v\n%s", err, source)
			}
			req.Search.Reduce = "fusing,frozen,symmetry,items,keys,guarded"
			without, err := trySource(t, source, req)
			if err != nil || with.Status != without.Status || with.States != without.States || with.Transitions != without.Transitions {
				t.Errorf("%d states, %d transitions, %s; without remembered steps %d, %d, %s %v\n%s", with.States, with.Transitions, with.Status,
					without.States, without.Transitions, without.Status, err, source)
			}
			recalled, states = recalled+recalls.Load(), states+int64(with.States)
		})
	}
	if recalled < states/2 {
		t.Errorf("%d steps were recalled in searches of %d states", recalled, states)
	}
	t.Log(recalled, states)
}
