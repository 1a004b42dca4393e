// construct: sync.RWMutex, readers share
// outcomes: exact
// outcome: "met\n"
// why: each reader holds the lock until it has heard of the other, which only works if both may
//	hold it at the same time; there is no writer to get in between.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.RWMutex
	a, b := make(chan int), make(chan int)
	go func() {
		mu.RLock()
		a <- 1
		<-b
		mu.RUnlock()
	}()
	mu.RLock()
	<-a
	b <- 2
	mu.RUnlock()
	fmt.Println("met")
}
