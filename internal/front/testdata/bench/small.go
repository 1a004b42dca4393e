package main

import (
	"sync"
	"sync/atomic"
)

type counter struct {
	mu sync.Mutex
	n  int
	a  atomic.Int64
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	c.a.Add(1)
}

func main() {
	var c counter
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.add()
		}()
	}
	wg.Wait()
	println(c.n, c.a.Load())
}
