// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// Atomic words: a call accesses those that others may reach once, which is its moment.

// moment ends a round: a class of words turns out to be atomic, or to be written without the lock for writing.
type moment struct {
	class   class
	loosely bool
}

func (m *moment) Error() string { return fmt.Sprintf("%s is accessed atomically", m.class.people()) }

// atomic executes an atomic access.
func (r *run) atomic(s *state, in *ir.Instr) bool {
	at := r.get(s, in.A)
	if at.may == 0 {
		return false
	}
	c := r.p.classes.atomically(at.hint)
	a := &access{at: at, classes: []class{c}}
	load := in.Op == ir.OpAtomicLoad
	var put origins
	switch in.Op {
	case ir.OpAtomicStore, ir.OpAtomicSwap:
		put = r.get(s, in.B).may
	case ir.OpAtomicCAS:
		put = r.get(s, in.C).may
	}
	found := plain(r.loaded(s, at))
	published := false
	others := at.may&^own != 0 && s.phase != making && !r.isHarness(a)
	if others && !r.t.isAtomic(c) && !r.isVariable(a) && (load && !s.phase.locks() && !r.t.isFixed(c) || !load && !s.phase.writes()) {
		r.t.discover(c)
	}
	switch {
	case others && r.t.isAtomic(c):
		published = r.moment(s, a, load, put)
	case load:
		r.read(s, a)
		if at.at.is && at.may == shared && r.t.isFixed(c) {
			found.at = at.at.step(0)
		}
	default:
		r.read(s, a)
		published = r.write(s, a, put)
	}
	if published {
		found = r.p.closures.published(found)
	}
	if in.Op == ir.OpAtomicCAS {
		found = value{}
	}
	r.set(s, in.Dst, found)
	return true
}

// moment accesses an atomic word that others may reach.
func (r *run) moment(s *state, a *access, load bool, put origins) (published bool) {
	c := a.classes[0]
	r.t.moments, r.in.locks = true, true
	kept := !slices.ContainsFunc(r.t.loosely, c.conflicts)
	if load && kept && s.phase.locks() {
		return false
	}
	next, ok := s.phase.past()
	switch {
	case !ok:
		r.refuse(false, "%s is accessed behind the moment at which the call takes effect, by a lock or another atomic access", cmp.Or(a.object, c.people()))
	case !load && kept && s.phase != writing:
		panic(&moment{c, true})
	}
	if !load {
		r.needsLock(s, a)
		published = r.store(s, a, put)
	}
	s.phase = next
	return published
}

// objects are the methods of objects of the standard library that do one thing at one moment, whatever others do: such an object is accessed as an atomic word is. Those of sync.Map have models.
var objects = map[string]does{
	"(*sync/atomic.Value).Load": reads, "(*sync/atomic.Value).Store": stores, "(*sync/atomic.Value).Swap": stores, "(*sync/atomic.Value).CompareAndSwap": stores,
	mapModel + "Load": reads, mapModel + "Store": stores, mapModel + "LoadOrStore": stores, mapModel + "Swap": stores, mapModel + "CompareAndSwap": stores,
	mapModel + "LoadAndDelete": removes, mapModel + "Delete": removes, mapModel + "CompareAndDelete": removes, mapModel + "Clear": removes,
}

// does is what such a method does to the object.
type does uint8

const (
	reads   does = iota // it changes nothing
	removes             // it changes something, and keeps nothing of what it is given
	stores              // it keeps what it is given
)

// mapModel begins the names of the models of methods of sync.Map.
const mapModel = "pangolin/prelude.map"

// isObject reports whether a function is a method of such an object, one that does more than one thing included.
func isObject(f *ir.Func) bool {
	_, known := objects[f.Name]
	return known || f.Name == mapModel+"Range" || strings.HasPrefix(f.Name, "(*sync/atomic.Value).") || strings.HasPrefix(f.Name, "(*sync.Map).")
}

// object executes a call of such a method: an access to the first word of the object.
func (r *run) object(s *state, c *ir.Call, to *target, then func(*state, []value)) {
	what, known := objects[to.fn.Name]
	if !known {
		r.refuse(true, "%s is called, which does more than one thing", to.fn.Short)
	}
	a := &access{at: to.given[0], classes: []class{r.p.classes.inner(to.fn.Params[0].Elem, 0)}, object: to.fn.Params[0].Elem.Name}
	if a.at.may == 0 {
		return // a nil pointer
	}
	if s.phase != making {
		r.t.within = cmp.Or(r.t.within, to.fn.Short)
	}
	var put origins
	for _, v := range to.given[1:] {
		if what == stores {
			put |= v.may
		}
	}
	s = s.clone()
	found, published := r.loaded(s, a.at)|put, false // LoadOrStore returns what it is given
	switch others := s.phase != making && a.at.may&^own != 0; {
	case others && a.at.may&foreign != 0:
		r.refuse(true, "%s is called for what a package variable may lead to", to.fn.Short)
	case others && !r.t.isAtomic(a.classes[0]):
		r.t.discover(a.classes[0])
	case others:
		published = r.moment(s, a, what == reads, put)
	case what != reads:
		published = r.store(s, a, put)
	}
	if published {
		found = r.p.closures.published(plain(found)).may
	}
	then(s, valuesLike(c.Result, found))
}

// holdsMap reports whether a value of a type has a sync.Map in it. A copy of one shares what it has with it, so that it is no object of its own.
func holdsMap(t *ir.Type) bool {
	switch t.Class {
	case ir.Array:
		return t.Len > 0 && holdsMap(t.Elem)
	case ir.Struct:
		return t.Name == "sync.Map" || t.PkgPath == "internal/sync" || slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return holdsMap(f.Type) })
	}
	return false
}

// copies refuses to copy a value with a lock or an object in it into an interface value or a function value, or out of it.
func (r *run) copies(t *ir.Type) {
	if guards(t) {
		r.refuse(true, "a value with a lock is copied")
	}
}

// isAtomic reports whether calls access words of a class by atomic instructions alone.
func (t *table) isAtomic(c class) bool {
	return slices.ContainsFunc(t.atomic, func(d class) bool { return c.key() == d.key() })
}

// hasAtomicWords reports whether some class of words that have addresses is atomic: channels have none.
func (t *table) hasAtomicWords() bool {
	return slices.ContainsFunc(t.atomic, func(c class) bool { return c.sort != channels })
}

// plainly refuses an access by another than an atomic instruction, or to a word that is not known, where others may access it atomically.
func (r *run) plainly(s *state, a *access) {
	if a.at.may&^own == 0 || s.phase == making {
		return
	}
	for _, c := range a.classes {
		if i := slices.IndexFunc(r.t.atomic, c.conflicts); i >= 0 {
			r.refuse(false, "%s may be accessed where others access it atomically (%s)", c.people(), r.t.atomic[i].people())
		}
	}
}

// discover ends the round where an atomic access is not allowed unless its class is atomic. A class of words that are not known is none.
func (t *table) discover(c class) {
	if c.sort == field || c.sort == element || c.sort == channels {
		panic(&moment{class: c})
	}
}

// kept are the classes of the atomic ones that calls write only while they have the lock for writing.
func (t *table) kept() []class {
	return slices.DeleteFunc(slices.Clone(t.atomic), func(c class) bool { return slices.ContainsFunc(t.loosely, c.conflicts) })
}
