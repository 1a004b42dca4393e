// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"slices"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Who holds locks: two threads that hold one are no state, so that one is not disturbed by the other there.

// hold is a lock that a thread holds: its address with the number of the object in the state saved last, and state.ReadHold if it is held
// for reading. Left is then how many others hold it so.
type hold struct {
	lock, left uint64
}

// readersAt is the word of a sync.RWMutex in which the machine counts its readers (vm/builtin_sync.go).
const readersAt = 4

// readers is how many hold a sync.RWMutex for reading.
func readers(m *vm.Machine, lock uint64) uint64 { return m.Words(lock, readersAt+1)[readersAt] }

// held lists the locks that thread 0 holds, by the numbers of the state saved last. To make a
// call that one thread alone may make is like holding a lock: its word is the thread's number.
func (s *search) held() []hold {
	var list []hold
	if g := ghost(s.m.Tag(0)); g.busy() && s.model.role(g.call()) > 0 {
		list = append(list, hold{lock: uint64(s.model.role(g.call()))})
	}
	mine := s.m.Thread[0].Held
	for _, p := range mine {
		c := s.m.Canonical(p)
		if c == 0 {
			continue
		}
		h := hold{lock: c}
		if p&state.ReadHold != 0 {
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

// excludes says that two threads cannot hold the locks that they hold at the same time: one is in both lists, and not
// for reading in both, or by more readers than it has.
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

// relocated are locks with the numbers of the other thread's cells; one in a cell that is not
// the other's is nobody's.
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

// wordsOfLocks are locks as words.
func wordsOfLocks(list []hold) []uint64 {
	out := make([]uint64, 0, 2*len(list))
	for _, h := range list {
		out = append(out, h.lock, h.left)
	}
	return out
}
