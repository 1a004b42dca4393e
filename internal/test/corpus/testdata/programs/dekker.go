// construct: atomics, mutual exclusion, nested loops, litmus Dekker
// outcomes: exact
// outcome: "2\n"
// why: Dekker's algorithm excludes under sequential consistency; the thread whose turn it is not
//	withdraws its wish, so the other gets in.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var (
	wants [2]atomic.Bool
	turn  atomic.Int32
)

func lock(me int) {
	other := 1 - me
	wants[me].Store(true)
	for wants[other].Load() {
		if turn.Load() == int32(me) {
			continue
		}
		wants[me].Store(false)
		for turn.Load() != int32(me) {
		}
		wants[me].Store(true)
	}
}

func unlock(me int) {
	turn.Store(int32(1 - me))
	wants[me].Store(false)
}

func main() {
	n := 0
	var wg sync.WaitGroup
	wg.Add(2)
	for me := range 2 {
		go func() {
			lock(me)
			n++
			unlock(me)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
