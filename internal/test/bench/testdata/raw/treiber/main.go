// Command treiber is a client of its collection with three threads of two calls each: what
// the SPIN model of the same structure does, without an oracle.
package main

import (
	"sync"

	"pangolin/collections/stack"
	"pangolin/mark"
)

func main() {
	c := stack.NewLockFreeStack[int]()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				call(c)
			}
		})
	}
	wg.Wait()
}

func call(s *stack.LockFreeStack[int]) {
	switch k := mark.Choose(3); k {
	case 0:
		s.Pop()
	default:
		s.Push(k)
	}
}
