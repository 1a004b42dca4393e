// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// atomic is a function or method of sync/atomic that is one instruction.
type atomic struct {
	op  ir.Op
	num ir.Num
}

// atomicPrefixes are the operations of sync/atomic; longer prefixes first.
var atomicPrefixes = []struct {
	name string
	op   ir.Op
}{
	{"CompareAndSwap", ir.OpAtomicCAS}, {"Load", ir.OpAtomicLoad}, {"Store", ir.OpAtomicStore},
	{"Swap", ir.OpAtomicSwap}, {"Add", ir.OpAtomicAdd}, {"And", ir.OpAtomicAnd}, {"Or", ir.OpAtomicOr},
}

// atomicNums are the number formats of the types of sync/atomic.
var atomicNums = map[string]ir.Num{
	"Int32": ir.I32, "Int64": ir.I64, "Uint32": ir.U32, "Uint64": ir.U64, "Uintptr": ir.U64,
	"Bool": ir.Word, "Pointer": ir.Word,
}

// atomicOf recognises a function or method that becomes an atomic
// instruction; nil if fn is none. Methods of atomic.Value are none.
func atomicOf(fn *ssa.Function) *atomic {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "from type information") {
		return nil
	}
	if obj.Pkg() == nil || obj.Pkg().Path() != "sync/atomic" {
		return nil
	}
	for _, p := range atomicPrefixes {
		rest, ok := strings.CutPrefix(obj.Name(), p.name)
		if !ok {
			continue
		}
		if recv := obj.Signature().Recv(); recv != nil {
			rest += receiverName(recv.Type())
		}
		if num, ok := atomicNums[rest]; ok {
			return &atomic{op: p.op, num: num}
		}
	}
	return nil
}

func receiverName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// atomic emits the instruction. The number is the first word of the types'
// structs, so a pointer to the struct is a pointer to the word.
func (a *assembler) atomic(at *atomic, dst ir.Reg, args []ir.Arg) {
	in := ir.Instr{Op: at.op, Num: at.num, Dst: dst, A: args[0].Reg, B: ir.NoReg, C: ir.NoReg}
	if len(args) > 1 {
		in.B = args[1].Reg
	}
	if len(args) > 2 {
		in.C = args[2].Reg
	}
	if at.op == ir.OpAtomicStore {
		in.Dst = ir.NoReg
	}
	a.emit(in)
}

// atomicFunc makes a function of an atomic instruction, for where it is used
// as a value or deferred.
func (c *compiler) atomicFunc(fn *ssa.Function, at *atomic) *ir.Func {
	full, short := funcNames(fn)
	f := &ir.Func{Short: short, Params: c.params(fn), Results: c.types.tuple(fn.Signature.Results()),
		DeferReg: ir.NoReg, Recover: -1, Declared: c.pos.of(fn.Pos())}
	a := newAssembler(c, f)
	var args []ir.Arg
	for _, t := range f.Params {
		args = append(args, ir.Arg{Reg: a.value(t), Type: t})
	}
	var results []ir.Arg
	dst := ir.NoReg
	for _, t := range f.Results {
		dst = a.value(t)
		results = append(results, ir.Arg{Reg: dst, Type: t})
	}
	a.atomic(at, dst, args)
	a.emit(ir.Instr{Op: ir.OpReturn, X: a.list(results)})
	a.finish()
	c.addFunc(f, full)
	return f
}
