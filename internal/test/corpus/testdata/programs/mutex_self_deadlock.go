// construct: sync.Mutex, deadlock
// outcomes: exact
// outcome: "first\n" deadlock
// waits: sync.Mutex.Lock
// why: mutexes are not reentrant, and nobody else is there to unlock.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	mu.Lock()
	fmt.Println("first")
	mu.Lock()
	fmt.Println("second")
}
