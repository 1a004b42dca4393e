// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// Stuck calls, of the monitors that are told announcements.

// A call that has taken effect must return; one that the oracle lets wait may be stuck, unless another stuck call would serve it. A monitor that
// follows several ways is content if one of them is right, and else names the thread that is wrong in the first.
func TestPolicyMonitor_OfStuckCalls(t *testing.T) {
	bounded, synchronous := oracle.Protocol{Kind: oracle.Bounded, Capacity: 1}, oracle.Protocol{Kind: oracle.Synchronous}
	type told struct {
		thread int
		may    bool
	}
	for _, c := range []struct {
		what     string
		protocol oracle.Protocol
		history  string
		told     []told // announcements of the own calls, behind the history
		offender int    // -1: all is right
	}{
		{"two takes of an empty queue wait", bounded, "1+take 2+take", nil, -1},
		{"a put into an empty queue does not wait", bounded, "1+put1", nil, 0},
		{"nor does the second of two threads", bounded, "1+take 2+put1", nil, 1},
		{"a put that has taken effect returns", bounded, "1+put1", []told{{0, false}}, 0},
		{"the other put waits for room", bounded, "1+put1 2+put2", []told{{0, false}}, 0},
		{"the one that has taken effect is named, not the first", bounded, "1+put1 2+put2", []told{{1, false}}, 1},
		{"a put and a take serve each other", synchronous, "1+put1 2+take", nil, 0},
		{"two puts wait for a take", synchronous, "1+put1 2+put2", nil, -1},
		{"two takes wait for a put", synchronous, "1+take 2+take", nil, -1},
	} {
		for _, several := range []bool{false, true} {
			spec := queueOf(t, c.protocol)
			make := NewPolicyMonitor
			if several {
				make = NewSpeculatingMonitor
			}
			m, err := make(oracle.NewAutomaton(spec), []bool{false, false}, 2)
			if err != nil {
				t.Fatal(err)
			}
			id := follow(m.HistoryMonitor, script(2, c.history))
			for _, a := range c.told {
				if id = m.Announce(id, Announcement{Thread: a.thread, Own: true, Result: Given, May: a.may}); id == Rejected {
					t.Fatalf("%s: the announcement is rejected", c.what)
				}
			}
			if ok, offender := m.StuckOK(id, m.Busy(id)); ok != (c.offender < 0) || offender != c.offender {
				t.Errorf("%s, following several ways %t: %t, thread %d, want thread %d", c.what, several, ok, offender, c.offender)
			}
		}
	}
}

// Thread 1 may have put its item, or not; then thread 2 waits for room, or does not wait.
func TestPolicyMonitor_OfStuckCallsInOneOfTheWays(t *testing.T) {
	spec := queueOf(t, oracle.Protocol{Kind: oracle.Bounded, Capacity: 1})
	m, err := NewSpeculatingMonitor(oracle.NewAutomaton(spec), []bool{false, false}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, history string
		offender      int
	}{
		{"a put that may have taken effect is stuck: either it has, and must return, or there is room", "1+put1", 0},
		{"a take of what may have been put may be stuck, but not the put", "1+put1 2+take", 0},
	} {
		id := m.Announce(follow(m.HistoryMonitor, script(3, c.history)), Announcement{Thread: 0, Own: true, Result: Given, May: true})
		if ok, offender := m.StuckOK(id, m.Busy(id)); ok || offender != c.offender {
			t.Errorf("%s: %t, thread %d, want thread %d", c.what, ok, offender, c.offender)
		}
	}
	// The put of thread 1 has returned; thread 2's may have taken its item out. If it has not, thread 3 waits for room: that is right, and so is
	// all, although in the other way it is not.
	id := follow(m.HistoryMonitor, script(3, "1+take 2+take 3+put1"))
	id = m.Announce(id, Announcement{Thread: 2, Own: true, Result: Given, May: true})
	id, fine := m.Respond(id, 2, m.Result(history.Of()))
	if !fine {
		t.Fatal("a put that may have taken effect may not return")
	}
	// In the one way that is left the item is there, and both takes wait for nothing.
	if ok, offender := m.StuckOK(id, m.Busy(id)); ok || offender != 0 {
		t.Errorf("two takes beside an item: %t, thread %d", ok, offender)
	}
}
