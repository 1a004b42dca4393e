// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"math/bits"

	"pangolin/internal/memo"
	"pangolin/internal/vm/state"
)

// Keys by rank. An engine that treats keys as names without values replaces the keys of a state by
// their ranks: 2, 4 and 8 become 0, 1 and 2.

// RankKeys replaces each key in words by its rank among the keys at the offsets in present.
func RankKeys(words []uint64, present uint64) {
	for i, w := range words {
		if at, ok := state.KeyOffset(w); ok {
			words[i] = state.Key(RankOf(present, at))
		}
	}
}

// RankOf counts the members of a set that are less than at.
func RankOf(set uint64, at int) int { return bits.OnesCount64(set & (1<<at - 1)) }

// Ranked returns the number of a part, of a thread or of a heap, after RankKeys. It is false if the
// store is full.
func (m *Memory) Ranked(part uint32, thread bool, present uint64) (uint32, bool) {
	// The result depends on the keys of the whole state, not only on those of the part.
	key := m.ranks.key(part, thread, present)
	if to, known := m.ranks.parts.Get(key); known {
		return to, true
	}
	replace := m.ReplaceHeap
	if thread {
		replace = m.ReplaceThread
	}
	to, ok := replace(part, func(words []uint64) { RankKeys(words, present) })
	if ok {
		m.ranks.parts.Put(key, to)
	}
	return to, ok
}

// rankings caches Ranked, which is asked for each part of every second state. Few sets of keys
// occur, so they are numbered.
type rankings struct {
	sets   map[uint64]uint64
	last   uint64 // the set of the last call
	number uint64 // its number
	parts  memo.Table
}

// key identifies a part with a set of keys.
func (r *rankings) key(part uint32, thread bool, present uint64) uint64 {
	if r.last != present {
		n, known := r.sets[present]
		if !known {
			n = uint64(len(r.sets)) + 1
			r.sets[present] = n
		}
		r.last, r.number = present, n
	}
	key := r.number<<33 | uint64(part)
	if thread {
		key |= 1 << 32
	}
	return key
}
