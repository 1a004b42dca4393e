// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"

	"pangolin/internal/ir"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// Listings of small functions are golden files.

// loadMain loads a main package and checks the result.
func loadMain(t *testing.T, dir string, patterns ...string) *ir.Program {
	t.Helper()
	return loadMode(t, 0, dir, patterns...)
}

// loadSane loads a main package with SSA's own checks, which take long for
// programs that use much of the standard library.
func loadSane(t *testing.T, dir string, patterns ...string) *ir.Program {
	t.Helper()
	return loadMode(t, ssa.SanityCheckFunctions, dir, patterns...)
}

func loadMode(t *testing.T, mode ssa.BuilderMode, dir string, patterns ...string) *ir.Program {
	t.Helper()
	p, err := Load(Share(context.Background()), Request{Dir: dir, Patterns: patterns, Roots: []string{"main"}, mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// listing prints the functions of package main and the program's variables of
// it.
func listing(p *ir.Program) string {
	var b strings.Builder
	for _, g := range p.Globals {
		if strings.HasPrefix(g.Name, "main.") {
			b.WriteString("global " + g.Name + " " + g.Type.Name)
			if g.ReadOnly {
				b.WriteString(" readonly")
			}
			b.WriteString("\n")
		}
	}
	for _, f := range p.Funcs {
		if strings.Contains(f.Name, "main.") || strings.HasPrefix(f.Name, "builtin ") {
			p.PrintFunc(&b, f)
		}
	}
	return b.String()
}

func TestLoad_CompilesSmallFunctionsAsListed(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no listings", err)
	}
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if level.Out(i, 1) {
				t.Skip("the first will do in short")
			}
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := listing(loadSane(t, writeFile(t, "main.go", string(ar.Files[0].Data)), "main.go"))
			if flags.Update() {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "listing", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(ar.Files) < 2 || string(ar.Files[1].Data) != got {
				t.Errorf("listing differs (run with -update to accept):\n%s", got)
			}
		})
	}
}

func TestLoad_GivesTheSameProgramEveryTime(t *testing.T) {
	level.SkipShort(t, "compiles everything twice")
	var first strings.Builder
	loadMain(t, "", "testdata/constructs/containers.go").Print(&first)
	for range 3 {
		var again strings.Builder
		loadMain(t, "", "testdata/constructs/containers.go").Print(&again)
		if again.String() != first.String() {
			t.Fatal("two loads of the same file differ")
		}
	}
}
