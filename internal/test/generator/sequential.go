// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Sequential writes a random sequential program, the same for the same
// seed, that prints a long trail of values. It compiles and ends, and its
// output is the same on every run with 64-bit integers: whatever Go leaves open
// (evaluation order, map order, float to integer conversion out of range) is avoided.
//
// The trail consists of strings, booleans and numbers given to fmt.Println; every fourth
// seed (3, 7, …) also prints composite values with several verbs, which tests
// fmt as much as the language.
func Sequential(seed uint64) string {
	g := &sequential{rng: rand.New(rand.NewPCG(seed, 0x73657175656e6365)), scalars: scalarTypes(), formats: seed%4 == 3}
	g.anyType = &typ{name: "any", kind: kindAny}
	g.shapeType = &typ{name: "Shape", kind: kindShape}
	for _, t := range g.scalars {
		switch t.name {
		case "bool":
			g.boolType = t
		case "int":
			g.intType = t
		case "Level":
			g.levelType = t
		}
	}
	body := g.structDeclarations() + g.globals() + g.functions() + g.mainFunction()
	return formatSource(fmt.Sprintf("// sequential seed %d\n\npackage main\n\n", seed) + imports(sequentialPrelude+body) + sequentialPrelude + body)
}

// sequential is the state of one call of Sequential.
type sequential struct {
	rng     *rand.Rand
	formats bool

	scalars, structs                                 []*typ
	anyType, shapeType, boolType, intType, levelType *typ

	inMethod bool       // inside Area or Name, which must not call themselves
	scope    []variable // innermost last
	callable []function
	fresh    int // number of names given
	loops    int // nesting of loops here
	lines    strings.Builder
}

// function is a generated function that later ones may call.
type function struct {
	name            string
	params, results []*typ
}

func (g *sequential) line(format string, args ...any) {
	fmt.Fprintf(&g.lines, format+"\n", args...)
}

func (g *sequential) newName(prefix string) string {
	g.fresh++
	return fmt.Sprint(prefix, g.fresh)
}

// take returns the lines written since the last call.
func (g *sequential) take() string {
	text := g.lines.String()
	g.lines.Reset()
	return text
}

// structDeclarations draws the struct types and writes them with their methods.
func (g *sequential) structDeclarations() string {
	for i := range 3 {
		g.structs = append(g.structs, g.newStruct(i))
	}
	text := ""
	g.inMethod = true
	for _, t := range g.structs {
		receiver := variable{name: "v", typ: t}
		if t.pointer {
			receiver.typ = pointerTo(t)
		}
		g.scope = []variable{receiver}
		text += t.declaration("int("+g.expr(g.scalarOf(kindInt), 2)+")", "string("+g.expr(g.scalarOf(kindString), 1)+")")
	}
	g.inMethod = false
	g.scope = nil
	return text
}

// newStruct draws the i-th struct type; it may embed an earlier one. Its fields
// are comparable, so that structs can be dynamic values that are compared.
func (g *sequential) newStruct(i int) *typ {
	t := &typ{name: fmt.Sprint("Rec", i), kind: kindStruct, pointer: g.rng.IntN(3) == 0}
	t.fields = append(t.fields, field{name: fmt.Sprintf("f%d", i), typ: g.scalar()})
	for j := range 1 + g.rng.IntN(3) {
		inner := g.scalar()
		if g.rng.IntN(4) == 0 {
			inner = arrayOf(inner, 2)
		}
		t.fields = append(t.fields, field{name: fmt.Sprintf("f%d%c", i, 'a'+j), typ: inner})
	}
	if i > 0 && g.rng.IntN(3) > 0 {
		inner := g.structType()
		t.fields = append(t.fields, field{name: inner.name, typ: inner, embedded: true})
	}
	return t
}

func (g *sequential) globals() string {
	text := ""
	for range 4 {
		t := g.valueType()
		name := g.newName("g")
		text += fmt.Sprintf("var %s %s = %s\n", name, t.name, g.expr(t, 1))
		g.scope = append(g.scope, variable{name: name, typ: t, fixed: t.kind == kindMap})
	}
	return text + "\n"
}

func (g *sequential) functions() string {
	text := ""
	for range 3 + g.rng.IntN(3) {
		text += g.function()
	}
	return text
}

// function writes one function with named results; it may call those written
// before, so there is no recursion here (the prelude has some).
func (g *sequential) function() string {
	f := function{name: g.newName("fun")}
	outer := len(g.scope)
	var params, results []string
	for range 1 + g.rng.IntN(3) {
		t := g.valueType()
		name := g.newName("p")
		f.params = append(f.params, t)
		params = append(params, name+" "+t.name)
		g.scope = append(g.scope, variable{name: name, typ: t})
	}
	for range 1 + g.rng.IntN(2) {
		t := g.scalar()
		if g.rng.IntN(4) == 0 {
			t = g.structType()
		}
		name := g.newName("r")
		f.results = append(f.results, t)
		results = append(results, name+" "+t.name)
		g.scope = append(g.scope, variable{name: name, typ: t})
	}
	g.line("func %s(%s) (%s) {", f.name, strings.Join(params, ", "), strings.Join(results, ", "))
	g.line("if tick() {\nreturn\n}")
	g.statements(5+g.rng.IntN(5), 3)
	g.printScope(outer)
	g.finish(f)
	g.line("}\n")
	g.scope = g.scope[:outer]
	g.callable = append(g.callable, f)
	return g.take()
}

// finish returns, with the named results as they are or with new ones.
func (g *sequential) finish(f function) {
	if g.rng.IntN(2) == 0 {
		g.line("return")
		return
	}
	var values []string
	for _, t := range f.results {
		values = append(values, g.expr(t, 1))
	}
	g.line("return %s", strings.Join(values, ", "))
}

func (g *sequential) mainFunction() string {
	g.line("func main() {")
	g.line("library()")
	for _, f := range g.callable {
		for range 2 {
			outer := len(g.scope)
			g.line("try(%q, func() {", f.name)
			g.call(f)
			g.line("})")
			g.scope = g.scope[:outer]
		}
	}
	g.line(`try("main", func() {`)
	outer := len(g.scope)
	g.statements(12, 3)
	g.scope = g.scope[:outer]
	g.line("})")
	g.printScope(0)
	g.line(`out("end", steps)`)
	g.line("}")
	return g.take()
}

// call calls f with new arguments, keeps its results in new variables and prints them.
func (g *sequential) call(f function) {
	var args, names []string
	for _, t := range f.params {
		args = append(args, g.expr(t, 1))
	}
	for range f.results {
		names = append(names, g.newName("v"))
	}
	g.line("%s := %s(%s)", strings.Join(names, ", "), f.name, strings.Join(args, ", "))
	for i, name := range names {
		g.print(name, f.results[i])
		g.scope = append(g.scope, variable{name: name, typ: f.results[i]})
	}
}

// printScope prints the variables declared since the scope had length from.
func (g *sequential) printScope(from int) {
	for _, v := range g.scope[from:] {
		g.print(v.name, v.typ)
	}
}

// print writes statements that print the value of an expression, down to its scalars.
func (g *sequential) print(path string, t *typ) {
	label := strings.ReplaceAll(path, `"`, "")
	if g.formats && g.rng.IntN(2) == 0 && t.kind != kindPointer && t.kind != kindShape {
		g.line("show(%q, %s)", label, path)
		return
	}
	switch t.kind {
	case kindStruct, kindPointer:
		fields := t.fields
		if t.kind == kindPointer {
			fields = t.elem.fields
		}
		for _, f := range fields {
			g.print(path+"."+f.name, f.typ)
		}
	case kindArray, kindSlice:
		g.line("out(%q, len(%s))", label+" length", path)
		e := g.newName("e")
		g.line("for _, %s := range %s {", e, path)
		g.print(e, t.elem)
		g.line("}")
	case kindMap:
		k := g.newName("k")
		g.line("for _, %s := range sortedKeys(%s) {", k, path)
		g.print(k, t.key)
		g.print(path+"["+k+"]", t.elem)
		g.line("}")
	case kindAny:
		g.line("out(%q, typeName(%s), intOf(%s))", label, path, path)
	case kindShape:
		g.line("out(%q, %s.Area(), %s.Name())", label, path, path)
	default:
		g.line("out(%q, %s)", label, path)
	}
}
