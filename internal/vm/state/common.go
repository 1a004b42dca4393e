// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"slices"

	"pangolin/internal/ir"
)

// Objects that two threads reach and the heap does not, such as a node that was unlinked while
// others look at it, become part of the heap when the state is divided into parts. Their order must
// not depend on the order of the threads, nor on their numbers in the machine, or one state would
// have several forms. So they are sorted by contents, and by which of them refer to them. If that
// does not distinguish two of them, the state is not divided.

// common is an object that two threads reach, and the heap does not.
type common struct {
	id uint32
	// key is what the objects are sorted by: the rank so far, the contents, and which of these
	// objects refer to it.
	key []uint64
}

// orderCommon sorts the objects that are in several threads' keys. It is false if there are none,
// or if two cannot be distinguished.
func (m *State) orderCommon() bool {
	e := &m.enc
	e.common = e.common[:0]
	for _, id := range e.orders {
		if e.owner[id] == severalOwners && e.renum[id] == 0 {
			e.renum[id] = leastRank
			e.addCommon(id)
		}
	}
	for ranks := 0; ranks < len(e.common); {
		before := ranks
		m.sortByContents()
		if ranks = e.rankCommon(); ranks == before {
			break
		}
	}
	apart := len(e.common) > 0
	for i := range e.common {
		c := &e.common[i]
		apart = apart && int(e.renum[c.id]-leastRank) == i
		e.renum[c.id] = 0
	}
	return apart
}

// leastRank is the first rank. Ranks stand for the objects' numbers while they are being sorted,
// and are greater than all numbers; objects that nothing distinguishes have the same rank.
const leastRank = 1 << 31

func (e *encoder) addCommon(id uint32) {
	if n := len(e.common); n < cap(e.common) {
		e.common = e.common[:n+1]
		e.common[n].id = id
		return
	}
	e.common = append(e.common, common{id: id})
}

// sortByContents sorts the objects by their contents under the present ranks.
func (m *State) sortByContents() {
	e := &m.enc
	for i := range e.common {
		c := &e.common[i]
		c.key = m.contents(c.key[:0], c.id)
	}
	for i := range e.common {
		e.common[i].key = m.appendReferrers(e.common[i].key, e.common[i].id)
	}
	slices.SortStableFunc(e.common, func(a, b common) int { return slices.Compare(a.key, b.key) })
}

// rankCommon gives the sorted objects ranks, and returns how many different ones there are.
func (e *encoder) rankCommon() int {
	rank := uint32(0)
	for i := range e.common {
		if i > 0 && !slices.Equal(e.common[i-1].key, e.common[i].key) {
			rank++
		}
		e.renum[e.common[i].id] = leastRank + rank
	}
	return int(rank) + 1
}

// contents appends what an object holds, with its present rank in front: what it refers to by new
// numbers and ranks, items and threads' numbers that have no name yet as one.
func (m *State) contents(dst []uint64, id uint32) []uint64 {
	e, o := &m.enc, &m.Objs[id]
	if o.Info.Unordered != nil && o.Count > 1 {
		m.sortEntries(int(id))
		o = &m.Objs[id]
	}
	dst = append(dst, uint64(e.renum[id]), uint64(o.Info.Type.ID)|uint64(uint32(o.Count))<<32, uint64(o.Flags&(IsChan|Held))|uint64(o.Aux)<<16)
	words := m.Mem[o.At : o.At+o.Words()]
	for i, w := range words {
		kind := o.Info.Layout[i%len(o.Info.Layout)]
		ref := m.Reference(words, i, kind)
		switch {
		case ref > uint64(m.img.BaseCount()):
			w = uint64(e.renum[ref])<<32 | w&0xffffffff
		case ref == 0 && kind != ir.String && kind != ir.IfaceType && m.Items && IsItem(w):
			w = itemBase + min(uint64(e.items.name[w-itemBase])-1, firstOwnItem)
		case ref == 0 && kind != ir.String && kind != ir.IfaceType && m.Numbers && IsNumber(w):
			w = renumbered(w, min(uint64(e.numbers.name[numberOf(w)])-1, firstOwnNumber))
		}
		dst = append(dst, w)
	}
	return dst
}

// appendReferrers appends, in order, the ranks of the objects that refer to one, and where they do.
func (m *State) appendReferrers(dst []uint64, id uint32) []uint64 {
	e, from := &m.enc, len(dst)
	for i := range e.common {
		o := &m.Objs[e.common[i].id]
		words := m.Mem[o.At : o.At+o.Words()]
		for k := range words {
			if m.Reference(words, k, o.Info.Layout[k%len(o.Info.Layout)]) == uint64(id) {
				dst = append(dst, uint64(e.renum[e.common[i].id])<<32|uint64(k))
			}
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// moveCommon gives the sorted objects numbers after the heap's, and computes the threads' keys
// again. Afterwards threads share items or numbers at most, no objects.
func (m *State) moveCommon() {
	e := &m.enc
	e.forgetKeys()
	for i := range e.common {
		e.order = append(e.order, e.common[i].id)
		e.renum[e.common[i].id] = uint32(m.img.BaseCount() + len(e.order))
	}
	m.scan(0)
	m.relativeKeys()
}

// forgetKeys drops the threads' keys with the objects, items and numbers that they named.
func (e *encoder) forgetKeys() {
	for _, id := range e.orders {
		e.owner[id] = 0
	}
	e.stacks, e.orders, e.ends = e.stacks[:0], e.orders[:0], e.ends[:0]
	e.keyed, e.shares = false, false
	e.items.forgetParts()
	e.numbers.forgetParts()
}
