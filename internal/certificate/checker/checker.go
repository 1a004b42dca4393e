// Package checker says whether a certificate holds: whether what it claims that the threads
// of a collection may see is true, and implies that the collection is correct.
//
// It takes a certificate and the compiled collection, and trusts of the certificate nothing.
// It checks that a new collection is claimed; that every call from every claimed view of a
// thread that calls nothing, and every step of every claimed view, leads to claimed views and
// writes only as claimed; that every claimed write of another thread leads from every claimed
// view to claimed ones; and that what is held changes as the operations say. doc/proofs.md
// says why this suffices.
//
// It is a second opinion, written to be read: it knows the instructions (package ir) and the
// oracle's roles, and shares with the prover neither the execution of instructions nor the
// merging of views nor a canonical form: views need not be in any form, a memory is claimed if
// it can be embedded into a view. It does not look for invariants, and does not say what is
// missing where one does not hold.
package checker

import (
	"context"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// Checker checks one certificate. It is for one goroutine.
type Checker struct {
	prog    *ir.Program
	maker   *ir.Func
	drivers []*ir.Func
	ops     []operation
	kindOf  oracle.Kind

	ordered bool
	content certificate.Content
	object  *certificate.Object // nil: it is none
	types   []layout
	kinds   []kind
	pauses  []certificate.Pause // where it is asked whether a step ends; elsewhere it goes on
	effects []effect
	views   []*claim
	alike   []*group
	points  map[string]*point

	work []*state
	// Memory that is used again:
	key   []byte
	text  []byte
	order []int32
	met   []int32
	embed embedding
	align alignment
	spare []*joint
	pairs []goal
}

// effect is a claimed write.
type effect struct {
	g graph
	write
	shifted []*effect // by so many nodes
}

// claim is a claimed view.
type claim struct {
	g     graph
	calls []certificate.Call
	op    int
	arg   word
	saw   seen
	taken word
	mine  word // the cell with the descriptor of an operation that is announced

	access reach // before which its thread stands; at is no address if there is none
}

// Check checks everything. The error is a *Rejection if the certificate does not hold, and
// otherwise says why it cannot be checked.
func (c *Checker) Check(ctx context.Context) error {
	placeholder := graph{cell{private: true}}
	if err := c.run(&state{g: placeholder, frames: []frame{newFrame(c.maker)}, moved: true}); err != nil {
		return err
	}
	for i, v := range c.views {
		if i%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.follow(v); err != nil {
			return err
		}
	}
	for i, list := range c.alike {
		if i%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.disturb(list); err != nil {
			return err
		}
	}
	return nil
}

func newFrame(f *ir.Func) frame { return frame{fn: f, regs: make([]word, f.NumRegs)} }

// follow checks what the thread of a view may do itself.
func (c *Checker) follow(v *claim) error {
	if len(v.calls) > 0 {
		return c.run(c.stateOf(v, slices.Clone(v.g)))
	}
	for op := range c.ops {
		for _, class := range c.classes(op) {
			s := &state{g: slices.Clone(v.g), frames: []frame{newFrame(c.drivers[op])}, op: op, moved: true}
			s.top().regs[0] = ref(0, 0)
			if c.object != nil {
				s.arg = number(class)
				copy(s.top().regs[1:], c.arguments(op, s.arg))
			} else if c.ops[op].argument {
				s.arg = word{Form: certificate.Item, N: class}
				s.top().regs[1] = s.arg
			}
			if err := c.run(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// classes are those that the argument of an operation may have.
func (c *Checker) classes(op int) []certificate.Class {
	switch {
	case c.object != nil: // the numbers of all choices
		var list []certificate.Class
		for n := range 1 << len(c.object.Rules[op].Args) {
			list = append(list, certificate.Class(n))
		}
		return list
	case !c.ops[op].argument:
		return []certificate.Class{0}
	case c.ordered:
		return []certificate.Class{certificate.Below, certificate.Equal, certificate.Above}
	}
	return []certificate.Class{certificate.Equal, certificate.Above}
}

// stateOf is the state of a view with another memory, in which its nodes have their numbers.
func (c *Checker) stateOf(v *claim, g graph) *state {
	s := &state{g: g, op: v.op, arg: v.arg, saw: v.saw, taken: v.taken, mine: v.mine}
	for i := range v.calls {
		x := &v.calls[i]
		f := frame{fn: c.prog.Funcs[x.Func], pc: x.PC}
		f.regs = slices.Repeat([]word{lost}, f.fn.NumRegs)
		for _, r := range x.Regs {
			f.regs[r.Reg] = r.Word
		}
		for _, d := range x.Deferred {
			f.deferred = append(f.deferred, deferred{c.prog.Calls[d.Call], d.Words})
		}
		s.frames = append(s.frames, f)
	}
	return s
}

// group are views with one graph.
type group struct {
	views []*claim
	named []goal // the nodes to which a register of one of them leads, each as itself
}

// disturb checks what the claimed writes of other threads make of views.
func (c *Checker) disturb(views *group) error {
	old := views.views[0].g
	for i := range c.effects {
		err := c.meet(old, &c.effects[i], func(g graph, w *write) error {
			if w.at == lost {
				return nil // who does not write does not see what is written
			}
			for _, v := range views.views {
				if err := c.raceless(v, w); err != nil {
					return err
				}
			}
			c.after(g, w)
			if !c.puts(w) && c.covers(old, g, views.named) {
				return nil // all of these views are claimed, and what they remember stays true
			}
			for _, v := range views.views {
				s := c.stateOf(v, g)
				c.notice(s, c.puts(w))
				if c.atSettled(s) { // nobody else changes any more what it is about to see
					s.moved = true
					if err := c.run(s); err != nil {
						return err
					}
				} else if err := c.claimed(s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// raceless says that the access before which the thread of a view stands is no race with a write.
func (c *Checker) raceless(v *claim, w *write) error {
	r := &v.access
	if w.lock != "" || !r.at.IsRef() || !r.bare && !w.plain {
		return nil
	}
	if r.at.N == w.at.N && int(r.at.Off) < int(w.at.Off)+len(w.words) && int(w.at.Off) < int(r.at.Off)+r.words {
		return c.reject(c.stateOf(v, v.g), "an access may race with a write of another thread")
	}
	return nil
}

// claimed says that a state is one of those that some view stands for.
func (c *Checker) claimed(s *state) error {
	if p := c.points[string(c.place(s))]; p != nil {
		whole := string(c.encode(s, p.regs))
		if p.found[whole] {
			return nil
		}
		for _, list := range [][]*claim{p.views[string(c.look(s, p.views[""][0]))], p.views[""]} {
			for _, v := range list {
				if c.standsFor(v, s) {
					p.found[whole] = true
					return nil
				}
			}
		}
	}
	if len(s.frames) == 0 {
		return &Rejection{What: "no view stands for what a thread may see that calls nothing"}
	}
	return c.reject(s, "no view stands for what a thread in %s may see", c.ops[s.op].name)
}

// standsFor says whether a view at the place of a state stands for it.
func (c *Checker) standsFor(v *claim, s *state) bool {
	const exact = changed | announced | offers
	return v.saw&^s.saw == 0 && v.saw&exact == s.saw&exact && c.pair(v, s) && c.covers(v.g, s.g, c.pairs)
}

// pair notes the words that must agree if a view stands for a state; false if they do not.
func (c *Checker) pair(v *claim, s *state) bool {
	c.pairs = c.pairs[:0]
	if v.saw&announced != 0 && !c.agree(v.mine, s.mine) {
		return false
	}
	for i := range v.calls {
		f := &s.frames[i]
		for _, r := range v.calls[i].Regs {
			if !c.agree(r.Word, f.regs[r.Reg]) {
				return false
			}
		}
		for k, d := range v.calls[i].Deferred {
			for at, w := range d.Words {
				if !c.agree(w, f.deferred[k].words[at]) {
					return false
				}
			}
		}
	}
	return true
}

func (c *Checker) agree(claim, real word) bool {
	if !claim.IsRef() || !real.IsRef() {
		return !claim.IsRef() && !real.IsRef() && within(claim, real)
	}
	c.pairs = append(c.pairs, goal{claim: claim, real: real})
	return claim.Off == real.Off
}

// effectClaimed says that a write in a memory is one of the claimed ones.
func (c *Checker) effectClaimed(s *state, before graph, w *write) error {
	for i := range c.effects {
		e := &c.effects[i]
		if e.plain != w.plain || e.lock != w.lock || len(e.words) != len(w.words) {
			continue
		}
		pairs := []goal{{claim: e.at, real: w.at}}
		for k := range w.words {
			pairs = append(pairs, goal{claim: e.words[k], real: w.words[k]})
		}
		if c.covers(e.g, before, pairs) {
			return nil
		}
	}
	return c.reject(s, "the certificate does not have this write")
}

// Claims says whether the certificate claims everything that a view stands for, which need
// not be one of its own. An error says that the view makes no sense.
func (c *Checker) Claims(v *certificate.View) (bool, error) {
	words, err := c.wordsOf(v)
	if err != nil {
		return false, err
	}
	g, err := c.load(v.Heap, words)
	if err != nil {
		return false, err
	}
	n := &claim{g: g, calls: v.Calls, op: v.Op, arg: v.Arg, taken: v.Taken, mine: mineOf(v)}
	for _, name := range v.Saw {
		n.saw |= flags[name]
	}
	return c.claimed(c.stateOf(n, g)) == nil, nil
}
