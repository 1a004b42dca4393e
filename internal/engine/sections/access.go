// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"

	"pangolin/internal/ir"
)

// Accesses to memory: which ones a thread may make in which phase.

// access is one of an instruction, to words of some classes at a value.
type access struct {
	at      value
	classes []class
	object  string // for people, of an object of the standard library: "sync.Map"
}

// free reports whether a read needs no lock, for nobody else can write there at the same time, whatever the lock: to own memory, to a package variable that only initialisers write, or to what is the harness's.
func (r *run) free(a *access) bool {
	return r.isReadOnly(a) || a.at.may&^own == 0 || r.isHarness(a) || r.in.phase == making
}

// isReadOnly reports whether the access is to a package variable that only initialisers write, whose address nobody has.
func (r *run) isReadOnly(a *access) bool {
	return a.at.hint.sort == isGlobal && r.p.prog.Globals[a.at.hint.n].ReadOnly
}

// isHarness reports whether the harness accesses a package variable of its own, or words of types that it declares: what a thread keeps for its next calls, and what the collection is wrapped in. No other code
// mentions these.
func (r *run) isHarness(a *access) bool {
	if !r.in.fn.Harness {
		return false
	}
	if a.at.hint.sort == isGlobal {
		return r.p.vars[a.at.hint.n]
	}
	return len(a.classes) > 0 && !slices.ContainsFunc(a.classes, func(c class) bool {
		return c.sort == entries || c.sort == channels || c.sort == anything || !r.p.keeps[c.canonical()]
	})
}

// isVariable reports whether the access is to a package variable that is not the harness's.
func (r *run) isVariable(a *access) bool { return a.at.hint.sort == isGlobal && !r.isHarness(a) }

// read notes a read, or refuses it.
func (r *run) read(s *state, a *access) {
	if !r.isReadOnly(a) {
		r.plainly(s, a)
	}
	switch {
	case r.free(a):
		return
	case r.isVariable(a):
		r.refuse(true, "the package variable %s is read, which all collections share", r.p.prog.Globals[a.at.hint.n].Name)
	case s.phase.locks():
		return
	}
	for _, c := range a.classes {
		if !r.t.isFixed(c) {
			r.unguarded(s, c, "read")
		}
	}
}

// unguarded refuses an access without the lock.
func (r *run) unguarded(s *state, c class, done string) {
	when := "without the lock"
	if s.phase == after {
		when = "after the lock was given back"
		if r.t.lock == (path{}) {
			when = "behind the moment at which the call takes effect"
		}
	}
	if s.phase.locks() {
		when = "with the lock for reading"
	}
	r.refuse(false, "%s is %s %s", c.people(), done, when)
}

// write notes a write of what is stored, or refuses it. It reports whether what was own is shared by it.
func (r *run) write(s *state, a *access, stored origins) (published bool) {
	r.plainly(s, a)
	if r.needsLock(s, a) && a.at.may&shared != 0 && !s.phase.writes() && len(a.classes) > 0 {
		r.unguarded(s, a.classes[0], "written")
	}
	return r.store(s, a, stored)
}

// needsLock reports whether a write needs the lock. It refuses one of what package variables lead to.
func (r *run) needsLock(s *state, a *access) bool {
	switch {
	case s.phase == making:
		return false
	case r.isVariable(a):
		r.refuse(true, "the package variable %s is written, which all collections share", r.p.prog.Globals[a.at.hint.n].Name)
	case r.isHarness(a):
		return false
	case a.at.may&foreign != 0:
		r.refuse(true, "%s is written, to which a package variable may lead", a.classes[0].people())
	}
	return true
}

// store notes a write that is allowed. It reports whether what was own is shared by it.
func (r *run) store(s *state, a *access, stored origins) (published bool) {
	if a.at.may&own != 0 {
		s.holds |= stored &^ own
	}
	if a.at.may&^own == 0 {
		return false
	}
	for _, c := range a.classes {
		r.t.isWritten(c)
	}
	r.effect()
	if stored&foreign != 0 && a.at.may&shared != 0 {
		r.t.mixed = true
		r.t.keepsGiven(r.in)
	}
	if stored&own != 0 && s.phase == making { // nobody is there who could look at it yet
		if r.t.registers == nil {
			r.t.registers = map[string]bool{}
		}
		r.t.registers[r.t.p.prog.Position(r.position())] = true
		r.t.mixed = true // what package variables lead to may be formatted
		return false
	}
	if stored&own != 0 {
		r.givesAway(s)
	}
	return stored&own != 0
}

// givesAway publishes what is own, where the function itself lets others reach some of it.
func (r *run) givesAway(s *state) {
	r.t.loose = r.t.loose || !s.phase.writes()
	r.publish(s)
}

// publish makes everything that is own shared, here and in the calls to which the function returns.
func (r *run) publish(s *state) {
	r.t.mixed = r.t.mixed || s.holds&foreign != 0
	s.publish(r.p.closures)
}

// loaded is what is read through a value.
func (r *run) loaded(s *state, at value) origins {
	may := at.may
	if may&own != 0 {
		may |= s.holds
	}
	return may
}

// words are the values of a value of a type that is read through an address.
func (r *run) words(s *state, at value, t *ir.Type, classes []class) []value {
	out := make([]value, t.Size)
	for i, k := range t.Layout() {
		if !isReference(k) {
			continue
		}
		out[i] = plain(r.loaded(s, at))
		if c := classes[min(i, len(classes)-1)]; at.at.is && at.may == shared && c.sort != some && r.t.isFixed(c) {
			out[i].at = at.at.step(i)
		}
	}
	return out
}

// stored are the origins of words that are stored.
func stored(words []value, t *ir.Type) (may origins) {
	for i, k := range t.Layout() {
		if isReference(k) {
			may |= words[i].may
		}
	}
	return may
}

// isFixed reports whether no call is known to write words of a class, and notes that this is relied on.
func (t *table) isFixed(c class) bool {
	if c.sort == anything || slices.ContainsFunc(t.unfixed, c.conflicts) || slices.ContainsFunc(t.atomic, c.conflicts) {
		return false
	}
	if c.sort != some {
		t.fixed = c.addTo(t.fixed)
		return true
	}
	for _, one := range t.p.mayBe(c) {
		t.fixed = one.addTo(t.fixed)
	}
	return true
}

// mayBe are the classes of which a word may be, of which no more is known than its type.
func (p *program) mayBe(c class) []class {
	if p.ofType[c.leaf] == nil {
		list := []class{{sort: element, canon: c.leaf, leaf: c.leaf, typ: c.typ}}
		for _, t := range p.prog.Types {
			if t == nil || t.Class != ir.Struct {
				continue
			}
			for i := range t.Size {
				if f := p.classes.inner(t, i); f.sort == field && f.leaf == c.leaf {
					list = f.addTo(list)
				}
			}
		}
		p.ofType[c.leaf] = list
	}
	return p.ofType[c.leaf]
}

// isWritten notes that words of a class are written.
func (t *table) isWritten(c class) { t.written = c.addTo(t.written) }

// addTo adds the class to a list that does not have it.
func (c class) addTo(list []class) []class {
	if slices.ContainsFunc(list, func(d class) bool { return c.key() == d.key() }) {
		return list
	}
	return append(list, c)
}

// effect notes that an instruction writes what others may read.
func (r *run) effect() { r.t.effects[effect{r.in.fn, r.pc}] = true }

type effect struct {
	fn *ir.Func
	pc int
}
