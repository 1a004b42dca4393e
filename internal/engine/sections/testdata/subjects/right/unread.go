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
