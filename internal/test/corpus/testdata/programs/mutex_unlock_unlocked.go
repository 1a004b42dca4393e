// construct: sync.Mutex misuse, fatal error
// outcomes: exact
// outcome: fatal "sync: unlock of unlocked mutex"
// why: fatal errors cannot be recovered, so the deferred function does not print.

package main

import (
	"fmt"
	"sync"
)

func main() {
	defer func() { fmt.Println("recovered", recover()) }()
	var mu sync.Mutex
	mu.Unlock()
}
