// SPDX-License-Identifier: BSD-3-Clause

package ir

// A tracer follows, inside one function, where words come from: which memory an address
// points to, which word of memory a value was read from. It goes forward over the blocks
// until nothing changes; where two ways meet that say different things, nothing is known.
type tracer struct {
	p     *Program
	f     *Func
	u     *Purposes
	ins   [][]origin // of the registers, at the beginning of each block
	notes bool       // the facts are final: take note of uses
}

// origin is what is known of a register. The zero value says that nothing has been found
// out yet.
type origin struct {
	known bool
	to    *Type     // not nil: it points to word off of memory of this type
	off   int       //
	from  wordClass // if its type is not nil: it was read from a word of this class
	sum   bool      // it was read from there, and something was added
	isNum bool      // it is the constant num
	num   uint64
}

// anything is an origin of which nothing is known.
func anything() origin { return origin{known: true} }

// meet keeps what two origins agree on.
func meet(a, b origin) origin {
	switch {
	case !a.known:
		return b
	case !b.known:
		return a
	}
	if a.to != b.to || a.off != b.off {
		a.to, a.off = nil, 0
	}
	if a.from != b.from || a.sum != b.sum {
		a.from, a.sum = wordClass{}, false
	}
	if a.isNum != b.isNum || a.num != b.num {
		a.isNum, a.num = false, 0
	}
	return a
}

func (t *tracer) run() {
	n := len(t.f.Blocks)
	t.ins = make([][]origin, n)
	t.ins[0] = t.entry()
	at := blockStarts(t.f)
	if t.f.Recover >= 0 {
		t.ins[at[t.f.Recover]] = t.unknown()
	}
	for changed := true; changed; {
		changed = false
		for b := range n {
			if t.ins[b] == nil {
				continue
			}
			out := t.block(b)
			for _, s := range successors(t.f, b) {
				changed = t.join(at[s], out) || changed
			}
		}
	}
	t.notes = true
	for b := range n {
		if t.ins[b] != nil {
			t.block(b)
		}
	}
}

func (t *tracer) unknown() []origin {
	regs := make([]origin, t.f.NumRegs)
	for i := range regs {
		regs[i] = anything()
	}
	return regs
}

// entry is what is known of parameters and free variables: what pointers point to.
func (t *tracer) entry() []origin {
	regs := t.unknown()
	r := 0
	for _, list := range [][]*Type{t.f.Params, t.f.Free} {
		for _, typ := range list {
			t.typed(regs[r:r+typ.Size], typ)
			r += typ.Size
		}
	}
	return regs
}

// typed notes what the words of a value of a type point to.
func (t *tracer) typed(regs []origin, typ *Type) {
	for i := range regs {
		regs[i] = anything()
		regs[i].to = typ.PointeeAt(i)
	}
}

func (t *tracer) join(b int, out []origin) (changed bool) {
	if t.ins[b] == nil {
		t.ins[b] = append(make([]origin, 0, len(out)), out...) // not nil, of a function without registers either
		return true
	}
	for i := range out {
		if m := meet(t.ins[b][i], out[i]); m != t.ins[b][i] {
			t.ins[b][i] = m
			changed = true
		}
	}
	return changed
}

// block follows a block and gives what is known behind it.
func (t *tracer) block(b int) []origin {
	regs := append([]origin(nil), t.ins[b]...)
	for i := t.f.Blocks[b].Start; i < t.f.Blocks[b].End; i++ {
		t.step(&t.f.Code[i], regs)
	}
	return regs
}

// get reads an operand. One that an instruction does not use may name any register.
func (t *tracer) get(regs []origin, r Reg) origin {
	switch {
	case r >= 0 && int(r) < len(regs):
		return regs[r]
	case r < 0 && r != NoReg && int(^r) < len(t.p.Consts):
		return origin{known: true, isNum: true, num: t.p.Consts[^r]}
	}
	return anything()
}

// step follows one instruction.
func (t *tracer) step(in *Instr, regs []origin) {
	results := t.results(in, regs)
	if t.notes {
		t.note(in, regs)
	}
	t.p.Operands(in, func(r Reg, n int, role Role) {
		for i := range n {
			if role != Use && r >= 0 {
				regs[int(r)+i] = anything()
			}
		}
	})
	if in.Dst >= 0 {
		copy(regs[in.Dst:], results)
	}
}

// results are the origins of an instruction's results, as far as anything is known.
func (t *tracer) results(in *Instr, regs []origin) []origin {
	a := t.get(regs, in.A)
	switch in.Op {
	case OpMove:
		list := make([]origin, in.N)
		for i := range list {
			list[i] = t.get(regs, in.A.Word(i))
		}
		return list
	case OpNew, OpCast:
		return []origin{{known: true, to: in.T}}
	case OpField:
		o := anything()
		if o.to, o.off = in.T, int(in.N); a.to != nil {
			o.to, o.off = a.to, a.off+int(in.N)
		}
		return []origin{o}
	case OpElem, OpArrayElem:
		return []origin{{known: true, to: in.T}}
	case OpLoad:
		return t.read(a, in.T.Size, in.T)
	case OpAtomicLoad, OpAtomicSwap, OpAtomicAdd, OpAtomicAnd, OpAtomicOr:
		return t.read(a, 1, nil)
	case OpAdd, OpSub:
		return []origin{t.added(a, t.get(regs, in.B))}
	case OpMakeIface, OpAssert:
		if in.Op == OpAssert && !in.T.IsInterface() {
			return t.ofType(in.T)
		}
	case OpCall:
		var list []origin
		for _, typ := range t.p.Calls[in.X].Result {
			list = append(list, t.ofType(typ)...)
		}
		return list
	}
	return nil
}

func (t *tracer) ofType(typ *Type) []origin {
	list := make([]origin, typ.Size)
	t.typed(list, typ)
	return list
}

// read is what is known of n words read from an address; typ is what they are, if that is
// known.
func (t *tracer) read(a origin, n int, typ *Type) []origin {
	list := make([]origin, n)
	for i := range list {
		list[i] = anything()
		if typ != nil {
			list[i].to = typ.PointeeAt(i)
		}
		if a.to == nil || a.off+i >= a.to.Size {
			continue
		}
		list[i].from = classOf(a.to, a.off+i)
		if p := a.to.PointeeAt(a.off + i); p != nil {
			list[i].to = p
		}
	}
	return list
}

// added is a sum: of a word that was read and something else.
func (t *tracer) added(a, b origin) origin {
	o := anything()
	switch {
	case a.from.typ != nil && b.from.typ == nil:
		o.from, o.sum = a.from, true
	case b.from.typ != nil && a.from.typ == nil:
		o.from, o.sum = b.from, true
	}
	return o
}

// note takes note of what an instruction does with words.
func (t *tracer) note(in *Instr, regs []origin) {
	a, b := t.get(regs, in.A), t.get(regs, in.B)
	switch in.Op {
	case OpStore:
		for i := range in.T.Size {
			t.written(a, i, t.get(regs, in.B.Word(i)))
		}
	case OpAtomicStore, OpAtomicSwap:
		t.written(a, 0, b)
	case OpAtomicCAS:
		t.written(a, 0, t.get(regs, in.C))
	case OpAtomicAdd:
		if a.to != nil && a.off < a.to.Size {
			t.u.at(classOf(a.to, a.off)).counted = true
		}
	case OpLt, OpLe:
		t.compared(a, !b.isNum)
		t.compared(b, !a.isNum)
	case OpEq, OpNe:
		if !a.isNum && !b.isNum {
			t.compared(a, true)
			t.compared(b, true)
		}
	case OpMul, OpDiv, OpRem, OpAnd, OpOr, OpXor, OpAndNot, OpShl, OpShr, OpNeg, OpCompl:
		t.calculated(a)
		if in.Op != OpNeg && in.Op != OpCompl {
			t.calculated(b)
		}
	case OpAdd, OpSub:
		if o := t.added(a, b); o.from.typ == nil {
			t.calculated(a)
			t.calculated(b)
		}
	}
}

// written takes note of a word that is set.
func (t *tracer) written(to origin, i int, w origin) {
	if to.to == nil || to.off+i >= to.to.Size {
		return
	}
	c := classOf(to.to, to.off+i)
	s := t.u.at(c)
	switch {
	case w.isNum:
		s.setTo(w.num)
	case w.sum && w.from == c:
		s.counted = true
	default:
		s.set = true
	}
}

func (t *tracer) compared(o origin, counts bool) {
	if o.from.typ != nil && !o.sum && counts {
		t.u.at(o.from).compared = true
	}
}

func (t *tracer) calculated(o origin) {
	if o.from.typ != nil {
		t.u.at(o.from).calculated = true
	}
}
