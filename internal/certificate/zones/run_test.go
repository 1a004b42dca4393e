// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"testing"

	"pangolin/internal/ir"
)

// executing is a thread of the stage at the beginning of some code, with the collection in register 0, a private cell in register 1 and 1 in register 2.
func executing(code ...ir.Instr) (*checker, *thread) {
	c := stage()
	s := scene{op: isPut, a: inWord(0), b: mine(0), c: word{n: 1}, knows: cells([]word{{}})}
	t := s.start(c)
	t.calls[0].fn = &ir.Func{Code: code, Pos: make([]ir.Pos, len(code))}
	return c, t
}

// A step is one access that others can see, and what follows up to before the next one. An access to private cells is none.
func TestExecute_StopsBeforeTheSecondAccess(t *testing.T) {
	finger := ir.Instr{Op: ir.OpAtomicLoad, A: 0, Dst: 5}
	alone := ir.Instr{Op: ir.OpAtomicStore, A: 1, B: 2}
	move := ir.Instr{Op: ir.OpMove, A: 2, Dst: 3, N: 1}
	for i, c := range []struct {
		code     []ir.Instr
		accessed bool
		pc       int
	}{
		{[]ir.Instr{finger, move, finger}, false, 2},
		{[]ir.Instr{finger, move, finger}, true, 0},
		{[]ir.Instr{move, alone, finger, alone, move, finger}, false, 5},
		{[]ir.Instr{move, alone, finger, alone, move, finger}, true, 2},
	} {
		k, th := executing(c.code...)
		if err := k.execute(th, c.accessed); err != nil || th.calls[0].pc != c.pc {
			t.Errorf("%d: it stops at %d (%v)", i, th.calls[0].pc, err)
		}
		if got := len(th.private[0].words); got != 1 {
			t.Errorf("%d: the private cell has %d words", i, got)
		}
	}
}

// What a step may not do.
func TestExecute_Refuses(t *testing.T) {
	finger := ir.Instr{Op: ir.OpAtomicLoad, A: 0, Dst: 5}
	self := &ir.Func{Name: "self", Code: []ir.Instr{{Op: ir.OpCall, Dst: ir.NoReg}}, Pos: make([]ir.Pos, 1)}
	for what, code := range map[string][]ir.Instr{
		"a loop without access":        {{Op: ir.OpJump, N: 0}},
		"no instruction":               {{Op: ir.OpNop}},
		"a register that is not kept":  {{Op: ir.OpMove, A: 9, Dst: 3, N: 1}},
		"a constant that is none":      {{Op: ir.OpMove, A: ir.Const(9), Dst: 3, N: 1}},
		"an operand that is missing":   {{Op: ir.OpMove, A: ir.NoReg, Dst: 3, N: 1}},
		"a package variable":           {{Op: ir.OpMove, A: ir.Const(2), Dst: 3, N: 1}},
		"a panic":                      {{Op: ir.OpPanic}},
		"a multiplication":             {{Op: ir.OpMul, A: 2, B: 2, Dst: 3, Num: ir.I64}},
		"an address that is a branch":  {{Op: ir.OpIf, A: 0, N: 1, X: 1}},
		"a goroutine":                  {{Op: ir.OpGo}},
		"a deferred call":              {{Op: ir.OpDefer, A: ir.NoReg}},
		"an address that is missing":   {{Op: ir.OpAtomicLoad, A: 9, Dst: 3}},
		"an address that is a number":  {{Op: ir.OpAtomicLoad, A: 2, Dst: 3}},
		"a recursion without end":      {{Op: ir.OpCall, X: 0, Dst: ir.NoReg}},
		"a call with what is not kept": {{Op: ir.OpCall, X: 1, Dst: ir.NoReg}},
	} {
		if what != "no instruction" {
			code = append(code, finger, finger) // what is not refused ends in front of the second one
		}
		k, th := executing(code...)
		k.s.Prog.Consts, k.s.Prog.ConstKinds = append(k.s.Prog.Consts, 1<<32), append(k.s.Prog.ConstKinds, ir.Pointer)
		k.s.Prog.Calls = []*ir.Call{{Func: self}, {Func: self, Args: []ir.Arg{{Reg: 9, Type: sized(1)}}}}
		if err := k.executions(func() (*thread, error) { return th, k.execute(th, false) }, func(*thread) error { return nil }); !refuses(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Constants are numbers; those that are large are some number, and nil is 0.
func TestValue_OfConstants(t *testing.T) {
	k, th := executing()
	k.s.Prog.Consts = []uint64{0, 1, 1<<64 - 1, mostNumber, mostNumber + 1, 1 << 63, 1<<64 - mostNumber, 1<<64 - mostNumber - 1, 0}
	k.s.Prog.ConstKinds = []ir.Kind{ir.Scalar, ir.Scalar, ir.Scalar, ir.Scalar, ir.Scalar, ir.Scalar, ir.Scalar, ir.Scalar, ir.Pointer}
	some := word{sort: unknown}
	for i, want := range []word{{}, {n: 1}, {n: -1}, {n: mostNumber}, some, some, {n: -mostNumber}, some, {}} {
		if w, err := k.value(th, &th.calls[0], ir.Const(i)); err != nil || w != want {
			t.Errorf("%d: %v, want %v (%v)", i, w, want, err)
		}
	}
}

// A call gets its arguments, and its results are in the registers of the caller; a condition of which nothing is known goes both ways.
func TestExecute_Calls(t *testing.T) {
	callee := &ir.Func{Name: "callee", Code: []ir.Instr{{Op: ir.OpIf, A: 1, N: 1, X: 2}, {Op: ir.OpReturn, X: 0}, {Op: ir.OpReturn, X: 1}}, Pos: make([]ir.Pos, 3)}
	finger := ir.Instr{Op: ir.OpAtomicLoad, A: 0, Dst: 5}
	seen := map[word]int{}
	k, first := executing(ir.Instr{Op: ir.OpCall, X: 0, Dst: 7}, finger)
	k.s.Prog.Calls = []*ir.Call{{Func: callee, Args: []ir.Arg{{Reg: 1, Type: sized(1)}, {Reg: 4, Type: sized(1)}}}}
	k.s.Prog.Lists = [][]ir.Arg{{{Reg: 0, Type: sized(1)}}, {{Reg: ir.Const(1), Type: sized(1)}}}
	first.calls[0].regs[4] = word{sort: unknown}
	err := k.executions(func() (*thread, error) {
		th := first.clone()
		return th, k.execute(th, true)
	}, func(th *thread) error {
		seen[th.calls[0].regs[7]]++
		if len(th.calls) != 1 || th.calls[0].pc != 1 {
			t.Errorf("it goes on at %d", th.calls[0].pc)
		}
		return nil
	})
	if err != nil || len(seen) != 2 || seen[mine(0)] != 1 || seen[word{n: 1}] != 1 {
		t.Errorf("%v, %v", seen, err)
	}
	if len(first.calls[0].regs) != 4 {
		t.Error("the thread from which it begins has changed")
	}
}
