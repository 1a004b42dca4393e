// construct: data race guarded by an atomic that is usually set
// outcomes: exact
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
// why: main reads the plain variable without waiting only if it sees the first store but not the
//	second, between which the goroutine writes. If it sees neither it prints 0 and if it sees both, 1.
//	Reading after the write but before the second store is no simultaneous access, and prints 1.

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var started, finished atomic.Bool
	x := 0
	done := make(chan bool)
	go func() {
		started.Store(true)
		x = 1
		finished.Store(true)
		done <- true
	}()
	y := 0
	if finished.Load() {
		y = x
	} else if started.Load() {
		y = x
	}
	<-done
	fmt.Println(y)
}
