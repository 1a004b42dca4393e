// construct: sync.Mutex, append, goroutine with arguments
// outcomes: exact
// outcome: "[0 1]\n"
// outcome: "[1 0]\n"
// why: either section may come first, and appending under the lock loses nothing.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var log []int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func(id int) {
			mu.Lock()
			log = append(log, id)
			mu.Unlock()
			wg.Done()
		}(i)
	}
	wg.Wait()
	fmt.Println(log)
}
