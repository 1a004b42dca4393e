// Package reflected calls by reflection what it keeps.
package reflected

import (
	"reflect"
	"sync"
)

// Counter adds by reflection, under a lock.
type Counter struct {
	mu  sync.Mutex
	sum reflect.Value
}

func NewCounter() *Counter { return &Counter{sum: reflect.ValueOf(new(int)).Elem()} }

// Inc adds one, and returns the sum before.
func (c *Counter) Inc() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := int(c.sum.Int())
	c.sum.Set(reflect.ValueOf(func(n int) int { return n + 1 }).Call([]reflect.Value{c.sum})[0])
	return before
}

// Broken reads under one hold of the lock, and writes under another.
type Broken struct{ Counter }

func NewBroken() *Broken { return &Broken{*NewCounter()} }

// Inc adds one, and returns the sum before.
func (c *Broken) Inc() int {
	c.mu.Lock()
	before := int(c.sum.Int())
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum.Set(reflect.ValueOf(before + 1))
	return before
}
