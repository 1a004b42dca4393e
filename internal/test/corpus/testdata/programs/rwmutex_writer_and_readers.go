// construct: sync.RWMutex
// outcomes: exact
// outcome: "00\n"
// outcome: "01\n"
// outcome: "10\n"
// outcome: "11\n"
// why: each reader comes before or after the writer, and never sees a=1 b=0 (it would panic).

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.RWMutex
	var a, b int
	var seen [2]int
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		mu.Lock()
		a = 1
		b = 1
		mu.Unlock()
	}()
	for i := range seen {
		go func() {
			defer wg.Done()
			mu.RLock()
			defer mu.RUnlock()
			if a != b {
				panic("torn")
			}
			seen[i] = a
		}()
	}
	wg.Wait()
	fmt.Printf("%d%d\n", seen[0], seen[1])
}
