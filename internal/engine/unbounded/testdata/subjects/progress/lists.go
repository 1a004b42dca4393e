package progress

import (
	"sync"
	"sync/atomic"
)

type node struct {
	key  int
	end  int // -1 of the first node, 1 of the last one
	mu   sync.Mutex
	next *node
}

func (n *node) before(x int) bool { return n.end < 0 || n.end == 0 && n.key < x }

func (n *node) is(x int) bool { return n.end == 0 && n.key == x }

func newNodes() *node { return &node{end: -1, next: &node{end: 1}} }

// Back takes locks hand over hand, and adds with the lock of the node in front taken a second time, against the order.
type Back struct{ head *node }

func NewBack() *Back { return &Back{head: newNodes()} }

func (l *Back) around(x int) (pred, curr *node) {
	pred = l.head
	pred.mu.Lock()
	curr = pred.next
	curr.mu.Lock()
	for curr.before(x) {
		pred.mu.Unlock()
		pred, curr = curr, curr.next
		curr.mu.Lock()
	}
	return pred, curr
}

func (l *Back) Add(x int) bool {
	for {
		pred, curr := l.around(x)
		pred.mu.Unlock() // and takes it again, with that of curr
		pred.mu.Lock()
		if pred.next != curr {
			curr.mu.Unlock()
			pred.mu.Unlock()
			continue
		}
		if curr.is(x) {
			curr.mu.Unlock()
			pred.mu.Unlock()
			return false
		}
		pred.next = &node{key: x, next: curr}
		curr.mu.Unlock()
		pred.mu.Unlock()
		return true
	}
}

func (l *Back) Contains(x int) bool {
	pred, curr := l.around(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	return curr.is(x)
}

// Hands takes locks hand over hand.
type Hands struct{ head *node }

func NewHands() *Hands { return &Hands{head: newNodes()} }

func (l *Hands) around(x int) (pred, curr *node) {
	pred = l.head
	pred.mu.Lock()
	curr = pred.next
	curr.mu.Lock()
	for curr.before(x) {
		pred.mu.Unlock()
		pred, curr = curr, curr.next
		curr.mu.Lock()
	}
	return pred, curr
}

func (l *Hands) Add(x int) bool {
	pred, curr := l.around(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	if curr.is(x) {
		return false
	}
	pred.next = &node{key: x, next: curr}
	return true
}

func (l *Hands) Contains(x int) bool {
	pred, curr := l.around(x)
	defer pred.mu.Unlock()
	defer curr.mu.Unlock()
	return curr.is(x)
}

type link struct {
	value int
	next  atomic.Pointer[link]
}

// Unhelped is a queue in which who finds the tail behind waits for the one that has to set it.
type Unhelped struct{ head, tail atomic.Pointer[link] }

func NewUnhelped() *Unhelped {
	q, first := &Unhelped{}, &link{}
	q.head.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Unhelped) Enqueue(x int) {
	c := &link{value: x}
	for {
		last := q.tail.Load()
		if last.next.Load() != nil {
			continue
		}
		if last.next.CompareAndSwap(nil, c) {
			q.tail.CompareAndSwap(last, c)
			return
		}
	}
}

func (q *Unhelped) Dequeue() (int, bool) {
	for {
		first := q.head.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(first, next) {
			return next.value, true
		}
	}
}
