package wrong

import "sync/atomic"

// Stacks with a place at which a Push and a Pop may meet (package right has a correct one), each with a fault.

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

// meeting is what they have in common.
type meeting struct {
	top   atomic.Pointer[cell2]
	place atomic.Pointer[offer]
}

type cell2 struct {
	value int
	next  *cell2
}

// tryPush and tryPop make one attempt.
func (s *meeting) tryPush(x int) bool {
	n := &cell2{value: x, next: s.top.Load()}
	return s.top.CompareAndSwap(n.next, n)
}

func (s *meeting) tryPop() (x int, ok, empty bool) {
	n := s.top.Load()
	if n == nil {
		return 0, false, true
	}
	return n.value, s.top.CompareAndSwap(n, n.next), false
}

// await leaves an offer, and says whether somebody answered.
func (s *meeting) await(pops bool, x int) (int, bool) {
	mine := &offer{waiting, pops, x}
	if !s.place.CompareAndSwap(nil, mine) || s.place.CompareAndSwap(mine, nil) {
		return 0, false
	}
	got := s.place.Load().item
	s.place.Store(nil)
	return got, true
}

// Abandoned: who has waited in vain leaves its offer where it is, and goes on.
type Abandoned struct{ meeting }

func (s *Abandoned) Push(x int) {
	mine := &offer{waiting, false, x}
	for !s.tryPush(x) {
		s.place.CompareAndSwap(nil, mine)
	}
}

func (s *Abandoned) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if o := s.place.Load(); o != nil && o.stage == waiting && s.place.CompareAndSwap(o, nil) {
			return o.item, true
		}
	}
}

// Likes: who looks for a partner takes anybody.
type Likes struct{ meeting }

func (s *Likes) Push(x int) {
	for !s.tryPush(x) {
		if s.either(false, x) {
			return
		}
	}
}

func (s *Likes) either(pops bool, x int) bool {
	o := s.place.Load()
	if o == nil {
		_, met := s.await(pops, x)
		return met
	}
	return o.stage == waiting && s.place.CompareAndSwap(o, &offer{answered, pops, x})
}

func (s *Likes) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if o := s.place.Load(); o != nil && o.stage == waiting && !o.pops && s.place.CompareAndSwap(o, &offer{answered, true, 0}) {
			return o.item, true
		}
	}
}

// Grabbed: a Pop answers without looking whether the offer is still there.
type Grabbed struct{ meeting }

func (s *Grabbed) Push(x int) {
	for !s.tryPush(x) {
		if _, met := s.await(false, x); met {
			return
		}
	}
}

func (s *Grabbed) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if o := s.place.Load(); o != nil && o.stage == waiting {
			s.place.Store(&offer{answered, true, 0})
			return o.item, true
		}
	}
}

// Persistent: who has been answered goes on all the same.
type Persistent struct{ meeting }

func (s *Persistent) Push(x int) {
	for !s.tryPush(x) {
		s.await(false, x)
	}
}

func (s *Persistent) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if o := s.place.Load(); o != nil && o.stage == waiting && s.place.CompareAndSwap(o, &offer{answered, true, 0}) {
			return o.item, true
		}
	}
}

// Answering: a Pop that has got an item answers a Push as well, whose item is lost.
type Answering struct{ meeting }

func (s *Answering) Push(x int) {
	for !s.tryPush(x) {
		if _, met := s.await(false, x); met {
			return
		}
	}
}

func (s *Answering) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok {
			if o := s.place.Load(); o != nil && o.stage == waiting {
				s.place.CompareAndSwap(o, &offer{answered, true, 0})
			}
		}
		if ok || empty {
			return x, ok
		}
	}
}

// Emptied: a Push that answers a Pop forgets to say with what.
type Emptied struct{ meeting }

func (s *Emptied) Push(x int) {
	for !s.tryPush(x) {
		if o := s.place.Load(); o != nil && o.stage == waiting && s.place.CompareAndSwap(o, &offer{answered, false, 0}) {
			return
		}
	}
}

func (s *Emptied) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if x, met := s.await(true, 0); met {
			return x, true
		}
	}
}

// Owed: a Pop that nobody has answered yet says that the stack is empty.
type Owed struct{ meeting }

func (s *Owed) Push(x int) {
	for !s.tryPush(x) {
		if o := s.place.Load(); o != nil && o.stage == waiting && s.place.CompareAndSwap(o, &offer{answered, false, x}) {
			return
		}
	}
}

func (s *Owed) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		mine := &offer{waiting, true, 0}
		if s.place.CompareAndSwap(nil, mine) {
			if s.top.Load() == nil {
				return 0, false
			}
			if !s.place.CompareAndSwap(mine, nil) {
				got := s.place.Load().item
				s.place.Store(nil)
				return got, true
			}
		}
	}
}

// Undecided: a Push pushes while its offer stands.
type Undecided struct{ meeting }

func (s *Undecided) Push(x int) {
	mine := &offer{waiting, false, x}
	offered := s.place.CompareAndSwap(nil, mine)
	for !s.tryPush(x) {
	}
	if offered && !s.place.CompareAndSwap(mine, nil) {
		s.place.Store(nil)
	}
}

func (s *Undecided) Pop() (int, bool) { return s.popOrAnswer() }

// popOrAnswer is a correct Pop.
func (s *meeting) popOrAnswer() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if o := s.place.Load(); o != nil && o.stage == waiting && !o.pops && s.place.CompareAndSwap(o, &offer{answered, true, 0}) {
			return o.item, true
		}
	}
}

// Withdrawn: a Push takes its offer back and is done.
type Withdrawn struct{ meeting }

func (s *Withdrawn) Push(x int) {
	for !s.tryPush(x) {
		mine := &offer{waiting, false, x}
		if s.place.CompareAndSwap(nil, mine) {
			if !s.place.CompareAndSwap(mine, nil) {
				s.place.Store(nil)
			}
			return
		}
	}
}

func (s *Withdrawn) Pop() (int, bool) { return s.popOrAnswer() }

// Generous: a Push that has pushed offers its item as well.
type Generous struct{ meeting }

func (s *Generous) Push(x int) {
	for !s.tryPush(x) {
	}
	s.await(false, x)
}

func (s *Generous) Pop() (int, bool) { return s.popOrAnswer() }

// Lavish: a Push that has pushed gives its item to a Pop that waits as well.
type Lavish struct{ meeting }

func (s *Lavish) Push(x int) {
	for !s.tryPush(x) {
	}
	if o := s.place.Load(); o != nil && o.stage == waiting {
		s.place.CompareAndSwap(o, &offer{answered, false, x})
	}
}

func (s *Lavish) Pop() (int, bool) {
	for {
		x, ok, empty := s.tryPop()
		if ok || empty {
			return x, ok
		}
		if x, met := s.await(true, 0); met {
			return x, true
		}
	}
}

// Rowed: the first cells are elements of one slice.
type Rowed struct {
	top *cell2
	row []cell2
}

func NewRowed(n int) *Rowed { return &Rowed{row: make([]cell2, n)} }

func (s *Rowed) Push(x int) { s.top = &cell2{x, s.top} }

func (s *Rowed) Pop() (int, bool) { return s.row[0].value, false }
