// construct: atomic functions on int32, litmus LB
// outcomes: exact
// outcome: "r1=0 r2=0\n"
// outcome: "r1=0 r2=1\n"
// outcome: "r1=1 r2=0\n"
// why: r1=1 and r2=1 would need each store before the other thread's load, but each store follows
//	its own load: a cycle. Both loads first gives 0 0; one thread first gives the others.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var x, y int32

func main() {
	var r1, r2 int32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		r1 = atomic.LoadInt32(&x)
		atomic.StoreInt32(&y, 1)
		wg.Done()
	}()
	go func() {
		r2 = atomic.LoadInt32(&y)
		atomic.StoreInt32(&x, 1)
		wg.Done()
	}()
	wg.Wait()
	fmt.Printf("r1=%d r2=%d\n", r1, r2)
}
