// Package assembled adds in assembly.
package assembled

import "sync"

// add returns a + b.
func add(a, b int) int

// addTo adds b to *a, and returns what it was, with a locked instruction.
func addTo(a *int, b int) int

// Counter adds with one locked instruction.
type Counter struct{ n int }

func NewCounter() *Counter { return &Counter{} }

// Inc adds one, and returns the sum before.
func (c *Counter) Inc() int { return addTo(&c.n, 1) }

// Broken gives its lock away between reading and writing.
type Broken struct {
	mu sync.Mutex
	n  int
}

func NewBroken() *Broken { return &Broken{} }

// Inc adds one, and returns the sum before.
func (c *Broken) Inc() int {
	c.mu.Lock()
	n := c.n
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n = add(n, 1)
	return n
}
