//go:build prelude

//pangolin:for sync

package prelude

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// onceState has the words of a sync.Once.
type onceState struct {
	done atomic.Bool
	m    sync.Mutex
}

//pangolin:model (*sync.Once).Do
func onceDo(o *sync.Once, f func()) {
	s := (*onceState)(unsafe.Pointer(o))
	if !s.done.Load() {
		s.run(f)
	}
}

func (s *onceState) run(f func()) {
	s.m.Lock()
	defer s.m.Unlock()
	if !s.done.Load() {
		defer s.done.Store(true)
		f()
	}
}

// A wait group's state is its counter in the upper half, the number of waiters in the
// lower. As in Go, an Add that takes the counter to zero releases the waiters in several
// steps, so that one that comes too early is seen as Go sees it.
//
//pangolin:model (*sync.WaitGroup).Add
func waitGroupAdd(wg *sync.WaitGroup, delta int) {
	now := waitGroupCount(wg, delta)
	counter, waiters := int32(now>>32), uint32(now)
	switch {
	case counter < 0:
		panic("sync: negative WaitGroup counter")
	case waiters != 0 && delta > 0 && counter == int32(delta):
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	case counter > 0 || waiters == 0:
		return
	}
	if !waitGroupIs(wg, now) {
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	}
	waitGroupRelease(wg, waiters)
}

//pangolin:model (*sync.WaitGroup).Done
func waitGroupDone(wg *sync.WaitGroup) { wg.Add(-1) }

//pangolin:model (*sync.WaitGroup).Wait
func waitGroupWait(wg *sync.WaitGroup) {
	if waitGroupEnter(wg) && waitGroupLeave(wg) {
		panic("sync: WaitGroup is reused before previous Wait has returned")
	}
}

// waitGroupCount adds delta to the counter and returns the new state.
func waitGroupCount(wg *sync.WaitGroup, delta int) uint64

// waitGroupIs says whether the state is still what it was.
func waitGroupIs(wg *sync.WaitGroup, state uint64) bool

// waitGroupEnter counts a waiter, unless the counter is zero: then there is nothing to
// wait for.
func waitGroupEnter(wg *sync.WaitGroup) bool

// waitGroupLeave takes a ticket when there is one, and says whether the group is in use
// again.
func waitGroupLeave(wg *sync.WaitGroup) bool

// waitGroupRelease sets the counters to zero and hands out tickets.
func waitGroupRelease(wg *sync.WaitGroup, tickets uint32)

//pangolin:model (*sync.WaitGroup).Go
func waitGroupGo(wg *sync.WaitGroup, f func()) {
	wg.Add(1)
	go func() {
		defer func() {
			// A panic ends the program: waiters do not go on before.
			if x := recover(); x != nil {
				panic(x)
			}
			wg.Done()
		}()
		f()
	}()
}

// condState has the words of a sync.Cond. Where the real one has a list of
// waiting goroutines, this one has a pointer to the waiters' flags.
type condState struct {
	L       sync.Locker
	wait    uint32
	notify  uint32
	lock    uintptr
	waiters unsafe.Pointer // *condWaiters; nil before the first use
	tail    unsafe.Pointer
	checker uintptr
}

// condWaiters belong to the condition that was used first: a copy of it leads to them as well.
type condWaiters struct {
	of    unsafe.Pointer
	flags []*int
}

func condOf(c *sync.Cond) *condState { return (*condState)(unsafe.Pointer(c)) }

// waiting are the waiters, in an atomic step. The runtime's own check is whether the condition still stands where it was used
// first: in a copy of one that has been used the step ends, and all with it.
func (s *condState) waiting() *condWaiters {
	if s.waiters == nil {
		s.waiters = unsafe.Pointer(&condWaiters{of: unsafe.Pointer(s)})
	}
	w := (*condWaiters)(s.waiters)
	if w.of != unsafe.Pointer(s) {
		atomicEnd()
		panic("sync.Cond is copied")
	}
	return w
}

// wakesUncalled says that the machine shows one thread of many, so that nothing is known of who calls Signal and Broadcast, nor of who is woken: whoever
// waits for a condition goes on at any time. Those executions in which he was woken are among them.
func wakesUncalled() bool

//pangolin:model (*sync.Cond).Wait
func condWait(c *sync.Cond) {
	flag, s := new(int), condOf(c)
	atomicBegin(unsafe.Pointer(&s.notify), true)
	w := s.waiting()
	if wakesUncalled() {
		atomicEnd()
		c.L.Unlock()
		c.L.Lock()
		return
	}
	w.flags = append(w.flags, flag)
	atomicEnd()
	c.L.Unlock()
	await(flag)
	c.L.Lock()
}

// condSignal wakes any one of the waiters: which one is not specified.
//
//pangolin:model (*sync.Cond).Signal
func condSignal(c *sync.Cond) {
	s := condOf(c)
	atomicBegin(unsafe.Pointer(&s.notify), true)
	w := s.waiting()
	if n := len(w.flags); n > 0 {
		i := 0
		if n > 1 {
			i = chooseWaiter(w.flags)
		}
		*w.flags[i] = 1
		w.flags = without(w.flags, i)
	}
	atomicEnd()
}

// chooseWaiter chooses one of the flags that goroutines await.
func chooseWaiter(flags []*int) int

// without returns a new slice that lacks one element: no memory of a former
// state stays behind a slice's end.
func without[T any](list []T, i int) []T {
	if len(list) == 1 {
		return nil
	}
	rest := make([]T, 0, len(list)-1)
	rest = append(rest, list[:i]...)
	return append(rest, list[i+1:]...)
}

//pangolin:model (*sync.Cond).Broadcast
func condBroadcast(c *sync.Cond) {
	s := condOf(c)
	atomicBegin(unsafe.Pointer(&s.notify), true)
	w := s.waiting()
	for _, flag := range w.flags {
		*flag = 1
	}
	w.flags = nil
	atomicEnd()
}

//pangolin:model sync.NewCond
func newCond(l sync.Locker) *sync.Cond { return &sync.Cond{L: l} }

//pangolin:model (*sync.RWMutex).RLocker
func rLocker(rw *sync.RWMutex) sync.Locker { return (*sync_rlocker)(unsafe.Pointer(rw)) }

type sync_rlocker sync.RWMutex

// Lock takes the lock for reading.
func (r *sync_rlocker) Lock() { (*sync.RWMutex)(r).RLock() }

// Unlock gives it back.
func (r *sync_rlocker) Unlock() { (*sync.RWMutex)(r).RUnlock() }

// SPDX-License-Identifier: BSD-3-Clause
