// construct: sync.RWMutex, two writers and a reader that stays
// outcomes: exact
// outcome: deadlock
// waits: sync.Mutex.Lock, sync.RWMutex.Lock
// why: one writer waits for the reader to leave, the other one for the lock that keeps writers
//	apart.

package main

import "sync"

func main() {
	var rw sync.RWMutex
	rw.RLock()
	go rw.Lock()
	rw.Lock()
}
