// construct: ticket lock, fetch and add
// outcomes: exact
// outcome: "[0 1] [0 1]\n"
// outcome: "[0 1] [1 0]\n"
// why: whoever draws ticket 0 enters first (the first list is the order of entries, the second says
//	which goroutine drew them): tickets are served in order, the draw is free.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var next, serving atomic.Uint32
	var tickets, who []int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			mine := next.Add(1) - 1
			for serving.Load() != mine {
			}
			tickets = append(tickets, int(mine))
			who = append(who, i)
			serving.Add(1)
		}()
	}
	wg.Wait()
	fmt.Println(tickets, who)
}
