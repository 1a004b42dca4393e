// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"

	"pangolin/oracle"
)

// sequential is the monitor of sequential consistency. Calls of different threads
// may be reordered at will, also behind calls that are yet to come. So a state
// holds what every thread has observed, in its own order, and judgement waits
// for the end: then a configuration (the oracle's state, and how many calls of each
// thread it has consumed) must be reachable that has consumed them all.
//
// Of all reachable configurations only the one that has consumed nothing needs to
// be kept: it leads to all others. One kind of progress is exact and makes
// states equal that would differ: if the first call left of some thread is
// pure (with its result it never changes the oracle, oracle.PureSpec) and the
// oracle allows it right now, it is consumed at once. Any order that consumes it
// later stays correct when it is moved to the front, because it changes nothing
// where it was nor where it goes.
type sequential struct {
	auto    *oracle.Automaton
	threads int
}

type sequentialState struct {
	calls calls
	state oracle.StateID
	left  [MaxThreads][]observed // completed calls of each thread that are not consumed yet
}

func (q sequential) initial(s oracle.StateID) []byte { return q.write(sequentialState{state: s}) }

func (q sequential) write(s sequentialState) []byte {
	w := new(writer)
	s.calls.write(w, q.threads)
	w.u32(uint32(s.state))
	for _, calls := range s.left[:q.threads] {
		w.observed(calls)
	}
	return w.buf
}

func (q sequential) read(words string) sequentialState {
	var s sequentialState
	r := &reader{words}
	s.calls.read(r, q.threads)
	s.state = oracle.StateID(r.u32())
	for t := range q.threads {
		s.left[t] = r.observed()
	}
	return s
}

func (q sequential) busy(words string) ThreadSet { return busyIn(words, q.threads) }

func (q sequential) invoke(words string, thread int, c oracle.CallID) []byte {
	s := q.read(words)
	s.calls.set(thread, c)
	return q.write(s)
}

func (q sequential) respond(words string, thread int, r oracle.ResultID) []byte {
	s := q.read(words)
	s.left[thread] = append(s.left[thread], observe(s.calls.get(thread), r))
	s.calls[thread] = 0
	for t := range q.threads {
		for len(s.left[t]) > 0 && pureNow(q.auto, s.state, s.left[t][0]) {
			s.left[t] = s.left[t][1:]
		}
	}
	return q.write(s)
}

// pureNow reports whether a call with its result never changes the oracle, and is correct in state
// s.
func pureNow(a *oracle.Automaton, s oracle.StateID, o observed) bool {
	return a.Pure(o.call(), o.result()) &&
		slices.Contains(a.Edges(s, o.call()), oracle.Edge{Result: o.result(), Next: s})
}

// ends lists the oracle states in which all completed calls are consumed.
func (q sequential) ends(s *sequentialState) []oracle.StateID {
	w := sequentialWalk{q: q, s: s, seen: make(map[progress]bool)}
	w.from(progress{state: s.state})
	return w.ends
}

// progress is a configuration: the oracle's state, and how many calls of each thread are consumed.
type progress struct {
	state    oracle.StateID
	consumed [MaxThreads]uint16
}

type sequentialWalk struct {
	q    sequential
	s    *sequentialState
	seen map[progress]bool
	ends []oracle.StateID
}

func (w *sequentialWalk) from(p progress) {
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	finished := true
	for t, calls := range w.s.left {
		n := int(p.consumed[t])
		if n == len(calls) {
			continue
		}
		finished = false
		for _, e := range w.q.auto.Edges(p.state, calls[n].call()) {
			if e.Result == calls[n].result() {
				next := p
				next.state = e.Next
				next.consumed[t]++
				w.from(next)
			}
		}
	}
	if finished {
		w.ends = append(w.ends, p.state)
	}
}

func (q sequential) complete(words string) bool {
	s := q.read(words)
	return slices.ContainsFunc(q.ends(&s), q.auto.Accepting)
}

// blocked: in alpha[i] all completed calls come first, then i's call.
func (q sequential) blocked(words string, stuck ThreadSet) int {
	s := q.read(words)
	ends := q.ends(&s)
	for t := range q.threads {
		if stuck.Has(t) && !slices.ContainsFunc(ends, func(end oracle.StateID) bool {
			return q.auto.MayBlock(end, s.calls.get(t))
		}) {
			return t
		}
	}
	return s.calls.partner(q.auto, stuck)
}

func (q sequential) permute(words string, p Perm) []byte {
	s := q.read(words)
	moved := sequentialState{calls: s.calls.permuted(p), state: s.state}
	for t, calls := range s.left {
		moved.left[p.To(t)] = calls
	}
	return q.write(moved)
}

func (q sequential) rename(words string, r oracle.RenamingID) []byte {
	s := q.read(words)
	s.calls = s.calls.renamed(q.auto, r)
	s.state = q.auto.RenameState(s.state, r)
	for _, calls := range s.left {
		for i, o := range calls {
			calls[i] = o.renamed(q.auto, r)
		}
	}
	return q.write(s)
}

func (q sequential) names(words string, n *oracle.Names) {
	s := q.read(words)
	q.auto.StateNames(s.state, n)
	for t, calls := range s.left {
		if s.calls[t] != 0 {
			q.auto.CallNames(s.calls.get(t), n)
		}
		for _, o := range calls {
			q.auto.CallNames(o.call(), n)
			q.auto.ResultNames(o.call(), o.result(), n)
		}
	}
}

func (q sequential) describe(words string, signatures []uint64) (content uint64) {
	s := q.read(words)
	of := make([]uint64, q.threads)
	for t := range of {
		of[t] = s.calls.hash(q.auto, t)
		for _, o := range s.left[t] {
			of[t] = mix(of[t], o.hash(q.auto))
		}
	}
	state := q.auto.StateHash(s.state)
	for t := range signatures {
		signatures[t] = mix(state, seen(of, t))
	}
	return mix(state, inOrder(of))
}
