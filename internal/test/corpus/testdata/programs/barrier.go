// construct: barrier from an atomic counter and a channel
// outcomes: exact
// outcome: "3 3 3\n"
// why: nobody passes before all three have arrived, so each sees three arrivals.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var arrived atomic.Int32
	open := make(chan struct{})
	var seen [3]int32
	var wg sync.WaitGroup
	for i := range seen {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if arrived.Add(1) == 3 {
				close(open)
			}
			<-open
			seen[i] = arrived.Load()
		}()
	}
	wg.Wait()
	fmt.Println(seen[0], seen[1], seen[2])
}
