package wrong

import "sync"

// Sized counts its items, which no view of few numbers can follow.
type Sized struct {
	mu  sync.Mutex
	top *sizedCell
	n   int
}

type sizedCell struct {
	item int
	next *sizedCell
}

func (s *Sized) Push(item int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top = &sizedCell{item, s.top}
	s.n++
}

func (s *Sized) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.top
	if c == nil {
		return 0, false
	}
	s.top = c.next
	s.n--
	return c.item, true
}
