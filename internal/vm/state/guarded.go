// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// A class of words (frozen.go) is guarded if every access to a word of it that has been
// shared at some time is made by a thread that holds the word's guard, a lock that the
// word determines: one in the same object, at a fixed distance, or one in the object that
// the engine keeps as its first root, at a fixed place. Reading may be done under a read
// lock. Of two accesses to one word, at least one a write, one is then made under the lock
// and the other under the lock or its read lock, so nobody can write between an access and
// the thread's step before, nor anybody read if the access is a write: it need not be a
// scheduling point.
//
// That the word is shared no longer does not excuse an access. Whoever had it before may
// have lost it by just a guarded access, which was made with the step before but in truth
// may come after this one. So it counts whether the object has ever been shared, as for
// frozen fields.
//
// Which guard a class has is found out when it is first accessed, and is an assumption
// from then on, checked at every access: the first breach is recorded, and the search
// has to begin again with the class unguarded. That locks are what they seem to be is
// another (locks.go).

// Guards holds the guard of each class. All machines of a search share it.
type Guards struct {
	of     []atomic.Uint32
	broken atomic.Bool
	void   atomic.Bool // locks cannot be relied on, so nothing is guarded
}

// The guard of a class: unknown, none, or a lock.
const (
	guardUnknown uint32 = iota
	guardNone
	guardOwn  // + 2*offset: a lock in the same object
	guardRoot // + 2*offset: a lock in the object of the first root
)

// NewGuards makes guards of which none is known.
func (img *Ground) NewGuards() *Guards { return &Guards{of: make([]atomic.Uint32, img.classes)} }

// Known lists the guards of all classes as numbers for Assuming.
func (g *Guards) Known() []uint32 {
	if g == nil {
		return nil
	}
	out := make([]uint32, len(g.of))
	for i := range g.of {
		if out[i] = g.of[i].Load(); g.void.Load() {
			out[i] = guardNone
		}
	}
	return out
}

// Assuming turns frozen classes and guards that another machine has found for this program (Known)
// into assumptions of a new search. guards nil: there are none.
func (img *Ground) Assuming(frozen []bool, guards []uint32) (Frozen, *Guards, error) {
	if len(frozen) != img.classes+1 || guards != nil && len(guards) != img.classes {
		return nil, nil, fmt.Errorf("the program has %d classes of words, and there are assumptions about %d and %d", img.classes, len(frozen)-1, len(guards))
	}
	if guards == nil {
		return slices.Clone(frozen), nil, nil
	}
	g := img.NewGuards()
	for i, x := range guards {
		if x >= guardOwn && uint64(x-guardOwn)/2&WordHold != 0 { // such a mark stays to the end of a step, although the word may have been given back within it
			return nil, nil, fmt.Errorf("the guard of class %d of words is no lock", i)
		}
		g.of[i].Store(x)
	}
	return slices.Clone(frozen), g, nil
}

// Broken reports whether an access was made without the guard.
func (g *Guards) Broken() bool { return g.broken.Load() }

// Renew has to be called before each search; it resets Broken.
func (g *Guards) Renew() { g.broken.Store(false) }

// VisibleRead reports whether other threads may influence a read of n words from p on.
func (m *State) VisibleRead(t *Thread, p uint64, n int) bool { return m.Visible(t, p, n, false) }

// VisibleWrite reports whether other threads may observe or influence a write of n words from p on.
func (m *State) VisibleWrite(t *Thread, p uint64, n int) bool { return m.Visible(t, p, n, true) }

// Visible reports whether an access of thread t to n words from p on is a scheduling point: the
// object is shared, the words are not frozen, and t does not hold the lock that guards them.
func (m *State) Visible(t *Thread, p uint64, n int, write bool) bool {
	o := &m.Objs[p>>32]
	if o.Flags&IsKnown == 0 {
		return false
	}
	if o.Info.locks != nil && o.overwritten(Offset(p), n) {
		m.disown() // a plain access to the lock races with its release, which has to be a step of its own then
	}
	if m.Guards != nil && m.guarded(t, p, n, write) {
		m.PassOver()
		return false
	}
	return o.Flags&IsShared != 0 && !m.Ghost
}

// guarded reports whether the words are accessed under their guards, now and so far.
func (m *State) guarded(t *Thread, p uint64, n int, write bool) bool {
	if m.Guards.void.Load() {
		return false
	}
	o := &m.Objs[p>>32]
	all := true
	for i := range n {
		class := o.classAt(Offset(p) + i)
		if class >= len(m.Guards.of) {
			return false
		}
		all = m.guardHeld(t, &m.Guards.of[class], p+uint64(i), write) && all
	}
	return all && n > 0
}

func (m *State) guardHeld(t *Thread, guard *atomic.Uint32, p uint64, write bool) bool {
	g := guard.Load()
	if g == guardUnknown {
		guard.CompareAndSwap(guardUnknown, m.guess(t, p, write))
		g = guard.Load()
	}
	if g == guardNone {
		return false
	}
	ofRoot := g%2 == guardRoot%2
	if (!ofRoot || len(m.Kept) > 0) && t.Holds(m.guardOf(g, p), write) { // while the constructor runs there is no root yet
		return true
	}
	guard.Store(guardNone)
	m.Guards.broken.Store(true)
	return false
}

// guess finds the guard of a word that is accessed for the first time.
func (m *State) guess(t *Thread, p uint64, write bool) uint32 {
	size := max(1, m.Objs[p>>32].Info.Type.Size)
	for _, held := range t.Held {
		if held&WordHold != 0 {
			continue
		}
		lock := held &^ ReadHold
		if g := guardOwn + 2*uint32(Offset(lock)%size); t.Holds(lock, write) && lock == m.guardOf(g, p) {
			return g
		}
	}
	for _, held := range t.Held {
		if held&WordHold != 0 {
			continue
		}
		lock := held &^ ReadHold
		if t.Holds(lock, write) && len(m.Kept) > 0 && lock>>32 == m.Kept[0]>>32 {
			return guardRoot + 2*uint32(Offset(lock))
		}
	}
	return guardNone
}

// guardOf is the lock that guards the word at p.
func (m *State) guardOf(g uint32, p uint64) uint64 {
	o, at := &m.Objs[p>>32], uint64(g-guardOwn)/2
	if g%2 == guardRoot%2 {
		return m.Kept[0]&^0xffffffff | at
	}
	if size := o.Info.Type.Size; o.Count > 1 && size > 0 {
		at += uint64(Offset(p) / size * size)
	}
	return p&^0xffffffff | at
}

// Unguard records an access by a built-in function for which no guard is checked.
func (m *State) Unguard(p uint64) {
	o := &m.Objs[p>>32]
	class := o.classAt(Offset(p))
	if m.Guards == nil || o.Flags&IsKnown == 0 || class >= len(m.Guards.of) {
		return
	}
	if m.Guards.of[class].Load() == guardNone {
		return
	}
	if g := m.Guards.of[class].Swap(guardNone); g > guardNone {
		m.Guards.broken.Store(true)
	}
}
