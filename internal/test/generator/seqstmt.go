// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"strings"
)

// statements writes n statements; depth bounds the nesting of blocks.
func (g *sequential) statements(n, depth int) {
	for range n {
		g.statement(depth)
	}
}

// block writes statements in a scope of their own.
func (g *sequential) block(n, depth int) {
	outer := len(g.scope)
	g.statements(n, depth)
	g.scope = g.scope[:outer]
}

// statement draws a form of statement. Simple ones are repeated in the list to
// be more frequent; those that nest come only where depth allows.
func (g *sequential) statement(depth int) {
	simple := []func(){
		g.declare, g.declare, g.assign, g.assign, g.assignOp, g.swap, g.assignTwo, g.sliceStatement, g.sliceStatement,
		g.mapStatement, g.closure, g.capture, g.bump, g.printOne, g.risk, g.risk, g.useShape, g.generic, g.channel, g.byValue,
	}
	nested := []func(int){
		g.ifElse, g.ifElse, g.switchInt, g.switchType, g.switchBool, g.loopThree, g.loopRange, g.loopRange, g.loopLabeled, g.loopGoto,
		g.deferred, g.tryBlock, g.loopCollection, g.loopFunc,
	}
	if depth > 0 && g.rng.IntN(3) == 0 {
		nested[g.rng.IntN(len(nested))](depth - 1)
		return
	}
	if len(g.callable) > 0 && g.loops < 2 && g.rng.IntN(12) == 0 {
		g.call(g.callable[g.rng.IntN(len(g.callable))])
		return
	}
	simple[g.rng.IntN(len(simple))]()
}

// newVariable declares and returns a variable in scope.
func (g *sequential) newVariable(t *typ, value string) variable {
	v := variable{name: g.newName("v"), typ: t}
	if g.rng.IntN(2) == 0 {
		g.line("var %s %s = %s", v.name, t.name, value)
	} else {
		g.line("%s := %s(%s)", v.name, parenthesised(t), value)
	}
	g.line("_ = %s", v.name)
	v.fixed = t.kind == kindMap // a map that is assigned could alias one that is ranged over
	g.scope = append(g.scope, v)
	return v
}

// parenthesised writes a type so that it can stand before a conversion's parenthesis.
func parenthesised(t *typ) string {
	if t.kind == kindPointer {
		return "(" + t.name + ")"
	}
	return t.name
}

func (g *sequential) declare() {
	t := g.valueType()
	g.newVariable(t, g.expr(t, 2))
}

// place draws a scalar type and an assignable expression of it.
func (g *sequential) place() (string, *typ, bool) {
	for range 10 {
		t := g.scalar()
		if places := g.places(t, true); len(places) > 0 {
			return places[g.rng.IntN(len(places))], t, true
		}
	}
	return "", nil, false
}

func (g *sequential) assign() {
	t := g.valueType()
	if places := g.places(t, true); len(places) > 0 {
		g.line("%s = %s", places[g.rng.IntN(len(places))], g.expr(t, 2))
		return
	}
	g.declare()
}

func (g *sequential) assignOp() {
	place, t, ok := g.place()
	if !ok {
		return
	}
	switch t.kind {
	case kindInt:
		switch g.rng.IntN(4) {
		case 0:
			g.line("%s%s", place, g.pick("++", "--"))
		case 1:
			g.line("%s %s= %s & 31", place, g.pick("<<", ">>"), g.expr(g.unsigned(), 1))
		default:
			g.line("%s %s= %s", place, g.pick("+", "-", "*", "&", "|", "^", "&^"), g.operand(t, 2))
		}
	case kindFloat:
		g.line("%s %s= %s", place, g.pick("+", "-", "*", "/"), g.operand(t, 1))
	case kindString:
		g.line("%s = clip(%s + %s)", place, place, g.operand(t, 1))
	case kindBool:
		g.line("%s = !%s", place, place)
	}
}

func (g *sequential) swap() {
	_, t, ok := g.place()
	if !ok {
		return
	}
	places := g.places(t, true)
	a, b, c := places[g.rng.IntN(len(places))], places[g.rng.IntN(len(places))], places[g.rng.IntN(len(places))]
	if g.rng.IntN(2) == 0 && a != b {
		g.line("%s, %s = %s, %s", a, b, b, a)
		return
	}
	g.line("%s, %s, %s = %s, %s, %s", a, b, c, b, c, a)
}

// assignTwo relies on the two phases of assignment: the index is evaluated with
// the old value.
func (g *sequential) assignTwo() {
	places := g.places(g.intType, true)
	t := arrayOf(g.scalar(), 4)
	array := g.newVariable(t, g.expr(t, 1))
	if len(places) == 0 {
		return
	}
	i := places[g.rng.IntN(len(places))]
	g.line("%s, %s[%s & 3] = %s, %s", i, array.name, i, g.expr(g.intType, 1), g.expr(t.elem, 1))
	g.line("%s[%s&3], %s[1] = %s[0], %s[%s&3]", array.name, i, array.name, array.name, array.name, i)
	g.print(array.name, t)
}

func (g *sequential) sliceStatement() {
	t := sliceOf(g.scalar())
	s := g.newVariable(t, g.expr(t, 1))
	switch g.rng.IntN(7) {
	case 0:
		g.line("%s = append(%s, %s, %s)", s.name, s.name, g.operand(t.elem, 1), g.operand(t.elem, 1))
	case 1:
		other := g.newVariable(t, fmt.Sprintf("append(%s[:0:0], %s...)", s.name, s.name))
		g.line("out(%q, copy(%s, %s))", "copied", other.name, g.expr(t, 1))
	case 2:
		g.line("%s = append(make(%s, 2, 6), %s...)", s.name, t.name, s.name)
		alias := g.newVariable(t, fmt.Sprintf("%s[1:2:3]", s.name))
		g.line("%s = append(%s, %s)", alias.name, alias.name, g.operand(t.elem, 1))
		g.line("%s = append(%s, %s)\n%s[0] = %s", alias.name, alias.name, g.operand(t.elem, 1), alias.name, g.operand(t.elem, 1))
		g.line("out(%q, len(%s), cap(%s) >= 3)", alias.name, alias.name, alias.name)
		g.print(alias.name, t)
	case 3:
		g.line("for i := range %s {\n%s[i] = %s\n}", s.name, s.name, g.operand(t.elem, 1))
	case 4:
		g.line("if len(%s) > 1 {\n%s[0], %s[1] = %s[1], %s[0]\n%s = %s[1:]\n}", s.name, s.name, s.name, s.name, s.name, s.name, s.name)
	case 5:
		g.line("clear(%s)\nreverse(%s)", s.name, s.name)
	case 6:
		g.line("%s = append([]%s(nil), %s...)\nout(%q, %s == nil)", s.name, t.elem.name, s.name, "nil?", s.name)
	}
	g.print(s.name, t)
}

func (g *sequential) mapStatement() {
	t := mapOf(g.keyType(), g.scalar())
	m := g.newVariable(t, t.name+"{}")
	for range 1 + g.rng.IntN(4) {
		switch g.rng.IntN(5) {
		case 0:
			g.line("delete(%s, %s)", m.name, g.mapKey(t.key))
		case 1:
			if t.elem.kind == kindInt || t.elem.kind == kindFloat {
				g.line("%s[%s] %s= %s", m.name, g.mapKey(t.key), g.pick("+", "-", "*"), g.operand(t.elem, 1))
			}
		case 2:
			g.line("if x, ok := %s[%s]; !ok {\nout(%q, x)\n}", m.name, g.mapKey(t.key), "absent")
		default:
			g.line("%s[%s] = %s", m.name, g.mapKey(t.key), g.expr(t.elem, 1))
		}
	}
	g.line("out(%q, len(%s))", m.name, m.name)
	g.print(m.name, t)
}

// closure declares a function value and calls it; the call stands alone, since
// the closure changes what it captures.
func (g *sequential) closure() {
	place, t, ok := g.place()
	if !ok {
		return
	}
	f := g.newName("c")
	outer := len(g.scope)
	g.line("%s := func(x %s) %s {", f, t.name, t.name)
	g.scope = append(g.scope, variable{name: "x", typ: t})
	g.line("%s = %s\nreturn %s\n}", place, g.expr(t, 1), g.expr(t, 1))
	g.scope = g.scope[:outer]
	result := g.newName("v")
	g.line("%s := %s(%s)", result, f, g.expr(t, 1))
	g.line("out(%q, %s, %s)", f, result, place)
}

// capture collects closures over loop variables and runs them after the loop.
func (g *sequential) capture() {
	fs, i := g.newName("c"), g.newName("i")
	t := g.scalarOf(kindInt)
	g.line("var %s []func() %s", fs, t.name)
	outer := len(g.scope)
	g.line("for %s := %s(0); %s < 3; %s++ {", i, t.name, i, i)
	g.scope = append(g.scope, variable{name: i, typ: t, fixed: true})
	g.line("%s = append(%s, func() %s { %s += 2; return %s })", fs, fs, t.name, i, g.expr(t, 1))
	g.line("}")
	g.scope = g.scope[:outer]
	g.line("for _, f := range %s {\nout(%q, f())\nout(%q, f())\n}", fs, fs, "again")
}

func (g *sequential) bump() {
	t := g.structType()
	places := g.places(t, true)
	if len(places) == 0 {
		return
	}
	place := places[g.rng.IntN(len(places))]
	k := g.expr(g.intType, 1)
	switch g.rng.IntN(3) {
	case 0:
		g.line("%s.Bump(%s)", place, k)
	case 1:
		f := g.newName("c")
		g.line("%s := %s.Bump\n%s(%s)", f, place, f, k)
	case 2:
		g.line("(*%s).Bump(&%s, %s)", t.name, place, k)
	}
}

func (g *sequential) printOne() {
	v := g.scope[g.rng.IntN(len(g.scope))]
	g.print(v.name, v.typ)
}

func (g *sequential) useShape() {
	t := g.structType()
	v := g.newVariable(t, g.expr(t, 1))
	s := g.newVariable(g.shapeType, "&"+v.name)
	area := g.newName("c")
	g.line("%s := %s.Area", area, s.name)
	g.line("%s.Bump(%s)", v.name, g.expr(g.intType, 1))
	g.line("out(%q, %s.Area(), %s(), %s.Name())", "shape", s.name, area, s.name)
	g.line("if r, ok := %s.(*%s); ok {\nr.Bump(1)\nout(%q, r.Area())\n}", s.name, g.structType().name, "asserted")
}

func (g *sequential) generic() {
	a, b := g.scalar(), g.scalar()
	p := g.newName("q")
	g.line("%s := Pair[%s, %s]{%s, %s}.Swap()", p, a.name, b.name, g.expr(a, 1), g.expr(b, 1))
	g.line("out(%q, %s.First, %s.Second)", p, p, p)
	s := g.newName("q")
	g.line("%s := new(Stack[%s])\n%s.Push(%s).Push(%s)", s, a.name, s, g.expr(a, 1), g.operand(a, 1))
	g.line("for i, x := range %s.All() {\nout(%q, i, x)\n}", s, s)
	outer := len(g.scope)
	g.scope = append(g.scope, variable{name: "x", typ: a})
	g.line("for _, y := range mapped(%s.items, func(x %s) %s { return %s }) {\nout(%q, y)\n}", s, a.name, b.name, g.expr(b, 2), "mapped")
	g.scope = g.scope[:outer]
}

// channel uses a buffered channel within one goroutine.
func (g *sequential) channel() {
	t := g.scalar()
	c := g.newName("ch")
	g.line("%s := make(chan %s, 3)\n%s <- %s\n%s <- %s", c, t.name, c, g.expr(t, 1), c, g.operand(t, 1))
	g.line("select {\ncase x := <-%s:\nout(%q, x, len(%s))\ndefault:\nout(%q)\n}", c, c, c, "empty")
	g.line("close(%s)\nfor x := range %s {\nout(%q, x)\n}", c, c, c)
}

// byValue checks that arrays and structs are copied by assignment and range.
func (g *sequential) byValue() {
	t := arrayOf(g.structType(), 2)
	a := g.newVariable(t, g.expr(t, 1))
	b := g.newVariable(t, a.name)
	g.line("%s[0].Bump(%s)", b.name, g.expr(g.intType, 1))
	g.line("for i, x := range %s {\n%s[1].Bump(3)\nx.Bump(i)\nout(%q, x.%s)\n}", a.name, a.name, "copy", t.elem.fields[0].name)
	g.line("out(%q, %s == %s)", "equal", a.name, b.name)
	g.print(b.name, t)
}

// risk writes one operation that may panic, with operands that cannot.
func (g *sequential) risk() {
	label := g.newName("risk")
	g.line("try(%q, func() {", label)
	t := g.scalar()
	i := g.expr(g.intType, 1)
	switch g.rng.IntN(13) {
	case 0:
		n := g.scalarOf(kindInt)
		g.line("x, y := %s, %s\nout(%q, x %s y)", g.expr(n, 1), g.expr(n, 1), label, g.pick("/", "%"))
	case 1:
		g.line("s, i := %s, %s %% 5\nout(%q, s[i])", g.expr(sliceOf(t), 1), i, label)
	case 2:
		g.line("s, i, j := %s, %s %% 5, %s %% 6\nout(%q, len(s[i:j]))", g.expr(sliceOf(t), 1), i, g.expr(g.intType, 1), label)
	case 3:
		g.line("out(%q, %s.(%s))", label, g.atom(g.anyType), t.name)
	case 4:
		g.line("var m map[%s]%s\nout(%q, m[%s])\nm[%s] = %s", g.intType.name, t.name, label, i, i, g.expr(t, 1))
	case 5:
		s := g.structType()
		g.line("var p *%s\nif %s {\np = &%s\n}\nout(%q, p.%s)", s.name, g.expr(g.boolType, 1), g.structLiteral(s, 1), label, s.fields[0].name)
	case 6:
		g.line("panic(%s)", g.expr(g.pickScalar(), 1))
	case 7:
		g.line("panic(&failure{%s})", i)
	case 8:
		g.line("s := %s\nout(%q, (*[2]%s)(s)[1])", g.expr(sliceOf(t), 1), label, t.name)
	case 9:
		g.line("x, k := %s, %s %% 70\nout(%q, x << k)", g.expr(g.scalarOf(kindInt), 1), i, label)
	case 10:
		g.line("n := %s %% 5\nout(%q, len(make([]%s, n)))", i, label, t.name)
	case 11:
		g.line("s, i := %s, %s %% 9\nout(%q, string(s[i:]))", g.expr(g.scalarOf(kindString), 1), i, label)
	case 12:
		g.line("var a %s\ni := %s %% 6\na[i] = %s\nout(%q, a[i])", arrayOf(t, 4).name, i, g.expr(t, 1), label)
	}
	g.line("})")
}

// pickScalar is a predeclared scalar type: panics print their values, and how
// they print named ones is left to other tests.
func (g *sequential) pickScalar() *typ {
	for {
		if t := g.scalar(); strings.ToLower(t.name) == t.name {
			return t
		}
	}
}
