// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"encoding/binary"
	"slices"
)

// Heap is the part of a state that all threads share: what the package variables and the collection
// lead to. A search may have nearly as many heaps as states, and reads their words only to execute
// a step, so they are packed (pack).
type Heap struct {
	packed  []byte // the words that a saved state has before its threads, and the words of the objects
	front   int    // how many of them are before the threads
	Objects int    // how many objects there are besides the base objects
	Items   int    // how many items occur in it
	Numbers int    // how many thread numbers occur in it
	Root    uint64 // the engine's first root, usually the collection
	Keys    uint64 // the offsets of the keys that occur in it, as bits
}

// pack appends words as varints. Most words are small numbers, or pointers to the first word of an
// object, which have the object's number in their upper half. The lowest bit is 1 for such a
// pointer, so that it takes as few bytes as the number.
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

// unpack appends at most `most` words and returns the bytes that are left.
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

// AddHeap returns the number of a heap. ok is false if the heap is new and the store is full. A
// full store stays full, so a state consists of numbered parts either always or never.
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

// ReplaceHeap returns the number of the heap that results if change edits the words of a heap, for
// example if keys get other values. change may replace scalars only.
func (m *Memory) ReplaceHeap(number uint32, change func(words []uint64)) (uint32, bool) {
	h := *m.Heap(number)
	words, _ := unpack(m.words[:0], h.packed, len(h.packed))
	m.words = words
	change(words)
	return m.AddHeap(h, words[:h.front], words[h.front:])
}
