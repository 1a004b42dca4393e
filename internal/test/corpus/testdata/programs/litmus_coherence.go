// construct: atomic.Int32, coherence of writes
// outcomes: exact
// outcome: "00 1\n"
// outcome: "00 2\n"
// outcome: "01 1\n"
// outcome: "01 2\n"
// outcome: "02 1\n"
// outcome: "02 2\n"
// outcome: "11 1\n"
// outcome: "11 2\n"
// outcome: "12 2\n"
// outcome: "21 1\n"
// outcome: "22 1\n"
// outcome: "22 2\n"
// why: with the writes in the order 1, 2 the location runs 0 1 2 and ends with 2; the reader sees
//	any nondecreasing pair along it: six. In the other order it runs 0 2 1 and ends with 1: six more.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x atomic.Int32
	var r1, r2 int32
	var wg sync.WaitGroup
	wg.Add(3)
	go func() { x.Store(1); wg.Done() }()
	go func() { x.Store(2); wg.Done() }()
	go func() { r1 = x.Load(); r2 = x.Load(); wg.Done() }()
	wg.Wait()
	fmt.Printf("%d%d %d\n", r1, r2, x.Load())
}
