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

// Made-up addresses: a heap whose objects lie 64 KiB apart, and code.
const (
	heapAddress   = 0xc000000000
	objectSpacing = 16 // bits
	CodeAddress   = 0x480000
)

// Address makes up a number for a reference: equal references have equal numbers.
func Address(m Memory, t *ir.Type, w uint64) uint64 {
	switch {
	case w == 0:
		return 0
	case w&ir.FuncTag != 0:
		return CodeAddress + w&^ir.FuncTag<<5
	case t.Class == ir.FuncClass:
		return CodeAddress + m.At(w, 1)[0]&^ir.FuncTag<<5
	}
	return heapAddress + w>>32<<objectSpacing + uint64(uint32(w))<<3
}
