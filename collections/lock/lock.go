// Package lock gives the locks of java.util.concurrent.locks that sync lacks: a
// reentrant lock and a fair (first come, first served) reentrant lock. Both
// implement sync.Locker, so sync.NewCond makes a condition of them as long as
// the waiting thread holds the lock once.
//
// A lock belongs to the thread (goroutine) that took it, known by mark.Thread;
// only that thread may unlock it. There are no timeouts and no interruption.
// The zero value is an unlocked lock; a lock must not be copied after first use.
package lock

import (
	"sync"
	"sync/atomic"

	"pangolin/mark"
)

// nobody owns a free lock; threads are numbered from 1 in the owner fields.
const nobody = 0

func self() int64 { return int64(mark.Thread()) + 1 }

// A Reentrant is a lock that its holder may take again. It is not fair: a thread
// that releases it may take it back before a waiting one runs.
type Reentrant struct {
	mu    sync.Mutex
	owner atomic.Int64
	holds int // how often the owner holds it; guarded by mu
}

// Lock takes the lock, or takes it once more.
func (l *Reentrant) Lock() {
	me := self()
	if l.owner.Load() == me { // only this thread could change that
		l.holds++
		return
	}
	l.mu.Lock()
	l.owner.Store(me)
	l.holds = 1
}

// Unlock undoes one Lock. It panics if the calling thread does not hold the lock.
func (l *Reentrant) Unlock() {
	if l.owner.Load() != self() {
		panic("lock: Unlock of a lock that this thread does not hold")
	}
	l.holds--
	if l.holds == 0 {
		l.owner.Store(nobody)
		l.mu.Unlock()
	}
}

// IsLocked says whether any thread holds the lock at the moment.
func (l *Reentrant) IsLocked() bool { return l.owner.Load() != nobody }

// A FairReentrant is a reentrant lock that threads get in the order in which they
// asked for it. It is a queue lock (CLH: Craig 1993, Landin and Hagersten 1994) with
// gates to sleep at: a thread appends a turn of its own and waits until the turn
// before is over. Appending is one atomic step, so no thread can be kept from it.
type FairReentrant struct {
	owner atomic.Int64
	last  atomic.Pointer[turn]
	turn  *turn // the owner's; guarded by the lock itself
	holds int   // how often the owner holds it; guarded by the lock itself
}

// A turn is one thread's time as owner, and the time it waits for that. Its gate is
// locked until the turn is over; only the thread with the next turn waits at it.
type turn struct {
	gate sync.Mutex
}

// Lock takes the lock, or takes it once more, or waits until all threads that asked
// before have had it.
func (l *FairReentrant) Lock() {
	me := self()
	if l.owner.Load() == me { // only this thread could change that
		l.holds++
		return
	}
	mine := new(turn)
	mine.gate.Lock()
	if before := l.last.Swap(mine); before != nil {
		before.gate.Lock() // until that turn is over
	}
	l.owner.Store(me)
	l.turn = mine
	l.holds = 1
}

// Unlock undoes one Lock; the last one ends the turn. It panics if the calling
// thread does not hold the lock.
func (l *FairReentrant) Unlock() {
	if l.owner.Load() != self() {
		panic("lock: Unlock of a lock that this thread does not hold")
	}
	l.holds--
	if l.holds == 0 {
		over := l.turn
		l.turn = nil
		l.owner.Store(nobody)
		over.gate.Unlock()
	}
}

// IsLocked says whether any thread holds the lock at the moment.
func (l *FairReentrant) IsLocked() bool { return l.owner.Load() != nobody }

// SPDX-License-Identifier: BSD-3-Clause
