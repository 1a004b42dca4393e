// SPDX-License-Identifier: BSD-3-Clause

package harness_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/harness"
	"pangolin/internal/recognise"
)

// A construct that a collection's operations may have: the harness must hand it over as
// integers and take it back.
var constructs = map[string]string{
	"integers":         "type T struct{}\nfunc NewT() *T { return nil }\nfunc (t *T) Add(x int8) bool { return false }\nfunc (t *T) Remove(x int8) bool { return false }\nfunc (t *T) Contains(x int8) bool { return false }",
	"strings":          "type T struct{}\nfunc NewT() *T { return nil }\nfunc (t *T) Put(k string, v string) {}\nfunc (t *T) Get(k string) (string, bool) { return \"\", false }",
	"type parameters":  "type T[E any] struct{}\nfunc NewT[E any]() *T[E] { return nil }\nfunc (t *T[E]) Push(x E) {}\nfunc (t *T[E]) Pop() (E, error) { var e E; return e, nil }",
	"pointers":         "type T struct{}\nfunc NewT() *T { return nil }\nfunc (t *T) Enqueue(x int) {}\nfunc (t *T) Dequeue() *int { return nil }",
	"a bounded value":  "type T struct{}\nfunc NewT(capacity int) *T { return nil }\nfunc (t *T) Enqueue(x int) bool { return false }\nfunc (t *T) Dequeue() (int, bool) { return 0, false }",
	"no constructor":   "type T struct{ n int }\nfunc (t *T) Inc() int { return 0 }\nfunc (t *T) Get() int { return 0 }",
	"a lock":           "type T struct{}\nfunc (t *T) Lock() {}\nfunc (t *T) Unlock() {}",
	"a failing maker":  "type T struct{}\nfunc NewT() (*T, error) { return nil, nil }\nfunc (t *T) Push(x int) {}\nfunc (t *T) Pop() (int, bool) { return 0, false }",
	"a value receiver": "type T struct{ p *int }\nfunc NewT() T { return T{} }\nfunc (t T) Push(x int) {}\nfunc (t T) Pop() (int, bool) { return 0, false }",
}

func check(t *testing.T, files ...string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, text := range files {
		f, err := parser.ParseFile(fset, "", text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		parsed = append(parsed, f)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, parsed, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(files, "\n"))
	}
	return pkg
}

// The harness compiles beside the collection, and has a function for the constructor and for
// each operation, with integers only.
func TestSource_CompilesAndDrivesByIntegers(t *testing.T) {
	for name, text := range constructs {
		t.Run(name, func(t *testing.T) {
			text = "package p\n" + text
			pkg := check(t, text)
			found, err := recognise.Find(pkg, collection.Overrides{})
			if err != nil {
				t.Fatal(err)
			}
			_, src, roots, err := harness.Source(pkg, found[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(roots) != 1+len(found[0].Operations) {
				t.Fatalf("%d functions for %d operations", len(roots), len(found[0].Operations))
			}
			whole := check(t, text, string(src))
			for i, root := range roots {
				f, ok := whole.Scope().Lookup(root).(*types.Func)
				if !ok {
					t.Fatalf("there is no function %s in\n%s", root, src)
				}
				sig := f.Signature()
				if i == 0 {
					continue
				}
				for k := 1; k < sig.Params().Len(); k++ {
					isInt(t, root, sig.Params().At(k).Type())
				}
				for v := range sig.Results().Variables() {
					isInt(t, root, v.Type())
				}
			}
		})
	}
}

func isInt(t *testing.T, where string, typ types.Type) {
	t.Helper()
	if typ != types.Typ[types.Int] {
		t.Errorf("%s: a %s", where, typ)
	}
}
