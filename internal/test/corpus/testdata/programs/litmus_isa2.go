// construct: atomic.Int32, litmus ISA2
// outcomes: exact
// outcome: "0 0 0\n"
// outcome: "0 0 1\n"
// outcome: "0 1 0\n"
// outcome: "0 1 1\n"
// outcome: "1 0 0\n"
// outcome: "1 0 1\n"
// outcome: "1 1 1\n"
// why: 1 1 0 is impossible: x=1 < y=1 < load y < z=1 < load z < load x. In each other vector one
//	of the links is missing, so that the last load is free.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y, z atomic.Int32
	var r1, r2, r3 int32
	var wg sync.WaitGroup
	wg.Add(3)
	go func() { x.Store(1); y.Store(1); wg.Done() }()
	go func() { r1 = y.Load(); z.Store(1); wg.Done() }()
	go func() { r2 = z.Load(); r3 = x.Load(); wg.Done() }()
	wg.Wait()
	fmt.Println(r1, r2, r3)
}
