// SPDX-License-Identifier: BSD-3-Clause

package judge

// memo has the configurations from which no order goes on, in one array with open addressing:
// position and last blind write in a word, the state in the next, then the mask.
type memo struct {
	words int // of a mask
	limit int64
	table []uint64
	used  int
	size  int // entries that there is room for, a power of two
}

func (m *memo) hash(at int32, state Value, mask []uint64) int {
	const odd = 0x9e3779b97f4a7c15
	h := (uint64(at)+1)*odd ^ uint64(state)
	h ^= h >> 29
	h *= odd
	for _, w := range mask {
		h = (h ^ w) * odd
		h ^= h >> 32
	}
	return int(h & uint64(m.size-1))
}

// find returns the entry of a configuration, or the free one where it would go.
func (m *memo) find(at int32, state Value, mask []uint64) []uint64 {
	width := m.words + 2
	for i := m.hash(at, state, mask); ; i = (i + 1) & (m.size - 1) {
		e := m.table[i*width : (i+1)*width]
		if e[0] == 0 {
			return e
		}
		if int32(e[0]>>32) == at+1 && Value(e[1]) == state && same(e[2:], mask) {
			return e
		}
	}
}

func same(a, b []uint64) bool {
	for i, w := range a {
		if b[i] != w {
			return false
		}
	}
	return true
}

// has reports whether the configuration has failed, or the same one with a later last blind write.
func (m *memo) has(at, last int32, state Value, mask []uint64) bool {
	e := m.find(at, state, mask)
	return e[0] != 0 && int32(uint32(e[0])) >= last
}

// add remembers that a configuration has failed. It is false if the limit on memory is reached.
func (m *memo) add(at, last int32, state Value, mask []uint64) bool {
	if 4*(m.used+1) > 3*m.size && !m.grow() {
		return false
	}
	e := m.find(at, state, mask)
	if e[0] == 0 {
		m.used++
		e[0] = uint64(at+1)<<32 | uint64(uint32(last))
		e[1] = uint64(state)
		copy(e[2:], mask)
	} else if int32(uint32(e[0])) < last {
		e[0] = uint64(at+1)<<32 | uint64(uint32(last))
	}
	return true
}

func (m *memo) grow() bool {
	width := m.words + 2
	old := m.table
	size := max(256, 2*m.size)
	if int64(size)*int64(width)*8*3/2 > m.limit {
		return false
	}
	m.size = size
	m.table = make([]uint64, size*width)
	for i := 0; i < len(old); i += width {
		if e := old[i : i+width]; e[0] != 0 {
			copy(m.find(int32(e[0]>>32)-1, Value(e[1]), e[2:]), e)
		}
	}
	return true
}
