// construct: unsafe.Pointer casts with atomics
// outcomes: exact
// outcome: "none\n"
// outcome: "two 2\n"
// why: the pointer is nil or points to the complete node; the cast back gives the same type.

package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

type node struct {
	name string
	n    int
}

var head unsafe.Pointer

func main() {
	done := make(chan bool)
	go func() {
		n := &node{"two", 2}
		atomic.CompareAndSwapPointer(&head, nil, unsafe.Pointer(n))
		done <- true
	}()
	n := (*node)(atomic.LoadPointer(&head))
	<-done
	if n == nil {
		fmt.Println("none")
	} else {
		fmt.Println(n.name, n.n)
	}
}
