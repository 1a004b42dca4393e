// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
)

// sortEntries sorts the entries of a map, or the keys of an iterator, by contents. Keys that are
// references stay in place; that may keep equal states apart, but never makes different ones equal.
func (m *State) sortEntries(id int) {
	o := &m.Objs[id]
	size, key := o.Info.Type.Size, o.Info.Unordered
	words := m.Mem[o.At : o.At+o.Words()]
	less := func(i, j int) int { return m.compareKeys(key, words[i*size:], words[j*size:]) }
	order := m.enc.orderOf(int(o.Count))
	if slices.IsSortedFunc(order, less) {
		return
	}
	slices.SortStableFunc(order, less)
	old := append(m.order[:0], words...)
	m.order = old
	for i, j := range order {
		copy(words[i*size:(i+1)*size], old[j*size:(j+1)*size])
	}
	delete(m.Maps, id)
}

func (e *encoder) orderOf(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func (m *State) compareKeys(t *ir.Type, a, b []uint64) int {
	for i, kind := range m.img.Types[t.ID].Layout {
		c := 0
		switch kind {
		case ir.Scalar:
			c = cmp.Compare(a[i], b[i])
		case ir.String:
			c = cmp.Compare(m.Text(a[i]), m.Text(b[i]))
		default:
			return 0
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// MapIndex finds entries of a large map by key. It is not part of the state.
type MapIndex struct {
	At    map[string]int32
	Count int32
}
