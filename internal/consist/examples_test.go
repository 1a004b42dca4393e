// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// script writes a history as "thread+call" and "thread-call=result", for the queue
// and the register of these tests: "1+put5", "1-", "2+take", "2-5", "2-empty".
func script(threads int, text string) history.History {
	h := history.History{Threads: threads}
	open := make(map[int]history.Event)
	for _, word := range strings.Fields(text) {
		thread, rest := int(word[0]-'1'), word[2:]
		if word[1] == '+' {
			e := history.Event{Phase: history.Invoke, Thread: thread, Name: "Take", Method: 1}
			if n, ok := strings.CutPrefix(rest, "put"); ok {
				e.Name, e.Method, e.Args = "Put", 0, history.Ints(int64(n[0]-'0'))
			}
			open[thread] = e
			h.Events = append(h.Events, e)
			continue
		}
		e := open[thread]
		e.Phase = history.Respond
		if rest == "empty" {
			e.Result = history.Of(history.IntValue(0), history.BoolValue(false))
		} else if rest != "" {
			e.Result = history.Of(history.IntValue(int64(rest[0]-'0')), history.BoolValue(true))
		}
		h.Events = append(h.Events, e)
	}
	return h
}

func queueOf(t testing.TB, p oracle.Protocol) oracle.Spec {
	take := op(oracle.Take, oracle.SlotItem, oracle.SlotOK)
	if p.Kind != "" {
		take.Refusal = oracle.RefuseBlock
	}
	return bound(t, "queue", oracle.Queue, p, op(oracle.Put), take).spec
}

// expect judges a history by both implementations.
func expect(t *testing.T, spec oracle.Spec, h history.History, want map[Property]bool) {
	t.Helper()
	for _, p := range properties() {
		if got := check(t, spec, h, p); got != want[p] {
			t.Errorf("permutations, %s: got %t\n%s", p, got, h)
		}
		if got := judged(monitor(t, spec, p), h); got != want[p] {
			t.Errorf("monitor, %s: got %t\n%s", p, got, h)
		}
	}
}

func holds(ps ...Property) map[Property]bool {
	out := make(map[Property]bool)
	for _, p := range ps {
		out[p] = true
	}
	return out
}

// COLLECT, example 2.2: 0:ie 1:ie 2:id 0:re 3:id 1:re 2:rd 3:rd.
func TestExample22_OfASynchronousQueueIsLinearizable(t *testing.T) {
	h := script(4, "1+put5 2+put6 3+take 1- 4+take 2- 3-5 4-6")
	expect(t, queueOf(t, oracle.Protocol{Kind: oracle.Synchronous}), h, holds(Linear, Sequential, Quiescent))
}

// The same with a take that returns before its put begins.
func TestExample22_WithATakeBeforeItsPutIsNotLinearizable(t *testing.T) {
	h := script(4, "1+put5 3+take 3-5 1- 4+take 4-6 2+put6 2-")
	expect(t, queueOf(t, oracle.Protocol{Kind: oracle.Synchronous}), h, holds(Sequential))
}

// Herlihy and Shavit, section 3.4: each object may reorder what different threads
// did one after the other.
func TestSequential_AllowsWhatLinearForbids(t *testing.T) {
	h := script(2, "1+put1 1- 2+put2 2- 1+take 1-2")
	expect(t, queueOf(t, oracle.Protocol{}), h, holds(Sequential))
}

// Two puts of one thread change places while another thread's call keeps the
// history from being quiescent.
func TestQuiescent_AllowsWhatProgramOrderForbids(t *testing.T) {
	h := script(2, "2+take 1+put1 1- 1+put2 1- 2-2 2+take 2-1")
	expect(t, queueOf(t, oracle.Protocol{}), h, holds(Quiescent))
}

func TestProperties_MayAllFailOrHoldBoth(t *testing.T) {
	lost := script(1, "1+put1 1- 1+take 1-empty")
	expect(t, queueOf(t, oracle.Protocol{}), lost, holds())
	both := script(3, "3+put3 1+put1 1- 2+put2 2- 3- 1+take 1-2 1+take 1-3 1+take 1-1")
	expect(t, queueOf(t, oracle.Protocol{}), both, holds(Sequential, Quiescent))
}

// Definition 2.1 asks at every quiescent moment, not at one barrier only: each
// half by itself would do.
func TestQuiescent_HoldsAtEveryQuiescentMoment(t *testing.T) {
	h := script(1, "1+put1 1- 1+put2 1- 1+take 1-2 1+take 1-1")
	expect(t, queueOf(t, oracle.Protocol{}), h, holds())
}

func TestStuck_NonblockingOracleAcceptsNoStuckCall(t *testing.T) {
	expect(t, queueOf(t, oracle.Protocol{}), script(1, "1+take"), holds())
}

func TestStuck_TakeOfAnEmptyBoundedQueueIsRight(t *testing.T) {
	bounded := oracle.Protocol{Kind: oracle.Bounded, Capacity: 1}
	all := holds(Linear, Sequential, Quiescent)
	expect(t, queueOf(t, bounded), script(2, "1+take 2+take"), all)
	expect(t, queueOf(t, bounded), script(2, "1+put1 1- 1+put2 2+put3"), all)
	expect(t, queueOf(t, bounded), script(2, "1+put1 1- 2+take"), holds())
}

// Each stuck call is judged with the others removed: a put that waits in an empty
// bounded queue has no reason to. In a synchronous queue each of the two has, alone; but
// they serve each other.
func TestStuck_PutAndTakeCannotBothBeStuck(t *testing.T) {
	bounded := oracle.Protocol{Kind: oracle.Bounded, Capacity: 1}
	expect(t, queueOf(t, bounded), script(2, "1+put1 2+take"), holds())
	synchronous := oracle.Protocol{Kind: oracle.Synchronous}
	expect(t, queueOf(t, synchronous), script(2, "1+put1 2+take"), holds())
	all := holds(Linear, Sequential, Quiescent)
	expect(t, queueOf(t, synchronous), script(2, "1+put1 2+put2"), all)
	expect(t, queueOf(t, synchronous), script(2, "1+take 2+take"), all)
	expect(t, queueOf(t, synchronous), script(3, "1+put1 2+take 2-1 3+take"), holds()) // the put has been served
}

// With thread 1's stuck call removed the history is quiescent after put 1, so the
// two puts cannot change places in alpha[3]; with it there is no such moment.
func TestStuck_QuiescentMomentsAreThoseOfAlphaI(t *testing.T) {
	spec := queueOf(t, oracle.Protocol{Kind: oracle.Bounded, Capacity: 2})
	h := script(3, "1+take 2+put1 2- 2+put2 2- 2+take 2-2 2+take 2-1 3+take")
	expect(t, spec, h, holds())
	calm := script(3, "1+take 2+put1 2- 2+put2 2- 2+take 2-1 2+take 2-2 3+take")
	expect(t, spec, calm, holds(Linear, Sequential, Quiescent))
}

func TestMonitor_RejectsAtTheResponse(t *testing.T) {
	m := monitor(t, queueOf(t, oracle.Protocol{}), Linear)
	h := script(2, "1+put1 1- 2+take 2-empty")
	last := len(h.Events) - 1
	if follow(m, history.History{Threads: 2, Events: h.Events[:last]}) == Rejected {
		t.Error("rejected too early")
	}
	if follow(m, h) != Rejected {
		t.Error("not rejected")
	}
	if ok, offender := m.StuckOK(Rejected, 1); ok || offender != -1 || m.CompleteOK(Rejected) {
		t.Error("what is rejected stays so")
	}
}

func TestStuckOK_NamesTheThreadWithoutJustification(t *testing.T) {
	m := monitor(t, queueOf(t, oracle.Protocol{Kind: oracle.Bounded, Capacity: 1}), Linear)
	id := follow(m, script(3, "1+put1 1- 2+put2 3+take"))
	if ok, offender := m.StuckOK(id, ThreadSet(0).With(1).With(2)); ok || offender != 2 {
		t.Error(ok, offender)
	}
}

func TestExplanation_TellsWhatTheOracleWantsInstead(t *testing.T) {
	h := script(2, "1+put1 1- 2+take 2-empty")
	j, err := Check(queueOf(t, oracle.Protocol{}), h, Linear)
	if err != nil || j.OK {
		t.Fatal(j, err)
	}
	want := []DeadEnd{{Order: []int{0}, Rejected: []Rejection{{Op: 1, Allowed: []history.Tuple{history.Of(history.IntValue(1), history.BoolValue(true))}}}}}
	if !reflect.DeepEqual(j.Why.DeadEnds, want) || j.Why.Thread >= 0 || j.Why.Partner >= 0 {
		t.Errorf("got %+v, want the dead ends %+v", j.Why, want)
	}
}

func TestExplanation_OfStuckAndUnmatchedHistories(t *testing.T) {
	empty := history.Of(history.IntValue(0), history.BoolValue(false))
	cases := []struct {
		protocol        oracle.Protocol
		script          string
		thread, partner int
		want            []DeadEnd
	}{
		{oracle.Protocol{}, "1+take", 0, -1, []DeadEnd{{Rejected: []Rejection{{Op: 0, Allowed: []history.Tuple{empty}}}}}},
		{oracle.Protocol{Kind: oracle.Synchronous}, "1+put1 1-", -1, -1, []DeadEnd{{Order: []int{0}}}},
		{oracle.Protocol{Kind: oracle.Synchronous}, "1+take 1-1", -1, -1, []DeadEnd{{Rejected: []Rejection{{Op: 0}}}}},
		{oracle.Protocol{Kind: oracle.Synchronous}, "1+put1 2+take", 0, 1, nil},
		{oracle.Protocol{Kind: oracle.Synchronous}, "1+put1 1- 1+put2", 0, -1, []DeadEnd{{Order: []int{0}, Rejected: []Rejection{{Op: 1}}}}},
	}
	for _, c := range cases {
		j, err := Check(queueOf(t, c.protocol), script(2, c.script), Linear)
		if err != nil || j.OK || j.Why.Thread != c.thread || j.Why.Partner != c.partner || fmt.Sprint(j.Why.DeadEnds) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v\n%+v", c.script, err, j.Why)
		}
	}
}

// Steps before the threads come before everything, whatever the property.
func TestInitialAt_IsNoCallOfAThread(t *testing.T) {
	spec := queueOf(t, oracle.Protocol{})
	put := oracle.Step{Call: oracle.Call{Op: 0, Args: history.Ints(1)}}
	start, ok, _, err := oracle.Advance(spec, []oracle.Step{put})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	h := script(2, "1+put2 1- 2+take 2-2")
	for _, p := range properties() {
		m := monitor(t, spec, p)
		id, _ := m.Follow(m.InitialAt(start), h)
		if id != Rejected && m.CompleteOK(id) || check(t, oracle.StartingAt(spec, start), h, p) {
			t.Errorf("%s: took 2 before 1", p)
		}
	}
}
