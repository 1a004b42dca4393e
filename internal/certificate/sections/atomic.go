// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// Atomic instructions, and the classes of words that nothing else accesses.

// atomics are classes of words that calls access by atomic instructions alone, where others may have them.
type atomics struct {
	atomically map[class]bool
	kept       map[class]bool // those that calls write only while they have the lock for writing
}

// readAtomics reads the classes of the head that are atomic, and those that are kept.
func (c *checker) readAtomics() error {
	h := &c.x.Head
	x := parser{c.p, c.types}
	for _, text := range h.Atomic {
		of, ok := x.class(text)
		if !ok || of.sort != field && of.sort != elem && of.sort != channels {
			return reject("%q is no class of words that may be atomic", text)
		}
		if c.atomically[of] {
			return reject("%s is atomic twice", c.types.text(of))
		}
		for f := range c.fixed {
			if c.types.conflict(of, f) {
				return reject("%s is atomic, and %s is fixed", c.types.text(of), c.types.text(f))
			}
		}
		c.atomically[of] = true
	}
	for _, text := range h.Kept {
		of, ok := x.class(text)
		if !ok || !c.atomically[of] {
			return reject("%q is kept, and not atomic", text)
		}
		if c.kept[of] {
			return reject("%s is kept twice", c.types.text(of))
		}
		c.kept[of] = true
	}
	return nil
}

// hasAtomicWords says whether some class of words that have addresses is atomic.
func (c *checker) hasAtomicWords() bool {
	for of := range c.atomically {
		if of.sort != channels {
			return true
		}
	}
	return false
}

// noAtomic is an error if one of the words may be of an atomic class: an access that is not atomic would be a race with others, and it is not known of which calls it would see what they write.
func (c *checker) noAtomic(at spot, a access) error {
	for _, w := range a.classes {
		if of, may := c.mayBeAtomic(w); may {
			return c.reject(at, "%s: %s is accessed, and %s is atomic", c.calls[at.call].fn.Short, c.types.text(w), c.types.text(of))
		}
	}
	return nil
}

// mayBeAtomic says whether a word of a class may be one of an atomic class, and of which one.
func (c *checker) mayBeAtomic(w class) (of class, may bool) {
	if c.atomically[w] {
		return w, true
	}
	for of := range c.atomically {
		if c.types.conflict(w, of) {
			return of, true
		}
	}
	return class{}, false
}

// atomicClasses are the classes of a word that is accessed atomically. The address may be that of a struct which begins with the word.
func (c *checker) atomicClasses(in *ir.Instr, at hint) []class {
	switch {
	case at.sort == isElem:
		return []class{{elem, at.a, 0}}
	case at.sort == isField:
		return []class{c.types.word(c.p.Types[at.a], hint{}, at.b)}
	}
	switch in.Num {
	case ir.I32:
		return c.basic(some, ir.Int32)
	case ir.I64:
		return c.basic(some, ir.Int64)
	case ir.U32:
		return c.basic(some, ir.Uint32)
	case ir.U64:
		return c.basic(some, ir.Uint64, ir.Uintptr)
	case ir.Word:
		return c.basic(some, ir.Uint32, ir.UnsafePointer)
	}
	return []class{{sort: anything}}
}

// atomic executes an atomic instruction. To own memory, and to words of classes that are not atomic, it is one like others.
func (c *checker) atomic(at spot, s *state, in *ir.Instr) ([]*state, error) {
	a, err := c.value(at, s, in.A)
	if err != nil {
		return nil, err
	}
	switch {
	case a.set == 0:
		return nil, nil // nil: it panics
	case a.hint.sort == isGlobal && !c.calls[at.call].fn.Harness && s.phase != making:
		return nil, c.reject(at, "package variable %s is accessed atomically", c.p.Globals[a.hint.a].Name)
	}
	acc := access{a, nil, c.atomicClasses(in, a.hint)}
	counts := c.counts(s, acc)
	switch {
	case counts:
		err = c.touches(at, s, in, acc)
	case in.Op != ir.OpAtomicStore:
		err = c.reads(at, s, acc)
	}
	if err != nil {
		return nil, err
	}
	old := only(s.loaded(a.set))
	if in.Op == ir.OpAtomicLoad {
		if len(acc.classes) == 1 {
			old.path = c.follow(a.path, acc.classes[0])
		}
		return one(s, c.put(at, s, in.Dst, old))
	}
	return c.atomicWrite(at, s, in, atomicAccess{acc, counts, old})
}

// atomicAccess is an access by an atomic instruction.
type atomicAccess struct {
	access
	counts bool  // see there
	old    value // of the word
}

// atomicWrite executes one that writes, after it has read the word.
func (c *checker) atomicWrite(at spot, s *state, in *ir.Instr, a atomicAccess) ([]*state, error) {
	stored, old := in.B, a.old
	switch in.Op {
	case ir.OpAtomicCAS:
		stored, old = in.C, value{}
	case ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		stored, old = ir.NoReg, value{}
	}
	var what []value
	if stored != ir.NoReg {
		v, err := c.value(at, s, stored)
		if err != nil {
			return nil, err
		}
		what = []value{v}
	}
	put := c.writes
	if a.counts {
		put = c.stores
	}
	published, err := s.publishing(func() error { return put(at, s, a.access, what) })
	if err != nil {
		return nil, err
	}
	if published {
		old.publish()
	}
	if in.Op == ir.OpAtomicStore {
		return one(s, nil)
	}
	return one(s, c.put(at, s, in.Dst, old))
}

// publishing reports whether a store publishes something.
func (s *state) publishing(store func() error) (published bool, err error) {
	was := s.published
	s.published = false
	err = store()
	published, s.published = s.published, s.published || was
	return published, err
}

// counts says whether an atomic instruction accesses a word of an atomic class that others may have. Where it is not known whether it does, it is refused like an instruction that is not atomic: it could be a
// second moment of the call.
func (c *checker) counts(s *state, a access) bool {
	return a.through.set&(shared|foreign) != 0 && s.phase != making && len(a.classes) == 1 && c.atomically[a.classes[0]]
}

// moments are the phases behind the moment of a call, by those in which it may be.
var moments = map[phase]phase{before: after, reading: readingPlus, writing: writingPlus}

// touches is an error unless a word of an atomic class that others may have may be accessed now. The access is the moment of the call, unless it reads with the lock what nobody writes without it.
func (c *checker) touches(at spot, s *state, in *ir.Instr, a access) error {
	f, of := c.calls[at.call].fn, a.classes[0]
	if err := c.noLock(at, a); err != nil {
		return err
	}
	load := in.Op == ir.OpAtomicLoad
	if load && c.kept[of] && s.phase.locked() {
		return nil
	}
	to, allowed := moments[s.phase]
	switch {
	case !allowed:
		return c.reject(at, "%s: %s is accessed atomically in the phase %v, behind the moment of the call", f.Short, c.types.text(of), s.phase)
	case c.careful:
		return c.reject(at, "%s: %s is accessed atomically where a panic may be recovered", f.Short, c.types.text(of))
	case !load && a.through.set&foreign != 0 && !f.Harness:
		return c.reject(at, "%s: what is written atomically may be what a package variable leads to", f.Short)
	case !load && c.kept[of] && s.phase != writing:
		return c.reject(at, "%s: %s is kept, and is written in the phase %v", f.Short, c.types.text(of), s.phase)
	}
	s.phase = to
	return nil
}
