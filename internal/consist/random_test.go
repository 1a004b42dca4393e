// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// subject is an oracle with random calls to it.
type subject struct {
	name string
	spec oracle.Spec
	kind oracle.Kind
	ops  []oracle.Op
}

func bound(t testing.TB, name string, kind oracle.Kind, p oracle.Protocol, ops ...oracle.Op) subject {
	t.Helper()
	for i := range ops {
		if ops[i].Params == nil {
			ops[i].Params = oracle.Params(kind, ops[i].Role)
		}
		ops[i].Name = string(ops[i].Role)
	}
	spec, err := oracle.New(kind, p, ops)
	if err != nil {
		t.Fatal(err)
	}
	return subject{name, spec, kind, ops}
}

func op(role oracle.Role, results ...oracle.Slot) oracle.Op {
	return oracle.Op{Role: role, Results: results}
}

func subjects(t testing.TB) []subject {
	ok, item, old := oracle.SlotOK, oracle.SlotItem, oracle.SlotOld
	bounded := func(n int) oracle.Protocol { return oracle.Protocol{Kind: oracle.Bounded, Capacity: n} }
	plain, synchronous := oracle.Protocol{}, oracle.Protocol{Kind: oracle.Synchronous}
	spurious := op(oracle.Put, ok)
	spurious.Spurious = true
	return []subject{
		bound(t, "set", oracle.Set, plain, op(oracle.Add, ok), op(oracle.Remove, ok), op(oracle.Contains, ok)),
		bound(t, "quiet set", oracle.Set, plain, op(oracle.Add), op(oracle.Remove), op(oracle.Contains, ok)),
		bound(t, "queue", oracle.Queue, plain, op(oracle.Put), op(oracle.Take, item, ok)),
		bound(t, "bounded(1) queue", oracle.Queue, bounded(1), op(oracle.Put), op(oracle.Take, item)),
		bound(t, "bounded(2) queue", oracle.Queue, bounded(2), op(oracle.Put), op(oracle.Take, item), op(oracle.Put, ok)),
		bound(t, "synchronous queue", oracle.Queue, synchronous, op(oracle.Put), op(oracle.Take, item)),
		bound(t, "synchronous queue with offers", oracle.Queue, synchronous, op(oracle.Put, ok), op(oracle.Take, item)),
		bound(t, "stack", oracle.Stack, plain, op(oracle.Put), op(oracle.Take, item, ok)),
		bound(t, "pqueue", oracle.PQueue, plain, op(oracle.Put), op(oracle.Take, item, ok)),
		bound(t, "bounded pqueue", oracle.PQueue, bounded(2), op(oracle.Put), op(oracle.Take, item)),
		bound(t, "deque", oracle.Deque, plain, op(oracle.PutFront), op(oracle.PutBack), op(oracle.TakeFront, item, ok), op(oracle.TakeBack, item, ok)),
		bound(t, "map", oracle.Map, plain, op(oracle.Load, item, ok), op(oracle.Store), op(oracle.LoadOrStore, item, ok), op(oracle.LoadAndDelete, item, ok)),
		bound(t, "register", oracle.Register, plain, op(oracle.Load, item), op(oracle.Store), op(oracle.CompareAndSwap, ok), op(oracle.Swap, old)),
		bound(t, "counter", oracle.Counter, plain, op(oracle.Inc, oracle.SlotNew), op(oracle.Load, item), op(oracle.Inc)),
		bound(t, "spurious queue", oracle.Queue, plain, spurious, op(oracle.Take, item, ok)),
		lenientQueue(t),
		turningQueue(t),
	}
}

// lenient is a specification by which operations that return refused may fail because of others.
type lenient struct {
	oracle.Spec
	oracle.RenamableSpec
	refused map[int]history.Tuple // by operation
}

func (l lenient) Lenient() bool { return true }

func (l lenient) MayFail(c oracle.Call, result history.Tuple) bool {
	refused, ok := l.refused[c.Op]
	return ok && result == refused
}

// lenientQueue is a queue whose operations both may fail beside another call.
func lenientQueue(t testing.TB) subject {
	s := bound(t, "lenient queue", oracle.Queue, oracle.Protocol{}, op(oracle.Put, oracle.SlotOK), op(oracle.Take, oracle.SlotItem, oracle.SlotOK))
	s.spec = lenient{s.spec, s.spec.(oracle.RenamableSpec), map[int]history.Tuple{0: history.Of(history.BoolValue(false)), 1: history.Of(history.IntValue(0), history.BoolValue(false))}}
	return s
}

func (s subject) randomCall(rng *rand.Rand) oracle.Call {
	c := oracle.Call{Op: rng.IntN(len(s.ops))}
	for range s.ops[c.Op].Params {
		c.Args = c.Args.Append(history.IntValue(rng.Int64N(2)))
	}
	return c
}

// maker builds one random history: calls take effect at random moments, as in a
// correct collection, and then the result is spoilt a little.
type maker struct {
	subject
	rng     *rand.Rand
	state   oracle.State
	events  []history.Event
	pending []*pendingCall // by thread; nil if idle
	calls   []int          // made, by thread
	stuck   bool           // some calls are to get lost
}

type pendingCall struct {
	call   oracle.Call
	lost   bool // never takes effect
	done   bool
	result history.Tuple
}

// randomHistory has up to 4 threads and up to per calls of each. If stuck, calls may stay
// open at the end.
func (s subject) randomHistory(rng *rand.Rand, per int, stuck bool) history.History {
	n := 1 + rng.IntN(4)
	m := &maker{subject: s, rng: rng, state: s.spec.Initial(), pending: make([]*pendingCall, n), calls: make([]int, n), stuck: stuck}
	for range 12 * per * n {
		m.step(rng.IntN(n), per)
	}
	h := history.History{Threads: n, Events: m.events}
	if !stuck {
		h = h.Without(h.Stuck())
	}
	return m.spoil(h)
}

func (m *maker) step(thread, per int) {
	p := m.pending[thread]
	switch {
	case p == nil && m.calls[thread] < per && m.rng.IntN(3) > 0:
		c := m.randomCall(m.rng)
		m.pending[thread] = &pendingCall{call: c, lost: m.stuck && m.rng.IntN(6) == 0}
		m.calls[thread]++
		m.event(history.Invoke, thread, c, history.Tuple{})
	case p != nil && p.lost:
	case p != nil && !p.done && m.meets(p):
	case p != nil && !p.done:
		before := m.state
		outcomes, _ := m.spec.Outcomes(before, p.call)
		if len(outcomes) > 0 {
			o := outcomes[m.rng.IntN(len(outcomes))]
			p.done, p.result, m.state = true, o.Result, o.Next
			if l, ok := m.spec.(lenient); ok && m.rng.IntN(3) == 0 {
				p.result, m.state = l.refused[p.call.Op], before
			}
		}
	case p != nil && m.rng.IntN(2) == 0:
		m.event(history.Respond, thread, p.call, p.result)
		m.pending[thread] = nil
	}
}

// meets lets a call sometimes take effect as one that meets another which waits.
func (m *maker) meets(p *pendingCall) bool {
	for _, first := range m.pending {
		if first == nil || first == p || first.done || m.rng.IntN(4) > 0 {
			continue
		}
		results, _ := oracle.Behind(m.spec, m.state, first.call, p.call)
		if len(results) > 0 {
			p.done, p.result = true, results[m.rng.IntN(len(results))]
			return true
		}
	}
	return false
}

func (m *maker) event(phase history.Phase, thread int, c oracle.Call, r history.Tuple) {
	m.events = append(m.events, history.Event{
		Phase: phase, Thread: thread, Method: c.Op, Name: m.ops[c.Op].Name, Args: c.Args, Result: r,
	})
}

// spoil exchanges results of calls of one method, interleaves the threads anew,
// or leaves the history as it is.
func (m *maker) spoil(h history.History) history.History {
	switch m.rng.IntN(5) {
	case 0, 1:
		for range 1 + m.rng.IntN(3) {
			m.exchange(h)
		}
	case 2:
		return interleave(m.rng, h)
	case 3:
		m.exchange(h)
		return interleave(m.rng, h)
	}
	return h
}

// exchange exchanges two results of one method.
func (m *maker) exchange(h history.History) {
	var responses []int
	for i, e := range h.Events {
		if e.Phase == history.Respond {
			responses = append(responses, i)
		}
	}
	for range 4 {
		if len(responses) < 2 {
			return
		}
		a := &h.Events[responses[m.rng.IntN(len(responses))]]
		b := &h.Events[responses[m.rng.IntN(len(responses))]]
		if a.Method == b.Method && a.Result != b.Result {
			a.Result, b.Result = b.Result, a.Result
			return
		}
	}
}

func interleave(rng *rand.Rand, h history.History) history.History {
	byThread := make([][]history.Event, h.Threads)
	for _, e := range h.Events {
		byThread[e.Thread] = append(byThread[e.Thread], e)
	}
	out := history.History{Threads: h.Threads}
	for len(out.Events) < len(h.Events) {
		t := rng.IntN(h.Threads)
		if len(byThread[t]) > 0 {
			out.Events = append(out.Events, byThread[t][0])
			byThread[t] = byThread[t][1:]
		}
	}
	return out
}

// follow feeds a history to a monitor.
func follow(m *HistoryMonitor, h history.History) ID {
	id, _ := m.Follow(m.Initial(), h)
	return id
}

// judged is the monitor's judgement of a whole history.
func judged(m *HistoryMonitor, h history.History) bool {
	id := follow(m, h)
	if id == Rejected {
		return false
	}
	if h.Complete() {
		return m.CompleteOK(id)
	}
	ok, _ := m.StuckOK(id, m.Busy(id))
	return ok
}
