// construct: test-and-test-and-set lock, Swap, goto
// outcomes: exact
// outcome: "ab\n"
// outcome: "ba\n"
// why: the lock excludes; the order of the two sections is free.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var locked atomic.Bool

func lock() {
again:
	for locked.Load() {
	}
	if locked.Swap(true) {
		goto again
	}
}

func main() {
	s := ""
	var wg sync.WaitGroup
	wg.Add(2)
	for _, who := range []string{"a", "b"} {
		go func() {
			lock()
			s += who
			locked.Store(false)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(s)
}
