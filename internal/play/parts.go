// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// Parts is a Place that represents a state by the numbers of its parts, if it can be taken apart (vm/state, parts.go), and recalls
// turns that were executed before. The states are the same as those of a Machine: threads are sorted and items and keys are renamed by
// the same rules. Everything else is left to the machine: decisions, threads that meet, begin or end, panics, faults, races, and states
// that cannot be taken apart, which are saved as the machine's words.
type Parts struct {
	*Machine
	parts.Standing
	turn   *Turn // the turn taken from the loaded state
	whole  bool  // the state is being saved as the machine's words
	shared bool  // the machine's state cannot be taken apart because of shared objects, and has not changed since
	raw    bool  // the parts of the state being saved are words (Pieces) that have no numbers
	listed []uint8
	perm   [parts.Room]int // the order of the threads that Sort has found
	ranked parts.Position  // the parts of that state with keys replaced by ranks, in the old order
	ties   ties
}

func newParts(m *Machine, store *Store) *Parts {
	p := &Parts{Machine: m, Standing: parts.NewStanding(parts.NewMemory(store.parts, store.steps), m.m)}
	p.Executing = m.opt.Machine.Places
	m.begun = p.Begins
	return p
}

func (p *Parts) Reset() *vm.Machine {
	p.Leave()
	p.shared = false
	return p.Machine.Reset()
}

// Stand: after a recalled turn the parts are those of the next state, already sorted and renamed, which the caller does not expect yet.
// So the machine executes the turn.
func (p *Parts) Stand() *vm.Machine {
	switch {
	case !p.Away():
	case p.Recalled():
		tags := p.After.Tags
		p.Enter(&p.Loaded)
		if p.turn != nil {
			p.Machine.Take(p.turn, explore.Replay(nil))
		}
		for i := range p.opt.Clients {
			p.m.SetTag(i, tags[i])
		}
	default:
		p.Enter(&p.Loaded)
	}
	return p.m
}

func (p *Parts) Follow() *vm.Machine {
	p.Executing = true
	return p.Stand()
}

// present is the state of a place whose machine is elsewhere: after a recalled turn, the one after the turn.
func (p *Parts) present() *parts.Position {
	if p.Recalled() {
		return &p.Saved
	}
	return &p.Loaded
}

func (p *Parts) Threads() int {
	if !p.Away() {
		return p.Machine.Threads()
	}
	return p.present().N
}

func (p *Parts) Idle(i int) bool {
	if !p.Away() {
		return p.Machine.Idle(i)
	}
	return p.Thread(p.present().Threads[i]).Idle
}

func (p *Parts) Enabled(i int) bool {
	if !p.Away() {
		return p.Machine.Enabled(i)
	}
	return p.Stance(p.present(), i).Enabled
}

func (p *Parts) Anonymous(i int) bool {
	if !p.Away() {
		return p.Machine.Anonymous(i)
	}
	return p.Thread(p.present().Threads[i]).Anonymous
}

func (p *Parts) Tag(i int) uint64 {
	switch {
	case !p.Away():
		return p.Machine.Tag(i)
	case p.Recalled():
		return p.After.Tags[i]
	}
	return p.Loaded.Tags[i]
}

func (p *Parts) SetTag(i int, tag uint64) {
	switch {
	case !p.Away():
		p.Machine.SetTag(i, tag)
	case p.Recalled():
		p.After.Tags[i] = tag
	default:
		p.Loaded.Tags[i] = tag
	}
}

func (p *Parts) Count(of []uint64, last int) {
	switch {
	case !p.Away():
		p.Machine.Count(of, last)
	case p.Recalled():
		count(p.After.Tags[:], of, last)
	default:
		count(p.Loaded.Tags[:], of, last)
	}
}

func (p *Parts) Counts(of []uint64) (last int) {
	switch {
	case !p.Away():
		return p.Machine.Counts(of)
	case p.Recalled():
		return counts(p.After.Tags[:], of)
	}
	return counts(p.Loaded.Tags[:], of)
}

func (p *Parts) Root() uint64 {
	if !p.Away() {
		return p.Machine.Root()
	}
	return p.Heap(p.Loaded.Heap).Root
}

func (p *Parts) Ended() bool { return !p.Away() && p.Machine.Ended() }

// Race: the parts only tell whether there is a race. The machine finds the accesses.
func (p *Parts) Race() (r vm.Race, ok bool) {
	if p.Away() {
		if !p.raced() {
			return r, false
		}
		p.Stand()
	}
	return p.Machine.Race()
}

// raced reports whether two threads of the state are in a data race.
func (p *Parts) raced() bool {
	at := p.present()
	for i := range at.N {
		for j := range i {
			if p.Stance(at, i).Races(p.Stance(at, j)) {
				return true
			}
		}
	}
	return false
}

func (p *Parts) Deep(calls int) bool {
	if !p.Away() {
		return p.Machine.Deep(calls)
	}
	at := p.present()
	for _, t := range at.Threads[:at.N] {
		if p.Thread(t).Depth >= calls {
			return true
		}
	}
	return false
}

func (p *Parts) Take(t *Turn, ch *explore.Choices) *Events {
	if p.Away() {
		p.turn = t
		call := p.number(t)
		step, tried := p.Find(t.Thread, call)
		if step != nil && !p.begunInRace(step, t.Thread) && p.Recall(step, t.Thread) {
			return p.recalled(step)
		}
		p.Stand()
		p.Draft(t.Thread, call, t.Fresh, step != nil || !tried)
	}
	e := p.Machine.Take(t, ch)
	p.Passes(e.Site)
	p.Says(e.Said)
	for i := range e.Returned {
		p.Returns(e.Returned[i].Thread)
	}
	return e
}

func (p *Parts) Rest() {
	if p.Away() {
		p.turn = nil
		p.Standing.Rest()
	}
}

// number is the number of the call with which a turn begins; 0 if it begins with none.
func (p *Parts) number(t *Turn) uint32 {
	if !t.Begins || t.Number != 0 {
		return t.Number
	}
	return p.Call(append(p.opt.Words(&t.Call), uint64(t.Call.Op)))
}

// begunInRace reports whether the first access of a call would race with another thread's.
func (p *Parts) begunInRace(s *parts.Step, i int) bool {
	begun := s.Begun()
	if begun == nil {
		return false
	}
	at := &p.Loaded
	for j := range at.N {
		if j != i && begun.Races(p.Stance(at, j)) {
			return true
		}
	}
	return false
}

// recalled returns the events of a remembered step.
func (p *Parts) recalled(s *parts.Step) *Events {
	t, a, e := p.turn, &p.After, &p.events
	// Names are computed only if they are needed: to rename items, or for results.
	if p.opt.Items || s.Returned {
		p.Rename(a, t.Fresh)
	}
	if t.Begins {
		a.Tags[t.Thread] = BusyWith(t.Call.Op)
	}
	p.Speak(a, t.Fresh)
	e.Race, e.Site, e.Said, e.Returned = nil, int(s.Site), a.Said, e.Returned[:0]
	if s.Returned {
		e.Returned = append(e.Returned, Return{Thread: t.Thread, Operation: OperationOf(a.Tags[t.Thread]), Words: a.Results})
	}
	return e
}

func (p *Parts) Sort(whole bool) []int {
	if p.whole = whole; !whole && !p.Recalled() {
		p.Stand()
		apart, numbered := p.TakeApart()
		p.shared, p.raw = apart == parts.Shared, !numbered
		p.whole = apart != parts.Parted || p.raw && !p.opt.Keys
	} else {
		p.raw = false
	}
	if !p.whole {
		return p.sortParts()
	}
	p.Stand()
	if !p.shared {
		return p.Machine.Sort(true)
	}
	p.shared = false
	p.view()
	p.words = p.m.SaveShared(p.words[:0], p.Pieces())
	return p.m.Permutation()
}

func (p *Parts) Items() []uint8 {
	if p.whole {
		return p.Machine.Items()
	}
	return p.itemsIn(p.perm[:p.After.N])
}

func (p *Parts) Append(dst []uint64) []uint64 {
	if p.whole {
		return p.Machine.Append(dst)
	}
	s, a := p.Keep(), &p.After
	s.Heap, s.N = p.ranked.Heap, a.N
	for place := range a.N {
		s.Threads[place], s.Tags[place] = p.ranked.Threads[p.perm[place]], a.Tags[p.perm[place]]
	}
	if p.opt.Untagged {
		s.Tags = [parts.Room]uint64{}
	}
	// The machine may sort in another order, because it counts an object that two threads reach among those of a thread.
	if p.Executing {
		p.m.Sorted(p.perm[:a.N])
	}
	if dst = s.Append(dst); p.opt.Untagged {
		return dst
	}
	return append(dst, s.Tags[:s.N]...)
}

func (p *Parts) Load(words []uint64) {
	p.shared = false
	if !parts.Named(words) {
		p.Leave()
		p.Machine.Load(words)
		return
	}
	p.Standing.Load(words)
	p.m.Failure = nil
	if p.Executing {
		p.Stand()
	}
}

// Joined appends the words that the machine would have saved for the last saved state, up to the order of objects that two threads
// reach; false if the state was saved as the machine's words.
func (p *Parts) Joined(dst []uint64) ([]uint64, bool) {
	if p.whole {
		return dst, false
	}
	s := &p.Saved
	return p.Join(dst, s.Heap, s.Threads[:s.N], s.Tags[:s.N]), true
}
