// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"slices"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Who holds locks. Two threads that hold one lock are in no state together, so a step of the one never disturbs a
// view of the other.

// hold is a lock that a thread holds. lock is its address, with the object's number in the state that was saved last;
// the bit state.ReadHold is set if it is held for reading, and left is then how many other threads hold it for
// reading, or anyNumber if that is not counted.
type hold struct {
	lock, left uint64
}

// anyNumber is more threads than there are holds.
const anyNumber = 1 << 62

// readersAt is the word of a sync.RWMutex in which the machine counts its readers (vm/builtin_sync.go).
const readersAt = 4

// readers is how many hold a sync.RWMutex for reading.
func readers(m *vm.Machine, lock uint64) uint64 { return m.Words(lock, readersAt+1)[readersAt] }

// held lists the locks that thread 0 holds, in order of address. An operation that only one thread may call counts as
// a lock, whose address is that thread's number (from 1), and so does a thread's number that common memory holds.
func (s *search) held() []hold {
	var list []hold
	if g := ghost(s.m.Tag(0)); g.busy() && s.model.role(g.call()) > 0 {
		list = append(list, hold{lock: uint64(s.model.role(g.call()))})
	}
	list = append(list, s.ownHold()...)
	mine := s.m.Thread[0].Held
	for _, p := range mine {
		c := s.m.Canonical(p)
		if c == 0 {
			continue
		}
		h := hold{lock: c}
		switch {
		case p&state.ReadHold == 0:
		case !s.m.CountsReaders():
			h.left = anyNumber
		default:
			h.left = readers(s.m, p&^state.ReadHold)
			for _, q := range mine {
				if q == p && h.left > 0 {
					h.left--
				}
			}
		}
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b hold) int {
		switch {
		case a.lock < b.lock:
			return -1
		case a.lock > b.lock:
			return 1
		}
		return 0
	})
	return list
}

// excludes says that two threads cannot hold these locks at the same time: one lock is in both lists, and at least
// one thread holds it for writing, or fewer threads read it than would have to.
func excludes(a, b []hold) bool {
	for _, p := range a {
		also := uint64(0)
		for _, q := range b {
			if p.lock&^state.ReadHold != q.lock&^state.ReadHold {
				continue
			}
			if p.lock != q.lock || p.lock&state.ReadHold == 0 {
				return true
			}
			also++
		}
		if also > p.left {
			return true
		}
	}
	return false
}

// relocated gives locks of the acting thread in the numbers of another one, whose own cell to[k] is the acting
// thread's own cell k. Locks in cells that the other thread does not know are left out.
func relocated(held []hold, to []int, first int) []hold {
	var list []hold
	for _, h := range held {
		k := int(h.lock>>32) - first
		switch {
		case k < 0:
			list = append(list, h)
		case k < len(to) && to[k] >= 0:
			list = append(list, hold{uint64(first+to[k])<<32 | h.lock&0xffffffff, h.left})
		}
	}
	return list
}

// taking appends to locks that thread 0 held before its step those that the step has taken for writing. No other thread reads
// such a lock then, though the lock's words do not say so. They may have been given back within the step.
func (s *search) taking(held []hold) []hold {
	for _, p := range s.m.Took {
		if int(p>>32) <= s.base+len(s.pre.cells) { // other objects are new
			held = append(slices.Clip(held), hold{lock: p})
		}
	}
	return held
}

// wordsOfLocks writes each lock as two words, for keys.
func wordsOfLocks(list []hold) []uint64 {
	out := make([]uint64, 0, 2*len(list))
	for _, h := range list {
		out = append(out, h.lock, h.left)
	}
	return out
}
