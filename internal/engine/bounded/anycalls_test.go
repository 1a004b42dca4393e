// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"fmt"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// counting is a plan that has any number of calls, cut off at most of them.
type counting struct {
	client.Plan
	most uint64
}

func (p counting) Calls(dst []int, all, own uint64) []int {
	if all&0xff >= p.most {
		return dst
	}
	return p.Plan.Calls(dst, all, own)
}

func (p counting) Make(call int, all, own uint64) (client.Step, uint64, uint64) {
	step, all, own := p.Plan.Make(call, all, own)
	return step, all + 1, own
}

// reached lists the states of a system without the number of calls made, by a search of its own.
func reached(sys *system) map[string]bool {
	known, without := map[string]bool{}, map[string]bool{}
	var list [][]uint64
	c := sys.newCursor()
	meet := func() {
		words := c.Save(nil)
		if key := fmt.Sprint(words); !known[key] {
			known[key] = true
			list = append(list, words)
			words = append([]uint64{words[0], words[1] &^ 0xff}, words[2:]...)
			without[fmt.Sprint(words)] = true
		}
	}
	var ch explore.Choices
	for more := true; more; more = ch.Next() {
		c.Initial(&ch)
		meet()
	}
	for i := 0; i < len(list); i++ {
		c.Load(list[i])
		for _, move := range c.Moves(nil) {
			var ch explore.Choices
			for more := true; more; more = ch.Next() {
				c.Load(list[i])
				c.Step(move, &ch)
				meet()
			}
		}
	}
	return without
}

// anyCalls verifies a collection for any number of calls of two threads, and returns what it did so with.
func anyCalls(t *testing.T, s *subject.Subject, reduce vm.Reductions, most uint64) (*verification, client.Plan) {
	t.Helper()
	bounds := engine.Bounds{Endless: true}
	scopes, err := bounds.Scopes(&engine.Operations{Kind: oracle.Kind(s.About.Kind), List: s.ClientOps()})
	if err != nil {
		t.Fatal(err)
	}
	v, err := newVerification(Options{Job: engine.Job{Subject: s, Property: consist.Linear, Scope: scopes[0],
		Search: engine.Search{Reduce: reduce, NoRaces: true, MaxStates: most}}})
	if err != nil {
		t.Fatal(err)
	}
	calls := client.NewGeneral(v.space, func() bool { return v.items }, func() bool { return v.keys })
	if err := v.search(context.Background(), calls); err != nil {
		t.Fatal(err)
	}
	return v, calls
}

// What is reached with any number of calls is what is reached with n, for the n at which one more call reaches nothing new.
func TestAnyCalls_ReachWhatEverMoreCallsReach(t *testing.T) {
	for i, c := range []struct{ pkg, typ string }{{"list", "FineList"}, {"list", "DerivedList"}, {"list", "LazyList"}, {"stack", "LockFreeStack"},
		{"list", "HindsightList"}, {"queue", "BoundedQueue"}} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 3) {
				t.Skip("-level more tries all")
			}
			s := subjectOf(t, "../../../collections/"+c.pkg, c.typ)
			v, plan := anyCalls(t, s, vm.AllReductions&^vm.RememberedSteps, 0)
			if v.found != nil || v.result.Incomplete != "" {
				t.Fatal(v.found, v.result.Incomplete)
			}
			whole := reached(v.system(plan))
			if uint64(len(whole)) != v.result.States {
				t.Errorf("%d states, the search has met %d", len(whole), v.result.States)
			}
			parted, _ := anyCalls(t, s, vm.AllReductions, 0)
			if parted.result.States != v.result.States {
				t.Errorf("%d states, with remembered steps %d", v.result.States, parted.result.States)
			}
			before := 0
			for n := uint64(1); ; n++ {
				few := reached(v.system(counting{plan, n}))
				for s := range few {
					if !whole[s] {
						t.Fatalf("%d calls reach a state that any number of calls does not: %s", n, s)
					}
				}
				t.Logf("%d calls: %d of %d states", n, len(few), len(whole))
				if len(few) == before {
					break
				}
				before = len(few)
			}
			if before != len(whole) {
				t.Errorf("any number of calls reach %d states, as many calls as reach anything new %d", len(whole), before)
			}
		})
	}
}
