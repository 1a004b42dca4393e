// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/constant"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// constPool gives constant words registers, equal runs of words the same ones.
type constPool struct {
	out     *ir.Program
	runs    map[string]ir.Reg
	strings map[string]uint64
}

func newConstPool(out *ir.Program) *constPool {
	out.Strings = []string{""}
	return &constPool{out: out, runs: map[string]ir.Reg{}, strings: map[string]uint64{"": 0}}
}

// run returns the register of consecutive constant words.
func (p *constPool) run(words []uint64, kinds []ir.Kind) ir.Reg {
	if len(words) == 0 {
		return ir.NoReg
	}
	var key strings.Builder
	for i, w := range words {
		key.WriteByte(byte(kinds[i]))
		for s := 0; s < 64; s += 8 {
			key.WriteByte(byte(w >> s))
		}
	}
	if r, ok := p.runs[key.String()]; ok {
		return r
	}
	r := ir.Const(len(p.out.Consts))
	p.runs[key.String()] = r
	p.out.Consts = append(p.out.Consts, words...)
	p.out.ConstKinds = append(p.out.ConstKinds, kinds...)
	return r
}

func (p *constPool) word(w uint64, k ir.Kind) ir.Reg { return p.run([]uint64{w}, []ir.Kind{k}) }

func (p *constPool) int(i int64) ir.Reg { return p.word(uint64(i), ir.Scalar) }

// zero returns the zero value of a type.
func (p *constPool) zero(t *ir.Type) ir.Reg { return p.run(make([]uint64, t.Size), t.Layout()) }

func (p *constPool) str(s string) ir.Reg { return p.word(p.stringIndex(s), ir.String) }

func (p *constPool) stringIndex(s string) uint64 {
	i, ok := p.strings[s]
	if !ok {
		i = uint64(len(p.out.Strings))
		p.strings[s] = i
		p.out.Strings = append(p.out.Strings, s)
	}
	return i
}

// constant returns the register of an SSA constant of type t.
func (p *constPool) constant(c *ssa.Const, t *ir.Type) ir.Reg {
	if c.Value == nil {
		return p.zero(t)
	}
	switch t.Class {
	case ir.Interface: // an untyped constant never has an interface type
		return p.zero(t)
	case ir.Bool:
		if constant.BoolVal(c.Value) {
			return p.int(1)
		}
		return p.int(0)
	case ir.StringClass:
		return p.str(constant.StringVal(c.Value))
	case ir.Float32, ir.Float64:
		return p.word(floatBits(constant.ToFloat(c.Value), t.Class == ir.Float32), ir.Scalar)
	case ir.Complex64, ir.Complex128:
		v, single := constant.ToComplex(c.Value), t.Class == ir.Complex64
		words := []uint64{floatBits(constant.Real(v), single), floatBits(constant.Imag(v), single)}
		return p.run(words, []ir.Kind{ir.Scalar, ir.Scalar})
	}
	return p.word(intWord(c.Value, ir.NumOf(t)), t.Layout()[0])
}

func floatBits(v constant.Value, single bool) uint64 {
	if single {
		f, _ := constant.Float32Val(v)
		return uint64(math.Float32bits(f))
	}
	f, _ := constant.Float64Val(v)
	return math.Float64bits(f)
}

func intWord(v constant.Value, n ir.Num) uint64 {
	v = constant.ToInt(v)
	if i, ok := constant.Int64Val(v); ok {
		return n.Wrap(uint64(i))
	}
	u, _ := constant.Uint64Val(v)
	return n.Wrap(u)
}

// isNil says whether an SSA value is a constant nil.
func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil && !isBasic(c.Type()) && !isCompound(c.Type()) // a zero struct has no value either
}

func isBasic(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}
