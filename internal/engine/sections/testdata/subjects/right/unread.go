package right

import (
	"bytes"
	"io"
	"sync"
)

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

// Lends gives what leads to its maps and its buffer: in a struct, in a slice of structs, behind an interface, far behind a pointer.
type Lends struct {
	mu   sync.Mutex
	m    map[int]int
	b    bytes.Buffer
	rows []Row
	far  *far1
}

// Row is a row of names.
type Row struct{ names map[string]int }

func (r Row) At(name string) int { return r.names[name] }

// Lent is what is lent.
type Lent struct{ m map[int]int }

func (l Lent) At(k int) int { return l.m[k] }

type far1 struct{ next *far2 }

type far2 struct{ next *far3 }

type far3 struct{ next *far4 }

type far4 struct{ next *far5 }

type far5 struct{ n int }

func NewLends() *Lends {
	return &Lends{m: map[int]int{}, rows: []Row{{map[string]int{}}}, far: &far1{&far2{&far3{&far4{&far5{}}}}}}
}

func (l *Lends) Put(k, v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k] = v
	l.b.WriteByte(byte(v))
	l.rows[0].names["k"] = v
	l.far.next.next.next.next.n = v
}

func (l *Lends) View() Lent {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Lent{l.m}
}

func (l *Lends) Reader() io.Reader {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &l.b
}

func (l *Lends) Rows() []Row {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Row(nil), l.rows...)
}

func (l *Lends) Far() *far1 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.far
}
