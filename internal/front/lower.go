// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Lowering, first half: which instructions of a function are compiled, in which order, and which
// registers their values have. The other files lower_*.go each translate one group of SSA
// instructions.

var (
	intType        = types.Typ[types.Int]
	funcType       = types.NewSignatureType(nil, nil, nil, nil, nil, false)
	emptyInterface = types.NewInterfaceType(nil, nil)
)

// lowerer compiles one SSA function.
type lowerer struct {
	*assembler
	fn     *ssa.Function
	values map[ssa.Value]ir.Reg // registers of parameters and instructions' results
	places map[ssa.Value]ir.Reg // registers of variables that live in registers, and of their parts, by address
	blocks map[*ssa.BasicBlock]label
	// compared are loads that are postponed: the comparison that uses them reads part by part.
	compared map[*ssa.UnOp]bool
	live     map[ssa.Instruction]bool // the instructions to compile; nil: all
	// defersElsewhere is true if only closures of range-over-func bodies put calls on the
	// function's defer list.
	defersElsewhere bool
}

// lower compiles fn into f. live is nil but for a package's init function, of which only
// the instructions in live are compiled.
func (c *compiler) lower(fn *ssa.Function, f *ir.Func, live map[ssa.Instruction]bool) {
	lo := &lowerer{assembler: newAssembler(c, f), fn: fn, live: live, values: map[ssa.Value]ir.Reg{},
		places: map[ssa.Value]ir.Reg{}, blocks: map[*ssa.BasicBlock]label{},
		compared: map[*ssa.UnOp]bool{}}
	if lo.tooLarge() {
		lo.finish()
		return
	}
	lo.parameters()
	lo.promote()
	lo.leaveToComparisons()
	lo.coalesce()
	uses, elsewhere := deferList(fn)
	if uses {
		f.DeferReg = lo.regs(ir.Pointer)
	}
	lo.defersElsewhere = elsewhere
	for _, b := range fn.Blocks {
		lo.blocks[b] = lo.newLabel()
	}
	blocks := fn.Blocks
	if live != nil {
		blocks = statementwise(fn)
	}
	for _, b := range blocks {
		lo.block(b)
	}
	lo.finish()
	lo.nameRegisters()
	if fn.Recover != nil {
		f.Recover = int(lo.labels[lo.blocks[fn.Recover]])
	}
}

// tooLarge compiles a function with a value or object that is too large to execute: to an error at
// that place.
func (lo *lowerer) tooLarge() bool {
	for _, p := range lo.fn.Params {
		if t := lo.typeOf(p); t.Size > ir.MaxObject {
			lo.at = lo.c.pos.of(p.Pos())
			return lo.noRoom(t)
		}
	}
	for _, b := range lo.fn.Blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if !ok || lo.live != nil && !lo.live[instr] {
				continue
			}
			if t := lo.sizedBy(v); t != nil && t.Size > ir.MaxObject {
				lo.at = lo.c.pos.of(instr.Pos())
				return lo.noRoom(t)
			}
		}
	}
	return false
}

// mostRead is the size in words up to which a read through a pointer is compiled, although no
// object may be that large.
const mostRead = 4 * ir.MaxObject

// sizedBy is the type whose size an instruction needs: of the object that it makes, or of its
// result; nil if that is no type of the source.
func (lo *lowerer) sizedBy(v ssa.Value) *ir.Type {
	switch v := v.(type) {
	case *ssa.Alloc:
		return lo.pointee(v)
	case *ssa.Range, *ssa.Next, *ssa.Select:
		return nil
	case *ssa.UnOp:
		// The pointer is nil, as no object of that size can have been made, so the read panics. Its
		// result has registers all the same, up to a limit.
		if v.Op == token.MUL && lo.typeOf(v).Size <= mostRead {
			return nil
		}
	}
	if _, tuple := v.Type().(*types.Tuple); tuple {
		return nil
	}
	return lo.typeOf(v)
}

func (lo *lowerer) noRoom(t *ir.Type) bool {
	lo.unsupported(fmt.Sprintf("a value of %d words is too large, at most %d have room", t.Size, ir.MaxObject))
	return true
}

func (lo *lowerer) parameters() {
	for i, p := range lo.fn.Params {
		if i == 0 && lo.c.b.models.dropsReceiver(lo.fn) {
			lo.values[p] = ir.NoReg
			continue
		}
		lo.values[p] = lo.value(lo.typeOf(p))
	}
	for _, v := range lo.fn.FreeVars {
		r := lo.value(lo.c.freeType(v))
		if lo.c.byValue[v] {
			lo.assignPlaces(v, r)
		} else {
			lo.values[v] = r
		}
	}
}

// deferList reports whether the function has a defer list (uses), and whether only closures put
// calls on it (elsewhere).
func deferList(fn *ssa.Function) (uses, elsewhere bool) {
	var own, any, taken bool
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Defer:
				any = true
				own = own || instr.DeferStack == nil
			case *ssa.Call:
				b, ok := instr.Call.Value.(*ssa.Builtin)
				taken = taken || ok && b.Name() == "ssa:deferstack"
			}
		}
	}
	return own || taken, taken && !any
}

func (lo *lowerer) typeOf(v ssa.Value) *ir.Type { return lo.c.types.of(v.Type()) }

func (lo *lowerer) block(b *ssa.BasicBlock) {
	lo.place(lo.blocks[b], b.Comment)
	lo.at = lo.firstPos(b)
	lost := lo.lostRunDefers(b)
	for i, instr := range b.Instrs {
		if i == lost {
			lo.emit(ir.Instr{Op: ir.OpRunDefers})
		}
		if lo.live != nil && !lo.live[instr] {
			continue
		}
		if _, phi := instr.(*ssa.Phi); !phi && instr.Pos().IsValid() { // a phi has the position of its variable
			lo.at = lo.c.pos.of(instr.Pos())
		}
		lo.instruction(instr)
	}
}

// lostRunDefers returns the index of the instruction before which deferred calls run, for a
// function whose calls are deferred by a range-over-func body; -1 for others. The ssa package drops
// RunDefers from functions without a Defer of their own; it was before the loads of the results, or
// before the return.
func (lo *lowerer) lostRunDefers(b *ssa.BasicBlock) int {
	at := len(b.Instrs) - 1
	if _, ok := b.Instrs[at].(*ssa.Return); !ok || !lo.defersElsewhere || b == lo.fn.Recover {
		return -1
	}
	for at > 0 {
		load, ok := b.Instrs[at-1].(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			break
		}
		if _, result := load.X.(*ssa.Alloc); !result {
			break
		}
		at--
	}
	return at
}

// firstPos finds a position for instructions without one at the beginning of a block: the next one
// in the block, or the last of the block before.
func (lo *lowerer) firstPos(b *ssa.BasicBlock) ir.Pos {
	for seen := 0; b != nil && seen < 8; seen++ {
		for _, instr := range b.Instrs {
			if _, phi := instr.(*ssa.Phi); !phi && instr.Pos().IsValid() {
				return lo.c.pos.of(instr.Pos())
			}
		}
		b = b.Idom()
	}
	return lo.f.Declared
}

// reg returns the registers of a value; those of an instruction's result are
// made when they are first asked for.
func (lo *lowerer) reg(v ssa.Value) ir.Reg {
	switch v := v.(type) {
	case *ssa.Const:
		return lo.c.consts.constant(v, lo.typeOf(v))
	case *ssa.Global:
		use := lo.c.globals[lo.c.b.models.global(v)]
		return lo.c.consts.word(ir.GlobalPointer(use.index), ir.Pointer)
	case *ssa.Function:
		return lo.c.consts.word(ir.FuncWord(lo.c.ir[lo.c.resolve(v)]), ir.Code)
	}
	if r, ok := lo.values[v]; ok {
		return r
	}
	r, ok := lo.alias(v)
	if !ok {
		r = lo.regs(lo.layout(v)...)
	}
	lo.values[v] = r
	return r
}

// alias finds the registers of a value among those of an operand, if it is a part of it or has the
// same words. An operand's registers are written again only if the operand is computed again, and
// then v is computed again before it is used.
func (lo *lowerer) alias(v ssa.Value) (ir.Reg, bool) {
	switch v := v.(type) {
	case *ssa.Extract:
		return lo.extract(v), true
	case *ssa.ChangeType:
		return lo.reg(v.X), true
	case *ssa.ChangeInterface:
		return lo.reg(v.X), true
	case *ssa.Field:
		s := lo.typeOf(v.X)
		return lo.part(lo.reg(v.X), s.Fields[v.Field].Offset, s.Fields[v.Field].Type), true
	case *ssa.Convert:
		return lo.aliasConvert(v)
	case *ssa.Call:
		return lo.aliasBuiltin(v)
	}
	return 0, false
}

// part names the registers of a component at an offset.
func (lo *lowerer) part(r ir.Reg, offset int, t *ir.Type) ir.Reg {
	if t.Size == 0 {
		return ir.NoReg
	}
	return r.Word(offset)
}

// layout gives the kinds of the registers of an instruction's result.
func (lo *lowerer) layout(v ssa.Value) []ir.Kind {
	switch v := v.(type) {
	case *ssa.Range:
		if isString(v.X.Type()) {
			return []ir.Kind{ir.String, ir.Scalar}
		}
		return []ir.Kind{ir.Pointer, ir.Pointer}
	case *ssa.Next:
		if v.IsString {
			return []ir.Kind{ir.Scalar, ir.Scalar, ir.Scalar}
		}
		m := lo.rangeType(v)
		return kinds([]ir.Kind{ir.Scalar}, m.Key, m.Elem)
	case *ssa.Select:
		layout := []ir.Kind{ir.Scalar, ir.Scalar}
		for _, st := range v.States {
			if st.Dir == types.RecvOnly {
				layout = kinds(layout, lo.typeOf(st.Chan).Elem)
			}
		}
		return layout
	}
	if tuple, ok := v.Type().(*types.Tuple); ok {
		return kinds(nil, lo.c.types.tuple(tuple)...)
	}
	return lo.typeOf(v).Layout()
}

func kinds(layout []ir.Kind, types ...*ir.Type) []ir.Kind {
	layout = layout[:len(layout):len(layout)]
	for _, t := range types {
		layout = append(layout, t.Layout()...)
	}
	return layout
}

// rangeType is the map type that a Next iterates over.
func (lo *lowerer) rangeType(v *ssa.Next) *ir.Type {
	return lo.typeOf(v.Iter.(*ssa.Range).X)
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// extract names the registers of a component of a tuple.
func (lo *lowerer) extract(v *ssa.Extract) ir.Reg {
	base := lo.reg(v.Tuple)
	var parts []*ir.Type
	switch tuple := v.Tuple.(type) {
	case *ssa.Next:
		if tuple.IsString {
			return base.Word(v.Index)
		}
		m := lo.rangeType(tuple)
		parts = []*ir.Type{lo.c.types.of(types.Typ[types.Bool]), m.Key, m.Elem}
	default:
		parts = lo.c.types.tuple(v.Tuple.Type().(*types.Tuple))
	}
	offset := 0
	for _, t := range parts[:v.Index] {
		offset += t.Size
	}
	return lo.part(base, offset, parts[v.Index])
}

// instruction compiles one SSA instruction.
func (lo *lowerer) instruction(instr ssa.Instruction) {
	if lo.known(instr) {
		return
	}
	if why := cmp.Or(lo.c.b.unsupportedVariable(instr), unsupportedAddress(instr)); why != "" {
		lo.unsupported(why)
	}
	switch instr := instr.(type) {
	case *ssa.Phi, *ssa.Extract, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Field, *ssa.DebugRef:
		// Phis are assigned on the edges; the others are names for registers.
	case *ssa.UnOp:
		lo.unary(instr)
	case *ssa.BinOp:
		lo.binary(instr)
	case *ssa.Convert:
		lo.convert(instr)
	case *ssa.Alloc, *ssa.Store, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.MakeSlice, *ssa.SliceToArrayPointer:
		lo.memory(instr)
	case *ssa.MakeMap, *ssa.MapUpdate, *ssa.Lookup, *ssa.Range, *ssa.Next:
		lo.maps(instr)
	case *ssa.MakeChan, *ssa.Send, *ssa.Select:
		lo.channels(instr)
	case *ssa.MakeInterface, *ssa.TypeAssert, *ssa.MakeClosure:
		lo.dynamic(instr)
	case *ssa.Call:
		lo.callInstr(instr)
	case *ssa.Go:
		lo.start(&instr.Call, ir.OpGo, nil)
	case *ssa.Defer:
		lo.start(&instr.Call, ir.OpDefer, instr.DeferStack)
	case *ssa.RunDefers:
		lo.emit(ir.Instr{Op: ir.OpRunDefers})
	default:
		lo.control(instr)
	}
}

func (lo *lowerer) control(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Jump:
		b := instr.Block()
		lo.edge(b, b.Succs[0])
		lo.jump(lo.blocks[b.Succs[0]])
	case *ssa.If:
		lo.conditional(instr)
	case *ssa.Return:
		lo.emit(ir.Instr{Op: ir.OpReturn, X: lo.list(lo.args(instr.Results))})
	case *ssa.Panic:
		lo.panics(instr)
	default:
		lo.unsupported("SSA instruction " + instr.String())
	}
}

func (lo *lowerer) args(values []ssa.Value) []ir.Arg {
	args := make([]ir.Arg, len(values))
	for i, v := range values {
		args[i] = ir.Arg{Reg: lo.reg(v), Type: lo.typeOf(v)}
	}
	return args
}

// conditional compiles a branch; an edge on which phis are assigned gets a
// block of its own.
func (lo *lowerer) conditional(instr *ssa.If) {
	b := instr.Block()
	cond := lo.reg(instr.Cond)
	var targets [2]label
	var split []int
	for i, succ := range b.Succs {
		targets[i] = lo.blocks[succ]
		if hasPhis(succ) {
			targets[i] = lo.newLabel()
			split = append(split, i)
		}
	}
	lo.branch(cond, targets[0], targets[1])
	for _, i := range split {
		lo.place(targets[i], "edge to "+b.Succs[i].Comment)
		lo.edge(b, b.Succs[i])
		lo.jump(lo.blocks[b.Succs[i]])
	}
}

func hasPhis(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[0].(*ssa.Phi)
	return ok
}

// phiMove is the assignment of one phi: words to copy from src to dst.
type phiMove struct {
	dst, src ir.Reg
	n        int
	t        *ir.Type
}

// edge assigns the phis of succ on the way from b. They are assigned at once: if one would
// overwrite the source of a later one, that source is saved first.
func (lo *lowerer) edge(b, succ *ssa.BasicBlock) {
	copies := lo.phiCopies(b, succ)
	for i := range copies {
		for j := i + 1; j < len(copies); j++ {
			if overlap(copies[i].dst, copies[i].n, copies[j].src, copies[j].n) {
				saved := lo.value(copies[j].t)
				lo.move(saved, copies[j].src, copies[j].n)
				copies[j].src = saved
			}
		}
	}
	for _, c := range copies {
		lo.move(c.dst, c.src, c.n)
	}
}

func (lo *lowerer) phiCopies(b, succ *ssa.BasicBlock) []phiMove {
	var copies []phiMove
	pred := predIndex(b, succ)
	for _, instr := range succ.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if lo.live != nil && !lo.live[phi] {
			continue
		}
		c := lo.phiCopy(phi, phi.Edges[pred])
		if c.n > 0 && c.dst != c.src {
			copies = append(copies, c)
		}
	}
	return copies
}

// phiCopy is the assignment of one phi. A phi of addresses may stand for a variable that is
// captured by value.
func (lo *lowerer) phiCopy(phi *ssa.Phi, edge ssa.Value) phiMove {
	if lo.c.byValue[phi] {
		t := lo.pointee(phi)
		return phiMove{dst: lo.places[phi], src: lo.places[edge], n: t.Size, t: t}
	}
	t := lo.typeOf(phi)
	return phiMove{dst: lo.reg(phi), src: lo.reg(edge), n: t.Size, t: t}
}

func overlap(a ir.Reg, n int, b ir.Reg, m int) bool {
	return a >= 0 && b >= 0 && a < b+ir.Reg(m) && b < a+ir.Reg(n)
}

// zeroed sets n registers to 0.
func (lo *lowerer) zeroed(r ir.Reg, n int) {
	if n > 0 {
		lo.emit(ir.Instr{Op: ir.OpZero, Dst: r, N: int32(n)})
	}
}
