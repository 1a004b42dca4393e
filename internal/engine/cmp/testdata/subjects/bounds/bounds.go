// Package bounds has collections of which a bound on the items bounds different things.
package bounds

import "sync"

// Tickets gives ever greater numbers, and gives one twice from the tenth on.
type Tickets struct {
	mu sync.Mutex
	n  int
}

func (t *Tickets) Next() int {
	t.mu.Lock()
	t.n++
	n := t.n
	t.mu.Unlock()
	if n < 10 {
		return n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// History keeps the last value and counts how often it was set.
type History struct {
	mu       sync.Mutex
	n, value int
}

func (h *History) Set(v int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n, h.value = h.n+1, v
}

func (h *History) Get() (value, times int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.value, h.n
}

// Switch is turned on and off, and counted.
type Switch struct {
	mu sync.Mutex
	on bool
	n  int
}

func (s *Switch) Toggle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on = !s.on
	return s.on
}

func (s *Switch) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.n
}

// Greatest is the greatest value that it was given: of few values there are few contents.
type Greatest struct {
	mu sync.Mutex
	n  int
}

func (g *Greatest) Offer(v int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n = max(g.n, v)
}

func (g *Greatest) Get() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}

// Stack is a stack in a slice.
type Stack struct {
	mu    sync.Mutex
	items []int
}

func (s *Stack) Push(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, v)
}

func (s *Stack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.items)
	if n == 0 {
		return 0, false
	}
	v := s.items[n-1]
	s.items = s.items[:n-1]
	return v, true
}

// Flag is set once.
type Flag struct {
	mu sync.Mutex
	on bool
}

func (f *Flag) Set() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.on
	f.on = true
	return !was
}
