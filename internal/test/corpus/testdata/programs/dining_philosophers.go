// construct: array of sync.Mutex, deadlock of three
// outcomes: exact
// outcome: "all ate\n"
// outcome: deadlock
// waits: sync.Mutex.Lock, sync.Mutex.Lock, sync.Mutex.Lock, sync.WaitGroup.Wait
// why: everyone takes the left fork first: if all three have one, nobody gets a second. In every
//	other schedule some philosopher gets two forks and gives them back, and then so do the rest.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var forks [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range forks {
		wg.Add(1)
		go func() {
			left, right := &forks[i], &forks[(i+1)%len(forks)]
			left.Lock()
			right.Lock()
			right.Unlock()
			left.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println("all ate")
}
