// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"testing"
	"unsafe"

	"pangolin/internal/ir"
)

type part struct {
	_ int8
	b int32
	c [3]int16
}

type whole struct {
	_  bool
	in [2]part
	s  string
	i  any
}

func structure(fields ...*ir.Type) *ir.Type {
	t := &ir.Type{Class: ir.Struct}
	for _, f := range fields {
		t.Fields = append(t.Fields, ir.Field{Type: f, Offset: t.Size})
		t.Size += f.Size
	}
	return t
}

func array(n int, elem *ir.Type) *ir.Type {
	return &ir.Type{Class: ir.Array, Len: n, Elem: elem, Size: n * elem.Size}
}

func wholeType() *ir.Type {
	p := structure(basic(ir.Int8, 1), basic(ir.Int32, 1), array(3, basic(ir.Int16, 1)))
	return structure(basic(ir.Bool, 1), array(2, p), basic(ir.StringClass, 1), basic(ir.Interface, 2))
}

func TestShift_FindsWhatGoHasThere(t *testing.T) {
	var w whole
	size, in := int64(unsafe.Sizeof(w)), int64(unsafe.Offsetof(w.in))
	each := int64(unsafe.Sizeof(part{}))
	for _, c := range []struct {
		name string
		from int
		by   int64
		to   int
		ok   bool
	}{
		{"the second element", 0, size, 14, true},
		{"back to the first", 14, -size, 0, true},
		{"the end", 0, 2 * size, 28, true},
		{"behind the end", 0, 2*size + 1, 0, false},
		{"before the beginning", 0, -1, 0, false},
		{"a field", 0, in + int64(unsafe.Offsetof(part{}.b)), 2, true},
		{"an element in a field", 0, in + each + int64(unsafe.Offsetof(part{}.c)) + 4, 10, true},
		{"within an element", 0, in + each + int64(unsafe.Offsetof(part{}.c)) + 3, 0, false},
		{"padding", 0, in + 1, 0, false},
		{"a string", 0, int64(unsafe.Offsetof(w.s)), 11, true},
		{"within a string", 0, int64(unsafe.Offsetof(w.s)) + 8, 0, false},
		{"the second half of an interface", 0, int64(unsafe.Offsetof(w.i)) + 8, 13, true},
		{"from within", 4, 2, 5, true},
		{"back within", 5, -2, 4, true},
	} {
		if to, ok := Shift(wholeType(), 2, c.from, c.by); ok != c.ok || ok && to != c.to {
			t.Errorf("%s: %d by %d is %d %v, want %d %v", c.name, c.from, c.by, to, ok, c.to, c.ok)
		}
	}
}
