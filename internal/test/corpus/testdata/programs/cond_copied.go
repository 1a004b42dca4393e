// construct: sync.Cond
// outcomes: exact
// outcome: "<nil> <nil>\n<nil> <nil>\nsync.Cond is copied string\nsync.Cond is copied string\nsync.Cond is copied string\nfalse\n"
// why: one goroutine; a copy of a condition that has been used panics, whichever operation comes first; one of a new condition does not.

package main

import (
	"fmt"
	"sync"
)

func try(f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	f()
}

func main() {
	var mu sync.Mutex
	fresh, used := sync.NewCond(&mu), sync.NewCond(&mu)
	other := *fresh
	used.Signal()
	copied := *used
	try(other.Signal)
	try(fresh.Broadcast)
	try(copied.Signal)
	try(copied.Broadcast)
	mu.Lock()
	try(copied.Wait)
	fmt.Println(mu.TryLock())
}
