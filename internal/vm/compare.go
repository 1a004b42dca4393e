// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"encoding/binary"
	"math"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/number"
	"pangolin/internal/vm/state"
)

// Equality and keys, type by type, as the language defines them: a NaN equals nothing, 0
// equals -0, interfaces compare what they hold, and panic if that cannot be compared. So
// words are not enough, though they would be for most types.
//
// A key of a map is bytes that are equal iff the values are. A comparison is also where
// code looks at generic items and at keys, which searches rename: it is noted
// (state/items.go).

// equal executes OpEqual.
func (m *Machine) equal(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	n := in.T.Size
	eq, bad := m.equalWords(in.T, state.Operands(regs, consts, in.A, n), state.Operands(regs, consts, in.B, n))
	if bad != nil {
		return m.throwError(t, "comparing uncomparable type "+bad.Name)
	}
	regs[in.Dst] = truth(eq)
	return ctlNext
}

// equalWords compares two values of a type. If interfaces in them hold values that
// cannot be compared, it returns their type.
func (m *Machine) equalWords(t *ir.Type, a, b []uint64) (eq bool, bad *ir.Type) {
	switch t.Class {
	case ir.Interface:
		return m.equalIface(a, b)
	case ir.Float32, ir.Float64, ir.Complex64, ir.Complex128:
		return equalFloats(t, a, b), nil
	case ir.Array:
		size := t.Elem.Size
		for i := range t.Len {
			if eq, bad = m.equalWords(t.Elem, a[i*size:(i+1)*size], b[i*size:(i+1)*size]); !eq {
				return eq, bad
			}
		}
		return true, nil
	case ir.Struct, ir.Record:
		return m.equalFields(t, a, b)
	case ir.PointerClass, ir.UnsafePointer:
		return m.equalPointers(a[0], b[0]), nil
	case ir.StringClass:
		return (a[0]^b[0])&^state.Borrowed == 0, nil
	}
	// Word by word as far as the first difference: what lies behind it is not looked at, by gc neither, and so counts
	// neither as an access nor as a look at an item.
	for i := range a {
		if m.Watching {
			m.Compared(a[i], b[i])
		}
		if a[i] != b[i] {
			return false, nil
		}
	}
	return true, nil
}

func (m *Machine) equalFields(t *ir.Type, a, b []uint64) (eq bool, bad *ir.Type) {
	m.refuseReflected(t)
	m.looksAtTimes(a, ir.ClockExact) // times that are over may be one
	m.looksAtTimes(b, ir.ClockExact)
	for _, f := range t.Fields {
		if f.Name == "_" {
			continue
		}
		lo, hi := f.Offset, f.Offset+f.Type.Size
		if eq, bad = m.equalWords(f.Type, a[lo:hi], b[lo:hi]); !eq {
			return eq, bad
		}
	}
	return true, nil
}

// refuseReflected ends the execution if values of type reflect.Value, or others with such words, are compared: two of the same variable have copies
// of it in different places here, and not in Go.
func (m *Machine) refuseReflected(t *ir.Type) {
	if format.Opaque(t) {
		m.Fail(FaultUnsupported, "values of type "+t.Name+" are compared")
	}
}

// refuseSignature ends the execution if a reflect.Type that is compared is that of a method: all methods have one here.
func (m *Machine) refuseSignature(t *ir.Type, iface []uint64) {
	if t.Class == ir.PointerClass && t.Elem.Name == format.RtypeName && m.isSignature(m.IfaceValue(iface)[0]) {
		m.Fail(FaultUnsupported, "the signature of a method is compared by reflection")
	}
}

func (m *Machine) equalIface(a, b []uint64) (eq bool, bad *ir.Type) {
	if a[0] != b[0] || a[0] == 0 {
		return a[0] == b[0], nil
	}
	t := m.img.Types[a[0]&^ir.TypeTag].Type
	// The types are equal here: interfaces of different types differ, and nobody asks then whether they could be compared.
	if t.NotComparable {
		return false, t
	}
	m.refuseSignature(t, a)
	m.refuseSignature(t, b)
	return m.equalWords(t, m.IfaceValue(a), m.IfaceValue(b))
}

// equalPointers compares two pointers. Whether variables of no size have one address is a decision.
func (m *Machine) equalPointers(a, b uint64) bool {
	if m.Watching {
		m.Compared(a, b)
	}
	return a == b || m.Place(a, b, m.choose(m.Placings(a, b)))
}

func equalFloats(t *ir.Type, a, b []uint64) bool {
	for i := range a {
		if number.Float(t, a[i]) != number.Float(t, b[i]) {
			return false
		}
	}
	return true
}

// leadsToNothing says that a value holds a pointer to a variable of no size: whether it equals another value may have to
// be decided.
func (m *Machine) leadsToNothing(t *ir.Type, w []uint64) bool {
	switch t.Class {
	case ir.PointerClass, ir.UnsafePointer:
		return m.Sizeless(w[0])
	case ir.Interface:
		return w[0] != 0 && m.leadsToNothing(m.Dynamic(w[0]), m.IfaceValue(w))
	case ir.Array:
		for i := range t.Len {
			if m.leadsToNothing(t.Elem, w[i*t.Elem.Size:(i+1)*t.Elem.Size]) {
				return true
			}
		}
	case ir.Struct:
		for _, f := range t.Fields {
			if m.leadsToNothing(f.Type, w[f.Offset:f.Offset+f.Type.Size]) {
				return true
			}
		}
	}
	return false
}

// appendKey appends bytes that are equal for two values of a type iff the values
// are; ok is false for a value that equals nothing, not even itself (it holds a
// NaN). If it holds something that cannot be hashed, bad is its type.
func (m *Machine) appendKey(dst []byte, t *ir.Type, w []uint64) (key []byte, ok bool, bad *ir.Type) {
	ok = true
	switch t.Class {
	case ir.Interface:
		return m.appendIfaceKey(dst, w)
	case ir.Float32, ir.Float64, ir.Complex64, ir.Complex128:
		for _, x := range w {
			f := number.Float(t, x)
			ok = ok && f == f
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f+0)) // -0 becomes 0
		}
		return dst, ok, nil
	case ir.Array:
		for i := 0; i < t.Len && bad == nil; i++ {
			var good bool
			dst, good, bad = m.appendKey(dst, t.Elem, w[i*t.Elem.Size:(i+1)*t.Elem.Size])
			ok = ok && good
		}
		return dst, ok, bad
	case ir.Struct, ir.Record:
		m.refuseReflected(t)
		m.looksAtTimes(w, ir.ClockNumbers)
		for i := 0; i < len(t.Fields) && bad == nil; i++ {
			f := t.Fields[i]
			var good bool
			if f.Name == "_" {
				continue
			}
			dst, good, bad = m.appendKey(dst, f.Type, w[f.Offset:f.Offset+f.Type.Size])
			ok = ok && good
		}
		return dst, ok, bad
	}
	for _, x := range w {
		if t.Class == ir.PointerClass || t.Class == ir.UnsafePointer {
			x = m.KeyOf(x)
		}
		if t.Class == ir.StringClass {
			x &^= state.Borrowed
		}
		m.Inspected = m.Inspected || state.IsItem(x)
		m.Misnumbered = m.Misnumbered || state.IsNumber(x)
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return dst, true, nil
}

func (m *Machine) appendIfaceKey(dst []byte, w []uint64) (key []byte, ok bool, bad *ir.Type) {
	dst = binary.LittleEndian.AppendUint64(dst, w[0])
	if w[0] == 0 {
		return dst, true, nil
	}
	t := m.img.Types[w[0]&^ir.TypeTag].Type
	if t.NotComparable {
		return dst, false, t
	}
	m.refuseSignature(t, w)
	return m.appendKey(dst, t, m.IfaceValue(w))
}
