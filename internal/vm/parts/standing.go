// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"slices"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Standing is where a cursor of a search stands: where its machine does, or in a state as parts, in which the
// machine need not be. Every engine that takes states apart has its cursors stand so; what
// makes a saved state of it, and what a step means to others than the machine, is the engine's own.
//
// A cursor that loads a state as parts leaves its machine where it is. A step that is remembered leads
// from there to another state as parts (Recall). Only for what cannot be answered from the parts is the
// machine brought there: to be looked at (Stance), or to execute (Enter), and then
// the step is learned, if it can be (Draft, TakeApart).
type Standing struct {
	*Memory
	// Executing says that nothing is recalled: somebody looks at the machine.
	Executing bool
	Loaded    Position // the state that has been loaded, if there is one as parts
	Saved     Position // the one that has been saved last, if the engine keeps it (Keep)
	After     After    // a state behind a step from Loaded, or the machine's

	machine *vm.Machine
	where   whereabouts
	name    []uint64 // the words from which Loaded has been read
	at      Position // in which the machine stands, if held
	held    bool
	loaded  records // of Loaded's threads
	saved   records // of Saved's
	draft   *Draft  // of the step that the machine executes; nil: nothing can be learned
	room    Draft
	words   []uint64
}

// records are what is known of the threads of a position, as far as it has been asked for. They may be
// older than what the memory has: a step that has been forgotten since finds nothing that it
// refers to, and is executed.
type records [Room]*Record

// whereabouts says where a cursor's state is to be found.
type whereabouts uint8

const (
	inMachine whereabouts = iota
	inLoaded              // no step has been taken
	inAfter               // a step from Loaded has been recalled
)

// NewStanding makes a standing in a machine's state.
func NewStanding(m *Memory, machine *vm.Machine) Standing {
	return Standing{Memory: m, machine: machine}
}

// Away says that the machine need not be in the cursor's state.
func (s *Standing) Away() bool { return s.where != inMachine }

// Recalled says that the cursor stands behind a step that no machine has executed.
func (s *Standing) Recalled() bool { return s.where == inAfter }

// Leave says that the cursor stands where the machine does, of whose step nothing can be learned.
func (s *Standing) Leave() { s.where, s.held, s.draft = inMachine, false, nil }

// Load lets the cursor stand in the state as parts that words name, as Append has written them, with the tags of the threads
// behind if the engine has any.
func (s *Standing) Load(words []uint64) {
	// Searches load a state once for each of its moves, and depth first the one that they have just saved: in
	// both cases what is known of its threads has been looked up already.
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

// Keep is where the engine puts the position as which the cursor's state is saved, so that Stance may be asked about it.
func (s *Standing) Keep() *Position {
	s.Saved, s.saved = Position{}, records{}
	return &s.Saved
}

// Enter brings the machine into a state as parts, in which it will be moved: there the cursor stands.
func (s *Standing) Enter(p *Position) {
	s.visit(p)
	s.where, s.held = inMachine, false
}

// visit brings the machine into a state as parts, to be looked at.
func (s *Standing) visit(p *Position) {
	if s.held && s.at == *p {
		return
	}
	s.words = s.Join(s.words[:0], p.Heap, p.Threads[:p.N], p.Tags[:p.N])
	s.machine.Load(s.words)
	s.at, s.held = *p, true
}

// Stance is that of a thread in Loaded or Saved. The machine may have to look.
func (s *Standing) Stance(p *Position, i int) *vm.Stance {
	r := s.record(p, i)
	if r.Stance != nil {
		return r.Stance
	}
	s.visit(p)
	stance := s.machine.Stance(i, s.known(p))
	if stance.Peered { // it is no function of the heap and the part
		return &stance
	}
	r.Stance = s.stance(&stance)
	return r.Stance
}

// known is the greatest number that an object of a position's heap has.
func (s *Standing) known(p *Position) int { return s.ground.BaseCount() + s.Heap(p.Heap).Objects }

// record is what is known of a thread of Loaded or Saved.
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

// Find gives the step that thread i of Loaded makes, if it can be recalled, with a call by its number or 0. Otherwise tried
// says that it has been executed before.
func (s *Standing) Find(i int, call uint32) (step *Step, tried bool) {
	step = s.record(&s.Loaded, i).find(s.Memory, &s.Loaded, i, call)
	if step == nil || !step.known {
		return nil, step != nil
	}
	return step, true
}

// Recall takes a step of thread i from Loaded. It is false if what the step does to others is not known.
func (s *Standing) Recall(step *Step, i int) bool {
	if !s.Memory.Recall(step, &s.Loaded, i, &s.After) {
		return false
	}
	s.where = inAfter
	return true
}

// Rest takes a step that leaves the machine's part of the state as it is.
func (s *Standing) Rest() { s.After.Position, s.where = s.Loaded, inAfter }

// Draft says that the machine, which is in Loaded, is about to execute a step of thread i with a call by its
// number or 0, and an item that is new, or -1. Nothing is learned of a step of which it is known that it cannot be remembered.
func (s *Standing) Draft(i int, call uint32, fresh int, learn bool) {
	s.machine.Peered, s.draft = false, nil
	if learn {
		s.room = Draft{From: &s.Loaded, Agent: i, Call: call, Fresh: fresh, Results: s.room.Results[:0], Said: s.room.Said[:0]}
		s.draft = &s.room
	}
}

// Begins notes where thread i stands when its call has begun and made no visible access.
func (s *Standing) Begins(i int) {
	if s.draft == nil {
		return
	}
	peered := s.machine.Peered
	stance := s.machine.Stance(i, s.known(&s.Loaded))
	s.draft.Begun, s.draft.Failed = s.stance(&stance), s.draft.Failed || s.machine.Wrote
	s.machine.Peered = s.machine.Peered || peered
}

// Returns notes what thread i's call has returned.
func (s *Standing) Returns(i int) {
	if d := s.draft; d != nil {
		d.Failed = d.Failed || i != d.Agent || d.Returns || s.machine.Panicked(i) != ""
		d.Returns, d.Results = true, append(d.Results[:0], s.machine.Results(i)...)
	}
}

// Says notes what ghost code has announced.
func (s *Standing) Says(list []vm.Announcement) {
	if s.draft != nil {
		s.draft.Said = append(s.draft.Said, list...)
	}
}

// TakeApart takes apart the machine's state, in which the cursor stands, and learns the step that has led to it. numbered
// is false if it does not consist of parts, or there is no room for them.
func (s *Standing) TakeApart() (apart state.Apart, numbered bool) {
	draft := s.draft
	s.held, s.draft = false, nil
	apart, numbered = s.Memory.TakeApart(s.machine, &s.After)
	if numbered && draft != nil {
		s.Learn(s.machine, draft, &s.After)
	}
	return apart, numbered
}

// named is set in the first word of a position, and in that of no state as the machine saves it.
const named uint64 = 1 << 63

// Named says that words are those of a position.
func Named(words []uint64) bool { return words[0]&named != 0 }

// Append appends a position without its tags: the heap with the number of threads, and the threads, two in a word.
func (p *Position) Append(dst []uint64) []uint64 {
	dst = append(dst, uint64(p.Heap)|uint64(p.N)<<32|named)
	for i := 0; i < p.N; i += 2 {
		w := uint64(p.Threads[i])
		if i+1 < p.N { // what is behind the last thread means nothing
			w |= uint64(p.Threads[i+1]) << 32
		}
		dst = append(dst, w)
	}
	return dst
}

// read reads what Append has written, and tags that stand behind.
func (p *Position) read(words []uint64) {
	*p = Position{Heap: uint32(words[0]), N: int(words[0] &^ named >> 32)}
	rest := words[1:]
	for i := range p.N {
		p.Threads[i] = uint32(rest[i/2] >> (i % 2 * 32))
	}
	copy(p.Tags[:p.N], rest[(p.N+1)/2:])
}

// Limits are how many bytes the parts of a search's states may take, and what a worker remembers of their
// steps.
type Limits struct{ Parts, Steps int64 }

// Usual are the limits of searches that may take as much as they like.
var Usual = Limits{Parts: 256 << 20, Steps: 128 << 20}

// share is the part of a search's memory that the parts, and what a worker remembers, may take.
const share = 8

// Within are the limits of a search that may take so many bytes in all; 0: any number.
func (l Limits) Within(bytes int64) Limits {
	if bytes > 0 {
		return Limits{min(l.Parts, bytes/share), min(l.Steps, bytes/share)}
	}
	return l
}
