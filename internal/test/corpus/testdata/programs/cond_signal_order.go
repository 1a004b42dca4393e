// construct: sync.Cond Signal, which waiter is woken
// outcomes: subset
// outcome: "[0 1]\n"

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	waiting, tokens := 0, 0
	var order []int
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			for waiting != i {
				mu.Unlock()
				mu.Lock()
			}
			waiting++
			for tokens == 0 {
				cond.Wait()
			}
			tokens--
			order = append(order, i)
		}()
	}
	for released := 0; released < 2; {
		mu.Lock()
		if waiting == 2 {
			tokens++
			released++
			cond.Signal()
		}
		mu.Unlock()
	}
	wg.Wait()
	fmt.Println(order)
}
