// Package both has tests that the machine executes as well.
package both

import "sync"

// Counter is a number.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Add adds with the lock.
func (c *Counter) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// Forget adds without it.
func (c *Counter) Forget() { c.n++ }

// Split reads and writes, each with the lock.
func (c *Counter) Split() {
	c.mu.Lock()
	n := c.n
	c.mu.Unlock()
	c.mu.Lock()
	c.n = n + 1
	c.mu.Unlock()
}

// Value is the number.
func (c *Counter) Value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
