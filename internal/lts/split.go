// SPDX-License-Identifier: BSD-3-Clause

package lts

// Splitting of blocks; see refine.go.

// side is what a split has found out of a state.
type side uint8

const (
	unknown side = iota
	reaches      // it can reach the splitter by inert steps
	avoids       // it cannot
	counted      // some of its inert steps lead to states that avoid the splitter
)

// splitter is what splits use again and again.
type splitter struct {
	side    []side  // of a state
	left    []int32 // of a counted state: inert steps that have not been seen to avoid
	red     []State // that reach
	blue    []State // that avoid
	counted []State
	touched []int32
	fresh   []int32 // transitions that are not inert any more
}

func (s *splitter) init(states int) {
	s.side = make([]side, states)
	s.left = make([]int32, states)
}

// stabilise splits blocks until all are stable under all bunches.
func (r *refinement) stabilise() {
	for i := 0; i < len(r.pending); i++ {
		if p := r.pending[i]; r.pieces[p].pending {
			r.pieces[p].pending = false
			r.splitBy(p)
		}
	}
	r.pending = r.pending[:0]
}

// splitBy splits a block by one of its slices. Of the slice of what is left of a bunch, only
// the part of those states that reach the small part may still be unstable.
func (r *refinement) splitBy(p int32) {
	rest := r.pieces[p].rest
	r.pieces[p].rest = -1
	cut, ok := r.split(p)
	if !ok {
		return
	}
	if rest >= 0 {
		if stable := cut.part(rest, avoids); stable >= 0 {
			r.pieces[stable].pending = false
		}
	}
	if len(r.splitter.fresh) > 0 {
		r.settle(cut)
	}
}

// settle deals with inert steps that a split has made visible: from the red block into the blue
// one. They are a bunch. States of which no inert step is left are bottom states that no
// bunch has split by; those that reach them are split off, and tried with every bunch.
func (r *refinement) settle(cut cut) {
	first := r.visible
	b := r.newBunch(first, first)
	p := r.newPiece(piece{begin: first, marked: first, end: first, block: cut.red, bunch: b})
	example := r.splitter.fresh[0]
	r.reveal(b, p)
	r.markAll(p)
	again, ok := r.split(p)
	news := cut.red
	p = r.splitOf[example]
	if ok {
		news = again.red
		if len(r.splitter.fresh) > 0 {
			r.reveal(b, p)
		}
	}
	r.pieces[p].marked = r.pieces[p].begin
	r.examine(b)
	for q := r.blocks[news].pieces; q >= 0; q = r.pieces[q].next {
		if q != p {
			r.queue(q)
		}
	}
	n := r.blocks[news]
	for _, s := range r.order[n.begin:n.bottom] {
		for _, t := range r.outs[r.firstO[s]:r.inert[s]] {
			if r.splitOf[t] != p {
				r.mark(t)
			}
		}
	}
}

// reveal adds the steps that are not inert any more, all into one block, to a bunch and a
// block-bunch slice that end where the inert ones begin.
func (r *refinement) reveal(b, p int32) {
	a := r.newSlice(actionSlice{r.visible, r.visible, b, -1})
	for _, t := range r.splitter.fresh {
		r.swapActs(r.actAt[t], r.visible)
		r.swapSplits(r.splitAt[t], r.visible)
		r.visible++
		r.actOf[t], r.splitOf[t] = a, p
		s, d := r.src[t], r.dst[t]
		r.inertI[d]--
		r.swapIns(r.inAt[t], r.inertI[d])
		at := r.inert[s]
		r.swapOuts(r.outAt[t], at)
		r.inert[s]++
		r.outOf[t] = r.groupAt(s, at, p)
		if r.isBottom(s) {
			k := &r.blocks[r.block[s]]
			r.swapStates(r.place[s], k.bottom)
			k.bottom++
		}
	}
	r.slices[a].end = r.visible
	r.bunches[b].end = r.visible
	r.pieces[p].end = r.visible
	r.splitter.fresh = r.splitter.fresh[:0]
}

// groupAt puts a place in outs into the group before it, if that is in the same slice, or into
// one of its own.
func (r *refinement) groupAt(s State, at, p int32) int32 {
	if at > r.firstO[s] {
		if t := r.outs[at-1]; r.splitOf[t] == p {
			r.groups[r.outOf[t]].end++
			return r.outOf[t]
		}
	}
	return r.newGroup(at)
}

func (r *refinement) newSlice(a actionSlice) int32 {
	if n := len(r.freeSlices); n > 0 {
		i := r.freeSlices[n-1]
		r.freeSlices = r.freeSlices[:n-1]
		r.slices[i] = a
		return i
	}
	r.slices = append(r.slices, a)
	return int32(len(r.slices) - 1)
}

// cut is a block that has been split in two.
type cut struct {
	red, blue int32 // blocks: of the states that reach the splitter, and of the others
	moved     side  // which of them is the new one
	parts     []part
	pieces    []piece
}

// part says that what the new block has of a slice is another slice.
type part struct{ old, moved int32 }

// part gives the slice that a side has of what was one; -1: none.
func (c *cut) part(p int32, s side) int32 {
	for _, x := range c.parts {
		if x.old != p {
			continue
		}
		if s == c.moved {
			return x.moved
		}
		if c.pieces[p].begin == c.pieces[p].end {
			return -1
		}
		return p
	}
	if s == c.moved {
		return -1
	}
	return p
}

// split splits the block of a slice into the states that reach a transition of the slice by
// inert steps and those that do not. Splitter.fresh is then the steps from the former to the
// latter. Marks are taken away. Not ok: all states reach one.
func (r *refinement) split(p int32) (cut, bool) {
	b := r.pieces[p].block
	found := r.halve(p)
	r.pieces[p].marked = r.pieces[p].begin
	list := r.splitter.red
	if found == avoids {
		list = r.splitter.blue
	}
	ok := found != unknown
	c := cut{moved: found}
	if ok {
		n := r.moveStates(b, list)
		c.parts = r.movePieces(n, list)
		c.pieces = r.pieces
		r.moveActions(list)
		c.red, c.blue = n, b
		if found == avoids {
			c.red, c.blue = b, n
		}
		r.findFresh(b, list, found)
	}
	r.forget()
	return c, ok
}

// forget makes the splitter ready for another split.
func (r *refinement) forget() {
	s := &r.splitter
	for _, list := range [][]State{s.red, s.blue, s.counted} {
		for _, x := range list {
			s.side[x] = unknown
		}
	}
	s.red, s.blue, s.counted = s.red[:0], s.blue[:0], s.counted[:0]
}

// halve finds the smaller side of a block, which is in splitter.red or .blue then; unknown:
// no state avoids the slice. Both sides are looked for in turns, one step each, and a side with more than
// half of the states is given up.
func (r *refinement) halve(p int32) side {
	b := &r.blocks[r.pieces[p].block]
	half := int(b.end-b.begin) / 2
	if half == 0 {
		return unknown
	}
	red, blue := newReds(r, p), newBlues(r, p)
	for {
		if len(r.splitter.red) <= half && !red.step() {
			return reaches
		}
		if len(r.splitter.blue) <= half && !blue.step() {
			if len(r.splitter.blue) == 0 {
				return unknown
			}
			return avoids
		}
	}
}

// reds looks for the states that reach a slice.
type reds struct {
	r        *refinement
	next     int32 // of the slice's transitions
	end      int32
	at       int   // in splitter.red
	edge, to int32 // of the state at which it is
}

// newReds begins with the sources of the marked transitions.
func newReds(r *refinement, p int32) reds {
	q := r.pieces[p]
	x := reds{r: r, next: q.marked, end: q.end, at: -1}
	for _, t := range r.splits[q.begin:q.marked] {
		x.add(r.src[t])
	}
	return x
}

func (x *reds) add(s State) {
	if sp := &x.r.splitter; sp.side[s] != reaches {
		sp.side[s] = reaches
		sp.red = append(sp.red, s)
	}
}

// step does a bit of the work; false: there is none left.
func (x *reds) step() bool {
	r := x.r
	switch {
	case x.next < x.end:
		x.add(r.src[r.splits[x.next]])
		x.next++
	case x.edge < x.to:
		x.add(r.src[r.ins[x.edge]])
		x.edge++
	case x.at+1 < len(r.splitter.red):
		x.at++
		s := r.splitter.red[x.at]
		x.edge, x.to = r.firstI[s], r.inertI[s]
	default:
		return false
	}
	return true
}

// blues looks for the states that avoid a slice: bottom states without a marked transition,
// and those whose inert steps all lead to such, and that have no transition in it
// themselves.
type blues struct {
	r           *refinement
	piece       int32
	bottom, all int32 // in order
	at          int   // in splitter.blue
	edge, to    int32 // of the state at which it is
	checked     State // whose transitions are looked through
	check, last int32 // in outs
}

func newBlues(r *refinement, p int32) blues {
	b := &r.blocks[r.pieces[p].block]
	return blues{r: r, piece: p, bottom: b.begin, all: b.bottom, at: -1, checked: -1}
}

func (x *blues) step() bool {
	r, sp := x.r, &x.r.splitter
	switch {
	case x.bottom < x.all:
		s := r.order[x.bottom]
		x.bottom++
		if sp.side[s] != reaches {
			x.add(s)
		}
	case x.checked >= 0:
		x.look()
	case x.edge < x.to:
		x.count(r.src[r.ins[x.edge]])
		x.edge++
	case x.at+1 < len(sp.blue):
		x.at++
		s := sp.blue[x.at]
		x.edge, x.to = r.firstI[s], r.inertI[s]
	default:
		return false
	}
	return true
}

func (x *blues) add(s State) {
	sp := &x.r.splitter
	sp.side[s] = avoids
	sp.blue = append(sp.blue, s)
}

// count notes that an inert step of a state leads to one that avoids the slice.
func (x *blues) count(s State) {
	r, sp := x.r, &x.r.splitter
	switch sp.side[s] {
	case reaches:
		return
	case unknown:
		sp.side[s] = counted
		sp.counted = append(sp.counted, s)
		sp.left[s] = r.firstO[s+1] - r.inert[s]
	}
	sp.left[s]--
	if sp.left[s] == 0 {
		x.checked, x.check, x.last = s, r.firstO[s], r.inert[s]
	}
}

// look looks whether one group of the checked state is in the slice.
func (x *blues) look() {
	r := x.r
	if x.check == x.last {
		x.add(x.checked)
		x.checked = -1
		return
	}
	t := r.outs[x.check]
	if r.splitOf[t] == x.piece {
		x.checked = -1
		return
	}
	x.check = r.groups[r.outOf[t]].end
}

// moveStates makes a new block of some states of a block.
func (r *refinement) moveStates(b int32, list []State) int32 {
	n := int32(len(r.blocks))
	old := &r.blocks[b]
	end := old.end
	for _, s := range list {
		at := r.place[s]
		if at < old.bottom {
			old.bottom--
			r.swapStates(at, old.bottom)
			at = old.bottom
		}
		old.end--
		r.swapStates(at, old.end)
		r.block[s] = n
	}
	k := block{old.end, old.end, end, -1}
	for i := k.begin; i < k.end; i++ {
		if r.isBottom(r.order[i]) {
			r.swapStates(i, k.bottom)
			k.bottom++
		}
	}
	r.blocks = append(r.blocks, k)
	return n
}

// movePieces gives a new block slices of its own.
func (r *refinement) movePieces(b int32, list []State) []part {
	touched := r.splitter.touched[:0]
	for _, s := range list {
		for _, t := range r.outs[r.firstO[s]:r.inert[s]] {
			p := &r.pieces[r.splitOf[t]]
			if p.moved < 0 {
				touched = append(touched, r.splitOf[t])
			}
			r.movePiece(t, p.bunch, b)
		}
	}
	parts := make([]part, 0, len(touched))
	for _, p := range touched {
		old := &r.pieces[p]
		q := old.moved
		old.moved = -1
		parts = append(parts, part{p, q})
		if old.pending {
			r.queue(q)
		}
		if old.begin == old.end {
			r.unlink(p)
		}
	}
	r.splitter.touched = touched[:0]
	return parts
}

// moveActions gives the transitions into the states of a new block action-block slices of
// their own.
func (r *refinement) moveActions(list []State) {
	touched := r.splitter.touched[:0]
	for _, s := range list {
		for _, t := range r.ins[r.inertI[s]:r.firstI[s+1]] {
			if r.slices[r.actOf[t]].moved < 0 {
				touched = append(touched, r.actOf[t])
			}
			r.moveAction(t)
		}
	}
	for _, a := range touched {
		old := &r.slices[a]
		old.moved = -1
		r.examine(old.bunch)
		if old.begin == old.end {
			r.freeSlices = append(r.freeSlices, a)
		}
	}
	r.splitter.touched = touched[:0]
}

func (r *refinement) moveAction(t int32) {
	a := r.actOf[t]
	to := r.slices[a].moved
	if to < 0 {
		end := r.slices[a].end
		to = r.newSlice(actionSlice{end, end, r.slices[a].bunch, -1})
		r.slices[a].moved = to
	}
	old := &r.slices[a]
	old.end--
	r.swapActs(r.actAt[t], old.end)
	r.slices[to].begin = old.end
	r.actOf[t] = to
}

// findFresh finds the steps that lead from the side that reaches to the one that avoids;
// they were inert. List is the states that have been moved out of block b.
func (r *refinement) findFresh(b int32, list []State, moved side) {
	fresh := r.splitter.fresh[:0]
	for _, s := range list {
		if moved == reaches {
			for _, t := range r.outs[r.inert[s]:r.firstO[s+1]] {
				if r.block[r.dst[t]] == b {
					fresh = append(fresh, t)
				}
			}
			continue
		}
		for _, t := range r.ins[r.firstI[s]:r.inertI[s]] {
			if r.block[r.src[t]] == b {
				fresh = append(fresh, t)
			}
		}
	}
	r.splitter.fresh = fresh
}
