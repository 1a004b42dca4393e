// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"strconv"
	"strings"
)

// Pointee is the type that values of the type point to: that of a pointer, and the T of
// an atomic.Pointer[T], which holds an unsafe.Pointer. Its declaration mentions T in a field
// without words, `_ [0]*T`. It is nil for all other types.
func (t *Type) Pointee() *Type {
	switch {
	case t.Class == PointerClass:
		return t.Elem
	case t.Class == Struct && t.PkgPath == "sync/atomic" && strings.HasPrefix(t.Name, "atomic.Pointer["):
		for _, f := range t.Fields {
			if f.Type.Class == Array && f.Type.Len == 0 && f.Type.Elem.Class == PointerClass {
				return f.Type.Elem.Elem
			}
		}
	}
	return nil
}

// PointeeAt is the type that word off of a value of type t points to; nil if it is no
// pointer, or one of which the type is not known (an unsafe.Pointer, interface data).
func (t *Type) PointeeAt(off int) *Type {
	for {
		if p := t.Pointee(); p != nil {
			return p
		}
		switch t.Class {
		case Array:
			if t.Elem.Size == 0 {
				return nil
			}
			t, off = t.Elem, off%t.Elem.Size
		case Slice:
			if off != 0 {
				return nil
			}
			return t.Elem
		case Struct, Record:
			f := t.FieldAt(off)
			if f == nil {
				return nil
			}
			t, off = f.Type, off-f.Offset
		default:
			return nil
		}
	}
}

// FieldAt is the field of a struct or record that has word off; nil if none has.
func (t *Type) FieldAt(off int) *Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; off >= f.Offset && off < f.Offset+f.Type.Size {
			return f
		}
	}
	return nil
}

// FieldPath is the path of fields and elements to word off of a value: ".f[2].g". It
// stops at the types of packages sync and sync/atomic, whose fields are nobody's business.
func (t *Type) FieldPath(off int) string {
	var b strings.Builder
	for !t.Opaque() {
		switch t.Class {
		case Array:
			if t.Elem.Size == 0 {
				return b.String()
			}
			b.WriteString("[" + strconv.Itoa(off/t.Elem.Size) + "]")
			t, off = t.Elem, off%t.Elem.Size
		case Struct:
			f := t.FieldAt(off)
			if f == nil {
				return b.String()
			}
			b.WriteString("." + f.Name)
			t, off = f.Type, off-f.Offset
		default:
			return b.String()
		}
	}
	return b.String()
}

// Opaque tells the types of packages sync and sync/atomic.
func (t *Type) Opaque() bool { return t.PkgPath == "sync" || t.PkgPath == "sync/atomic" }

// LeafAt is the innermost type that has word off of a value: what FieldPath leads to.
func (t *Type) LeafAt(off int) (leaf *Type, at int) {
	for !t.Opaque() {
		switch {
		case t.Class == Array && t.Elem.Size > 0:
			t, off = t.Elem, off%t.Elem.Size
		case t.Class == Struct && t.FieldAt(off) != nil:
			f := t.FieldAt(off)
			t, off = f.Type, off-f.Offset
		default:
			return t, off
		}
	}
	return t, off
}
