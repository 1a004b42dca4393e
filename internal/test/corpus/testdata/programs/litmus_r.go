// construct: atomic.Uint64, litmus R
// outcomes: exact
// outcome: "y=1 r=0\n"
// outcome: "y=1 r=1\n"
// outcome: "y=2 r=1\n"
// why: y=2 at the end puts x=1 < y=1 < y=2 < load x, so r=1. With y=1 last, the load of x is free:
//	it may come before x=1 or after it.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y atomic.Uint64
	var r uint64
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { x.Store(1); y.Store(1); wg.Done() }()
	go func() { y.Store(2); r = x.Load(); wg.Done() }()
	wg.Wait()
	fmt.Printf("y=%d r=%d\n", y.Load(), r)
}
