// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What is observed of functions that operations are given: that one is called again after an
// attempt in vain is no fault, that one is called for nothing, or sees what never was, is one.
func TestFunctions_AreObservedAsFarAsCallsAloneMakeThem(t *testing.T) {
	for i, c := range []struct {
		name, source string
		status       verdict.Status
		says         string
	}{
		{"update, again and again until nobody interferes", `
func (b *Box) Update(f func(old int) int) int {
	for {
		old := b.n.Load()
		v := int64(f(int(old)))
		if b.n.CompareAndSwap(old, v) {
			return int(v)
		}
	}
}
func (b *Box) Get() int { return int(b.n.Load()) }`, verdict.Verified, "Update may call a function that it is given again"},
		{"update that loses", `
func (b *Box) Update(f func(old int) int) int {
	v := f(int(b.n.Load()))
	b.n.Store(int64(v))
	return v
}`, verdict.Violated, ""},
		{"update of a copy", `
func (b *Box) Update(f func(old int) int) {
	old := b.n.Load()
	f(int(old))
	b.n.Store(int64(f(int(old))))
}`, verdict.Violated, ""},
		{"a function that another call executes", `
func (b *Box) Once(f func() int) int {
	g, _ := b.m.LoadOrStore(0, sync.OnceValue(f))
	return g.(func() int)()
}`, verdict.Verified, "Once may call a function that it is given again"},
		{"two that execute their own", `
func (b *Box) Once(f func() int) int {
	if v, ok := b.m.Load(0); ok {
		return v.(int)
	}
	v := f()
	b.m.Store(0, v)
	return v
}`, verdict.Violated, ""},
		{"all elements, seen one by one", `
func (b *Box) Set(v int)                    { b.pair[0].Store(int64(v)); b.pair[1].Store(int64(v)) }
func (b *Box) Each(f func(i, v int) bool) {
	for i := range b.pair {
		if !f(i, int(b.pair[i].Load())) {
			return
		}
	}
}`, verdict.Violated, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 1) {
				t.Skip("the first will do in short")
			}
			source := `package example

import (
	"sync"
	"sync/atomic"
)

type Box struct {
	n    atomic.Int64
	m    sync.Map
	pair [2]atomic.Int64
}
` + c.source
			list, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: modules.Dir(t, source), Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}})
			if err != nil {
				t.Fatal(err)
			}
			v := list[0]
			if v.Status != c.status || !strings.Contains(strings.Join(v.Assumptions, "\n"), c.says) {
				t.Errorf("%s: %s %s", v.Status, v.Reason, strings.Join(v.Assumptions, "\n"))
			}
			if v.Violation != nil && v.Violation.Class != "history" {
				t.Errorf("class %s", v.Violation.Class)
			}
		})
	}
}
