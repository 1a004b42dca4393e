// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"strings"
)

// kind sorts the types of generated sequential programs by what can be done
// with their values.
type kind int

const (
	kindInt kind = iota
	kindFloat
	kindString
	kindBool
	kindStruct
	kindArray
	kindSlice
	kindMap
	kindPointer // to a struct, never nil outside the statements made to panic
	kindAny     // holds comparable values only
	kindShape   // the prelude's interface Shape
)

// typ is a Go type of a generated program.
type typ struct {
	name    string // as written in Go
	kind    kind
	bits    int // of integers and floats; 64 for int, which assumes a 64-bit target
	signed  bool
	elem    *typ // of arrays, slices, maps and pointers
	key     *typ // of maps
	n       int  // length of arrays
	fields  []field
	pointer bool // of structs: the methods of Shape have a pointer receiver
}

type field struct {
	name     string
	typ      *typ
	embedded bool
}

// scalarTypes holds the predeclared types and three named ones of the prelude.
func scalarTypes() []*typ {
	list := []*typ{
		{name: "string", kind: kindString},
		{name: "Word", kind: kindString},
		{name: "bool", kind: kindBool},
		{name: "float32", kind: kindFloat, bits: 32},
		{name: "float64", kind: kindFloat, bits: 64},
		{name: "Level", kind: kindInt, bits: 8, signed: true},
		{name: "Mask", kind: kindInt, bits: 16},
		{name: "uintptr", kind: kindInt, bits: 64},
	}
	for _, bits := range []int{8, 16, 32, 64} {
		list = append(list,
			&typ{name: fmt.Sprint("int", bits), kind: kindInt, bits: bits, signed: true},
			&typ{name: fmt.Sprint("uint", bits), kind: kindInt, bits: bits})
	}
	return append(list, &typ{name: "int", kind: kindInt, bits: 64, signed: true}, &typ{name: "uint", kind: kindInt, bits: 64})
}

func (t *typ) isScalar() bool { return t.kind <= kindBool }

// ordered says whether < is defined.
func (t *typ) ordered() bool { return t.kind <= kindString }

func arrayOf(elem *typ, n int) *typ {
	return &typ{name: fmt.Sprintf("[%d]%s", n, elem.name), kind: kindArray, elem: elem, n: n}
}

func sliceOf(elem *typ) *typ { return &typ{name: "[]" + elem.name, kind: kindSlice, elem: elem} }

func pointerTo(elem *typ) *typ { return &typ{name: "*" + elem.name, kind: kindPointer, elem: elem} }

func mapOf(key, elem *typ) *typ {
	return &typ{name: "map[" + key.name + "]" + elem.name, kind: kindMap, key: key, elem: elem}
}

// declaration writes a struct type with its methods Area and Name, and Bump,
// which changes the first integer field. area and name are expressions over a
// receiver called v.
func (t *typ) declaration(area, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", t.name)
	bump := ""
	for _, f := range t.fields {
		if f.embedded {
			fmt.Fprintf(&b, "%s\n", f.typ.name)
			continue
		}
		fmt.Fprintf(&b, "%s %s\n", f.name, f.typ.name)
		if bump == "" && f.typ.kind == kindInt {
			bump = fmt.Sprintf("v.%s += %s(k)", f.name, f.typ.name)
		}
	}
	receiver := t.name
	if t.pointer {
		receiver = "*" + t.name
	}
	fmt.Fprintf(&b, "}\n\nfunc (v %s) Area() int { return %s }\nfunc (v %s) Name() string { return %s }\nfunc (v *%s) Bump(k int) {\n%s\n}\n\n",
		receiver, area, receiver, name, t.name, bump)
	return b.String()
}

// literal writes a constant of a scalar type, with its type.
func (g *sequential) literal(t *typ) string {
	switch t.kind {
	case kindInt:
		return t.name + "(" + g.integer(t) + ")"
	case kindFloat:
		return fmt.Sprintf("%s(%s)", t.name, g.pick("0", "1", "-1", "0.5", "1.25", "-3.75", "1e3", "1e-3", "123456.789", "0.1"))
	case kindString:
		return fmt.Sprintf("%s(%s)", t.name, g.pick(`""`, `"a"`, `"bc"`, `"xyz"`, `"héé"`, `"日本"`, `"0123456"`, `"\x00\xff"`, `"Z z"`))
	case kindBool:
		return g.pick("true", "false")
	}
	panic("literal of " + t.name)
}

// integer prefers the corners of the type's range.
func (g *sequential) integer(t *typ) string {
	switch g.rng.IntN(6) {
	case 0:
		if t.signed {
			return fmt.Sprint(int64(-1) << (t.bits - 1))
		}
		return fmt.Sprint(^uint64(0) >> (64 - t.bits))
	case 1:
		if t.signed {
			return fmt.Sprint(int64(1)<<(t.bits-1) - 1)
		}
		return fmt.Sprint(uint64(1) << (t.bits - 1))
	case 2:
		if t.signed {
			return fmt.Sprint(-1 - g.rng.IntN(100))
		}
	case 3:
		return fmt.Sprint(g.rng.Uint64() >> 1 >> (64 - t.bits))
	}
	return fmt.Sprint(g.rng.IntN(12))
}

func (g *sequential) pick(options ...string) string { return options[g.rng.IntN(len(options))] }

func (g *sequential) scalar() *typ { return g.scalars[g.rng.IntN(len(g.scalars))] }

// scalarOf draws a scalar type of the kind.
func (g *sequential) scalarOf(k kind) *typ {
	for {
		if t := g.scalar(); t.kind == k {
			return t
		}
	}
}

func (g *sequential) structType() *typ { return g.structs[g.rng.IntN(len(g.structs))] }

// valueType draws a type for a variable.
func (g *sequential) valueType() *typ {
	switch g.rng.IntN(16) {
	case 0, 1:
		return g.structType()
	case 2:
		return arrayOf(g.scalar(), 4)
	case 3:
		return arrayOf(g.structType(), 2)
	case 4, 5:
		return sliceOf(g.scalar())
	case 6:
		return sliceOf(g.structType())
	case 7:
		return mapOf(g.keyType(), g.scalar())
	case 8:
		return mapOf(g.keyType(), g.structType())
	case 9:
		return pointerTo(g.structType())
	case 10:
		return g.anyType
	case 11:
		return g.shapeType
	case 12:
		return arrayOf(arrayOf(g.scalar(), 2), 2)
	}
	return g.scalar()
}

// keyType leaves out floats, whose NaN is a key of its own.
func (g *sequential) keyType() *typ {
	for {
		if t := g.scalar(); t.kind != kindFloat {
			return t
		}
	}
}
