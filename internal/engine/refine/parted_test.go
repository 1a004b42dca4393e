// SPDX-License-Identifier: BSD-3-Clause

package refine_test

import (
	"fmt"
	"testing"

	"pangolin"
	"pangolin/internal/engine/refine"
	"pangolin/internal/test/level"
	"pangolin/internal/test/sources"
	"pangolin/verdict"
)

// A system made with remembered steps is the one made without.

const withoutSteps = "fusing,frozen,guarded"

// counted is what refine says of a request, with its states and transitions.
func counted(t *testing.T, req pangolin.Request) string {
	t.Helper()
	req.Engine = "refine"
	list, err := pangolin.Verify(modules.Context, req)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, v := range list {
		text += fmt.Sprintln(v.Collection, v.Status, v.States, v.Transitions, v.Reason)
		if v.Status == verdict.Violated {
			text += fmt.Sprintln(v.Violation.Execution.Steps)
		}
	}
	return text
}

// What a remembered step gives is what the machine gives that executes it, and the parts of a state, put
// together, are the words that the machine saves.
func TestParts_AreTheStatesOfTheMachine(t *testing.T) {
	for i, c := range []struct {
		pkg, typ string
		calls    int
	}{
		{"list", "LockFreeList", 1}, {"list", "FineList", 1}, {"queue", "LockFreeQueue", 2}, {"queue", "SynchronousDualQueue", 1},
		{"queue", "ArrayQueue", 1}, {"stack", "EliminationBackoffStack", 1}, {"deque", "BoundedDEQueue", 2},
	} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			req := pangolin.Request{Packages: []string{"pangolin/collections/" + c.pkg}, Type: c.typ,
				Scope: pangolin.Scope{Threads: "2..2", PerThread: c.calls, Values: 2, PreAdds: "0..0"}}
			req.Search.Reduce = withoutSteps
			want := counted(t, req)
			req.Search.Reduce = ""
			recalls, states := refine.Doubt(t)
			if got := counted(t, req); got != want {
				t.Errorf("%s\nwithout remembered steps:\n%s", got, want)
			}
			if recalls.Load() == 0 || recalls.Load() > states.Load() {
				t.Errorf("%d steps were recalled on the way to %d states", recalls.Load(), states.Load())
			}
			for k, room := range [][2]int64{{0, 1 << 20}, {5000, 1 << 20}, {1 << 20, 0}, {20000, 5000}} {
				if level.Out(k, 2) {
					continue
				}
				refine.Cramp(t, room[0], room[1])
				if got := counted(t, req); got != want {
					t.Errorf("room %v: %s\nwithout remembered steps:\n%s", room, got, want)
				}
			}
		})
	}
}

// What a step may depend on beside the heap and its own thread, and what it may change beside them.
func TestParts_KnowWhatAStepDependsOn(t *testing.T) {
	level.SkipShort(t, "executes every step twice")
	for _, c := range sources.Dependent() {
		t.Run(c.Name, func(t *testing.T) {
			refine.Doubt(t)
			req := pangolin.Request{Dir: modules.Dir(t, c.Source), Specification: pangolin.Specification{Expect: "violated"}, Type: "Box", New: "New()", Oracle: "self",
				Scope: pangolin.Scope{Threads: "3..3", Steps: "3..3", PreAdds: "0..0"}}
			with := counted(t, req)
			req.Search.Reduce = withoutSteps
			if without := counted(t, req); with != without {
				t.Errorf("%s\nwithout remembered steps:\n%s", with, without)
			}
			t.Log(with)
		})
	}
}
