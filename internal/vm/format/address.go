// SPDX-License-Identifier: BSD-3-Clause

package format

import "pangolin/internal/ir"

// IsReference tells the classes of types whose values are printed as addresses.
func IsReference(c ir.Class) bool {
	switch c {
	case ir.Chan, ir.FuncClass, ir.Map, ir.PointerClass, ir.Slice, ir.UnsafePointer:
		return true
	}
	return false
}

// CodeAddress is where the made-up addresses of code begin.
const CodeAddress = 0x480000

// Address is the number that stands for a reference: equal references have equal numbers.
func Address(m Memory, t *ir.Type, w uint64) uint64 {
	switch {
	case w == 0:
		return 0
	case t.Class == ir.FuncClass && w&ir.FuncTag == 0:
		return CodeAddress + m.At(w, 1)[0]&^ir.FuncTag<<5
	case t.Class == ir.FuncClass:
		return CodeAddress + w&^ir.FuncTag<<5
	}
	return m.Address(w)
}
