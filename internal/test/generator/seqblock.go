// SPDX-License-Identifier: BSD-3-Clause

package generator

// Control flow of sequential programs: branches, switches, loops of every form, and what leaves
// them. Each takes the depth to which statements may still be nested.

func (g *sequential) ifElse(depth int) {
	g.line("if %s {", g.expr(g.boolType, 2))
	g.block(2, depth)
	if g.rng.IntN(2) == 0 {
		t := g.scalar()
		g.line("} else if x := %s; same(x, %s) {\nout(%q, x)", g.expr(t, 1), g.expr(t, 1), "else if")
	}
	if g.rng.IntN(2) == 0 {
		g.line("} else {")
		g.block(2, depth)
	}
	g.line("}")
}

func (g *sequential) switchInt(depth int) {
	t := g.scalarOf(kindInt)
	g.line("switch x := %s & 7; x {", g.expr(t, 2))
	for c := range 3 {
		g.line("case %d, %d:", 2*c, 2*c+1)
		g.block(1, depth)
		if c < 2 && g.rng.IntN(4) == 0 {
			g.line("fallthrough")
		}
	}
	if g.rng.IntN(2) == 0 {
		g.line("default:\nout(%q, x)", "default")
	}
	g.line("}")
}

func (g *sequential) switchBool(depth int) {
	g.line("switch {")
	for range 2 {
		g.line("case %s:", g.expr(g.boolType, 1))
		g.block(1, depth)
		if g.rng.IntN(4) == 0 {
			g.line("if %s {\nbreak\n}\nout(%q)", g.expr(g.boolType, 1), "after break")
		}
	}
	g.line("default:")
	g.block(1, depth)
	g.line("}")
}

// switchType has one case for a list of types, in which x stays an any.
func (g *sequential) switchType(depth int) {
	s := g.structType()
	g.line("switch x := %s.(type) {", g.expr(g.anyType, 1))
	g.line("case nil:\nout(%q)", "nil")
	g.line("case int, uint, string:\nout(%q, x)", "int, uint or string")
	g.line("case %s:\nx.Bump(2)", s.name)
	g.print("x", s)
	g.line("case bool:\nif x {")
	g.block(1, depth)
	g.line("}\ncase Shape:\nout(%q, x.Area())", "shape")
	g.line("case Level:\nout(%q, x.Up(3))\ndefault:\nout(typeName(x), intOf(x))\n}", "level")
}

// enterLoop and leaveLoop enclose the body of a loop.
func (g *sequential) enterLoop(variables ...variable) int {
	outer := len(g.scope)
	g.scope = append(g.scope, variables...)
	g.loops++
	for _, v := range variables {
		g.line("_ = %s", v.name)
	}
	g.line("if tick() {\nbreak\n}")
	return outer
}

func (g *sequential) leaveLoop(outer int) {
	g.loops--
	g.scope = g.scope[:outer]
	g.line("}")
}

func (g *sequential) loopThree(depth int) {
	i := g.newName("i")
	t := g.scalarOf(kindInt)
	g.line("for %s := %s(%d); %s > 0; %s-- {", i, t.name, 1+g.rng.IntN(4), i, i)
	outer := g.enterLoop(variable{name: i, typ: t, fixed: true})
	g.statements(1+g.rng.IntN(2), depth)
	g.leaveLoop(outer)
}

// loopRange ranges over an integer or a string.
func (g *sequential) loopRange(depth int) {
	i := g.newName("i")
	if g.rng.IntN(2) == 0 {
		t := g.scalarOf(kindInt)
		g.line("for %s := range %s(%s & 3) {", i, t.name, g.expr(t, 1))
		outer := g.enterLoop(variable{name: i, typ: t, fixed: true})
		g.statements(2, depth)
		g.leaveLoop(outer)
		return
	}
	r := g.newName("i")
	g.line("for %s, %s := range %s {\nout(%q, %s, %s)", i, r, g.expr(g.scalarOf(kindString), 2), "rune", i, r)
	outer := g.enterLoop(variable{name: i, typ: g.intType, fixed: true})
	g.statements(1, 0)
	g.leaveLoop(outer)
}

// loopCollection ranges over an array or slice; or over a map, whose order is
// random, with a body that does not depend on it.
func (g *sequential) loopCollection(depth int) {
	i, e := g.newName("i"), g.newName("e")
	switch g.rng.IntN(3) {
	case 0:
		t := mapOf(g.keyType(), g.scalarOf(kindInt))
		m := g.newVariable(t, g.composite(t, 1))
		sum := g.newVariable(t.elem, g.literal(t.elem))
		g.line("for %s, %s := range %s {\n%s += %s\nif intOf(%s) > 2 {\ndelete(%s, %s)\n}\n}", i, e, m.name, sum.name, e, i, m.name, i)
		g.line("out(%q, %s, len(%s))", "sum", sum.name, m.name)
		return
	case 1:
		t := sliceOf(g.scalar())
		s := g.newVariable(t, g.expr(t, 1))
		s.fixed = true
		g.scope[len(g.scope)-1] = s
		g.line("for %s, %s := range %s {\n%s = append(%s, %s)", i, e, s.name, s.name, s.name, e)
		g.elementBody(depth, variable{name: i, typ: g.intType, fixed: true}, variable{name: e, typ: t.elem})
	case 2:
		t := arrayOf(g.scalar(), 4)
		a := g.newVariable(t, g.expr(t, 1))
		g.line("for %s, %s := range %s {\n%s[3] = %s\nout(%q, %s)", i, e, g.pick("&"+a.name, a.name), a.name, e, "element", e)
		g.elementBody(depth, variable{name: i, typ: g.intType, fixed: true}, variable{name: e, typ: t.elem})
	}
}

func (g *sequential) elementBody(depth int, index, element variable) {
	outer := g.enterLoop(index, element)
	g.statements(1, depth)
	g.leaveLoop(outer)
}

// loopFunc ranges over an iterator function that tells when it ends.
func (g *sequential) loopFunc(depth int) {
	i := g.newName("i")
	g.line("for %s := range upTo(%d) {", i, g.rng.IntN(5))
	outer := g.enterLoop(variable{name: i, typ: g.intType, fixed: true})
	g.statements(1, depth)
	g.line("if %s {\n%s\n}", g.expr(g.boolType, 1), g.pick("break", "continue"))
	g.line("out(%q, %s)", "upTo", i)
	g.leaveLoop(outer)
}

func (g *sequential) loopLabeled(depth int) {
	label, i, j := g.newName("Outer"), g.newName("i"), g.newName("i")
	g.line("%s:\nfor %s := range 3 {", label, i)
	outer := g.enterLoop(variable{name: i, typ: g.intType, fixed: true})
	g.line("for %s := 0; %s < 3; %s++ {", j, j, j)
	inner := g.enterLoop(variable{name: j, typ: g.intType, fixed: true})
	g.line("if %s {\n%s %s\n}", g.expr(g.boolType, 1), g.pick("break", "continue"), label)
	g.statements(1, depth)
	g.line("out(%q, %s, %s)", label, i, j)
	g.leaveLoop(inner)
	g.leaveLoop(outer)
}

// loopGoto counts with a goto. Its body is a block, so that the jump enters no scope.
func (g *sequential) loopGoto(depth int) {
	label, i := g.newName("Again"), g.newName("i")
	g.line("%s := 0\n%s:\nif %s < 3 && !tick() {\n%s++", i, label, i, i)
	outer := len(g.scope)
	g.scope = append(g.scope, variable{name: i, typ: g.intType, fixed: true})
	g.loops++
	g.statements(1, depth)
	g.loops--
	g.scope = g.scope[:outer]
	g.line("out(%q, %s)\ngoto %s\n}", label, i, label)
}

// deferred defers closures that print and change what is in scope, inside a
// function literal so that they run at once.
func (g *sequential) deferred(depth int) {
	place, t, ok := g.place()
	if !ok {
		return
	}
	g.line("func() {\ndefer func() {\nout(%q, %s)\n%s = %s\n}()", "deferred", place, place, g.expr(t, 1))
	g.line("defer out(%q, %s)", "argument", place)
	outer := len(g.scope)
	loops := g.loops
	g.loops = max(g.loops, 1)
	g.statements(2, depth)
	if g.rng.IntN(3) == 0 {
		g.line("defer func() { out(%q, recover() != nil) }()", "recovered")
		g.line("if %s {\npanic(%s)\n}", g.expr(g.boolType, 1), g.expr(g.pickScalar(), 1))
	}
	g.loops = loops
	g.scope = g.scope[:outer]
	g.line("}()")
}

func (g *sequential) tryBlock(depth int) {
	label := g.newName("try")
	g.line("try(%q, func() {", label)
	outer := len(g.scope)
	g.statements(2, depth)
	g.line("if %s {\npanic(%s)\n}", g.expr(g.boolType, 1), g.expr(g.pickScalar(), 1))
	g.statements(1, 0)
	g.scope = g.scope[:outer]
	g.line("})")
}
