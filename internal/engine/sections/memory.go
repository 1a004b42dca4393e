// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// memory executes an instruction of memory, but atomic ones; false: it panics.
func (r *run) memory(s *state, in *ir.Instr) bool {
	switch in.Op {
	case ir.OpNew:
		r.set(s, in.Dst, value{may: own, hint: elemOf(in.T)})
	case ir.OpMakeSlice:
		r.set(s, in.Dst, plain(own), value{}, value{})
	case ir.OpLoad, ir.OpStore:
		return r.move(s, in)
	case ir.OpIndex:
		words := make([]value, in.T.Size)
		for i := range int(in.N) {
			joinAll(words, r.all(s, in.A.Word(i*in.T.Size), in.T.Size))
		}
		r.set(s, in.Dst, words...)
	case ir.OpAppend, ir.OpCopy, ir.OpClear:
		r.elements(s, in)
	default:
		return r.address(s, in)
	}
	return true
}

// move executes a load or store.
func (r *run) move(s *state, in *ir.Instr) bool {
	at := r.get(s, in.A)
	if at.may == 0 {
		return false // a nil pointer
	}
	if at.may&^own != 0 && guards(in.T) {
		r.refuse(true, "a value with a lock is copied")
	}
	if in.Op == ir.OpLoad && holdsMap(in.T) {
		r.refuse(true, "a sync.Map is copied, which shares what it has with the copy")
	}
	a := &access{at: at, classes: r.p.classes.accessed(in.T, at.hint)}
	if in.Op == ir.OpLoad {
		r.read(s, a)
		r.set(s, in.Dst, r.words(s, at, in.T, a.classes)...)
		return true
	}
	r.write(s, a, stored(r.all(s, in.B, in.T.Size), in.T))
	return true
}

// address executes an instruction that makes a pointer or slice from another one.
func (r *run) address(s *state, in *ir.Instr) bool {
	at := r.get(s, in.A)
	to := at.moved()
	switch in.Op {
	case ir.OpField:
		if at.may == 0 {
			return false
		}
		to.hint = hint{sort: isField, typ: in.T, n: int(in.N)}
		if at.hint.sort == isGlobal {
			to.hint = at.hint
			to.hint.off += int(in.N)
		}
		if at.at.is {
			to.at = at.at
			to.at.off += int(in.N)
		}
	case ir.OpElem:
		if at.may == 0 && in.T.Size > 0 {
			return false // a slice without elements
		}
		if to.hint = elemOf(in.T); to.hint.sort == unknown {
			to.hint = r.p.classes.start(in.T)
		}
	case ir.OpArrayElem:
		if at.may == 0 {
			return false
		}
		if to.hint = r.p.classes.start(in.T); at.hint.sort == isGlobal {
			to.hint = at.hint
		}
	case ir.OpSlice, ir.OpSliceArr:
		if r.isZero(ir.Reg(in.N)) {
			to = value{} // without room for anything
		}
		r.set(s, in.Dst, to, value{}, value{})
		return true
	case ir.OpArrayPtr:
	case ir.OpCast:
		if library := r.in.fn.Standard || r.in.fn.Model; !(library && (at.may&^own == 0 || s.phase == making)) && !casts[r.in.fn.Name] {
			r.refuse(true, "an unsafe.Pointer is converted")
		}
	default:
		r.refuse(true, "%s", r.unknown(in))
	}
	r.set(s, in.Dst, to)
	return true
}

// casts are functions that convert pointers to what is not own, in the only way that the types of the language allow, too.
var casts = map[string]bool{"(*strings.Builder).copyCheck": true, "pangolin/prelude.assertionErrorText": true}

// isZero reports whether an operand is the constant 0.
func (r *run) isZero(reg ir.Reg) bool {
	return reg < 0 && reg != ir.NoReg && r.p.prog.ConstKinds[^reg] == ir.Scalar && r.p.prog.Consts[^reg] == 0
}

// elements executes what reads or writes the elements of slices.
func (r *run) elements(s *state, in *ir.Instr) {
	at := r.get(s, in.A).moved()
	put := origins(0)
	if guards(in.T) {
		r.refuse(true, "values with locks are copied")
	}
	if in.Op != ir.OpClear && !in.Ok {
		from := r.get(s, in.B).moved()
		if from.may == 0 { // nothing is copied
			if in.Op == ir.OpAppend {
				r.set(s, in.Dst, r.all(s, in.A, ir.SliceWords)...)
			} else {
				r.scalars(s, in)
			}
			return
		}
		r.read(s, r.ofElements(from, in.T))
		put = stored(r.words(s, from, in.T, []class{{sort: anything}}), in.T)
	}
	if in.Op != ir.OpAppend {
		if at.may != 0 {
			r.write(s, r.ofElements(at, in.T), put)
		}
		if in.Op == ir.OpCopy {
			r.scalars(s, in)
		}
		return
	}
	if at.may != 0 { // the elements are copied if there is no room
		r.read(s, r.ofElements(at, in.T))
		old := stored(r.words(s, at, in.T, []class{{sort: anything}}), in.T)
		if at.may&^own != 0 && r.write(s, r.ofElements(plain(at.may&^own), in.T), put) {
			at, put, old = r.p.closures.published(at), r.p.closures.published(plain(put)).may, r.p.closures.published(plain(old)).may
		}
		put |= old
	}
	s.holds |= put &^ own
	at.may |= own
	r.set(s, in.Dst, at, value{}, value{})
}

// ofElements is an access to elements of a type.
func (r *run) ofElements(at value, t *ir.Type) *access {
	at.hint = elemOf(t)
	return &access{at: at, classes: r.p.classes.accessed(t, at.hint)}
}
