// construct: sync.RWMutex, a read lock released by another goroutine
// outcomes: exact
// outcome: "0\n"
// outcome: "1\n"
// outcome: fatal "sync: RUnlock of unlocked RWMutex"
// why: as with a mutex: main reads 0, or gives its own read lock back where the goroutine would
//	have, or both do.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.RWMutex
	var n atomic.Int32
	mu.RLock()
	go func() {
		n.Store(1)
		mu.RUnlock()
	}()
	x := n.Load()
	if x == 1 {
		mu.RUnlock()
		mu.RLock()
	}
	mu.Lock()
	fmt.Println(x)
}
