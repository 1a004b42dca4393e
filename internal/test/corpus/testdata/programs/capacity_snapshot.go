// construct: a list that is replaced by CompareAndSwap, made by append
// outcomes: exact
// open: capacity
// outcome: race
// outcome: "[1 2 2]\n"
// outcome: "[1 2 3]\n"
// outcome: "[1 3 2]\n"
// outcome: "[1 3 3]\n"
// why: append may write behind the list that others read and append to: then two goroutines write one
//	element. Only if there is no room is the new list a copy.

package main

import (
	"fmt"
	"sync/atomic"
)

var list atomic.Pointer[[]int]

func add(x int, done chan bool) {
	for {
		old := list.Load()
		longer := append(*old, x)
		if list.CompareAndSwap(old, &longer) {
			break
		}
	}
	done <- true
}

func main() {
	first := append([]int(nil), 1)
	list.Store(&first)
	done := make(chan bool)
	go add(2, done)
	go add(3, done)
	<-done
	<-done
	fmt.Println(*list.Load())
}
