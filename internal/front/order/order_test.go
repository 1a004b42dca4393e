// SPDX-License-Identifier: BSD-3-Clause

package order_test

import (
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"pangolin/internal/front/order"
)

// The order of evaluation in rewritten syntax, case by case, as the compiler's.

const declarations = `package p

type s struct {
	n    int
	a    [4]int
	sl   []int
	p    *s
	m    map[int][]int
	mi   map[int]int
	i    interface{ f(int) int }
	fn   func(int) int
	ch   chan int
}

func (x *s) f(int) int { return x.n }
func (x s) v(int) int { return x.n }

func f(int) int { return 0 }
func two(a, b int) (int, int) { return a, b }

`

// rewritten gives the body of a function with the statements, as the package leaves it.
func rewritten(t *testing.T, head, body string, instrumented bool) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", declarations+head+" {\n"+body+"\n}\n", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{}}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	before := printed(t, file)
	done := order.Package(pkg, []*ast.File{file}, info, instrumented)[0]
	if printed(t, file) != before {
		t.Error("the syntax that was given has changed")
	}
	return printed(t, done)
}

// printed joins a function's statements, each on one line.
func printed(t *testing.T, file *ast.File) string {
	t.Helper()
	decl := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	var lines []string
	for _, s := range decl.Body.List {
		var b strings.Builder
		if err := format.Node(&b, token.NewFileSet(), s); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Join(strings.Fields(b.String()), " "))
	}
	return strings.Join(lines, "; ")
}

func TestPackage_CallsAheadOfReads(t *testing.T) {
	const plain = "func g(x *s, y int)"
	for _, c := range []struct{ name, head, body, want string }{
		{"nothing to do", plain, "y = f(x.n) + x.n", "y = f(x.n) + x.n"},
		{"nested calls", plain, "y = f(f(x.n))", "y = f(f(x.n))"},
		{"a variable beside a call", plain, "y = x.n + f(1)", "value1 := f(1); y = x.n + value1"},
		{"a place with an index", plain, "x.a[x.n] = x.f(y)", "value1 := x.f(y); x.a[x.n] = value1"},
		{"an operation and assignment", plain, "x.sl[x.n] += x.f(y)", "value1 := x.f(y); x.sl[x.n] += value1"},
		{"results", "func g(x *s) (int, int)", "return x.n, f(1)", "value1 := f(1); return x.n, value1"},
		{"arguments", plain, "println(x.n, f(1), x.n)", "value1 := f(1); println(x.n, value1, x.n)"},
		{"a receiver by value", plain, "x.v(f(1))", "value1 := f(1); x.v(value1)"},
		{"an interface", plain, "x.i.f(f(1))", "value1 := f(1); x.i.f(value1)"},
		{"a function in a field", plain, "x.fn(f(1))", "value1 := f(1); x.fn(value1)"},
		{"length at its place", plain, "y = len(x.sl) + f(1)", "value1 := len(x.sl); value2 := f(1); y = value1 + value2"},
		{"receive at its place", plain, "y = x.n + <-x.ch + f(1)", "value1 := <-x.ch; value2 := f(1); y = x.n + value1 + value2"},
		{"slicing at its place", plain, "println(x.sl[x.n:], f(1))", "value1 := x.n; value2 := x.sl[value1:]; value3 := f(1); println(value2, value3)"},
		{"a call with two values", plain, "println(x.n); x.n, y = two(x.n, f(1))", "println(x.n); value1 := f(1); value2, value3 := two(x.n, value1); x.n, y = value2, value3"},
		{"logic", plain, "println(x.n, y > 0 && f(1) > x.n)", "value1 := y > 0; if value1 { value2 := f(1); value1 = value2 > x.n }; println(x.n, value1)"},
		{"logic whose first operand is used when it is known", plain, "if x.n > 0 && f(1) > 0 { y++ }", "if x.n > 0 && f(1) > 0 { y++ }"},
		{"if", plain, "if y := 1; x.n > f(y) { y++ }", "y := 1; value1 := f(y); if x.n > value1 { y++ }"},
		{"else if", plain, "if y > 0 { y++ } else if x.n > f(y) { y-- }", "if y > 0 { y++ } else { value1 := f(y); if x.n > value1 { y-- } }"},
		{"for", plain, "for x.n < f(1) { y++ }", "for { value1 := f(1); if !(x.n < value1) { break }; y++ }"},
		{"switch", plain, "switch { case x.n > f(1): y++ }",
			"value1 := -1; value2 := f(1); if x.n > value2 { value1 = 0 } else { }; switch value1 { case 0: y++ }"},
		{"go", plain, "go println(x.n, f(1))", "value1 := f(1); go println(x.n, value1)"},
		{"send", plain, "x.ch <- f(1)", "value1 := f(1); x.ch <- value1"},
		{"a map's entry that grows", plain, "x.m[x.n] = append(x.m[x.n], f(1))",
			"value1 := x.m; value2 := x.n; value3 := f(1); value1[value2] = append(value1[value2], value3)"},
		{"a slice that grows", plain, "x.p.sl = append(x.p.sl, f(1))", "value1 := f(1); x.p.sl = append(x.p.sl, value1)"},
		{"a slice that grows by another", plain, "x.p.sl = append(x.p.sl, x.sl...)", "value1 := append(x.p.sl, x.sl...); x.p.sl = value1"},
		{"a slice that becomes another that has grown", plain, "x.p.sl = append(x.sl, y)", "value1 := append(x.sl, y); x.p.sl = value1"},
		{"two slices that grow", plain, "x.sl, x.p.sl = append(x.sl, y), nil", "value1 := append(x.sl, y); x.sl, x.p.sl = value1, nil"},
		{"inside a literal", plain, "defer func() { x.n = x.n + f(1) }()", "defer func() { value1 := f(1); x.n = x.n + value1 }()"},
		{"range over an array's indices", plain, "for i := range x.p.a { y += i }", "for i := range 4 { y += i }"},
		{"range over an array's elements", plain, "for _, v := range x.a { y += v }", "for _, v := range x.a { y += v }"},
		{"a result as itself", "func g(x *s) (r int)", "return r", "return"},
		{"one of the results", "func g(x *s) (r, q int)", "return r, x.n", "q = x.n; return"},
		{"a variable to itself", plain, "y = (y); y = 1", "; y = 1"},
		{"a field to itself", plain, "x.n = x.n", "x.n = x.n"},
		{"results exchanged", "func g(x *s) (r, q int)", "return q, r", "return q, r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.ReplaceAll(rewritten(t, c.head, c.body, false), "} }; ", "} }; "); normal(got) != normal(c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestPackage_ReadsEntriesAtTheirPlaceIfInstrumented(t *testing.T) {
	const plain = "func g(x *s, y int)"
	for _, c := range []struct{ body, want string }{
		{"y = x.mi[1] + f(1)", "value1 := x.mi[1]; value2 := f(1); y = value1 + value2"},
		{"x.mi[y] = f(1)", "value1 := f(1); x.mi[y] = value1"},
		{"x.mi[y] += f(1)", "value1 := f(1); x.mi[y] += value1"},
		{"x.mi[f(y)]++", "value1 := f(y); x.mi[value1]++"},
		{"x.mi[x.mi[1]] = f(1)", "value1 := x.mi[1]; value2 := f(1); x.mi[value1] = value2"},
		{"x.p.sl = append(x.p.sl, y)", "value1 := append(x.p.sl, y); x.p.sl = value1"},
		{"println(any(x).(*s), f(1))", "value1 := any(x).(*s); value2 := f(1); println(value1, value2)"},
	} {
		if got := rewritten(t, plain, c.body, true); normal(got) != normal(c.want) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// normal leaves out what only says where statements end.
func normal(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, ";", " ")), " ")
}
