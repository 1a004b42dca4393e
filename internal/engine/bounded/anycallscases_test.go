// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"path/filepath"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// spinning is a flag under a spin lock.
func spinning(store string) string {
	return `package example

import "sync/atomic"

// R is a register.
//
//pangolin:kind register
type R struct {
	held atomic.Bool
	v, n int
}

func (r *R) lock() {
	for !r.held.CompareAndSwap(false, true) {
	}
}

func (r *R) Load() int {
	r.lock()
	defer r.held.Store(false)
	return r.v
}

func (r *R) Store(v int) {
	r.lock()
	r.v = v
	` + store + `
	r.held.Store(false)
}
`
}

// pool hands out objects. The 34th is handed out twice, if two threads take one at the same time.
const pool = `package example

import "sync/atomic"

// P is a pool.
//
//pangolin:kind object
//pangolin:oracle self
//pangolin:roles Warm:alone
type P struct {
	n   int
	cur atomic.Pointer[int]
}

func (p *P) Warm() *int {
	if p.n < 33 {
		p.n++
		return new(int)
	}
	return nil
}

func (p *P) Take() *int {
	if p.n < 33 {
		return nil
	}
	x := p.cur.Load()
	p.cur.Store(new(int))
	if x == nil {
		return new(int)
	}
	return x
}
`

// What any number of calls of two threads show, with so many items in use at a time, and what they do not.
func TestAnyCalls_ShowWhatIsWrong(t *testing.T) {
	const put = "q.list = append(q.list, v)"
	for _, c := range []struct {
		name, kind, source string
		items              int
		status             verdict.Status
		class              string
	}{
		{"a spin lock", "register", spinning(""), 2, verdict.Verified, ""},
		{"the fourth Store keeps the lock", "register", spinning("if r.n++; r.n == 4 { return }\n"), 2, verdict.Violated, "livelock"},
		{"a queue", "queue", locked("", put, ""), 2, verdict.Verified, ""},
		{"the second item in use is lost", "queue", locked("", "if len(q.list) == 0 {"+put+"}", ""), 2, verdict.Violated, "history"},
		{"the same, and one at a time", "queue", locked("", "if len(q.list) == 0 {"+put+"}", ""), 1, verdict.Verified, ""},
		{"the older item comes again", "queue", locked("old, n int", put, "if q.n = (q.n + 1) % 5; q.n == 4 { v, q.old = q.old, v } else { q.old = v }"), 2, verdict.Violated, "history"},
		{"an object is handed out twice, behind those that have numbers", "object", pool, 2, verdict.Unknown, ""},
		{"two are exchanged", "queue", locked("", put+"; if len(q.list) == 2 { q.list[0], q.list[1] = q.list[1], q.list[0] }", ""), 2, verdict.Violated, "history"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := pangolin.Request{Dir: modules.Dir(t, c.source), Kind: c.kind, Scope: pangolin.Scope{Steps: pangolin.AnySteps, Items: c.items}, Search: pangolin.Search{MaxStates: 20_000}}
			p, err := pangolin.Prepare(modules.Context, r)
			if err != nil {
				t.Fatal(err)
			}
			list, err := p.Verify(modules.Context, r.Search)
			if err != nil || len(list) != 1 || list[0].Status != c.status || list[0].Violation != nil && list[0].Violation.Class != c.class {
				t.Fatal("shown: ", err, list)
			}
		})
	}
}

// anyCallsFaults are faults in what makes any number of calls possible.
var anyCallsFaults = []planting.Fault{
	{Name: "never-stays", // executions without end are not looked for
		Old: "if !c.makes() && c.monitor.Busy(c.id) == 0 {\n\t\t\treturn explore.Continue", New: "if !c.makes() && c.monitor.Busy(c.id) == 0 || planted(\"never-stays\") {\n\t\t\treturn explore.Continue"},
	{Name: "one-more-item", // one item more than the scope lets is in use
		Old: "return bits.OnesCount32(inUse) >= most", New: "if planted(\"one-more-item\") {\n\t\tmost++\n\t}\n\treturn bits.OnesCount32(inUse) >= most"},
	{Name: "one-item-less", // one item is in use at a time, whatever the scope lets
		Old: "return s.space.Scope.Items\n", New: "if planted(\"one-item-less\") {\n\t\treturn 1\n\t}\n\treturn s.space.Scope.Items\n"},
	{Name: "one-name", // each item has the name of another one that is in use
		Old: "s.Args = s.Args.With(at, history.IntValue(int64(n.items+1)))", New: "s.Args = s.Args.With(at, history.IntValue(int64(n.items+1)))\n\t\t\tif planted(\"one-name\") {\n\t\t\t\ts.Args = s.Args.With(at, history.IntValue(1))\n\t\t\t}"},
	{Name: "few-calls", // one call of the plan is offered, and no other
		Old: "for _, k := range g.classes[own&ownClass] {\n\t\twho :=", New: "for _, k := range g.classes[own&ownClass] {\n\t\tif planted(\"few-calls\") && g.space.Scope.Endless && k > 0 {\n\t\t\tcontinue\n\t\t}\n\t\twho :="},
	{Name: "settled-at-once", // each state counts as one from which cycles have been judged
		Old: "if _, known := v.settled.Find(at.Save(nil)); known {", New: "if _, known := v.settled.Find(at.Save(nil)); known || planted(\"settled-at-once\") {"},
}

func anyCallsSources(t *testing.T) planting.Sources {
	t.Helper()
	texts := planting.Sources{}
	for _, dir := range []string{"engine/bounded", "client", "play"} {
		texts.Read(t, filepath.Join("../../../internal", filepath.FromSlash(dir), "*.go"))
	}
	return texts
}

func TestAnyCallsFaults_HaveTheirPlaces(t *testing.T) { anyCallsSources(t).Check(t, anyCallsFaults) }

func TestAnyCallsFaults_AreFound(t *testing.T) {
	if planting.On() != "" {
		t.Skip("faults are planted once")
	}
	if !level.More() {
		t.Skip("-level more builds this test with faults, and runs it with each")
	}
	shown := func(out string) string { return out[:min(len(out), 300)] }
	anyCallsSources(t).EachFails(t, anyCallsFaults, shown,
		"-test.run", "^(TestAnyCalls_ShowWhatIsWrong|TestAnyCalls_ReachWhatEverMoreCallsReach)$", "-test.short", "-test.timeout", "2m")
}
