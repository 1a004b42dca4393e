// SPDX-License-Identifier: BSD-3-Clause

package refine_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// turning is a counter that goes round, and something that looks at it.
func turning(look string) string {
	return `package example

import "sync/atomic"

// C goes round.
//
//pangolin:kind object
//pangolin:oracle self
type C struct{ n atomic.Int64 }

func (c *C) Turn() {
	n := c.n.Load()
	c.n.Store((n + 1) % 9)
}

func (c *C) Look() bool {
	` + look + `
	return true
}
`
}

// What keeps a call from returning behind more calls than a scope counts is found with any number of them, and executed again; what is
// verified is so for any number.
func TestProgress_OfAnyNumberOfCalls(t *testing.T) {
	for _, c := range []struct {
		name, look string
		property   verdict.Property
		counted    verdict.Status // with four calls
		any        verdict.Status
	}{
		{"it waits at the eighth turn", "for c.n.Load() == 8 {\n}", verdict.ObstructionFree, verdict.Verified, verdict.Violated},
		{"the same, lock-free", "for c.n.Load() == 8 {\n}", verdict.LockFree, verdict.Verified, verdict.Violated},
		{"it waits for a turn that there is not", "for c.n.Load() == 9 {\n}", verdict.LockFree, verdict.Verified, verdict.Verified},
		{"it is overtaken for ever by whole rounds", "for c.n.Load()%3 == 0 && c.n.Load()%3 == 1 {\n}", verdict.WaitFree, verdict.Verified, verdict.Violated},
		{"it looks once", "_ = c.n.Load()", verdict.WaitFree, verdict.Verified, verdict.Verified},
		{"it waits at once", "for c.n.Load() == 1 {\n}", verdict.ObstructionFree, verdict.Violated, verdict.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := modules.Dir(t, turning(c.look))
			for steps, want := range map[pangolin.Range]verdict.Status{"4": c.counted, pangolin.AnySteps: c.any} {
				list, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: dir, Type: "C", Property: pangolin.Properties(c.property),
					Scope: pangolin.Scope{Threads: "2..2", Steps: steps}})
				if err != nil || len(list) != 1 {
					t.Fatal(err, list)
				}
				if v := list[0]; v.Status != want {
					t.Errorf("%s calls: %s, want %s: %s", steps, v.Status, want, v.Reason)
				} else if steps == pangolin.AnySteps && !strings.Contains(v.Scope.Text(), "any number of calls") {
					t.Error(v.Scope.Text())
				}
			}
		})
	}
}

// Where the code holds ever more there is no end, and the verdict says that it does not know. Results are not judged in this way.
func TestProgress_OfAnyNumberOfCallsMayHaveNoEnd(t *testing.T) {
	ask := func(engine string, property verdict.Property) (verdict.Verdict, error) {
		list, err := pangolin.Verify(repository, pangolin.Request{Packages: []string{"pangolin/collections/stack"}, Type: "LockFreeStack", Engine: engine, Property: pangolin.Properties(property),
			Scope: pangolin.Scope{Threads: "2..2", Steps: pangolin.AnySteps}, Search: pangolin.Search{MaxStates: 5_000}})
		if len(list) != 1 {
			return verdict.Verdict{}, err
		}
		return list[0], err
	}
	v, err := ask("", verdict.LockFree)
	if err != nil || v.Status != verdict.Unknown || v.Cause != verdict.Limited || !strings.Contains(v.Reason, "nothing bounds how many are held") {
		t.Error(err, v.Status, v.Reason)
	}
	if _, err = ask("refine", verdict.Linear); err == nil || !strings.Contains(err.Error(), "for properties of progress alone") {
		t.Error(err)
	}
}
