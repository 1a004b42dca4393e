// construct: sync.Mutex TryLock
// outcomes: exact
// outcome: "true true\n"
// outcome: "true false\n"
// outcome: "false true\n"
// why: an attempt fails only while the other thread holds the lock, so at least the first succeeds;
//	the second succeeds if it comes after the unlock.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var got [2]bool
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			if mu.TryLock() {
				got[i] = true
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println(got[0], got[1])
}
