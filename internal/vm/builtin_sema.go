// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
)

// What package sync is made of in the standard library, so that its own source can
// be verified (a program that only uses sync gets the built-in primitives). The
// functions are the runtime's; sync and internal/sync declare them without a body.
//
// A semaphore is its counter alone. Which of several waiting threads takes a unit is
// left to the search, and so may be one that has just come: the runtime's queue,
// with its hand-over to the first, gives some of these executions. A list of waiters
// hands out tickets and is served in their order, as the runtime's is:
//
//	notifyList  0: the next ticket  1: the first ticket that has not been called

var semaBuiltins = map[string]*builtin{
	"sync.runtime_Semacquire":               acquires("a semaphore of package sync"),
	"sync.runtime_SemacquireWaitGroup":      acquires("sync.WaitGroup.Wait"),
	"sync.runtime_SemacquireRWMutexR":       acquires("sync.RWMutex.RLock"),
	"sync.runtime_SemacquireRWMutex":        acquires("sync.RWMutex.Lock"),
	"internal/sync.runtime_SemacquireMutex": acquires("sync.Mutex.Lock"),
	"sync.runtime_Semrelease":               {visible: ifShared, run: releaseUnit, atomically: object1},
	"internal/sync.runtime_Semrelease":      {visible: ifShared, run: releaseUnit, atomically: object1},
	"internal/sync.runtime_canSpin":         {run: canSpin},
	"internal/sync.runtime_doSpin":          {visible: always, run: yield},
	"internal/sync.runtime_nanotime":        {run: someTime},
	"sync.runtime_notifyListAdd":            {visible: ifShared, run: takeTicket, atomically: object1},
	"sync.runtime_notifyListWait":           {visible: ifShared, waits: "sync.Cond.Wait", enabled: isCalled, run: func(c *call) control { c.notes(Acquired); return ctlNext }, atomically: reads1},
	"sync.runtime_notifyListNotifyAll":      {visible: ifShared, run: callAll, atomically: object1},
	"sync.runtime_notifyListNotifyOne":      {visible: ifShared, run: callOne, atomically: object1},
	"sync.runtime_notifyListCheck":          simple(func(*call) {}),
	"sync.throw":                            {run: fatalText},
	"sync.fatal":                            {run: fatalText},
	"internal/sync.throw":                   {run: fatalText},
	"internal/sync.fatal":                   {run: fatalText},
	"internal/synctest.IsInBubble":          simple(func(*call) {}),
	"sync.runtime_registerPoolCleanup":      simple(func(*call) {}),
	"pangolin/prelude.keyAt": {visible: ifTouched, run: func(c *call) control { return c.valueAt(c.m.Dynamic(c.args[0]).Key) },
		plainly: func(c *call, dst []access) []access { return reads(dst, c.args[2], c.m.Dynamic(c.args[0]).Key.Size) }},
	"pangolin/prelude.elemAt": {visible: ifTouched, run: func(c *call) control { return c.valueAt(c.m.Dynamic(c.args[0]).Elem) },
		plainly: func(c *call, dst []access) []access { return reads(dst, c.args[2], c.m.Dynamic(c.args[0]).Elem.Size) }},
	"pangolin/prelude.hashOf": {run: func(c *call) control { return c.hashDynamic() }},
	"sync.runtime_randn":      {run: func(c *call) control { c.out[0] = uint64(c.m.choose(int(c.args[0]))); return ctlNext }},
}

// innerMutex gives the mutex that sync.Mutex wraps the same meaning, for what else
// internal/sync has.
var innerMutex = map[string]*builtin{
	"(*internal/sync.Mutex).Lock":    syncBuiltins["(*sync.Mutex).Lock"],
	"(*internal/sync.Mutex).TryLock": syncBuiltins["(*sync.Mutex).TryLock"],
	"(*internal/sync.Mutex).Unlock":  syncBuiltins["(*sync.Mutex).Unlock"],
}

func fatalText(c *call) control { return c.m.fatal(c.t, c.text(0)) }

// acquires makes a function that takes a unit from the counter that its first
// argument points to.
func acquires(waits string) *builtin {
	return &builtin{visible: ifShared, waits: waits, atomically: object1,
		enabled: isPositive(0),
		run:     func(c *call) control { c.set(0, 0, c.object(0, 1)[0]-1); c.notes(Acquired); return ctlNext }}
}

func releaseUnit(c *call) control {
	c.set(0, 0, c.object(0, 1)[0]+1)
	c.notes(Released)
	return ctlNext
}

// spins is how many rounds the runtime lets a thread spin.
const spins = 4

// canSpin allows it or not: that depends on the number of processors and on what they
// do.
func canSpin(c *call) control {
	if c.args[0] < spins {
		c.out[0] = uint64(c.m.choose(2))
	}
	return ctlNext
}

// someTime is one of two times that are so far apart that whoever compares them
// finds any time limit of package sync passed.
func someTime(c *call) control {
	c.out[0] = 1 + uint64(c.m.choose(2))<<40
	return ctlNext
}

// valueAt makes an interface value of the one at the pointer in argument word 2.
func (c *call) valueAt(t *ir.Type) control {
	w := c.object(2, t.Size)
	if t.IsInterface() {
		copy(c.out, w)
		return ctlNext
	}
	c.out[0], c.out[1] = c.m.MakeIface(t, slices.Clone(w))
	return ctlNext
}

func takeTicket(c *call) control {
	c.out[0] = c.object(0, 1)[0]
	c.set(0, 0, uint64(uint32(c.out[0]+1)))
	return ctlNext
}

// isCalled says that the ticket, argument word 1, has been called. Tickets may
// overflow.
func isCalled(c *call) bool { return int32(uint32(c.args[1])-uint32(c.object(0, 2)[1])) < 0 }

func callAll(c *call) control {
	c.set(0, 1, c.object(0, 1)[0])
	c.notes(Released)
	return ctlNext
}

func callOne(c *call) control {
	if w := c.object(0, 2); w[0] != w[1] {
		c.set(0, 1, uint64(uint32(w[1]+1)))
		c.notes(Released)
	}
	return ctlNext
}
