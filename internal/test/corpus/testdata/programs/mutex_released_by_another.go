// construct: sync.Mutex, released by another goroutine
// outcomes: exact
// outcome: "locked\n"
// outcome: fatal "sync: unlock of unlocked mutex"
// outcome: "mine\nlocked\n"
// why: the goroutine stores 1 and gives main's lock back. If main reads 0 it waits for that. If it
//	reads 1, either the lock is free already and its own Unlock is fatal; or it frees the lock, and
//	the goroutine's Unlock then meets it free (fatal, and nobody can lock it then) or locked again, so
//	that main goes on.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.Mutex
	var n atomic.Int32
	mu.Lock()
	go func() {
		n.Store(1)
		mu.Unlock()
	}()
	if n.Load() == 1 {
		mu.Unlock()
		mu.Lock()
		fmt.Println("mine")
	}
	mu.Lock()
	fmt.Println("locked")
}
