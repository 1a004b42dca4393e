// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// What the machine asks about on its own account, which object a result is and when a timer fires, takes no reduction away: the code looks at
// no item and at no thread's number, so items have names and threads that are alike are one. Without that there are 117, 201 and 126 states.
func TestVerify_KeepsReductionsBesideObjectsAndTimers(t *testing.T) {
	const head = "package example\n\nimport (\n\t\"sync\"\n\t\"time\"\n)\n\nvar _ = time.After\n\n"
	const list = `
type List struct{ mu sync.Mutex; items []ITEM; ready chan bool }
func New() *List { return &List{ready: make(chan bool, 1)} }
func (l *List) Put(x ITEM) {
	l.mu.Lock()
	l.items = append(l.items, x)
	l.mu.Unlock()
}
func (l *List) take() (x ITEM, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.items) == 0 { return x, false }
	x, l.items = l.items[0], l.items[1:]
	return x, true
}
`
	for _, c := range []struct {
		name, source, kind string
		states             uint64
	}{
		{"items in interfaces", `
type ITEM = any
func (l *List) Get() (ITEM, bool) { return l.take() }`, "queue", 13},
		{"items beside a timer", `
type ITEM = int
func (l *List) Get() (ITEM, bool) {
	select {
	case <-l.ready:
	case <-time.After(time.Second):
	}
	return l.take()
}`, "queue", 50},
		{"functions that are given, beside a timer", `
type ITEM = int
func (l *List) Get() (ITEM, bool) {
	select {
	case <-l.ready:
	case <-time.After(time.Second):
	}
	return l.take()
}
func (l *List) Each(f func(x ITEM) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.items {
		if !f(x) { return }
	}
}`, "object", 45},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verifySource(t, head+list+c.source+"\n", pangolin.Request{Kind: c.kind, Oracle: "self", Scope: pangolin.Scope{Threads: "1..3", Steps: "1..2"}})
			if v.Status != verdict.Verified || v.States != c.states {
				t.Errorf("%s (%s): %d states, want %d", v.Status, v.Reason, v.States, c.states)
			}
		})
	}
}
