// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Ghost code is silent if what it decides by registers alone is that it does nothing. What it has read memory for may
// be otherwise at another moment.
func TestMayBeSilent_DependsOnWhatIsRead(t *testing.T) {
	begin, end := ir.Instr{Op: ir.OpGhost, Ok: true}, ir.Instr{Op: ir.OpGhost}
	branch := func(then, otherwise int32) ir.Instr { return ir.Instr{Op: ir.OpIf, N: then, X: otherwise} }
	for _, c := range []struct {
		name string
		code []ir.Instr
		want bool
	}{
		{"nothing", []ir.Instr{begin, end}, true},
		{"a condition on registers", []ir.Instr{begin, {Op: ir.OpEq}, branch(3, 4), {Op: ir.OpCall}, end}, true},
		{"what is announced is read", []ir.Instr{begin, branch(2, 4), {Op: ir.OpLoad}, {Op: ir.OpCall}, end}, true},
		{"a condition on memory", []ir.Instr{begin, {Op: ir.OpLoad}, branch(3, 4), {Op: ir.OpCall}, end}, false},
		{"on an atomic variable", []ir.Instr{begin, {Op: ir.OpAtomicLoad}, branch(3, 4), {Op: ir.OpAnnounce}, end}, false},
		{"on memory, if a register says so", []ir.Instr{begin, branch(2, 5), {Op: ir.OpLoad}, branch(4, 5), {Op: ir.OpCall}, end}, false},
		{"announced on every way behind a read", []ir.Instr{begin, {Op: ir.OpLoad}, branch(3, 4), {Op: ir.OpAnnounce}, {Op: ir.OpAnnounce}, end}, true},
		{"the end stands before it", []ir.Instr{{Op: ir.OpJump, N: 3}, end, {Op: ir.OpReturn}, begin, {Op: ir.OpMapGet}, {Op: ir.OpJump, N: 1}}, false},
		{"a loop", []ir.Instr{begin, {Op: ir.OpLoad}, branch(1, 3), {Op: ir.OpCall}, end}, true},
		{"more ghost code", []ir.Instr{begin, begin, end, end}, false},
	} {
		pc := 0
		if c.code[0].Op == ir.OpJump {
			pc = 3
		}
		if got := mayBeSilent(&state.Frame{Code: &state.Code{Instrs: c.code}, PC: int32(pc)}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
