// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"pangolin/internal/ir"
)

// label is a place in the code of a function that is being assembled. Until
// finish, the targets of jumps are labels.
type label int32

// assembler writes the code of one function.
type assembler struct {
	c      *compiler
	f      *ir.Func
	at     ir.Pos // position of the instructions that are emitted next
	labels []int32
}

func newAssembler(c *compiler, f *ir.Func) *assembler {
	return &assembler{c: c, f: f, at: f.Declared}
}

func (a *assembler) emit(in ir.Instr) {
	if len(a.f.Blocks) == 0 {
		a.f.Blocks = append(a.f.Blocks, ir.Block{Comment: "entry"})
	}
	a.f.Code = append(a.f.Code, in)
	a.f.Pos = append(a.f.Pos, a.at)
}

// regs makes registers of the given kinds and returns the first.
func (a *assembler) regs(kinds ...ir.Kind) ir.Reg {
	if len(kinds) == 0 {
		return ir.NoReg
	}
	r := ir.Reg(a.f.NumRegs)
	a.f.Kinds = append(a.f.Kinds, kinds...)
	a.f.NumRegs += len(kinds)
	return r
}

// value makes registers for a value of type t.
func (a *assembler) value(t *ir.Type) ir.Reg { return a.regs(t.Layout()...) }

// scalar makes a register for a number.
func (a *assembler) scalar() ir.Reg { return a.regs(ir.Scalar) }

func (a *assembler) newLabel() label {
	a.labels = append(a.labels, -1)
	return label(len(a.labels) - 1)
}

// place begins a block here. The block before it has ended with a terminator.
func (a *assembler) place(l label, comment string) {
	start := len(a.f.Code)
	a.labels[l] = int32(start)
	if n := len(a.f.Blocks); n > 0 {
		a.f.Blocks[n-1].End = start
	}
	a.f.Blocks = append(a.f.Blocks, ir.Block{Start: start, Comment: comment})
}

func (a *assembler) jump(l label) { a.emit(ir.Instr{Op: ir.OpJump, N: int32(l)}) }

func (a *assembler) branch(cond ir.Reg, yes, no label) {
	a.emit(ir.Instr{Op: ir.OpIf, A: cond, N: int32(yes), X: int32(no)})
}

// move copies n words from register src to register dst; it emits nothing if the two are the same.
func (a *assembler) move(dst, src ir.Reg, n int) {
	if n > 0 && dst != src {
		a.emit(ir.Instr{Op: ir.OpMove, Dst: dst, A: src, N: int32(n)})
	}
}

func (a *assembler) list(args []ir.Arg) int32 {
	a.c.out.Lists = append(a.c.out.Lists, args)
	return int32(len(a.c.out.Lists) - 1)
}

// unsupported emits an instruction that ends the execution with a message.
func (a *assembler) unsupported(msg string) {
	a.c.out.Messages = append(a.c.out.Messages, msg)
	a.emit(ir.Instr{Op: ir.OpUnsupported, X: int32(len(a.c.out.Messages) - 1)})
}

// call registers a call and emits op (OpCall, OpGo or OpDefer) for it.
func (a *assembler) call(call *ir.Call, dst ir.Reg, op ir.Op) {
	a.emit(ir.Instr{Op: op, Dst: dst, A: ir.NoReg, X: a.register(call, op)})
}

// register adds a call to the function's list and returns its index there.
func (a *assembler) register(call *ir.Call, op ir.Op) int32 {
	call.ID = len(a.c.out.Calls)
	a.c.out.Calls = append(a.c.out.Calls, call)
	if op == ir.OpDefer {
		call.Record = a.deferRecord(call)
	}
	return int32(call.ID)
}

// deferRecord is the type of the record in which a deferred call is kept: the callee, its
// arguments, and a pointer to the next record.
func (a *assembler) deferRecord(call *ir.Call) *ir.Type {
	table := a.c.types
	fields := []ir.Field{
		{Name: "next", Type: table.deferLink()},
		{Name: "call", Type: table.of(intType)},
	}
	switch call.Kind {
	case ir.CallClosure:
		fields = append(fields, ir.Field{Name: "fn", Type: table.of(funcType)})
	case ir.CallMethod:
		fields = append(fields, ir.Field{Name: "fn", Type: table.of(emptyInterface)})
	}
	for _, arg := range call.Args {
		fields = append(fields, ir.Field{Name: "arg", Type: arg.Type})
	}
	return table.record("deferred call", fields)
}

// finish closes the last block and resolves the labels.
func (a *assembler) finish() {
	f := a.f
	f.Blocks[len(f.Blocks)-1].End = len(f.Code)
	for i := range f.Code {
		switch in := &f.Code[i]; in.Op {
		case ir.OpJump:
			in.N = a.labels[in.N]
		case ir.OpIf:
			in.N, in.X = a.labels[in.N], a.labels[in.X]
		}
	}
}
