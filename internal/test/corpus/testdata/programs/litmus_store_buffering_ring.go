// construct: atomic.Int32, array of atomics, litmus 3.SB
// outcomes: exact
// outcome: "0 0 1\n"
// outcome: "0 1 0\n"
// outcome: "0 1 1\n"
// outcome: "1 0 0\n"
// outcome: "1 0 1\n"
// outcome: "1 1 0\n"
// outcome: "1 1 1\n"
// why: three zeros would need every load before the next thread's store, a cycle through three
//	stores. Any vector with a one breaks the cycle there.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x [3]atomic.Int32
	var r [3]int32
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			x[i].Store(1)
			r[i] = x[(i+1)%3].Load()
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(r[0], r[1], r[2])
}
