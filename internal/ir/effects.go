// SPDX-License-Identifier: BSD-3-Clause

package ir

import "slices"

// Effects is what some functions may do to memory that existed before they were called: an upper
// bound, found without executing them. Memory is known by its types only: a program without casts
// writes an object as its own type, or as one that this converts to.
type Effects struct {
	Globals map[int]bool // package variables that the functions mention, by index
	Changed map[int]bool // package variables that they may write, or whose address they pass on

	structs  map[*Type]bool // a field of a value of the type is written
	elements map[*Type]bool // an element of the type of an array or a slice is written
	pointed  map[*Type]bool // a value of the type is written through a pointer that may point anywhere
	entries  map[*Type]bool // entries of maps, by the type of the entry
	channels bool           // a channel is used, or a goroutine started
	may      map[*Type]bool // answers of May
	// Open is true if some of the code may write anything it can reach: it is unknown, or it casts.
	Open bool
	// Goes is true if it starts a goroutine.
	Goes bool
}

// Meaning is what is known of a function without code.
type Meaning uint8

// The values of Meaning.
const (
	NotKnown     Meaning = iota
	Known                // it writes only what its arguments point to
	ThroughBoxes         // it also writes what values in interfaces point to
	Harmless             // it writes nothing, as prelude.atomicBegin, which only says what is accessed
)

// NewEffects finds the effects of some code and everything that it may call. meaning tells what is
// known of functions without code. Unknown code may call whatever it can reach: the functions in
// handed, functions used as values in the code, and methods of values that are put into interfaces.
//
// A call of a function value reaches those that package initialisation may have made values, initial (InitialValues), for the code is one of its initialisers. If it starts a
// goroutine, which may call what is made one later, it reaches every function that the program uses as a value.
func (p *Program) NewEffects(code []Instr, handed []*Func, meaning func(*Func) Meaning, initial map[*Func]bool) *Effects {
	e := p.effects(code, handed, meaning, initial)
	if e.Goes {
		return p.effects(code, handed, meaning, nil)
	}
	return e
}

// effects finds them. among are the functions that calls of function values reach, nil for every one that the program uses as a value: what the code
// itself makes one is among them if it is known, and otherwise added whether it is called or not.
func (p *Program) effects(code []Instr, handed []*Func, meaning func(*Func) Meaning, among map[*Func]bool) *Effects {
	e := &Effects{Globals: map[int]bool{}, Changed: map[int]bool{}, structs: map[*Type]bool{}, elements: map[*Type]bool{},
		pointed: map[*Type]bool{}, entries: map[*Type]bool{}, may: map[*Type]bool{}}
	r := &reacher{p: p, seen: map[*Func]bool{}, queue: []*Func{{Code: code, DeferReg: NoReg}}, among: among}
	for len(r.queue) > 0 {
		f := r.queue[0]
		r.queue = r.queue[1:]
		e.add(p, f, meaning)
		r.calls(f)
		if f.External {
			r.calledBack(f)
		}
		if handed = r.made(handed, f); e.Open {
			for _, h := range handed {
				r.add(h)
			}
			handed = nil
		}
	}
	return e
}

// InitialValues are the functions that package initialisation may have made values: those that are used as values in code that it may execute, where
// a call of a function value reaches no others. Nil if there is no package initialisation.
func (p *Program) InitialValues() map[*Func]bool {
	if p.Init == nil {
		return nil
	}
	r := &reacher{p: p, seen: map[*Func]bool{}, among: map[*Func]bool{}}
	r.add(p.Init)
	for len(r.queue) > 0 {
		f := r.queue[0]
		r.queue = r.queue[1:]
		r.takes(f)
		r.calls(f)
		if f.External {
			r.calledBack(f)
			r.methods(f)
		}
	}
	return r.among
}

// takes adds the functions that a function uses as values to those that calls of function values reach.
func (r *reacher) takes(f *Func) {
	if r.among == nil {
		return
	}
	for pc := range f.Code {
		in := &f.Code[pc]
		if in.Op == OpMakeClosure {
			r.among[r.p.Funcs[in.N]] = true
		}
		r.p.Operands(in, func(reg Reg, n int, _ Role) {
			for i := range n {
				if w := reg.Word(i); w < 0 && w != NoReg && r.p.Consts[^w] != 0 && r.p.ConstKinds[^w] == Code {
					r.among[r.p.Funcs[r.p.Consts[^w]&^FuncTag]] = true
				}
			}
		})
	}
	if r.values {
		r.takenValues()
	}
}

// calledBack adds what a function without code may call: functions that it is given.
func (r *reacher) calledBack(f *Func) {
	for _, t := range f.Params {
		if t.Class == Slice {
			t = t.Elem
		}
		if t.Class == FuncClass {
			r.takenValues()
		}
	}
}

// made appends the functions that a function uses as values, and the methods of what it puts into
// interfaces.
func (r *reacher) made(dst []*Func, f *Func) []*Func {
	for pc := range f.Code {
		in := &f.Code[pc]
		switch in.Op {
		case OpMakeClosure:
			dst = append(dst, r.p.Funcs[in.N])
		case OpMakeIface:
			dst = in.T.AppendMethods(dst)
		}
		r.p.Operands(in, func(reg Reg, n int, _ Role) {
			for i := range n {
				dst = r.p.appendTold(dst, reg.Word(i))
			}
		})
	}
	return dst
}

// appendTold appends the functions that a constant word stands for: a function, or the methods of a
// type.
func (p *Program) appendTold(dst []*Func, r Reg) []*Func {
	if r >= 0 || r == NoReg || p.Consts[^r] == 0 {
		return dst
	}
	switch w := p.Consts[^r]; p.ConstKinds[^r] {
	case Code:
		return append(dst, p.Funcs[w&^FuncTag])
	case IfaceType:
		return p.Types[w&^TypeTag].AppendMethods(dst)
	}
	return dst
}

// AppendMethods appends the type's methods that are ever called.
func (t *Type) AppendMethods(dst []*Func) []*Func {
	for _, m := range t.Methods {
		if m != nil {
			dst = append(dst, m)
		}
	}
	return dst
}

// add adds the effects of one function by itself.
func (e *Effects) add(p *Program, f *Func, meaning func(*Func) Meaning) {
	if f.External {
		e.external(p, f, meaning(f))
		return
	}
	w := &writes{p: p, e: e, f: f, meaning: meaning}
	for pc := range f.Code {
		w.instruction(&f.Code[pc])
	}
}

// external adds what a function without code may write: what its parameters point to, or anything
// if it is unknown.
func (e *Effects) external(p *Program, f *Func, is Meaning) {
	e.Open = e.Open || is == NotKnown
	if is == Harmless {
		return
	}
	for _, t := range f.Params {
		e.given(t)
	}
	if is != ThroughBoxes {
		return
	}
	for _, other := range p.Funcs {
		for pc := range other.Code {
			if in := &other.Code[pc]; in.Op == OpMakeIface {
				e.given(in.T)
			}
		}
	}
	for i, kind := range p.ConstKinds {
		if w := p.Consts[i]; kind == IfaceType && w != 0 {
			e.given(p.Types[w&^TypeTag])
		}
	}
}

// given adds what a value of a type points to directly.
func (e *Effects) given(t *Type) {
	switch t.Class {
	case PointerClass:
		e.pointed[flat(t.Elem)] = true
	case Slice:
		e.elements[flat(t.Elem)] = true
	case Map:
		e.entries[t.Entry] = true
	case Chan:
		e.channels = true
	case UnsafePointer:
		e.Open = true
	}
}

// May reports whether an object with elements of type t may be written. channel: the object is a
// channel.
func (e *Effects) May(t *Type, channel bool) bool {
	if e.Open || channel && e.channels {
		return true
	}
	may, ok := e.may[t]
	if !ok {
		may = has(e.entries, t) || has(e.elements, t) || e.within(t)
		e.may[t] = may
	}
	return may
}

// within says whether a part of a value may be written.
func (e *Effects) within(t *Type) bool {
	if e.pointed[nil] || has(e.structs, t) || has(e.pointed, t) {
		return true
	}
	switch t.Class {
	case Array:
		return has(e.elements, flat(t)) || e.within(t.Elem)
	case Struct, Record:
		for i := range t.Fields {
			if e.within(t.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}

// has reports whether a type, or one that a pointer to it converts to, is in the set.
func has(types map[*Type]bool, t *Type) bool {
	if types[t] {
		return true
	}
	for of := range types {
		if of != nil && converts(of, t) {
			return true
		}
	}
	return false
}

// converts says whether a pointer to a converts to one to b without a cast, as maps do: their
// underlying types are the same, but for tags.
func converts(a, b *Type) bool {
	if a == b {
		return true
	}
	if a.Class != b.Class || a.Size != b.Size || a.Len != b.Len || len(a.Fields) != len(b.Fields) {
		return false
	}
	switch a.Class {
	case Struct, Record:
		for i := range a.Fields {
			if a.Fields[i].Name != b.Fields[i].Name || !converts(a.Fields[i].Type, b.Fields[i].Type) {
				return false
			}
		}
	case Array:
		return converts(a.Elem, b.Elem)
	}
	return true
}

// writes looks at the instructions of one function.
type writes struct {
	p       *Program
	e       *Effects
	f       *Func
	meaning func(*Func) Meaning
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
	case OpSend, OpRecv, OpClose, OpSelect:
		w.e.channels = true
	case OpGo:
		w.e.channels, w.e.Goes = true, true
	case OpUnsupported:
		w.e.Open = true
	case OpCast:
		w.e.Open = w.e.Open || !w.onlyRead(in)
	}
}

// through adds a write of a value of type t (nil: one word of any type) through a pointer in a
// register, by where the function has the pointer from.
func (w *writes) through(r Reg, t *Type) {
	if r < 0 {
		return // a package variable: mentions adds it
	}
	made := int(r) >= w.f.ParamWords()+w.f.FreeWords()
	for i := range w.f.Code {
		in := &w.f.Code[i]
		w.p.Operands(in, func(d Reg, n int, role Role) {
			if role == Use || r < d || int(r) >= int(d)+n {
				return
			}
			switch in.Op {
			case OpField:
				w.e.structs[in.T] = true
			case OpElem, OpArrayElem:
				w.e.elements[flat(in.T)] = true
			case OpNew: // a new object, which nobody could see before
			default:
				w.anywhere(t)
			}
		})
	}
	if !made {
		w.anywhere(t)
	}
}

func (w *writes) anywhere(t *Type) {
	w.e.pointed[flat(t)] = true
}

// flat is the innermost element type of an array type, as in objects; another type is returned
// unchanged.
func flat(t *Type) *Type {
	for t != nil && t.Class == Array {
		t = t.Elem
	}
	return t
}

// mentions records the package variables among the operands. Only being the address of a load, or
// being handed to what is harmless, leaves a variable unchanged.
func (w *writes) mentions(in *Instr) {
	w.p.Operands(in, func(r Reg, n int, _ Role) {
		for i := range n {
			g := w.p.GlobalAt(r.Word(i))
			if g < 0 {
				continue
			}
			w.e.Globals[g] = true
			if !w.leavesAlone(in) && !w.onlyRead(in) {
				w.e.Changed[g] = true
			}
		}
	})
}

// leavesAlone reports whether an instruction leaves alone what the addresses among its operands point to: a load, or a call of what is harmless.
func (w *writes) leavesAlone(in *Instr) bool {
	switch in.Op {
	case OpLoad, OpAtomicLoad:
		return true
	case OpCall:
		c := w.p.Calls[in.X]
		return c.Kind == CallStatic && c.Func.External && w.meaning(c.Func) == Harmless
	}
	return false
}

// onlyRead reports whether the address that an instruction copies, or computes of a field or element, is
// only used as one of a load in this function, in the sense of leavesAlone. What is made of a copy is not followed, as copies may go round in circles.
func (w *writes) onlyRead(of *Instr) bool {
	copied := of.Op == OpMove && of.N == 1
	if !copied && of.Op != OpField && of.Op != OpArrayElem && of.Op != OpCast {
		return false
	}
	for i := range w.f.Code {
		in, other := &w.f.Code[i], false
		w.p.Operands(in, func(r Reg, n int, role Role) {
			if role != Def && of.Dst >= r && int(of.Dst) < int(r)+n {
				other = other || !w.leavesAlone(in) && (copied || in.Dst == of.Dst || !w.onlyRead(in))
			}
		})
		if other {
			return false
		}
	}
	return true
}

// Mentioned appends the package variables whose address is an operand of an instruction, each once.
func (p *Program) Mentioned(dst []int, in *Instr) []int {
	from := len(dst)
	p.Operands(in, func(r Reg, n int, _ Role) {
		for i := range n {
			if g := p.GlobalAt(r.Word(i)); g >= 0 && !slices.Contains(dst[from:], g) {
				dst = append(dst, g)
			}
		}
	})
	return dst
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
