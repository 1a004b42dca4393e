// construct: sequence lock with atomics, retry once
// outcomes: exact
// outcome: "0 0\n"
// outcome: "1 1\n"
// outcome: "busy\n"
// why: equal even numbers around the two loads mean that no write lay between them; the reader tries
//	once and otherwise says so.

package main

import (
	"fmt"
	"sync/atomic"
)

var seq, a, b atomic.Int32

func read() string {
	before := seq.Load()
	if before%2 == 1 {
		return "busy"
	}
	x, y := a.Load(), b.Load()
	if seq.Load() != before {
		return "busy"
	}
	return fmt.Sprint(x, y)
}

func main() {
	done := make(chan bool)
	go func() {
		seq.Add(1)
		a.Store(1)
		b.Store(1)
		seq.Add(1)
		done <- true
	}()
	r := read()
	<-done
	fmt.Println(r)
}
