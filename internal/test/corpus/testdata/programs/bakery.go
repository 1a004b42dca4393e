// construct: atomics in arrays, mutual exclusion, litmus bakery
// outcomes: exact
// outcome: "[0 1]\n"
// outcome: "[1 0]\n"
// why: Lamport's bakery excludes, ties are broken by the thread's number; either may be first. The
//	plain slice is only touched inside.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var (
	choosing [2]atomic.Bool
	ticket   [2]atomic.Int32
)

func lock(me int) {
	other := 1 - me
	choosing[me].Store(true)
	ticket[me].Store(ticket[other].Load() + 1)
	choosing[me].Store(false)
	for choosing[other].Load() {
	}
	mine := ticket[me].Load()
	for {
		t := ticket[other].Load()
		if t == 0 || mine < t || mine == t && me < other {
			return
		}
	}
}

func main() {
	var order []int
	var wg sync.WaitGroup
	wg.Add(2)
	for me := range 2 {
		go func() {
			lock(me)
			order = append(order, me)
			ticket[me].Store(0)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(order)
}
