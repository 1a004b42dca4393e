// construct: sync.WaitGroup misuse, Add while Done releases a waiter
// outcomes: exact
// outcome: "<nil> <nil>\n"
// outcome: "sync: WaitGroup misuse: Add called concurrently with Wait sync: WaitGroup misuse: Add called concurrently with Wait\n"
// outcome: "sync: WaitGroup misuse: Add called concurrently with Wait <nil>\n"
// why: Done takes the counter to zero, looks at it once more, and then clears the state and releases
//	the waiter, if there is one. An Add between the first two makes both panic, one between the last
//	two panics alone; any other Add is none of Done's business.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	added := make(chan any)
	wg.Add(1)
	go func() {
		defer func() { recover() }()
		wg.Wait()
	}()
	go func() {
		defer func() { added <- recover() }()
		wg.Add(1)
	}()
	done := func() (problem any) {
		defer func() { problem = recover() }()
		wg.Done()
		return
	}()
	fmt.Println(<-added, done)
}
