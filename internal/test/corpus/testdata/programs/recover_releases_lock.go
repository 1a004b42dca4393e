// construct: recover, deferred Unlock
// outcomes: exact
// outcome: "1\n"
// why: the panicking thread unlocks while it unwinds, so the other gets the lock; only it adds.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			defer func() { recover() }()
			mu.Lock()
			defer mu.Unlock()
			if i == 0 {
				panic("inside")
			}
			n++
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
