// construct: atomic.Int32 Load and Store, goroutine
// outcomes: exact
// outcome: "1\n"
// outcome: "2\n"
// why: load and store are two accesses. If both threads load 0, both store 1; otherwise the second
//	to load sees 1 and stores 2. No third value can be stored.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			v := n.Load()
			n.Store(v + 1)
		}()
	}
	wg.Wait()
	fmt.Println(n.Load())
}
