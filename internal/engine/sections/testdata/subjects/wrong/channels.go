package wrong

import (
	"sync"
	"sync/atomic"
)

// BoxCounts takes a number out of its box, and puts the next one into it.
type BoxCounts struct{ box chan int }

func NewBoxCounts() *BoxCounts { return &BoxCounts{make(chan int, 1)} }

func (b *BoxCounts) Next() int {
	n := 0
	select {
	case n = <-b.box:
	default:
	}
	n++
	select {
	case b.box <- n:
	default:
	}
	return n
}

// CountsBesides counts what it has put into its box.
type CountsBesides struct {
	box chan int
	n   atomic.Int64
}

func NewCountsBesides() *CountsBesides { return &CountsBesides{box: make(chan int, 2)} }

func (c *CountsBesides) Put(x int) bool {
	select {
	case c.box <- x:
		c.n.Add(1)
		return true
	default:
		return false
	}
}

func (c *CountsBesides) Taken() (int, bool) {
	select {
	case x := <-c.box:
		return x, true
	default:
		return 0, false
	}
}

func (c *CountsBesides) Count() int { return int(c.n.Load()) }

type letter struct{ n int }

// WritesSent writes a letter that it has sent.
type WritesSent struct{ box chan *letter }

func NewWritesSent() *WritesSent { return &WritesSent{make(chan *letter, 1)} }

func (w *WritesSent) Send(x int) {
	l := &letter{}
	select {
	case w.box <- l:
	default:
	}
	l.n = x
}

func (w *WritesSent) Receive() int {
	select {
	case l := <-w.box:
		return l.n
	default:
		return 0
	}
}

// WritesReceived writes a letter that it has received, which has a place elsewhere.
type WritesReceived struct {
	box chan *letter
	all []*letter
}

func NewWritesReceived() *WritesReceived {
	w := &WritesReceived{box: make(chan *letter, 1), all: []*letter{{}}}
	w.box <- w.all[0]
	return w
}

func (w *WritesReceived) Use() bool {
	select {
	case l := <-w.box:
		l.n++
		return true
	default:
		return false
	}
}

func (w *WritesReceived) Uses() int { return w.all[0].n }

// SendsBehind sends a number when it has given its lock back.
type SendsBehind struct {
	mu  sync.Mutex
	n   int
	box chan int
}

func NewSendsBehind() *SendsBehind { return &SendsBehind{box: make(chan int, 4)} }

func (s *SendsBehind) Send() {
	s.mu.Lock()
	s.n++
	n := s.n
	s.mu.Unlock()
	s.box <- n
}

func (s *SendsBehind) Receive() int {
	select {
	case n := <-s.box:
		return n
	default:
		return 0
	}
}

// SendsDeferred does so in a deferred call.
type SendsDeferred struct {
	mu  sync.Mutex
	n   int
	box chan int
}

func NewSendsDeferred() *SendsDeferred { return &SendsDeferred{box: make(chan int, 4)} }

func (s *SendsDeferred) Send() {
	n := 0
	defer func() { s.box <- n }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	n = s.n
}

func (s *SendsDeferred) Receive() int {
	select {
	case n := <-s.box:
		return n
	default:
		return 0
	}
}

// TwoBoxes puts one thing into two boxes.
type TwoBoxes struct {
	a chan int
	b chan string
}

func NewTwoBoxes() *TwoBoxes { return &TwoBoxes{make(chan int, 2), make(chan string, 2)} }

func (t *TwoBoxes) Put(x int) {
	select {
	case t.a <- x:
	default:
	}
	select {
	case t.b <- "x":
	default:
	}
}

func (t *TwoBoxes) Numbers() int { return len(t.a) }

func (t *TwoBoxes) Words() int { return len(t.b) }

// DrainsBox takes all that is in its box, one after the other.
type DrainsBox struct{ box chan int }

func NewDrainsBox() *DrainsBox { return &DrainsBox{make(chan int, 1)} }

func (d *DrainsBox) Put(x int) bool {
	select {
	case d.box <- x:
		return true
	default:
		return false
	}
}

func (d *DrainsBox) Drain() (n int) {
	for {
		select {
		case <-d.box:
			n++
		default:
			return n
		}
	}
}

// ClosesLate looks whether it is closed, and then sends.
type ClosesLate struct {
	closed atomic.Bool
	box    chan int
}

func NewClosesLate() *ClosesLate { return &ClosesLate{box: make(chan int, 1)} }

func (c *ClosesLate) Close() {
	if c.closed.CompareAndSwap(false, true) {
		close(c.box)
	}
}

func (c *ClosesLate) Put(x int) bool {
	if c.closed.Load() {
		return false
	}
	select {
	case c.box <- x:
		return true
	default:
		return false
	}
}

// SendsTwice puts two things into its box, which others look at without the lock.
type SendsTwice struct {
	mu  sync.Mutex
	box chan int
}

func NewSendsTwice() *SendsTwice { return &SendsTwice{box: make(chan int, 4)} }

func (s *SendsTwice) Put(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 2 {
		select {
		case s.box <- x:
		default:
		}
	}
}

func (s *SendsTwice) Len() int { return len(s.box) }

// LooksForRoom looks whether there is room, and then refuses or sends.
type LooksForRoom struct{ box chan int }

func NewLooksForRoom() *LooksForRoom { return &LooksForRoom{make(chan int, 1)} }

func (l *LooksForRoom) Put(x int) string {
	if len(l.box) == cap(l.box) {
		return "full"
	}
	select {
	case l.box <- x:
		return "sent"
	default:
		return "somebody was faster"
	}
}

// KeepsWhatItSends sends a map that it keeps, under no lock.
type KeepsWhatItSends struct {
	box  chan map[int]int
	last map[int]int
	mu   sync.Mutex
}

func NewKeepsWhatItSends() *KeepsWhatItSends {
	return &KeepsWhatItSends{box: make(chan map[int]int, 1), last: map[int]int{}}
}

func (k *KeepsWhatItSends) Change(key, to int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last[key] = to
	select {
	case k.box <- k.last:
	default:
	}
}

func (k *KeepsWhatItSends) Look(key int) int {
	select {
	case m := <-k.box:
		return m[key]
	default:
		return -1
	}
}
