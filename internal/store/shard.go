// SPDX-License-Identifier: BSD-3-Clause

package store

import (
	"sync"
	"unsafe"
)

// The table behind the sets of states: open addressing over key and rest of a fingerprint, locked
// only when several workers use it.

const (
	slotsPerLine = 8    // slots in a cache line of keys
	smallest     = 16   // slots of a shard's first table
	small        = 2048 // a table with so many slots or fewer doubles; larger ones grow by a quarter
)

// shard is one table of the set, with linear probing that starts at a cache line. The
// key 0 marks a free slot; elements with key 0 are kept in zeros.
type shard struct {
	mu      sync.Mutex
	keys    []uint64
	numbers []uint32 // of the same length, or nil if the set is not indexed
	used    int      // occupied slots
	limit   int      // slots that may be occupied before the table grows
	zeros   []uint32 // the numbers of the elements with key 0
	ledger  *ledger  // nil for Hash64
	number  uint32   // which shard this is
	indexed bool
}

const shardSize = int64(unsafe.Sizeof(shard{}))

func (sh *shard) len() int { return sh.used + len(sh.zeros) }

// insert finds or adds the element (key, rest). The shard is locked if it has to be, and
// has a free slot.
func (sh *shard) insert(s *Set, key uint64, rest []uint64) (uint32, bool) {
	if key == 0 {
		return sh.insertZero(s, rest)
	}
	slot, found := sh.probe(s, key, rest)
	if found {
		if !sh.indexed {
			return 0, false
		}
		return sh.numbers[slot], false
	}
	if !sh.indexed {
		sh.keys[slot] = key
		sh.used++
		return 0, true
	}
	n := s.take(sh)
	sh.keys[slot] = key
	sh.numbers[slot] = n
	sh.used++
	sh.record(s, n, rest)
	return n, true
}

// probe returns the slot of the element, or the free slot where it belongs.
func (sh *shard) probe(s *Set, key uint64, rest []uint64) (slot uint64, found bool) {
	keys := sh.keys
	i := s.home(key, uint64(len(keys)/slotsPerLine))
	for {
		if i >= uint64(len(keys)) {
			i = 0
		}
		switch keys[i] {
		case 0:
			return i, false
		case key:
			if sh.ledger == nil || sh.ledger.equal(s.place(sh.numbers[i]), rest) {
				return i, true
			}
		}
		i++
	}
}

// lookup is insert without adding anything.
func (sh *shard) lookup(s *Set, key uint64, rest []uint64) (uint32, bool) {
	if key == 0 {
		return sh.findZero(s, rest)
	}
	if len(sh.keys) == 0 {
		return 0, false
	}
	slot, found := sh.probe(s, key, rest)
	if !found || !sh.indexed {
		return 0, found
	}
	return sh.numbers[slot], true
}

func (sh *shard) findZero(s *Set, rest []uint64) (uint32, bool) {
	for _, n := range sh.zeros {
		if sh.ledger == nil || sh.ledger.equal(s.place(n), rest) {
			return n, true
		}
	}
	return 0, false
}

func (sh *shard) insertZero(s *Set, rest []uint64) (uint32, bool) {
	if n, found := sh.findZero(s, rest); found {
		return n, false
	}
	n := uint32(0)
	if sh.indexed {
		n = s.take(sh)
	}
	sh.zeros = append(sh.zeros, n)
	sh.record(s, n, rest)
	return n, true
}

// record keeps the part of the element that is not its key.
func (sh *shard) record(s *Set, n uint32, rest []uint64) {
	if sh.ledger == nil {
		return
	}
	if at := sh.ledger.append(s, rest); at != s.place(n) {
		panic("store: the ledger is out of step with the numbers")
	}
}

// grow moves the shard to a larger table.
func (sh *shard) grow(s *Set) {
	old := shard{keys: sh.keys, numbers: sh.numbers}
	slots := sh.nextSize(s)
	sh.keys = make([]uint64, slots)
	if sh.indexed {
		sh.numbers = make([]uint32, slots)
	}
	sh.limit = slots - slots/10
	s.bytes.Add(sh.bytes() - old.bytes())
	for i, key := range old.keys {
		if key != 0 {
			sh.move(s, key, &old, i)
		}
	}
}

// move puts the element in slot i of another table, with the given key, into this one.
func (sh *shard) move(s *Set, key uint64, old *shard, i int) {
	j := s.home(key, uint64(len(sh.keys)/slotsPerLine))
	for sh.keys[j] != 0 {
		if j++; j == uint64(len(sh.keys)) {
			j = 0
		}
	}
	sh.keys[j] = key
	if sh.indexed {
		sh.numbers[j] = old.numbers[i]
	}
}

func (sh *shard) bytes() int64 { return int64(8*len(sh.keys) + 4*len(sh.numbers)) }

// nextSize returns the number of slots of the next table. Tables are filled to nine
// tenths and, once large, grow by a quarter. All shards fill at the same rate, so the
// first large size is spread over a quarter: some shard is always about to grow, the
// load of the whole set stays near 0.8, and no moment has all tables twice.
func (sh *shard) nextSize(s *Set) int {
	n := len(sh.keys)
	switch {
	case n == 0:
		return smallest
	case n < small:
		return 2 * n
	case n == small:
		n = 2*small + 2*small*int(sh.number)/(4*len(s.shards))
	default:
		n += n / 4
	}
	return (n + slotsPerLine - 1) / slotsPerLine * slotsPerLine
}
