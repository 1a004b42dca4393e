// Command harris is a client of its collection with three threads of two calls each: what
// the SPIN model of the same structure does, without an oracle, and with one value and without Contains.
package main

import (
	"sync"

	"pangolin/collections/list"
	"pangolin/mark"
)

func main() {
	c := list.NewLockFreeList[int]()
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

func call(l *list.LockFreeList[int]) {
	switch mark.Choose(2) {
	case 0:
		l.Add(0)
	default:
		l.Remove(0)
	}
}
