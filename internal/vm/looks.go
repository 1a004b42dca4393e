// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// inspectArguments records that a built-in function looks at its arguments, and that it may look at items or keys in memory
// that they refer to. Those of the packages below handle locks, threads, channels and the clock, and look at no other memory. The function that
// keeps a word for each thread looks at the word that it is given. The one that numbers objects looks at nothing but pointers: what else an interface holds, an item for instance, does not change its answer.
func (m *Machine) inspectArguments(f *ir.Func, args []uint64) {
	if strings.HasSuffix(f.Name, "."+objectFunction) {
		return
	}
	m.LooksAtAll(args)
	if !m.Watching || strings.HasSuffix(f.Name, "."+state.OwnFunction) || slices.ContainsFunc(contentBlind, func(p string) bool { return strings.HasPrefix(f.Name, p) }) {
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
	"pangolin/prelude.await", "pangolin/prelude.waitGroup", "pangolin/prelude.choose", "pangolin/prelude.output",
	timerName, sleepingName, bubbleName, preludePath + "later", preludePath + "clockNow"}

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
