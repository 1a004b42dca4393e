// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/number"
	"pangolin/internal/vm/state"
)

// The machine's loop: an instruction is fetched and executed, until the thread has to stop.
// It knows of scheduling only through gate (memory.go): an instruction that would touch
// what other threads can see, and may not now, gives ctlStop, and the thread stands at it.
// It is executed from its beginning when the thread goes on, perhaps in another state; so
// whatever can stop asks before it changes anything.
//
// What happens seldom has a method of its own (rare). The switch holds what happens often,
// because most of a search's time goes by here.

// control says how the machine goes on after an instruction.
type control uint8

const (
	ctlNext   control = iota // with the next instruction
	ctlReload                // with whatever frame is on top now
	ctlStop                  // not now: the thread stands at the instruction and has not begun it
	ctlDone                  // not now: the instruction has been executed, and the thread has ended or waits
)

// exec runs a thread until it stands at an access it may not make, blocks, ends,
// or has used up m.quota. It is one flat switch over the frequent instructions;
// the others have a method each, reached through rare.
func (m *Machine) exec(t *state.Thread) {
	consts := m.img.Prog.Consts
	left := m.quota
reload:
	if len(t.Frames) == 0 {
		m.quota = left
		return
	}
	fr := t.Top()
	code := fr.Code.Instrs
	regs := t.Regs[fr.Base:]
	pc := int(fr.PC)
	for {
		// The quota ends a step that would go on for ever without a visible access: step.go looks then whether the
		// thread's state repeats.
		if left == 0 {
			break
		}
		left--
		in := &code[pc]
		switch in.Op {
		case ir.OpMove:
			if in.N == 1 {
				regs[in.Dst] = state.Operand(regs, consts, in.A)
			} else {
				copy(regs[in.Dst:int(in.Dst)+int(in.N)], state.Operands(regs, consts, in.A, int(in.N)))
			}
		case ir.OpJump:
			pc = int(in.N)
			continue
		case ir.OpIf:
			pc = fr.Code.Jump(pc, state.Operand(regs, consts, in.A) != 0)
			continue
		case ir.OpAdd:
			if in.Num >= ir.F32 {
				m.arith(in, regs)
				break
			}
			a, b := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.B)
			// Of arithmetic only this is allowed with a word that stands for something else: a small constant added to a
			// thread's number, as a lock does that says who owns it. Everything else would compute with a name.
			if m.Watching && !state.AddsToNumber(in.Op, in.Num, a, b) {
				m.LooksAt(a, b)
			}
			regs[in.Dst] = in.Num.Wrap(a + b)
		case ir.OpSub:
			if in.Num >= ir.F32 {
				m.arith(in, regs)
				break
			}
			a, b := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.B)
			if m.Watching && !state.AddsToNumber(in.Op, in.Num, a, b) {
				m.LooksAt(a, b)
			}
			regs[in.Dst] = in.Num.Wrap(a - b)
		case ir.OpNot:
			regs[in.Dst] = state.Operand(regs, consts, in.A) ^ 1
		case ir.OpEq, ir.OpNe:
			a, b := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.B)
			if m.Watching {
				m.Compared(a, b)
			}
			eq := a == b
			if in.Num >= ir.F32 {
				if eq = (a^b)&^state.Borrowed == 0; in.Num != ir.Str {
					eq = m.floatEq(in, regs)
				}
			}
			regs[in.Dst] = truth(eq == (in.Op == ir.OpEq))
		case ir.OpLt, ir.OpLe:
			a, b := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.B)
			if m.Watching {
				m.Ordered(a, b)
			}
			switch {
			case in.Num.Signed():
				regs[in.Dst] = truth(int64(a) < int64(b) || in.Op == ir.OpLe && a == b)
			case in.Num <= ir.U64:
				regs[in.Dst] = truth(a < b || in.Op == ir.OpLe && a == b)
			default:
				regs[in.Dst] = truth(m.less(in, a, b))
			}
		case ir.OpField:
			p := state.Operand(regs, consts, in.A)
			if p == 0 {
				goto slow // panics
			}
			regs[in.Dst] = p + uint64(in.N)
		case ir.OpLoad:
			p := state.Operand(regs, consts, in.A)
			if p == 0 || in.T.Size != 1 {
				goto slow
			}
			// The frequent case of load (memory.go), here because most reads are of one
			// word. gate is written out: a step has fuel for one visible access, and at the next the thread stands.
			o := &m.Objs[p>>32]
			if o.Flags&state.IsKnown != 0 && !m.FrozenRead(o, state.Offset(p), 1) && m.VisibleRead(t, p, 1) {
				if m.fuel == 0 {
					fr.PC = int32(pc)
					m.quota = left + 1
					return
				}
				m.fuel--
				m.Passed = false
			}
			regs[in.Dst] = m.Mem[o.At+state.Offset(p)]
		case ir.OpAtomicLoad:
			p := state.Operand(regs, consts, in.A)
			if p == 0 {
				goto slow
			}
			o := &m.Objs[p>>32]
			// The same but for frozen words: an atomic load is a scheduling point even of what nobody writes, or a loop that
			// waits for it would be local, and its waiting no cycle of the search.
			if o.Flags&state.IsKnown != 0 && m.VisibleRead(t, p, 1) {
				if m.fuel == 0 {
					fr.PC = int32(pc)
					m.quota = left + 1
					return
				}
				m.fuel--
				m.Passed = false
			}
			regs[in.Dst] = m.Mem[o.At+state.Offset(p)]
		default:
			goto slow
		}
		pc++
		continue
	slow:
		fr.PC = int32(pc)
		switch m.rare(t, in, regs) {
		case ctlNext:
			if m.Failure != nil {
				m.quota = 0
				return
			}
			if pc++; m.decidedEnough() {
				fr.PC = int32(pc)
				m.quota = left
				return
			}
		case ctlReload:
			if m.Failure != nil {
				m.quota = 0
				return
			}
			if m.decidedEnough() {
				m.quota = left
				return
			}
			goto reload
		case ctlStop:
			m.quota = left + 1
			return
		case ctlDone:
			m.quota = left
			return
		}
	}
	fr.PC = int32(pc)
	m.quota = 0
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// rare executes the instructions that exec does not. It is a flat switch.
func (m *Machine) rare(t *state.Thread, in *ir.Instr, regs []uint64) control {
	// Garbage is collected here, between two instructions: what the switch above executes allocates nothing, and holds
	// pointers into memory meanwhile.
	if m.wantsCollection() {
		m.collect()
	}
	if m.Watching {
		m.inspectOperands(in, regs)
	}
	switch in.Op {
	case ir.OpNop:
		return ctlNext
	case ir.OpUnsupported:
		m.Fail(FaultUnsupported, m.img.Prog.Messages[in.X])
		return ctlStop
	case ir.OpZero:
		clear(regs[in.Dst : int(in.Dst)+int(in.N)])
		return ctlNext
	case ir.OpMul, ir.OpDiv, ir.OpRem, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpAndNot, ir.OpNeg, ir.OpCompl:
		if !m.arith(in, regs) {
			return m.throwError(t, "integer divide by zero")
		}
		return ctlNext
	case ir.OpShl, ir.OpShr:
		return m.shift(t, in, regs)
	case ir.OpConvert:
		m.convert(in, regs)
		return ctlNext
	case ir.OpEqual:
		return m.equal(t, in, regs)
	case ir.OpConcat, ir.OpStrLen, ir.OpStrIndex, ir.OpStrSlice, ir.OpStrToBytes, ir.OpStrToRunes,
		ir.OpBytesToStr, ir.OpRunesToStr, ir.OpRuneToStr, ir.OpStrNext:
		return m.stringOp(t, in, regs)
	case ir.OpNew:
		regs[in.Dst] = state.Pointer(m.Alloc(in.T, 1), 0)
		return ctlNext
	case ir.OpField:
		return m.throwError(t, nilMessage)
	case ir.OpLoad, ir.OpAtomicLoad:
		return m.load(t, in, regs)
	case ir.OpStore:
		return m.store(t, in, regs)
	case ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		return m.atomic(t, in, regs)
	case ir.OpElem, ir.OpArrayElem, ir.OpIndex:
		return m.index(t, in, regs)
	case ir.OpMakeSlice, ir.OpSlice, ir.OpSliceArr, ir.OpArrayPtr, ir.OpAppend, ir.OpCap, ir.OpCopy, ir.OpClear:
		return m.sliceOp(t, in, regs)
	case ir.OpCast:
		return m.cast(t, in, regs)
	case ir.OpAddress:
		regs[in.Dst] = m.addressNumber(state.Operand(regs, m.img.Prog.Consts, in.A))
		return ctlNext
	case ir.OpMakeMap, ir.OpMapGet, ir.OpMapSet, ir.OpMapDel, ir.OpMapClear, ir.OpMapLen, ir.OpMapRange, ir.OpMapNext:
		return m.mapOp(t, in, regs)
	case ir.OpMakeChan, ir.OpSend, ir.OpRecv, ir.OpClose, ir.OpChanLen, ir.OpChanCap, ir.OpSelect:
		return m.chanOp(t, in, regs)
	case ir.OpMakeIface:
		m.makeIface(in, regs)
		return ctlNext
	case ir.OpAssert:
		return m.assert(t, in, regs)
	case ir.OpMakeClosure:
		return m.makeClosure(in, regs)
	case ir.OpCall:
		return m.call(t, in, regs)
	case ir.OpGo:
		return m.spawn(t, in, regs)
	case ir.OpDefer:
		return m.deferCall(t, in, regs)
	case ir.OpDeferList:
		regs[in.Dst] = m.deferList(t)
		return ctlNext
	case ir.OpRunDefers:
		return m.runDefers(t)
	case ir.OpPanic:
		return m.panicOp(t, in, regs)
	case ir.OpRecover:
		m.recoverOp(t, in, regs)
		return ctlNext
	case ir.OpReturn:
		return m.returnOp(t, in, regs)
	case ir.OpPrint:
		return m.printOp(t, in, regs)
	case ir.OpGhost:
		return m.ghost(t, in)
	case ir.OpAnnounce:
		return m.announce(t, in, regs)
	case ir.OpSlots, ir.OpSlotsOf, ir.OpThreads:
		return m.slots(t, in, regs)
	}
	panic("vm: no meaning for " + in.Op.String())
}

// arith computes an arithmetic instruction in any format; false means a division
// by zero.
func (m *Machine) arith(in *ir.Instr, regs []uint64) bool {
	if in.Num == ir.C64 || in.Num == ir.C128 {
		m.complexArith(in, regs)
		return true
	}
	consts := m.img.Prog.Consts
	var b uint64
	if in.B != ir.NoReg && in.Op != ir.OpNeg && in.Op != ir.OpCompl {
		b = state.Operand(regs, consts, in.B)
	}
	x, ok := number.Arith(in.Op, in.Num, state.Operand(regs, consts, in.A), b)
	regs[in.Dst] = x
	return ok
}

// number reads an operand of a float or complex format.
func (m *Machine) number(num ir.Num, regs []uint64, r ir.Reg) complex128 {
	return number.Complex(num, state.Operands(regs, m.img.Prog.Consts, r, number.Words(num)))
}

func (m *Machine) complexArith(in *ir.Instr, regs []uint64) {
	var b complex128
	if in.Op != ir.OpNeg {
		b = m.number(in.Num, regs, in.B)
	}
	number.SetComplex(in.Num, regs[in.Dst:], number.ComplexArith(in.Op, in.Num, m.number(in.Num, regs, in.A), b))
}

// floatEq compares floats or complex numbers, of which a NaN is equal to nothing.
func (m *Machine) floatEq(in *ir.Instr, regs []uint64) bool {
	return m.number(in.Num, regs, in.A) == m.number(in.Num, regs, in.B)
}

// less decides OpLt and OpLe for floats and strings.
func (m *Machine) less(in *ir.Instr, a, b uint64) bool {
	orEqual := in.Op == ir.OpLe
	if in.Num == ir.Str {
		x, y := m.Text(a), m.Text(b)
		return x < y || orEqual && x == y
	}
	return number.Less(in.Num, a, b, orEqual)
}

func (m *Machine) convert(in *ir.Instr, regs []uint64) {
	w := state.Operands(regs, m.img.Prog.Consts, in.A, number.Words(in.Num))
	if !number.Fits(in.Num, ir.Num(in.N), w) {
		m.img.Prog.Notes.Add(conversionNote)
	}
	number.Convert(in.Num, ir.Num(in.N), w, regs[in.Dst:])
}

func (m *Machine) shift(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	a, n := state.Operand(regs, consts, in.A), state.Operand(regs, consts, in.B)
	if ir.Num(in.N).Signed() && int64(n) < 0 {
		return m.throwError(t, "negative shift amount")
	}
	regs[in.Dst] = number.Shift(in.Op, in.Num, a, n)
	return ctlNext
}
