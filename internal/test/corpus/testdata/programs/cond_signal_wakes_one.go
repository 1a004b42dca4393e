// construct: sync.Cond Signal with two waiters, deadlock
// outcomes: exact
// outcome: "both\n"
// outcome: deadlock
// waits: sync.Cond.Wait, sync.WaitGroup.Wait
// why: one signal, two goroutines that need the flag. If both wait before it, one stays behind; a
//	goroutine that takes the lock after the flag is set does not wait at all. At least one gets on in any case.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	open := false
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			mu.Lock()
			for !open {
				cond.Wait()
			}
			mu.Unlock()
			wg.Done()
		}()
	}
	mu.Lock()
	open = true
	mu.Unlock()
	cond.Signal()
	wg.Wait()
	fmt.Println("both")
}
