// SPDX-License-Identifier: BSD-3-Clause

// Package counters has counters whose value is read while others count.
package counters

import (
	"sync"
	"sync/atomic"
)

// Striped counts in a second cell if somebody else is at the first one. Sum reads one after the other.
//
//pangolin:overlaps Sum:parts
type Striped struct{ first, second atomic.Int64 }

func (c *Striped) Inc() {
	if n := c.first.Load(); !c.first.CompareAndSwap(n, n+1) {
		c.second.Add(1)
	}
}

func (c *Striped) Dec()       { c.second.Add(-1) }
func (c *Striped) Sum() int64 { return c.first.Load() + c.second.Load() }

// Merged moves, where two meet, what the first cell has into the second one: a Sum in between misses what was counted long ago.
//
//pangolin:overlaps Sum:parts
type Merged struct{ first, second atomic.Int64 }

func (c *Merged) Inc() {
	if n := c.first.Load(); !c.first.CompareAndSwap(n, n+1) {
		c.second.Add(c.first.Swap(0) + 1)
	}
}

func (c *Merged) Dec()       { c.second.Add(-1) }
func (c *Merged) Sum() int64 { return c.first.Load() + c.second.Load() }

// Stepwise adds one by one.
//
//pangolin:overlaps Get:between
type Stepwise struct{ n atomic.Int64 }

func (c *Stepwise) Add(n int64) {
	for range n {
		c.n.Add(1)
	}
}

func (c *Stepwise) Get() int64 { return c.n.Load() }

// Rounded adds one too many, and takes it back.
//
//pangolin:overlaps Get:between
type Rounded struct{ n atomic.Int64 }

func (c *Rounded) Add(n int64) {
	c.n.Add(n + 1)
	c.n.Add(-1)
}

func (c *Rounded) Get() int64 { return c.n.Load() }

// Published shows what it was before the last Inc.
//
//pangolin:kind counter
//pangolin:overlaps Get:stale(1)
type Published struct {
	mu    sync.Mutex
	n     int64
	shown atomic.Int64
}

func (c *Published) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown.Store(c.n)
	c.n++
}

func (c *Published) Get() int64 { return c.shown.Load() }

// Seldom shows what it is after each second Inc, before the next one.
//
//pangolin:kind counter
//pangolin:overlaps Get:stale(1)
type Seldom struct {
	mu    sync.Mutex
	n     int64
	shown atomic.Int64
}

func (c *Seldom) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n%2 == 0 {
		c.shown.Store(c.n)
	}
	c.n++
}

func (c *Seldom) Get() int64 { return c.shown.Load() }

// Network counts by two counters in turn: a counting network of one balancer. No two calls get the same number, and when it rests none is left out.
//
//pangolin:property quiescent
type Network struct{ turn, even, odd atomic.Int64 }

func (n *Network) GetAndIncrement() int64 {
	if n.turn.Add(1)%2 == 1 {
		return 2 * (n.even.Add(1) - 1)
	}
	return 2*(n.odd.Add(1)-1) + 1
}

// Toggled is Network with a balancer that two may pass in one direction.
//
//pangolin:property quiescent
type Toggled struct {
	odds      atomic.Bool
	even, odd atomic.Int64
}

func (n *Toggled) GetAndIncrement() int64 {
	odds := n.odds.Load()
	n.odds.Store(!odds)
	if !odds {
		return 2 * (n.even.Add(1) - 1)
	}
	return 2*(n.odd.Add(1)-1) + 1
}
