// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"go/types"
	"runtime"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// A comparison of structs or arrays in memory stops at the first difference and does not read on.
// gc compares in the order of the fields, but the contents of strings last
// (cmd/compile/internal/walk/compare.go, cmd/compile/internal/compare), if there are few fields;
// otherwise it calls a function, which is a read of the whole to the race detector. SSA loads both
// operands first. Such a load is left to the comparison here.

// leaveToComparisons finds the loads of whole structs and arrays that nothing but a
// comparison behind them uses.
func (lo *lowerer) leaveToComparisons() {
	for _, b := range lo.fn.Blocks {
		for i, instr := range b.Instrs {
			cmp, ok := instr.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !isComparedInParts(cmp.X.Type()) || lo.typeOf(cmp.X).Size == 0 {
				continue
			}
			stand := lo.c.b.comparisons[cmp.Pos()]
			for j, v := range []ssa.Value{cmp.X, cmp.Y} {
				if load, ok := v.(*ssa.UnOp); ok && stand[j].readsFor(load.X) && lo.isOnlyFor(load, cmp, b.Instrs[:i]) {
					lo.compared[load] = true
				}
			}
		}
	}
}

// isOnlyFor says whether a load may as well happen at the comparison that uses it; ahead are
// the instructions before that.
func (lo *lowerer) isOnlyFor(load *ssa.UnOp, cmp *ssa.BinOp, ahead []ssa.Instruction) bool {
	if _, register := lo.places[load.X]; register || load.Op != token.MUL {
		return false
	}
	for _, ref := range *load.Referrers() {
		if _, debug := ref.(*ssa.DebugRef); !debug && ref != ssa.Instruction(cmp) {
			return false
		}
	}
	for _, instr := range slices.Backward(ahead) {
		if instr == ssa.Instruction(load) {
			return true
		}
		if !lo.leavesMemory(instr) {
			return false
		}
	}
	return false
}

// leavesMemory reports whether an instruction changes registers only and lets no other thread run.
func (lo *lowerer) leavesMemory(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op != token.ARROW
	case *ssa.Store:
		_, register := lo.places[instr.Addr]
		return register
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Extract, *ssa.Alloc, *ssa.BinOp, *ssa.Convert,
		*ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Lookup, *ssa.Phi, *ssa.DebugRef:
		return true
	}
	return false
}

// side is an operand of a comparison, or a part of one: in memory, or in registers.
type side struct {
	address, value ir.Reg
	inMemory       bool
}

func (lo *lowerer) side(v ssa.Value) side {
	if lo.isInMemory(v) {
		return side{address: lo.reg(v.(*ssa.UnOp).X), inMemory: true}
	}
	return side{value: lo.reg(v)}
}

func (lo *lowerer) isInMemory(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && lo.compared[load]
}

// parts compares two values part by part.
type parts struct {
	*lowerer
	differ label // where to go on after a difference
}

// check compares one part. late marks calls of the runtime, which gc makes after the parts that
// need none.
type check struct {
	late bool
	emit func()
}

// inParts compiles a comparison of two structs or arrays of which one is in memory.
func (lo *lowerer) inParts(v *ssa.BinOp) {
	p := parts{lowerer: lo, differ: lo.newLabel()}
	behind := lo.newLabel()
	for _, c := range p.checks(v.X.Type(), lo.side(v.X), lo.side(v.Y)) {
		c.emit()
	}
	equal := int64(1)
	if v.Op == token.NEQ {
		equal = 0
	}
	lo.move(lo.reg(v), lo.c.consts.int(equal), 1)
	lo.jump(behind)
	lo.place(p.differ, "differ")
	lo.move(lo.reg(v), lo.c.consts.int(1-equal), 1)
	lo.jump(behind)
	lo.place(behind, "compared")
}

// checks are the comparisons that one of type t consists of, in order.
func (p *parts) checks(t types.Type, x, y side) []check {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if isComparedInParts(t) {
			return p.fields(t, u, x, y)
		}
	case *types.Array:
		if isComparedInParts(t) {
			return p.elements(t, u, x, y)
		}
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return p.texts(t, x, y)
		}
	}
	return []check{{emit: func() { p.equal(p.c.types.of(t), p.loaded(t, x), p.loaded(t, y)) }}}
}

// fields lists the comparisons of a struct's fields. A field whose comparison may panic stays at
// its place; between two such fields, the contents of strings come last.
func (p *parts) fields(t types.Type, s *types.Struct, x, y side) []check {
	var out, group []check
	flush := func() {
		slices.SortStableFunc(group, func(a, b check) int {
			switch {
			case a.late == b.late:
				return 0
			case b.late:
				return -1
			}
			return 1
		})
		out, group = append(out, group...), nil
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Name() == "_" || p.c.types.of(f.Type()).Size == 0 {
			continue
		}
		list := p.checks(f.Type(), p.field(t, i, x), p.field(t, i, y))
		if !isString(f.Type()) { // compared by itself, with the calls that it needs
			for j := range list {
				list[j].late = false
			}
		}
		if comparisonMayPanic(f.Type()) {
			flush()
		}
		group = append(group, list...)
		if comparisonMayPanic(f.Type()) {
			flush()
		}
	}
	flush()
	return out
}

// elements compares arrays: small integers eight bytes at a time.
func (p *parts) elements(t types.Type, a *types.Array, x, y side) []check {
	together := int64(1)
	size := sizes.Sizeof(a.Elem())
	if b, ok := a.Elem().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 && size <= 4 {
		together = 8 / size
	}
	var out []check
	elem := p.c.types.of(a.Elem())
	for i := int64(0); i < a.Len(); i += together {
		for together > a.Len()-i {
			together /= 2
		}
		if together == 1 {
			out = append(out, p.checks(a.Elem(), p.element(t, i, x), p.element(t, i, y))...)
			continue
		}
		from, to := i, i+together
		out = append(out, check{emit: func() {
			xs, ys := p.several(t, from, to, x), p.several(t, from, to, y)
			for j := range xs {
				p.equal(elem, xs[j], ys[j])
			}
		}})
	}
	return out
}

// several reads the elements of an array with indices from from to to-1.
func (p *parts) several(t types.Type, from, to int64, s side) []ir.Reg {
	var out []ir.Reg
	for i := from; i < to; i++ {
		out = append(out, p.loaded(t.Underlying().(*types.Array).Elem(), p.element(t, i, s)))
	}
	return out
}

// texts compares strings: their lengths first.
func (p *parts) texts(t types.Type, x, y side) []check {
	var a, b ir.Reg
	lengths := func() {
		a, b = p.loaded(t, x), p.loaded(t, y)
		n, m := p.scalar(), p.scalar()
		p.emit(ir.Instr{Op: ir.OpStrLen, Dst: n, A: a})
		p.emit(ir.Instr{Op: ir.OpStrLen, Dst: m, A: b})
		p.equal(p.c.types.of(intType), n, m)
	}
	return []check{{emit: lengths}, {late: true, emit: func() { p.equal(p.c.types.of(t), a, b) }}}
}

// equal goes on only if two values are equal, else to differ.
func (p *parts) equal(t *ir.Type, x, y ir.Reg) {
	eq, same := p.scalar(), p.newLabel()
	p.compare(eq, t, x, y)
	p.branch(eq, same, p.differ)
	p.place(same, "equal so far")
}

// loaded returns the registers of a value, which is read now if it is in memory.
func (p *parts) loaded(t types.Type, s side) ir.Reg {
	if !s.inMemory {
		return s.value
	}
	typ := p.c.types.of(t)
	r := p.value(typ)
	p.emit(ir.Instr{Op: ir.OpLoad, Dst: r, A: s.address, T: typ})
	return r
}

func (p *parts) field(t types.Type, i int, s side) side {
	typ := p.c.types.of(t)
	f := typ.Fields[i]
	if !s.inMemory {
		return side{value: p.part(s.value, f.Offset, f.Type)}
	}
	r := p.regs(ir.Pointer)
	p.emit(ir.Instr{Op: ir.OpField, Dst: r, A: s.address, N: int32(f.Offset), X: int32(i), T: typ})
	return side{address: r, inMemory: true}
}

func (p *parts) element(t types.Type, i int64, s side) side {
	typ := p.c.types.of(t)
	if !s.inMemory {
		return side{value: p.part(s.value, int(i)*typ.Elem.Size, typ.Elem)}
	}
	r := p.regs(ir.Pointer)
	p.emit(ir.Instr{Op: ir.OpArrayElem, Dst: r, A: s.address, B: p.c.consts.int(i), N: int32(typ.Len), T: typ.Elem})
	return side{address: r, inMemory: true}
}

var sizes = types.SizesFor("gc", runtime.GOARCH)

// isComparedInParts says whether gc compares values of type t, a struct or an array, where
// they stand, rather than by calling a function.
func isComparedInParts(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return registers(t, u) <= 4
	case *types.Array:
		if u.Len() <= 1 {
			return true
		}
		return isSimple(u.Elem()) && (u.Len() <= 4 || sizes.Sizeof(t) <= 16)
	}
	return false
}

// registers counts the registers that gc needs for the fields of a struct: neighbouring plain
// fields are read together.
func registers(t types.Type, s *types.Struct) int64 {
	fields := make([]*types.Var, s.NumFields())
	for i := range fields {
		fields[i] = s.Field(i)
	}
	offsets := sizes.Offsetsof(fields)
	end := func(i int) int64 { return offsets[i] + sizes.Sizeof(fields[i].Type()) }
	isPadded := func(i int) bool {
		if i+1 < len(fields) {
			return end(i) != offsets[i+1]
		}
		return end(i) != sizes.Sizeof(t)
	}
	n := int64(0)
	for i := 0; i < len(fields); {
		if fields[i].Name() == "_" {
			i++
			continue
		}
		start := offsets[i]
		for i++; i < len(fields) && !isPadded(i-1) && fields[i].Name() != "_" && isPlain(fields[i].Type()); i++ {
		}
		n += (end(i-1) - start + 7) / 8
	}
	return n
}

// isPlain says whether values of type t are equal iff their bytes are.
func isPlain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsFloat|types.IsComplex) == 0
	case *types.Interface:
		return false
	case *types.Array:
		return u.Len() == 0 || isPlain(u.Elem())
	case *types.Struct:
		end := int64(0)
		for i := range u.NumFields() {
			f := u.Field(i)
			if f.Name() == "_" || !isPlain(f.Type()) {
				return false
			}
			end += sizes.Sizeof(f.Type())
		}
		return end == sizes.Sizeof(t)
	}
	return true
}

// isSimple says whether t is a type of numbers or truth values.
func isSimple(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// comparisonMayPanic reports whether comparing values of a type may panic: an interface may hold a
// value that cannot be compared.
func comparisonMayPanic(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return comparisonMayPanic(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() != "_" && comparisonMayPanic(f.Type()) {
				return true
			}
		}
	}
	return false
}
