// construct: closures sharing a captured variable
// outcomes: exact
// outcome: "1\n"
// outcome: "2\n"
// why: both closures change the same captured variable under a lock: +1 then *2 gives 2, *2 then +1
//	gives 1.

package main

import (
	"fmt"
	"sync"
)

func main() {
	x := 0
	var mu sync.Mutex
	locked := func(f func()) func() {
		return func() {
			mu.Lock()
			f()
			mu.Unlock()
		}
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func(f func()) { f(); wg.Done() }(locked(func() { x++ }))
	go func(f func()) { f(); wg.Done() }(locked(func() { x *= 2 }))
	wg.Wait()
	fmt.Println(x)
}
