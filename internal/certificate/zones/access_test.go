// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// The stage is a queue with two fingers in words 0 and 1, a slice of two slots in word 2, a constant in word 5, a number in word 6, a slot in word 7 and a second constant in word 8. Of what others
// have in a slot is known: since <= number 0 <= the second finger.
func stage(edit ...func(*Head)) *checker {
	h := Head{Fingers: []int{0, 1}, Next: 2, Words: []string{"item 0", "number", "next"}, Slots: []Slot{{2, 0}, {2, 1}, {7, -1}}, Offers: [][]string{{"cell 1", "number 0"}, {"item 0", "?", "?"}}, Left: []string{"constant 5"},
		Bounds: []Bound{{0, 1, 0}, {1, 2, 0}, {3, 1, 0}}, Offered: []Bound{{4, 5, 0}, {5, 1, 0}}}
	for _, e := range edit {
		e(&h)
	}
	of := func(name string, role oracle.Role, results ...oracle.Slot) subject.Operation {
		return subject.Operation{Name: name, Binding: oracle.Op{Name: name, Role: role, Results: results}}
	}
	ops := []subject.Operation{of("Put", oracle.Put), of("Take", oracle.Take, oracle.SlotItem, oracle.SlotOK), of("Shift", oracle.Take, oracle.SlotNotOK, oracle.SlotItem)}
	s := &subject.Subject{Prog: &ir.Program{Consts: []uint64{0, 1}, ConstKinds: []ir.Kind{ir.Scalar, ir.Scalar}}, Operations: ops}
	c := &checker{s: s, x: &Certificate{Head: h}, ops: []operation{{width: 1, item: -1, ok: -1}, {width: 1, item: 0, ok: 1}, {width: 1, item: 1, ok: 0, not: true}}, reads: [2]map[int]bool{{}, {}}}
	c.made = &collection{words: []word{{}, {}, {sort: element, n: 2}, {n: 2}, {n: 2}, {sort: constant, n: 5}, {n: 3}, {}, {sort: constant, n: 8}},
		kinds:   []ir.Kind{ir.Pointer, ir.Pointer, ir.Pointer, ir.Scalar, ir.Scalar, ir.Pointer, ir.Scalar, ir.Pointer, ir.Pointer},
		lengths: map[int]int{2: 2}, headers: map[int]bool{2: true, 3: true, 4: true}, fingers: map[int]int{0: 0, 1: 1}, slots: map[place]int{}}
	for _, step := range []func() error{c.slots, c.offers, c.leaves, c.always} {
		if err := step(); err != nil {
			panic(err)
		}
	}
	return c
}

// Registers of the instructions that are executed here.
const (
	rA ir.Reg = iota
	rB
	rC
	rD
)

// Operations of the stage.
const (
	isPut = iota
	isTake
	isShift
)

// scene is an instruction with its operands, executed by a thread that may know something.
type scene struct {
	op      int
	in      ir.Instr
	a, b, c word
	knows   func(*checker, *thread)
}

// start is a thread that knows nothing but what holds at all times, and has a variable 4 (of a Put its since), and cells of the chain at variables 5, 6, 7.
func (s *scene) start(c *checker) *thread {
	t := &thread{op: s.op, since: -1, own: none}
	t.shared = c.fresh(&t.bounds)
	if v := t.fresh(); s.op == isPut {
		t.since = v
	}
	for range 3 {
		t.fresh()
	}
	t.calls = []call{{&ir.Func{}, 0, map[ir.Reg]word{rA: s.a, rB: s.b, rC: s.c}}}
	if s.knows != nil {
		s.knows(c, t)
	}
	return t
}

// outcomes are those of all executions: what is in the register of the result, and what the thread did, or "refused"; sorted, each once.
func (s *scene) outcomes(t *testing.T, c *checker) []string {
	t.Helper()
	var out []string
	in := s.in
	in.A, in.B, in.C, in.Dst = rA, rB, rC, rD
	var th *thread
	err := c.executions(func() (*thread, error) {
		th = s.start(c)
		err := c.memory(th, &th.calls[0], &in)
		if refuses(err) {
			out = append(out, "refused")
			return th, errElse
		}
		return th, err
	}, func(th *thread) error {
		text := fmt.Sprint(th.calls[0].regs[rD])
		if th.did.sort != nothing {
			text += fmt.Sprint(" did ", th.did)
		}
		if th.own != none {
			text += fmt.Sprint(" has ", th.own)
		}
		out = append(out, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// is compares outcomes, as texts with "; " between them.
func (s *scene) is(t *testing.T, c *checker, what, want string) {
	t.Helper()
	if got := strings.Join(s.outcomes(t, c), "; "); got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

var (
	load  = ir.Instr{Op: ir.OpAtomicLoad}
	cas   = ir.Instr{Op: ir.OpAtomicCAS}
	store = ir.Instr{Op: ir.OpAtomicStore}
)

// Values, and what threads know, in short.

func at(n int) word      { return word{sort: cell, n: n} }
func next(n int) word    { return word{sort: cell, n: n, m: 2} }
func inWord(n int) word  { return word{sort: root, n: n} }
func inSlice(i int) word { return word{sort: element, n: 2, m: i} }
func mine(n int) word    { return word{sort: private, n: n} }
func theirs(n int) word  { return word{sort: offer, n: n} }
func left(n int) word    { return word{sort: constant, n: n} }
func plus(v, k int) word { return word{sort: variable, n: v, k: k} }
func same(a, b, c int) func(*checker, *thread) {
	return func(_ *checker, t *thread) { t.learnSame(term{a, 0}, term{b, 0}, c) }
}
func all(list ...func(*checker, *thread)) func(*checker, *thread) {
	return func(c *checker, t *thread) {
		for _, f := range list {
			f(c, t)
		}
	}
}
func was(d did) func(*checker, *thread) { return func(_ *checker, t *thread) { t.did = d } }
func owns(h handing) func(*checker, *thread) {
	return func(_ *checker, t *thread) { t.own = h }
}

// most says that one variable is at most another one.
func most(a, b, c int) func(*checker, *thread) {
	return func(_ *checker, t *thread) { t.learn(term{a, 0}, term{b, 0}, c) }
}

func cells(list ...[]word) func(*checker, *thread) {
	return func(_ *checker, t *thread) {
		for _, words := range list {
			t.private = append(t.private, object{words: slices.Clone(words)})
		}
	}
}

// knowsOffer is an offer of another thread, whose since is variable 5 and whose number is 6.
func knowsOffer(_ *checker, t *thread) { t.offers = append(t.offers, []int{5, 6}) }

const (
	no       = "{0 0 0 0}"
	yes      = "{0 1 0 0}"
	rejected = "refused"
)

// The front moves to the next cell alone, by a Take that did nothing yet; other fingers move not back.
func TestFinger_MovesForward(t *testing.T) {
	for i, c := range []struct {
		scene
		want string
	}{
		{scene{isTake, cas, inWord(0), at(5), at(6), same(6, 5, 1)}, rejected + "; " + no}, // it may be behind the second finger
		{scene{isTake, cas, inWord(0), at(5), at(6), all(same(6, 5, 1), most(6, 1, 0))}, no + "; " + yes + " did {3 6}"},
		{scene{isShift, cas, inWord(0), at(5), at(6), all(same(6, 5, 1), most(6, 1, 0))}, no + "; " + yes + " did {3 6}"},
		{scene{isPut, cas, inWord(0), at(5), at(6), all(same(6, 5, 1), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(same(6, 5, 1), most(6, 1, 0), was(did{tookCell, 7}))}, rejected + "; " + no + " did {3 7}"},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(same(6, 5, 1), most(6, 1, 0), was(did{tookOffer, 0}))}, rejected + "; " + no + " did {4 0}"},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(same(6, 5, 2), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(same(6, 5, 0), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(most(6, 5, 1), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(most(5, 6, -1), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(same(6, 5, 1), most(6, 1, 0), most(5, 0, -1))}, no}, // the front is behind it for certain
		{scene{isTake, cas, inWord(0), at(5), word{}, nil}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), word{sort: unknown}, nil}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), next(6), all(same(6, 5, 1), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), word{}, most(5, 0, -1)}, no},
		{scene{isTake, cas, inWord(0), word{}, at(6), nil}, rejected},
		{scene{isTake, cas, inWord(0), word{n: 5}, at(6), nil}, rejected},
		{scene{isTake, cas, inWord(0), next(5), at(6), nil}, rejected},
		{scene{isTake, cas, inWord(0), theirs(0), at(6), knowsOffer}, rejected},
		{scene{isTake, cas, inWord(0), at(5), theirs(0), knowsOffer}, rejected + "; " + no},
		{scene{isPut, cas, inWord(0), at(5), mine(0), cells([]word{{}})}, rejected + "; " + no},
		{scene{isTake, store, inWord(0), at(5), word{}, all(same(5, 0, 1), most(5, 1, 0))}, rejected},
		{scene{isPut, cas, inWord(1), at(5), at(6), all(most(5, 6, 0), most(6, 2, 0))}, no + "; " + yes},
		{scene{isTake, cas, inWord(1), at(5), at(6), all(most(5, 6, 0), most(6, 2, 0))}, no + "; " + yes},
		{scene{isPut, cas, inWord(1), at(5), at(6), all(most(5, 6, 1), most(6, 2, 0))}, rejected + "; " + no},
		{scene{isPut, cas, inWord(1), at(5), at(6), most(5, 6, 0)}, rejected + "; " + no},
		{scene{isPut, cas, inWord(1), at(5), at(6), all(most(5, 6, 1), most(6, 2, 0), most(0, 6, 0), most(3, 6, 0))}, rejected + "; " + no},
		{scene{isPut, cas, inWord(1), at(5), word{n: 6}, all(most(5, 6, 0), most(6, 2, 0))}, rejected + "; " + no},
		{scene{isTake, cas, inWord(0), at(5), word{n: 6}, all(same(6, 5, 1), most(6, 1, 0))}, rejected + "; " + no},
		{scene{isPut, store, inWord(1), at(5), word{}, all(most(1, 5, 0), most(5, 2, 0))}, no},
		{scene{isPut, store, inWord(1), at(5), word{}, all(most(0, 5, 0), most(5, 2, 0))}, rejected},
		{scene{isPut, store, inWord(1), at(5), word{}, all(most(0, 5, 0), most(3, 5, 0), most(5, 2, 0))}, rejected},
		{scene{isPut, store, inWord(1), at(5), word{}, all(most(0, 5, 0), most(3, 5, 0), most(5, 2, 0), same(1, 5, 1))}, rejected},
		{scene{isPut, store, inWord(1), word{}, word{}, nil}, rejected},
		{scene{isPut, store, inWord(1), word{sort: itemCell, n: 5}, word{}, all(most(1, 5, 0), most(5, 2, 0))}, rejected},
		{scene{isPut, store, inWord(1), next(5), word{}, all(most(1, 5, 0), most(5, 2, 0))}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpAtomicSwap}, inWord(1), at(5), word{}, all(most(1, 5, 0), most(5, 2, 0))}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpAtomicAdd}, inWord(1), word{n: 1}, word{}, nil}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpLoad, T: &ir.Type{Size: 1}}, inWord(1), word{}, word{}, nil}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpStore, T: &ir.Type{Size: 1}}, inWord(1), at(5), word{}, nil}, rejected},
	} {
		c.is(t, stage(), fmt.Sprint(i), c.want)
	}
}

// What a load of a finger, or of a link, and what a swap that fails tell.
func TestAccess_Learns(t *testing.T) {
	for i, s := range []struct {
		scene
		result word
		x, y   int // -1: the variable of the result
		c      int
	}{
		{scene{isTake, load, inWord(0), word{}, word{}, nil}, at(8), 0, -1, 0},
		{scene{isTake, load, inWord(0), word{}, word{}, nil}, at(8), -1, 0, 0},
		{scene{isTake, load, inWord(1), word{}, word{}, nil}, at(8), -1, 1, 0},
		{scene{isTake, load, next(5), word{}, word{}, nil}, word{}, 2, 5, 0},
		{scene{isTake, load, next(5), word{}, word{}, nil}, word{}, 5, 2, 0},
		{scene{isTake, load, next(5), word{}, word{}, nil}, at(8), -1, 5, 1},
		{scene{isTake, load, next(5), word{}, word{}, nil}, at(8), 5, -1, -1},
		{scene{isTake, load, next(5), word{}, word{}, nil}, at(8), 5, 2, -1},
		{scene{isTake, cas, inWord(0), at(5), at(6), all(most(5, 0, 0), same(6, 5, 1), most(6, 1, 0))}, word{}, 5, 0, -1},
		{scene{isPut, cas, next(5), word{}, mine(0), cells([]word{{sort: itemOwn}, plus(5, 1), {}})}, word{}, 5, 2, -1},
		{scene{isPut, cas, next(5), word{}, mine(0), cells([]word{{sort: itemOwn}, plus(5, 1), {}})}, word{n: 1}, 5, 2, 0},
		{scene{isTake, load, inSlice(0), word{}, word{}, nil}, theirs(0), 8, 9, 0},
		{scene{isTake, load, inSlice(0), word{}, word{}, nil}, theirs(0), 9, 1, 0},
	} {
		c, found := stage(), false
		in := s.in
		in.A, in.B, in.C, in.Dst = rA, rB, rC, rD
		err := c.executions(func() (*thread, error) {
			th := s.start(c)
			return th, c.memory(th, &th.calls[0], &in)
		}, func(th *thread) error {
			if w := th.calls[0].regs[rD]; w == s.result {
				found = true
				x, y := s.x, s.y
				if x < 0 {
					x = w.n
				}
				if y < 0 {
					y = w.n
				}
				if x == 2 && in.Op == ir.OpAtomicCAS {
					x = th.shared[2]
				}
				if !th.certain(term{x, 0}, term{y, 0}, s.c) {
					t.Errorf("%d: it does not learn %d <= %d%+d", i, x, y, s.c)
				}
			}
			return nil
		})
		if err != nil || !found {
			t.Errorf("%d: %v, found %t", i, err, found)
		}
	}
}

// A swap that fails tells nothing where the finger may be before the cell.
func TestFinger_MayBeBefore(t *testing.T) {
	c := stage()
	s := scene{isTake, cas, inWord(0), at(5), at(6), all(most(5, 0, 1), same(6, 5, 1), most(6, 1, 0))}
	err := c.executions(func() (*thread, error) {
		th := s.start(c)
		return th, c.memory(th, &th.calls[0], &ir.Instr{Op: ir.OpAtomicCAS, A: rA, B: rB, C: rC, Dst: rD})
	}, func(th *thread) error {
		if failed := th.calls[0].regs[rD] == (word{}); failed && th.certain(term{5, 0}, th.at(0), 0) {
			t.Error("it learns that the finger is not before the cell")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A cell is linked in by a Put that did nothing yet and has no offer in a slot, with what the head says of cells.
func TestLink_RefusesOtherCells(t *testing.T) {
	own, null := word{sort: itemOwn}, word{}
	right := cells([]word{own, plus(5, 1), null})
	done := no + "; " + yes + " did {1 8}"
	bad := rejected + "; " + no
	for i, c := range []struct {
		scene
		want string
	}{
		{scene{isPut, cas, next(5), null, mine(0), right}, done},
		{scene{isPut, cas, next(5), null, mine(0), all(right, most(5, 2, -1))}, no}, // it is not the last one
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(6, 2), null})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), all(cells([]word{own, plus(6, 2), null}), same(6, 5, -1))}, done},
		{scene{isPut, cas, next(5), null, mine(0), all(cells([]word{own, plus(6, 2), null}), same(6, 2, -1))}, done}, // it is the last one if it succeeds
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(5, 0), null})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, {n: 1}, null})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, {n: 8}, null})}, bad}, // 8 is the variable of its position
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, {sort: unknown}, null})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{null, plus(5, 1), null})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{{sort: itemCell, n: 5}, plus(5, 1), null})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), all(knowsOffer, cells([]word{{sort: itemOffer}, plus(5, 1), null}))}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(5, 1), at(5)})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(5, 1), mine(0)})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(5, 1), {sort: unknown}})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(5, 1)})}, bad},
		{scene{isPut, cas, next(5), null, mine(0), cells([]word{own, plus(5, 1), null, null})}, bad},
		{scene{isPut, cas, next(5), null, word{sort: private, m: 1}, right}, bad},
		{scene{isPut, cas, next(5), null, at(6), nil}, bad},
		{scene{isPut, cas, next(5), null, null, nil}, bad},
		{scene{isPut, cas, next(5), null, theirs(0), knowsOffer}, bad},
		{scene{isPut, cas, next(5), at(6), mine(0), right}, rejected},
		{scene{isPut, cas, next(5), word{sort: unknown}, mine(0), right}, rejected},
		{scene{isPut, store, next(5), mine(0), null, right}, rejected},
		{scene{isPut, cas, at(5), null, mine(0), right}, rejected},                                          // its item
		{scene{isPut, load, word{sort: cell, n: 5, m: 1}, null, null, nil}, rejected},                       // its number
		{scene{isPut, cas, word{sort: offer, k: 1, m: 2}, null, mine(0), all(knowsOffer, right)}, rejected}, // the link of an offer's cell
		{scene{isTake, cas, next(5), null, mine(0), right}, bad},
		{scene{isPut, cas, next(5), null, mine(0), all(right, was(did{linked, 6}))}, rejected + "; " + no + " did {1 6}"},
		{scene{isPut, cas, next(5), null, mine(0), all(right, was(did{handed, 0}))}, rejected + "; " + no + " did {2 0}"},
		{scene{isPut, cas, next(5), null, mine(0), all(right, owns(handing{0, 1, false}))}, rejected + "; " + no + " has {0 1 false}"},
		{scene{isPut, cas, next(5), null, mine(0), all(right, cells([]word{own}), owns(handing{1, 0, false}))}, rejected + "; " + no + " has {1 0 false}"},
		{scene{isPut, ir.Instr{Op: ir.OpLoad, T: &ir.Type{Size: 1}}, next(5), null, null, nil}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpStore, T: &ir.Type{Size: 1}}, at(5), own, null, nil}, rejected},
	} {
		c.is(t, stage(), fmt.Sprint(i), c.want)
	}
	// Others may read the link as a part of an offer.
	shown := func(_ *checker, th *thread) { th.private[0].shown = true }
	s := scene{isPut, cas, next(5), null, mine(0), all(right, shown)}
	s.is(t, stage(), "shown", done)
	s.is(t, stage(func(h *Head) { h.Offers = [][]string{{"item 0", "number 0", "cell 0"}} }), "its link was shown", bad)
	// The bounds of the end.
	s = scene{isPut, cas, next(5), null, mine(0), right}
	s.is(t, stage(func(h *Head) { h.Bounds = append(h.Bounds, Bound{2, 1, 0}) }), "the end is the second finger", bad)
	s.is(t, stage(func(h *Head) { h.Bounds = append(h.Bounds, Bound{2, 1, 1}) }), "the end is near to the second finger", bad)
	s.knows = all(right, same(5, 1, 0))
	s.is(t, stage(func(h *Head) { h.Bounds = append(h.Bounds, Bound{2, 1, 1}) }), "the end is behind the second finger", done)
}

// A cell that is linked in is one of the chain, whatever leads to it.
func TestLink_RenamesTheCell(t *testing.T) {
	c := stage()
	s := scene{isPut, cas, next(5), word{}, mine(0), cells([]word{{sort: itemOwn}, plus(5, 1), {}}, []word{{sort: private, m: 1}, {sort: private, n: 1}})}
	err := c.executions(func() (*thread, error) {
		th := s.start(c)
		outer := call{&ir.Func{}, 0, map[ir.Reg]word{7: mine(0), 8: mine(1)}}
		th.calls = append([]call{outer}, th.calls...)
		return th, c.memory(th, &th.calls[1], &ir.Instr{Op: ir.OpAtomicCAS, A: rA, B: rB, C: rC, Dst: rD})
	}, func(th *thread) error {
		if th.did.sort != linked {
			return nil
		}
		regs := th.calls[0].regs
		if regs[7] != at(8) || regs[8] != mine(1) || th.private[1].words[0] != (word{sort: cell, n: 8, m: 1}) || th.private[1].words[1] != mine(1) || th.calls[1].regs[rC] != at(8) || th.private[0].words != nil {
			t.Errorf("%v, %v, %v", regs, th.private, th.calls[1].regs)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A register of which nothing is known is not read, whatever for.
func TestAccess_ReadsNoRegisterThatIsNotKept(t *testing.T) {
	add, load1, store1 := ir.Instr{Op: ir.OpAtomicAdd}, ir.Instr{Op: ir.OpLoad, T: sized(1)}, ir.Instr{Op: ir.OpStore, T: sized(1)}
	for i, c := range []struct {
		scene
		lacks ir.Reg
	}{
		{scene{isPut, store, inWord(1), word{}, word{}, nil}, rB}, {scene{isPut, cas, inWord(1), word{}, at(6), nil}, rB}, {scene{isPut, cas, inWord(1), at(5), word{}, most(5, 1, -1)}, rC},
		{scene{isPut, cas, next(5), word{}, mine(0), most(5, 2, -1)}, rB}, {scene{isPut, cas, next(5), word{}, word{}, most(5, 2, -1)}, rC},
		{scene{isPut, store, inSlice(0), word{}, word{}, owns(handing{0, 0, true})}, rB}, {scene{isPut, cas, inSlice(0), word{}, mine(0), offered(nil)}, rB}, {scene{isPut, cas, inSlice(0), mine(1), word{}, cells([]word{{}}, []word{{}})}, rC},
		{scene{isPut, store, inWord(6), word{}, word{}, nil}, rB}, {scene{isPut, add, inWord(6), word{}, word{}, nil}, rB}, {scene{isPut, cas, inWord(6), word{}, word{}, nil}, rC},
		{scene{isPut, store, mine(0), word{}, word{}, cells([]word{{}})}, rB}, {scene{isPut, cas, mine(0), word{}, word{}, cells([]word{{}})}, rB}, {scene{isPut, cas, mine(0), word{}, word{}, cells([]word{{}})}, rC},
		{scene{isPut, store1, mine(0), word{}, word{}, cells([]word{{}})}, rB}, {scene{isPut, load1, mine(0), word{}, word{}, cells([]word{{}})}, rA}, {scene{isPut, load, inWord(0), word{}, word{}, nil}, rA},
		{scene{isPut, ir.Instr{Op: ir.OpArrayElem, N: 2, T: sized(1)}, inWord(7), word{}, word{}, nil}, rB}, {scene{isPut, ir.Instr{Op: ir.OpField}, inWord(7), word{}, word{}, nil}, rA},
	} {
		knows := c.knows
		c.knows = func(k *checker, th *thread) {
			if knows != nil {
				knows(k, th)
			}
			delete(th.calls[0].regs, c.lacks)
		}
		c.is(t, stage(), fmt.Sprint(i), rejected)
	}
}
