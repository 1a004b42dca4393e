// SPDX-License-Identifier: BSD-3-Clause

// Package checker decides whether a certificate holds: whether what it claims that the threads of a collection may see is true, and implies
// that the collection is correct.
//
// It takes a certificate and the compiled collection, and trusts nothing in the certificate. It checks that a new collection is claimed;
// that every call from every claimed view of an idle thread, and every step of every claimed view, leads to claimed views and writes only
// as claimed; that every claimed write of another thread leads from every claimed view to claimed ones; and that the content changes as the
// operations say. doc/proofs.md explains why this suffices.
//
// It is a second opinion, written to be read: it knows the instructions (package ir) and the oracle's roles, and shares with the prover
// neither the execution of instructions nor the merging of views nor a canonical form: a memory is claimed if it can be embedded into a
// view. The certificate says into which and how, and the checker compares (fits.go); only when a certificate is written does it search
// (search.go). It does not look for invariants, and does not say what is missing in one that does not hold.
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
	prog   *ir.Program
	maker  *ir.Func // the constructor
	ops    []operation
	kindOf oracle.Kind

	ordered bool // items have the classes <k, =k and >k, see certificate.Head.Ordered
	content certificate.Content
	object  *certificate.Object // set if the collection is an object of registers
	types   []layout            // by number of the type
	kinds   []kind              // of cells in chains, by number
	// instructions before which a step may end although the access is settled
	pauses  []certificate.Pause
	effects []effect
	views   []*claim
	alike   []*group // the views by memory
	fit     fits

	watch *watch // nil: progress is not looked at

	work []*state // states of the step that is being executed, not yet finished
	// buffers, used again
	key   []byte
	embed embedding
	spare []*joint
	pairs []goal
}

// effect is a claimed write.
type effect struct {
	g graph
	write
	shifted []*effect // by n: the effect with its nodes renumbered from n on
}

// claim is a claimed view, in the words of certificate.View.
type claim struct {
	g     graph
	calls []certificate.Call
	op    int
	arg   word
	saw   seen
	taken word
	mine  word   // the cell with the descriptor of an operation that is announced
	place string // see placeOf

	number, at int // its own number, and that of its place, if progress is looked at

	access reach // the access that the thread is about to make; its address is no reference if there is none
}

// Check checks that the claims are true and imply that the collection is correct. The error is a *file.Rejection if
// the certificate does not hold; any other error says why it cannot be checked.
func (c *Checker) Check(ctx context.Context) error {
	err := c.fitting(ctx)
	if err == nil && c.watch != nil {
		if err = c.splitViews(ctx, c.watch.claim.Split); err == nil {
			if no := c.watch.claim.Check(c.watch.g); no != nil {
				err = &Rejection{What: no.Error()}
			}
		}
	}
	return err
}

// fitting checks all claims but those of the ranking, by the fits of the certificate.
func (c *Checker) fitting(ctx context.Context) error {
	all := c.fit.given
	given := all
	err := c.each(ctx, func(check func() error) error {
		if len(given) == 0 {
			return &Rejection{What: "it has fewer fits than there are checks: prove it again"}
		}
		c.fit = fits{given: all, list: given[0]}
		given = given[1:]
		err := check()
		if err == nil && c.fit.at < len(c.fit.list) {
			err = &Rejection{What: "it says how more fits than there is"}
		}
		return err
	})
	if err == nil && len(given) > 0 {
		err = &Rejection{What: "it says how more fits than there is"}
	}
	return err
}

// each calls pass with every check that reads a list of fits of its own, in the order of the certificate: the constructor, the step of each
// view's thread, and the writes of other threads in each memory.
func (c *Checker) each(ctx context.Context, pass func(check func() error) error) error {
	list := []func() error{func() error {
		return c.run(&state{g: graph{cell{private: true}}, frames: []frame{newFrame(c.maker)}, moved: true})
	}}
	for _, v := range c.views {
		list = append(list, func() error { return c.follow(v) })
	}
	for _, views := range c.alike {
		list = append(list, func() error { return c.disturb(views) })
	}
	for _, check := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := pass(check); err != nil {
			return err
		}
	}
	return nil
}

func newFrame(f *ir.Func) frame { return frame{fn: f, regs: make([]word, f.NumRegs)} }

// follow checks what the thread of a view may do by itself: its step, or every call if it is idle.
func (c *Checker) follow(v *claim) error {
	c.watch.begin(v, false, false)
	defer c.watch.begin(nil, false, false)
	if len(v.calls) > 0 {
		return c.run(c.stateOf(v, slices.Clone(v.g)))
	}
	for op := range c.ops {
		for _, class := range c.classes(op) {
			s := &state{g: slices.Clone(v.g), frames: []frame{newFrame(c.ops[op].driver)}, op: op, moved: true}
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

// classes lists the classes that the argument of an operation may have; for objects, the numbers of the choices of classes for its
// arguments.
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

// stateOf is the state of a view's thread in memory g, whose nodes are numbered as in the view.
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

// group contains the views with one memory.
type group struct {
	views []*claim
	named []goal // a pair of each node to which a register of some view leads and the node itself
}

// disturb checks that the claimed writes of other threads lead from the views of a group to claimed views, and do not race with the
// threads' next accesses.
func (c *Checker) disturb(views *group) error {
	old := views.views[0].g
	for i := range c.effects {
		err := c.meet(old, &c.effects[i], func(g graph, w *write) error {
			if w.at == lost {
				return nil // the write is to a cell that this thread does not know
			}
			for _, v := range views.views {
				if err := c.raceless(v, w); err != nil {
					return err
				}
			}
			c.after(g, w)
			if !c.puts(w) && c.fit.one(func() bool { return c.covers(old, g, views.named) }) {
				return nil // the memory is still the claimed one, and what the views remember stays true
			}
			for _, v := range views.views {
				s := c.stateOf(v, g)
				c.notice(s, c.puts(w))
				c.watch.begin(v, true, false)
				if c.atSettled(s) { // others do not change any more what it is about to read, so its step goes on
					s.moved = true
					if err := c.run(s); err != nil {
						return err
					}
				} else {
					c.watch.begin(v, true, true)
					if err := c.claimed(s); err != nil {
						return err
					}
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

// raceless rejects a view whose thread is about to make an access that races with a write of another thread: both access one word, and at
// least one is not atomic.
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
