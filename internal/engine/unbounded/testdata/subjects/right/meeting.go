package right

import "sync/atomic"

// MeetingStack is a lock-free stack with one place at which a Push and a Pop may meet that have lost the race for the
// top: the smallest stack with elimination (Hendler, Shavit and Yerushalmi 2004).
type MeetingStack struct {
	top   atomic.Pointer[cell]
	place atomic.Pointer[offer]
}

// offer is a wish to push or to pop, or the answer to one.
type offer struct {
	stage int
	pops  bool
	item  int
}

const (
	waiting = 1 + iota
	answered
)

func (s *MeetingStack) Push(x int) {
	n := &cell{value: x}
	for {
		n.next = s.top.Load()
		if s.top.CompareAndSwap(n.next, n) {
			return
		}
		if _, met := s.meet(false, x); met {
			return
		}
	}
}

func (s *MeetingStack) Pop() (int, bool) {
	for {
		n := s.top.Load()
		if n == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(n, n.next) {
			return n.value, true
		}
		if x, met := s.meet(true, 0); met {
			return x, true
		}
	}
}

// meet looks for a partner once, or waits for one for a moment.
func (s *MeetingStack) meet(pops bool, x int) (int, bool) {
	theirs := s.place.Load()
	switch {
	case theirs == nil:
		mine := &offer{waiting, pops, x}
		if !s.place.CompareAndSwap(nil, mine) || s.place.CompareAndSwap(mine, nil) {
			return 0, false
		}
		got := s.place.Load()
		s.place.Store(nil)
		gone := s.place.Load() != mine
		return got.item, gone
	case theirs.stage == waiting && theirs.pops != pops:
		return theirs.item, s.place.CompareAndSwap(theirs, &offer{answered, pops, x})
	}
	return 0, false
}

// CountedStack is a lock-free stack that notes in a slice which operations there have been.
type CountedStack struct {
	top atomic.Pointer[cell]
	had []atomic.Bool
}

// NewCountedStack returns an empty stack that notes n things, two of which it knows.
func NewCountedStack(n int) *CountedStack { return &CountedStack{had: make([]atomic.Bool, n)} }

func (s *CountedStack) Push(x int) {
	n := &cell{value: x}
	for {
		n.next = s.top.Load()
		if s.top.CompareAndSwap(n.next, n) {
			s.had[0].Store(true)
			return
		}
	}
}

func (s *CountedStack) Pop() (int, bool) {
	for {
		n := s.top.Load()
		if n == nil {
			return 0, false
		}
		if s.top.CompareAndSwap(n, n.next) {
			s.had[1].Store(true)
			return n.value, true
		}
	}
}
