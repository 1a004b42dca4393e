// SPDX-License-Identifier: BSD-3-Clause

// Package numbers has numbers that depend on each other.
package numbers

import (
	"sync"
	"sync/atomic"
)

// Ordered counts twice; the first counter is never behind.
type Ordered struct{ a, b atomic.Int64 }

func (p *Ordered) Inc()       { p.a.Add(1); p.b.Add(1) }
func (p *Ordered) Get() int64 { return p.b.Load() }

//pangolin:invariant always
func (p *Ordered) ordered() bool { return p.a.Load() >= p.b.Load() }

// Disordered counts the second one first.
type Disordered struct{ Ordered }

func (p *Disordered) Inc() { p.b.Add(1); p.a.Add(1) }

// Permits has two permits, of which there are never less than none.
type Permits struct{ free atomic.Int64 }

func NewPermits() *Permits {
	var p Permits
	p.free.Store(2)
	return &p
}

func (p *Permits) TryAcquire() bool {
	for {
		n := p.free.Load()
		if n == 0 {
			return false
		}
		if p.free.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

func (p *Permits) Free() int64 { return max(p.free.Load(), 0) }

//pangolin:invariant always
func (p *Permits) some() bool { return p.free.Load() >= 0 }

// Debts takes one, and gives it back if there was none.
type Debts struct{ Permits }

func NewDebts() *Debts {
	var p Debts
	p.free.Store(2)
	return &p
}

func (p *Debts) TryAcquire() bool {
	if p.free.Add(-1) >= 0 {
		return true
	}
	p.free.Add(1)
	return false
}

// Held has a writer or readers, in one word: -1 is a writer.
//
//pangolin:kind object
type Held struct{ word atomic.Int64 }

func (h *Held) Read() {
	for n := h.word.Load(); n < 0 || !h.word.CompareAndSwap(n, n+1); n = h.word.Load() {
	}
	h.word.Add(-1)
}

func (h *Held) Write() {
	for !h.word.CompareAndSwap(0, -1) {
	}
	h.word.Store(0)
}

//pangolin:invariant always
func (h *Held) alone() bool { return h.word.Load() >= -1 }

// Shared has them in two, and looks at one before it writes the other: a writer comes between.
//
//pangolin:kind object
type Shared struct {
	readers atomic.Int64
	writer  atomic.Bool
}

func (h *Shared) Read() {
	for h.writer.Load() {
	}
	h.readers.Add(1)
	h.readers.Add(-1)
}

func (h *Shared) Write() {
	for h.readers.Load() > 0 || !h.writer.CompareAndSwap(false, true) {
	}
	h.writer.Store(false)
}

//pangolin:invariant always
func (h *Shared) alone() bool { return h.readers.Load() == 0 || !h.writer.Load() }

// Bank moves between two accounts. Where nothing is in progress they have ten together.
type Bank struct{ a, b atomic.Int64 }

func NewBank() *Bank {
	var x Bank
	x.a.Store(10)
	return &x
}

func (x *Bank) Move()    { x.a.Add(-1); x.b.Add(1) }
func (x *Bank) MoveAll() { x.b.Add(x.a.Swap(0)) }

//pangolin:invariant
func (x *Bank) ten() bool { return x.a.Load()+x.b.Load() == 10 }

// Lossy reads an account, and writes it later.
type Lossy struct{ Bank }

func NewLossy() *Lossy {
	var x Lossy
	x.a.Store(10)
	return &x
}

func (x *Lossy) MoveAll() {
	n := x.a.Load()
	x.a.Store(0)
	x.b.Add(n)
}

// Cached has the sum of what it was given, which is worked out when it is asked for. Where nothing is in progress a sum that counts as known is right.
type Cached struct {
	mu    sync.Mutex
	given []int
	sum   int
	known bool
}

func (c *Cached) Give(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.given, c.known = append(c.given, n), false
}

func (c *Cached) Sum() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known {
		c.sum, c.known = total(c.given), true
	}
	return c.sum
}

func total(list []int) (sum int) {
	for _, n := range list {
		sum += n
	}
	return sum
}

//pangolin:invariant
func (c *Cached) right() bool { return !c.known || c.sum == total(c.given) }

// Slipped works it out without the lock, on what was given when it looked.
type Slipped struct{ Cached }

func (c *Slipped) Sum() int {
	c.mu.Lock()
	known, sum, given := c.known, c.sum, c.given
	c.mu.Unlock()
	if known {
		return sum
	}
	sum = total(given)
	c.mu.Lock()
	c.sum, c.known = sum, true
	c.mu.Unlock()
	return sum
}
