package wrong

import (
	"runtime"
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

// SPDX-License-Identifier: BSD-3-Clause
