// construct: sync.RWMutex TryLock and TryRLock, RLocker
// outcomes: exact
// outcome: "true false true true false\n"
// why: one goroutine only: a second reader may enter, a writer not; once free a writer may, a
//	reader then not.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.RWMutex
	var l sync.Locker = mu.RLocker()
	l.Lock()
	r2 := mu.TryRLock()
	w := mu.TryLock()
	mu.RUnlock()
	l.Unlock()
	w2 := mu.TryLock()
	r3 := mu.TryRLock()
	mu.Unlock()
	fmt.Println(r2, w, mu.TryRLock(), w2, r3)
}
