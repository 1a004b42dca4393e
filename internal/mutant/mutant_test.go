// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pangolin/internal/front"
	"pangolin/internal/test/flags"
)

// The mutants of small files are golden; only reached code is changed.

// everywhere says that a file is executed from beginning to end.
func everywhere(file string, lines int) Places {
	p := Places{}
	for l := range lines {
		p[file] = append(p[file], place{l + 1, math.MaxInt32})
	}
	return p
}

// load type-checks a package of one file.
func load(t *testing.T, text []byte) *front.Source {
	t.Helper()
	pkg := &front.Source{Fset: token.NewFileSet(), Info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
	syntax, err := parser.ParseFile(pkg.Fset, "a.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	if _, err := conf.Check("a", pkg.Fset, []*ast.File{syntax}, pkg.Info); err != nil {
		t.Fatal(err)
	}
	pkg.Files = []front.SourceFile{{Name: "a.go", Text: text, Syntax: syntax}}
	return pkg
}

// compiles says whether a mutant type-checks.
func compiles(text []byte) bool {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "a.go", text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	conf := types.Config{Importer: importer.Default()}
	_, err = conf.Check("a", fset, []*ast.File{syntax}, nil)
	return err == nil
}

// TestMutants_AreThoseOfTheFile compares the mutants of small sources with the list
// beside them: the operator and the changed lines of each.
func TestMutants_AreThoseOfTheFile(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := listing(load(t, a.Files[0].Data))
			if flags.Update() {
				a.Files[1].Data = got
				if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, a.Files[1].Data) {
				t.Errorf("mutants:\n%s", got)
			}
		})
	}
}

func listing(pkg *front.Source) []byte {
	var b bytes.Buffer
	text := pkg.Files[0].Text
	for _, m := range inSource(pkg, everywhere("a.go", bytes.Count(text, []byte("\n")))) {
		note := ""
		if !compiles(m.Text()) {
			note = " does not compile"
		}
		fmt.Fprintf(&b, "%d %s%s\n", m.Line, m.Operator, note)
		for line := range strings.SplitSeq(m.Diff(), "\n") {
			if (strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+")) && !strings.HasSuffix(line, " a.go") {
				fmt.Fprintf(&b, "    %s\n", line)
			}
		}
	}
	return b.Bytes()
}

func TestMutants_AreOfReachedFunctionsOnly(t *testing.T) {
	pkg := load(t, []byte("package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 2\n}\n"))
	for _, m := range inSource(pkg, Places{"a.go": {{8, 2}}}) {
		if m.Line != 8 {
			t.Errorf("mutant %s in line %d, which is not reached", m.Operator, m.Line)
		}
	}
}

func TestMutants_NameTheFunctionThatChanges(t *testing.T) {
	text := `package a

type T[A, B any] struct{}

func (t *T[A, B]) m() int {
	return func() int {
		return 1
	}()
}

func f() int {
	return 2
}

var v = func() int {
	return 3
}
`
	names := map[int]string{7: "T.m", 12: "f", 16: ""}
	seen := map[int]bool{}
	for _, m := range inSource(load(t, []byte(text)), everywhere("a.go", 17)) {
		if want, ok := names[m.Line]; !ok || m.Func != want {
			t.Errorf("the mutant %s in line %d is of %q, want %q", m.Operator, m.Line, m.Func, want)
		}
		seen[m.Line] = true
	}
	if len(seen) != len(names) {
		t.Errorf("mutants in lines %v only", seen)
	}
}

// TestDiff_TurnsTheOldTextIntoTheNew applies diffs of random texts.
func TestDiff_TurnsTheOldTextIntoTheNew(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() []string {
		lines := make([]string, 1+r.IntN(12))
		for i := range lines {
			lines[i] = string(rune('a' + r.IntN(3)))
		}
		return lines
	}
	for range 3000 {
		old, now := text(), text()
		var got []string
		at := 0
		for _, h := range hunks(old, now) {
			got = append(got, old[at:h.a]...)
			if len(got) != h.c {
				t.Fatalf("%v to %v: a hunk for line %d is at line %d", old, now, h.c, len(got))
			}
			got = append(got, now[h.c:h.d]...)
			at = h.b
		}
		got = append(got, old[at:]...)
		if strings.Join(got, "") != strings.Join(now, "") {
			t.Fatalf("%v to %v: the diff gives %v", old, now, got)
		}
	}
}
