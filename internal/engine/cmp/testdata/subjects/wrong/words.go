package wrong

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Loose is a set under a lock of one word, which Contains frees when it has waited for it: it may be another one's.
type Loose struct {
	word atomic.Uint32
	owned
}

func NewLoose() *Loose { return &Loose{} }

func (s *Loose) locked(x int, in bool) bool {
	for !s.word.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	defer s.word.Store(0)
	return s.put(x, in)
}

func (s *Loose) Add(x int) bool    { return s.locked(x, true) }
func (s *Loose) Remove(x int) bool { return s.locked(x, false) }

func (s *Loose) Contains(x int) bool {
	if !s.word.CompareAndSwap(0, 1) {
		s.word.Store(0)
		for !s.word.CompareAndSwap(0, 1) {
			runtime.Gosched()
		}
	}
	defer s.word.Store(0)
	return s.here[x]
}

// Steals is a set under a lock of one word: 1 is taken, and who wants it in vain makes it 2 and has it.
type Steals struct {
	word atomic.Uint32
	owned
}

func NewSteals() *Steals { return &Steals{} }

func (s *Steals) locked(x int, in bool) bool {
	for !s.word.CompareAndSwap(0, 1) && !s.word.CompareAndSwap(1, 2) {
		runtime.Gosched()
	}
	defer s.word.Store(0)
	return s.put(x, in)
}

func (s *Steals) Add(x int) bool    { return s.locked(x, true) }
func (s *Steals) Remove(x int) bool { return s.locked(x, false) }

// TwoWords is a set that is changed under two locks, each of one word: Add takes the one, Remove the other.
type TwoWords struct {
	a, b atomic.Uint32
	owned
}

func NewTwoWords() *TwoWords { return &TwoWords{} }

func (s *TwoWords) Add(x int) bool {
	for !s.a.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	defer s.a.Store(0)
	return s.put(x, true)
}

func (s *TwoWords) Remove(x int) bool {
	for !s.b.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	defer s.b.Store(0)
	return s.put(x, false)
}

// Again is a set under a lock of one word that is given back twice.
type Again struct {
	word atomic.Uint32
	owned
}

func NewAgain() *Again { return &Again{} }

func (s *Again) locked(x int, in bool) bool {
	for !s.word.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	defer s.word.Store(0)
	defer s.word.Store(0)
	return s.put(x, in)
}

func (s *Again) Add(x int) bool    { return s.locked(x, true) }
func (s *Again) Remove(x int) bool { return s.locked(x, false) }

// Hasty is a set under a lock of one word, which is tried twice and then taken for taken.
type Hasty struct {
	word atomic.Uint32
	owned
}

func NewHasty() *Hasty { return &Hasty{} }

func (s *Hasty) locked(x int, in bool) bool {
	if !s.word.CompareAndSwap(0, 1) {
		runtime.Gosched()
		s.word.CompareAndSwap(0, 1)
	}
	defer s.word.CompareAndSwap(1, 0)
	return s.put(x, in)
}

func (s *Hasty) Add(x int) bool    { return s.locked(x, true) }
func (s *Hasty) Remove(x int) bool { return s.locked(x, false) }

// Replaced is a set under a lock of one word in a cell, in place of which Remove puts a new cell before it waits for the lock.
type Replaced struct {
	cell atomic.Pointer[latchWord]
	owned
}

type latchWord struct{ word atomic.Uint32 }

func NewReplaced() *Replaced {
	s := &Replaced{}
	s.cell.Store(&latchWord{})
	return s
}

func (s *Replaced) locked(x int, in bool) bool {
	c := s.cell.Load()
	for !c.word.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	defer c.word.Store(0)
	return s.put(x, in)
}

func (s *Replaced) Add(x int) bool { return s.locked(x, true) }

func (s *Replaced) Remove(x int) bool {
	s.cell.Store(&latchWord{})
	return s.locked(x, false)
}

// Born is a set whose lock is taken when it is made: whoever comes first frees it, in the belief that it is his.
type Born struct {
	word, born atomic.Uint32
	owned
}

func NewBorn() *Born {
	s := &Born{}
	s.word.Store(1)
	return s
}

func (s *Born) locked(x int, in bool) bool {
	if s.born.Load() == 0 {
		s.word.Store(0)
		s.born.Store(1)
	}
	for !s.word.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	defer s.word.Store(0)
	return s.put(x, in)
}

func (s *Born) Add(x int) bool    { return s.locked(x, true) }
func (s *Born) Remove(x int) bool { return s.locked(x, false) }

// Entries gives two claims away, the first two calls that come: 1 and 2. Who gets one makes an entry of a Go map 1, a lock of one word that nobody gives
// back. The entry of the second claim is made when the first one is taken. A saved state has entries in the order of their keys, so the second
// entry then stands where the first one stood, and two threads that have a claim each, and race for the sum, seem to have one word.
//
//pangolin:kind object
//pangolin:oracle self
type Entries struct {
	mu    sync.Mutex
	asked atomic.Uint32
	taken map[int]int
	sum   int
}

func NewEntries() *Entries { return &Entries{taken: map[int]int{1: 0}} }

func (s *Entries) Claim() int {
	for {
		claim, made := 0, false
		s.mu.Lock()
		s.asked.Swap(0)
		second, ok := s.taken[0]
		switch {
		case s.taken[1] == 0:
			s.taken[1], claim = 1, 1
		case !ok:
			s.taken[0], made = 0, true
		case second == 0:
			s.taken[0], claim = 1, 2
		}
		s.mu.Unlock()
		if claim > 0 {
			s.sum += claim
		}
		if !made {
			return claim
		}
	}
}

func (s *Entries) Asked() uint32 { return s.asked.Load() }

// SPDX-License-Identifier: BSD-3-Clause
