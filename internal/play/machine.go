// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// Machine is a Place that keeps the state in a vm.Machine and executes every turn.
type Machine struct {
	opt    *Options
	m      *vm.Machine
	events Events
	order  []uint8
	tags   []uint64
	words  []uint64 // the saved state, after Sort
	// begun is called when a call has reached its first access, if races are looked for.
	begun func(thread int)
}

func newMachine(img *vm.Image, opt *Options) *Machine {
	p := &Machine{opt: opt}
	set := opt.Machine
	set.Items, set.Numbers, set.Watch, set.Tie = opt.Items, opt.Numbers, opt.Keys || opt.Generic, p.tie
	p.m = img.NewMachine(set)
	return p
}

func (p *Machine) Reset() *vm.Machine {
	p.m.Reset()
	return p.m
}

func (p *Machine) Stand() *vm.Machine  { return p.m }
func (p *Machine) Follow() *vm.Machine { return p.m }

func (p *Machine) Threads() int               { return p.m.Threads() }
func (p *Machine) Idle(i int) bool            { return p.m.Idle(i) }
func (p *Machine) Enabled(i int) bool         { return p.m.Enabled(i) }
func (p *Machine) Anonymous(i int) bool       { return p.m.Anonymous(i) }
func (p *Machine) Tag(i int) uint64           { return p.m.Tag(i) }
func (p *Machine) SetTag(i int, tag uint64)   { p.m.SetTag(i, tag) }
func (p *Machine) Root() uint64               { return p.m.Root(0) }
func (p *Machine) Ended() bool                { return p.m.Ended().Kind != vm.Running }
func (p *Machine) Race() (r vm.Race, ok bool) { return p.m.Race() }

func (p *Machine) Count(of []uint64, last int) {
	tags := p.tagsOf(len(of))
	count(tags, of, last)
	for i, tag := range tags {
		p.m.SetTag(i, tag)
	}
}

func (p *Machine) Counts(of []uint64) (last int) { return counts(p.tagsOf(len(of)), of) }

// tagsOf lists the tags of the first threads.
func (p *Machine) tagsOf(threads int) []uint64 {
	p.tags = p.tags[:0]
	for i := range threads {
		p.tags = append(p.tags, p.m.Tag(i))
	}
	return p.tags
}

func (p *Machine) Deep(calls int) bool {
	for i := range p.m.Threads() {
		if p.m.Depth(i) >= calls {
			return true
		}
	}
	return false
}

func (p *Machine) Take(t *Turn, ch *explore.Choices) *Events {
	e := &p.events
	e.Race, e.Site = nil, 0
	switch {
	case t.Begins:
		p.begin(t, ch)
	case t.Alone:
		p.m.RunAlone(t.Thread, ch)
	default:
		p.pass(t.Thread, ch)
	}
	return p.Heard()
}

func (p *Machine) Rest() {}

// begin lets an idle thread call an operation and execute its first access. It stops before the access if that may race with another
// thread's, or if the call has started goroutines, which could move first. Otherwise all other threads may as well have moved before
// the call.
func (p *Machine) begin(t *Turn, ch *explore.Choices) {
	m, i := p.m, t.Thread
	m.SetTag(i, BusyWith(t.Call.Op))
	threads := m.Threads()
	m.Call(i, p.opt.Operations[t.Call.Op].Func, p.opt.Words(&t.Call))
	m.Wrote = false
	m.Settle(i, ch)
	if m.Fault() != nil || m.Idle(i) || p.Ended() {
		return
	}
	// If the first access is about to be made within this turn, no state will have the thread standing at it: a race with it
	// shows now or never.
	if p.opt.Races {
		if p.begun != nil {
			p.begun(i)
		}
		r, racy := m.RaceWith(i)
		if !racy && p.opt.Machine.Hunt != nil {
			r, racy = m.TrackedRace()
		}
		if racy {
			p.events.Race = &r
			return
		}
	}
	if p.opt.Fuse && m.Threads() == threads && !m.StandsAtPlain(i) && m.Enabled(i) {
		p.pass(i, ch)
	}
}

// pass lets a thread take a step, and records the number of the site that the thread passes.
func (p *Machine) pass(i int, ch *explore.Choices) {
	if p.opt.Sites != nil && i < p.opt.Clients {
		if site, ok := p.m.StandsAt(i, p.opt.Sites); ok {
			p.events.Site = p.opt.Site(site)
		}
	}
	p.m.Step(i, ch)
}

// Heard returns the events of what the machine has just executed. A call that has returned is reported until its thread's
// tag is changed.
func (p *Machine) Heard() *Events {
	e, m := &p.events, p.m
	e.Said, e.Returned = nil, e.Returned[:0]
	if m.Fault() != nil || p.Ended() || e.Race != nil {
		return e
	}
	e.Said = m.Announced()
	m.Hear()
	for i := range p.opt.Clients {
		if tag := m.Tag(i); tag&Busy != 0 && m.Idle(i) {
			e.Returned = append(e.Returned, Return{i, OperationOf(tag), m.Results(i), m.Panicked(i)})
		}
	}
	return e
}

func (p *Machine) Sort(bool) []int {
	p.view()
	p.words = p.m.Save(p.words[:0])
	return p.m.Permutation()
}

// view tells the machine the signatures of threads that are otherwise equal (Options.View).
func (p *Machine) view() {
	for i := range p.opt.Clients {
		p.m.SetView(i, p.opt.View(i))
	}
}

// tie returns the number of an order of the threads (Options.Tie).
func (p *Machine) tie(perm []int) uint64 {
	if p.opt.Items {
		p.order = p.m.ItemOrderOf(p.order[:0], perm)
	}
	return p.opt.Tie(perm, p.order)
}

func (p *Machine) Items() []uint8 { return p.m.ItemOrder() }
func (p *Machine) Keys() uint64   { return parts.KeysIn(p.words) }

func (p *Machine) Rank(present uint64) bool {
	if present != 0 {
		parts.RankKeys(p.words, present)
	}
	return true
}

func (p *Machine) Append(dst []uint64) []uint64 { return append(dst, p.words...) }
func (p *Machine) Load(words []uint64)          { p.m.Load(words) }
