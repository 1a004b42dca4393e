// SPDX-License-Identifier: BSD-3-Clause

package parts

// table maps pairs of numbers to pointers. A search asks it at every transition, so key and value
// are neighbours in one array.
type table[V any] struct {
	slots []slot[V]
	used  int
	shift uint
}

type slot[V any] struct {
	key   uint64
	value *V // nil: the slot is free
}

const firstTable = 8 // bits of the number of slots

func (t *table[V]) clear() {
	*t = table[V]{slots: make([]slot[V], 1<<firstTable), shift: 64 - firstTable}
}

func keyOf(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// at is the slot of a key, or the free one where it would go. Keys are spread by Fibonacci hashing.
func (t *table[V]) at(key uint64) *slot[V] {
	mask := uint64(len(t.slots) - 1)
	for i := (key ^ key>>29) * 0x9e3779b97f4a7c15 >> t.shift; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.value == nil || s.key == key {
			return s
		}
	}
}

// get returns the value of a key, or nil.
func (t *table[V]) get(key uint64) *V { return t.at(key).value }

// put gives a key a value, and returns by how many bytes the table has grown.
func (t *table[V]) put(key uint64, value *V) int64 {
	s := t.at(key)
	if s.value == nil {
		t.used++
	}
	s.key, s.value = key, value
	if 4*t.used < 3*len(t.slots) {
		return 0
	}
	old := t.slots
	t.slots = make([]slot[V], 2*len(old))
	t.shift--
	for _, s := range old {
		if s.value != nil {
			*t.at(s.key) = s
		}
	}
	return 16 * int64(len(old))
}
