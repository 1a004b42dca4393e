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

// A FairReentrant is a reentrant lock that is handed to the thread that has
// waited longest. A thread that asks while others wait goes behind them.
type FairReentrant struct {
	mu    sync.Mutex // guards all below, held for a few instructions only
	owner int64
	holds int
	first *waiter
	last  *waiter
}

// A waiter is one queued thread. Its gate is locked until the lock is its own.
type waiter struct {
	thread int64
	gate   sync.Mutex
	next   *waiter
}

// Lock takes the lock, or takes it once more, or queues until it is handed over.
func (l *FairReentrant) Lock() {
	me := self()
	l.mu.Lock()
	if l.owner == nobody || l.owner == me {
		l.owner = me
		l.holds++
		l.mu.Unlock()
		return
	}
	w := l.enqueue(me)
	l.mu.Unlock()
	w.gate.Lock() // until the holder hands the lock over
}

// Unlock undoes one Lock; the last one hands the lock to the first waiter. It
// panics if the calling thread does not hold the lock.
func (l *FairReentrant) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owner != self() {
		panic("lock: Unlock of a lock that this thread does not hold")
	}
	l.holds--
	if l.holds == 0 {
		l.handOver()
	}
}

// IsLocked says whether any thread holds the lock at the moment.
func (l *FairReentrant) IsLocked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owner != nobody
}

// enqueue appends the thread, with its gate closed. The lock's mu is held.
func (l *FairReentrant) enqueue(thread int64) *waiter {
	w := &waiter{thread: thread}
	w.gate.Lock()
	if l.first == nil {
		l.first = w
	} else {
		l.last.next = w
	}
	l.last = w
	return w
}

// handOver gives the lock to the first waiter, if any. The lock's mu is held.
func (l *FairReentrant) handOver() {
	w := l.first
	if w == nil {
		l.owner = nobody
		return
	}
	l.first = w.next
	if l.first == nil {
		l.last = nil
	}
	l.owner, l.holds = w.thread, 1
	w.gate.Unlock()
}
