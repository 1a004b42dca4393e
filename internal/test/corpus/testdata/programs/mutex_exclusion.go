// construct: sync.Mutex, defer
// outcomes: exact
// outcome: "2\n"
// why: the load and the store of n are inside one critical section, so no update is lost.

package main

import (
	"fmt"
	"sync"
)

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.n
	c.n = v + 1
}

func main() {
	var c counter
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			c.add()
		}()
	}
	wg.Wait()
	fmt.Println(c.n)
}
