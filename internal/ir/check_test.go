// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"strings"
	"testing"
)

// sample is a program with one function, which counts its argument down:
//
//	func count(n int) int { for n > 0 { n-- }; return n }
func sample() *Program {
	integer := &Type{ID: 1, Name: "int", Class: Int, Size: 1}
	text := &Type{ID: 2, Name: "string", Class: StringClass, Size: 1}
	f := &Func{
		Name: "main.count", Short: "count", Params: []*Type{integer}, Results: []*Type{integer},
		DeferReg: NoReg, Recover: -1, NumRegs: 3, Kinds: []Kind{Scalar, Scalar, String},
		Code: []Instr{
			{Op: OpJump, N: 1},
			{Op: OpLt, Num: I64, Dst: 1, A: Const(0), B: 0},
			{Op: OpIf, A: 1, N: 3, X: 5},
			{Op: OpSub, Num: I64, Dst: 0, A: 0, B: Const(1)},
			{Op: OpJump, N: 1},
			{Op: OpReturn, X: 0},
		},
		Blocks: []Block{{0, 1, "entry"}, {1, 3, "for.loop"}, {3, 5, "for.body"}, {5, 6, "for.done"}},
	}
	for line := range f.Code {
		f.Pos = append(f.Pos, Pos{Line: int32(line/2 + 1)})
	}
	return &Program{
		Funcs: []*Func{f}, Types: []*Type{nil, integer, text}, Lists: [][]Arg{{{Reg: 0, Type: integer}}},
		Consts: []uint64{0, 1, 0}, ConstKinds: []Kind{Scalar, Scalar, String}, Strings: []string{""},
		Files: []string{"main.go"}, Messages: []string{"no meaning"},
	}
}

func TestCheck_AcceptsAWellFormedProgram(t *testing.T) {
	if err := sample().Check(); err != nil {
		t.Error(err)
	}
}

func TestCheck_FindsEachFault(t *testing.T) {
	tests := []struct {
		name   string
		damage func(p *Program, f *Func)
		want   string
	}{
		{"register out of range", func(_ *Program, f *Func) { f.Code[3].B = 7 }, "registers 7 to 8 of 3"},
		{"constant out of range", func(_ *Program, f *Func) { f.Code[3].B = Const(9) }, "constants 9 to 10 of 3"},
		{"constant written", func(_ *Program, f *Func) { f.Code[3].Dst = Const(0) }, "writes a constant"},
		{"target inside a block", func(_ *Program, f *Func) { f.Code[4].N = 2 }, "target 2 begins no block"},
		{"other target inside a block", func(_ *Program, f *Func) { f.Code[2].X = 4 }, "target 4 begins no block"},
		{"no terminator", func(_ *Program, f *Func) { f.Code[4] = Instr{Op: OpNop} }, "terminator expected"},
		{"terminator inside", func(_ *Program, f *Func) { f.Code[3] = Instr{Op: OpJump, N: 5} }, "terminator expected"},
		{"blocks with a gap", func(_ *Program, f *Func) { f.Blocks[1].Start = 2 }, "does not follow"},
		{"blocks too short", func(_ *Program, f *Func) { f.Blocks = f.Blocks[:3] }, "blocks cover 5 of 6"},
		{"positions missing", func(_ *Program, f *Func) { f.Pos = f.Pos[1:] }, "6 instructions but 5 positions"},
		{"kinds missing", func(_ *Program, f *Func) { f.Kinds = f.Kinds[1:] }, "3 registers but kinds of 2"},
		{"wrong kind", func(_ *Program, f *Func) { f.Code[3] = Instr{Op: OpMove, Dst: 0, A: Const(2), N: 1} }, "holds kind"},
		{"number of the wrong kind", func(_ *Program, f *Func) { f.Code[1].A = Const(2) }, "holds kind"},
		{"read before written", func(_ *Program, f *Func) { f.Code[1].A = 1 }, "register 1 is read before"},
		{"results missing", func(p *Program, _ *Func) { p.Lists[0] = nil }, "0 results, declared are 1"},
		{"list out of range", func(_ *Program, f *Func) { f.Code[5].X = 4 }, "index 4, table of 1"},
		{"call out of range", func(_ *Program, f *Func) { f.Code[3] = Instr{Op: OpCall} }, "index 0, table of 0"},
		{"message out of range", func(_ *Program, f *Func) { f.Code[3] = Instr{Op: OpUnsupported, X: 1} }, "index 1, table of 1"},
		{"type missing", func(_ *Program, f *Func) { f.Code[3] = Instr{Op: OpLoad, Dst: 0, A: 0} }, "no type"},
		{"invalid operation", func(_ *Program, f *Func) { f.Code[3].Op = numOps }, "invalid operation"},
		{"wrong ID", func(_ *Program, f *Func) { f.ID = 3 }, "has ID 3 but is number 0"},
		{"wrong type ID", func(p *Program, _ *Func) { p.Types[2].ID = 1 }, "has ID 1 but is number 2"},
		{"foreign function called", func(p *Program, f *Func) {
			p.Calls = []*Call{{Kind: CallStatic, Func: &Func{Name: "other"}, Fn: NoReg}}
		}, "is of no function"},
		{"argument missing", func(p *Program, f *Func) {
			p.Calls = []*Call{{Kind: CallStatic, Func: f, Fn: NoReg}}
			f.Code[3] = Instr{Op: OpCall, Dst: NoReg}
		}, "0 arguments for main.count"},
		{"recover inside a block", func(_ *Program, f *Func) { f.Recover = 2 }, "Recover is 2"},
		{"no code", func(_ *Program, f *Func) { f.Code = nil }, "has no code"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sample()
			tt.damage(p, p.Funcs[0])
			err := p.Check()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want something with %q", err, tt.want)
			}
		})
	}
}

func TestPrint_ListsAFunction(t *testing.T) {
	const want = `func main.count(int) (int)
b0: entry
   0  jump @1                                                ; main.go:1
b1: for.loop
   1  r1 = lt.i64 0, r0
   2  if @3 @5 r1                                            ; main.go:2
b2: for.body
   3  r0 = sub.i64 r0, 1
   4  jump @1                                                ; main.go:3
b3: for.done
   5  return r0
`
	var b strings.Builder
	sample().Print(&b)
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestPrint_HasANameForEveryOperation(t *testing.T) {
	for op := range numOps {
		if op.String() == "invalid" {
			t.Errorf("operation %d has no name", op)
		}
	}
	for n := Word; n <= Str; n++ {
		if n.String() == "invalid" {
			t.Errorf("number format %d has no name", n)
		}
	}
}
