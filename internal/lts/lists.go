// SPDX-License-Identifier: BSD-3-Clause

package lts

import "slices"

// lists stores lists of edges, equal ones once, under numbers.
type lists struct {
	first []int32 // where each list begins in edges; one more entry than lists
	edges []Edge
	table []int32 // hash table: the number of a list plus one; 0: free
}

func newLists() lists { return lists{first: []int32{0}} }

// count is the number of lists.
func (l *lists) count() int { return len(l.first) - 1 }

// at returns the list with a number. It must not be changed.
func (l *lists) at(k int32) []Edge { return l.edges[l.first[k]:l.first[k+1]] }

// number returns the number of a list, which is stored if it is new.
func (l *lists) number(list []Edge) int32 {
	if 2*len(l.first) >= len(l.table) {
		l.grow()
	}
	at := l.slot(list)
	if l.table[at] == 0 {
		l.edges = append(l.edges, list...)
		l.first = append(l.first, int32(len(l.edges)))
		l.table[at] = int32(l.count())
	}
	return l.table[at] - 1
}

// slot is the place of a list in the table, or the free one where it would go.
func (l *lists) slot(list []Edge) uint64 {
	at := hashOf(list)
	for range l.table {
		at &= uint64(len(l.table) - 1)
		if k := l.table[at]; k == 0 || slices.Equal(l.at(k-1), list) {
			return at
		}
		at++
	}
	panic("lts: a table of lists without room")
}

// grow doubles the table.
func (l *lists) grow() {
	l.table = make([]int32, max(1024, 2*len(l.table)))
	for k := range int32(l.count()) {
		l.table[l.slot(l.at(k))] = k + 1
	}
}

func hashOf(list []Edge) uint64 {
	h := uint64(len(list))
	for _, e := range list {
		h = mix(h ^ uint64(uint32(e.Label))<<32 ^ uint64(uint32(e.To)))
	}
	return h
}
