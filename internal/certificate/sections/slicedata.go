// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// A slice that is cut at a constant 0 leads nowhere for these proofs, since no element of it can be reached, and what is appended to it is in memory of its own. Its data can be reached all the same, by
// unsafe.SliceData, which the compiler makes a move of the first word of a slice. So programs whose own code has such a move have no such proofs; this is looked for by the prover and by the checker.

// SliceData is the place of a move of the data of a slice in code that is neither the standard library's nor the harness's; false if there is none.
func SliceData(p *ir.Program) (at ir.Pos, found bool) {
	for _, f := range p.Funcs {
		if f.Library() || f.Harness || f.External {
			continue
		}
		is := slicesIn(p, f)
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.OpMove && in.N == 1 && in.A >= 0 && is[in.A] {
				return f.Pos[pc], true
			}
		}
	}
	return ir.Pos{}, false
}

// slicesIn says of each register of a function whether some instruction makes it the first word of a slice. It takes a register for one where that is not known.
func slicesIn(p *ir.Program, f *ir.Func) []bool {
	is := make([]bool, f.NumRegs)
	typed := func(from ir.Reg, types ...*ir.Type) {
		for _, t := range types {
			for k := range t.Size {
				if from >= 0 && startsSlice(t, k) { // else the result is dropped
					is[int(from)+k] = true
				}
			}
			from += ir.Reg(t.Size)
		}
	}
	typed(0, f.Params...)
	typed(ir.Reg(wordsOf(f.Params)), f.Free...)
	for pc := range f.Code {
		switch in := &f.Code[pc]; in.Op {
		case ir.OpMove, ir.OpZero:
		case ir.OpLoad, ir.OpIndex, ir.OpAssert:
			typed(in.Dst, in.T)
		case ir.OpMapGet:
			typed(in.Dst, in.T.Elem)
		case ir.OpMapNext:
			typed(in.Dst.Word(1), in.T.Key, in.T.Elem)
		case ir.OpCall:
			typed(in.Dst, p.Calls[in.X].Result...)
		default:
			p.Operands(in, func(r ir.Reg, n int, role ir.Role) {
				for k := 0; role != ir.Use && r >= 0 && k+ir.SliceWords <= n; k++ {
					kinds := f.Kinds[int(r)+k:]
					is[int(r)+k] = is[int(r)+k] || kinds[0] == ir.Pointer && kinds[1] == ir.Scalar && kinds[2] == ir.Scalar
				}
			})
		}
	}
	for changed := true; changed; { // copies
		changed = false
		for pc := range f.Code {
			in := &f.Code[pc]
			for k := 0; in.Op == ir.OpMove && in.A >= 0 && k+ir.SliceWords <= int(in.N); k++ {
				if from, to := int(in.A)+k, int(in.Dst)+k; is[from] && !is[to] {
					is[to], changed = true, true
				}
			}
		}
	}
	return is
}

// startsSlice reports whether word k of a value of a type is the first one of a slice.
func startsSlice(t *ir.Type, k int) bool {
	for {
		switch t.Class {
		case ir.Slice:
			return k == 0
		case ir.Array:
			if t.Elem.Size == 0 {
				return false
			}
			t, k = t.Elem, k%t.Elem.Size
		case ir.Struct, ir.Record:
			f := t.FieldAt(k)
			if f == nil {
				return false
			}
			t, k = f.Type, k-f.Offset
		default:
			return false
		}
	}
}

// wordsOf is the size of values of some types together.
func wordsOf(types []*ir.Type) (n int) {
	for _, t := range types {
		n += t.Size
	}
	return n
}
