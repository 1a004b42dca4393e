// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// Types and functions have the names that the runtime prints.

func TestRuntimeName_IsWhatPercentTPrints(t *testing.T) {
	const src = `package main

type T struct{ x int }
type G[K comparable, V any] struct{ k K; v V }

var (
	a []*T
	b map[string]chan<- byte
	c chan (<-chan rune)
	d func(n int, rest ...string) (T, error)
	e struct{ X int; y string ` + "`tag:\"1\"`" + `; T }
	f interface{ Foo() any; bar() }
	g G[T, []int]
	h [2]struct{}
	i func() func(func(int) bool)
)
`
	want := map[string]string{
		"a": "[]*main.T", "b": "map[string]chan<- uint8", "c": "chan (<-chan int32)",
		"d": "func(int, ...string) (main.T, error)",
		"e": `struct { X int; y string "tag:\"1\""; main.T }`,
		"f": "interface { Foo() interface {}; main.bar() }",
		"g": "main.G[main.T,[]int]", "h": "[2]struct {}", "i": "func() func(func(int) bool)",
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{}
	pkg, err := conf.Check("main", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range want {
		if got := runtimeName(pkg.Scope().Lookup(name).Type()); got != w {
			t.Errorf("%s: got %s, want %s", name, got, w)
		}
	}
	if got := shortName(pkg.Scope().Lookup("g").Type()); got != "G[T,[]int]" {
		t.Errorf("short name %s", got)
	}
}

func TestLoad_NamesFunctionsForPeople(t *testing.T) {
	p := loadMain(t, writeFile(t, "main.go", `package main

type queue[T any] struct{ items []T }

func (q *queue[T]) put(x T) { func() { q.items = append(q.items, x) }() }

func apply[A, B any](f func(A) B, a A) B { return f(a) }

func main() {
	q := &queue[string]{}
	q.put(apply(func(n int) string { return string(rune(n)) }, 65))
}
`), "main.go")
	want := map[string]string{
		"main.main":                   "main",
		"main.main$1":                 "main.func1",
		"(*main.queue[string]).put":   "(*queue[string]).put",
		"(*main.queue[string]).put$1": "(*queue[string]).put.func1",
		"main.apply[int,string]":      "apply[int,string]",
	}
	for _, f := range p.Funcs {
		if short, ok := want[f.Name]; ok && f.Short != short {
			t.Errorf("%s: short name %s, want %s", f.Name, f.Short, short)
		}
		delete(want, f.Name)
	}
	for name := range want {
		t.Errorf("no function %s", name)
	}
}
