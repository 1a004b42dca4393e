package right

import "sync"

// Unread gives away secrets, of which nobody but itself can read how often they were used.
type Unread struct {
	mu   sync.Mutex
	have map[int]*Secret
}

// Secret has nothing for others.
type Secret struct{ uses int }

func NewUnread() *Unread { return &Unread{have: map[int]*Secret{}} }

func (u *Unread) Give(x int) *Secret {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := u.have[x]
	if s == nil {
		s = new(Secret)
		u.have[x] = s
	}
	s.uses++
	return s
}

func (u *Unread) Uses(x int) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if s := u.have[x]; s != nil {
		return s.uses
	}
	return 0
}

// Either calls one of two functions, which it chooses under the lock: it is not known which, nor of which collection.
type Either struct {
	mu sync.Mutex
	n  int
}

func NewEither() *Either { return &Either{} }

func (e *Either) Step(x int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	f := e.up
	if x == 0 {
		f = e.down
	}
	f()
	return e.n
}

func (e *Either) up()   { e.n++ }
func (e *Either) down() { e.n-- }

// Hooks has functions in a map, and calls whichever it finds.
type Hooks struct {
	mu   sync.Mutex
	n    int
	have map[int]func(int) int
}

func NewHooks() *Hooks {
	return &Hooks{have: map[int]func(int) int{0: func(n int) int { return n + 1 }, 1: func(n int) int { return 2 * n }}}
}

func (h *Hooks) Use(x int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.have[x]; f != nil {
		h.n = f(h.n)
	}
	return h.n
}
