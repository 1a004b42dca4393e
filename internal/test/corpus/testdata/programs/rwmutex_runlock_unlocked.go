// construct: sync.RWMutex misuse, fatal error
// outcomes: exact
// outcome: fatal "sync: RUnlock of unlocked RWMutex"
// why: one goroutine only.

package main

import "sync"

func main() {
	var mu sync.RWMutex
	mu.RUnlock()
}
