// construct: range over the indices of an array, len and cap of arrays
// outcomes: exact
// outcome: "4 8 4 4\n"
// why: the length of an array is a constant: what is ranged over, and what len and cap are
// asked of, is not read, and not even the pointers on the way are. So nothing races.

package main

import (
	"fmt"
	"sync"
)

type counters struct {
	a    [4]int
	p    *[4]int
	next *counters
}

func main() {
	c := &counters{p: new([4]int), next: &counters{}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.a[1]++
		c.p = nil
		c.next = nil
	}()
	indices, times := 0, 0
	for i := range c.a {
		indices = i + 1
	}
	for range c.p {
		times++
	}
	for range c.next.a {
		times++
	}
	fmt.Println(indices, times, len(c.a), cap(c.next.a))
	wg.Wait()
}
