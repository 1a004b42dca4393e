// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"strings"
)

// Generated expressions are pure and cannot panic: the order in which Go
// evaluates operands is unspecified, so an expression in which two things may go
// wrong has no single right outcome. What may panic stands in statements of its own.

// variable is a name in scope. Loop variables and iterated maps are fixed:
// they are never assigned, so that loops end.
type variable struct {
	name  string
	typ   *typ
	fixed bool
}

// places lists the assignable or readable expressions of type t that start at
// variables in scope.
func (g *sequential) places(t *typ, assign bool) []string {
	var found []string
	for _, v := range g.scope {
		if assign && v.fixed {
			continue
		}
		found = appendPlaces(found, v.name, v.typ, t)
	}
	return found
}

func appendPlaces(found []string, path string, have, want *typ) []string {
	if have.name == want.name {
		found = append(found, path)
	}
	switch have.kind {
	case kindStruct:
		found = appendFieldPlaces(found, path, have, want)
	case kindArray:
		for i := 0; i < have.n; i += have.n - 1 {
			found = appendPlaces(found, fmt.Sprintf("%s[%d]", path, i), have.elem, want)
		}
	case kindPointer:
		if have.elem.name == want.name {
			found = append(found, "(*"+path+")")
		}
		found = appendFieldPlaces(found, path, have.elem, want)
	}
	return found
}

func appendFieldPlaces(found []string, path string, have, want *typ) []string {
	for _, f := range have.fields {
		found = appendPlaces(found, path+"."+f.name, f.typ, want)
		if f.embedded { // a promoted field, written short
			first := f.typ.fields[0]
			found = appendPlaces(found, path+"."+first.name, first.typ, want)
		}
	}
	return found
}

// atom is an expression of type t that is not constant.
func (g *sequential) atom(t *typ) string {
	places := g.places(t, false)
	if len(places) > 0 && g.rng.IntN(8) > 0 {
		return places[g.rng.IntN(len(places))]
	}
	if t.isScalar() {
		return "id(" + g.literal(t) + ")"
	}
	return g.composite(t, 1)
}

// expr is an expression of type t, not constant, with operators nested up to depth.
func (g *sequential) expr(t *typ, depth int) string {
	if depth <= 0 || g.rng.IntN(6) == 0 {
		return g.atom(t)
	}
	switch g.rng.IntN(12) {
	case 0:
		return fmt.Sprintf("choose(%s, %s, %s)", g.expr(g.boolType, depth-1), g.expr(t, depth-1), g.expr(t, depth-1))
	case 1:
		if t.ordered() {
			return fmt.Sprintf("%s(%s, %s)", g.pick("larger", "smaller", "max", "min"), g.expr(t, depth-1), g.expr(t, depth-1))
		}
	case 2:
		return fmt.Sprintf("func(x %s) %s { return x }(%s)", t.name, t.name, g.expr(t, depth-1))
	case 3:
		if m := g.mapTo(t); m != nil {
			return fmt.Sprintf("%s[%s]", m.name, g.expr(m.typ.key, depth-1))
		}
	case 4:
		return fmt.Sprintf("at(%s, %s)", g.expr(sliceOf(t), 1), g.expr(g.intType, depth-1))
	}
	switch t.kind {
	case kindInt:
		return g.intExpr(t, depth-1)
	case kindFloat:
		return g.floatExpr(t, depth-1)
	case kindString:
		return g.stringExpr(t, depth-1)
	case kindBool:
		return g.boolExpr(depth - 1)
	}
	return g.composite(t, depth-1)
}

func (g *sequential) mapTo(t *typ) *variable {
	for i := range g.scope {
		if v := &g.scope[i]; v.typ.kind == kindMap && v.typ.elem.name == t.name && g.rng.IntN(2) == 0 {
			return v
		}
	}
	return nil
}

// operand is a right operand: constants are allowed there.
func (g *sequential) operand(t *typ, depth int) string {
	if g.rng.IntN(3) == 0 {
		return g.literal(t)
	}
	return g.expr(t, depth)
}

func (g *sequential) intExpr(t *typ, depth int) string {
	a := g.expr(t, depth)
	switch g.rng.IntN(12) {
	case 0:
		return fmt.Sprintf("(%s %s (%s | 1))", a, g.pick("/", "%"), g.expr(t, depth))
	case 1:
		return fmt.Sprintf("(%s %s (%s & 63))", a, g.pick("<<", ">>"), g.expr(g.unsigned(), depth))
	case 2:
		return fmt.Sprintf("(%s %s %d)", a, g.pick("<<", ">>"), g.rng.IntN(t.bits))
	case 3:
		return fmt.Sprintf("(%s%s)", g.pick("-", "^", "+"), a)
	case 4, 5:
		return fmt.Sprintf("%s(%s)", t.name, g.expr(g.scalarOf(kindInt), depth))
	case 6:
		return fmt.Sprintf("%s(fromFloat(float64(%s)))", t.name, g.expr(g.scalarOf(kindFloat), depth))
	case 7:
		return g.intFromOther(t, depth)
	}
	return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*", "&", "|", "^", "&^"), g.operand(t, depth))
}

// unsigned draws an unsigned integer type: shift counts of signed types may
// be negative, which panics.
func (g *sequential) unsigned() *typ {
	for {
		if t := g.scalarOf(kindInt); !t.signed {
			return t
		}
	}
}

func (g *sequential) intFromOther(t *typ, depth int) string {
	switch g.rng.IntN(7) {
	case 0:
		return fmt.Sprintf("%s(len(%s))", t.name, g.expr(g.scalarOf(kindString), depth))
	case 1:
		return fmt.Sprintf("%s(len(%s))", t.name, g.atom(sliceOf(g.scalar())))
	case 2:
		return fmt.Sprintf("%s(bits.%s(uint64(%s)))", t.name, g.pick("OnesCount64", "LeadingZeros64", "TrailingZeros64", "Len64", "ReverseBytes64"), g.expr(t, depth))
	case 3:
		if !g.inMethod {
			return fmt.Sprintf("%s(%s.Area())", t.name, g.atom(g.shapeType))
		}
	case 4:
		return fmt.Sprintf("%s(%s.Up(%s))", t.name, g.expr(g.levelType, depth), g.expr(g.intType, depth))
	case 5:
		return fmt.Sprintf("%s(total(%s...))", t.name, g.atom(sliceOf(g.scalarOf(kindInt))))
	}
	return fmt.Sprintf("%s(intOf(%s))", t.name, g.atom(g.anyType))
}

func (g *sequential) floatExpr(t *typ, depth int) string {
	switch g.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("%s(%s)", t.name, g.expr(g.scalarOf(kindInt), depth))
	case 1:
		return fmt.Sprintf("%s(%s)", t.name, g.expr(g.scalarOf(kindFloat), depth))
	case 2:
		return fmt.Sprintf("%s(math.%s(float64(%s)))", t.name, g.pick("Floor", "Abs", "Sqrt", "Trunc"), g.expr(t, depth))
	case 3:
		return "(-" + g.expr(t, depth) + ")"
	}
	// The conversion forbids fusing a product into a sum, which Go allows on some machines.
	return fmt.Sprintf("%s(%s %s %s)", t.name, g.expr(t, depth), g.pick("+", "-", "*", "/"), g.operand(t, depth))
}

func (g *sequential) stringExpr(t *typ, depth int) string {
	a := g.expr(t, depth)
	switch g.rng.IntN(9) {
	case 0:
		return fmt.Sprintf("cut(%s, %s, %s)", a, g.expr(g.intType, depth), g.expr(g.intType, depth))
	case 1:
		return fmt.Sprintf("%s(strconv.FormatInt(int64(%s), 10))", t.name, g.expr(g.scalarOf(kindInt), depth))
	case 2:
		return fmt.Sprintf("%s(rune(%s & 0x7fff))", t.name, g.expr(g.intType, depth))
	case 3:
		return fmt.Sprintf("%s(reverse([]%s(%s)))", t.name, g.pick("byte", "rune"), a)
	case 4:
		return fmt.Sprintf("%s(strings.%s(string(%s)))", t.name, g.pick("ToUpper", "TrimSpace", "ToLower"), a)
	case 5:
		if !g.inMethod {
			return fmt.Sprintf("%s(%s.Name())", t.name, g.atom(g.shapeType))
		}
	}
	return fmt.Sprintf("clip(%s + %s)", a, g.operand(t, depth))
}

func (g *sequential) boolExpr(depth int) string {
	switch g.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.expr(g.boolType, depth), g.pick("&&", "||", "==", "!="), g.expr(g.boolType, depth))
	case 1:
		return "!" + g.expr(g.boolType, depth)
	case 2:
		t := g.structType()
		return fmt.Sprintf("same(%s, %s)", g.atom(t), g.atom(t))
	case 3:
		return fmt.Sprintf("(%s == %s)", g.atom(g.anyType), g.atom(g.anyType))
	case 4:
		return fmt.Sprintf("is[%s](%s)", g.scalar().name, g.atom(g.anyType))
	case 5:
		t := arrayOf(g.scalar(), 4)
		return fmt.Sprintf("same(%s, %s)", g.atom(t), g.atom(t))
	}
	t := g.scalar()
	for !t.ordered() {
		t = g.scalar()
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(t, depth), g.pick("<", "<=", ">", ">=", "==", "!="), g.operand(t, depth))
}

// composite builds a new value of a type that is not scalar.
func (g *sequential) composite(t *typ, depth int) string {
	switch t.kind {
	case kindAny:
		inner := g.scalar()
		if !g.inMethod && g.rng.IntN(4) == 0 {
			inner = g.structType()
		}
		return "any(" + g.expr(inner, depth) + ")"
	case kindShape:
		inner := g.structType()
		if inner.pointer || g.rng.IntN(2) == 0 {
			return "Shape(&" + g.structLiteral(inner, depth) + ")"
		}
		return "Shape(" + g.expr(inner, depth) + ")"
	case kindStruct:
		return g.structLiteral(t, depth)
	case kindPointer:
		return "&" + g.structLiteral(t.elem, depth)
	case kindMap:
		return fmt.Sprintf("%s{%s: %s}", t.name, g.mapKey(t.key), g.expr(t.elem, depth-1))
	case kindArray, kindSlice:
		n := t.n
		if t.kind == kindSlice {
			n = g.rng.IntN(5)
		}
		var elems []string
		for range n {
			elems = append(elems, g.expr(t.elem, depth-1))
		}
		return t.name + "{" + strings.Join(elems, ", ") + "}"
	}
	return g.expr(t, depth-1)
}

func (g *sequential) mapKey(t *typ) string {
	if g.rng.IntN(2) == 0 {
		return g.literal(t)
	}
	return g.atom(t)
}

func (g *sequential) structLiteral(t *typ, depth int) string {
	var parts []string
	for _, f := range t.fields {
		if g.rng.IntN(4) > 0 {
			parts = append(parts, f.name+": "+g.expr(f.typ, depth-1))
		}
	}
	return t.name + "{" + strings.Join(parts, ", ") + "}"
}
