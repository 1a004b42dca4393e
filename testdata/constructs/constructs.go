// Package constructs has a pair of types for each thing that a method can take or return. The
// one whose name ends in Wrong has a defect that shows in nothing else.
package constructs

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// VariadicRight adds all at once.
type VariadicRight struct {
	mu sync.Mutex
	n  []int
}

func (v *VariadicRight) AddAll(xs ...int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.n = append(v.n, xs...)
}

func (v *VariadicRight) Size() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.n)
}

// VariadicWrong adds one after the other.
type VariadicWrong struct {
	mu sync.Mutex
	n  []int
}

func (v *VariadicWrong) AddAll(xs ...int) {
	for _, x := range xs {
		v.mu.Lock()
		v.n = append(v.n, x)
		v.mu.Unlock()
	}
}

func (v *VariadicWrong) Size() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.n)
}

// Stats are two numbers that belong together.
type Stats struct{ Hits, Total int }

// StructRight reads both at once.
type StructRight struct {
	mu sync.Mutex
	s  Stats
}

func (s *StructRight) Hit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Hits++
	s.s.Total++
}

func (s *StructRight) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.s
}

// StructWrong reads one after the other.
type StructWrong struct {
	mu sync.Mutex
	s  Stats
}

func (s *StructWrong) Hit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Hits++
	s.s.Total++
}

func (s *StructWrong) Stats() (out Stats) {
	s.mu.Lock()
	out.Hits = s.s.Hits
	s.mu.Unlock()
	s.mu.Lock()
	out.Total = s.s.Total
	s.mu.Unlock()
	return out
}

// SliceRight takes and gives slices at once.
type SliceRight struct {
	mu sync.Mutex
	xs []string
}

func (s *SliceRight) Extend(xs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.xs = append(s.xs, xs...)
}

func (s *SliceRight) List() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.xs...)
}

// SliceWrong gives what it goes on to change.
type SliceWrong struct {
	mu sync.Mutex
	xs [4]string
	n  int
}

func (s *SliceWrong) Extend(xs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n = 0
	for _, x := range xs {
		s.xs[s.n] = x
		s.n++
	}
}

func (s *SliceWrong) List() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.xs[:s.n]
}

// MapRight takes and gives maps at once.
type MapRight struct {
	mu sync.Mutex
	m  map[string]int
}

func (m *MapRight) Merge(from map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil {
		m.m = map[string]int{}
	}
	for k, v := range from {
		m.m[k] += v + 1
	}
}

func (m *MapRight) All() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]int{}
	for k, v := range m.m {
		out[k] = v
	}
	return out
}

// MapWrong gives the map itself.
type MapWrong struct {
	mu sync.Mutex
	m  map[string]int
}

func (m *MapWrong) Merge(from map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil {
		m.m = map[string]int{}
	}
	for k, v := range from {
		m.m[k] += v + 1
	}
}

func (m *MapWrong) All() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.m
}

// ErrEmpty and ErrClosed are told apart.
var (
	ErrEmpty  = errors.New("empty")
	ErrClosed = errors.New("closed")
)

// ErrorRight says that it is closed once it is.
type ErrorRight struct {
	mu     sync.Mutex
	closed bool
}

func (e *ErrorRight) Shut() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}

func (e *ErrorRight) Check() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	return ErrEmpty
}

// Open shows that something is done: without it everything is a refusal, of which nothing is verified.
func (e *ErrorRight) Open() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.closed
}

// ErrorWrong says that it is empty first, and that it is closed once somebody has seen it.
type ErrorWrong struct {
	mu           sync.Mutex
	closed, late bool
}

func (e *ErrorWrong) Shut() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.mu.Lock()
	e.late = true
	e.mu.Unlock()
}

func (e *ErrorWrong) Check() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.late:
		return ErrClosed
	case e.closed:
		return context.Canceled
	}
	return ErrEmpty
}

// Open shows that something is done: without it everything is a refusal, of which nothing is verified.
func (e *ErrorWrong) Open() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.closed
}

// UpdateRight updates by a function.
type UpdateRight struct {
	mu sync.Mutex
	n  int
}

func (u *UpdateRight) Update(f func(old int) int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n = f(u.n)
}

// UpdateWrong loses updates.
type UpdateWrong struct {
	mu sync.Mutex
	n  int
}

func (u *UpdateWrong) Update(f func(old int) int) {
	u.mu.Lock()
	n := u.n
	u.mu.Unlock()
	n = f(n)
	u.mu.Lock()
	u.n = n
	u.mu.Unlock()
}

// EachRight calls a function with what there is.
type EachRight struct {
	mu sync.Mutex
	xs []int
}

func (e *EachRight) Include(x int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.xs = append(e.xs, x)
}

func (e *EachRight) Each(f func(x int) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.xs {
		if !f(x) {
			return
		}
	}
}

// EachWrong does so without the lock.
type EachWrong struct {
	mu sync.Mutex
	xs []int
}

func (e *EachWrong) Include(x int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.xs = append(e.xs, x)
}

func (e *EachWrong) Each(f func(x int) bool) {
	for _, x := range e.xs {
		if !f(x) {
			return
		}
	}
}

// ContextRight gives up waiting when the context is cancelled.
type ContextRight struct {
	mu      sync.Mutex
	held    bool
	waiters []chan struct{}
}

func (c *ContextRight) Begin(ctx context.Context) error {
	c.mu.Lock()
	if !c.held {
		c.held = true
		c.mu.Unlock()
		return nil
	}
	w := make(chan struct{})
	c.waiters = append(c.waiters, w)
	c.mu.Unlock()
	select {
	case <-w:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.waiters {
		if c.waiters[i] == w {
			c.waiters = append(c.waiters[:i:i], c.waiters[i+1:]...)
			return ctx.Err()
		}
	}
	return nil // it was given meanwhile: passing it on would keep others out although nobody holds it
}

func (c *ContextRight) pass() {
	if len(c.waiters) == 0 {
		c.held = false
		return
	}
	close(c.waiters[0])
	c.waiters = c.waiters[1:]
}

func (c *ContextRight) Finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held {
		c.pass()
	}
}

// ContextWrong loses what it was given at the moment at which it gave up.
type ContextWrong struct {
	mu      sync.Mutex
	held    bool
	waiters []chan struct{}
}

func (c *ContextWrong) Begin(ctx context.Context) error {
	c.mu.Lock()
	if !c.held {
		c.held = true
		c.mu.Unlock()
		return nil
	}
	w := make(chan struct{})
	c.waiters = append(c.waiters, w)
	c.mu.Unlock()
	select {
	case <-w:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.waiters {
		if c.waiters[i] == w {
			c.waiters = append(c.waiters[:i:i], c.waiters[i+1:]...)
		}
	}
	return ctx.Err()
}

func (c *ContextWrong) Finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.held:
	case len(c.waiters) == 0:
		c.held = false
	default:
		close(c.waiters[0])
		c.waiters = c.waiters[1:]
	}
}

// ChannelRight gives channels and sends to all of them.
type ChannelRight struct {
	mu     sync.Mutex
	subs   []chan int
	closed bool
}

func (c *ChannelRight) Subscribe() <-chan int {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan int, 2)
	if c.closed {
		close(ch)
		return ch
	}
	c.subs = append(c.subs, ch)
	return ch
}

func (c *ChannelRight) Publish(x int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.subs {
		select {
		case s <- x:
		default:
		}
	}
}

func (c *ChannelRight) Shutdown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		for _, s := range c.subs {
			close(s)
		}
		c.subs = nil
	}
}

// ChannelWrong sends to what may have been closed.
type ChannelWrong struct {
	mu     sync.Mutex
	subs   []chan int
	closed bool
}

func (c *ChannelWrong) Subscribe() <-chan int {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan int, 2)
	if c.closed {
		close(ch)
		return ch
	}
	c.subs = append(c.subs, ch)
	return ch
}

func (c *ChannelWrong) Publish(x int) {
	c.mu.Lock()
	subs := c.subs
	c.mu.Unlock()
	for _, s := range subs {
		select {
		case s <- x:
		default:
		}
	}
}

func (c *ChannelWrong) Shutdown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		for _, s := range c.subs {
			close(s)
		}
		c.subs = nil
	}
}

// OuterRight sends to channels that callers make.
type OuterRight struct {
	mu sync.Mutex
	to []chan<- int
}

func (o *OuterRight) Notify(ch chan<- int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = append(o.to, ch)
}

func (o *OuterRight) Tell(x int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, ch := range o.to {
		select {
		case ch <- x:
		default:
		}
	}
}

// OuterWrong forgets the channels of those that come at once.
type OuterWrong struct {
	mu sync.Mutex
	to []chan<- int
}

func (o *OuterWrong) Notify(ch chan<- int) {
	o.mu.Lock()
	to := o.to
	o.mu.Unlock()
	to = append(to[:len(to):len(to)], ch)
	o.mu.Lock()
	o.to = to
	o.mu.Unlock()
}

func (o *OuterWrong) Tell(x int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, ch := range o.to {
		select {
		case ch <- x:
		default:
		}
	}
}

// ReleaseRight gives a function that gives back.
type ReleaseRight struct {
	mu sync.Mutex
	n  int
}

func (r *ReleaseRight) Enter() (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.n--
	}
}

func (r *ReleaseRight) Inside() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// ReleaseWrong gives one that forgets the lock.
type ReleaseWrong struct {
	mu sync.Mutex
	n  int
}

func (r *ReleaseWrong) Enter() (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return func() { r.n-- }
}

func (r *ReleaseWrong) Inside() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// Conn is what pools give.
type Conn struct{ used int }

// Use changes it, as only one may at a time.
func (c *Conn) Use() int {
	c.used++
	return c.used
}

// HandleRight gives a connection to one at a time.
type HandleRight struct {
	mu   sync.Mutex
	free []*Conn
}

func (h *HandleRight) Acquire() *Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.free); n > 0 {
		c := h.free[n-1]
		h.free = h.free[:n-1]
		return c
	}
	return &Conn{}
}

func (h *HandleRight) Release(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.free = append(h.free, c)
}

// HandleWrong gives it to several.
type HandleWrong struct {
	mu   sync.Mutex
	free []*Conn
}

func (h *HandleWrong) Acquire() *Conn {
	h.mu.Lock()
	n := len(h.free)
	if n == 0 {
		h.mu.Unlock()
		return &Conn{}
	}
	c := h.free[n-1]
	h.mu.Unlock()
	h.mu.Lock()
	h.free = h.free[:max(0, len(h.free)-1)]
	h.mu.Unlock()
	return c
}

func (h *HandleWrong) Release(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.free = append(h.free, c)
}

// Ticket is a handle that is cancelled.
type Ticket struct{ cancel func() }

// Cancel gives it back.
func (t *Ticket) Cancel() { t.cancel() }

// TicketRight counts the tickets.
type TicketRight struct {
	mu sync.Mutex
	n  int
}

func (t *TicketRight) Draw() *Ticket {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return &Ticket{func() { t.mu.Lock(); t.n--; t.mu.Unlock() }}
}

func (t *TicketRight) Outstanding() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// TicketWrong loses those that are cancelled at once.
type TicketWrong struct {
	mu sync.Mutex
	n  int
}

func (t *TicketWrong) Draw() *Ticket {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return &Ticket{func() {
		t.mu.Lock()
		n := t.n
		t.mu.Unlock()
		t.mu.Lock()
		t.n = n - 1
		t.mu.Unlock()
	}}
}

func (t *TicketWrong) Outstanding() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// SeqRight iterates over a copy.
type SeqRight struct {
	mu sync.Mutex
	xs []int
}

func (s *SeqRight) Include(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.xs = append(s.xs[:len(s.xs):len(s.xs)], x)
}

func (s *SeqRight) Items() iter.Seq[int] {
	s.mu.Lock()
	xs := s.xs
	s.mu.Unlock()
	return func(yield func(int) bool) {
		for _, x := range xs {
			if !yield(x) {
				return
			}
		}
	}
}

// SeqWrong iterates over what may change.
type SeqWrong struct {
	mu sync.Mutex
	xs []int
}

func (s *SeqWrong) Include(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.xs = append(s.xs, x)
}

func (s *SeqWrong) Items() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i, x := range s.xs {
			if !yield(i, x) {
				return
			}
		}
	}
}

// CloseRight closes once.
type CloseRight struct {
	once sync.Once
	done chan struct{}
}

// NewCloseRight makes one.
func NewCloseRight() *CloseRight { return &CloseRight{done: make(chan struct{})} }

func (c *CloseRight) Close() { c.once.Do(func() { close(c.done) }) }

func (c *CloseRight) Done() <-chan struct{} { return c.done }

// CloseWrong closes twice if two come at once.
type CloseWrong struct {
	mu     sync.Mutex
	closed bool
	done   chan struct{}
}

// NewCloseWrong makes one.
func NewCloseWrong() *CloseWrong { return &CloseWrong{done: make(chan struct{})} }

func (c *CloseWrong) Close() {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	close(c.done)
}

func (c *CloseWrong) Done() <-chan struct{} { return c.done }

// AnyRight holds one value of any type, with a fault.
type AnyRight struct {
	mu  sync.Mutex
	x   any
	err error
}

func (a *AnyRight) Fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
}

func (a *AnyRight) Keep(x any) (old any, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	old, a.x = a.x, x
	return old, a.err
}

// AnyWrong loses values.
type AnyWrong struct {
	mu  sync.Mutex
	x   any
	err error
}

func (a *AnyWrong) Fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
}

func (a *AnyWrong) Keep(x any) (old any, err error) {
	a.mu.Lock()
	old, err = a.x, a.err
	a.mu.Unlock()
	a.mu.Lock()
	a.x = x
	a.mu.Unlock()
	return old, err
}
