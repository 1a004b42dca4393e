// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"math"
	"slices"
	"sync/atomic"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// The clock. A moment is two words, as in a time.Time: a mark, and a number of nanoseconds. Where moments are relative, the number is
// their distance from the present, and the clock goes on by moving all that are held into the past. So a loop that
// waits and looks at the clock comes back to a state where it has been. What code does with a time beyond comparing, subtracting and
// adding durations is noticed, and the search begins again with a form of the clock that admits it (ir.ClockForm).

// Marks of moments, in package prelude: of times that the clock has shown, and of the moments for which timers and sleepers wait.
const (
	relativeMark = 0xc5a1f3e72b9d4c06
	timerMark    = relativeMark + 1
	numberedMark = 1
)

// longAgo is how far the clock goes on at once where timers fire at any moment, and how far moments are told apart that are over: a
// hundred years.
const longAgo int64 = 100 * 365 * 24 * 3600 * 1e9

// initClockNote is what a verdict about a collection says if package initialisation reads the clock.
const initClockNote = "the clock does not go on while packages are initialised"

// Names of the functions at which threads wait for moments.
const (
	timerName    = preludePath + "timer"
	sleepingName = preludePath + "sleeping"
	waitName     = preludePath + "waitIdle"
	bubbleName   = preludePath + "waitBubble"
)

var clockBuiltins = map[string]*builtin{
	timerName:    {visible: always, run: arrive},
	sleepingName: {visible: always, run: arrive},
	waitName:     {visible: always, run: waitTurn},
	bubbleName:   {visible: always, run: waitTurn},

	preludePath + "goroutines": simple(func(c *call) {
		c.m.Peered = true
		c.out[0] = c.m.goroutines()
	}),
	preludePath + "clockForm":   simple(func(c *call) { c.out[0] = uint64(c.m.clock().Form) }),
	preludePath + "virtualTime": simple(func(c *call) { c.out[0] = truth(c.m.clock().Virtual) }),
	preludePath + "clockNow":    simple(func(c *call) { c.out[0] = c.m.Words(c.args[0], 1)[0] }),
	preludePath + "later":       simple(func(c *call) { copy(c.out, c.m.later(c.args[0], int64(c.args[1]))) }),
	preludePath + "passTime":    simple(passTime),
	preludePath + "looksAtTime": simple(func(c *call) { c.m.looksAtTime(ir.ClockNumbers) }),
	preludePath + "comparesTimes": simple(func(c *call) {
		if c.m.over(c.args[0]) && c.m.over(c.args[1]) {
			c.m.looksAtTime(ir.ClockExact)
		}
	}),
	preludePath + "subtractsTimes": simple(func(c *call) {
		a, b := c.m.over(c.args[0]), c.m.over(c.args[1])
		if a && b || c.m.clock().Virtual && (a || b) {
			c.m.looksAtTime(ir.ClockExact)
		}
	}),
	preludePath + "addedTime": simple(func(c *call) { c.out[0] = uint64(c.m.addedTime(int64(c.args[0]), int64(c.args[1]))) }),
}

func (m *Machine) clock() *ir.Clock { return &m.img.Prog.Clock }

// relative says that moments are held by their distance from the present.
func (m *Machine) relative() bool {
	f := m.clock().Form
	return f == ir.ClockForgets || f == ir.ClockExact
}

// horizon is how far moments are told apart that are over.
func (m *Machine) horizon() int64 {
	switch c := m.clock(); {
	case c.Form != ir.ClockForgets:
		return math.MaxInt64
	case c.Virtual:
		return 1
	}
	return longAgo
}

// over says that a relative moment is so long over that nobody knows how long.
func (m *Machine) over(ext uint64) bool {
	h := m.horizon()
	return h != math.MaxInt64 && int64(ext) <= -h
}

// addedTime is a relative moment after a duration.
func (m *Machine) addedTime(ext, d int64) int64 {
	sum := ext + d
	switch {
	case d == 0:
	case (sum > ext) != (d > 0):
		m.looksAtTime(ir.ClockNumbers)
	case m.over(uint64(ext)) && m.clock().Virtual:
		m.looksAtTime(ir.ClockExact)
	case m.over(uint64(ext)):
		return ext
	}
	return max(sum, -m.horizon())
}

// looksAtTime notes that code has done something that needs another form of the clock.
func (m *Machine) looksAtTime(needed ir.ClockForm) {
	if !m.relative() || needed <= m.clock().Form {
		return
	}
	if n := &m.img.needs.form; n.Load() < uint32(needed) {
		n.Store(uint32(needed))
	}
}

// needs is the form of the clock that code needs, as far as the machines of an image have seen.
type needs struct{ form atomic.Uint32 }

// NeedsForm is the form of the clock that the program needs, as far as it has been executed: what was found with a lesser one does not count.
func (img *Image) NeedsForm() ir.ClockForm { return ir.ClockForm(img.needs.form.Load()) }

// looksAtTimes does so if one of some words is the mark of a time.
func (m *Machine) looksAtTimes(words []uint64, needed ir.ClockForm) {
	if m.relative() && slices.Contains(words, relativeMark) {
		m.looksAtTime(needed)
	}
}

// HasTimers says that a program can wait for a moment.
func HasTimers(prog *ir.Program) bool {
	return slices.ContainsFunc(prog.Funcs, func(f *ir.Func) bool { return f.Name == timerName || f.Name == preludePath+"timeSleep" })
}

// later is the moment after a duration. Where timers fire at any moment it makes no difference: they fire whatever the clock shows, for a
// ticker would move all that the program holds apart, by another distance at each tick.
func (m *Machine) later(clock uint64, d int64) []uint64 {
	d = max(d, 0)
	switch c := m.clock(); {
	case c.Form == ir.ClockNumbers:
		return []uint64{numberedMark, uint64(int64(m.Words(clock, 1)[0]) + min(d, math.MaxInt64-int64(m.Words(clock, 1)[0])))}
	case c.Virtual:
		return []uint64{timerMark, uint64(d)}
	}
	return []uint64{0, 0}
}

// waits says for how long a thread still waits that stands at a timer or sleeps; 0 if it does not.
func (m *Machine) waits(c *call) int64 {
	switch c.args[1] {
	case timerMark:
		return max(0, int64(c.args[2]))
	case numberedMark:
		return max(0, int64(c.args[2]-m.Words(c.args[0], 1)[0]))
	}
	return 0
}

// arrive is the end of a wait: the clock has gone on that far.
func arrive(c *call) control {
	m := c.m
	switch d := m.waits(c); {
	case d == 0 || m.stopped(c.t):
	case !m.inTime(c.t):
		if !m.Tracking { // somebody else's turn has to come first
			return ctlStop
		}
		// Nobody notices that this one goes first, see FiresIntoNothing.
	default:
		if m.clock().Virtual {
			m.tells() // all that the others have done before is over, though nothing orders it
		}
		if m.clock().Form == ir.ClockNumbers {
			c.set(0, 0, c.args[2])
		} else {
			m.goOnBy(d)
		}
	}
	return yield(c)
}

// waitTurn is the end of a wait for nobody else's being able to move.
func waitTurn(c *call) control {
	if !c.m.Tracking && !c.m.inTime(c.t) {
		return ctlStop
	}
	c.m.note(Idled, c.t, 0, 0)
	return yield(c)
}

// goOnBy lets the clock go on where moments are relative: all of them move into the past.
func (m *Machine) goOnBy(d int64) {
	m.Peered, m.Maps = true, nil
	least := -m.horizon()
	for id := 1; id < len(m.Objs); id++ {
		o := &m.Objs[id]
		if o.Info != nil && o.Info.Type.Size > 1 && move(m.Mem[o.At:o.At+o.Words()], d, least) {
			m.Touch(id)
		}
	}
	for _, t := range m.Thread {
		for i := range t.Frames {
			f := &t.Frames[i]
			regs, live := t.Regs[f.Base:], m.LiveIn(f, i == len(t.Frames)-1)
			for k := 1; k < len(live); k++ {
				if r := live[k-1].Reg; live[k].Reg == r+1 {
					move(regs[r:r+2], d, least)
				}
			}
		}
	}
}

// move moves the moments among some words into the past.
func move(words []uint64, d, least int64) (moved bool) {
	for i := 1; i < len(words); i++ {
		switch at := int64(words[i]); words[i-1] {
		case relativeMark:
			words[i], moved = uint64(max(at-d, least)), true
		case timerMark:
			words[i], moved = uint64(max(at-d, 0)), true
		}
	}
	return moved
}

// Turns of threads, in virtual time: whoever comes first goes on, and the others wait until nobody of them can.
const (
	turnNow    = iota
	turnIdle   // who waits until nobody can move: synctest.Wait
	turnTimer  // timers and sleepers, the first of them
	turnBubble // who waits for the end of a bubble
)

// turnOf says whose turn a thread waits for that can go on.
func (m *Machine) turnOf(t *state.Thread) (turn int, wait int64) {
	c := m.builtinAt(t)
	if c == nil {
		return turnNow, 0
	}
	switch c.fn.Name {
	case timerName, sleepingName:
		if d := m.waits(c); d > 0 && !m.stopped(t) {
			return turnTimer, d
		}
	case waitName:
		return turnIdle, 0
	case bubbleName:
		if m.Words(c.args[0], 1)[0] != 0 {
			return turnIdle, 0
		}
		return turnBubble, 0
	}
	return turnNow, 0
}

// inTime says that a thread that can go on may do so now: in virtual time nobody waits for an earlier turn.
func (m *Machine) inTime(t *state.Thread) bool {
	if !m.clock().Virtual {
		return true
	}
	turn, wait := m.turnOf(t)
	if turn == turnNow {
		return true
	}
	for _, u := range m.Thread {
		if u == t || u.Idle() || !m.mayGoOn(u) {
			continue
		}
		if other, least := m.turnOf(u); other < turn || other == turn && least < wait {
			return false
		}
	}
	return true
}

// stopped says that a thread stands for a timer that has been stopped or set anew.
func (m *Machine) stopped(t *state.Thread) bool {
	if !m.standsForTimer(t) {
		return false
	}
	p := t.Registers()[0]
	return m.pending(p) != p
}

// pending is the expiry to come of the timer for which p stands.
func (m *Machine) pending(p uint64) uint64 {
	timer := m.Words(p, 1)[0]
	return m.timerField(timer, "pending")
}

// passTime lets the clock go on where it is read and timers fire at any moment: to just behind each moment that is held but the last, and
// far beyond that.
func passTime(c *call) {
	m := c.m
	moments := m.moments()
	if len(moments) == 0 {
		return
	}
	var steps []int64
	for i, at := range moments[:len(moments)-1] {
		if at >= 0 && moments[i+1] > at+1 && len(steps) < maxMoments {
			steps = append(steps, at+1)
		}
	}
	steps = append(steps, max(0, moments[len(moments)-1])+longAgo)
	k := m.choose(1 + len(steps))
	m.chance(c.t, 0, k > 0)
	if k > 0 {
		m.goOnBy(steps[k-1])
	}
}

// maxMoments bounds the moments to come that the clock stops behind.
const maxMoments = 8

// moments lists the times that the program still holds and that are not long over, ascending.
func (m *Machine) moments() (list []int64) {
	add := func(words []uint64) {
		for i := 1; i < len(words); i++ {
			if at := int64(words[i]); words[i-1] == relativeMark && at > -longAgo {
				list = append(list, at)
			}
		}
	}
	r := m.reachedFromBase()
	for _, t := range m.Thread {
		r.follow(m.threadReferences(nil, t, false))
		for i := range t.Frames {
			f := &t.Frames[i]
			regs, live := t.Regs[f.Base:], m.LiveIn(f, i == len(t.Frames)-1)
			for k := 1; k < len(live); k++ {
				if at := live[k-1].Reg; live[k].Reg == at+1 {
					add(regs[at : at+2])
				}
			}
		}
	}
	for id := uint32(1); id < uint32(len(m.Objs)); id++ {
		if o := &m.Objs[id]; o.Info != nil && o.Info.Type.Size > 1 && r.reached(id) {
			add(m.Mem[o.At : o.At+o.Words()])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
