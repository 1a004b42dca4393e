// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/number"
)

// arg prints an argument.
func (f *formatter) arg(d datum, verb rune) {
	switch {
	case d.t == nil && (verb == 'v' || verb == 'T'):
		f.nilText()
	case d.t == nil:
		f.badVerb(d, verb)
	case verb == 'T':
		f.host('s', 's', d.t.Name)
	case verb == 'p':
		f.address(d, verb)
	case isReflectValue(d.t):
		f.reflectValue(d, verb)
	case d.t.Name == byteSlice || !f.method(d, verb):
		f.value(d, verb, 0)
	}
}

// byteSlice is the type for which fmt has a name of its own, and which it does not
// ask for methods.
const byteSlice = "[]uint8"

// part prints a value found inside another one.
func (f *formatter) part(d datum, verb rune, depth int) {
	if !f.m.Failed() && !f.method(d, verb) {
		f.value(d, verb, depth)
	}
}

// value prints a value without regard to its methods.
func (f *formatter) value(d datum, verb rune, depth int) {
	switch d.t.Class {
	case ir.Interface:
		f.iface(d, verb, depth)
	case ir.Map:
		f.mapping(d, verb, depth)
	case ir.Struct:
		f.structure(d, verb, depth)
	case ir.Array, ir.Slice:
		f.sequence(d, verb, depth)
	case ir.PointerClass:
		f.pointer(d, verb, depth)
	case ir.Chan, ir.FuncClass, ir.UnsafePointer:
		f.address(d, verb)
	default:
		f.leaf(d, verb)
	}
}

// within is a value of type t that d holds.
func (d datum) within(t *ir.Type, w []uint64) datum {
	return datum{t: t, w: w, hidden: d.hidden, reflected: d.reflected}
}

func (f *formatter) iface(d datum, verb rune, depth int) {
	switch {
	case d.w[0] != 0:
		inner := f.inside(d.w)
		inner.hidden = d.hidden || d.hiddenSelf
		f.part(inner, verb, depth+1)
	case f.dir.sharpV:
		f.write(d.t.Name + "(nil)")
	default:
		f.write("<nil>")
	}
}

func (f *formatter) pointer(d datum, verb rune, depth int) {
	if p := d.w[0]; depth == 0 && p != 0 {
		switch e := d.t.Elem; e.Class {
		case ir.Array, ir.Slice, ir.Struct, ir.Map:
			f.write("&")
			x := d.within(e, f.m.At(p, e.Size))
			x.hiddenSelf = d.hiddenSelf
			f.part(x, verb, depth+1)
			return
		}
	}
	f.address(d, verb)
}

// separate writes what stands between the elements of a composite value.
func (f *formatter) separate(i int) {
	switch {
	case i == 0:
	case f.dir.sharpV:
		f.write(", ")
	default:
		f.write(" ")
	}
}

func (f *formatter) structure(d datum, verb rune, depth int) {
	if f.opaque(d.t) {
		return
	}
	if f.dir.sharpV {
		f.write(d.t.Name)
	}
	f.write("{")
	for i, field := range d.t.Fields {
		f.separate(i)
		if f.dir.plusV || f.dir.sharpV {
			f.write(field.Name + ":")
		}
		x := d.within(field.Type, d.w[field.Offset:field.Offset+field.Type.Size])
		if !field.Exported {
			x.hiddenSelf = field.Embedded
			x.hidden = x.hidden || !field.Embedded
		}
		if x.t.Class == ir.Interface && x.w[0] != 0 {
			inner := f.inside(x.w)
			inner.hidden = x.hidden || x.hiddenSelf
			x = inner
		}
		f.part(x, verb, depth+1)
	}
	f.write("}")
}

func (f *formatter) sequence(d datum, verb rune, depth int) {
	elem, n, isNil, w := d.t.Elem, d.t.Len, false, d.w
	if d.t.Class == ir.Slice {
		n, isNil = int(d.w[1]), d.w[0] == 0
		if w = nil; n > 0 && elem.Size > 0 {
			w = f.m.At(d.w[0], n*elem.Size)
		}
	}
	if elem.Class == ir.Uint8 && (verb == 's' || verb == 'q' || verb == 'x' || verb == 'X') {
		f.host(verb, 's', Bytes(w))
		return
	}
	opening, closing := "[", "]"
	if f.dir.sharpV {
		f.write(f.sequenceName(d, verb, depth))
		if isNil {
			f.write("(nil)")
			return
		}
		opening, closing = "{", "}"
	}
	f.write(opening)
	d.hidden = d.hidden || d.hiddenSelf
	for i := range n {
		f.separate(i)
		f.part(d.within(elem, w[i*elem.Size:(i+1)*elem.Size]), verb, depth+1)
	}
	f.write(closing)
}

// sequenceName is the type's name in Go syntax.
func (f *formatter) sequenceName(d datum, verb rune, depth int) string {
	if depth == 0 && !d.reflected && d.t.Name == byteSlice && (verb == 'v' || verb == 'd') {
		return "[]byte"
	}
	return d.t.Name
}

func (f *formatter) mapping(d datum, verb rune, depth int) {
	closing := "]"
	if f.dir.sharpV {
		f.write(d.t.Name)
		if d.w[0] == 0 {
			f.write("(nil)")
			return
		}
		f.write("{")
		closing = "}"
	} else {
		f.write("map[")
	}
	d.hidden = d.hidden || d.hiddenSelf
	for i, entry := range f.entries(d) {
		f.separate(i)
		n := d.t.Key.Size
		f.part(d.within(d.t.Key, entry[:n]), verb, depth+1)
		f.write(":")
		f.part(d.within(d.t.Elem, entry[n:]), verb, depth+1)
	}
	f.write(closing)
}

// entries lists a map's entries in the order in which fmt prints them.
func (f *formatter) entries(d datum) [][]uint64 {
	if d.w[0] == 0 {
		return nil
	}
	size := d.t.Entry.Size
	list := make([][]uint64, f.m.Entries(d.w[0]))
	for i := range list {
		list[i] = slices.Clone(f.m.At(d.w[0]+uint64(i*size), size))
	}
	n := d.t.Key.Size
	slices.SortStableFunc(list, func(a, b []uint64) int { return f.compare(d.t.Key, a[:n], b[:n]) })
	return list
}

// compare orders keys as package internal/fmtsort does: by value, NaN first; types
// inside interfaces by their number.
func (f *formatter) compare(t *ir.Type, a, b []uint64) int {
	num := ir.NumOf(t)
	switch {
	case t.Class == ir.Interface:
		return f.compareInside(a, b)
	case t.Class == ir.Struct:
		for _, x := range t.Fields {
			if c := f.compare(x.Type, a[x.Offset:], b[x.Offset:]); c != 0 {
				return c
			}
		}
		return 0
	case t.Class == ir.Array:
		for i := range t.Len {
			if c := f.compare(t.Elem, a[i*t.Elem.Size:], b[i*t.Elem.Size:]); c != 0 {
				return c
			}
		}
		return 0
	case num == ir.Str:
		return cmp.Compare(f.m.Text(a[0]), f.m.Text(b[0]))
	case num == ir.F32 || num == ir.F64:
		return cmp.Compare(number.Float(t, a[0]), number.Float(t, b[0]))
	case num == ir.C64 || num == ir.C128:
		return cmp.Or(cmp.Compare(number.Float(t, a[0]), number.Float(t, b[0])), cmp.Compare(number.Float(t, a[1]), number.Float(t, b[1])))
	case num.Signed():
		return cmp.Compare(int64(a[0]), int64(b[0]))
	case t.Class == ir.PointerClass && t.Elem.Name == RtypeName && a[0] != b[0]:
		f.m.Unsupported("formatting orders the keys of a map by the addresses of types that package reflect describes")
	case IsReference(t.Class):
		return cmp.Compare(f.m.Address(a[0]), f.m.Address(b[0]))
	}
	return cmp.Compare(a[0], b[0])
}

func (f *formatter) compareInside(a, b []uint64) int {
	if a[0] != b[0] || a[0] == 0 {
		return cmp.Compare(a[0], b[0])
	}
	x, y := f.inside(a), f.inside(b)
	return f.compare(x.t, x.w, y.w)
}
