// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"maps"
	"slices"

	"pangolin/internal/ir"
)

// thread is what a thread knows. Variables are those of its bounds; shared has the ones of the shared variables, which change when these do.
type thread struct {
	bounds
	op      int // the operation; -1: it executes the constructor
	did     did
	empty   bool
	shared  []int
	since   int     // of a Put; else -1
	offers  [][]int // of each the variables of its since and of its numbers
	private []object
	own     handing
	calls   []call
	over    bool // the call has ended
}

// did is what a call has done that counts: the variable of a position, or the number of an offer, is n.
type did struct {
	sort doing
	n    int
}

type doing uint8

const (
	nothing doing = iota
	linked
	handed
	tookCell
	tookOffer
)

// handing is the offer of a Put: which private cell is in which slot, and whether it was taken. cell is -1 if there is none. Of one that was taken nothing is kept
// if Takes may leave nil behind: then the slot is anybody's.
type handing struct {
	cell, slot int
	met        bool
}

// none is the handing of a thread that has no offer in a slot.
var none = handing{cell: -1, slot: -1}

// object is a cell of the thread's own that is not in the chain.
type object struct {
	words    []word
	shown    bool
	elements bool     // the constructor has made a slice of it
	typ      *ir.Type // where the constructor is executed
}

// call is a call in progress.
type call struct {
	fn   *ir.Func
	pc   int
	regs map[ir.Reg]word // those of which something is known
}

func (t *thread) clone() *thread {
	out := *t
	out.bounds = t.bounds.clone()
	out.shared, out.offers = slices.Clone(t.shared), slices.Clone(t.offers)
	out.private, out.calls = slices.Clone(t.private), slices.Clone(t.calls)
	for i := range out.private {
		out.private[i].words = slices.Clone(out.private[i].words)
	}
	for i := range out.calls {
		out.calls[i].regs = maps.Clone(out.calls[i].regs)
	}
	return &out
}

// rename changes words of registers, and of private cells.
func (t *thread) rename(to func(word) word) {
	for _, f := range t.calls {
		for r, w := range f.regs {
			f.regs[r] = to(w)
		}
	}
	for _, x := range t.private {
		for i, w := range x.words {
			x.words[i] = to(w)
		}
	}
}

// The shared variables behind those of the fingers.
func (c *checker) end() int      { return len(c.x.Head.Fingers) }
func (c *checker) returned() int { return len(c.x.Head.Fingers) + 1 }
func (c *checker) shared() int   { return len(c.x.Head.Fingers) + 2 }

// at is a shared variable as a term.
func (t *thread) at(shared int) term { return term{t.shared[shared], 0} }

// fresh makes the shared variables of a thread that knows nothing but what holds at all times.
func (c *checker) fresh(z *bounds) (shared []int) {
	for range c.shared() {
		shared = append(shared, z.fresh())
	}
	for _, b := range c.x.Head.Bounds {
		z.learn(term{shared[b[0]], 0}, term{shared[b[1]], 0}, b[2])
	}
	return shared
}

// later makes the shared variables anew as they may be when others have moved: none has become less, and what holds at all times holds.
func (c *checker) later(z *bounds, shared []int) []int {
	out := c.fresh(z)
	for i, v := range shared {
		z.learn(term{v, 0}, term{out[i], 0}, 0)
	}
	return out
}

// keeps is an error unless the shared variables are as they have to be at all times.
func (c *checker) keeps(t *thread) error {
	for _, b := range c.x.Head.Bounds {
		if !t.certain(t.at(b[0]), t.at(b[1]), b[2]) {
			return c.reject(t, "the bound %v may not hold behind this", b)
		}
	}
	return nil
}

// sure is errElse if what was chosen contradicts what is known.
func (t *thread) sure() error {
	if !t.possible() {
		return errElse
	}
	return nil
}
