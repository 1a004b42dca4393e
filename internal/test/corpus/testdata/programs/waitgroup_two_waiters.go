// construct: sync.WaitGroup, several waiters
// outcomes: exact
// outcome: "1 1\n"
// why: both waiters return after the one Done, which follows the store.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var ready, done sync.WaitGroup
	ready.Add(1)
	x := 0
	var seen [2]int
	for i := range 2 {
		done.Add(1)
		go func() {
			ready.Wait()
			seen[i] = x
			done.Done()
		}()
	}
	x = 1
	ready.Done()
	done.Wait()
	fmt.Println(seen[0], seen[1])
}
