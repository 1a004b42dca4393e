// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// explorer visits every monitor state that histories of a queue can reach in
// which all threads together make so many calls, the puts numbered 1, 2, ….
type explorer struct {
	m       *HistoryMonitor
	threads int
	seen    map[visit]bool
	take    oracle.CallID
	results []oracle.ResultID
	put     oracle.ResultID
}

type visit struct {
	id   ID
	left int8
	next int8
}

func exploreQueue(t testing.TB, p Property, threads, calls int, spec oracle.Spec) *explorer {
	m, err := NewMonitor(oracle.NewAutomaton(spec), p, threads)
	if err != nil {
		t.Fatal(err)
	}
	e := &explorer{m: m, threads: threads, seen: make(map[visit]bool)}
	e.take, e.put = m.Call(1, history.Tuple{}), m.Result(history.Tuple{})
	for v := range int64(calls + 1) {
		e.results = append(e.results, m.Result(history.Of(history.IntValue(v), history.BoolValue(v > 0))))
	}
	e.from(visit{m.Initial(), int8(calls), 1})
	return e
}

func (e *explorer) from(v visit) {
	if e.seen[v] {
		return
	}
	e.seen[v] = true
	busy := e.m.Busy(v.id)
	for t := range e.threads {
		switch {
		case busy.Has(t):
			for _, r := range append([]oracle.ResultID{e.put}, e.results[:v.next]...) {
				if id, ok := e.m.Respond(v.id, t, r); ok {
					e.from(visit{id, v.left, v.next})
				}
			}
		case v.left > 0:
			put := e.m.Call(0, history.Ints(int64(v.next)))
			e.from(visit{e.m.Invoke(v.id, t, put), v.left - 1, v.next + 1})
			e.from(visit{e.m.Invoke(v.id, t, e.take), v.left - 1, v.next})
		}
	}
}

// Pinned, so that a change that makes states needlessly different shows.
func TestLinear_StatesOfAQueueArePinned(t *testing.T) {
	for _, c := range []struct{ threads, calls, states int }{{2, 3, 82}, {2, 4, 233}, {3, 3, 225}, {3, 4, 1084}} {
		e := exploreQueue(t, Linear, c.threads, c.calls, queueOf(t, oracle.Protocol{}))
		if got := e.m.States(); got != c.states {
			t.Errorf("%d threads, %d calls: %d states, want %d", c.threads, c.calls, got, c.states)
		}
	}
}

func BenchmarkLinear_AllQueueHistoriesThreeByFive(b *testing.B) {
	for b.Loop() {
		e := exploreQueue(b, Linear, 3, 5, queueOf(b, oracle.Protocol{}))
		b.ReportMetric(float64(e.m.States()), "states")
	}
}

func BenchmarkLinear_AllQueueHistoriesThreeBySix(b *testing.B) {
	for b.Loop() {
		e := exploreQueue(b, Linear, 3, 6, queueOf(b, oracle.Protocol{}))
		b.ReportMetric(float64(e.m.States()), "states")
		size := 0
		for id := 1; id <= e.m.States(); id++ {
			size += len(e.m.states.words(ID(id)))
		}
		b.ReportMetric(float64(size)/float64(e.m.States()), "B/state")
	}
}
