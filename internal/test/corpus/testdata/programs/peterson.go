// construct: atomic.Int32 and atomic.Bool, mutual exclusion, spin loop, litmus Peterson
// outcomes: exact
// outcome: "2\n"
// why: Peterson's algorithm excludes under sequential consistency, so the plain counter has no race
//	and loses no update; one of two waiting threads can always go on, as turn names only one.

package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	var wants [2]atomic.Bool
	var turn atomic.Int32
	n := 0
	var wg sync.WaitGroup
	wg.Add(2)
	for me := range 2 {
		go func() {
			defer wg.Done()
			other := 1 - me
			wants[me].Store(true)
			turn.Store(int32(other))
			for wants[other].Load() && turn.Load() == int32(other) {
				runtime.Gosched()
			}
			n++
			wants[me].Store(false)
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
