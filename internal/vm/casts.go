package vm

import "pangolin/internal/ir"

// sameNumbers says whether the words from p on hold numbers in the formats that a
// value of type t has: memory is made of words here, so a number cannot be taken apart
// or put together through a pointer of another type.
func (m *Machine) sameNumbers(p uint64, t *ir.Type) bool {
	o := &m.objs[p>>32]
	have := o.info.typ
	want, n := t.Flatten()
	if want == have && have.Size > 0 && offset(p)%have.Size == 0 {
		return true
	}
	a, b := appendFormats(nil, want), appendFormats(nil, have)
	for i := range n * want.Size {
		if a[i%len(a)] != b[(offset(p)+i)%len(b)] {
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
