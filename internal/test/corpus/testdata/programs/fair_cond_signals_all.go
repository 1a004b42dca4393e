// construct: sync.Cond Signal, several waiters, fairness
// outcomes: exact
// outcome: "signalled\n"
// why: signals come for ever, and who has waited longest gets the next one: the goroutine that waits
//	once is not passed over for ever in favour of the one that waits again and again.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	done := make(chan bool)
	go func() {
		for {
			c.Signal()
		}
	}()
	go func() {
		mu.Lock()
		for {
			c.Wait()
		}
	}()
	go func() {
		mu.Lock()
		c.Wait()
		mu.Unlock()
		done <- true
	}()
	<-done
	fmt.Println("signalled")
}
