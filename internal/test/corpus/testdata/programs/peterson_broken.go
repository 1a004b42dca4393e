// construct: mutual exclusion gone wrong, data race
// outcomes: exact
// outcome: "1\n"
// outcome: "2\n"
// outcome: race
// why: turn is set before the wish is announced, so both can enter and n++ races; in the schedules
//	in which one enters after the other has left, both increments count; in those that race, one may be lost.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var wants [2]atomic.Bool
	var turn atomic.Int32
	n := 0
	var wg sync.WaitGroup
	wg.Add(2)
	for me := range 2 {
		go func() {
			defer wg.Done()
			other := 1 - me
			turn.Store(int32(other))
			wants[me].Store(true)
			for wants[other].Load() && turn.Load() == int32(other) {
			}
			n++
			wants[me].Store(false)
		}()
	}
	wg.Wait()
	fmt.Println(n)
}
