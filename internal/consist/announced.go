// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"
	"sync"
	"sync/atomic"

	"pangolin/oracle"
)

// announced is the judge of a policy whose announcements are definite: each takes effect where it
// is made.
type announced struct {
	auto    *oracle.Automaton
	keyed   []bool
	threads int
	open    atomic.Bool // an announcement had several possible next states
	// unordered: two orders of the announcements of one group have led to different states.
	unordered atomic.Bool
	again     sync.Map // set of givenUp, for Candidates

	// guess is where calls take effect without an announcement (NewPointsMonitor); nil: nowhere. outcomes are its numbers of outcomes.
	guess    *Guess
	asking   sync.Mutex
	outcomes sync.Map
}

// givenUp is an outcome of a call that was announced before another one of the same call.
type givenUp struct {
	call   oracle.CallID
	result oracle.ResultID
}

// announcedState is a state of the oracle, with the pending calls and what each has announced. It
// contains no pointer into itself, so it can be a local variable and be copied.
type announcedState struct {
	calls   calls
	state   oracle.StateID
	effects [MaxThreads]effect
}

// effect is what a pending call has announced so far.
type effect struct {
	changed bool // Lin = 2 in the paper: it has changed the state
	n       uint8
	few     [fewResults]uint16 // the first n entries: ResultIDs that the call may return, ascending
	many    []uint16           // instead of few, if there are more
}

// fewResults is how many possible results of a call fit into the state itself. More are rare: most
// calls may return yes, no, and what they have announced.
const fewResults = 5

func (e *effect) results() []uint16 {
	if e.many != nil {
		return e.many
	}
	return e.few[:e.n]
}

func (e *effect) add(r uint16) {
	at, found := slices.BinarySearch(e.results(), r)
	switch {
	case found:
	case e.many != nil:
		// The list is copied, as copies of the state share it.
		e.many = slices.Insert(slices.Clone(e.many), at, r)
	case e.n == fewResults:
		e.many = slices.Insert(slices.Clone(e.few[:]), at, r)
	default:
		copy(e.few[at+1:], e.few[at:e.n])
		e.few[at] = r
		e.n++
	}
}

func (p *announced) write(s *announcedState) []byte {
	return p.append(make([]byte, 0, 8*p.threads+4), s)
}

// append appends a state as words.
func (p *announced) append(dst []byte, s *announcedState) []byte {
	w := writer{dst}
	s.calls.write(&w, p.threads)
	w.u32(uint32(s.state))
	for t := range p.threads {
		e := &s.effects[t]
		results := e.results()
		n := uint16(len(results)) << 1
		if e.changed {
			n |= 1
		}
		w.u16(n)
		for _, r := range results {
			w.u16(r)
		}
	}
	return w.buf
}

// read overwrites s with the state in words.
func (p *announced) read(s *announcedState, words string) {
	r := reader{words}
	s.calls.read(&r, p.threads)
	s.state = oracle.StateID(r.u32())
	for t := range p.threads {
		e, n := &s.effects[t], r.u16()
		e.changed, e.n, e.many = n&1 != 0, 0, nil
		if n >>= 1; n > fewResults {
			e.many = make([]uint16, n)
			for i := range e.many {
				e.many[i] = r.u16()
			}
			continue
		}
		e.n = uint8(n)
		for i := range n {
			e.few[i] = r.u16()
		}
	}
}

func (p *announced) initial(s oracle.StateID) []byte { return p.write(&announcedState{state: s}) }

func (p *announced) invoke(words string, thread int, c oracle.CallID) []byte {
	var s announcedState
	p.read(&s, words)
	p.invoked(&s, thread, c)
	return p.write(&s)
}

func (p *announced) invoked(s *announcedState, thread int, c oracle.CallID) {
	s.calls.set(thread, c)
	s.effects[thread] = effect{}
	p.justify(s, thread)
}

// justify adds the results that a thread's call may return without an announcement in the current
// state.
func (p *announced) justify(s *announcedState, thread int) {
	c := s.calls.get(thread)
	if !p.keyed[p.auto.Call(c).Op] {
		return
	}
	for _, e := range p.auto.Edges(s.state, c) {
		if e.Next == s.state {
			s.effects[thread].add(uint16(e.Result))
		}
	}
}

func (p *announced) announce(words string, a Announcement) []byte {
	var s announcedState
	p.read(&s, words)
	if !p.announces(&s, a) {
		return nil
	}
	return p.write(&s)
}

// announces applies an announcement. It is false if one of the rules M1, M2, M3 and M5
// (PolicyMonitor) is broken; the state is unchanged then.
func (p *announced) announces(s *announcedState, a Announcement) bool {
	e := &s.effects[a.Thread]
	if e.changed {
		return false // M5
	}
	r := a.Result
	next, ok := p.outcome(s.state, s.calls.get(a.Thread), &r)
	switch {
	case !ok:
		return false // M3
	case next == s.state: // M1
		p.note(s, a.Thread)
		e.add(uint16(r))
	default: // M2
		s.state = next
		p.note(s, a.Thread)
		*e = effect{changed: true, n: 1, few: [fewResults]uint16{uint16(r)}}
		for t := range p.threads {
			if s.calls[t] != 0 && !s.effects[t].changed {
				p.justify(s, t)
			}
		}
	}
	return true
}

// note records the outcomes that a call had announced before it announces another one.
func (p *announced) note(s *announcedState, thread int) {
	for _, r := range s.effects[thread].results() {
		p.again.LoadOrStore(givenUp{s.calls.get(thread), oracle.ResultID(r)}, true)
	}
}

// outcome is the oracle's state after a call with a result. If the result is Given it is replaced
// by the one that the oracle allows.
func (p *announced) outcome(s oracle.StateID, c oracle.CallID, r *oracle.ResultID) (next oracle.StateID, ok bool) {
	given := *r == Given
	for _, e := range p.auto.Edges(s, c) {
		if !given && e.Result != *r {
			continue
		}
		if ok && (e.Next != next || e.Result != *r) {
			p.open.Store(true)
		}
		*r, next, ok = e.Result, e.Next, true
	}
	return next, ok
}

// within reports whether b is a plus further results that calls may return.
func (p *announced) within(a, b *announcedState) bool {
	if a.state != b.state {
		return false
	}
	for t := range p.threads {
		x, y := &a.effects[t], &b.effects[t]
		if x.changed != y.changed {
			return false
		}
		for _, r := range x.results() {
			if _, found := slices.BinarySearch(y.results(), r); !found {
				return false
			}
		}
	}
	return true
}

func (p *announced) union([]string) []byte { panic("consist: definite announcements have one state") }

func (p *announced) pending(words string, thread int) oracle.CallID {
	var pending calls
	pending.read(&reader{words}, p.threads)
	return pending.get(thread)
}

func (p *announced) mayReturn(words string, thread int) []uint16 {
	var s announcedState
	p.read(&s, words)
	return slices.Clone(s.effects[thread].results())
}

func (p *announced) respond(words string, thread int, r oracle.ResultID) []byte {
	var s announcedState
	p.read(&s, words)
	if !p.responds(&s, thread, r) {
		return nil
	}
	return p.write(&s)
}

// responds applies a response. It is false if rule M4 or M6 (PolicyMonitor) is broken; the state is
// unchanged then.
func (p *announced) responds(s *announcedState, thread int, r oracle.ResultID) bool {
	if _, found := slices.BinarySearch(s.effects[thread].results(), uint16(r)); !found {
		return false
	}
	s.calls[thread], s.effects[thread] = 0, effect{}
	return true
}

func (p *announced) busy(words string) ThreadSet { return busyIn(words, p.threads) }

func (p *announced) complete(words string) bool {
	var s announcedState
	p.read(&s, words)
	return p.auto.Accepting(s.state)
}

// blocked returns the first stuck thread whose call has taken effect or is not one that may block;
// -1: none.
func (p *announced) blocked(words string, stuck ThreadSet) int {
	var s announcedState
	p.read(&s, words)
	for t := range p.threads {
		if stuck.Has(t) && (s.effects[t].changed || !p.auto.MayBlock(s.state, s.calls.get(t))) {
			return t
		}
	}
	return s.calls.partner(p.auto, stuck)
}

func (p *announced) permute(words string, perm Perm) []byte {
	var s announcedState
	p.read(&s, words)
	p.permuted(&s, perm)
	return p.write(&s)
}

func (p *announced) permuted(s *announcedState, perm Perm) {
	calls, effects := s.calls, s.effects
	for t := range p.threads {
		to := perm.To(t)
		s.calls[to], s.effects[to] = calls[t], effects[t]
	}
}

func (p *announced) rename(words string, r oracle.RenamingID) []byte {
	var s announcedState
	p.read(&s, words)
	p.renamed(&s, r)
	return p.write(&s)
}

func (p *announced) renamed(s *announcedState, r oracle.RenamingID) {
	for t := range p.threads {
		if s.calls[t] == 0 {
			continue
		}
		e := &s.effects[t]
		e.many = slices.Clone(e.many) // copies of the state share the list
		results := e.results()
		for i, res := range results {
			results[i] = uint16(p.auto.RenameResult(s.calls.get(t), oracle.ResultID(res), r))
		}
		slices.Sort(results)
	}
	s.state = p.auto.RenameState(s.state, r)
	s.calls = s.calls.renamed(p.auto, r)
}

func (p *announced) names(words string, n *oracle.Names) {
	var s announcedState
	p.read(&s, words)
	p.namesIn(&s, n)
}

func (p *announced) namesIn(s *announcedState, n *oracle.Names) {
	p.auto.StateNames(s.state, n)
	for t := range p.threads {
		if s.calls[t] == 0 {
			continue
		}
		p.auto.CallNames(s.calls.get(t), n)
		for _, res := range s.effects[t].results() {
			p.auto.ResultNames(s.calls.get(t), oracle.ResultID(res), n)
		}
	}
}

func (p *announced) describe(words string, signatures []uint64) (content uint64) {
	var s announcedState
	p.read(&s, words)
	return p.described(&s, signatures)
}

func (p *announced) described(s *announcedState, signatures []uint64) (content uint64) {
	var hashes [MaxThreads]uint64
	of := hashes[:p.threads]
	for t := range of {
		of[t] = s.calls.hash(p.auto, t)
		e := &s.effects[t]
		if e.changed {
			of[t] = mix(of[t], 2)
		}
		sum := uint64(0) // a sum: results are ordered by their numbers, which differ from run to run
		for _, r := range e.results() {
			sum += mix(p.auto.ResultHash(oracle.ResultID(r)), 3)
		}
		of[t] = mix(of[t], sum)
	}
	state := p.auto.StateHash(s.state)
	for t := range signatures {
		signatures[t] = mix(state, seen(of, t))
	}
	return mix(state, inOrder(of))
}
