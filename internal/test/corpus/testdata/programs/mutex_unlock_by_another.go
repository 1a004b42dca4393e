// construct: sync.Mutex unlocked by another goroutine
// outcomes: exact
// outcome: "handed over\n"
// why: a mutex belongs to nobody: the second Lock of main waits until the goroutine unlocks.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	mu.Lock()
	go mu.Unlock()
	mu.Lock()
	fmt.Println("handed over")
}
