// construct: sync.WaitGroup misuse, a counter used again before its waiter has left
// outcomes: exact
// outcome: "<nil>\n"
// outcome: "sync: WaitGroup is reused before previous Wait has returned\n"
// outcome: deadlock
// why: Done releases a goroutine that waits already; it leaves before the second Add, or finds the
//	counter in use. One that comes between Done and Add does not wait; one that comes later waits for
//	ever, and main with it.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	left := make(chan any)
	wg.Add(1)
	go func() {
		defer func() { left <- recover() }()
		wg.Wait()
	}()
	wg.Done()
	wg.Add(1)
	fmt.Println(<-left)
}
