// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"maps"
	"slices"

	"pangolin/internal/vm"
)

// Clocks decide by vector clocks which accesses of one execution are ordered (Mattern; as race
// detectors do, Flanagan and Freund's FastTrack, without what makes those fast). They listen to an
// execution that is repeated, and share nothing with the search but the machine's events:
// where the search keeps who knows of one access, each synchronisation object has a clock
// here, or a channel one for each of its sends and receives, and all accesses are kept.
//
// Numbers of threads are those of a Rerun.
type Clocks struct {
	m       *vm.Machine
	threads func() []int
	of      map[int]clock
	objects map[object]clock
	chans   map[uint64]*channel
	made    []Side
	// Step, if not nil, gives the number of the step that is about to be made.
	Step func() int
}

// Side is an access of an execution.
type Side struct {
	Thread int
	vm.Access
	At     vm.Place
	Caller bool // made by who called an operation
	Stack  []vm.Frame
	Holds  []string
	Step   int // its number, as Clocks.Step gives it

	time uint32
}

// clock says of each thread how much of what it has done is known; threads count from 1.
type clock map[int]uint32

func (c clock) join(d clock) {
	for t, n := range d {
		c[t] = max(c[t], n)
	}
}

// object is what a clock belongs to.
type object struct {
	p    uint64
	what string
}

// channel has the clock of each send and receive on a channel with a buffer, from when it was first seen on, and
// sends that have no clock for what it held then.
type channel struct{ sends, receives []clock }

func newClocks(m *vm.Machine, threads func() []int) *Clocks {
	c := &Clocks{m: m, threads: threads, of: map[int]clock{}, objects: map[object]clock{}, chans: map[uint64]*channel{}}
	m.Listen(c)
	return c
}

// thread is the clock of a thread.
func (c *Clocks) thread(n int) clock {
	if c.of[n] == nil {
		c.of[n] = clock{n: 1}
	}
	return c.of[n]
}

// Accesses notes the accesses that the thread in a place is about to make.
func (c *Clocks) Accesses(place int) {
	n := c.threads()[place]
	for _, a := range c.m.Accesses(place) {
		s := c.side(n, place, a)
		if c.Step != nil {
			s.Step = c.Step()
		}
		c.made = append(c.made, s)
	}
}

func (c *Clocks) side(n, place int, a vm.Access) Side {
	return Side{Thread: n, Access: a, At: c.m.UserPlace(place), Caller: c.m.InHarness(place), Stack: c.m.Stack(place),
		Holds: c.m.HeldBy(place), time: c.thread(n)[n]}
}

// Synchronises does what a synchronisation means.
func (c *Clocks) Synchronises(e vm.Sync) {
	threads := c.threads()
	n := threads[e.Thread]
	now := c.thread(n)
	word, readers := object{e.P, "word"}, object{e.P, "readers"}
	switch e.Kind {
	case vm.AtomicRead:
		now.join(c.objects[word])
	case vm.AtomicWrite:
		c.objects[word] = maps.Clone(now)
	case vm.AtomicUpdate:
		now.join(c.objects[word])
		c.objects[word] = maps.Clone(now)
	// Each unlock comes before all later locks, each Done before all later Waits.
	case vm.Locked:
		now.join(c.objects[word])
		now.join(c.objects[readers])
	case vm.ReadLocked, vm.GroupWaited, vm.Acquired, vm.Awaited:
		now.join(c.objects[word])
	case vm.Unlocked, vm.GroupDone, vm.Released, vm.Signalled:
		c.merge(word, now)
	case vm.ReadUnlocked:
		c.merge(readers, now)
	case vm.Sent, vm.Received, vm.Discarded:
		c.buffered(e, now)
	case vm.Closed:
		c.merge(object{e.P, "closed"}, now)
	case vm.ReceivedClosed:
		now.join(c.objects[object{e.P, "closed"}])
	// A send comes before the end of its receive, and the receive before the end of the send.
	case vm.Met:
		other := c.thread(threads[e.Other])
		now.join(other)
		other.join(now)
		other[threads[e.Other]]++
	case vm.Started:
		c.of[threads[e.Other]] = maps.Clone(now)
		c.thread(threads[e.Other])[threads[e.Other]]++
	case vm.Joined:
		now.join(c.thread(threads[e.Other]))
		c.thread(threads[e.Other])[threads[e.Other]]++
	}
	now[n]++
}

func (c *Clocks) merge(o object, now clock) {
	if c.objects[o] == nil {
		c.objects[o] = clock{}
	}
	c.objects[o].join(now)
}

// buffered: the k-th send comes before the end of the k-th receive, and the k-th receive before the end of
// the send that is as many later as the buffer holds.
func (c *Clocks) buffered(e vm.Sync, now clock) {
	ch := c.chans[e.P]
	if ch == nil {
		ch = &channel{sends: make([]clock, e.Before)}
		c.chans[e.P] = ch
	}
	switch e.Kind {
	case vm.Sent:
		if k := len(ch.sends) - e.Capacity; k >= 0 {
			now.join(ch.receives[k])
		}
		ch.sends = append(ch.sends, maps.Clone(now))
	case vm.Received:
		now.join(ch.sends[len(ch.receives)])
		ch.receives = append(ch.receives, maps.Clone(now))
	default:
		ch.receives = append(ch.receives, nil)
	}
}

// Renumber follows objects that get other numbers; those that have none any more are gone.
func (c *Clocks) renumber(number func(p uint64) (uint64, bool)) {
	objects, chans := map[object]clock{}, map[uint64]*channel{}
	for o, at := range c.objects {
		if p, ok := number(o.p); ok {
			objects[object{p, o.what}] = at
		}
	}
	for p, ch := range c.chans {
		if q, ok := number(p); ok {
			chans[q] = ch
		}
	}
	c.objects, c.chans = objects, chans
	var made []Side
	for _, s := range c.made {
		if p, ok := number(s.P); ok {
			s.P = p
			made = append(made, s)
		}
	}
	c.made = made
}

// RacesOf lists the accesses with which one that a thread is about to make is in a race, each with that, the last first.
func (c *Clocks) RacesOf(place int) [][2]Side {
	n := c.threads()[place]
	now := c.thread(n)
	var list [][2]Side
	next := c.m.Accesses(place)
	for i := range slices.Backward(c.made) {
		s := &c.made[i]
		if s.Thread == n || s.time <= now[s.Thread] {
			continue
		}
		var second *vm.Access
		for _, a := range next {
			switch {
			case !s.Conflicts(a):
			case second == nil:
				second = &vm.Access{P: a.P, Words: a.Words, Write: a.Write, Atomic: a.Atomic}
			default:
				second.Write = second.Write || a.Write
			}
		}
		if second != nil {
			list = append(list, [2]Side{*s, c.side(n, place, *second)})
		}
	}
	return list
}

// Races lists the races between accesses that have been made and those that threads stand at.
func (c *Clocks) Races() [][2]Side {
	var list [][2]Side
	for place := range c.threads() {
		list = append(list, c.RacesOf(place)...)
	}
	return list
}
