// construct: atomic.Int32, litmus CoRR
// outcomes: exact
// outcome: "0 0\n"
// outcome: "0 1\n"
// outcome: "0 2\n"
// outcome: "1 1\n"
// outcome: "1 2\n"
// outcome: "2 2\n"
// why: the location runs through 0, 1, 2 and the two loads happen in order, so the second is never
//	older than the first; every nondecreasing pair is reached by placing the loads.

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var x atomic.Int32
	done := make(chan bool)
	go func() {
		x.Store(1)
		x.Store(2)
		done <- true
	}()
	r1 := x.Load()
	r2 := x.Load()
	<-done
	fmt.Println(r1, r2)
}
