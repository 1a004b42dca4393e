// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/types"

	"pangolin/internal/ir"
)

// builder compiles one call of a builtin.
type builder struct {
	*assembler
	dst    ir.Reg
	result types.Type // nil if it has none
	args   []operand
	home   ir.Reg // the home of an append, see home.go
	// deferred is true in a function made for a go or defer statement.
	deferred bool
}

func (w *builder) builtin(name string) {
	switch name {
	case "append", "copy", "clear", "delete", "len", "cap":
		w.collection(name)
	case "min", "max":
		w.extreme(name)
	case "close":
		w.emit(ir.Instr{Op: ir.OpClose, A: w.args[0].reg, T: w.args[0].t})
	case "panic":
		w.emit(ir.Instr{Op: ir.OpPanic, A: w.args[0].reg})
		w.place(w.newLabel(), "unreachable")
	case "recover":
		if w.dst == ir.NoReg {
			w.dst = w.value(w.c.types.of(emptyInterface))
		}
		w.emit(ir.Instr{Op: ir.OpRecover, Ok: w.deferred, Dst: w.dst})
	case "print", "println":
		w.emit(ir.Instr{Op: ir.OpPrint, Ok: name == "println", X: w.list(w.arguments())})
	case "complex":
		w.move(w.dst, w.args[0].reg, 1)
		w.move(w.dst.Word(1), w.args[1].reg, 1)
	case "ssa:deferstack":
		w.emit(ir.Instr{Op: ir.OpDeferList, Dst: w.dst})
	case "ssa:wrapnilchk":
		w.nilCheck()
	default:
		w.unsafe(name)
	}
}

func (w *builder) arguments() []ir.Arg {
	args := make([]ir.Arg, len(w.args))
	for i, a := range w.args {
		args[i] = ir.Arg{Reg: a.reg, Type: a.t}
	}
	return args
}

func (w *builder) collection(name string) {
	a := w.args[0]
	switch name {
	case "append":
		w.appendTo(a)
	case "copy":
		w.ensureDst(ir.Scalar)
		w.emit(ir.Instr{Op: ir.OpCopy, Dst: w.dst, A: a.reg, B: w.args[1].reg, T: a.t.Elem, Ok: w.args[1].t.Class == ir.StringClass})
	case "clear":
		if a.t.Class == ir.Map {
			w.emit(ir.Instr{Op: ir.OpMapClear, A: a.reg, T: a.t})
		} else {
			w.emit(ir.Instr{Op: ir.OpClear, A: a.reg, T: a.t.Elem})
		}
	case "delete":
		w.emit(ir.Instr{Op: ir.OpMapDel, A: a.reg, B: w.args[1].reg, T: a.t})
	default:
		w.length(name, a)
	}
}

func (w *builder) appendTo(a operand) {
	if len(w.args) == 1 {
		w.move(w.dst, a.reg, ir.SliceWords)
		return
	}
	w.emit(ir.Instr{Op: ir.OpAppend, Dst: w.dst, A: a.reg, B: w.args[1].reg, C: w.home, N: w.c.open(a.typ), T: a.t.Elem, Ok: w.args[1].t.Class == ir.StringClass})
}

// ensureDst gives a builtin registers for a result that nobody uses.
func (w *builder) ensureDst(kinds ...ir.Kind) {
	if w.dst == ir.NoReg {
		w.dst = w.regs(kinds...)
	}
}

func (w *builder) length(name string, a operand) {
	switch a.t.Class {
	case ir.StringClass:
		w.emit(ir.Instr{Op: ir.OpStrLen, Dst: w.dst, A: a.reg})
	case ir.Slice:
		if name == "cap" {
			w.ensureDst(ir.Scalar)
			w.emit(ir.Instr{Op: ir.OpCap, Dst: w.dst, A: a.reg, T: a.t.Elem})
			return
		}
		w.move(w.dst, a.reg.Word(1), 1)
	case ir.Map:
		w.emit(ir.Instr{Op: ir.OpMapLen, Dst: w.dst, A: a.reg, T: a.t})
	case ir.Chan:
		op := ir.OpChanLen
		if name == "cap" {
			op = ir.OpChanCap
		}
		w.emit(ir.Instr{Op: op, Dst: w.dst, A: a.reg, T: a.t})
	case ir.PointerClass:
		w.move(w.dst, w.c.consts.int(int64(a.t.Elem.Len)), 1)
	default:
		w.move(w.dst, w.c.consts.int(int64(a.t.Len)), 1)
	}
}

// extreme compiles min and max. For floats it calls the prelude, which treats NaN and signed zeros;
// others are compared.
func (w *builder) extreme(name string) {
	if isFloat(w.args[0].typ) {
		w.extremeFloat(name)
		return
	}
	n := ir.NumOf(w.args[0].t)
	w.move(w.dst, w.args[0].reg, 1)
	less := w.scalar()
	for _, arg := range w.args[1:] {
		x, y := arg.reg, w.dst
		if name == "max" {
			x, y = y, x
		}
		take, next := w.newLabel(), w.newLabel()
		w.emit(ir.Instr{Op: ir.OpLt, Num: n, Dst: less, A: x, B: y})
		w.branch(less, take, next)
		w.place(take, name)
		w.move(w.dst, arg.reg, 1)
		w.jump(next)
		w.place(next, name+".done")
	}
}

func (w *builder) extremeFloat(name string) {
	fn := w.c.ir[w.c.b.models.named(name+"Float")]
	double := w.c.types.of(types.Typ[types.Float64])
	n := ir.NumOf(w.args[0].t)
	acc := w.scalar()
	w.emit(ir.Instr{Op: ir.OpConvert, Num: n, N: int32(ir.F64), Dst: acc, A: w.args[0].reg})
	for _, arg := range w.args[1:] {
		x := w.scalar()
		w.emit(ir.Instr{Op: ir.OpConvert, Num: n, N: int32(ir.F64), Dst: x, A: arg.reg})
		w.call(&ir.Call{Kind: ir.CallStatic, Func: fn, Fn: ir.NoReg, Result: []*ir.Type{double},
			Args: []ir.Arg{{Reg: acc, Type: double}, {Reg: x, Type: double}}}, acc, ir.OpCall)
	}
	w.emit(ir.Instr{Op: ir.OpConvert, Num: ir.F64, N: int32(n), Dst: w.dst, A: acc})
}

// nilCheck compiles the check of a method wrapper that dereferences the receiver, a pointer to a named type. The third
// argument is the method's name, for the message: as the runtime has it from the names of functions.
func (w *builder) nilCheck() {
	method := w.c.out.Strings[w.c.out.Consts[^w.args[2].reg]]
	named := types.Unalias(types.Unalias(w.result).(*types.Pointer).Elem()).(*types.Named)
	typ := named.Obj().Name()
	if named.TypeArgs().Len() > 0 {
		typ += "[...]"
	}
	msg := "value method " + linkPath(named.Obj().Pkg()) + "." + typ + "." + method + " called using nil *" + typ + " pointer"
	fail, pass := w.newLabel(), w.newLabel()
	isNil := w.scalar()
	w.emit(ir.Instr{Op: ir.OpEq, Dst: isNil, A: w.args[0].reg, B: w.c.consts.word(0, ir.Pointer)})
	w.branch(isNil, fail, pass)
	w.place(fail, "nil receiver")
	value := w.value(w.c.types.of(emptyInterface))
	w.emit(ir.Instr{Op: ir.OpMakeIface, Dst: value, A: w.c.consts.str(msg), T: w.c.types.of(w.c.b.models.typeNamed("plainError"))})
	w.emit(ir.Instr{Op: ir.OpPanic, A: value})
	w.place(pass, "receiver")
	w.move(w.dst, w.args[0].reg, 1)
}

// users is 1 in the user's code and 0 in that of the library, for instructions that differ in this.
func (a *assembler) users() int32 {
	if a.f.Library() {
		return 0
	}
	return 1
}

// unsafe compiles the functions of package unsafe. The data of a string is a copy, which nobody may
// write. A string made of memory is a copy as well; the machine notices if the memory is written
// later (vm/state/lent.go).
func (w *builder) unsafe(name string) {
	switch name {
	case "SliceData":
		w.emit(ir.Instr{Op: ir.OpMove, Dst: w.dst, A: w.args[0].reg, N: 1, Ok: true})
	case "String":
		bytes := w.regs(ir.Pointer, ir.Scalar, ir.Scalar)
		w.move(bytes, w.args[0].reg, 1)
		w.move(bytes.Word(1), w.args[1].reg, 1)
		w.move(bytes.Word(2), w.args[1].reg, 1)
		w.emit(ir.Instr{Op: ir.OpBytesToStr, Dst: w.dst, A: bytes, N: w.users()})
	case "StringData":
		bytes := w.regs(ir.Pointer, ir.Scalar, ir.Scalar)
		w.emit(ir.Instr{Op: ir.OpStrToBytes, Dst: bytes, A: w.args[0].reg, X: w.users(), T: w.c.types.of(types.NewSlice(types.Typ[types.Byte]))})
		w.move(w.dst, bytes, 1)
	case "Slice", "Add":
		w.unsafeCall("unsafe." + name)
	case "Sizeof": // of a type parameter; of other types it is a constant
		size := sizes.Sizeof(w.args[0].typ)
		w.move(w.dst, w.c.consts.word(uint64(size), ir.Scalar), 1)
	default:
		words := 0
		if w.result != nil {
			words = w.c.types.of(w.result).Size
		}
		w.noMeaning("unsafe."+name+" (pointer arithmetic)", w.dst, words)
	}
}

// unsafeCall calls an External function of the machine, which knows the layout of memory.
func (w *builder) unsafeCall(name string) {
	results := []*ir.Type{w.c.types.of(w.result)}
	params := []*ir.Type{w.args[0].t, w.args[1].t}
	fn := w.c.external(name, params, results)
	w.call(&ir.Call{Kind: ir.CallStatic, Func: fn, Fn: ir.NoReg, Args: w.arguments(), Result: results}, w.dst, ir.OpCall)
}
