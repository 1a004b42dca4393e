// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// access is one to the words of a value of a type.
type access struct {
	through value
	typ     *ir.Type // nil: entries of a map, or one word that is accessed atomically
	classes []class
}

// reads is an error unless the words may be read.
func (c *checker) reads(at spot, s *state, a access) error {
	if a.through.set&(shared|foreign) == 0 || s.phase == making {
		return nil
	}
	if err := c.noLock(at, a); err != nil {
		return err
	}
	if err := c.noAtomic(at, a); err != nil {
		return err
	}
	if s.phase.locked() || c.harnessKeeps(at, a) {
		return nil
	}
	for _, w := range a.classes {
		if !c.isFixed(w) {
			return c.reject(at, "%s: %s is read in the phase %v, and others may write it", c.calls[at.call].fn.Short, c.types.text(w), s.phase)
		}
	}
	return nil
}

// isFixed says whether no call writes words of a class. One of which it is not known what it is may be read like the others if nobody writes any that it may be.
func (c *checker) isFixed(w class) bool {
	if w.sort != some {
		return c.fixed[w]
	}
	if !c.fixed[class{elem, w.of, 0}] {
		return false
	}
	for at, group := range c.types.leaf {
		if group == w.of && !c.fixed[class{field, at[0], at[1]}] {
			return false
		}
	}
	return true
}

// noLock is an error if the words are some of a lock or another object, which nobody but the standard library accesses: they are accessed by who takes it, without that he has it.
func (c *checker) noLock(at spot, a access) error {
	is := a.typ != nil && c.types.hasLock(a.typ)
	for _, w := range a.classes {
		is = is || c.types.isLock(w)
	}
	if is {
		return c.reject(at, "%s: words of a struct of package sync, or of an atomic.Value, are copied or written", c.calls[at.call].fn.Short)
	}
	return nil
}

// writes is an error unless the words may be written. It notes what is stored in them.
func (c *checker) writes(at spot, s *state, a access, stored []value) error {
	to := a.through.set
	f := c.calls[at.call].fn
	if to&foreign != 0 && !f.Harness && s.phase != making {
		return c.reject(at, "%s: what is written may be a package variable, or what one leads to", f.Short)
	}
	if to&shared != 0 && !s.phase.locksOut() && !c.harnessKeeps(at, a) {
		return c.reject(at, "%s: shared memory is written in the phase %v", f.Short, s.phase)
	}
	if to&(shared|foreign) != 0 && s.phase != making {
		if err := c.noAtomic(at, a); err != nil {
			return err
		}
	}
	return c.stores(at, s, a, stored)
}

// stores notes what is stored in words that may be written, and publishes what others may have from now on.
func (c *checker) stores(at spot, s *state, a access, stored []value) error {
	to := a.through.set
	if to&(shared|foreign) != 0 {
		if err := c.noLock(at, a); err != nil {
			return err
		}
		for _, w := range a.classes {
			c.written[w] = true
		}
	}
	var what set
	for i := range stored {
		what |= stored[i].set
		c.mixed = c.mixed || to&shared != 0 && stored[i].leadsOut()
	}
	gives := what&own != 0 && to&(shared|foreign) != 0
	if gives && s.phase == making { // nobody is there who could look at it yet
		c.registers, c.mixed, gives = true, true, false
	}
	switch {
	case gives:
		c.publishes(at, s)
	case to&own != 0:
		s.holds |= what &^ own
		c.holding(at.call, s.holds)
	}
	return nil
}

// loaded says to what may lead what is loaded through a value.
func (s *state) loaded(through set) (out set) {
	if through&own != 0 {
		out |= own | s.holds
	}
	return out | through&(shared|foreign)
}

// contents are the values of words of some kinds that are loaded through a value.
func (s *state) contents(through set, kinds []ir.Kind) []value {
	out := make([]value, len(kinds))
	for i, k := range kinds {
		out[i] = only(s.loaded(through)).fitted(k)
	}
	return out
}

// to is an access to a value of type t at an address.
func (c *checker) to(address value, t *ir.Type) access {
	return access{address, t, c.types.words(t, address.hint)}
}

// elements is an access to elements of a slice.
func (c *checker) elements(slice value, t *ir.Type) access {
	at := hint{}
	if isLeaf(t) {
		at = hint{isElem, c.types.group[t.ID], 0}
	}
	return access{slice, t, c.types.words(t, at)}
}

// memory executes an instruction that makes, reads or writes memory, or computes an address.
func (c *checker) memory(at spot, s *state, in *ir.Instr) ([]*state, error) {
	switch in.Op {
	case ir.OpNew:
		v := only(own)
		if isLeaf(in.T) {
			v.hint = hint{isElem, c.types.group[in.T.ID], 0}
		}
		return one(s, c.put(at, s, in.Dst, v))
	case ir.OpMakeSlice:
		return one(s, c.put(at, s, in.Dst, only(own), value{}, value{}))
	}
	a, err := c.value(at, s, in.A)
	if err != nil {
		return nil, err
	}
	switch in.Op {
	case ir.OpLoad:
		return c.load(at, s, in, a)
	case ir.OpStore:
		words, err := c.several(at, s, in.B, in.T.Size)
		switch {
		case err != nil:
			return nil, err
		case in.T.Size == 0:
			return one(s, nil)
		case a.set == 0:
			return nil, nil // nil: it panics
		case a.hint.sort == isGlobal && !c.calls[at.call].fn.Harness && s.phase != making:
			return nil, c.reject(at, "package variable %s is written", c.p.Globals[a.hint.a].Name)
		}
		return one(s, c.writes(at, s, c.to(a, in.T), words))
	case ir.OpField, ir.OpElem, ir.OpArrayElem, ir.OpArrayPtr, ir.OpCast:
		return c.address(at, s, in, a)
	case ir.OpSlice, ir.OpSliceArr:
		return one(s, c.put(at, s, in.Dst, c.sliced(in, a), value{}, value{}))
	case ir.OpAppend:
		return one(s, c.appends(at, s, in, a))
	case ir.OpCopy:
		if err := c.copies(at, s, in, a); err != nil {
			return nil, err
		}
		return one(s, c.put(at, s, in.Dst, value{}))
	case ir.OpClear:
		if a.set == 0 {
			return one(s, nil)
		}
		return one(s, c.writes(at, s, c.elements(a, in.T), nil))
	}
	return nil, c.reject(at, "the instruction %s is not modelled", in.Op)
}

// load executes a load.
func (c *checker) load(at spot, s *state, in *ir.Instr, a value) ([]*state, error) {
	switch {
	case in.T.Size == 0:
		return one(s, nil)
	case a.set == 0:
		return nil, nil // nil: it panics
	}
	if holdsMap(in.T) {
		return nil, c.reject(at, "%s copies a sync.Map, which shares what it has with the copy", c.calls[at.call].fn.Short)
	}
	acc := c.to(a, in.T)
	if a.hint.sort == isGlobal && s.phase != making {
		g := c.p.Globals[a.hint.a]
		if !g.ReadOnly && !c.calls[at.call].fn.Harness {
			return nil, c.reject(at, "package variable %s is read, and not only initialisers write it", g.Name)
		}
		if c.free(at, a.hint.a) {
			acc.classes = nil
		}
	}
	if err := c.reads(at, s, acc); err != nil {
		return nil, err
	}
	words := s.contents(a.set, in.T.Layout())
	for w := range words {
		if words[w].set != 0 && a.path.set {
			words[w].path = c.follow(a.path.plus(w), c.types.word(in.T, a.hint, w))
		}
	}
	return one(s, c.put(at, s, in.Dst, words...))
}

// follow is the place to which the word at a place leads; none if it may be written.
func (c *checker) follow(p place, of class) place {
	if !c.fixed[of] {
		return place{}
	}
	return p.from()
}

// address computes an address of a part, or of the same with another type.
func (c *checker) address(at spot, s *state, in *ir.Instr, a value) ([]*state, error) {
	f := c.calls[at.call].fn
	v := only(a.set)
	switch in.Op {
	case ir.OpField:
		v.path, v.hint = a.path.plus(int(in.N)), hint{isField, c.types.group[in.T.ID], int(in.N)}
		if a.hint.sort == isGlobal {
			v.hint = hint{isGlobal, a.hint.a, a.hint.b + int(in.N)}
		}
	case ir.OpElem:
		if a.set == 0 && in.T.Size > 0 {
			return nil, nil // an empty slice: it panics
		}
		if v.hint = c.beginning(in.T); isLeaf(in.T) {
			v.hint = hint{isElem, c.types.group[in.T.ID], 0}
		}
	case ir.OpArrayElem:
		if v.hint = c.beginning(in.T); a.hint.sort == isGlobal {
			v.hint = a.hint
		}
	case ir.OpArrayPtr:
		v.path = a.path
	case ir.OpCast:
		switch {
		case !f.Standard && !f.Model:
			return nil, c.reject(at, "%s converts an unsafe.Pointer", f.Short)
		case a.set&(shared|foreign) != 0 && !casts[f.Name] && s.phase != making:
			return nil, c.reject(at, "%s converts an unsafe.Pointer to memory that others may have, too", f.Short)
		}
	}
	return one(s, c.put(at, s, in.Dst, v))
}

// beginning is where a pointer to a struct leads: to its word 0, if that is one of its own fields.
func (c *checker) beginning(t *ir.Type) hint {
	if t.Class == ir.Struct && t.Size > 0 {
		if of := c.types.word(t, hint{}, 0); of.sort == field && of.of == c.types.group[t.ID] && of.n == 0 {
			return hint{isField, of.of, 0}
		}
	}
	return hint{}
}

// casts are the functions that may convert unsafe pointers to memory that others may have, too: to the type that it has anyway, or to one of which nothing is ever written. Elsewhere a word would be
// of two classes, and could be written as one and be fixed as the other.
var casts = map[string]bool{"(*strings.Builder).copyCheck": true, "pangolin/prelude.assertionErrorText": true}

// zero says whether an operand is a constant 0.
func (c *checker) zero(r ir.Reg) bool {
	return r < 0 && r != ir.NoReg && int(^r) < len(c.p.Consts) && c.p.Consts[^r] == 0
}

// sliced is the first word of a slice of a slice, or of an array. One that has room for nothing leads to nothing.
func (c *checker) sliced(in *ir.Instr, a value) value {
	switch {
	case c.zero(ir.Reg(in.N)):
		return value{}
	case in.B == ir.NoReg, c.zero(in.B):
		return a
	}
	return only(a.set)
}

// appends executes append: it writes behind the elements of the slice, or copies them and all others into a new one.
func (c *checker) appends(at spot, s *state, in *ir.Instr, a value) error {
	b := value{}
	if !in.Ok {
		var err error
		if b, err = c.value(at, s, in.B); err != nil {
			return err
		}
		if b.set == 0 { // nothing is appended
			words, err := c.several(at, s, in.A, ir.SliceWords)
			if err != nil {
				return err
			}
			return c.put(at, s, in.Dst, words...)
		}
		if err := c.reads(at, s, c.elements(b, in.T)); err != nil {
			return err
		}
	}
	kinds := in.T.Layout()
	stored := s.contents(b.set, kinds)
	if a.set != 0 {
		if err := c.reads(at, s, c.elements(a, in.T)); err != nil {
			return err
		}
		published, err := s.publishing(func() error { return c.writes(at, s, c.elements(a, in.T), stored) })
		if err != nil {
			return err
		}
		if published {
			a.publish()
			for i := range stored {
				stored[i].publish()
			}
		}
	}
	for _, v := range append(stored, s.contents(a.set, kinds)...) { // into a new one
		s.holds |= v.set &^ own
	}
	c.holding(at.call, s.holds)
	return c.put(at, s, in.Dst, only(a.set|own), value{}, value{})
}

// copies executes copy.
func (c *checker) copies(at spot, s *state, in *ir.Instr, to value) error {
	if to.set == 0 {
		return nil
	}
	if in.Ok {
		return c.writes(at, s, c.elements(to, in.T), nil)
	}
	from, err := c.value(at, s, in.B)
	if err != nil || from.set == 0 {
		return err
	}
	if err := c.reads(at, s, c.elements(from, in.T)); err != nil {
		return err
	}
	return c.writes(at, s, c.elements(to, in.T), s.contents(from.set, in.T.Layout()))
}

// strings converts strings from slices and into slices, which are copies.
func (c *checker) strings(at spot, s *state, in *ir.Instr) error {
	f := c.calls[at.call].fn
	shares := in.Op == ir.OpStrToBytes && in.X != 0 || in.Op == ir.OpBytesToStr && in.N != 0
	if shares && !f.Standard && !f.Model {
		return c.reject(at, "%s makes a string and a slice share memory", f.Short)
	}
	if in.Op == ir.OpStrToBytes || in.Op == ir.OpStrToRunes {
		return c.put(at, s, in.Dst, only(own), value{}, value{})
	}
	a, err := c.value(at, s, in.A)
	if err != nil {
		return err
	}
	sort := ir.Uint8
	if in.Op == ir.OpRunesToStr {
		sort = ir.Int32
	}
	if err := c.reads(at, s, access{a, nil, c.basic(elem, sort)}); err != nil {
		return err
	}
	return c.put(at, s, in.Dst, value{})
}

// basic are the classes of words of basic types, of a sort that has a group.
func (c *checker) basic(sort classSort, of ...ir.Class) (out []class) {
	for _, is := range of {
		for _, t := range c.p.Types {
			if t != nil && t.Class == is {
				out = append(out, class{sort, c.types.group[t.ID], 0})
				break
			}
		}
	}
	if len(out) < len(of) {
		out = append(out, class{sort: anything})
	}
	return out
}

// maps executes an instruction on a map.
func (c *checker) maps(at spot, s *state, in *ir.Instr) ([]*state, error) {
	if in.Op == ir.OpMakeMap {
		return one(s, c.put(at, s, in.Dst, only(own)))
	}
	if err := c.noLocks(at, in.T.Key, in.T.Elem); err != nil {
		return nil, err
	}
	a, err := c.value(at, s, in.A)
	if err != nil {
		return nil, err
	}
	acc := access{a, nil, []class{{entries, c.types.group[in.T.ID], 0}}}
	switch in.Op {
	case ir.OpMapRange:
		return one(s, c.put(at, s, in.Dst, a, value{}))
	case ir.OpMapSet:
		if a.set == 0 {
			return nil, nil // nil: it panics
		}
		key, err := c.several(at, s, in.B, in.T.Key.Size)
		if err != nil {
			return nil, err
		}
		element, err := c.several(at, s, in.C, in.T.Elem.Size)
		if err != nil {
			return nil, err
		}
		return one(s, c.writes(at, s, acc, append(key, element...)))
	case ir.OpMapDel, ir.OpMapClear:
		if a.set == 0 {
			return one(s, nil)
		}
		return one(s, c.writes(at, s, acc, nil))
	}
	if a.set != 0 {
		if err := c.reads(at, s, acc); err != nil {
			return nil, err
		}
	}
	if in.Op == ir.OpMapLen {
		return one(s, c.put(at, s, in.Dst, value{}))
	}
	words := s.contents(a.set, in.T.Elem.Layout())
	if in.Op == ir.OpMapNext {
		words = append(append([]value{{}}, s.contents(a.set, in.T.Key.Layout())...), words...)
	} else if in.Ok {
		words = append(words, value{})
	}
	return one(s, c.put(at, s, in.Dst, words...))
}
