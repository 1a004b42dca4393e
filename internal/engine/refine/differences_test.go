// SPDX-License-Identifier: BSD-3-Clause

package refine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/engine/refine"
	"pangolin/internal/lts"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Where the bounded engine says violated and this one verified, nothing that returned is wrong: the execution that
// never goes on has done what the code does one operation at a time, up to its end. Collections that lose
// a call and no result; the scope is that of doc/study-thesis.md, with as many calls as show it.
func TestDifferences_AreNoResults(t *testing.T) {
	level.SkipShort(t, "makes the systems of priority queues in single steps")
	for _, x := range []struct {
		pkg, typ string
		calls    int // of each of two threads
		class    string
	}{
		{"pqueue", "SkipQueueOriginal", 2, "livelock"},
		{"pqueue", "FineGrainedHeap", 2, "deadlock"},
		{"pqueue", "FineGrainedHeapFair", 2, "deadlock"},
		{"queue", "ArrayQueue", 1, "livelock"},
	} {
		t.Run(x.typ, func(t *testing.T) {
			request := func(engine string) pangolin.Request {
				return pangolin.Request{
					Packages: []string{"pangolin/collections/" + x.pkg}, Type: x.typ, Oracle: "self", Engine: engine, Property: "linear",
					Scope: pangolin.Scope{Threads: "2..2", PerThread: x.calls, Values: 2, PreAdds: "0..0",
						DistinctPriorities: pangolin.Off, AddsDominant: pangolin.Off, GenericValues: pangolin.Off},
					Search: pangolin.Search{NoRaces: true},
				}
			}
			list, err := pangolin.Verify(repository, request("bounded"))
			if err != nil || len(list) != 1 || list[0].Violation == nil || list[0].Violation.Class != x.class {
				t.Fatalf("the bounded engine: %v, %v; want a %s", list, err, x.class)
			}
			p, err := pangolin.Prepare(repository, request("refine"))
			if err != nil {
				t.Fatal(err)
			}
			jobs, err := p.Jobs(repository)
			if err != nil {
				t.Fatal(err)
			}
			single, err := refine.Atomic(t.Context(), jobs[0].Subject, refine.ClientOf(jobs[0]), refine.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f := lts.Follow(single)
			at, open := f.Initial(), 0
			for _, l := range labels(list[0].Violation.Execution) {
				if strings.HasPrefix(l, "call") {
					open++
				} else {
					open--
				}
				if at = f.Next(at, f.Label(l)); at == lts.Lost {
					t.Fatalf("behind %s no single steps do what the execution does", l)
				}
			}
			if open == 0 {
				t.Error("all calls return, so that the difference is no call that does not")
			}
		})
	}
}

// labels are an execution's invocations and responses, as systems have them.
func labels(w *verdict.Witness) []string {
	type at struct {
		step int
		text string
	}
	var list []at
	for _, e := range w.History {
		list = append(list, at{e.Invoked, fmt.Sprintf("call(%d, %s(%s))", e.Thread, e.Operation, strings.Join(e.Args, ", "))})
		switch {
		case e.Responded == 0:
		case e.Panicked:
			list = append(list, at{e.Responded, fmt.Sprintf("return(%d, %s, panic)", e.Thread, e.Operation)})
		default:
			list = append(list, at{e.Responded, fmt.Sprintf("return(%d, %s)", e.Thread, strings.Join(append([]string{e.Operation}, e.Results...), ", "))})
		}
	}
	slices.SortStableFunc(list, func(a, b at) int { return a.step - b.step })
	var out []string
	for _, a := range list {
		out = append(out, a.text)
	}
	return out
}
