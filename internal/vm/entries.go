package vm

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
)

// sortEntries brings the entries of a map, or the keys of an iterator, into an
// order of their contents. Keys that are references stay as they are: that keeps
// states apart that are the same, never the other way round.
func (m *Machine) sortEntries(id int) {
	o := &m.objs[id]
	size, key := o.info.typ.Size, o.info.unordered
	words := m.mem[o.at : o.at+o.words()]
	less := func(i, j int) int { return m.compareKeys(key, words[i*size:], words[j*size:]) }
	order := m.enc.orderOf(int(o.count))
	if slices.IsSortedFunc(order, less) {
		return
	}
	slices.SortStableFunc(order, less)
	old := append(m.words[:0], words...)
	m.words = old
	for i, j := range order {
		copy(words[i*size:(i+1)*size], old[j*size:(j+1)*size])
	}
	delete(m.maps, id)
}

func (e *encoder) orderOf(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func (m *Machine) compareKeys(t *ir.Type, a, b []uint64) int {
	for i, kind := range m.img.types[t.ID].layout {
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
