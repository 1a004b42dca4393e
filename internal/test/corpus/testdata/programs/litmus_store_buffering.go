// construct: atomic.Int32, goroutine, litmus SB
// outcomes: exact
// outcome: "r1=0 r2=1\n"
// outcome: "r1=1 r2=0\n"
// outcome: "r1=1 r2=1\n"
// why: r1=0 r2=0 would need each load before the other thread's store; with program order that
//	is the cycle x=1 < load y < y=1 < load x < x=1. The others: one thread first, or both stores first.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y atomic.Int32
	var r1, r2 int32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		x.Store(1)
		r1 = y.Load()
	}()
	go func() {
		defer wg.Done()
		y.Store(1)
		r2 = x.Load()
	}()
	wg.Wait()
	fmt.Printf("r1=%d r2=%d\n", r1, r2)
}
