// SPDX-License-Identifier: BSD-3-Clause

package layout

import "pangolin/internal/ir"

// UnsafeSecond is the kind, among the machine's own layouts, of an unsafe.Pointer
// behind another one: through casts the two may hold an interface value.
const UnsafeSecond ir.Kind = 100

// SameNumbers says whether the words from off on of memory of type have hold numbers in
// the formats that a value of type t has: the machine's memory is made of words, so a
// number cannot be taken apart or put together through a pointer of another type.
func SameNumbers(have *ir.Type, off int, t *ir.Type) bool {
	want, n := t.Flatten()
	if want == have && have.Size > 0 && off%have.Size == 0 {
		return true
	}
	a, b := appendFormats(nil, want), appendFormats(nil, have)
	for i := range n * want.Size {
		if a[i%len(a)] != b[(off+i)%len(b)] {
			return false
		}
	}
	return true
}

// appendFormats lists the format of each word of a type; 0 stands for words that are
// no numbers.
func appendFormats(dst []uint8, t *ir.Type) []uint8 {
	switch t.Class {
	case ir.Array:
		for range t.Len {
			dst = appendFormats(dst, t.Elem)
		}
		return dst
	case ir.Struct, ir.Record:
		for _, f := range t.Fields {
			dst = appendFormats(dst, f.Type)
		}
		return dst
	case ir.Bool, ir.Uint8:
		return append(dst, 1)
	case ir.Uint32, ir.Float32:
		return append(dst, 2)
	case ir.Int, ir.Int64, ir.Uint, ir.Uint64, ir.Uintptr, ir.Float64:
		return append(dst, 3)
	case ir.Int8, ir.Int16, ir.Int32, ir.Uint16, ir.Complex64, ir.Complex128:
		for range t.Size {
			dst = append(dst, 4+uint8(t.Class))
		}
		return dst
	}
	for range t.Size {
		dst = append(dst, 0)
	}
	return dst
}

// Compatible says whether a word of kind b may be used as one of kind a.
func Compatible(a, b ir.Kind) bool {
	if a == UnsafeSecond {
		a = ir.Unsafe
	}
	if b == UnsafeSecond {
		b = ir.Unsafe
	}
	loose := func(k ir.Kind) bool {
		return k == ir.Pointer || k == ir.Unsafe || k == ir.IfaceType || k == ir.IfaceData
	}
	return a == b || loose(a) && b == ir.Unsafe || a == ir.Unsafe && loose(b) ||
		a == ir.Pointer && b == ir.Pointer
}
