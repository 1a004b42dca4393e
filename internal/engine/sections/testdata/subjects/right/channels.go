package right

import "sync"

// Seats is a semaphore.
type Seats struct{ taken chan struct{} }

func NewSeats() *Seats { return &Seats{make(chan struct{}, 2)} }

func (s *Seats) Take() { s.taken <- struct{}{} }

func (s *Seats) TryTake() bool {
	select {
	case s.taken <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *Seats) Leave() { <-s.taken }

func (s *Seats) Taken() int { return len(s.taken) }

func (s *Seats) All() int { return cap(s.taken) }

// Spare keeps slices for those who need one.
type Spare struct {
	free  chan []byte
	width int
}

func newSpare(most, width int) *Spare { return &Spare{make(chan []byte, most), width} }

func NewSpare() *Spare { return newSpare(2, 4) }

func (s *Spare) Get() []byte {
	select {
	case b := <-s.free:
		return b
	default:
		return make([]byte, s.width)
	}
}

func (s *Spare) Put(b []byte) bool {
	if cap(b) < s.width {
		return false
	}
	select {
	case s.free <- b[:s.width]:
		return true
	default:
		return false
	}
}

// Post counts letters under a lock, where it puts them into its box.
type Post struct {
	mu  sync.Mutex
	n   int
	box chan int
}

func NewPost() *Post { return &Post{box: make(chan int, 1)} }

func (p *Post) Send(x int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.box <- x:
		p.n++
		return true
	default:
		return false
	}
}

func (p *Post) Receive() int { return <-p.box }

func (p *Post) Sent() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// Gate is opened once.
type Gate struct {
	mu     sync.Mutex
	opened bool
	open   chan struct{}
}

func NewGate() *Gate { return &Gate{open: make(chan struct{}, 1)} }

func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.opened {
		g.opened = true
		close(g.open)
	}
}

func (g *Gate) IsOpen() bool {
	select {
	case <-g.open:
		return true
	default:
		return false
	}
}

// EitherBox takes from one of two boxes.
type EitherBox struct{ a, b chan *int }

func NewEitherBox() *EitherBox { return &EitherBox{make(chan *int, 1), make(chan *int, 1)} }

func (e *EitherBox) Put(x int) bool {
	select {
	case e.a <- &x:
		return true
	case e.b <- &x:
		return true
	default:
		return false
	}
}

func (e *EitherBox) Take() (int, bool) {
	select {
	case x := <-e.a:
		return *x, true
	case x := <-e.b:
		return *x, true
	default:
		return 0, false
	}
}

// Batch puts two items into its box under a lock under which alone the box is used.
type Batch struct {
	mu  sync.Mutex
	box chan int
}

func NewBatch() *Batch { return &Batch{box: make(chan int, 2)} }

func (b *Batch) Put(x int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range 2 {
		select {
		case b.box <- x:
		default:
		}
	}
}

func (b *Batch) Sum() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		select {
		case x := <-b.box:
			n += x
		default:
			return n
		}
	}
}

// Meet has no room in its box: calls meet there.
type Meet struct{ box chan int }

func NewMeet() *Meet { return &Meet{make(chan int)} }

func (m *Meet) Put(x int) { m.box <- x }

func (m *Meet) Take() int { return <-m.box }

var common = make(chan int, 1)

// Common puts everything into a box of the package. A proof is about one collection.
type Common struct{ box chan int }

func NewCommon() *Common { return &Common{common} }

func (c *Common) Put(x int) bool {
	select {
	case c.box <- x:
		return true
	default:
		return false
	}
}

// Roomy has a box whose room its constructor computes.
type Roomy struct{ box chan int }

func NewRoomy() *Roomy {
	n := 0
	for n < 3 {
		n++
	}
	return &Roomy{make(chan int, n)}
}

func (r *Roomy) Put(x int) { r.box <- x }

// OfferMeets gives a number to who waits for one: there is no room for it.
type OfferMeets struct{ box chan int }

func NewOfferMeets() *OfferMeets { return &OfferMeets{make(chan int)} }

func (o *OfferMeets) Offer(x int) bool {
	select {
	case o.box <- x:
		return true
	default:
		return false
	}
}

func (o *OfferMeets) Take() int { return <-o.box }

// Stops is stopped once. Nobody sends to the channel that says so, which has no room.
type Stops struct {
	mu      sync.Mutex
	stopped bool
	done    chan bool
}

func NewStops() *Stops { return &Stops{done: make(chan bool)} }

func (s *Stops) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopped {
		s.stopped = true
		close(s.done)
	}
}

func (s *Stops) Stopped() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *Stops) Wait() { <-s.done }

type subscription struct {
	C    <-chan *int
	drop func()
}

// Subscribes gives out the channel that it uses with the lock.
type Subscribes struct {
	mu sync.Mutex
	n  int
	c  chan *int
}

func NewSubscribes() *Subscribes { return &Subscribes{c: make(chan *int, 2)} }

func (s *Subscribes) Subscribe() *subscription { return &subscription{s.c, func() { s.n++ }} }

func (s *Subscribes) Put() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.c) > 0 {
		return false
	}
	s.c <- &s.n
	return len(s.c) == 1
}
