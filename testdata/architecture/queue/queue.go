package queue

import "sync/atomic"

// A Queue puts an item in two steps: it swaps the last cell, then links the new one behind the old.
type Queue struct{ head, tail atomic.Pointer[cell] }

type cell struct {
	item int
	next atomic.Pointer[cell]
}

func New() *Queue {
	q, first := new(Queue), new(cell)
	q.head.Store(first)
	q.tail.Store(first)
	return q
}

func (q *Queue) Put(item int) {
	c := &cell{item: item}
	q.tail.Swap(c).next.Store(c)
}

func (q *Queue) Get() (int, bool) {
	for {
		first := q.head.Load()
		next := first.next.Load()
		if next == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(first, next) {
			return next.item, true
		}
	}
}
