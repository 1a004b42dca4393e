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

// A step that ends with the same number twice in a row leaves the next one free to draw it again: in a replay as in the search, which counts what a
// step draws, not what went before. Here the calls lose one another only if the step behind the first load draws 0 as well.
func TestDraws_AreCountedAnewAtEachStep(t *testing.T) {
	const source = `package example

import (
	"sync/atomic"
	_ "unsafe"
)

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

// Counter counts, and loses what is counted at the same time, if it is lucky.
type Counter struct{ n, looked atomic.Int64 }

func (c *Counter) Inc() int64 {
	c.looked.Load()
	if cheaprand()&3 != 0 || cheaprand()&3 != 0 {
		return c.n.Add(1)
	}
	v := c.n.Load()
	if cheaprand()&3 != 0 {
		return c.n.Add(1)
	}
	c.n.Store(v + 1)
	return v + 1
}

func (c *Counter) Get() int64 { return c.n.Load() }
`
	v := verifySource(t, source, pangolin.Request{Type: "Counter", Kind: "object", Scope: pangolin.Scope{Threads: "2", Steps: "2"}})
	if v.Status != verdict.Violated || v.Violation.Class != "history" {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
	if text := strings.Join(v.Assumptions, "\n"); strings.Contains(text, "has failed") {
		t.Errorf("the search was repeated:\n%s", text)
	}
}
