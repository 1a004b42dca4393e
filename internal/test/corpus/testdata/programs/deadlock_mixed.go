// construct: deadlock over a mutex and a channel
// outcomes: exact
// outcome: "ok\n"
// outcome: deadlock
// waits: chan send, sync.Mutex.Lock
// why: if the goroutine takes the lock first it sends while holding it, and main waits for the lock
//	before it receives. If main is first, it receives after unlocking.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		c <- 1
		mu.Unlock()
	}()
	mu.Lock()
	mu.Unlock()
	<-c
	fmt.Println("ok")
}
