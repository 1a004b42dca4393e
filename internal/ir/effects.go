// SPDX-License-Identifier: BSD-3-Clause

package ir

import "slices"

// Effects is what some functions may do to memory that existed before they were called: an upper bound, found without executing them. It knows
// memory by types only, as a program without casts may write an object only as what it is.
type Effects struct {
	Globals map[int]bool // package variables that they mention, by index
	Changed map[int]bool // those that they may write themselves, or hand on the address of

	structs  map[*Type]bool // a field of a value of the type is written
	elements map[*Type]bool // an element of the type of an array or a slice is written
	pointed  map[*Type]bool // a value of the type is written through a pointer that may point anywhere
	entries  map[*Type]bool // entries of maps, by the type of the entry
	cast     map[*Type]bool // what has the layout of the type is written as if it were of it
	channels bool           // a channel is used, or a goroutine started
	// Open says that there is code among it whose effects are not known.
	Open bool
}

// NewEffects finds the effects of executing code of one function and all that this may call. known says of a function without code whether
// it has a meaning, by which it writes nothing but what its arguments point to.
func (p *Program) NewEffects(code []Instr, known func(*Func) bool) *Effects {
	roots := []*Func{{Code: code, DeferReg: NoReg}}
	for {
		e, back := noEffects(), &reacher{p: p, seen: map[*Func]bool{}}
		p.Reach(roots, func(f *Func) {
			e.add(p, f, known)
			if f.External {
				back.calledBack(f)
			}
		})
		all := append(roots[:1:1], back.queue...)
		if len(all) == len(roots) {
			return e
		}
		roots = all
	}
}

// calledBack adds what a function without code may call: functions that it is given, and methods by which values are shown, of values in interfaces.
func (r *reacher) calledBack(f *Func) {
	for _, t := range f.Params {
		if t.Class == Slice {
			t = t.Elem
		}
		switch {
		case t.Class == FuncClass && !r.values:
			r.values = true
			r.takenValues()
		case t.Class == Interface:
			for _, of := range r.p.Types {
				if of == nil {
					continue
				}
				for _, method := range []string{"Error() string", "String() string", "GoString() string"} {
					r.add(of.Methods[method])
				}
			}
		}
	}
}

// AllEffects are those of all functions of a program but some.
func (p *Program) AllEffects(known, but func(*Func) bool) *Effects {
	e := noEffects()
	for _, f := range p.Funcs {
		if !but(f) {
			e.add(p, f, known)
		}
	}
	return e
}

func noEffects() *Effects {
	return &Effects{Globals: map[int]bool{}, Changed: map[int]bool{}, structs: map[*Type]bool{}, elements: map[*Type]bool{},
		pointed: map[*Type]bool{}, entries: map[*Type]bool{}, cast: map[*Type]bool{}}
}

// add adds the effects of one function by itself.
func (e *Effects) add(p *Program, f *Func, known func(*Func) bool) {
	if f.External {
		e.external(f, known(f))
		return
	}
	w := &writes{p: p, e: e, code: f.Code}
	for pc := range f.Code {
		w.instruction(&f.Code[pc])
	}
}

// external adds what a function without code may write: of one that is known what its parameters point to, of another anything.
func (e *Effects) external(f *Func, known bool) {
	if !known {
		e.Open = true
	}
	for _, t := range f.Params {
		switch t.Class {
		case PointerClass:
			e.pointed[flat(t.Elem)] = true
		case Slice:
			e.elements[flat(t.Elem)] = true
		case Map:
			e.entries[t.Entry] = true
		case Chan:
			e.channels = true
		}
	}
}

// May says whether an object with elements of type t may be written; channel says that it is one.
func (e *Effects) May(t *Type, channel bool) bool {
	return channel && e.channels || e.entries[t] || e.elements[t] || e.within(t)
}

// within says whether a part of a value may be written.
func (e *Effects) within(t *Type) bool {
	if e.structs[t] || e.pointed[t] || e.pointed[nil] {
		return true
	}
	for c := range e.cast {
		if c.Size == t.Size && slices.Equal(c.Layout(), t.Layout()) {
			return true
		}
	}
	switch t.Class {
	case Array:
		return e.elements[flat(t)] || e.within(t.Elem)
	case Struct, Record:
		for i := range t.Fields {
			if e.within(t.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}

// writes looks at the instructions of one function.
type writes struct {
	p    *Program
	e    *Effects
	code []Instr
}

func (w *writes) instruction(in *Instr) {
	w.mentions(in)
	switch in.Op {
	case OpStore:
		w.through(in.A, in.T)
	case OpAtomicStore, OpAtomicSwap, OpAtomicCAS, OpAtomicAdd, OpAtomicAnd, OpAtomicOr:
		w.through(in.A, nil)
	case OpAppend, OpCopy, OpClear:
		w.e.elements[flat(in.T)] = true
	case OpMapSet, OpMapDel, OpMapClear:
		w.e.entries[in.T.Entry] = true
	case OpSend, OpRecv, OpClose, OpSelect, OpGo:
		w.e.channels = true
	case OpCast:
		if !w.onlyRead(in) {
			w.e.cast[in.T] = true
		}
	case OpUnsupported:
		w.e.Open = true
	}
}

// through adds a write of a value of type t (nil: one word of any) through a pointer in a register: by where the function has the pointer from.
func (w *writes) through(r Reg, t *Type) {
	if r < 0 {
		return // a package variable, see mentions
	}
	found := false
	for i := range w.code {
		in := &w.code[i]
		w.p.Operands(in, func(d Reg, n int, role Role) {
			if role == Use || r < d || int(r) >= int(d)+n {
				return
			}
			found = true
			switch in.Op {
			case OpField:
				w.e.structs[in.T] = true
			case OpElem, OpArrayElem:
				w.e.elements[flat(in.T)] = true
			case OpNew: // nobody had it before
			default:
				w.anywhere(t)
			}
		})
	}
	if !found { // a parameter, or a variable of a closure
		w.anywhere(t)
	}
}

func (w *writes) anywhere(t *Type) {
	w.e.pointed[flat(t)] = true
}

// flat is the type of the elements of an array, however deep, as objects have it; another type is itself.
func flat(t *Type) *Type {
	for t != nil && t.Class == Array {
		t = t.Elem
	}
	return t
}

// mentions notes the package variables among the operands. Only the address of a load leaves a variable as it is.
func (w *writes) mentions(in *Instr) {
	w.p.Operands(in, func(r Reg, n int, _ Role) {
		for i := range n {
			g := w.p.GlobalAt(r.Word(i))
			if g < 0 {
				continue
			}
			w.e.Globals[g] = true
			if in.Op != OpLoad && in.Op != OpAtomicLoad && !w.onlyRead(in) {
				w.e.Changed[g] = true
			}
		}
	})
}

// onlyRead says that the address that an instruction derives, of a field or an element, is only loaded from in this function.
func (w *writes) onlyRead(of *Instr) bool {
	if of.Op != OpField && of.Op != OpArrayElem && of.Op != OpCast {
		return false
	}
	for i := range w.code {
		in, other := &w.code[i], false
		w.p.Operands(in, func(r Reg, n int, role Role) {
			if role != Def && of.Dst >= r && int(of.Dst) < int(r)+n {
				other = other || in.Op != OpLoad && in.Op != OpAtomicLoad && !(in.Dst != of.Dst && w.onlyRead(in))
			}
		})
		if other {
			return false
		}
	}
	return true
}

// Mentions says whether the address of a package variable is an operand of an instruction.
func (p *Program) Mentions(in *Instr, global int) (found bool) {
	p.Operands(in, func(r Reg, n int, _ Role) {
		for i := range n {
			found = found || p.GlobalAt(r.Word(i)) == global
		}
	})
	return found
}

// GlobalAt is the package variable that an operand is the address of, or -1.
func (p *Program) GlobalAt(r Reg) int {
	if r >= 0 || r == NoReg || p.ConstKinds[^r] != Pointer {
		return -1
	}
	if id := int(p.Consts[^r] >> 32); id > 0 && id <= len(p.Globals) {
		return id - 1
	}
	return -1
}
