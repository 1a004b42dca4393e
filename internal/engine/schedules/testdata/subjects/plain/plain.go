// Package plain has what is wrong in other ways.
package plain

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// Racy has no lock.
type Racy struct{ n int }

func NewRacy() *Racy { return &Racy{} }

func (r *Racy) Inc() { r.n++ }

func (r *Racy) Get() int { return r.n }

// Torn loads and stores.
type Torn struct{ n atomic.Int64 }

func NewTorn() *Torn { return &Torn{} }

func (t *Torn) Inc() { t.n.Store(t.n.Load() + 1) }

func (t *Torn) Get() int { return int(t.n.Load()) }

// Crossed takes two locks in two orders.
type Crossed struct {
	a, b sync.Mutex
	n    int
}

func NewCrossed() *Crossed { return &Crossed{} }

func (c *Crossed) Inc() {
	c.a.Lock()
	c.b.Lock()
	c.n++
	c.b.Unlock()
	c.a.Unlock()
}

func (c *Crossed) Get() int {
	c.b.Lock()
	c.a.Lock()
	defer c.b.Unlock()
	defer c.a.Unlock()
	return c.n
}

// Panicking indexes by what it has read before.
type Panicking struct {
	mu    sync.Mutex
	items []int
}

func NewPanicking() *Panicking { return &Panicking{} }

func (p *Panicking) Put(x int) {
	p.mu.Lock()
	p.items = append(p.items, x)
	p.mu.Unlock()
}

func (p *Panicking) Get() (int, bool) {
	p.mu.Lock()
	n := len(p.items)
	p.mu.Unlock()
	if n == 0 {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.items[0]
	p.items = p.items[1:]
	return x, true
}

// Queue is a queue under a lock.
type Queue struct {
	mu    sync.Mutex
	items []int
}

func NewQueue() *Queue { return &Queue{} }

func (q *Queue) Enqueue(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, x)
}

func (q *Queue) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	x := q.items[0]
	q.items = q.items[1:]
	return x, true
}

// Line has the methods of a stack, and is none.
type Line struct{ q Queue }

func NewLine() *Line { return &Line{} }

func (l *Line) Push(x int) { l.q.Enqueue(x) }

func (l *Line) Pop() (int, bool) { return l.q.Dequeue() }

// Flaky depends on what no schedule decides.
type Flaky struct {
	mu sync.Mutex
	n  int
}

func NewFlaky() *Flaky { return &Flaky{} }

func (f *Flaky) Inc() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
}

func (f *Flaky) Get() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b [4]byte
	rand.Read(b[:])
	return f.n + int(binary.LittleEndian.Uint32(b[:]))
}

// Odd is wrong whoever calls it: it forgets each third item.
type Odd struct {
	q Queue
	n int
}

func NewOdd() *Odd { return &Odd{} }

func (o *Odd) Enqueue(x int) {
	o.q.mu.Lock()
	defer o.q.mu.Unlock()
	if o.n++; o.n%3 != 0 {
		o.q.items = append(o.q.items, x)
	}
}

func (o *Odd) Dequeue() (int, bool) { return o.q.Dequeue() }

// Left leaves a goroutine behind that panics, whoever makes calls; it may while the second one is in progress.
type Left struct {
	n    atomic.Int64
	done atomic.Bool
}

func NewLeft() *Left { return &Left{} }

func (l *Left) Inc() int {
	go func() {
		if l.n.Load() == 2 {
			panic("two")
		}
	}()
	n := l.n.Add(1)
	l.done.Store(true)
	return int(n)
}

// Group has a Done that its goroutines call, and its users may: who calls it once too often panics.
type Group struct{ n atomic.Int64 }

func NewGroup() *Group { return &Group{} }

func (g *Group) Go() {
	g.n.Add(1)
	go g.Done()
}

func (g *Group) Done() {
	if g.n.Add(-1) < 0 {
		panic("negative counter")
	}
}

// Spinning waits for what nobody does, once somebody has asked for it.
type Spinning struct {
	held atomic.Bool
	n    atomic.Int64
}

func NewSpinning() *Spinning { return &Spinning{} }

func (s *Spinning) Inc() {
	for !s.held.CompareAndSwap(false, true) {
	}
	s.n.Add(1)
	s.held.Store(false)
}

func (s *Spinning) Get() int {
	if !s.held.CompareAndSwap(false, true) {
		for s.held.Load() {
		}
		s.held.Store(true) // and nobody gives it back
		return int(s.n.Load())
	}
	n := int(s.n.Load())
	s.held.Store(false)
	return n
}
