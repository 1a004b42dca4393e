// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"math/bits"

	"pangolin/internal/memo"
	"pangolin/internal/vm/state"
)

// Keys by rank: an engine that treats keys as names without values gives those of a state the words of their ranks.

// RankKeys replaces the words of keys, those at the offsets in present, by those of their ranks.
func RankKeys(words []uint64, present uint64) {
	for i, w := range words {
		if at, ok := state.KeyOffset(w); ok {
			words[i] = state.Key(RankOf(present, at))
		}
	}
}

// RankOf counts the members of a set that are less than at.
func RankOf(set uint64, at int) int { return bits.OnesCount64(set & (1<<at - 1)) }

// Ranked is a part, of a thread or a heap, with its keys ranked among those at the offsets in present. It is false if there is no
// room for it.
func (m *Memory) Ranked(part uint32, thread bool, present uint64) (uint32, bool) {
	// What a part becomes depends on which keys there are in the whole state, as its keys are ranked among them.
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

// rankings are the parts that parts have become when their keys were ranked among those of a state. It is asked
// for each part of every other state, so the sets of keys, of which there are few, have numbers.
type rankings struct {
	sets   map[uint64]uint64
	last   uint64 // the set that was asked for last
	number uint64 // of that set
	parts  memo.Table
}

// key is where the answer about a part is kept.
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
