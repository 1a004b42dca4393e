// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// A loop that goes on while it draws the same number is executed again, instruction by instruction, with the numbers that the search drew in one
// step. When the count of what may be drawn began anew at each instruction, the search failed and began again without remembered steps.
func TestDraws_AreRepeatedAsTheSearchTookThem(t *testing.T) {
	const source = `package example

import (
	"sync/atomic"
	_ "unsafe"
)

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

// Counter counts, and loses what is counted at the same time.
type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() int64 {
	level := int64(1)
	for cheaprand()&3 == 0 && level < 8 {
		level++
	}
	v := c.n.Load() + level - level + 1
	c.n.Store(v)
	return v
}

func (c *Counter) Get() int64 { return c.n.Load() }
`
	v := verifySource(t, source, pangolin.Request{Type: "Counter", Kind: "object", Scope: pangolin.Scope{Threads: "2", Steps: "2"}})
	if v.Status != verdict.Violated || v.Violation.Class != "history" {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
	if text := strings.Join(v.Assumptions, "\n"); !strings.Contains(text, "twice in a row") || strings.Contains(text, "has failed") {
		t.Errorf("the search was repeated, or drew too often:\n%s", text)
	}
}
