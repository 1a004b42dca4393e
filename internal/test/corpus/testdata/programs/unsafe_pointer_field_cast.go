// construct: unsafe.Pointer to a pointer field, atomic on it
// outcomes: exact
// outcome: "a then b\n"
// outcome: "b then a\n"
// why: both goroutines push their node with a swap; the list shows the order.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

type node struct {
	next *node
	name string
}

type list struct{ head *node }

func (l *list) push(n *node) {
	at := (*unsafe.Pointer)(unsafe.Pointer(&l.head))
	n.next = (*node)(atomic.SwapPointer(at, unsafe.Pointer(n)))
}

func main() {
	var l list
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { l.push(&node{name: "a"}); wg.Done() }()
	go func() { l.push(&node{name: "b"}); wg.Done() }()
	wg.Wait()
	fmt.Println(l.head.next.name, "then", l.head.name)
}
