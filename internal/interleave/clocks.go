// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"maps"
	"slices"

	"pangolin/internal/vm"
)

// Clocks decide by vector clocks which accesses of one execution are ordered (Mattern; race detectors use them, as does Flanagan and
// Freund's FastTrack, whose optimisations are left out). They check the search's race detection independently, on the events of an
// execution that is repeated: each synchronisation object has a clock here, a channel one for each send and receive, and all accesses
// are stored.
//
// Threads are numbered as in Rerun.
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
	Caller bool // made in the harness, as part of a call of an operation
	Stack  []vm.Frame
	Holds  []string
	Step   int // the number of its step, from Clocks.Step

	time uint32
}

// clock maps each thread to the number of its events that are known to have happened before; numbers start at 1.
type clock map[int]uint32

func (c clock) join(d clock) {
	for t, n := range d {
		c[t] = max(c[t], n)
	}
}

// object identifies a clock: an address, and which of the clocks there.
type object struct {
	p    uint64
	what string
}

// channel contains the clock of each send and receive on a buffered channel since it was first seen. Items that were in the buffer then
// have nil in place of their send's clock.
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

// Accesses records the accesses that the thread at an index of the machine is about to make.
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

// Synchronises updates the clocks for a synchronisation event.
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
	case vm.Idled: // those that have ended are among them
		for k, other := range c.of {
			if k != n {
				now.join(other)
				other[k]++
			}
		}
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

// buffered: the k-th send happens before the k-th receive completes, and the k-th receive before send k+capacity completes (The Go
// Memory Model).
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

// renumber follows a renumbering of objects; what belongs to objects that were dropped is dropped too.
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

// RacesOf lists the accesses that race with one that a thread is about to make, each with the latter, the most recent first.
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

// Races lists the races between accesses that were made and those that threads are about to make.
func (c *Clocks) Races() [][2]Side {
	var list [][2]Side
	for place := range c.threads() {
		list = append(list, c.RacesOf(place)...)
	}
	return list
}
