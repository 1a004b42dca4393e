// construct: livelock, state that repeats for ever
// outcomes: exact
// outcome: endless
// why: main polls a flag that nobody will ever set; the only other goroutine has ended or will.

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var flag, other atomic.Bool
	go other.Store(true)
	for !flag.Load() {
	}
	fmt.Println("never")
}
