// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// Several goroutines follow the same histories in different orders; the states
// they reach have the same content, and each is numbered once.
func TestMonitor_IsSharedByGoroutines(t *testing.T) {
	s := subjects(t)[2]
	for _, p := range properties() {
		m, alone := monitor(t, s.spec, p), monitor(t, s.spec, p)
		var wg sync.WaitGroup
		for g := range uint64(4) {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(g%2, 1))
				for range 200 {
					follow(m, s.randomHistory(rng, 3, true))
				}
			})
		}
		wg.Wait()
		for g := range uint64(2) {
			rng := rand.New(rand.NewPCG(g, 1))
			for range 200 {
				h := s.randomHistory(rng, 3, true)
				if m.Content(follow(m, h)) != alone.Content(follow(alone, h)) {
					t.Fatalf("%s:\n%s", p, h)
				}
			}
		}
		if m.States() != alone.States() {
			t.Errorf("%s: %d states, alone %d", p, m.States(), alone.States())
		}
	}
}

func TestResult_NumbersEveryTuple(t *testing.T) {
	m := monitor(t, queueOf(t, oracle.Protocol{}), Linear)
	seen := make(map[oracle.ResultID]history.Tuple)
	for _, v := range []int64{-17, -16, -1, 0, 1, 47, 48, 1 << 40} {
		i := history.IntValue(v)
		for _, tuple := range []history.Tuple{
			history.Of(i), history.Of(i, history.BoolValue(true)), history.Of(i, history.BoolValue(false)), history.Of(i, i),
			history.Of(i, history.NilValue()), history.Of(i, history.BoolValue(true), i),
		} {
			for range 2 {
				r := m.Result(tuple)
				if other, ok := seen[r]; ok && other != tuple {
					t.Fatalf("%s and %s have one number", other, tuple)
				}
				seen[r] = tuple
			}
		}
	}
	if len(seen) != 48 {
		t.Errorf("%d numbers", len(seen))
	}
}

func TestNewMonitor_ReportsBadArguments(t *testing.T) {
	a := oracle.NewAutomaton(queueOf(t, oracle.Protocol{}))
	if _, err := NewMonitor(a, Linear, 9); err == nil {
		t.Error("nine threads were accepted")
	}
	if _, err := NewMonitor(a, "eventual", 2); err == nil {
		t.Error("an unknown property was accepted")
	}
}

func TestMonitor_PassesOnTheOraclesError(t *testing.T) {
	broken := errors.New("oracle broken")
	spec := &oracle.Functions{Run: func(oracle.State, oracle.Call) (oracle.Outcome, bool, error) {
		return oracle.Outcome{}, false, broken
	}}
	m := monitor(t, spec, Linear)
	h := script(1, "1+put1 1-")
	if follow(m, h) != Rejected || !errors.Is(m.Err(), broken) {
		t.Error(m.Err())
	}
	if _, err := Check(spec, h, Linear); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A nondeterministic oracle written as code agrees with the built-in one.
func TestMonitor_TakesAnOracleThatIsToldTheResult(t *testing.T) {
	s := subjects(t)[8]
	candidates := []history.Tuple{history.Of(history.IntValue(0), history.BoolValue(false)), {}}
	for v := range int64(2) {
		candidates = append(candidates, history.Of(history.IntValue(v), history.BoolValue(true)))
	}
	told := &oracle.Functions{
		Start:      s.spec.Initial(),
		Candidates: func(oracle.Call) []history.Tuple { return candidates },
		Accept: func(state oracle.State, c oracle.Call, observed history.Tuple) (oracle.State, bool, error) {
			outcomes, err := s.spec.Outcomes(state, c)
			for _, o := range outcomes {
				if o.Result == observed {
					return o.Next, true, err
				}
			}
			return "", false, err
		},
	}
	m, rng := monitor(t, told, Linear), rand.New(rand.NewPCG(4, 4))
	for i := range 500 {
		h := s.randomHistory(rng, 3, i%4 == 0)
		if got, want := judged(m, h), check(t, s.spec, h, Linear); got != want {
			t.Fatalf("got %t\n%s", got, h)
		}
	}
}

// benchmarkHistories gives numbered events, so that the loops measure the
// monitor alone.
type numbered struct {
	invoke bool
	thread int
	call   oracle.CallID
	result oracle.ResultID
}

func numberedEvents(m *HistoryMonitor, s subject) [][]numbered {
	rng := rand.New(rand.NewPCG(1, 9))
	var out [][]numbered
	for range 500 {
		h := s.randomHistory(rng, 3, false)
		var events []numbered
		for _, e := range h.Events {
			events = append(events, numbered{e.Phase == history.Invoke, e.Thread, m.Call(e.Method, e.Args), m.Result(e.Result)})
		}
		out = append(out, events)
	}
	return out
}

func BenchmarkMonitor_KnownTransition(b *testing.B) {
	s := subjects(b)[2]
	for _, p := range properties() {
		b.Run(string(p), func(b *testing.B) {
			m := monitor(b, s.spec, p)
			all := numberedEvents(m, s)
			n := 0
			for n < b.N {
				for _, events := range all {
					id := m.Initial()
					for _, e := range events {
						if e.invoke {
							id = m.Invoke(id, e.thread, e.call)
						} else {
							id, _ = m.Respond(id, e.thread, e.result)
						}
						n++
					}
				}
			}
		})
	}
}

func BenchmarkMonitor_KnownRename(b *testing.B) {
	s := subjects(b)[2]
	m := monitor(b, s.spec, Linear)
	var ids []ID
	rng := rand.New(rand.NewPCG(1, 9))
	for range 500 {
		ids = append(ids, follow(m, s.prefix(rng)))
	}
	p := NewPerm([]int{1, 0, 2, 3})
	for i := 0; b.Loop(); i++ {
		m.Rename(ids[i%len(ids)], p)
	}
}

func BenchmarkMonitor_SmallResult(b *testing.B) {
	m := monitor(b, queueOf(b, oracle.Protocol{}), Linear)
	r := history.Of(history.IntValue(3), history.BoolValue(true))
	for b.Loop() {
		m.Result(r)
	}
}

// A new queue monitor each time: what a first visit costs, per event.
func BenchmarkMonitor_NewTransition(b *testing.B) {
	s := subjects(b)[2]
	for _, p := range properties() {
		b.Run(string(p), func(b *testing.B) {
			n, states := 0, 0
			for n < b.N {
				m := monitor(b, s.spec, p)
				for _, events := range numberedEvents(m, s) {
					id := m.Initial()
					for _, e := range events {
						if e.invoke {
							id = m.Invoke(id, e.thread, e.call)
						} else {
							id, _ = m.Respond(id, e.thread, e.result)
						}
						n++
					}
				}
				states = m.States()
			}
			b.ReportMetric(float64(states), "states")
		})
	}
}
