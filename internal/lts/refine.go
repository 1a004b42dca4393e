// SPDX-License-Identifier: BSD-3-Clause

package lts

// This file and split.go decide branching bisimilarity in O(m log n) time, by the
// algorithm of Jansen, Groote, Keiren and Wijs (An O(m log n) algorithm for branching
// bisimilarity on labelled transition systems, TACAS 2020). Its words:
//
//	block               states that have not been told apart
//	inert               of an internal step: inside a block
//	bottom              of a state: no inert step leaves it
//	bunch               transitions that blocks cannot tell apart yet: a block of which one state
//	                    can reach a transition of a bunch by inert steps is stable under it if all can
//	action-block slice  of a bunch: the transitions with one label into one block
//	block-bunch slice   of a bunch: the transitions from one block
//
// The partition is the coarsest branching bisimulation when every bunch is one action-block
// slice and every block is stable under every bunch. Until then a bunch is divided, the
// smaller part against the rest, and blocks are split by both parts; the two halves of a
// split are looked for in turns, so that the work is that of the smaller one.
//
// Deviations from the paper: transitions of a state are grouped by bunch with a number for
// each group, not with pointers to its ends; the slices of a block are a linked list; what is
// stable already (a block all of whose transitions of the bunch are in the small part) is
// not tried.

// refinement is a partition being refined. Its system has no cycle of internal steps; if
// strong, internal steps are like any others.
type refinement struct {
	strong bool
	src    []State
	label  []Label
	dst    []State
	byBlock
	bySourceAndBunch
	byTarget
	byBunch
	byBlockAndBunch
	splitter splitter
}

// byBlock is the states by block: in each block the bottom states first.
type byBlock struct {
	order  []State
	place  []int32 // of a state in order
	block  []int32 // of a state
	blocks []block
}

// bySourceAndBunch is the transitions by source: of each state the ones that are not inert
// first, those of one bunch together.
type bySourceAndBunch struct {
	outs   []int32 // transitions
	outAt  []int32 // of a transition in outs
	outOf  []int32 // of a transition: its group; -1: inert
	groups []group
	firstO []int32 // of a state
	inert  []int32 // of a state: where its inert ones begin in outs

	freeGroups []int32 // numbers of what has become empty, to be used again
}

// byTarget is the transitions by target: of each state the inert ones first.
type byTarget struct {
	ins    []int32
	inAt   []int32
	firstI []int32 // of a state
	inertI []int32 // of a state: where its inert ones end in ins
}

// byBunch is the transitions by bunch and action-block slice; inert ones behind all of them.
type byBunch struct {
	acts     []int32
	actAt    []int32
	actOf    []int32 // of a transition: its action-block slice
	slices   []actionSlice
	bunches  []bunch
	visible  int32 // how many are not inert
	unsteady []int32
	queued   []bool // of a bunch: whether it is in unsteady

	freeSlices []int32
}

// byBlockAndBunch is the transitions by block-bunch slice, in each the marked ones first;
// inert ones last.
type byBlockAndBunch struct {
	splits  []int32
	splitAt []int32
	splitOf []int32 // of a transition: its block-bunch slice
	pieces  []piece
	pending []int32

	freePieces []int32
}

// block is places [begin, end) in order; [begin, bottom) are bottom states.
type block struct {
	begin, bottom, end int32
	pieces             int32 // first block-bunch slice; -1: none
}

// group is the transitions of one state in one bunch: [begin, end) in outs.
type group struct{ begin, end int32 }

// bunch is [begin, end) in acts.
type bunch struct{ begin, end int32 }

// actionSlice is [begin, end) in acts. Moved is the slice that takes what leaves it in the
// split in progress; -1: none.
type actionSlice struct{ begin, end, bunch, moved int32 }

// piece is a block-bunch slice: [begin, end) in splits, of which [begin, marked) are marked.
type piece struct {
	begin, marked, end int32
	block, bunch       int32
	next, prev         int32 // of the same block
	moved              int32 // takes what leaves it in the split in progress; -1: none
	rest               int32 // of the small part of a bunch: the slice of what is left; -1: none
	pending            bool
}

// classes gives the block of each state in the coarsest branching bisimulation (strong: the
// coarsest strong one) of a system without internal cycles, in which internal steps lead to states with
// smaller numbers.
func classes(s *System, strong bool) (of []int32, count int) {
	of = s.coarse(strong)
	s.splitBySketches(strong, of)
	count, done := signatures(s, strong, of, mostVisits*s.Transitions())
	if done {
		return of, count
	}
	return refined(s, strong, of)
}

// refined refines a partition between coarse and what classes gives.
func refined(s *System, strong bool, from []int32) (of []int32, count int) {
	r := newRefinement(s, strong)
	r.begin(from)
	for len(r.unsteady) > 0 {
		b := r.unsteady[len(r.unsteady)-1]
		r.unsteady = r.unsteady[:len(r.unsteady)-1]
		r.queued[b] = false
		if small := r.smallSlice(b); small >= 0 {
			r.divide(b, small)
			r.stabilise()
		}
	}
	return r.block, len(r.blocks)
}

func newRefinement(s *System, strong bool) *refinement {
	n, m := s.States(), len(s.edges)
	r := &refinement{strong: strong, src: make([]State, m), label: make([]Label, m), dst: make([]State, m)}
	r.place, r.block = make([]int32, n), make([]int32, n)
	r.outs, r.outAt, r.outOf = make([]int32, m), make([]int32, m), make([]int32, m)
	r.firstO, r.inert = make([]int32, n+1), make([]int32, n)
	r.ins, r.inAt = make([]int32, m), make([]int32, m)
	r.firstI, r.inertI = make([]int32, n+1), make([]int32, n)
	r.acts, r.actAt, r.actOf = make([]int32, m), make([]int32, m), make([]int32, m)
	r.splits, r.splitAt, r.splitOf = make([]int32, m), make([]int32, m), make([]int32, m)
	t := 0
	for i := range n {
		for _, e := range s.Edges(State(i)) {
			r.src[t], r.label[t], r.dst[t] = State(i), e.Label, e.To
			t++
		}
	}
	r.splitter.init(n)
	return r
}

// begin makes the first blocks. All transitions that are not inert are one bunch, and the blocks are
// stable under it: those from which none can be reached are apart.
func (r *refinement) begin(from []int32) {
	r.firstBlocks(from)
	r.byState(r.src, func(t int32) bool { return !r.isInert(t) }, &listing{r.firstO, r.inert, r.outs, r.outAt})
	r.byState(r.dst, r.isInert, &listing{r.firstI, r.inertI, r.ins, r.inAt})
	r.firstBunch()
	for i := range r.block {
		if !r.isBottom(State(i)) {
			continue
		}
		b := &r.blocks[r.block[i]]
		r.swapStates(r.place[i], b.bottom)
		b.bottom++
	}
}

// coarse is the partition with which all begins: states from which a transition that is not inert can
// be reached, and the others.
func (s *System) coarse(strong bool) []int32 {
	can := s.reaching(strong)
	of := make([]int32, len(can))
	for i, c := range can {
		if c != can[0] {
			of[i] = 1
		}
	}
	return of
}

// reaching says of each state whether a transition that counts can be reached from it by
// internal steps.
func (s *System) reaching(strong bool) []bool {
	n := s.States()
	can := make([]bool, n)
	before := make([]int32, n+1) // internal steps by target
	for i := range n {
		for _, e := range s.Edges(State(i)) {
			if e.Label == Tau && !strong {
				before[e.To+1]++
			} else {
				can[i] = true
			}
		}
	}
	for i := range n {
		before[i+1] += before[i]
	}
	sources := make([]State, before[n])
	next := append([]int32(nil), before[:n]...)
	for i := range n {
		for _, e := range s.Edges(State(i)) {
			if e.Label == Tau && !strong {
				sources[next[e.To]] = State(i)
				next[e.To]++
			}
		}
	}
	var stack []State
	for i, c := range can {
		if c {
			stack = append(stack, State(i))
		}
	}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, from := range sources[before[at]:before[at+1]] {
			if !can[from] {
				can[from] = true
				stack = append(stack, from)
			}
		}
	}
	return can
}

// firstBlocks makes the blocks of a partition.
func (r *refinement) firstBlocks(from []int32) {
	for _, b := range from {
		for int(b) >= len(r.blocks) {
			r.blocks = append(r.blocks, block{pieces: -1})
		}
		r.blocks[b].end++
	}
	at := int32(0)
	for i := range r.blocks {
		b := &r.blocks[i]
		b.begin, b.bottom, b.end, at = at, at, at, at+b.end
	}
	r.order = make([]State, len(from))
	for i, b := range from {
		k := &r.blocks[b]
		r.block[i], r.place[i], r.order[k.end] = b, k.end, State(i)
		k.end++
	}
}

// listing is an order of the transitions: those of a state begin at begin, in two parts of
// which the second begins at middle. At is the inverse of list.
type listing struct{ begin, middle, list, at []int32 }

// byState lists transitions by a state, in each state those that are first before the
// others.
func (r *refinement) byState(state []State, first func(int32) bool, out *listing) {
	n, begin, middle := len(r.block), out.begin, out.middle
	for t, s := range state {
		begin[s+1]++
		if first(int32(t)) {
			middle[s]++
		}
	}
	for i := range n {
		begin[i+1] += begin[i]
		middle[i] += begin[i]
	}
	low := append([]int32(nil), begin[:n]...)
	high := append([]int32(nil), middle...)
	for t, s := range state {
		to := &high[s]
		if first(int32(t)) {
			to = &low[s]
		}
		out.list[*to], out.at[t] = int32(t), *to
		*to++
	}
}

// firstBunch makes one bunch of all that is not inert, with its slices.
func (r *refinement) firstBunch() {
	type key struct {
		label Label
		block int32
	}
	slice := map[key]int32{}
	size := []int32{}
	pieceOf := make([]int32, len(r.blocks))
	pieceSize := make([]int32, len(r.blocks))
	for t := range r.src {
		r.outOf[t], r.actOf[t], r.splitOf[t] = -1, -1, -1
		if r.isInert(int32(t)) {
			continue
		}
		k := key{r.label[t], r.block[r.dst[t]]}
		a, ok := slice[k]
		if !ok {
			a = int32(len(size))
			slice[k] = a
			size = append(size, 0)
		}
		size[a]++
		r.actOf[t] = a
		pieceSize[r.block[r.src[t]]]++
		r.visible++
	}
	at := int32(0)
	nextA := make([]int32, len(size))
	for a, n := range size {
		r.slices = append(r.slices, actionSlice{at, at + n, 0, -1})
		nextA[a] = at
		at += n
	}
	at = 0
	nextP := make([]int32, len(r.blocks))
	for b, n := range pieceSize {
		pieceOf[b], nextP[b] = -1, at
		if n > 0 {
			pieceOf[b] = r.newPiece(piece{begin: at, marked: at, end: at + n, block: int32(b)})
		}
		at += n
	}
	inert := r.visible
	for t := range r.src {
		if r.actOf[t] < 0 {
			r.setAct(inert, int32(t))
			r.setSplit(inert, int32(t))
			inert++
			continue
		}
		a, b := r.actOf[t], r.block[r.src[t]]
		r.setAct(nextA[a], int32(t))
		nextA[a]++
		r.splitOf[t] = pieceOf[b]
		r.setSplit(nextP[b], int32(t))
		nextP[b]++
	}
	if r.visible == 0 {
		return
	}
	r.newBunch(0, r.visible)
	for i := range r.block {
		if begin, end := r.firstO[i], r.inert[i]; begin < end {
			for _, t := range r.outs[begin:end] {
				r.outOf[t] = int32(len(r.groups))
			}
			r.groups = append(r.groups, group{begin, end})
		}
	}
	r.examine(0)
}

func (r *refinement) isInert(t int32) bool {
	return r.label[t] == Tau && !r.strong && r.block[r.src[t]] == r.block[r.dst[t]]
}

func (r *refinement) isBottom(s State) bool { return r.inert[s] == r.firstO[s+1] }

// newBunch makes a bunch of [begin, end) in acts.
func (r *refinement) newBunch(begin, end int32) int32 {
	r.bunches = append(r.bunches, bunch{begin, end})
	r.queued = append(r.queued, false)
	return int32(len(r.bunches) - 1)
}

// examine queues a bunch if it has several slices.
func (r *refinement) examine(b int32) {
	u := &r.bunches[b]
	if !r.queued[b] && r.actOf[r.acts[u.begin]] != r.actOf[r.acts[u.end-1]] {
		r.queued[b] = true
		r.unsteady = append(r.unsteady, b)
	}
}

// smallSlice gives a slice with at most half of a bunch's transitions, at one of its ends;
// -1 if the bunch is a single slice.
func (r *refinement) smallSlice(b int32) int32 {
	u := &r.bunches[b]
	first, last := r.actOf[r.acts[u.begin]], r.actOf[r.acts[u.end-1]]
	f, l := &r.slices[first], &r.slices[last]
	switch {
	case first == last:
		return -1
	case f.end-f.begin <= l.end-l.begin:
		return first
	}
	return last
}

// divide makes a slice of a bunch a bunch of its own, and lists the blocks' slices that may
// be unstable now: of each block first those in the small part, whose transitions are all
// marked, then those in the rest, where of each state that has both one is marked.
func (r *refinement) divide(b, small int32) {
	a := &r.slices[small]
	n := r.newBunch(a.begin, a.end)
	a.bunch = n
	if u := &r.bunches[b]; u.begin == a.begin {
		u.begin = a.end
	} else {
		u.end = a.begin
	}
	r.examine(b)
	list := r.acts[a.begin:a.end]
	touched := r.splitter.touched[:0]
	for _, t := range list {
		p := r.splitOf[t]
		if r.pieces[p].moved < 0 {
			touched = append(touched, p)
		}
		r.movePiece(t, n, r.pieces[p].block)
		r.moveGroup(t, n)
	}
	for i, p := range touched {
		touched[i] = r.pairUp(p)
	}
	for _, t := range list {
		if r.pieces[r.splitOf[t]].rest >= 0 {
			r.markBeside(t)
		}
	}
	for _, p := range touched {
		if rest := r.pieces[p].rest; rest >= 0 {
			r.markAll(p)
			r.queue(p)
			r.queue(rest)
		}
	}
	r.splitter.touched = touched[:0]
}

// pairUp ends the division of a block's slice, and gives the new one, which knows the old as its
// rest, or takes its place if nothing is left of it.
func (r *refinement) pairUp(p int32) int32 {
	old := &r.pieces[p]
	q := old.moved
	old.moved = -1
	if old.begin == old.end {
		r.unlink(p)
	} else {
		r.pieces[q].rest = p
	}
	return q
}

// markBeside marks a transition of the same state in the bunch that a transition has just
// left. Its old group, if any is left, ends where its new one begins or begins where it ends.
func (r *refinement) markBeside(t int32) {
	g := r.groups[r.outOf[t]]
	rest := r.pieces[r.splitOf[t]].rest
	if g.begin > r.firstO[r.src[t]] {
		if o := r.outs[g.begin-1]; r.splitOf[o] == rest {
			r.mark(o)
		}
	}
}

// moveGroup moves a transition out of its state's group in its old bunch into the group of its
// new one, which stands behind what is left.
func (r *refinement) moveGroup(t, bunch int32) {
	g := r.outOf[t]
	last := r.groups[g].end - 1
	r.swapOuts(r.outAt[t], last)
	r.groups[g].end--
	empty := r.groups[g].begin == last
	if next := last + 1; next < r.inert[r.src[t]] && r.pieces[r.splitOf[r.outs[next]]].bunch == bunch {
		n := r.outOf[r.outs[next]]
		r.groups[n].begin--
		r.outOf[t] = n
		if empty {
			r.freeGroups = append(r.freeGroups, g)
		}
		return
	}
	if empty { // and is used again
		r.groups[g] = group{last, last + 1}
		return
	}
	r.outOf[t] = r.newGroup(last)
}

// newGroup makes a group of one place in outs.
func (r *refinement) newGroup(at int32) int32 {
	if n := len(r.freeGroups); n > 0 {
		g := r.freeGroups[n-1]
		r.freeGroups = r.freeGroups[:n-1]
		r.groups[g] = group{at, at + 1}
		return g
	}
	r.groups = append(r.groups, group{at, at + 1})
	return int32(len(r.groups) - 1)
}

// Places of transitions and states.

func (r *refinement) setAct(at, t int32)   { r.acts[at], r.actAt[t] = t, at }
func (r *refinement) setSplit(at, t int32) { r.splits[at], r.splitAt[t] = t, at }

func (r *refinement) swapActs(i, j int32) {
	a, b := r.acts[i], r.acts[j]
	r.setAct(i, b)
	r.setAct(j, a)
}

func (r *refinement) swapSplits(i, j int32) {
	a, b := r.splits[i], r.splits[j]
	r.setSplit(i, b)
	r.setSplit(j, a)
}

func (r *refinement) swapOuts(i, j int32) {
	a, b := r.outs[i], r.outs[j]
	r.outs[i], r.outs[j] = b, a
	r.outAt[b], r.outAt[a] = i, j
}

func (r *refinement) swapIns(i, j int32) {
	a, b := r.ins[i], r.ins[j]
	r.ins[i], r.ins[j] = b, a
	r.inAt[b], r.inAt[a] = i, j
}

func (r *refinement) swapStates(i, j int32) {
	a, b := r.order[i], r.order[j]
	r.order[i], r.order[j] = b, a
	r.place[b], r.place[a] = i, j
}

// Block-bunch slices.

func (r *refinement) newPiece(p piece) int32 {
	n := int32(len(r.pieces))
	if free := len(r.freePieces); free > 0 {
		n = r.freePieces[free-1]
		r.freePieces = r.freePieces[:free-1]
	} else {
		r.pieces = append(r.pieces, piece{})
	}
	p.moved, p.rest, p.prev = -1, -1, -1
	p.next = r.blocks[p.block].pieces
	if p.next >= 0 {
		r.pieces[p.next].prev = n
	}
	r.blocks[p.block].pieces = n
	r.pieces[n] = p
	return n
}

// unlink drops a slice that is empty.
func (r *refinement) unlink(n int32) {
	p := &r.pieces[n]
	if p.prev >= 0 {
		r.pieces[p.prev].next = p.next
	} else {
		r.blocks[p.block].pieces = p.next
	}
	if p.next >= 0 {
		r.pieces[p.next].prev = p.prev
	}
	p.pending = false
	r.freePieces = append(r.freePieces, n)
}

// movePiece moves a transition out of its slice into the slice that takes what leaves it,
// which stands behind it and is made, for a bunch and a block, if there is none yet. Marks are kept.
func (r *refinement) movePiece(t, bunch, block int32) {
	n := r.splitOf[t]
	to := r.pieces[n].moved
	if to < 0 {
		end := r.pieces[n].end
		to = r.newPiece(piece{begin: end, marked: end, end: end, block: block, bunch: bunch})
		r.pieces[n].moved = to
	}
	p, q := &r.pieces[n], &r.pieces[to]
	at := r.splitAt[t]
	marked := at < p.marked
	if marked {
		p.marked--
		r.swapSplits(at, p.marked)
		at = p.marked
	}
	p.end--
	r.swapSplits(at, p.end)
	q.begin = p.end
	if !marked {
		q.marked--
		r.swapSplits(q.begin, q.marked)
	}
	r.splitOf[t] = to
}

func (r *refinement) mark(t int32) {
	p := &r.pieces[r.splitOf[t]]
	if at := r.splitAt[t]; at >= p.marked {
		r.swapSplits(at, p.marked)
		p.marked++
	}
}

func (r *refinement) markAll(n int32) { r.pieces[n].marked = r.pieces[n].end }

func (r *refinement) queue(n int32) {
	if !r.pieces[n].pending {
		r.pieces[n].pending = true
		r.pending = append(r.pending, n)
	}
}
