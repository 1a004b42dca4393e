// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"slices"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Standing is the place of a search's cursor: either the machine is in the cursor's state, or the
// state is given as a Position and the machine may be anywhere. Every engine that divides states
// into parts uses it. What a saved state contains besides a position, and what a step means to a
// monitor, is the engine's business.
//
// A cursor that loads a position leaves the machine alone. From there a remembered step leads to
// another position (Recall). The machine is brought to the position only if the parts do not
// answer: to be looked at (Stance), or to execute a step (Enter). The executed step is then
// remembered, if possible (Draft, TakeApart).
type Standing struct {
	*Memory
	// Executing turns off recalling, for callers that look at the machine after each step.
	Executing bool
	Loaded    Position // the position that was loaded last
	Saved     Position // the position that was saved last, if the engine saves positions (Keep)
	After     After    // the state after a step from Loaded, recalled or divided

	machine *vm.Machine
	where   whereabouts
	name    []uint64 // the words from which Loaded was read
	at      Position // the position that the machine is in; valid if held
	held    bool
	loaded  records // records of Loaded's threads
	saved   records // records of Saved's threads
	draft   *Draft  // the step that the machine executes; nil: it is not to be remembered
	room    Draft
	words   []uint64
}

// records are the records of the threads of a position that were looked up already. They may be
// outdated if the memory was emptied since: a step found in an old record refers to changes that
// are gone, and is executed.
type records [Room]*Record

// whereabouts tells which field describes the cursor's state.
type whereabouts uint8

const (
	inMachine whereabouts = iota
	inLoaded              // Loaded: no step was taken
	inAfter               // After: a step from Loaded was recalled
)

// NewStanding makes a standing whose cursor is in the machine's state.
func NewStanding(m *Memory, machine *vm.Machine) Standing {
	return Standing{Memory: m, machine: machine}
}

// Away reports whether the cursor's state is a position, so that the machine may be in another state.
func (s *Standing) Away() bool { return s.where != inMachine }

// Recalled reports whether the last step was recalled instead of executed.
func (s *Standing) Recalled() bool { return s.where == inAfter }

// Leave puts the cursor into the machine's state and abandons the draft.
func (s *Standing) Leave() { s.where, s.held, s.draft = inMachine, false, nil }

// Load puts the cursor into the position that words describe (Append), followed by the tags of the
// threads if the engine has any.
func (s *Standing) Load(words []uint64) {
	// A search loads a state again for each of its moves, and a depth-first one loads what it has
	// just saved. In both cases the records of its threads have been looked up already.
	if !slices.Equal(words, s.name) {
		s.name = append(s.name[:0], words...)
		s.Loaded.read(words)
		if s.Loaded == s.Saved {
			s.loaded = s.saved
		} else {
			s.loaded = records{}
		}
	}
	s.where, s.draft = inLoaded, nil
}

// Keep returns where the engine writes the position under which it saves the cursor's state, so
// that Stance can be asked about it.
func (s *Standing) Keep() *Position {
	s.Saved, s.saved = Position{}, records{}
	return &s.Saved
}

// Enter brings the machine to a position in order to execute: the cursor is in the machine's state
// then.
func (s *Standing) Enter(p *Position) {
	s.visit(p)
	s.where, s.held = inMachine, false
}

// visit brings the machine to a position in order to look at it.
func (s *Standing) visit(p *Position) {
	if s.held && s.at == *p {
		return
	}
	s.words = s.Join(s.words[:0], p.Heap, p.Threads[:p.N], p.Tags[:p.N])
	s.machine.Load(s.words)
	s.at, s.held = *p, true
}

// Stance returns where a thread of Loaded or Saved is and what it is about to do. It may have to
// bring the machine there.
func (s *Standing) Stance(p *Position, i int) *vm.Stance {
	r := s.record(p, i)
	if r.Stance != nil {
		return r.Stance
	}
	s.visit(p)
	stance := s.machine.Stance(i, s.known(p))
	if stance.Peered { // it depends on other threads, so it is not remembered
		return &stance
	}
	r.Stance = s.stance(&stance)
	return r.Stance
}

// known is the greatest number of an object in the heap of a position.
func (s *Standing) known(p *Position) int { return s.ground.BaseCount() + s.Heap(p.Heap).Objects }

// record returns the record of a thread of Loaded or Saved.
func (s *Standing) record(p *Position, i int) *Record {
	list := &s.loaded
	if p != &s.Loaded {
		list = &s.saved
	}
	if list[i] == nil {
		list[i] = s.Record(p, i)
	}
	return list[i]
}

// Find returns the step of thread i in Loaded: the call with a number, or going on if call is 0. It
// is nil if the step cannot be recalled; tried tells whether it was executed before.
func (s *Standing) Find(i int, call uint32) (step *Step, tried bool) {
	step = s.record(&s.Loaded, i).find(s.Memory, &s.Loaded, i, call)
	if step == nil || !step.known {
		return nil, step != nil
	}
	return step, true
}

// Recall takes a remembered step of thread i from Loaded. It is false if the step has to be
// executed (Memory.Recall).
func (s *Standing) Recall(step *Step, i int) bool {
	if !s.Memory.Recall(step, &s.Loaded, i, &s.After) {
		return false
	}
	s.where = inAfter
	return true
}

// Rest takes a step that changes nothing but the engine's own part of the state.
func (s *Standing) Rest() { s.After.Position, s.where = s.Loaded, inAfter }

// Draft announces that the machine, which is in Loaded, is about to execute a step of thread i: the
// call with a number, or going on if call is 0. fresh is the name of the item that the call adds,
// or -1. learn is false for a step that is known not to be rememberable.
func (s *Standing) Draft(i int, call uint32, fresh int, learn bool) {
	s.machine.Peered, s.draft = false, nil
	if learn {
		s.room = Draft{From: &s.Loaded, Agent: i, Call: call, Fresh: fresh, Results: s.room.Results[:0], Said: s.room.Said[:0]}
		s.draft = &s.room
	}
}

// Begins records where thread i is when its call has begun and has not yet made a visible access.
func (s *Standing) Begins(i int) {
	if s.draft == nil {
		return
	}
	peered := s.machine.Peered
	stance := s.machine.Stance(i, s.known(&s.Loaded))
	s.draft.Begun, s.draft.Failed = s.stance(&stance), s.draft.Failed || s.machine.Wrote
	s.machine.Peered = s.machine.Peered || peered
}

// Returns records what thread i's call returns.
func (s *Standing) Returns(i int) {
	if d := s.draft; d != nil {
		d.Failed = d.Failed || i != d.Agent || d.Returns || s.machine.Panicked(i) != ""
		d.Returns, d.Results = true, append(d.Results[:0], s.machine.Results(i)...)
	}
}

// Passes records the number of the site that the thread has passed; 0: none.
func (s *Standing) Passes(site int) {
	if s.draft != nil {
		s.draft.Site = site
	}
}

// Says records announcements of ghost code.
func (s *Standing) Says(list []vm.Announcement) {
	if s.draft != nil {
		s.draft.Said = append(s.draft.Said, list...)
	}
}

// TakeApart divides the machine's state, which is the cursor's, and remembers the step that has led
// to it. numbered is false if the state cannot be divided or the store is full.
func (s *Standing) TakeApart() (apart state.Apart, numbered bool) {
	draft := s.draft
	s.held, s.draft = false, nil
	apart, numbered = s.Memory.TakeApart(s.machine, &s.After)
	if numbered && draft != nil {
		s.Learn(s.machine, draft, &s.After)
	}
	return apart, numbered
}

// named marks the first word of a position. A state saved by the machine never has this bit there.
const named uint64 = 1 << 63

// Named reports whether words are a position.
func Named(words []uint64) bool { return words[0]&named != 0 }

// Append appends a position without its tags: a word with the heap and the number of threads, then
// two thread parts in each word.
func (p *Position) Append(dst []uint64) []uint64 {
	dst = append(dst, uint64(p.Heap)|uint64(p.N)<<32|named)
	for i := 0; i < p.N; i += 2 {
		w := uint64(p.Threads[i])
		if i+1 < p.N { // else the upper half stays 0
			w |= uint64(p.Threads[i+1]) << 32
		}
		dst = append(dst, w)
	}
	return dst
}

// read reads what Append has written, and the tags behind it.
func (p *Position) read(words []uint64) {
	*p = Position{Heap: uint32(words[0]), N: int(words[0] &^ named >> 32)}
	rest := words[1:]
	for i := range p.N {
		p.Threads[i] = uint32(rest[i/2] >> (i % 2 * 32))
	}
	copy(p.Tags[:p.N], rest[(p.N+1)/2:])
}

// Limits bound memory in bytes: Parts that of the store, Steps that of one worker's memory of steps.
type Limits struct{ Parts, Steps int64 }

// Usual are the limits of a search whose memory is not bounded.
var Usual = Limits{Parts: 256 << 20, Steps: 128 << 20}

// share is the fraction of a search's memory (1/8) that the store may take, and each worker's memory.
const share = 8

// Within returns the limits of a search that may take so many bytes in all; 0: any number.
func (l Limits) Within(bytes int64) Limits {
	if bytes > 0 {
		return Limits{min(l.Parts, bytes/share), min(l.Steps, bytes/share)}
	}
	return l
}
