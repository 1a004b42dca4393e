// SPDX-License-Identifier: BSD-3-Clause

// Package slow has a type whose method the machine executes for longer than any test waits: a goroutine goes on beside it.
package slow

import "sync/atomic"

// Counter counts, and leaves a goroutine that counts by itself.
type Counter struct{ calls, steps atomic.Int64 }

// Inc adds one, and returns the sum.
func (c *Counter) Inc() int {
	go func() {
		for {
			c.steps.Add(1)
		}
	}()
	return int(c.calls.Add(1))
}
