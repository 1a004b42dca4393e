// construct: atomic.Value
// outcomes: exact
// outcome: "<nil> 1\n"
// outcome: "<nil> 2\n"
// outcome: "1 1\n"
// outcome: "1 2\n"
// outcome: "2 1\n"
// outcome: "2 2\n"
// why: the load sees nothing, the first or the second value stored, whose order is free; the end
//	sees the last. All combinations are possible: seen nothing with either order, seen the first
//	(1 2 and 2 1), seen the last (1 1 and 2 2).

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var v atomic.Value
	var seen any
	var wg sync.WaitGroup
	wg.Add(3)
	go func() { v.Store(1); wg.Done() }()
	go func() { v.Store(2); wg.Done() }()
	go func() { seen = v.Load(); wg.Done() }()
	wg.Wait()
	fmt.Println(seen, v.Load())
}
