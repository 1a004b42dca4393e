// construct: sync.Cond Wait and Signal
// outcomes: exact
// outcome: "ready\n"
// why: the flag is set and looked at under the lock, and the signal comes after it is set: main
//	either sees the flag or waits before the signal.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Signal()
	}()
	mu.Lock()
	for !ready {
		cond.Wait()
	}
	mu.Unlock()
	fmt.Println("ready")
}
