// construct: goroutines that start and end on a cycle, each of which moves only when it is the oldest
// outcomes: exact
// outcome: exit 1
// outcome: endless
// why: a worker ends the program unless it is its turn and its successor has been started; in turn they go on for ever, and nobody is passed over.

package main

import (
	"os"
	"sync/atomic"
)

// state is three times the number of the next worker, plus that of the worker whose turn it
// is; numbers go round from 0 to 2.
var state atomic.Int64

func main() {
	for next := int64(0); ; next = (next + 1) % 3 {
		for (next-state.Load()%3+3)%3 == 2 {
		}
		go work(next)
		state.Add(3 - 9*(next/2))
	}
}

func work(me int64) {
	if !state.CompareAndSwap((me+2)%3*3+me, (me+2)%3*3+(me+1)%3) {
		os.Exit(1)
	}
}
