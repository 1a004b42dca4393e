// construct: atomic.Int32 CompareAndSwap
// outcomes: exact
// outcome: "true false 1\n"
// outcome: "false true 2\n"
// why: the two swaps have the same expected value 0, and the first to run removes it.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var owner atomic.Int32
	var won [2]bool
	var wg sync.WaitGroup
	for i := range won {
		wg.Add(1)
		go func() {
			defer wg.Done()
			won[i] = owner.CompareAndSwap(0, int32(i)+1)
		}()
	}
	wg.Wait()
	fmt.Println(won[0], won[1], owner.Load())
}
