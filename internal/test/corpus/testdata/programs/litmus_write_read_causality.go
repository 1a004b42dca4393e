// construct: atomic.Bool, litmus WRC
// outcomes: exact
// outcome: "false false false\n"
// outcome: "false false true\n"
// outcome: "false true false\n"
// outcome: "false true true\n"
// outcome: "true false false\n"
// outcome: "true false true\n"
// outcome: "true true true\n"
// why: true true false is impossible: x=1 < load x (true) < y=1 < load y (true) < load x must then
//	be true. In all the others some first load came early enough to leave the last one free.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y atomic.Bool
	var r1, r2, r3 bool
	var wg sync.WaitGroup
	wg.Add(3)
	go func() { x.Store(true); wg.Done() }()
	go func() { r1 = x.Load(); y.Store(true); wg.Done() }()
	go func() { r2 = y.Load(); r3 = x.Load(); wg.Done() }()
	wg.Wait()
	fmt.Println(r1, r2, r3)
}
