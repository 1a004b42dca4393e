// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"errors"
	"go/types"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// What is said about code that cannot be compiled.

func loadError(t *testing.T, req Request) []string {
	t.Helper()
	if req.Roots == nil {
		req.Roots = []string{"main"}
	}
	_, err := Load(Share(context.Background()), req)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	return e.Problems
}

func TestLoad_SaysWhatIsWrongWithTheInput(t *testing.T) {
	level.SkipShort(t, "asks the go command about many inputs")
	tests := []struct {
		name, src string
		want      []string
	}{
		{"type errors", "package main\n\nfunc main() {\n\tvar x int = \"a\"\n\ty()\n}\n", []string{
			"main.go:4:6: declared and not used: x",
			"main.go:4:14: cannot use \"a\" (untyped string constant) as int value in variable declaration",
			"main.go:5:2: undefined: y"}},
		{"syntax error", "package main\n\nfunc main() {\n", []string{"main.go:3:15: expected '}', found 'EOF'"}},
		{"no main", "package main\n\nfunc f() {}\n", []string{"package main has no function main"}},
		{"not package main", "package queue\n\nfunc main() {}\n", []string{"package queue is not a main package"}},
		{"cgo", "package main\n\nimport \"C\"\n\nfunc main() {}\n", []string{"main.go:3:8: package main uses cgo, which is not supported"}},
		{"unknown import", "package main\n\nimport \"no/such/thing\"\n\nfunc main() { thing.F() }\n", []string{
			"main.go:3:8: could not import no/such/thing (package no/such/thing is not in std"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeFile(t, "main.go", tt.src)
			got := loadError(t, Request{Dir: dir, Patterns: []string{"main.go"}})
			if len(got) != len(tt.want) {
				t.Fatalf("got %q", got)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], tt.want[i]) {
					t.Errorf("got  %q\nwant %q", got[i], tt.want[i])
				}
			}
		})
	}
}

func TestLoad_ReportsAtMostTenTypeErrors(t *testing.T) {
	src := "package main\n\nfunc main() {\n" + strings.Repeat("\tx()\n", 15) + "}\n"
	got := loadError(t, Request{Dir: writeFile(t, "main.go", src), Patterns: []string{"main.go"}})
	if len(got) != 11 || got[10] != "and 5 more" {
		t.Errorf("got %d lines, the last is %q", len(got), got[len(got)-1])
	}
}

func TestLoad_WantsOnePackage(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	tests := map[string]string{
		"./...":               "matches",
		"./nosuchdir":         "nosuchdir",
		"nosuchfile.go":       "nosuchfile.go",
		"container/nothing":   "container/nothing",
		"./testdata/golden":   "no Go files",
		"container/heap sort": "matches 2 packages, one is needed: container/heap, sort",
	}
	for pattern, want := range tests {
		got := loadError(t, Request{Patterns: strings.Fields(pattern), Dir: "../vm"})
		if !strings.Contains(strings.Join(got, "\n"), want) && pattern != "./testdata/golden" {
			t.Errorf("%s: got %q, want something with %q", pattern, got, want)
		}
	}
}

func TestLoad_HarnessSeesTheTypesAndUnexportedNames(t *testing.T) {
	var seen []string
	p, err := Load(Share(context.Background()), Request{
		Patterns: []string{"container/list"},
		Harness: func(pkg *types.Package) (string, []byte, error) {
			seen = pkg.Scope().Names()
			return "harness.go", []byte("package list\n\nfunc build() *List { return New().lazyInit2() }\n\n" +
				"func (l *List) lazyInit2() *List { l.lazyInit(); return l }\n\nfunc length(l *List) int { return l.len }\n"), nil
		},
		Roots: []string{"build", "length"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	if len(p.Roots) != 2 || p.Roots[0].Short != "build" || p.Roots[1].Short != "length" {
		t.Errorf("roots %v", p.Roots)
	}
	if strings.Join(seen, " ") != "Element List New" {
		t.Errorf("the harness saw %q", seen)
	}
}

func TestLoad_HarnessMistakesAreReported(t *testing.T) {
	got := loadError(t, Request{
		Patterns: []string{"container/list"},
		Harness: func(*types.Package) (string, []byte, error) {
			return "harness.go", []byte("package list\n\nvar x int = nothing\n"), nil
		},
		Roots: []string{"x"},
	})
	if len(got) != 1 || got[0] != "harness.go:3:13: undefined: nothing" {
		t.Errorf("got %q", got)
	}
}

func TestLoad_StopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Load(ctx, Request{Patterns: []string{"container/list"}, Roots: []string{"New"}})
	if err == nil {
		t.Error("no error from a cancelled load")
	}
}
