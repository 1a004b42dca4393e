// construct: sync.Cond, producer and consumer, slice as queue
// outcomes: exact
// outcome: "[1 2]\n"
// why: one producer, one consumer, a queue in order; each waits while the buffer of one is full or
//	empty and is woken by the other after every change.

package main

import (
	"fmt"
	"sync"
)

type buffer struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
}

func (b *buffer) put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 1 {
		b.cond.Wait()
	}
	b.items = append(b.items, v)
	b.cond.Signal()
}

func (b *buffer) get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 {
		b.cond.Wait()
	}
	v := b.items[0]
	b.items = b.items[1:]
	b.cond.Signal()
	return v
}

func main() {
	b := &buffer{}
	b.cond = sync.NewCond(&b.mu)
	go func() {
		b.put(1)
		b.put(2)
	}()
	var got []int
	got = append(got, b.get())
	got = append(got, b.get())
	fmt.Println(got)
}
