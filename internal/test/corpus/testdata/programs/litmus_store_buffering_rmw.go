// construct: atomic.Int32 Swap and Add, litmus SB with read-modify-writes
// outcomes: exact
// outcome: "0 1 1 1\n"
// outcome: "1 0 1 1\n"
// outcome: "1 1 1 1\n"
// why: as store buffering; swapping or adding zero instead of loading changes no order, and the
//	final values are always 1.

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
	go func() { x.Swap(1); r1 = y.Add(0); wg.Done() }()
	go func() { y.Swap(1); r2 = x.Add(0); wg.Done() }()
	wg.Wait()
	fmt.Println(r1, r2, x.Load(), y.Load())
}
