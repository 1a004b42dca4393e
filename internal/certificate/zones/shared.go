// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"slices"

	"pangolin/internal/ir"
)

// access executes an atomic access that others can see.
func (c *checker) access(t *thread, f *call, in *ir.Instr, a word) error {
	if t.constructing() {
		return c.reject(t, "the constructor accesses what it has not made")
	}
	switch a.sort {
	case root:
		if i, is := c.made.fingers[a.n]; is {
			return c.finger(t, f, in, i)
		}
		if i, is := c.made.slots[place{a.n, -1}]; is {
			return c.slot(t, f, in, i)
		}
		if c.made.kinds[a.n] == ir.Scalar && !c.made.headers[a.n] {
			return c.counter(t, f, in, a.n)
		}
	case element:
		if i, is := c.made.slots[place{a.n, a.m}]; is {
			return c.slot(t, f, in, i)
		}
	case cell:
		if a.m == c.x.Head.Next {
			return c.link(t, f, in, a.n)
		}
	}
	return c.reject(t, "an atomic access to what is no finger, no link, no slot and no number of the collection")
}

// counter executes an atomic access to a number of the collection. Nothing is known of it.
func (c *checker) counter(t *thread, f *call, in *ir.Instr, w int) error {
	c.reads[atomically][w] = true
	operands := []ir.Reg{in.B, in.C}
	switch in.Op {
	case ir.OpAtomicLoad:
		operands = nil
	case ir.OpAtomicStore, ir.OpAtomicAdd:
		operands = operands[:1]
	}
	for _, r := range operands {
		v, err := c.value(t, f, r)
		if err != nil {
			return err
		}
		if !v.isNumber() {
			return c.reject(t, "a number of the collection is given an item or an address")
		}
	}
	switch in.Op {
	case ir.OpAtomicLoad, ir.OpAtomicAdd:
		f.regs[in.Dst] = word{sort: unknown}
	case ir.OpAtomicCAS:
		f.regs[in.Dst] = flag(c.either())
	}
	return nil
}

// finger executes an access to finger i.
func (c *checker) finger(t *thread, f *call, in *ir.Instr, i int) error {
	switch in.Op {
	case ir.OpAtomicLoad:
		v := t.fresh()
		t.learnSame(term{v, 0}, t.at(i), 0)
		f.regs[in.Dst] = word{sort: cell, n: v}
		return nil
	case ir.OpAtomicStore:
		to, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		if i == 0 || to.sort != cell || to.m != 0 || !t.certain(t.at(i), to.position(), 0) {
			return c.reject(t, "a store may move a finger back, or it moves the front, or it leads to no cell of the chain")
		}
		t.shared[i] = to.n
		return c.keeps(t)
	case ir.OpAtomicCAS:
		return c.moves(t, f, in, i)
	}
	return c.reject(t, "%s of a finger is not modelled", in.Op)
}

// moves executes a compare-and-swap of finger i.
func (c *checker) moves(t *thread, f *call, in *ir.Instr, i int) error {
	from, err := c.value(t, f, in.B)
	if err != nil {
		return err
	}
	to, err := c.value(t, f, in.C)
	if err != nil {
		return err
	}
	if from.sort != cell || from.m != 0 {
		return c.reject(t, "a finger is compared with what is no cell of the chain")
	}
	yes := c.either()
	f.regs[in.Dst] = flag(yes)
	if !yes {
		if t.certain(from.position(), t.at(i), 0) {
			t.learn(from.position(), t.at(i), -1)
		}
		return t.sure()
	}
	t.learnSame(from.position(), t.at(i), 0)
	if err := t.sure(); err != nil {
		return err
	}
	if to.sort != cell || to.m != 0 {
		return c.reject(t, "a finger may be given what is no cell of the chain")
	}
	switch {
	case i > 0:
		if !t.certain(from.position(), to.position(), 0) {
			return c.reject(t, "a finger may move back")
		}
	case c.puts(t) || t.did.sort != nothing:
		return c.reject(t, "the front is moved by a Put, or by a Take that has taken an item")
	case !t.certainlySame(to.position(), from.position(), 1):
		return c.reject(t, "the front may move to another cell than the next one")
	default:
		t.did = did{tookCell, to.n}
	}
	t.shared[i] = to.n
	return c.keeps(t)
}

// link executes an access to the link of the cell whose position a variable has.
func (c *checker) link(t *thread, f *call, in *ir.Instr, p int) error {
	at := term{p, 0}
	switch in.Op {
	case ir.OpAtomicLoad:
		if c.either() {
			t.learnSame(at, t.at(c.end()), 0)
			f.regs[in.Dst] = word{}
			return t.sure()
		}
		next := term{t.fresh(), 0}
		t.learnSame(next, at, 1)
		t.learn(next, t.at(c.end()), 0)
		f.regs[in.Dst] = word{sort: cell, n: next.v}
		return t.sure()
	case ir.OpAtomicCAS:
	default:
		return c.reject(t, "%s of a link is not modelled", in.Op)
	}
	from, err := c.value(t, f, in.B)
	if err != nil {
		return err
	}
	to, err := c.value(t, f, in.C)
	if err != nil {
		return err
	}
	if from != (word{}) {
		return c.reject(t, "a link is compared with something else than nil")
	}
	yes := c.either()
	f.regs[in.Dst] = flag(yes)
	if !yes {
		t.learn(at, t.at(c.end()), -1)
		return t.sure()
	}
	t.learnSame(at, t.at(c.end()), 0)
	if err := t.sure(); err != nil {
		return err
	}
	return c.linksIn(t, at, to)
}

// linksIn links a cell to the last one, whose position is last.
func (c *checker) linksIn(t *thread, last term, w word) error {
	h := &c.x.Head
	if !c.puts(t) || t.did.sort != nothing || t.own.cell >= 0 {
		return c.reject(t, "a cell is linked in by a Take, or by a Put that has linked in or handed over its item, or offers it")
	}
	if w.sort != private || w.m != 0 || len(t.private[w.n].words) != len(h.Words) {
		return c.reject(t, "something else is linked in than a new cell")
	}
	x := t.private[w.n]
	position := term{t.fresh(), 0}
	t.learnSame(position, last, 1)
	for i, is := range h.Words {
		v, right := x.words[i], true
		if n, item := followed(is, "item"); item {
			right = v == word{sort: itemOwn, m: n}
		}
		switch is {
		case "number":
			right = v.sort == variable && t.certainlySame(v.position(), position, 0)
		case "next":
			right = v == word{} && !(x.shown && c.readByOthers(len(x.words), i))
		}
		if !right {
			return c.reject(t, "word %d of a cell that is linked in may not be what the head says (%s), or others may read it as a part of an offer", i, is)
		}
	}
	t.private[w.n] = object{} // no word leads to it
	t.rename(func(r word) word {
		if r.sort == private && r.n == w.n {
			r = word{sort: cell, n: position.v, m: r.m}
		}
		return r
	})
	t.did = did{linked, position.v}
	t.shared[c.end()] = position.v
	return c.keeps(t)
}

// slot executes an access to slot i.
func (c *checker) slot(t *thread, f *call, in *ir.Instr, i int) error {
	switch in.Op {
	case ir.OpAtomicLoad:
		w, err := c.found(t, i)
		if err != nil {
			return err
		}
		f.regs[in.Dst] = w
		return nil
	case ir.OpAtomicStore:
		w, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		if w != (word{}) {
			return c.reject(t, "a store to a slot of something else than nil")
		}
		return c.clears(t, i)
	case ir.OpAtomicCAS:
	default:
		return c.reject(t, "%s of a slot is not modelled", in.Op)
	}
	from, err := c.value(t, f, in.B)
	if err != nil {
		return err
	}
	to, err := c.value(t, f, in.C)
	if err != nil {
		return err
	}
	yes := false
	switch {
	case from == word{}:
		yes, err = c.makesOffer(t, i, to)
	case from.sort == private && from.m == 0:
		yes, err = c.takesBack(t, i, from.n, to)
	case from.sort == offer && from.k == 0 && from.m == 0:
		yes, err = c.takes(t, from.n, to)
	case from.sort == constant && slices.Contains(c.made.left, from):
		if to != (word{}) || !c.metAt(t, i) {
			return c.reject(t, "what a Take has left in a slot is replaced by something else than nil, or by a thread whose offer was not taken there")
		}
		if yes = len(c.made.left) == 1 || c.either(); yes {
			err = c.clears(t, i)
		}
	default:
		return c.reject(t, "a slot is compared with what never stands in one")
	}
	f.regs[in.Dst] = flag(yes)
	return err
}

// leavesNil says whether a Take may leave nil in a slot, which is anybody's then.
func (c *checker) leavesNil() bool { return slices.Contains(c.made.left, word{}) }

// metAt says whether it is known that the thread's offer was taken that was in slot i, and that there is still what a Take has left.
func (c *checker) metAt(t *thread, i int) bool {
	return t.own.cell >= 0 && t.own.met && t.own.slot == i && !c.leavesNil()
}

// found chooses what a load of slot i gives.
func (c *checker) found(t *thread, i int) (word, error) {
	switch own := t.own; {
	case own.cell < 0 || own.slot != i:
		return c.others(t)
	case own.met:
		return c.someLeft()
	case c.either():
		return word{sort: private, n: own.cell}, nil
	}
	c.meets(t)
	if c.leavesNil() {
		return c.others(t)
	}
	return c.someLeft()
}

// meets notes that the thread's offer was taken. Where Takes may leave nil the slot is anybody's from then on.
func (c *checker) meets(t *thread) {
	t.did = did{sort: handed}
	if t.own.met = true; c.leavesNil() {
		t.own = none
	}
}

// someLeft chooses one of what Takes leave.
func (c *checker) someLeft() (word, error) {
	if len(c.made.left) == 0 {
		return word{}, errElse // no Take takes an offer
	}
	return c.made.left[c.choose(len(c.made.left))], nil
}

// others chooses what a thread finds in a slot in which it has no offer: nil, what a Take has left, or the offer of another thread.
func (c *checker) others(t *thread) (word, error) {
	list := []word{{}}
	for _, w := range c.made.left {
		if w != (word{}) {
			list = append(list, w)
		}
	}
	if len(c.made.offered) == 0 {
		return list[c.choose(len(list))], nil // nobody makes an offer
	}
	k := c.choose(len(list) + 1)
	if k < len(list) {
		return list[k], nil
	}
	var vars []int
	for range 1 + c.numbers {
		vars = append(vars, t.fresh())
	}
	t.add(c.x.Head.Offered, slices.Concat(t.shared, vars))
	t.offers = append(t.offers, vars)
	return word{sort: offer, n: len(t.offers) - 1}, t.sure()
}

// clears writes nil to slot i.
func (c *checker) clears(t *thread, i int) error {
	if !c.metAt(t, i) {
		return c.reject(t, "a slot is cleared by a thread whose offer was not taken there")
	}
	t.own = none
	return nil
}

// takesBack executes a compare-and-swap of slot i from a private cell: the thread's own offer if that is still there. Other private cells are in no slot.
func (c *checker) takesBack(t *thread, i, cell int, to word) (yes bool, err error) {
	if t.own.cell != cell || t.own.slot != i || t.own.met {
		return false, nil
	}
	if to != (word{}) {
		return false, c.reject(t, "an offer is replaced by something else than nil by its own thread")
	}
	if yes = c.either(); yes {
		t.own = none
	} else if len(c.made.left) == 0 {
		return false, errElse // no Take takes an offer
	} else {
		c.meets(t)
	}
	return yes, nil
}

// takes executes a compare-and-swap of a slot from an offer of another thread.
func (c *checker) takes(t *thread, offer int, to word) (bool, error) {
	if c.puts(t) || t.did.sort != nothing || !slices.Contains(c.made.left, to) {
		return false, c.reject(t, "an offer is taken by a Put, or by a Take that has taken an item, or something is left in its place that the head does not name")
	}
	if !c.either() {
		return false, nil
	}
	if !t.certain(term{t.offers[offer][0], 0}, t.at(0), 0) {
		return false, c.reject(t, "an offer may be taken while an item is to be taken whose Put had returned before that of the offer was called")
	}
	t.did = did{tookOffer, offer}
	return true, nil
}

// makesOffer executes a compare-and-swap of slot i from nil to an offer of the thread.
func (c *checker) makesOffer(t *thread, i int, to word) (bool, error) {
	if !c.puts(t) || t.did.sort != nothing || t.own.cell >= 0 {
		return false, c.reject(t, "an offer is made by a Take, or by a Put that has linked in or handed over its item, or offers it already")
	}
	if to.sort != private || to.m != 0 {
		return false, c.reject(t, "something else is offered than a new cell")
	}
	if !c.either() {
		return false, nil
	}
	return true, c.offer(t, i, to.n)
}

// offer puts a private cell into slot i, and refuses it unless it is as the head says of all offers.
func (c *checker) offer(t *thread, i, cell int) error {
	list := c.made.offered
	if len(list) == 0 {
		return c.reject(t, "an offer is made, and the head knows of none")
	}
	cells := slices.Repeat([]int{-1}, len(list))
	numbers := slices.Repeat([]term{{v: -1}}, c.numbers)
	cells[0] = cell
	for k, words := range list { // a cell is found before it is looked at: see offers in collection.go
		x := t.private[cells[k]]
		if len(x.words) != len(words) {
			return c.reject(t, "cell %d of an offer has %d words", k, len(x.words))
		}
		for at, is := range words {
			w, right := x.words[at], true
			switch is.sort {
			case itemOwn:
				right = w == is
			case variable:
				if right = w.sort == variable && (numbers[is.n].v < 0 || t.certainlySame(w.position(), numbers[is.n], 0)); right {
					numbers[is.n] = w.position()
				}
			case private:
				if right = w.sort == private && w.m == 0 && (cells[is.n] == w.n || cells[is.n] < 0 && !slices.Contains(cells, w.n)); right {
					cells[is.n] = w.n
				}
			}
			if !right {
				return c.reject(t, "word %d of cell %d of an offer may not be what the head says", at, k)
			}
		}
	}
	vars := []term{}
	for _, v := range t.shared {
		vars = append(vars, term{v, 0})
	}
	vars = append(append(vars, term{t.since, 0}), numbers...)
	for _, b := range c.x.Head.Offered {
		if !t.certain(vars[b[0]], vars[b[1]], b[2]) {
			return c.reject(t, "the bound %v of an offer may not hold", b)
		}
	}
	for _, k := range cells {
		t.private[k].shown = true
	}
	t.own = handing{cell: cell, slot: i}
	return nil
}
