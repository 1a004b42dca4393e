// Package shared has collections that use package variables. With one of each nothing goes wrong.
package shared

import (
	"runtime"
	"sync"
)

// cell is the memory of each of them.
type cell struct {
	mu    sync.Mutex
	value int
	full  bool
}

func (c *cell) put(v int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full {
		return false
	}
	c.value, c.full = v, true
	return true
}

func (c *cell) take() (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.full {
		return 0, false
	}
	c.full = false
	return c.value, true
}

var scratch int

// Scratch passes the value through a variable.
type Scratch struct{ cell }

func (s *Scratch) Put(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return false
	}
	scratch = v
	s.value, s.full = scratch, true
	return true
}

func (s *Scratch) Take() (int, bool) { return s.take() }

var restored int

// Restored gives the variable its first value back within one step.
type Restored struct{ cell }

func (r *Restored) Put(v int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full {
		return false
	}
	restored = v
	r.value, r.full = restored, true
	restored = 0
	return true
}

func (r *Restored) Take() (int, bool) { return r.take() }

var made int

// Numbered counts how many there are.
type Numbered struct {
	cell
	number int
}

func NewNumbered() *Numbered { made++; return &Numbered{number: made} }

func (n *Numbered) Put(v int) bool    { return n.put(v) }
func (n *Numbered) Take() (int, bool) { return n.take() }

var first = &cell{}

// Behind writes to what a package variable leads to.
type Behind struct{ cell }

func (b *Behind) Put(v int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.full {
		return false
	}
	first.value = v
	b.value, b.full = first.value, true
	return true
}

func (b *Behind) Take() (int, bool) { return b.take() }

var lock sync.Mutex

// Locked has one lock for all of them.
type Locked struct{ cell }

func (l *Locked) Put(v int) bool {
	lock.Lock()
	defer lock.Unlock()
	if l.full {
		return false
	}
	l.value, l.full = v, true
	return true
}

func (l *Locked) Take() (int, bool) {
	lock.Lock()
	defer lock.Unlock()
	if !l.full {
		return 0, false
	}
	l.full = false
	return l.value, true
}

// Finalized loses its value when an object is collected.
type Finalized struct{ cell }

func (f *Finalized) Put(v int) bool {
	runtime.SetFinalizer(new([16]int), func(*[16]int) { f.take() })
	return f.put(v)
}

func (f *Finalized) Take() (int, bool) { return f.take() }

var table = []int{7, 8}

// Reading only reads a package variable.
type Reading struct{ cell }

func (r *Reading) Put(v int) bool    { return r.put(table[v%2]) }
func (r *Reading) Take() (int, bool) { return r.take() }
