// construct: spin lock by CompareAndSwap, method on embedded atomic
// outcomes: exact
// outcome: "2\n"
// why: only the goroutine that changes 0 to 1 enters, and it changes it back.

package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type spinLock struct{ state atomic.Int32 }

func (l *spinLock) Lock() {
	for !l.state.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}
func (l *spinLock) Unlock() { l.state.Store(0) }

func main() {
	var l sync.Locker = new(spinLock)
	n := 0
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			l.Lock()
			defer l.Unlock()
			n++
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
