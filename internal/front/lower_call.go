// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Calls: of functions, closures, interface methods and builtins, at once, by go and by defer.

func (lo *lowerer) dynamic(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.MakeInterface:
		lo.emit(ir.Instr{Op: ir.OpMakeIface, Dst: lo.reg(v), A: lo.reg(v.X), T: lo.typeOf(v.X)})
	case *ssa.TypeAssert:
		in := ir.Instr{Op: ir.OpAssert, Ok: v.CommaOk, Dst: lo.reg(v), A: lo.reg(v.X), N: int32(lo.typeOf(v.X).ID), T: lo.c.types.of(v.AssertedType)}
		if checksReceiver(v) {
			in.X = ir.AssertsReceiver
		}
		lo.emit(in)
	case *ssa.MakeClosure:
		lo.closure(v)
	}
}

// closure makes a closure; a function whose free variables have no words is a
// constant.
func (lo *lowerer) closure(v *ssa.MakeClosure) {
	fn := lo.c.ir[lo.c.resolve(v.Fn.(*ssa.Function))]
	if fn.FreeWords() == 0 {
		lo.move(lo.reg(v), lo.c.consts.word(ir.FuncWord(fn), ir.Code), 1)
		return
	}
	fields := []ir.Field{{Name: "func", Type: lo.typeOf(v)}}
	args := lo.bindings(v)
	for i, arg := range args {
		fields = append(fields, ir.Field{Name: v.Fn.(*ssa.Function).FreeVars[i].Name(), Type: arg.Type})
	}
	record := lo.c.types.record("closure of "+fn.Short, fields)
	lo.emit(ir.Instr{Op: ir.OpMakeClosure, Dst: lo.reg(v), N: int32(fn.ID), X: lo.list(args), T: record})
}

func (lo *lowerer) callInstr(v *ssa.Call) {
	common := &v.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		lo.builtinCall(v, b)
		return
	}
	if fn, ok := common.Value.(*ssa.Function); ok {
		if a := atomicOf(fn); a != nil && lo.c.b.model(fn) == nil {
			lo.atomic(a, lo.reg(v), lo.args(common.Args))
			return
		}
	}
	if lo.ghost(v) {
		return
	}
	if msg, ok := lo.isUnsupported(common); ok {
		lo.unsupported(msg)
		return
	}
	lo.call(lo.callOf(common), lo.reg(v), ir.OpCall)
}

// isUnsupported recognises calls of the prelude's function unsupported, and returns their message.
func (lo *lowerer) isUnsupported(common *ssa.CallCommon) (msg string, ok bool) {
	fn, _ := common.Value.(*ssa.Function)
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg != lo.c.b.models.pkg || fn.Name() != "unsupported" {
		return "", false
	}
	c, ok := common.Args[0].(*ssa.Const)
	if !ok {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// callOf describes a call of a function, closure or interface method.
func (lo *lowerer) callOf(common *ssa.CallCommon) *ir.Call {
	call := &ir.Call{Fn: ir.NoReg, Args: lo.args(common.Args), Result: lo.c.types.tuple(common.Signature().Results())}
	switch fn := common.Value.(type) {
	case *ssa.Function:
		call.Kind, call.Func = ir.CallStatic, lo.c.ir[lo.c.resolve(fn)]
	default:
		call.Kind, call.Fn = ir.CallClosure, lo.reg(common.Value)
		if common.IsInvoke() {
			call.Kind, call.Method = ir.CallMethod, lo.c.types.methodKey(common.Method)
		}
	}
	return call
}

// start compiles go and defer. Builtins are called through a function made for
// the purpose.
func (lo *lowerer) start(common *ssa.CallCommon, op ir.Op, stack ssa.Value) {
	var call *ir.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		call = lo.wrapBuiltin(common, b)
	} else {
		call = lo.callOf(common)
	}
	if op == ir.OpGo && call.Kind == ir.CallStatic && call.Func.Library() && !lo.f.Library() {
		call = lo.wrapLibrary(call)
	}
	list := ir.NoReg
	if stack != nil {
		list = lo.reg(stack)
	}
	lo.emit(ir.Instr{Op: op, Dst: ir.NoReg, A: list, X: lo.register(call, op)})
}

// wrapBuiltin makes a function that does what a builtin does with the
// arguments of one go or defer statement.
func (lo *lowerer) wrapBuiltin(common *ssa.CallCommon, b *ssa.Builtin) *ir.Call {
	f := &ir.Func{Short: b.Name(), DeferReg: ir.NoReg, Recover: -1, Declared: lo.at}
	w := &builder{assembler: newAssembler(lo.c, f), home: ir.NoReg}
	call := &ir.Call{Kind: ir.CallStatic, Func: f, Fn: ir.NoReg, Args: lo.args(common.Args)}
	for i, arg := range call.Args {
		f.Params = append(f.Params, arg.Type)
		w.args = append(w.args, operand{reg: w.value(arg.Type), t: arg.Type, typ: common.Args[i].Type()})
	}
	results := common.Signature().Results()
	if results.Len() > 0 {
		w.dst = w.value(lo.c.types.of(results.At(0).Type()))
	}
	w.deferred = true
	w.builtin(b.Name())
	w.emit(ir.Instr{Op: ir.OpReturn, X: w.list(nil)})
	w.finish()
	lo.c.addFunc(f, "builtin "+b.Name())
	return call
}

// wrapLibrary makes a function that calls a library function with the arguments of a go statement.
// So the goroutine's first call is at the user's statement, and messages about it name that place
// instead of one in the library.
func (lo *lowerer) wrapLibrary(call *ir.Call) *ir.Call {
	f := &ir.Func{Short: call.Func.Short, DeferReg: ir.NoReg, Recover: -1, Declared: lo.at}
	w := newAssembler(lo.c, f)
	inner := &ir.Call{Kind: ir.CallStatic, Func: call.Func, Fn: ir.NoReg, Result: call.Result}
	for _, arg := range call.Args {
		f.Params = append(f.Params, arg.Type)
		inner.Args = append(inner.Args, ir.Arg{Reg: w.value(arg.Type), Type: arg.Type})
	}
	dst := ir.NoReg
	for i, t := range call.Result { // the results are stored one after the other
		if r := w.value(t); i == 0 {
			dst = r
		}
	}
	w.call(inner, dst, ir.OpCall)
	w.emit(ir.Instr{Op: ir.OpReturn, X: w.list(nil)})
	w.finish()
	lo.c.addFunc(f, "go "+call.Func.Name)
	return &ir.Call{Kind: ir.CallStatic, Func: f, Fn: ir.NoReg, Args: call.Args}
}

// aliasBuiltin finds builtins whose result is a word of the argument, such as len of a slice.
func (lo *lowerer) aliasBuiltin(v *ssa.Call) (ir.Reg, bool) {
	b, ok := v.Call.Value.(*ssa.Builtin)
	if !ok || len(v.Call.Args) == 0 {
		return 0, false
	}
	t := lo.typeOf(v.Call.Args[0])
	word := -1
	switch b.Name() {
	case "len":
		if t.Class == ir.Slice {
			word = 1
		}
	case "real":
		word = 0
	case "imag":
		word = 1
	}
	if word < 0 {
		return 0, false
	}
	return lo.reg(v.Call.Args[0]).Word(word), true
}

func (lo *lowerer) builtinCall(v *ssa.Call, b *ssa.Builtin) {
	if _, ok := lo.aliasBuiltin(v); ok {
		return
	}
	w := &builder{assembler: lo.assembler, dst: lo.reg(v), home: lo.home(v)}
	if v.Call.Signature().Results().Len() > 0 {
		w.result = v.Type()
	}
	for _, arg := range v.Call.Args {
		w.args = append(w.args, operand{reg: lo.reg(arg), t: lo.typeOf(arg), typ: arg.Type()})
	}
	w.builtin(b.Name())
}

// operand is an argument of a builtin: its value and type.
type operand struct {
	reg ir.Reg
	t   *ir.Type
	typ types.Type
}
