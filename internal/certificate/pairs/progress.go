// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"slices"

	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
	"pangolin/verdict"
)

// What is claimed of whether calls return (doc/proofs.md, "Few items: calls return").
//
// Ranks show that a thread makes finitely many steps in an execution in which finitely many calls return. So all calls in progress come to wait for locks, where there are any; and in each
// memory there is an order of its locks such that who waits for one has none behind it.

// locking are the functions that wait for a lock. Nothing else that views stand at waits for others (vm.Machine.Meets).
var locking = []string{"(*sync.Mutex).Lock", "(*internal/sync.Mutex).Lock", "(*sync.RWMutex).Lock", "(*sync.RWMutex).RLock"}

// Wanted is the lock that a thread is about to take, and whether it is about to take one. It may be free.
func Wanted(s *subject.Subject, m *vm.Machine, thread int) (lock uint64, wants bool) {
	if !slices.Contains(locking, m.Calls(thread)) {
		return 0, false
	}
	t := m.Thread[thread]
	in, regs := t.Instr(), t.Registers()
	if in.X < 0 { // the body of the function itself, of which the lock is the first parameter
		return regs[0], true
	}
	return state.Operand(regs, s.Prog.Consts, s.Prog.Calls[in.X].Args[0].Reg), true
}

// Conditions reports whether a subject waits for conditions. Nothing is known of who wakes a thread, so that each wait ends in all views at any time, though it may last for ever: nothing is claimed of such calls.
func Conditions(s *subject.Subject) bool {
	for _, f := range s.Prog.Funcs {
		if f.Name == "pangolin/prelude.condWait" {
			return true
		}
	}
	return false
}

// locksOf is how many locks the only thread of a machine has, each as many times as it was taken.
func locksOf(m *vm.Machine) (n int) {
	for _, p := range m.Thread[0].Held {
		if p&state.WordHold == 0 {
			n++
		}
	}
	return n
}

// claimsProgress rejects a property that certificates of this method cannot claim.
func (c *Checker) claimsProgress() error {
	switch p := c.head.Progress; {
	case p != "" && p != verdict.DeadlockFree && p != verdict.LockFree && p != verdict.ObstructionFree:
		return reject("%q is no property of progress that certificates of this method claim", p)
	case p != "" && c.subject.About.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String():
		return reject("calls may wait for others by the protocol %s, so that nothing is claimed of whether they return", c.subject.About.Protocol)
	case p != "" && Conditions(c.subject):
		return reject("a call waits for a condition, so that nothing is claimed of whether calls return")
	}
	return nil
}

// step is what has just been done: by the thread of a view itself (own), or by another one whose call ends with it or not.
type step struct{ own, ends bool }

// goesOn rejects if a thread that saw view v, and sees view next behind a step, of its own or of another thread, may make steps for ever; or if the machine's state has a lock of that thread that the view
// does not tell of. The step has just been made.
func (c *Checker) goesOn(v, next *view, by step) error {
	switch {
	case c.head.Progress == "":
	case locksOf(c.m) != next.locks:
		return reject("a call has a lock of which nothing is known any more: %s", c.where(v))
	case next.Call == 0 && next.locks > 0:
		return reject("a call returns with a lock: %s", c.where(v))
	case v.Call == 0 || next.Call == 0 || v.in.Content != next.in.Content || by.ends: // which happens finitely often while finitely many calls return
	case by.own && next.Rank >= v.Rank:
		return reject("a call may go round without that some call takes effect: its rank is %d, and %d behind its step at %s", v.Rank, next.Rank, c.where(v))
	case next.Rank > v.Rank:
		return reject("others may raise the rank of a call from %d to %d, at %s", v.Rank, next.Rank, c.where(v))
	}
	return nil
}

// where is the place of the thread of a view, for a message behind which nothing else is checked.
func (c *Checker) where(v *view) string {
	c.m.Load(v.words)
	return c.m.At(0)
}

// waits rejects if threads that see a memory may all wait: for anything but locks, or for locks in a ring. Where it is claimed that no thread waits, a lock that is taken is enough.
func (c *Checker) waits(m *memory) error {
	if c.head.Progress == "" {
		return nil
	}
	number := map[uint64]int{}
	node := func(lock uint64) int {
		if _, known := number[lock]; !known {
			number[lock] = len(number)
		}
		return number[lock]
	}
	var arrows [][2]int // from the lock that a thread has to the one that it is about to take
	var by []*view
	for _, v := range m.views {
		c.m.Load(v.words)
		lock, wants := Wanted(c.subject, c.m, 0)
		switch {
		case !wants && v.Call > 0 && !c.m.Enabled(0):
			return reject("a call may wait for something else than a lock, at %s", c.m.At(0))
		case !wants:
			continue
		case c.head.Progress != verdict.DeadlockFree:
			return reject("a call may wait for a lock, so that it is not %s, at %s", c.head.Progress, c.m.At(0))
		}
		to, common := c.lockIn(v, lock)
		for _, h := range c.m.Thread[0].Held {
			if h&state.WordHold != 0 {
				continue
			}
			if h &^= state.ReadHold; h == lock {
				return reject("a call waits for a lock that it has, at %s", c.m.At(0))
			}
			if from, also := c.lockIn(v, h); common && also {
				arrows, by = append(arrows, [2]int{node(from), node(to)}), append(by, v)
			}
		}
	}
	if i := Ring(arrows); i >= 0 {
		return reject("locks may be waited for in a ring: one is taken while another one is held, at %s", c.where(by[i]))
	}
	return nil
}

// Ring is the index of an arrow of a graph that leads, by way of others, to a ring of arrows; -1 if there is no ring.
func Ring(arrows [][2]int) int {
	left := make([]int, len(arrows)) // indexes of arrows
	for i := range left {
		left[i] = i
	}
	for {
		leaves := map[int]bool{} // the nodes that arrows lead away from
		for _, i := range left {
			leaves[arrows[i][0]] = true
		}
		n := len(left)
		left = slices.DeleteFunc(left, func(i int) bool { return !leaves[arrows[i][1]] })
		switch {
		case len(left) == 0:
			return -1
		case len(left) == n:
			return left[0]
		}
	}
}

// removed stands for all locks in objects that several threads may know and to which the collection does not lead: which of them are the same is not known.
const removed = 1

// lockIn names a lock of view v, which is loaded, for all threads that see its memory. others is false if no other thread can know it.
func (c *Checker) lockIn(v *view, lock uint64) (name uint64, others bool) {
	own := state.ObjectID(lock) - c.base - 1 - v.in.count
	switch {
	case own < 0:
		return lock, true
	case v.cells[own].Known():
		return removed, true
	}
	return 0, false
}
