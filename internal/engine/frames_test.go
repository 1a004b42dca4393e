// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"slices"
	"testing"

	"pangolin/internal/ir"
)

// twoFunctions has caller(x), which does r2 = callee(x, x), and returns r2 + x; and callee(a, b), which returns b.
func twoFunctions() (p *ir.Program, caller, callee *ir.Func) {
	word := &ir.Type{Name: "int", Size: 1}
	callee = &ir.Func{ID: 1, Name: "callee", NumRegs: 3, Code: []ir.Instr{{Op: ir.OpReturn, X: 0, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg}}, Pos: make([]ir.Pos, 1), Blocks: []ir.Block{{Start: 0, End: 1}}}
	caller = &ir.Func{ID: 0, Name: "caller", NumRegs: 4, Code: []ir.Instr{
		{Op: ir.OpCall, X: 0, Dst: 2, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg},
		{Op: ir.OpAdd, Dst: 3, A: 2, B: 0, C: ir.NoReg, Num: ir.I64},
		{Op: ir.OpReturn, X: 1, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, C: ir.NoReg},
	}, Pos: make([]ir.Pos, 3), Blocks: []ir.Block{{Start: 0, End: 3}}}
	return &ir.Program{
		Funcs: []*ir.Func{caller, callee},
		Calls: []*ir.Call{{Kind: ir.CallStatic, Func: callee, Result: []*ir.Type{word}, Args: []ir.Arg{{Reg: 0, Type: word}, {Reg: 0, Type: word}}}},
		Lists: [][]ir.Arg{{{Reg: 1, Type: word}}, {{Reg: 3, Type: word}}},
	}, caller, callee
}

func register(f *Frame[string], r ir.Reg) string { return f.Regs[r] }

func TestFrames_EntersACallAndLeavesItWithItsResults(t *testing.T) {
	p, caller, callee := twoFunctions()
	s := NewFrames(caller, "x")
	s[0].Regs[1] = "never read"
	s.Enter(p.Calls[0], register)
	if f := s.Top(); f.Fn != callee || !slices.Equal(f.Regs, []string{"x", "x", ""}) || s[0].PC != 0 {
		t.Fatalf("in the call: %v", s)
	}
	s.Leave(s.Results(p.Lists[0], register))
	if f := s.Top(); len(s) != 1 || f.PC != 1 || !slices.Equal(f.Regs, []string{"x", "never read", "x", ""}) {
		t.Fatalf("behind the call: %v", s)
	}
}

// While its callee is executed, a caller keeps what it reads afterwards: the argument, not the result that it is going to get.
func TestFrames_KeepsOfAStoppedThreadWhatIsReadLater(t *testing.T) {
	p, caller, _ := twoFunctions()
	l := NewLive(p)
	s := NewFrames(caller, "x", "never read", "old")
	s.Enter(p.Calls[0], register)
	stopped := s.Stop(l)
	if !slices.Equal(stopped[0].Regs, []string{"x"}) || !slices.Equal(stopped[1].Regs, []string{"x"}) {
		t.Fatalf("stopped: %v", stopped)
	}
	again := stopped.Go(l)
	if !slices.Equal(again[0].Regs, []string{"x", "", "", ""}) || !slices.Equal(again[1].Regs, []string{"", "x", ""}) {
		t.Fatalf("going on: %v", again)
	}
	again[0].Regs[0] = "changed"
	if s[0].Regs[0] != "x" || stopped[0].Regs[0] != "x" {
		t.Error("stacks share registers")
	}
}

func TestFrames_CloneSharesNoRegisters(t *testing.T) {
	_, caller, _ := twoFunctions()
	s := NewFrames(caller, "x")
	c := s.Clone()
	c[0].Regs[0], c[0].PC = "y", 1
	if s[0].Regs[0] != "x" || s[0].PC != 0 {
		t.Errorf("it is %v", s)
	}
}

func TestIsOrdered_TellsWhereMinusOneIsAGreatNumber(t *testing.T) {
	for n, want := range map[ir.Num]bool{ir.I64: true, ir.U64: false, ir.F64: false, ir.Word: true, ir.I8: true} {
		if IsOrdered(n, -1, 1) != want {
			t.Errorf("format %d: %v", n, !want)
		}
	}
	if IsOrdered(ir.F64, 1, 2) || !IsOrdered(ir.U64, 1, 2) {
		t.Error("1 and 2 are in order as numbers without a sign, and not as floats")
	}
}
