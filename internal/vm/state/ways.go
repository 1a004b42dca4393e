// SPDX-License-Identifier: BSD-3-Clause

package state

import "sync/atomic"

// Which parts of a program executions come to is noted where it is decided, at conditional jumps and where functions begin, and read off when a search
// is over. Functions of the standard library are not noted.

// The bits of Code.ways.
const (
	wayOn = 1 << iota // a conditional jump went on at its first target
	wayElse
	wayIn // at the first instruction: the function was entered
)

// Jump is where a conditional jump leads, which is noted.
func (c *Code) Jump(pc int, yes bool) int {
	to, way := c.Instrs[pc].X, uint32(wayElse)
	if yes {
		to, way = c.Instrs[pc].N, wayOn
	}
	if c.ways != nil && c.ways[pc].Load()&way == 0 {
		c.ways[pc].Or(way)
	}
	return int(to)
}

// entered notes that the function was called.
func (c *Code) entered() {
	if c.ways == nil {
		return
	}
	if w := &c.ways[0]; w.Load()&wayIn == 0 {
		w.Or(wayIn)
	}
}

// Ways says of a conditional jump which ways it went.
func (c *Code) Ways(pc int) (yes, no bool) {
	w := c.ways[pc].Load()
	return w&wayOn != 0, w&wayElse != 0
}

// Noted reports whether the jumps and calls of the function are noted: it is the user's, and has instructions.
func (c *Code) Noted() bool { return c.ways != nil }

// Entered reports whether the function is noted and was called.
func (c *Code) Entered() bool { return c.ways != nil && c.ways[0].Load()&wayIn != 0 }

// noted makes room for what is noted of a function.
func (c *Code) noted() {
	if f := c.Func; !f.Library() && !f.Harness && len(f.Code) > 0 {
		c.ways = make([]atomic.Uint32, len(f.Code))
	}
}
