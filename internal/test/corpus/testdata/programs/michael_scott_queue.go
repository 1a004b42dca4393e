// construct: lock-free queue, helping, atomic.Pointer fields
// outcomes: exact
// outcome: "1 then 2\n"
// outcome: "2 then 1\n"
// why: two enqueues in either order, two dequeues afterwards in the same order.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type node struct {
	value int
	next  atomic.Pointer[node]
}

type queue struct{ head, tail atomic.Pointer[node] }

func (q *queue) enqueue(v int) {
	n := &node{value: v}
	for {
		t := q.tail.Load()
		next := t.next.Load()
		if next != nil {
			q.tail.CompareAndSwap(t, next)
			continue
		}
		if t.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(t, n)
			return
		}
	}
}

func (q *queue) dequeue() int {
	h := q.head.Load()
	n := h.next.Load()
	q.head.Store(n)
	return n.value
}

func main() {
	q := &queue{}
	dummy := &node{}
	q.head.Store(dummy)
	q.tail.Store(dummy)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { q.enqueue(1); wg.Done() }()
	go func() { q.enqueue(2); wg.Done() }()
	wg.Wait()
	a := q.dequeue()
	fmt.Println(a, "then", q.dequeue())
}
