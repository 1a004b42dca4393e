// SPDX-License-Identifier: BSD-3-Clause

// Package meetings has calls that see each other, which no order of the calls explains.
package meetings

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Exchanger has two calls that meet exchange their values. Who meets nobody gets nothing.
//
//pangolin:oracle meetings
//pangolin:overlaps Exchange:interval
type Exchanger struct {
	mu      sync.Mutex
	waiting *offer
}

type offer struct {
	mine, theirs int
	met          bool
}

// meet gives the value of who waits, or waits itself; one who goes without having met anybody takes its offer away if it leaves.
func (x *Exchanger) meet(v int, leaves bool) (int, bool) {
	x.mu.Lock()
	if o := x.waiting; o != nil {
		o.theirs, o.met, x.waiting = v, true, nil
		x.mu.Unlock()
		return o.mine, true
	}
	o := &offer{mine: v}
	x.waiting = o
	x.mu.Unlock()
	runtime.Gosched()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !o.met && leaves {
		x.waiting = nil
	}
	return o.theirs, o.met
}

func (x *Exchanger) Exchange(v int) (int, bool) { return x.meet(v, true) }

// Ghosts leaves the offer of who met nobody, for one who comes later.
//
//pangolin:oracle meetings
//pangolin:overlaps Exchange:interval
type Ghosts struct{ Exchanger }

func (x *Ghosts) Exchange(v int) (int, bool) { return x.meet(v, false) }

// meetings has the values of all calls, and whom each has met: -1 as long as it may meet somebody.
type meetings struct{ values, with []int }

func (m *meetings) BeginExchange(v int) (ticket int) {
	me, whom := len(m.values), -1
	for i, w := range m.with {
		if w < 0 {
			m.with[i], whom = me, i
		}
	}
	m.values, m.with = append(m.values, v), append(m.with, whom)
	return me
}

func (m *meetings) EndExchange(ticket int) (int, bool) {
	whom := m.with[ticket]
	if whom < 0 {
		m.with[ticket] = ticket // it goes, and meets nobody
		return 0, false
	}
	return m.values[whom], true
}

// Gathering counts those that take effect together: an immediate snapshot, by floors.
//
//pangolin:oracle groups
//pangolin:overlaps Join:interval
type Gathering struct {
	came   atomic.Int32
	floors [4]atomic.Int32 // of each call, from 4 down to 1; 0: it has not come
}

func (g *Gathering) Join() int {
	me := g.came.Add(1) - 1
	for floor := int32(4); ; floor-- {
		g.floors[me].Store(floor)
		below := int32(0)
		for i := range g.floors {
			if f := g.floors[i].Load(); f != 0 && f <= floor {
				below++
			}
		}
		if below >= floor {
			return int(below)
		}
	}
}

// Naive counts who has come, which need not be the same for those that take effect together.
//
//pangolin:oracle groups
//pangolin:overlaps Join:interval
type Naive struct{ came atomic.Int32 }

func (n *Naive) Join() int {
	n.came.Add(1)
	return int(n.came.Load())
}

// groups has how many calls have begun, and how many of these have not ended.
type groups struct {
	begun, open int
	leaving     bool
}

func (g *groups) BeginJoin() (ticket int) {
	if g.leaving {
		select {} // the group before has to end first
	}
	g.begun++
	g.open++
	return g.begun
}

func (g *groups) EndJoin(ticket int) int {
	g.open--
	g.leaving = g.open > 0
	return g.begun
}

// Barrier lets go two at a time, and tells each in which pair it was.
//
//pangolin:oracle pairs
//pangolin:overlaps Await:interval
type Barrier struct {
	mu      sync.Mutex
	waiting chan struct{} // nil: nobody waits
	pair    int
}

func (b *Barrier) Await() int {
	b.mu.Lock()
	pair := b.pair
	if c := b.waiting; c != nil {
		b.waiting, b.pair = nil, pair+1
		close(c)
		b.mu.Unlock()
		return pair
	}
	c := make(chan struct{})
	b.waiting = c
	b.mu.Unlock()
	<-c
	return pair
}

// Recounted reads which pair it was when it goes on, which may be later.
//
//pangolin:oracle pairs
//pangolin:overlaps Await:interval
type Recounted struct{ Barrier }

func (b *Recounted) Await() int {
	b.Barrier.Await()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pair - 1
}

// pairs has how many calls have begun.
type pairs struct{ begun int }

func (p *pairs) BeginAwait() (ticket int) {
	p.begun++
	return p.begun
}

func (p *pairs) EndAwait(ticket int) int {
	if ticket%2 == 1 && p.begun == ticket {
		select {} // nobody has come yet
	}
	return (ticket - 1) / 2
}
