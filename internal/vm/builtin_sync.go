// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// The synchronisation primitives use words of the real structs:
//
//	Mutex      0: 1 while it is locked
//	RWMutex    0: 0, 1 a writer has announced itself, 2 a writer holds it; 4: readers
//	WaitGroup  0: the counter, above the number of waiters; 1: tickets
//
// Where one thread stands for many (OneOfMany) readers are not counted, see readers.go.
//
// Which of several threads that wait for a lock gets it is left to the search, as
// Go leaves it open. A writer that has announced itself blocks new readers.

const (
	rwWriter  = 0
	rwReaders = 4
	rwWords   = 5

	wgState   = 0
	wgTickets = 1

	rwFree      = 0
	rwAnnounced = 1
	rwHeld      = 2
)

var syncBuiltins = map[string]*builtin{
	"(*sync.Mutex).Lock": {visible: ifShared, atomically: object1, waits: "sync.Mutex.Lock", enabled: isZero(0),
		run: func(c *call) control {
			c.set(0, 0, 1)
			c.m.Hold(c.t, c.args[0])
			c.notes(Locked)
			// From here on until something is released the step may be thought of as made later: what others do
			// meanwhile they could do before, unless they can try the lock. Ghost code rests on that.
			c.m.Acquired = c.m.shared(c.args[0]) && !c.m.img.hasTry && c.m.Owned()
			return ctlNext
		}},
	"(*sync.Mutex).TryLock": {visible: ifShared, atomically: object1, run: func(c *call) control {
		if c.object(0, 1)[0] == 0 {
			c.set(0, 0, 1)
			c.m.Hold(c.t, c.args[0])
			c.notes(Locked)
			c.out[0] = 1
			return ctlNext
		}
		c.m.tells()
		return ctlNext
	}},
	"(*sync.Mutex).Unlock": {visible: ifShared, atomically: object1, fused: releasesOwn(0), run: func(c *call) control {
		c.m.Release(c.t, c.args[0])
		if c.object(0, 1)[0] == 0 {
			c.set(0, 0, 1) // it leaves all bits set, so that nobody can lock it before the program ends
			c.m.tells()    // who comes later is told that it has been locked
			return c.m.fatal(c.t, "sync: unlock of unlocked mutex")
		}
		c.set(0, 0, 0)
		c.notes(Unlocked)
		return ctlNext
	}},

	"(*sync.RWMutex).Lock":     {visible: ifShared, atomically: objectRW, waits: "sync.Mutex.Lock", announced: "sync.RWMutex.Lock", enabled: mayLockRW, run: lockRW},
	"(*sync.RWMutex).TryLock":  {visible: ifShared, atomically: objectRW, run: tryLockRW},
	"(*sync.RWMutex).Unlock":   {visible: ifShared, atomically: objectRW, fused: releasesOwn(0), run: unlockRW},
	"(*sync.RWMutex).RLock":    {visible: ifShared, atomically: objectRW, waits: "sync.RWMutex.RLock", enabled: isZero(rwWriter), run: addReader},
	"(*sync.RWMutex).TryRLock": {visible: ifShared, atomically: objectRW, run: tryRLock},
	"(*sync.RWMutex).RUnlock":  {visible: ifShared, atomically: objectRW, fused: releasesOwn(state.ReadHold), run: runlock},

	// What the models in package front's prelude are made of.
	"pangolin/prelude.atomicBegin": {visible: ifShared, run: beginRegion,
		atomically: func(c *call, dst []access) []access {
			return append(dst, access{p: c.args[0], words: 1, write: c.args[1] != 0, atomic: true})
		}},
	"pangolin/prelude.atomicEnd": {run: endRegion},
	"pangolin/prelude.await": {visible: ifShared, waits: "sync.Cond.Wait",
		enabled: isPositive(0), run: func(c *call) control { c.notes(Awaited); return ctlNext }},
	"pangolin/prelude.awaitInput": {visible: ifShared, waits: "IO wait",
		enabled: isPositive(0), run: func(c *call) control { c.notes(Awaited); return ctlNext }},
	"pangolin/prelude.wakesUncalled":    simple(func(c *call) { c.out[0] = truth(c.m.OneOfMany && !c.m.Hunting) }),
	"pangolin/prelude.waitGroupCount":   {visible: ifShared, atomically: object1, run: countWaitGroup},
	"pangolin/prelude.waitGroupEnter":   {visible: ifShared, atomically: object1, fused: waiterComes, run: enterWaitGroup},
	"pangolin/prelude.waitGroupLeave":   {visible: ifShared, atomically: object1, waits: "sync.WaitGroup.Wait", enabled: isPositive(wgTickets), run: leaveWaitGroup},
	"pangolin/prelude.waitGroupIs":      {visible: ifShared, atomically: object1, fused: usedInTurn, run: isWaitGroup},
	"pangolin/prelude.waitGroupRelease": {visible: ifShared, atomically: object1, fused: usedInTurn, run: releaseWaitGroup},
	"pangolin/prelude.choose":           {run: choose},
	"pangolin/prelude.chooseWaiter":     {run: chooseWaiter},
	"pangolin/prelude.chooseMoment":     {run: chooseMoment},
	"pangolin/prelude.clockJumps":       simple(func(c *call) { c.out[0] = uint64(c.m.img.Prog.Clock.Jumps) }),
	"pangolin/mark.Choose":              {run: choose},
	"pangolin/mark.Thread":              {run: func(c *call) control { c.out[0] = c.m.ThreadNumber(c.t); return ctlNext }},
}

// notes reports that the thread synchronises with the object of the first argument, to whoever is told of such events (sync.go).
func (c *call) notes(kind SyncKind) { c.m.note(kind, c.t, c.args[0], 0) }

// isZero says that word off of the first argument's object must be zero.
func isZero(off int) func(c *call) bool {
	return func(c *call) bool { return c.object(0, off+1)[off] == 0 }
}

// isPositive says that word off of the first argument's object is not zero.
func isPositive(off int) func(c *call) bool {
	return func(c *call) bool { return c.object(0, off+1)[off] != 0 }
}

func mayLockRW(c *call) bool {
	w := c.object(0, rwReaders+1)
	if !c.m.CountsReaders() {
		return w[rwWriter] == rwFree && !c.m.anyReads(c.args[0])
	}
	// Two stages, as in Go: a writer that comes shuts out new readers and other writers, though it may still have to wait for the
	// readers that are in. With one stage readers that take turns would starve it, which they cannot in Go.
	if c.t.Phase == state.PhaseAnnounced {
		return w[rwReaders] == 0
	}
	return w[rwWriter] == rwFree
}

// lockRW announces the writer, and takes the lock if there is no reader; otherwise
// the thread stays at the call until the readers have left.
func lockRW(c *call) control {
	if !c.m.CountsReaders() {
		c.m.Took = append(c.m.Took, c.args[0])
	}
	if c.object(0, rwReaders+1)[rwReaders] == 0 {
		c.t.Phase = state.PhaseNone
		c.set(0, rwWriter, rwHeld)
		c.m.Hold(c.t, c.args[0])
		c.notes(Locked)
		return ctlNext
	}
	// The announcement is a step by itself, seen by all who try a read lock from now on. The thread is at the same call
	// afterwards, in another phase, which is part of its state.
	c.t.Phase = state.PhaseAnnounced
	c.set(0, rwWriter, rwAnnounced)
	return ctlDone
}

func tryLockRW(c *call) control {
	w := c.object(0, rwReaders+1)
	if w[rwWriter] == rwFree && w[rwReaders] == 0 {
		c.set(0, rwWriter, rwHeld)
		c.m.Hold(c.t, c.args[0])
		c.notes(Locked)
		c.out[0] = 1
		return ctlNext
	}
	c.m.tells()
	return ctlNext
}

func unlockRW(c *call) control {
	c.m.Release(c.t, c.args[0])
	if c.object(0, 1)[rwWriter] != rwHeld {
		c.set(0, rwReaders, c.object(0, rwReaders+1)[rwReaders]+1) // it keeps writers out
		c.m.tells()
		return c.m.fatal(c.t, "sync: Unlock of unlocked RWMutex")
	}
	c.set(0, rwWriter, rwFree)
	c.notes(Unlocked)
	return ctlNext
}

func addReader(c *call) control {
	c.m.Hold(c.t, c.args[0]|state.ReadHold)
	c.countReaders(1)
	c.notes(ReadLocked)
	return ctlNext
}

func tryRLock(c *call) control {
	if c.object(0, 1)[rwWriter] == rwFree {
		c.out[0] = 1
		return addReader(c)
	}
	c.m.tells()
	return ctlNext
}

func runlock(c *call) control {
	n := c.object(0, rwReaders+1)[rwReaders]
	if !c.m.CountsReaders() && slices.Contains(c.t.Held, c.args[0]|state.ReadHold) {
		n = 1
	}
	c.m.Release(c.t, c.args[0]|state.ReadHold)
	if n == 0 {
		c.set(0, rwReaders, 1) // it keeps writers out
		c.m.tells()
		return c.m.fatal(c.t, "sync: RUnlock of unlocked RWMutex")
	}
	c.countReaders(-1)
	c.notes(ReadUnlocked)
	return ctlNext
}

// usedInTurn says that wait groups are assumed to be used as they should: a counter at
// zero is left alone until all waiters have gone. That the class of the tickets counts
// as frozen stands for it; countWaitGroup checks it.
func usedInTurn(c *call) bool {
	return c.m.FrozenRead(&c.m.Objs[c.args[0]>>32], state.Offset(c.args[0])+wgTickets, 1)
}

// waiterComes is the condition under which a Wait belongs to the step before it: the waiter has to wait, so that coming later makes no
// difference.
func waiterComes(c *call) bool { return c.object(0, 1)[wgState]>>32 != 0 && usedInTurn(c) }

func countWaitGroup(c *call) control {
	w, delta := c.object(0, wgTickets+1), c.args[1]
	c.out[0] = w[wgState] + delta<<32
	// The counter, at zero, is added to while somebody who was let go has yet to leave: the group is used again too early, and what was
	// assumed of it (usedInTurn) no longer holds. The runtime panics in some of these executions and not in others, so that all have to be searched.
	// Adding zero is no different: with a counter of zero and waiters it lets them go as well, a second time.
	if w[wgState]>>32 == 0 && w[wgTickets] != 0 {
		c.m.CheckWrite(c.args[0]+wgTickets, 1)
	}
	c.set(0, wgState, c.out[0])
	if int32(delta) < 0 {
		c.notes(GroupDone)
	}
	// A panic follows. Who is not made to panic is told that others have counted before.
	if counter := int32(c.out[0] >> 32); counter < 0 || uint32(c.out[0]) != 0 && int32(delta) > 0 && counter == int32(delta) {
		c.m.tells()
	}
	return ctlNext
}

func enterWaitGroup(c *call) control {
	if state := c.object(0, 1)[wgState]; state>>32 != 0 {
		c.set(0, wgState, state+1)
		c.out[0] = 1
		return ctlNext
	}
	c.notes(GroupWaited)
	return ctlNext
}

func isWaitGroup(c *call) control {
	if c.object(0, 1)[wgState] == c.args[1] {
		c.out[0] = 1
		return ctlNext
	}
	c.m.tells()
	return ctlNext
}

// leaveWaitGroup is one step where Go has two: taking a ticket commutes with all that
// others may do before the state is read.
func leaveWaitGroup(c *call) control {
	w := c.object(0, wgTickets+1)
	if w[wgState] != 0 {
		c.out[0] = 1
		c.m.tells()
	}
	c.notes(GroupWaited)
	c.tickets(w[wgTickets] - 1)
	return ctlNext
}

// releaseWaitGroup is one step where Go has one for the state and one for each ticket:
// handing out a ticket earlier commutes with all that others may do.
func releaseWaitGroup(c *call) control {
	c.set(0, wgState, 0)
	c.tickets(c.object(0, wgTickets+1)[wgTickets] + c.args[1])
	return ctlNext
}

// tickets sets a wait group's tickets. No code reads the word as memory, so that writing
// it is no breach of what its class stands for.
func (c *call) tickets(n uint64) {
	c.m.Touch(state.ObjectID(c.args[0]))
	c.m.Unguard(c.args[0] + wgTickets)
	c.m.Words(c.args[0]+wgTickets, 1)[0] = n
}

// throwString panics with a string.
func (m *Machine) throwString(t *state.Thread, text string) control {
	typ, data := m.MakeIface(m.img.stringType(), []uint64{m.img.Strings.Word(text)})
	return m.throw(t, typ, data, 0)
}

// stringType is the program's string type, or the machine's own if the program
// has none.
func (img *Image) stringType() *ir.Type {
	for _, t := range img.Prog.Types {
		if t != nil && t.Class == ir.StringClass && t.PkgPath == "" {
			return t
		}
	}
	return img.Own.Str
}

// Between beginRegion and endRegion the thread runs alone: together they are one
// visible access.
func beginRegion(c *call) control {
	c.m.region, c.m.regionFuel, c.m.fuel = true, c.m.fuel, plenty
	c.m.beginsRegion(c.t, c.args[0])
	return ctlNext
}

func endRegion(c *call) control {
	c.m.region, c.m.fuel = false, c.m.regionFuel
	c.m.endsRegion(c.t)
	return ctlNext
}

// plenty is more fuel than any step uses.
const plenty = 1 << 62

func choose(c *call) control {
	n := int(int64(c.args[0]))
	if n < 1 {
		return c.m.throwString(c.t, "mark.Choose: n must be at least 1")
	}
	c.out[0] = uint64(c.m.choose(n))
	return ctlNext
}
