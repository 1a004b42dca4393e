// construct: atomic.CompareAndSwapInt64, retry loop
// outcomes: exact
// outcome: "4\n"
// why: a swap succeeds only if nothing changed since the load, so each of the four increments
//	counts once; a failed one is repeated, and one thread always makes progress.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var n int64

func increment() {
	for {
		old := atomic.LoadInt64(&n)
		if atomic.CompareAndSwapInt64(&n, old, old+1) {
			return
		}
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			increment()
			increment()
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
