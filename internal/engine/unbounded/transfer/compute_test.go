// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"math"
	"math/rand/v2"
	"testing"

	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/internal/test/assembler"
)

// What is computed of words of which something is known must hold for all numbers that they may be. The tests
// choose numbers first, compute with Go's own types, and then forget some of what they know of the operands.

// integers is what operations give in a format of integers: the conversions are Go's.
func integers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](op ir.Op, x, y uint64) uint64 {
	a, b := T(x), T(y)
	switch op {
	case ir.OpAdd:
		return uint64(a + b)
	case ir.OpSub:
		return uint64(a - b)
	case ir.OpMul:
		return uint64(a * b)
	case ir.OpAnd:
		return uint64(a & b)
	case ir.OpOr:
		return uint64(a | b)
	case ir.OpXor:
		return uint64(a ^ b)
	case ir.OpAndNot:
		return uint64(a &^ b)
	case ir.OpNeg:
		return uint64(-a)
	case ir.OpCompl:
		return uint64(^a)
	case ir.OpEq:
		return bit(a == b)
	case ir.OpNe:
		return bit(a != b)
	case ir.OpLt:
		return bit(a < b)
	case ir.OpLe:
		return bit(a <= b)
	}
	panic(op)
}

// floats is what operations give in the format of float64.
func floats(op ir.Op, x, y uint64) uint64 {
	a, b := math.Float64frombits(x), math.Float64frombits(y)
	switch op {
	case ir.OpAdd:
		return math.Float64bits(a + b)
	case ir.OpEq:
		return bit(a == b)
	case ir.OpNe:
		return bit(a != b)
	case ir.OpLt:
		return bit(a < b)
	case ir.OpLe:
		return bit(a <= b)
	}
	panic(op)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// formats are the formats with what operations give in them, and how a number is cut to them.
var formats = map[ir.Num]struct {
	eval func(op ir.Op, x, y uint64) uint64
	cut  func(x uint64) uint64
}{
	ir.I8:  {integers[int8], func(x uint64) uint64 { return uint64(int8(x)) }},
	ir.I16: {integers[int16], func(x uint64) uint64 { return uint64(int16(x)) }},
	ir.I32: {integers[int32], func(x uint64) uint64 { return uint64(int32(x)) }},
	ir.I64: {integers[int64], func(x uint64) uint64 { return x }},
	ir.U8:  {integers[uint8], func(x uint64) uint64 { return uint64(uint8(x)) }},
	ir.U16: {integers[uint16], func(x uint64) uint64 { return uint64(uint16(x)) }},
	ir.U32: {integers[uint32], func(x uint64) uint64 { return uint64(uint32(x)) }},
	ir.U64: {integers[uint64], func(x uint64) uint64 { return x }},
	ir.F64: {floats, func(x uint64) uint64 { return x }},
}

// numbers are near the ends of all formats, and near those of what is counted. -1 is no number as a float64.
var numbers = []uint64{0, 1, 2, 3, 7, 127, 128, 255, 256, 1023, 1024, 1025, 32767, 32768, 65535, 1<<27 - 1, 1 << 27, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1,
	math.Float64bits(1), math.Float64bits(math.NaN()), math.Float64bits(math.Copysign(0, -1))}

// world is what a word of which something is known may be: k is the number that items are compared with.
type world struct {
	k       int64
	ordered bool
}

// classOf is how an item compares with k.
func (w *world) classOf(x int64) shape.Class {
	switch {
	case x == w.k:
		return shape.Equal
	case x < w.k && w.ordered:
		return shape.Below
	}
	return shape.Above
}

// may says whether a word may be a number.
func (w *world) may(a shape.Word, x uint64) bool {
	switch {
	case a.IsTop():
		return true
	case a.IsData():
		return a.Class() == w.classOf(int64(x))
	}
	return a.IsConst() && a.Value() == x
}

// forget is something that is known of a number: nothing, the number itself, or its class.
func (w *world) forget(r *rand.Rand, x uint64, item bool) shape.Word {
	switch {
	case item:
		return shape.Data(w.classOf(int64(x)))
	case r.IntN(5) == 0:
		return shape.Top
	}
	return shape.Const(x) // which is nothing if x is large
}

func TestCompute_HoldsForEveryNumber(t *testing.T) {
	integer := []ir.Op{ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpAndNot, ir.OpNeg, ir.OpCompl, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpConvert}
	float := []ir.Op{ir.OpAdd, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe}
	all := []ir.Num{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F64}
	m := machine(assembler.Parse("func F()\n    return\n"), false)
	r := rand.New(rand.NewPCG(1, 2))
	known, refused := map[ir.Op]int{}, 0
	for range 200_000 {
		num := all[r.IntN(len(all))]
		op := integer[r.IntN(len(integer))]
		if num == ir.F64 {
			op = float[r.IntN(len(float))]
		}
		w := &world{int64(r.IntN(5)), r.IntN(2) == 0}
		m.d.Ordered = w.ordered
		var x [2]uint64
		var a [2]shape.Word
		for i := range x {
			if x[i] = formats[num].cut(numbers[r.IntN(len(numbers))] + uint64(r.IntN(3)) - 1); num == ir.F64 {
				x[i] = numbers[r.IntN(len(numbers))]
			}
			item := (num == ir.I64 || num == ir.U64 || num == ir.U8) && r.IntN(3) == 0
			if item {
				x[i] = uint64(r.IntN(6))
			}
			a[i] = w.forget(r, x[i], item)
		}
		in := &ir.Instr{Op: op, Num: num, Dst: 2, A: 0, B: 1}
		var want uint64
		if op == ir.OpConvert {
			to := all[r.IntN(8)]
			in.N = int32(to)
			want = formats[to].cut(x[0])
		} else {
			want = formats[num].eval(op, x[0], x[1])
		}
		got, ok := m.compute(&frame{regs: a[:]}, in)
		switch {
		case !ok:
			refused++
		case !w.may(got, want):
			t.Fatalf("%s.%s of %d (known as %s) and %d (known as %s), with k = %d: %s, not %d", op, num, x[0], a[0], x[1], a[1], w.k, got, want)
		case !got.IsTop():
			known[op]++
		}
	}
	for _, op := range integer {
		if known[op] < 500 {
			t.Errorf("of %s the result was known %d times only", op, known[op])
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

func TestCompute_KnowsWhatItCan(t *testing.T) {
	below, equal, above, equalJ, otherJ := shape.Data(shape.Below), shape.Data(shape.Equal), shape.Data(shape.Above), shape.Data(shape.EqualJ), shape.Data(shape.OtherJ)
	yes, no, open := shape.Const(1), shape.Nil, shape.Top
	for _, c := range []struct {
		op         ir.Op
		ordered    bool
		a, b, want shape.Word
	}{
		{ir.OpEq, true, equal, equal, yes},
		{ir.OpEq, true, above, above, open}, // two items that differ from k
		{ir.OpEq, true, below, above, no},
		{ir.OpEq, false, equal, above, no},
		{ir.OpNe, false, equal, above, yes},
		{ir.OpEq, false, equalJ, equalJ, yes},
		{ir.OpEq, false, otherJ, otherJ, open},
		{ir.OpEq, false, equal, equalJ, open},        // k may be j
		{ir.OpEq, false, equal, shape.Nil, open},     // k may be 0
		{ir.OpEq, false, shape.Top, equal, open},     //
		{ir.OpLt, true, below, equal, yes},           //
		{ir.OpLt, true, equal, above, yes},           //
		{ir.OpLt, true, above, below, no},            //
		{ir.OpLt, true, equal, equal, no},            //
		{ir.OpLe, true, equal, equal, yes},           //
		{ir.OpLt, true, below, below, open},          //
		{ir.OpLt, false, equal, above, open},         // Above is nothing but different there
		{ir.OpLt, true, equal, shape.Const(5), open}, // nobody knows where k is
		{ir.OpAdd, true, equal, shape.Const(1), open},
		{ir.OpAdd, true, shape.Const(1023), shape.Const(1), shape.Const(1024)},
		{ir.OpAdd, true, shape.Const(1024), shape.Const(1), open}, // counting ends
	} {
		m := machine(assembler.Parse("func F()\n    return\n"), c.ordered)
		got, ok := m.compute(&frame{regs: []shape.Word{c.a, c.b}}, &ir.Instr{Op: c.op, Num: ir.I64, A: 0, B: 1})
		if !ok || got != c.want {
			t.Errorf("%s of %s and %s (ordered: %t): %s, %t, want %s", c.op, c.a, c.b, c.ordered, got, ok, c.want)
		}
	}
}

// The classes of items are about their order as int64: in another format they would say something else.
func TestCompute_RefusesItemsInOtherFormats(t *testing.T) {
	m := machine(assembler.Parse("func F()\n    return\n"), true)
	f := &frame{regs: []shape.Word{shape.Data(shape.Below), shape.Data(shape.Equal)}}
	for _, in := range []ir.Instr{
		{Op: ir.OpLt, Num: ir.U64},                        // -1 is above 1 there
		{Op: ir.OpLe, Num: ir.I32},                        //
		{Op: ir.OpEq, Num: ir.U8},                         // 1 is 257 there
		{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.I32)}, //
		{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.U64)}, //
		{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.F64)}, //
		{Op: ir.OpDiv, Num: ir.I64},
		{Op: ir.OpShl, Num: ir.I64, N: int32(ir.I64)},
	} {
		in.B = 1
		if w, ok := m.compute(f, &in); ok {
			t.Errorf("%s in %s: %s", in.Op, in.Num, w)
		}
	}
}

// Values of several words are equal if all words are: one that differs decides, whatever is not known of others.
func TestCompute_ComparesWordByWord(t *testing.T) {
	p := assembler.Parse("type pair { a int; b int }\nfunc F()\n    return\n")
	in := &ir.Instr{Op: ir.OpEqual, A: 0, B: 2, T: p.Type("pair")}
	one, two := shape.Const(1), shape.Const(2)
	for _, c := range []struct {
		regs []shape.Word
		want shape.Word
	}{
		{[]shape.Word{one, two, one, two}, one},
		{[]shape.Word{one, two, one, one}, shape.Nil},
		{[]shape.Word{shape.Top, two, one, one}, shape.Nil},
		{[]shape.Word{one, two, one, shape.Top}, shape.Top},
		{[]shape.Word{shape.Top, two, one, two}, shape.Top},
	} {
		if got, ok := machine(p, false).compute(&frame{regs: c.regs}, in); !ok || got != c.want {
			t.Errorf("%v: %s, want %s", c.regs, got, c.want)
		}
	}
}
