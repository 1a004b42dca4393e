// construct: buffered channel of capacity 1 as a lock
// outcomes: exact
// outcome: "2\n"
// why: at most one token fits, so the critical sections exclude each other.

package main

import (
	"fmt"
	"sync"
)

func main() {
	lock := make(chan struct{}, 1)
	n := 0
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			lock <- struct{}{}
			v := n
			n = v + 1
			<-lock
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
