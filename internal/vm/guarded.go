package vm

import (
	"slices"
	"sync/atomic"
)

// A class of words (frozen.go) is guarded if every access to a shared word of it is
// made by a thread that holds the word's guard, a mutex that the word determines:
// one in the same object, at a fixed distance, or one in the object that the engine
// keeps as its first root, at a fixed place. Two accesses to one word are then made
// under one lock, so nobody can come between an access and the thread's step before:
// it need not be a scheduling point.
//
// Which guard a class has is found out when it is first accessed, and is an assumption
// from then on, checked at every access: the first breach is recorded, and the search
// has to begin again with the class unguarded.

// Guards holds the guard of each class. All machines of a search share it.
type Guards struct {
	of     []atomic.Uint32
	broken atomic.Bool
}

// The guard of a class: not known yet, none, or a mutex.
const (
	guardUnknown uint32 = iota
	guardNone
	guardOwn  // + 2*offset: in the same object
	guardRoot // + 2*offset: in the object of the first root
)

// NewGuards knows nothing yet about any class.
func (img *Image) NewGuards() *Guards { return &Guards{of: make([]atomic.Uint32, img.classes)} }

// Broken says that an access has been made without the guard; it begins a new search
// by forgetting that.
func (g *Guards) Broken() bool { return g.broken.Load() }

// Renew is to be called before each search.
func (g *Guards) Renew() { g.broken.Store(false) }

// hold and release follow the mutexes that threads hold.
func (m *Machine) hold(t *thread, mutex uint64) {
	if m.guards != nil {
		t.held = append(t.held, mutex)
	}
}

func (m *Machine) release(t *thread, mutex uint64) {
	if m.guards == nil {
		return
	}
	if i := slices.Index(t.held, mutex); i >= 0 {
		t.held = slices.Delete(t.held, i, i+1)
		return
	}
	for _, u := range m.threads { // unlocked for another thread
		if i := slices.Index(u.held, mutex); i >= 0 {
			u.held = slices.Delete(u.held, i, i+1)
		}
	}
}

// visibleAccess says whether an access to the n words at p is a scheduling point.
func (m *Machine) visibleAccess(t *thread, p uint64, n int) bool {
	o := &m.objs[p>>32]
	if o.flags&isShared == 0 {
		return false
	}
	return m.guards == nil || !m.guarded(t, o, p, n)
}

// guarded says that all words are accessed under their guards, as they always have
// been.
func (m *Machine) guarded(t *thread, o *object, p uint64, n int) bool {
	all := true
	for i := range n {
		class := o.classAt(offset(p) + i)
		if class >= len(m.guards.of) {
			return false
		}
		all = m.guardHeld(t, &m.guards.of[class], o, p+uint64(i)) && all
	}
	return all && n > 0
}

func (m *Machine) guardHeld(t *thread, guard *atomic.Uint32, o *object, p uint64) bool {
	g := guard.Load()
	if g == guardUnknown {
		guard.CompareAndSwap(guardUnknown, m.guess(t, o, p))
		g = guard.Load()
	}
	if g == guardNone {
		return false
	}
	if slices.Contains(t.held, m.guardOf(g, o, p)) {
		return true
	}
	guard.Store(guardNone)
	m.guards.broken.Store(true)
	return false
}

// guess finds the guard of a word that is accessed for the first time.
func (m *Machine) guess(t *thread, o *object, p uint64) uint32 {
	for _, mutex := range t.held {
		if g := guardOwn + 2*uint32(offset(mutex)%max(1, o.info.typ.Size)); mutex == m.guardOf(g, o, p) {
			return g
		}
	}
	for _, mutex := range t.held {
		if len(m.roots) > 0 && mutex>>32 == m.roots[0]>>32 {
			return guardRoot + 2*uint32(offset(mutex))
		}
	}
	return guardNone
}

// guardOf is the mutex that guards the word at p.
func (m *Machine) guardOf(g uint32, o *object, p uint64) uint64 {
	at := uint64(g-guardOwn) / 2
	if g%2 == guardRoot%2 {
		return m.roots[0]&^0xffffffff | at
	}
	if size := o.info.typ.Size; o.count > 1 && size > 0 {
		at += uint64(offset(p) / size * size)
	}
	return p&^0xffffffff | at
}

// unguard takes note of a write, by a built-in function, that no guard is checked for.
func (m *Machine) unguard(p uint64) {
	o := &m.objs[p>>32]
	class := o.classAt(offset(p))
	if m.guards == nil || o.flags&isShared == 0 || class >= len(m.guards.of) {
		return
	}
	if g := m.guards.of[class].Swap(guardNone); g > guardNone {
		m.guards.broken.Store(true)
	}
}

// breakGuards withdraws all guards: something has read memory without saying what.
func (m *Machine) breakGuards() {
	if m.guards == nil {
		return
	}
	for i := range m.guards.of {
		if g := m.guards.of[i].Swap(guardNone); g > guardNone {
			m.guards.broken.Store(true)
		}
	}
}
