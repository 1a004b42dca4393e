// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// inspectMemory records that a built-in function may look at items or keys in memory
// that its arguments refer to. Those of the packages below handle locks, threads and
// channels, and look at nothing else.
func (m *Machine) inspectMemory(f *ir.Func) {
	if !m.Watching || strings.HasSuffix(f.Name, "."+objectFunction) || slices.ContainsFunc(contentBlind, func(p string) bool { return strings.HasPrefix(f.Name, p) }) {
		return
	}
	for _, t := range f.Params {
		switch t.Class {
		case ir.PointerClass, ir.Slice, ir.Interface, ir.Map, ir.Struct, ir.Array, ir.UnsafePointer:
			m.Inspected, m.Miscompared, m.Misnumbered = true, true, true
		}
	}
}

var contentBlind = []string{"(*sync.", "sync.", "runtime.", "unsafe.Add", "pangolin/mark.", "pangolin/prelude.atomic",
	"pangolin/prelude.await", "pangolin/prelude.waitGroup", "pangolin/prelude.choose", "pangolin/prelude.output"}

// inspectOperands records that an instruction looks at its operands.
func (m *Machine) inspectOperands(in *ir.Instr, regs []uint64) {
	consts := m.img.Prog.Consts
	for _, r := range state.LookedAt(in) {
		if r != ir.NoReg {
			w := state.Operand(regs, consts, r)
			m.LooksAt(w, w)
		}
	}
}
