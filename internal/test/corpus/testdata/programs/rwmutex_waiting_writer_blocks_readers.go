// construct: sync.RWMutex, waiting writer
// outcomes: exact
// outcome: "read twice\n"
// outcome: deadlock
// waits: sync.RWMutex.Lock, sync.RWMutex.RLock
// why: if the writer starts to wait between the two read locks of main, the second one waits for
//	the writer and the writer for the first: deadlock. Otherwise main reads twice and ends.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.RWMutex
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	mu.RLock()
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock()
	fmt.Println("read twice")
}
