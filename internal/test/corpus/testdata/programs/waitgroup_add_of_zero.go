// construct: sync.WaitGroup misuse, Add(0) while Done releases a waiter
// outcomes: exact
// outcome: "<nil> <nil>\n"
// outcome: "<nil> sync: WaitGroup misuse: Add called concurrently with Wait\n"
// outcome: "sync: WaitGroup misuse: Add called concurrently with Wait <nil>\n"
// why: with the counter at zero and a waiter, Add(0) does what Done does behind the count: it clears
//	the state and lets the waiter go. Which of the two comes too late panics; of a counter that is
//	not at zero, or that nobody waits for, Add(0) changes nothing.

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
		wg.Add(0)
	}()
	done := func() (problem any) {
		defer func() { problem = recover() }()
		wg.Done()
		return
	}()
	fmt.Println(<-added, done)
}
