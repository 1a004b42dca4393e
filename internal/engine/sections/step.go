// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// run executes a block of a function that is called in some way.
type run struct {
	p  *program
	t  *table
	in *invocation
	by *reached // the state that it begins in
	pc int
}

// refuse ends the attempt to prove with an alarm at the instruction, or at the call of the operation's own code that has led there. outside: the method does not model it.
func (r *run) refuse(outside bool, format string, args ...any) {
	a := &engine.Alarm{Outside: outside || r.t.lock == (path{}), Text: fmt.Sprintf(format, args...)}
	c, pc := r.written()
	for o := r.in; o != nil; o = o.from {
		if o.from == nil && o.phase != making {
			a.Text = r.p.ops[o.id] + ": " + a.Text
		}
	}
	if !c.fn.Harness {
		a.At = r.p.prog.Position(c.fn.Pos[pc])
	} else {
		a.Text += ", in what its caller does with the result"
	}
	panic(a)
}

// written is the instruction that somebody has written for which the present one is executed, as far as there is one: not in the library, nor in the harness.
func (r *run) written() (c *invocation, pc int) {
	c, pc = r.in, r.pc
	for c.from != nil && (c.fn.Library() || c.fn.Harness || c.fn.Pos[pc].Line == 0) {
		c, pc = c.from, c.pc
	}
	return c, pc
}

// position is where the present instruction is written.
func (r *run) position() ir.Pos {
	c, pc := r.written()
	return c.fn.Pos[pc]
}

// get is the value of an operand.
func (r *run) get(s *state, reg ir.Reg) value {
	if reg >= 0 {
		return s.regs[reg]
	}
	w := r.p.prog.Consts[^reg]
	switch r.p.prog.ConstKinds[^reg] {
	case ir.Pointer, ir.Unsafe:
		if w != 0 {
			return value{may: foreign, hint: hint{sort: isGlobal, n: int(w>>32) - 1, off: int(uint32(w))}}
		}
	case ir.Code:
		if w&ir.FuncTag != 0 {
			return r.p.closures.of(r.p.prog.Funcs[w&^ir.FuncTag], nil)
		}
	case ir.IfaceData:
		if w != 0 {
			return plain(foreign)
		}
	}
	return value{}
}

// all are the values of some words from a register on.
func (r *run) all(s *state, reg ir.Reg, n int) []value {
	out := make([]value, n)
	for i := range out {
		out[i] = r.get(s, reg.Word(i))
	}
	return out
}

// set writes registers. Words of kinds that are no references lead nowhere.
func (r *run) set(s *state, dst ir.Reg, words ...value) {
	if dst == ir.NoReg {
		return
	}
	for i, v := range words {
		if k := int(dst) + i; isReference(r.in.fn.Kinds[k]) {
			s.regs[k] = v
		} else {
			s.regs[k] = value{}
		}
	}
}

// scalars sets the registers that an instruction defines to numbers.
func (r *run) scalars(s *state, in *ir.Instr) {
	r.p.prog.Operands(in, func(reg ir.Reg, n int, role ir.Role) {
		if role != ir.Use && reg >= 0 {
			for i := range n {
				s.regs[int(reg)+i] = value{}
			}
		}
	})
}

// goOn executes instructions from r.pc on, up to the end of the block.
func (r *run) goOn(s *state) {
	for {
		in := &r.in.fn.Code[r.pc]
		r.recovering(s)
		switch in.Op {
		case ir.OpJump:
			r.reach(s, int(in.N))
			return
		case ir.OpIf:
			r.reach(s.clone(), int(in.N))
			r.reach(s, int(in.X))
			return
		case ir.OpReturn:
			e := end{phase: s.phase, holds: s.holds, published: s.published}
			for _, a := range r.p.prog.Lists[in.X] {
				e.results = append(e.results, r.all(s, a.Reg, a.Type.Size)...)
			}
			r.t.returned(r.in, e)
			return
		case ir.OpPanic:
			return
		case ir.OpCall:
			r.call(s, in)
			return
		case ir.OpRunDefers:
			r.runDefers(s)
			return
		}
		if !r.step(s, in) {
			return
		}
		r.pc++
	}
}

// step executes an instruction that is no transfer of control; false: it panics.
func (r *run) step(s *state, in *ir.Instr) bool {
	switch op := in.Op; {
	case op == ir.OpNop:
	case op == ir.OpMove:
		r.set(s, in.Dst, r.all(s, in.A, int(in.N))...)
	case op > ir.OpMove && op <= ir.OpStrSlice || op == ir.OpRuneToStr || op == ir.OpStrNext || op == ir.OpAddress || op == ir.OpCap:
		r.scalars(s, in)
	case op >= ir.OpStrToBytes && op <= ir.OpRunesToStr:
		return r.texts(s, in)
	case op >= ir.OpNew && op <= ir.OpCast:
		return r.memory(s, in)
	case op >= ir.OpAtomicLoad && op <= ir.OpAtomicOr:
		return r.atomic(s, in)
	case op >= ir.OpMakeMap && op <= ir.OpMapNext:
		return r.maps(s, in)
	case op == ir.OpMakeIface:
		r.makeInterface(s, in)
	case op == ir.OpAssert:
		r.assert(s, in)
	case op == ir.OpMakeClosure:
		var words []value
		for _, a := range r.p.prog.Lists[in.X] {
			r.copies(a.Type)
			words = append(words, r.all(s, a.Reg, a.Type.Size)...)
		}
		made := r.p.closures.of(r.p.prog.Funcs[in.N], words)
		for _, v := range words {
			s.holds |= v.may &^ own
		}
		r.set(s, in.Dst, made)
	case op >= ir.OpMakeChan && op <= ir.OpSelect:
		return r.channel(s, in)
	case op == ir.OpDefer:
		r.deferCall(s, in)
	case op == ir.OpRecover:
		r.set(s, in.Dst, value{}, plain(own|foreign|shared))
	default:
		r.refuse(true, "%s", r.unknown(in))
	}
	return true
}

// unknown says what an instruction is that is not modelled.
func (r *run) unknown(in *ir.Instr) string {
	switch op := in.Op; {
	case op == ir.OpUnsupported:
		return r.p.prog.Messages[in.X]
	case op == ir.OpGo:
		return "goroutines are started"
	case op == ir.OpPrint:
		return "something is printed"
	}
	return fmt.Sprintf("the instruction %s", in.Op)
}

// makeInterface and assert move words into and out of interface values.
func (r *run) makeInterface(s *state, in *ir.Instr) {
	r.copies(in.T)
	data := value{}
	for i, k := range in.T.Layout() {
		v := r.get(s, in.A.Word(i))
		if !isReference(k) {
			continue
		}
		if in.T.Size == 1 {
			data = v
			break
		}
		data.may |= v.may
	}
	r.set(s, in.Dst, value{}, data)
}

func (r *run) assert(s *state, in *ir.Instr) {
	if !r.in.fn.Harness { // which calls no method of what it takes out
		r.copies(in.T)
	}
	data := r.get(s, in.A.Word(1))
	words := make([]value, in.T.Size)
	for i, k := range in.T.Layout() {
		switch {
		case !isReference(k):
		case in.T.Size == 1 || in.T.IsInterface():
			words[i] = data
		default:
			words[i] = plain(data.may)
		}
	}
	if in.Ok {
		words = append(words, value{})
	}
	r.set(s, in.Dst, words...)
}

// texts executes conversions between strings and slices.
func (r *run) texts(s *state, in *ir.Instr) bool {
	library := r.in.fn.Standard || r.in.fn.Model
	switch in.Op {
	case ir.OpStrToBytes, ir.OpStrToRunes:
		made := plain(own)
		if in.Op == ir.OpStrToBytes && in.X != 0 {
			if made = plain(foreign); !library {
				r.refuse(true, "the memory of a string is used as a slice")
			}
		}
		r.set(s, in.Dst, made, value{}, value{})
		return true
	}
	if from := r.get(s, in.A); from.may != 0 {
		r.read(s, &access{at: from, classes: []class{{sort: anything}}})
	}
	if in.Op == ir.OpBytesToStr && in.N != 0 && !library {
		r.refuse(true, "memory that may be written is used as a string")
	}
	r.scalars(s, in)
	return true
}

// maps executes an access to a map.
func (r *run) maps(s *state, in *ir.Instr) bool {
	if in.Op == ir.OpMakeMap {
		r.set(s, in.Dst, plain(own))
		return true
	}
	at := r.get(s, in.A)
	if in.T != nil && (guards(in.T.Key) || guards(in.T.Elem)) {
		r.refuse(true, "values with locks are copied")
	}
	a := &access{at: at, classes: []class{r.p.classes.entriesOf(in.T)}}
	var put origins
	if in.Op == ir.OpMapSet {
		put = stored(r.all(s, in.B, in.T.Key.Size), in.T.Key) | stored(r.all(s, in.C, in.T.Elem.Size), in.T.Elem)
	}
	switch in.Op {
	case ir.OpMapSet, ir.OpMapDel, ir.OpMapClear:
		if at.may == 0 {
			return in.Op != ir.OpMapSet // of a nil map
		}
		r.write(s, a, put)
		return true
	case ir.OpMapRange:
		r.set(s, in.Dst, at.moved(), at.moved())
		if at.may != 0 {
			r.read(s, a)
		}
		return true
	}
	if at.may != 0 {
		r.read(s, a)
	}
	r.scalars(s, in)
	switch in.Op {
	case ir.OpMapGet:
		r.set(s, in.Dst, r.words(s, at.moved(), in.T.Elem, a.classes)...)
	case ir.OpMapNext:
		r.set(s, in.Dst.Word(1), slices.Concat(r.words(s, at.moved(), in.T.Key, a.classes), r.words(s, at.moved(), in.T.Elem, a.classes))...)
	}
	return true
}
