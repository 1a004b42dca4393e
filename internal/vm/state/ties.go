// SPDX-License-Identifier: BSD-3-Clause

package state

import "slices"

// ties looks for a canonical order of threads with equal keys. It places one thread after
// another: of those that could come next, one with the least encoding, given what has names
// already. Of several it tries every one, and the least encoding of the state that comes out is
// chosen; but if all of them share nothing new with others, exchanging them changes nothing,
// and they are placed at once, in any order. So a state with dozens of like threads takes
// about as many steps, and not as many as they have orders. Nothing here depends on how the
// threads or objects are numbered.
type ties struct {
	m      *State
	perm   []int
	words  []uint64 // encoding of the threads placed so far
	kept   []uint64 // encoding of the heap, without marks
	accept func(encoding []uint64, perm []int)
	left   int // number of orders that may still be tried

	colours []uint64 // by thread, see refine.go; nil: there are none
}

// maxOrders bounds the orders that are tried for one state. Beyond, a state may have several
// forms: then the search visits it more than once, which costs time and nothing else.
const maxOrders = 5040

// mark is a point in an encoding.
type mark struct{ words, objects, heap, crossed, items int }

func (s *ties) mark() mark {
	e := &s.m.enc
	return mark{len(s.words), len(e.order), len(e.heap), len(e.crossed), len(e.items.order)}
}

// back drops everything behind a mark.
func (s *ties) back(to mark) {
	e := &s.m.enc
	for _, id := range e.order[to.objects:] {
		e.renum[id] = 0
	}
	s.words, e.order, e.head, e.heap = s.words[:to.words], e.order[:to.objects], e.head[:to.objects], e.heap[:to.heap]
	e.crossed = e.crossed[:to.crossed]
	e.items.forget(to.items)
}

func (s *ties) encode(thread int) {
	e := &s.m.enc
	e.fresh = uint32(s.m.img.BaseCount() + len(e.order))
	s.words = s.m.encodeThread(s.words, s.m.Thread[thread])
}

// next is a thread that could be placed next.
type next struct {
	at    int // index in perm
	words []uint64
	heap  []uint64
	alone bool // no other thread holds what it would be the first to name
}

func (s *ties) try(at int, from mark) next {
	e := &s.m.enc
	s.encode(s.perm[at])
	n := next{at: at, words: slices.Clone(s.words[from.words:]), heap: slices.Clone(e.heap[from.heap:])}
	n.alone = len(e.items.order) == from.items &&
		!slices.ContainsFunc(e.order[from.objects:], func(id uint32) bool { return e.owner[id] == severalOwners })
	s.back(from)
	return n
}

// place tries the threads that may be at position i, in all orders that may matter.
func (s *ties) place(i int) {
	if i == len(s.perm) {
		s.finish()
		return
	}
	from := s.mark()
	end := i + 1
	for end < len(s.perm) && i >= s.m.symmetricFrom() && s.alike(i, end) {
		end++
	}
	list := s.least(i, end, from)
	if len(list) > 1 && !s.numbered(i) && !slices.ContainsFunc(list, func(n next) bool { return !n.like(list[0]) }) {
		s.placeAll(i, list)
		s.back(from)
		return
	}
	for k, n := range list {
		if k > 0 && (s.left <= 0 || !s.numbered(i) && slices.ContainsFunc(list[:k], n.like)) {
			continue
		}
		s.swap(i, n.at)
		s.encode(s.perm[i])
		s.place(i + 1)
		s.back(from)
		s.swap(i, n.at)
	}
}

// least lists those of the threads at positions i to end-1 that have the least encoding.
func (s *ties) least(i, end int, from mark) []next {
	if end == i+1 {
		return []next{{at: i}}
	}
	var list []next
	for j := i; j < end; j++ {
		n := s.try(j, from)
		c := -1
		if len(list) > 0 {
			c = slices.Compare(n.words, list[0].words)
		}
		if c < 0 {
			list = list[:0]
		}
		if c <= 0 {
			list = append(list, n)
		}
	}
	return list
}

// placeAll places threads that can all be exchanged with each other.
func (s *ties) placeAll(i int, list []next) {
	before := slices.Clone(s.perm)
	for k, n := range list {
		s.swap(i+k, n.at)
		s.encode(s.perm[i+k])
	}
	s.place(i + len(list))
	copy(s.perm, before)
}

// like reports whether two threads can be exchanged.
func (n next) like(o next) bool { return n.alone && o.alone && slices.Equal(n.heap, o.heap) }

// numbered reports whether an engine distinguishes the threads from position i on.
func (s *ties) numbered(i int) bool {
	return s.m.TieNumber != nil && s.m.Thread[s.perm[i]].Keep
}

func (s *ties) swap(i, j int) { s.perm[i], s.perm[j] = s.perm[j], s.perm[i] }

// finish completes an encoding and passes it to accept.
func (s *ties) finish() {
	s.left--
	e := &s.m.enc
	s.kept = append(s.kept[:0], e.heap...)
	s.m.markCrossed()
	from := len(s.words)
	s.words = append(s.words, e.heap...)
	copy(e.heap, s.kept)
	s.accept(s.words, s.perm)
	s.words = s.words[:from]
}
