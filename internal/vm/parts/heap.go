// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"encoding/binary"
	"slices"
)

// Heap is what all threads of a state can reach. There may be as many heaps as there are states, nearly, and their words
// are looked at only where a step is executed: so they are kept in as few bytes as they need.
type Heap struct {
	packed  []byte // the words in front of the threads, and those of the objects
	front   int    // words that stand before the threads
	Objects int    // that have numbers behind those of the base objects
	Items   int    // that it holds
	Numbers int    // of threads, that it holds
	Root    uint64 // the engine's first root
	Keys    uint64 // offsets of the keys that it holds
}

// pack appends words as varints. Most are small, or refer to the beginning of an object, which stands in their upper half: the
// lowest bit says which half comes first.
func pack(dst []byte, words []uint64) []byte {
	for _, w := range words {
		switch {
		case w>>63 != 0:
			dst = binary.LittleEndian.AppendUint64(append(dst, 1), w)
		case w != 0 && uint32(w) == 0:
			dst = binary.AppendUvarint(dst, w>>32<<1|1)
		default:
			dst = binary.AppendUvarint(dst, w<<1)
		}
	}
	return dst
}

// unpack appends up to so many words, and returns the bytes behind them.
func unpack(dst []uint64, packed []byte, most int) ([]uint64, []byte) {
	for ; most > 0 && len(packed) > 0; most-- {
		w, n := uint64(packed[0]), 1
		if w >= 1<<7 {
			w, n = binary.Uvarint(packed)
		}
		packed = packed[n:]
		switch {
		case w == 1:
			w, packed = binary.LittleEndian.Uint64(packed), packed[8:]
		case w&1 != 0:
			w = w >> 1 << 32
		default:
			w >>= 1
		}
		dst = append(dst, w)
	}
	return dst, packed
}

// AddHeap numbers a heap. ok is false if it is new and the store is full. That is for good, so
// that whether a state consists of numbered parts does not depend on when it is asked.
func (m *Memory) AddHeap(h Heap, front, heap []uint64) (number uint32, ok bool) {
	m.buffer = pack(pack(m.buffer[:0], front), heap)
	packed := m.buffer
	same := func(o *Heap) bool { return o.front == len(front) && string(o.packed) == string(packed) }
	return m.heaps.number((&Heap{packed: packed}).hash(), same, func() (Heap, int) {
		h.packed, h.front = slices.Clone(packed), len(front)
		h.Keys = KeysIn(front) | KeysIn(heap)
		return h, len(packed)
	})
}

// ReplaceHeap numbers the heap that a heap becomes when change gives its scalars other
// values, keys for example.
func (m *Memory) ReplaceHeap(number uint32, change func(words []uint64)) (uint32, bool) {
	h := *m.Heap(number)
	words, _ := unpack(m.words[:0], h.packed, len(h.packed))
	m.words = words
	change(words)
	return m.AddHeap(h, words[:h.front], words[h.front:])
}
