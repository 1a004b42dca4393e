// construct: lock-free stack, atomic.Pointer, retry loop
// outcomes: exact
// outcome: "1 left 2\n"
// outcome: "2 left 1\n"
// outcome: "empty left 12\n"
// outcome: "empty left 21\n"
// why: pop comes before, between or after two pushes by two threads: it finds nothing, the only or
//	the later one. Left is the rest from the top. "1 left 2" is 1 pushed and popped, or pushed on top of 2.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type node struct {
	value int
	next  *node
}

var top atomic.Pointer[node]

func push(v int) {
	n := &node{value: v}
	for {
		n.next = top.Load()
		if top.CompareAndSwap(n.next, n) {
			return
		}
	}
}

func pop() (int, bool) {
	for {
		n := top.Load()
		if n == nil {
			return 0, false
		}
		if top.CompareAndSwap(n, n.next) {
			return n.value, true
		}
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { push(1); wg.Done() }()
	go func() { push(2); wg.Done() }()
	v, ok := pop()
	wg.Wait()
	if ok {
		fmt.Print(v, " left ")
	} else {
		fmt.Print("empty left ")
	}
	for n := top.Load(); n != nil; n = n.next {
		fmt.Print(n.value)
	}
	fmt.Println()
}
