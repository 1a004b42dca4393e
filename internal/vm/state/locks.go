// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"slices"

	"pangolin/internal/ir"
)

// Two reductions rest on knowing who holds a lock: a guarded access (guarded.go) and the
// release of a lock (releasesOwn) go with the step before. Both assume that a lock is a
// lock: only the thread that has taken it gives it back, and its words change by the
// lock's own operations alone. Go promises neither. A goroutine may unlock what another
// has locked, and `x.mu = sync.Mutex{}` frees what somebody holds. So both are
// assumptions about the whole program, checked at every release and at every write; the
// first breach is recorded (class disowned of the frozen classes, and Guards.Broken) and
// the search begins again without.

// ReadHold marks, in a thread's list of locks, one that it has taken for reading. An
// offset inside an object has fewer bits.
const ReadHold uint64 = 1 << 31

// WordHold marks an entry of that list that is no lock, but a word that an engine takes to belong to the thread. The machine makes and uses no
// such entries; it saves and loads them as it does locks.
const WordHold uint64 = 1 << 30

// Hold records that a thread has taken a lock.
func (m *State) Hold(t *Thread, lock uint64) {
	if m.Follows {
		t.Held = append(t.Held, lock)
	}
}

// Release is called before a lock is given back, whether anybody holds it or not.
func (m *State) Release(t *Thread, lock uint64) {
	if !m.Follows {
		return
	}
	if i := slices.Index(t.Held, lock); i >= 0 {
		t.Held = slices.Delete(t.Held, i, i+1)
		return
	}
	m.disown()
	m.Peered = true
	for _, u := range m.Thread { // another thread holds it
		if i := slices.Index(u.Held, lock); i >= 0 {
			u.Held = slices.Delete(u.Held, i, i+1)
			return
		}
	}
}

// Holds says whether a thread holds a lock: for writing, or for either.
func (t *Thread) Holds(lock uint64, write bool) bool {
	return slices.Contains(t.Held, lock) || !write && slices.Contains(t.Held, lock|ReadHold)
}

// disown withdraws the assumptions about locks.
func (m *State) disown() {
	if m.Guards != nil && !m.Guards.void.Swap(true) {
		m.Guards.broken.Store(true)
	}
	if m.Frozen != nil && m.Frozen[m.img.disowned()] {
		m.breached = m.img.disowned()
	}
}

// disowned is the class that stands for locks in the set of frozen classes: it counts as
// frozen as long as only those who hold locks release them.
func (img *Ground) disowned() int { return img.classes }

// Owned reports whether locks are assumed to be released by the threads that hold them.
func (m *State) Owned() bool { return m.Frozen.Owned() }

// UncoversLock reports whether a value of type t at p would lie over the words of a lock without
// being one, so that the lock would be written as numbers.
func (m *State) UncoversLock(p uint64, t *ir.Type) bool {
	have := m.Objs[p>>32].Info.locks
	if have == nil {
		return false
	}
	want := locksOf(t)
	for i := range t.Size {
		if have[(Offset(p)+i)%len(have)] && (want == nil || !want[i]) {
			return true
		}
	}
	return false
}

// locksOf tells of each word of a type whether it belongs to a lock; nil: none does.
func locksOf(t *ir.Type) []bool {
	if !hasLock(t) {
		return nil
	}
	words := make([]bool, t.Size)
	markLocks(words, t)
	return words
}

func isLock(t *ir.Type) bool {
	return t.Class == ir.Struct && (t.PkgPath == "sync" && (t.Name == "sync.Mutex" || t.Name == "sync.RWMutex") ||
		t.PkgPath == "internal/sync" && t.Name == "sync.Mutex")
}

func hasLock(t *ir.Type) bool {
	switch t.Class {
	case ir.Struct:
		return isLock(t) || slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return hasLock(f.Type) })
	case ir.Array:
		return hasLock(t.Elem)
	}
	return false
}

func markLocks(words []bool, t *ir.Type) {
	switch {
	case isLock(t):
		for i := range words {
			words[i] = true
		}
	case t.Class == ir.Struct:
		for _, f := range t.Fields {
			markLocks(words[f.Offset:f.Offset+f.Type.Size], f.Type)
		}
	case t.Class == ir.Array && t.Elem.Size > 0:
		for i := 0; i < len(words); i += t.Elem.Size {
			markLocks(words[i:i+t.Elem.Size], t.Elem)
		}
	}
}

// overwritten reports whether one of n words of an object, from off on, belongs to a lock.
func (o *Object) overwritten(off, n int) bool {
	for i := off; i < off+n; i++ {
		if o.Info.locks[i%len(o.Info.locks)] {
			return true
		}
	}
	return false
}
