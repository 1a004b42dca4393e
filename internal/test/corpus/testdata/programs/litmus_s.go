// construct: atomic functions on uint32, litmus S
// outcomes: exact
// outcome: "r=0 x=1\n"
// outcome: "r=0 x=2\n"
// outcome: "r=1 x=1\n"
// why: r=1 puts x=2 < y=1 < load y < x=1, so x=1 at the end. With r=0 the writes of x may come in
//	either order.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y, r uint32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { atomic.StoreUint32(&x, 2); atomic.StoreUint32(&y, 1); wg.Done() }()
	go func() { r = atomic.LoadUint32(&y); atomic.StoreUint32(&x, 1); wg.Done() }()
	wg.Wait()
	fmt.Printf("r=%d x=%d\n", r, x)
}
