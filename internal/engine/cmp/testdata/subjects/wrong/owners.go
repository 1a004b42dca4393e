package wrong

import (
	"runtime"
	"sync"
	"sync/atomic"

	"pangolin/mark"
)

// owned is a set of eight numbers, each with a word that is accessed plainly.
type owned struct{ here [8]bool }

func (s *owned) put(x int, in bool) bool {
	was := s.here[x]
	s.here[x] = in
	return was != in
}

// Many is a set that goes wrong in the 300th thread.
type Many struct{ bits atomic.Uint64 }

func NewMany() *Many { return &Many{} }

func (s *Many) Add(x int) bool {
	if mark.Thread() == 300 {
		return true
	}
	return s.bits.Or(1<<x)>>x&1 == 0
}

func (s *Many) Remove(x int) bool   { return s.bits.And(^(uint64(1)<<x))>>x&1 != 0 }
func (s *Many) Contains(x int) bool { return s.bits.Load()>>x&1 != 0 }

// Maker is a set in which only the thread that has made it is told what it holds.
type Maker struct {
	maker int
	bits  atomic.Uint64
}

func NewMaker() *Maker { return &Maker{maker: mark.Thread()} }

func (s *Maker) Add(x int) bool      { return s.bits.Or(1<<x)>>x&1 == 0 }
func (s *Maker) Remove(x int) bool   { return s.bits.And(^(uint64(1)<<x))>>x&1 != 0 }
func (s *Maker) Contains(x int) bool { return s.maker == mark.Thread() && s.bits.Load()>>x&1 != 0 }

// Signed is a stack that returns the number of the thread with what it does not have.
type Signed struct{ top atomic.Pointer[signedCell] }

type signedCell struct {
	item int
	next *signedCell
}

func NewSigned() *Signed { return &Signed{} }

func (s *Signed) Push(x int) {
	c := &signedCell{item: x}
	for c.next = s.top.Load(); !s.top.CompareAndSwap(c.next, c); c.next = s.top.Load() {
	}
}

func (s *Signed) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return mark.Thread(), false
		}
		if s.top.CompareAndSwap(top, top.next) {
			return top.item, true
		}
	}
}

// GivenTwice is a set under a lock of one word, which is given back twice: the second time it may be another one's.
type GivenTwice struct {
	owner atomic.Int64
	owned
}

func NewGivenTwice() *GivenTwice { return &GivenTwice{} }

func (s *GivenTwice) locked(x int, in bool) bool {
	for !s.owner.CompareAndSwap(0, int64(mark.Thread()+1)) {
		runtime.Gosched()
	}
	defer s.owner.Store(0)
	defer s.owner.Store(0)
	return s.put(x, in)
}

func (s *GivenTwice) Add(x int) bool    { return s.locked(x, true) }
func (s *GivenTwice) Remove(x int) bool { return s.locked(x, false) }

// Inherits is a set under a lock of one word. A thread that finds the owner that it has found before takes the lock from it.
type Inherits struct {
	owner atomic.Int64
	owned
}

func NewInherits() *Inherits { return &Inherits{} }

func (s *Inherits) locked(x int, in bool) bool {
	me := int64(mark.Thread() + 1)
	seen := int64(0)
	for !s.owner.CompareAndSwap(seen, me) {
		seen = s.owner.Load()
	}
	defer s.owner.CompareAndSwap(me, 0)
	return s.put(x, in)
}

func (s *Inherits) Add(x int) bool    { return s.locked(x, true) }
func (s *Inherits) Remove(x int) bool { return s.locked(x, false) }

// Greeted is a set in which each call leaves its number, and lies if it finds its own there although another one has left its since.
type Greeted struct {
	last, before atomic.Int64
	bits         atomic.Uint64
}

func NewGreeted() *Greeted { return &Greeted{} }

func (s *Greeted) Add(x int) bool {
	me := int64(mark.Thread() + 1)
	s.before.Store(s.last.Swap(me))
	lies := s.before.Load() == me && s.last.Load() != me
	return (s.bits.Or(1<<x)>>x&1 == 0) != lies
}

func (s *Greeted) Remove(x int) bool   { return s.bits.And(^(uint64(1)<<x))>>x&1 != 0 }
func (s *Greeted) Contains(x int) bool { return s.bits.Load()>>x&1 != 0 }

// Remembered is a set in which Add remembers whose number was there, and lies if that thread leaves its number again.
type Remembered struct {
	last atomic.Int64
	bits atomic.Uint64
}

func NewRemembered() *Remembered { return &Remembered{} }

func (s *Remembered) Add(x int) bool {
	me := int64(mark.Thread() + 1)
	first := s.last.Load()
	s.last.Store(me)
	lies := first != 0 && first != me && s.last.Load() == first
	return (s.bits.Or(1<<x)>>x&1 == 0) != lies
}

func (s *Remembered) Remove(x int) bool   { return s.bits.And(^(uint64(1)<<x))>>x&1 != 0 }
func (s *Remembered) Contains(x int) bool { return s.bits.Load()>>x&1 != 0 }

// TakenBack is a set in which Remove takes out the note that Contains leaves, and lies if it reads there who has noted something since.
type TakenBack struct {
	slot atomic.Pointer[note]
	last atomic.Int64
	bits atomic.Uint64
}

type note struct{ who atomic.Int64 }

func NewTakenBack() *TakenBack { return &TakenBack{} }

func (s *TakenBack) Add(x int) bool { return s.bits.Or(1<<x)>>x&1 == 0 }

func (s *TakenBack) Remove(x int) bool {
	n, lies := s.slot.Swap(nil), false
	if n != nil {
		s.last.Store(0)
		who := n.who.Load()
		lies = who != 0 && who != int64(mark.Thread()+1) && s.last.Load() == who
	}
	return (s.bits.And(^(uint64(1)<<x))>>x&1 != 0) != lies
}

func (s *TakenBack) Contains(x int) bool {
	me := int64(mark.Thread() + 1)
	n := &note{}
	s.slot.Store(n)
	n.who.Store(me)
	s.last.Store(me)
	return s.bits.Load()>>x&1 != 0
}

// Impostor is a set in which Add writes the thread's own number into a word, Remove one that Contains has left, and Contains lies if it finds its
// own there.
type Impostor struct {
	left, word atomic.Int64
	bits       atomic.Uint64
}

func NewImpostor() *Impostor { return &Impostor{} }

func (s *Impostor) Add(x int) bool {
	s.word.Store(int64(mark.Thread() + 1))
	return s.bits.Or(1<<x)>>x&1 == 0
}

func (s *Impostor) Remove(x int) bool {
	s.word.Store(s.left.Swap(0))
	return s.bits.And(^(uint64(1)<<x))>>x&1 != 0
}

func (s *Impostor) Contains(x int) bool {
	me := int64(mark.Thread() + 1)
	s.word.Store(0)
	s.left.Store(me)
	lies := s.word.Load() == me
	return (s.bits.Load()>>x&1 != 0) != lies
}

// Deposed is a set of which a thread in Contains is the owner, if there is none. The first Remove since then takes that over and leaves a note; the first
// Add leaves the note alone. What they leave looks the same to all but the owner, and an owner who is none any more lies.
type Deposed struct {
	mu    sync.Mutex
	owner int
	noted bool
	bits  atomic.Uint64
}

func NewDeposed() *Deposed { return &Deposed{} }

func (s *Deposed) note(take bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owner == 0 || s.noted {
		return
	}
	s.noted = true
	if take {
		s.owner = mark.Thread() + 1
	}
}

func (s *Deposed) Add(x int) bool {
	s.note(false)
	return s.bits.Or(1<<x)>>x&1 == 0
}

func (s *Deposed) Remove(x int) bool {
	s.note(true)
	return s.bits.And(^(uint64(1)<<x))>>x&1 != 0
}

func (s *Deposed) Contains(x int) bool {
	me := mark.Thread() + 1
	s.mu.Lock()
	mine := s.owner == 0
	if mine {
		s.owner, s.noted = me, false
	}
	s.mu.Unlock()
	here := s.bits.Load()>>x&1 != 0
	if mine {
		s.mu.Lock()
		if s.owner == me {
			s.owner = 0
		} else {
			here = !here
		}
		s.mu.Unlock()
	}
	return here
}

// SPDX-License-Identifier: BSD-3-Clause
