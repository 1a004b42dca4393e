// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// A monitor of linearizability rejects a history in the middle exactly if no order fits whatever the
// operations in progress will do. Of the other properties it may find out later: calls
// to come may go before.
func TestCheckUnfinished_AgreesWithTheMonitor(t *testing.T) {
	level.SkipShort(t, "tries permutations")
	rng := rand.New(rand.NewPCG(7, 7))
	for _, s := range subjects(t) {
		for _, p := range []Property{Linear, Sequential, Quiescent} {
			rejected := 0
			for range histories() {
				h := s.randomHistory(rng, 2, true)
				m, err := NewMonitor(oracle.NewAutomaton(s.spec), p, 4)
				if err != nil {
					t.Fatal(err)
				}
				j, err := CheckUnfinished(s.spec, h, p)
				if err != nil {
					t.Fatal(err)
				}
				if follow(m, h) == Rejected {
					rejected++
					if j.OK {
						t.Fatalf("%s, %s: rejected, but the order %v fits\n%s", s.name, p, j.Order, h)
					}
				} else if !j.OK && p == Linear {
					t.Fatalf("%s, %s: not rejected, but\n%+v\n%s", s.name, p, j.Why, h)
				}
			}
			if rejected == 0 && p == Linear {
				t.Errorf("%s, %s: nothing was rejected", s.name, p)
			}
		}
	}
}

func TestCheckUnfinished_CountsWhatIsInProgressAsDoneOrNot(t *testing.T) {
	s := subjects(t)[0]
	call := func(ph history.Phase, thread, method int, name string, result bool) history.Event {
		e := history.Event{Phase: ph, Thread: thread, Method: method, Name: name, Args: history.Ints(0)}
		if ph == history.Respond {
			e.Result = history.Of(history.BoolValue(result))
		}
		return e
	}
	for _, present := range []bool{false, true} {
		h := history.History{Threads: 2, Events: []history.Event{
			call(history.Invoke, 0, 0, "add", false), call(history.Invoke, 1, 2, "contains", false), call(history.Respond, 1, 2, "contains", present)}}
		if j, err := CheckUnfinished(s.spec, h, Linear); err != nil || !j.OK {
			t.Errorf("contains = %t: %v %v", present, j.Why, err)
		}
	}
}
