// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// The method of an operation is the one that its harness calls with the collection, once. A harness that might call it again, or not at all, or another one beside, is refused.
func TestMethod_IsTheOneCallWithTheCollection(t *testing.T) {
	word, two := &ir.Type{Size: 1}, &ir.Type{Size: 2}
	enqueue, makes := &ir.Func{Name: "Enqueue"}, &ir.Func{Name: "makes"}
	calls := []*ir.Call{
		{Kind: ir.CallStatic, Func: enqueue, Args: []ir.Arg{{Reg: 0, Type: word}, {Reg: 2, Type: word}}},
		{Kind: ir.CallStatic, Func: makes, Args: []ir.Arg{{Reg: 1, Type: word}}},
		{Kind: ir.CallMethod, Args: []ir.Arg{{Reg: 0, Type: word}}},
		{Kind: ir.CallStatic, Func: &ir.Func{Name: "external", External: true}, Args: []ir.Arg{{Reg: 0, Type: word}}},
		{Kind: ir.CallStatic, Func: enqueue, Args: []ir.Arg{{Reg: 0, Type: word}, {Reg: 0, Type: word}}},
		{Kind: ir.CallStatic, Func: enqueue, Args: []ir.Arg{{Reg: 1, Type: word}, {Reg: 0, Type: word}}},
		{Kind: ir.CallStatic, Func: enqueue, Args: []ir.Arg{{Reg: 0, Type: two}}},
	}
	call := func(x int32) ir.Instr { return ir.Instr{Op: ir.OpCall, X: x} }
	ends := ir.Instr{Op: ir.OpReturn}
	for i, c := range []struct {
		code  []ir.Instr
		right bool
	}{
		{[]ir.Instr{call(1), call(0), ends}, true},
		{[]ir.Instr{call(0), call(1), ends}, true},
		{[]ir.Instr{{Op: ir.OpIf, N: 1, X: 2}, call(0), ends}, false},
		{[]ir.Instr{call(0), {Op: ir.OpIf, N: 2, X: 3}, ends, ends}, true},
		{[]ir.Instr{ends, call(0), ends}, false},
		{[]ir.Instr{{Op: ir.OpJump, N: 2}, call(0), ends}, false},
		{[]ir.Instr{{Op: ir.OpJump, N: 1}, call(0), ends}, true},
		{[]ir.Instr{call(1), ends}, false},
		{[]ir.Instr{call(0), call(0), ends}, false},
		{[]ir.Instr{call(0), {Op: ir.OpJump, N: 0}}, false},
		{[]ir.Instr{call(0), {Op: ir.OpIf, N: 2, X: 0}, ends}, false},
		{[]ir.Instr{call(0), {Op: ir.OpIf, N: 0, X: 2}, ends}, false},
		{[]ir.Instr{{Op: ir.OpGo, X: 0}, ends}, false},
		{[]ir.Instr{{Op: ir.OpDefer, X: 0}, ends}, false},
		{[]ir.Instr{call(0), {Op: ir.OpGo, X: 0}, ends}, false},
		{[]ir.Instr{call(2), ends}, false},
		{[]ir.Instr{call(3), ends}, false},
		{[]ir.Instr{call(4), ends}, false},
		{[]ir.Instr{call(5), ends}, false},
		{[]ir.Instr{call(6), ends}, false},
	} {
		k := &checker{s: &subject.Subject{Prog: &ir.Program{Calls: calls}}}
		if by := k.method(&ir.Func{Code: c.code}); (by != nil) != c.right || by != nil && by.Func != enqueue {
			t.Errorf("%d: %v", i, by)
		}
	}
}
