// SPDX-License-Identifier: BSD-3-Clause

package format

import "pangolin/internal/ir"

// Values of package reflect, which front/prelude/reflect.go models: a reflect.Value has three words as in Go, but other ones. Fmt shows a
// reflect.Value that is an argument as what it is of, and of any other calls String; where fmt would show the words themselves, the execution ends.

// RtypeName is the name of the type that a reflect.Type points to.
const RtypeName = "reflect.rtype"

// The words of a reflect.Value, and those of its flags that matter here, as the prelude has them.
const (
	valueType = iota // a pointer to the table of types, at the type's number
	valuePlace
	valueFlags

	flagStickyRO = 1 << 5
	flagEmbedRO  = 1 << 6
)

func isReflectValue(t *ir.Type) bool { return t.Name == "reflect.Value" && t.PkgPath == "reflect" }

// Opaque says that the words of values of type t are not those of Go's.
func Opaque(t *ir.Type) bool {
	return isReflectValue(t) || t.Name == RtypeName || t.Name == "reflect.MapIter" && t.PkgPath == "reflect"
}

// opaque refuses to print the fields of such values.
func (f *formatter) opaque(t *ir.Type) bool {
	if Opaque(t) {
		f.m.Unsupported("formatting prints the unexported fields of a " + t.Name)
		return true
	}
	return false
}

// reflectValue prints an argument that is a reflect.Value.
func (f *formatter) reflectValue(d datum, verb rune) {
	flags := d.w[valueFlags]
	if flags == 0 {
		f.write("<invalid reflect.Value>")
		return
	}
	t := f.m.Dynamic(ir.TypeTag | uint64(uint32(d.w[valueType]))/ir.IfaceWords)
	x := datum{t: t, hidden: flags&flagStickyRO != 0, hiddenSelf: flags&flagEmbedRO != 0, reflected: true}
	if t.Size > 0 {
		x.w = f.m.At(d.w[valuePlace], t.Size)
	}
	switch {
	case !t.IsInterface():
		f.part(x, verb, 0)
	case x.w[0] == 0 && verb == 'w' && !f.bare && !x.hidden && !x.hiddenSelf:
		f.badVerb(datum{}, verb)
	default:
		f.iface(x, verb, 0)
	}
}
