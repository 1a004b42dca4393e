// SPDX-License-Identifier: BSD-3-Clause

package ir

// Role says how an instruction touches a register.
type Role uint8

const (
	Use    Role = iota // reads it
	Def                // writes it
	Modify             // reads and writes it
)

// Visit is called with each operand of an instruction: n words from r on. It
// is not called for absent operands and values without words.
type Visit func(r Reg, n int, role Role)

// Operands reports the registers that an instruction reads and writes.
func (p *Program) Operands(in *Instr, visit Visit) {
	v := operands{p: p, in: in, visit: visit}
	switch {
	case in.Op <= OpConvert:
		v.scalars()
	case in.Op <= OpStrNext:
		v.strings()
	case in.Op <= OpCast:
		v.memory()
	case in.Op <= OpAtomicOr:
		v.atomics()
	case in.Op <= OpMapNext:
		v.maps()
	case in.Op <= OpSelect:
		v.channels()
	default:
		v.functions()
	}
}

// IfaceWords and SliceWords are the sizes of interface and slice values.
const (
	IfaceWords = 2
	SliceWords = 3
)

type operands struct {
	p     *Program
	in    *Instr
	visit Visit
}

func (v operands) use(r Reg, n int) {
	if r != NoReg && n > 0 {
		v.visit(r, n, Use)
	}
}

func (v operands) def(r Reg, n int) {
	if r != NoReg && n > 0 {
		v.visit(r, n, Def)
	}
}

func (v operands) args(list []Arg) {
	for _, a := range list {
		v.use(a.Reg, a.Type.Size)
	}
}

// oneIf counts the extra word of a comma-ok form.
func oneIf(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

func (v operands) scalars() {
	in := v.in
	switch in.Op {
	case OpNop, OpUnsupported:
	case OpMove:
		v.use(in.A, int(in.N))
		v.def(in.Dst, int(in.N))
	case OpZero:
		v.def(in.Dst, int(in.N))
	case OpEq, OpNe, OpLt, OpLe:
		v.use(in.A, in.Num.Words())
		v.use(in.B, in.Num.Words())
		v.def(in.Dst, 1)
	case OpEqual:
		v.use(in.A, in.T.Size)
		v.use(in.B, in.T.Size)
		v.def(in.Dst, 1)
	case OpShl, OpShr:
		v.use(in.A, 1)
		v.use(in.B, 1)
		v.def(in.Dst, 1)
	case OpNeg, OpCompl, OpNot:
		v.use(in.A, in.Num.Words())
		v.def(in.Dst, in.Num.Words())
	case OpConvert:
		v.use(in.A, in.Num.Words())
		v.def(in.Dst, Num(in.N).Words())
	default:
		v.use(in.A, in.Num.Words())
		v.use(in.B, in.Num.Words())
		v.def(in.Dst, in.Num.Words())
	}
}

func (v operands) strings() {
	in := v.in
	switch in.Op {
	case OpConcat, OpStrIndex:
		v.use(in.A, 1)
		v.use(in.B, 1)
		v.def(in.Dst, 1)
	case OpStrSlice:
		v.use(in.A, 1)
		v.use(in.B, 1)
		v.use(in.C, 1)
		v.def(in.Dst, 1)
	case OpStrToBytes, OpStrToRunes:
		v.use(in.A, 1)
		v.def(in.Dst, SliceWords)
	case OpBytesToStr, OpRunesToStr:
		v.use(in.A, SliceWords)
		v.def(in.Dst, 1)
	case OpStrNext:
		v.use(in.A, 1)
		v.visit(in.A.Word(1), 1, Modify)
		v.def(in.Dst, 3)
	default: // OpStrLen, OpRuneToStr
		v.use(in.A, 1)
		v.def(in.Dst, 1)
	}
}

func (v operands) memory() {
	in := v.in
	switch in.Op {
	case OpNew:
		v.def(in.Dst, 1)
	case OpMakeSlice:
		v.use(in.A, 1)
		v.use(in.B, 1)
		v.def(in.Dst, SliceWords)
	case OpLoad:
		v.use(in.A, 1)
		v.def(in.Dst, in.T.Size)
	case OpStore:
		v.use(in.A, 1)
		v.use(in.B, in.T.Size)
	case OpField, OpAddress, OpCast:
		v.use(in.A, 1)
		v.def(in.Dst, 1)
	case OpElem:
		v.use(in.A, SliceWords)
		v.use(in.B, 1)
		v.def(in.Dst, 1)
	case OpArrayElem:
		v.use(in.A, 1)
		v.use(in.B, 1)
		v.def(in.Dst, 1)
	case OpIndex:
		v.use(in.A, in.T.Size*int(in.N))
		v.use(in.B, 1)
		v.def(in.Dst, in.T.Size)
	default:
		v.slices()
	}
}

func (v operands) slices() {
	in := v.in
	switch in.Op {
	case OpSlice, OpSliceArr:
		n := SliceWords
		if in.Op == OpSliceArr {
			n = 1
		}
		v.use(in.A, n)
		v.use(in.B, 1)
		v.use(in.C, 1)
		v.use(Reg(in.N), 1)
		v.def(in.Dst, SliceWords)
	case OpArrayPtr:
		v.use(in.A, SliceWords)
		v.def(in.Dst, 1)
	case OpAppend, OpCopy:
		n, d := SliceWords, SliceWords
		if in.Ok {
			n = 1
		}
		if in.Op == OpCopy {
			d = 1
		}
		v.use(in.A, SliceWords)
		v.use(in.B, n)
		if in.Op == OpAppend {
			v.use(in.C, 1)
		}
		v.def(in.Dst, d)
	case OpCap:
		v.use(in.A, SliceWords)
		v.def(in.Dst, 1)
	case OpClear:
		v.use(in.A, SliceWords)
	}
}

func (v operands) atomics() {
	in := v.in
	v.use(in.A, 1)
	if in.Op != OpAtomicLoad {
		v.use(in.B, 1)
	}
	if in.Op == OpAtomicCAS {
		v.use(in.C, 1)
	}
	if in.Op != OpAtomicStore {
		v.def(in.Dst, 1)
	}
}

func (v operands) maps() {
	in := v.in
	switch in.Op {
	case OpMakeMap:
		v.def(in.Dst, 1)
	case OpMapGet:
		v.use(in.A, 1)
		v.use(in.B, in.T.Key.Size)
		v.def(in.Dst, in.T.Elem.Size+oneIf(in.Ok))
	case OpMapSet:
		v.use(in.A, 1)
		v.use(in.B, in.T.Key.Size)
		v.use(in.C, in.T.Elem.Size)
	case OpMapDel:
		v.use(in.A, 1)
		v.use(in.B, in.T.Key.Size)
	case OpMapClear:
		v.use(in.A, 1)
	case OpMapLen:
		v.use(in.A, 1)
		v.def(in.Dst, 1)
	case OpMapRange:
		v.use(in.A, 1)
		v.def(in.Dst, 2)
	case OpMapNext:
		v.use(in.A, 2)
		v.def(in.Dst, 1+in.T.Key.Size+in.T.Elem.Size)
	}
}

func (v operands) channels() {
	in := v.in
	switch in.Op {
	case OpSend:
		v.use(in.A, 1)
		v.use(in.B, in.T.Elem.Size)
	case OpRecv:
		v.use(in.A, 1)
		v.def(in.Dst, in.T.Elem.Size+oneIf(in.Ok))
	case OpClose:
		v.use(in.A, 1)
	case OpMakeChan, OpChanLen, OpChanCap:
		v.use(in.A, 1)
		v.def(in.Dst, 1)
	case OpSelect:
		for _, c := range v.p.Selects[in.X].Cases {
			v.use(c.Chan, 1)
			if c.Send {
				v.use(c.Val, c.Elem.Size)
			} else {
				v.def(c.Val, c.Elem.Size)
			}
		}
		v.def(in.Dst, 2)
	}
}

func (v operands) functions() {
	in := v.in
	switch in.Op {
	case OpMakeIface:
		v.use(in.A, in.T.Size)
		v.def(in.Dst, IfaceWords)
	case OpAssert:
		v.use(in.A, IfaceWords)
		v.def(in.Dst, in.T.Size+oneIf(in.Ok))
	case OpMakeClosure:
		v.args(v.p.Lists[in.X])
		v.def(in.Dst, 1)
	case OpCall, OpGo, OpDefer:
		v.call()
	case OpDeferList:
		v.def(in.Dst, 1)
	case OpPanic:
		v.use(in.A, IfaceWords)
	case OpRecover:
		v.def(in.Dst, IfaceWords)
	case OpReturn, OpPrint, OpAnnounce:
		v.args(v.p.Lists[in.X])
	case OpSlots:
		v.use(in.A, 1)
	case OpSlotsOf:
		v.use(in.A, 1)
		v.def(in.Dst, 1)
	case OpThreads:
		v.def(in.Dst, 1)
	case OpIf:
		v.use(in.A, 1)
	}
}

func (v operands) call() {
	c := v.p.Calls[v.in.X]
	v.use(c.Fn, c.FnWords())
	v.args(c.Args)
	switch v.in.Op {
	case OpCall:
		v.def(v.in.Dst, sizeOf(c.Result))
	case OpDefer:
		v.use(v.in.A, 1)
	}
}
