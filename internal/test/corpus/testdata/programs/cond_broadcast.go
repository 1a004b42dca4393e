// construct: sync.Cond Broadcast
// outcomes: exact
// outcome: "[0 1]\n"
// outcome: "[1 0]\n"
// why: both waiters see the flag, set under the lock before the broadcast; which takes the lock
//	first afterwards is free.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.Cond{L: &mu}
	open := false
	var order []int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			for !open {
				cond.Wait()
			}
			order = append(order, i)
		}()
	}
	mu.Lock()
	open = true
	cond.Broadcast()
	mu.Unlock()
	wg.Wait()
	fmt.Println(order)
}
