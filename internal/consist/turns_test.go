// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// turning is a specification in which calls may meet one that waits: those of one operation wait in turn, and those of an operation that only tries are refused.
type turning struct {
	oracle.Spec
	oracle.RenamableSpec
	refused map[int]history.Tuple // by operation
}

func (s turning) Turns() bool { return true }

func (s turning) Behind(_ oracle.State, first, c oracle.Call) (results []history.Tuple, waits bool) {
	if r, tries := s.refused[c.Op]; tries && first.Op != c.Op {
		results = []history.Tuple{r}
	}
	return results, first.Op == c.Op
}

// turningQueue has room for one item. Its last two operations only try.
func turningQueue(t testing.TB) subject {
	put, take := op(oracle.Put, oracle.SlotOK), op(oracle.Take, oracle.SlotItem, oracle.SlotOK)
	s := bound(t, "queue with turns", oracle.Queue, oracle.Protocol{Kind: oracle.Bounded, Capacity: 1}, op(oracle.Put), op(oracle.Take, oracle.SlotItem), put, take)
	s.spec = turning{s.spec, s.spec.(oracle.RenamableSpec), map[int]history.Tuple{2: history.Of(history.BoolValue(false)), 3: history.Of(history.IntValue(0), history.BoolValue(false))}}
	return s
}

// literalTurns is definition 2.1 with calls that meet others which wait: some order fits of those that have returned, and for each stuck call one behind which it is.
func literalTurns(spec oracle.Spec, h history.History) bool {
	ops := h.Operations()
	stuck := h.Stuck()
	if partnersStuck(spec, ops) {
		return false
	}
	for i := range max(1, len(stuck)) {
		var kept []int
		for x, op := range ops {
			if op.Returned || i < len(stuck) && op.Thread == stuck[i] {
				kept = append(kept, x)
			}
		}
		found := false
		permutationsOf(len(kept), nil, func(places []int) {
			order := make([]int, len(places))
			for k, at := range places {
				order[k] = kept[at]
			}
			found = found || fitsInTurn(spec, ops, order)
		})
		if !found {
			return false
		}
	}
	return true
}

// fitsInTurn reports whether an order of operations fits. Operations take effect as late as they can; one that has not by then, and has been invoked, is one that others may meet.
func fitsInTurn(spec oracle.Spec, ops []history.Operation, order []int) bool {
	latest := make([]int, len(order))
	end := 0
	for _, op := range ops {
		end = max(end, op.Invoked+1, op.Responded)
	}
	for k := len(order) - 1; k >= 0; k-- {
		end = min(end, ops[order[k]].Responded)
		if latest[k] = end; end <= ops[order[k]].Invoked {
			return false
		}
	}
	states := map[oracle.State]bool{spec.Initial(): true}
	for k, x := range order {
		next := map[oracle.State]bool{}
		for s := range states {
			if !ops[x].Returned { // it is stuck
				blocks := spec.MayBlock(s, callOf(ops[x]))
				for y, first := range ops {
					_, waits := oracle.Behind(spec, s, callOf(first), callOf(ops[x]))
					blocks = blocks || y != x && !first.Returned && waits
				}
				if blocks && k == len(order)-1 {
					return true
				}
				continue
			}
			outcomes, _ := spec.Outcomes(s, callOf(ops[x]))
			for _, o := range outcomes {
				if o.Result == ops[x].Result {
					next[o.Next] = true
				}
			}
			for y, first := range ops {
				results, _ := oracle.Behind(spec, s, callOf(first), callOf(ops[x]))
				if first.Invoked < latest[k] && !slices.Contains(order[:k+1], y) && slices.Contains(results, ops[x].Result) {
					next[s] = true
				}
			}
		}
		states = next
	}
	for s := range states {
		if spec.Accepting(s) {
			return true
		}
	}
	return false
}

// A call meets one that waits only as long as that one has not taken effect: here a Put has, for its item was taken, and there is room.
func TestMonitor_MeetsNoCallThatHasTakenEffect(t *testing.T) {
	s := turningQueue(t)
	put := history.Event{Phase: history.Invoke, Thread: 0, Method: 0, Name: "put", Args: history.Ints(1)}
	take := history.Event{Thread: 1, Method: 1, Name: "take"}
	tries := history.Event{Thread: 2, Method: 2, Name: "put", Args: history.Ints(2)}
	did := func(e history.Event, result history.Tuple) []history.Event {
		respond := e
		e.Phase, respond.Phase, respond.Result = history.Invoke, history.Respond, result
		return []history.Event{e, respond}
	}
	refused := did(tries, history.Of(history.BoolValue(false)))
	waits := history.History{Threads: 3, Events: slices.Concat([]history.Event{put}, refused)}
	taken := history.History{Threads: 3, Events: slices.Concat([]history.Event{put}, did(take, history.Ints(1)), refused)}
	m := monitor(t, s.spec, Linear)
	if follow(m, waits) == Rejected {
		t.Error("a Put that waits is not met")
	}
	if follow(m, taken) != Rejected {
		t.Error("a Put is met whose item was taken before")
	}
}
