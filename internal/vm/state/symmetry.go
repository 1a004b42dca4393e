// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"cmp"
	"slices"
)

// The order of the threads in a saved state. Each thread is encoded as if it were the only one; the
// encoding is its key. Threads are sorted by their keys. Threads with equal keys are tried in every
// order, as they may differ in what they share with others.

// orderThreads finds the canonical order of the threads.
func (m *State) orderThreads() {
	e := &m.enc
	e.identity(len(m.Thread))
	first := m.symmetricFrom()
	if len(m.Thread)-first < 2 {
		return
	}
	m.threadKeys()
	m.sortThreads(first)
}

// saveSorted encodes the threads, sorted by their keys, and all objects.
func (m *State) saveSorted(dst []uint64) []uint64 {
	m.orderThreads()
	if m.enc.keyed && !m.enc.shares {
		return m.joinKeys(dst)
	}
	return m.saveThreads(dst, m.enc.perm)
}

// threadKeys makes the keys of all threads.
func (m *State) threadKeys() {
	e := &m.enc
	for len(e.keys) < len(m.Thread) {
		e.keys = append(e.keys, nil)
	}
	e.keyed = true
	for i := range m.Thread {
		e.keys[i] = m.threadKey(e.keys[i][:0], i)
	}
}

// sortThreads sorts the threads from index first on by their keys.
func (m *State) sortThreads(first int) {
	e := &m.enc
	sort := e.perm[first:]
	slices.SortStableFunc(sort, m.compareThreads)
	for i := 1; i < len(sort); i++ {
		if m.compareThreads(sort[i-1], sort[i]) == 0 {
			e.tie = true
		}
	}
}

// compareThreads compares two threads by their keys, and if these are equal by the engine's view of
// them.
func (m *State) compareThreads(i, j int) int {
	a, b := m.enc.keys[i], m.enc.keys[j]
	return cmp.Or(slices.Compare(a, b), cmp.Compare(m.Thread[i].View, m.Thread[j].View))
}

// symmetricFrom is the index from which on threads may be reordered.
func (m *State) symmetricFrom() int {
	if !m.Symmetry || m.img.ThreadIDs && !m.Numbers {
		return len(m.Thread)
	}
	if m.WholeProgram {
		return 1 // thread 0 is main and stays first
	}
	return 0
}

// threadKey encodes a thread, and what only threads reach from it, as if it were the first thread.
func (m *State) threadKey(dst []uint64, i int) []uint64 {
	e := &m.enc
	objects, heap := len(e.order), len(e.heap)
	e.fresh = e.global
	dst = m.encodeThread(dst, m.Thread[i])
	e.stacks = append(e.stacks, len(dst))
	dst = append(dst, e.heap[heap:]...)
	for _, id := range e.order[objects:] {
		if e.owner[id] != 0 {
			e.shares = true
			e.owner[id] = severalOwners
			continue
		}
		e.owner[id] = uint32(i + 1)
	}
	e.shares = e.items.keep(e.globalItems) || e.shares
	for _, k := range e.numbers.order[e.globalNumbers:] {
		e.shares = e.shares || int(k) != m.Thread[i].id
	}
	e.numbers.keep(e.globalNumbers)
	e.orders = append(e.orders, e.order[objects:]...)
	e.ends = append(e.ends, len(e.orders))
	e.forget(objects, heap)
	return dst
}

// private lists the objects that thread i reaches and no base object or root does.
func (e *encoder) private(i int) []uint32 {
	if i == 0 {
		return e.orders[:e.ends[0]]
	}
	return e.orders[e.ends[i-1]:e.ends[i]]
}

// severalOwners is the owner of an object in two threads' keys.
const severalOwners = ^uint32(0)

// joinKeys makes the encoding of the threads from their keys. It requires that no object is in two
// keys. In a key, a thread's objects are numbered as if it were the first with any; if it is not,
// it is encoded again.
func (m *State) joinKeys(dst []uint64) []uint64 {
	e := &m.enc
	objects := len(e.order)
	for _, i := range e.perm {
		private, items, numbers := e.private(i), e.items.part(i), e.numbers.part(i)
		if len(private) > 0 && len(e.order) > objects || len(items) > 0 && len(e.items.order) > e.globalItems ||
			len(numbers) > 0 && len(e.numbers.order) > e.globalNumbers {
			e.fresh = e.global
			dst = m.encodeThread(dst, m.Thread[i])
			continue
		}
		dst = append(dst, e.keys[i][:e.stacks[i]]...)
		for range private {
			e.head = append(e.head, int32(len(e.heap)))
		}
		e.order = append(e.order, private...)
		for _, k := range items {
			e.items.of(int(k))
		}
		for _, k := range numbers {
			e.numbers.of(int(k))
		}
		e.heap = append(e.heap, e.keys[i][e.stacks[i]:]...)
	}
	e.fresh = 0
	return append(dst, e.heap...)
}

// scanPrivate encodes objects that no base object reaches.
func (m *State) scanPrivate() {
	e := &m.enc
	for len(e.head) < len(e.order) {
		e.head = append(e.head, int32(len(e.heap)))
		e.heap = m.saveObject(e.heap, int(e.order[len(e.head)-1]), 0)
	}
}

// forget drops all new numbers but the first ones.
func (e *encoder) forget(objects, heap int) {
	for _, id := range e.order[objects:] {
		e.renum[id] = 0
	}
	e.order, e.head, e.heap = e.order[:objects], e.head[:objects], e.heap[:heap]
	e.crossed = e.crossed[:0]
	e.items.forget(e.globalItems)
	e.numbers.forget(e.globalNumbers)
	e.fresh = 0
}

// saveThreads encodes the threads in the given order and all objects.
func (m *State) saveThreads(dst []uint64, perm []int) []uint64 {
	e := &m.enc
	if m.Numbers {
		for _, i := range perm { // the number may be in another thread's key
			if t := m.Thread[i]; t.numbered() {
				e.numbers.of(t.id)
			}
		}
	}
	return m.placeObjects(m.placeThreads(dst, perm))
}

// placeThreads encodes threads one after the other.
func (m *State) placeThreads(dst []uint64, perm []int) []uint64 {
	e := &m.enc
	for _, i := range perm {
		e.fresh = uint32(m.img.BaseCount() + len(e.order))
		dst = m.encodeThread(dst, m.Thread[i])
	}
	return dst
}

// placeObjects appends the encoding of all objects, after that of the last thread.
func (m *State) placeObjects(dst []uint64) []uint64 {
	m.markCrossed()
	m.enc.fresh = 0
	return append(dst, m.enc.heap...)
}

// breakTies tries every order of threads with equal keys, as they may differ in what they share
// with others. It keeps an order with the least encoding and, among those, the least number that
// the engine gives it.
func (m *State) breakTies(dst []uint64, start int) []uint64 {
	e := &m.enc
	objects := int(e.global) - m.img.BaseCount()
	heap := e.heapOf(objects)
	crossed := e.shares || len(e.crossed) > 0
	e.best = append(e.best[:0], dst[start:]...)
	e.bestPerm = append(e.bestPerm[:0], e.perm...)
	number := m.numberTie(e.perm)
	perm := append(e.tied[:0], e.perm...)
	e.tied = perm
	accept := func(try []uint64, perm []int) {
		c := slices.Compare(try, e.best)
		switch {
		case len(e.best) == 0:
			c = -1
		case c > 0:
			return
		}
		if n := m.numberTie(perm); c < 0 || n < number {
			number = n
			copy(e.bestPerm, perm)
			e.best = append(e.best[:0], try...)
		}
	}
	if crossed && !m.Numbers {
		e.forget(objects, heap)
		e.best = e.best[:0]
		s := ties{m: m, perm: perm, words: e.try[:0], accept: accept, left: maxOrders}
		s.colour()
		s.place(0)
		e.try, e.fresh = s.words, 0
	} else {
		left := maxOrders
		m.permuteTies(perm, m.symmetricFrom(), func() bool {
			if crossed {
				e.forget(objects, heap)
				e.try = m.saveThreads(e.try[:0], perm)
				accept(e.try, perm)
			} else {
				accept(e.best, perm)
			}
			left--
			return left > 0
		})
	}
	copy(e.perm, e.bestPerm)
	m.nameItems()
	return append(dst[:start], e.best...)
}

// nameItems gives the items their names in the chosen encoding.
func (m *State) nameItems() {
	e := &m.enc
	switch {
	case !m.Items:
	case e.keyed && !e.shares:
		e.items.forget(e.globalItems)
		for _, i := range e.perm {
			for _, k := range e.items.part(i) {
				e.items.of(int(k))
			}
		}
	default:
		m.numberAgain()
	}
}

// numberAgain gives the objects their numbers in the chosen encoding.
func (m *State) numberAgain() {
	e := &m.enc
	e.forget(int(e.global)-m.img.BaseCount(), e.heapOf(int(e.global)-m.img.BaseCount()))
	m.saveThreads(nil, e.perm)
}

func (m *State) numberTie(perm []int) uint64 {
	if m.TieNumber == nil {
		return 0
	}
	return m.TieNumber(perm)
}

// heapOf is the index at which the encoding of the objects after the first ones begins.
func (e *encoder) heapOf(objects int) int {
	if objects < len(e.head) {
		return int(e.head[objects])
	}
	return len(e.heap)
}

// exchangeable reports whether threads with thread i's key may be exchanged: they share nothing
// with others, and no engine tells them apart.
func (m *State) exchangeable(i int) bool {
	e := &m.enc
	return !e.shares && len(e.crossed) == 0 && !m.Thread[i].Keep && !m.Numbers && len(e.items.part(i)) == 0
}

// permuteTies calls f for every order of perm that differs from the given one only
// among threads with equal keys, from position i on, until f returns false. It reports
// whether f never did.
func (m *State) permuteTies(perm []int, i int, f func() bool) bool {
	if i == len(perm) {
		return f()
	}
	for j := i; j < len(perm); j++ {
		if j > i && (!slices.Equal(m.enc.keys[perm[i]], m.enc.keys[perm[j]]) || m.exchangeable(perm[i])) {
			break
		}
		perm[i], perm[j] = perm[j], perm[i]
		more := m.permuteTies(perm, i+1, f)
		perm[i], perm[j] = perm[j], perm[i]
		if !more {
			return false
		}
	}
	return true
}
