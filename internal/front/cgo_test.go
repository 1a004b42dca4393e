// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// Packages with files for cgo: what is told of them, and that asking about them runs no C compiler.

// cgoModule writes a module of three packages: one cannot do without cgo, one has a second file for where there is none, one lacks it.
func cgoModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	counter := "import \"sync/atomic\"\n\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { c.n.Add(step()) }\n"
	for name, text := range map[string]string{
		"go.mod":    "module scratch\n\ngo 1.24\n",
		"only/c.go": "package only\n\nimport \"C\"\n\ntype Counter struct{ n C.int }\n\nfunc (c *Counter) Inc() { c.n++ }\n",
		"both/a.go": "package both\n\n" + counter,
		"both/c.go": "package both\n\nimport \"C\"\n\nfunc step() int64 { return int64(C.int(1)) }\n",
		"both/n.go": "//go:build !cgo\n\npackage both\n\nfunc step() int64 { return 1 }\n",
		"part/a.go": "package part\n\n" + counter,
		"part/c.go": "package part\n\nimport \"C\"\n\nfunc step() int64 { return int64(C.int(1)) }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestList_RunsNoCCompiler(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	ran := filepath.Join(t.TempDir(), "ran")
	compiler := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(compiler, []byte("#!/bin/sh\necho \"$@\" >> "+ran+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", compiler)
	t.Setenv("CGO_ENABLED", "1")
	list, err := List(context.Background(), cgoModule(t), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, l := range list {
		got[l.Path] = ""
		prog, err := l.Load(context.Background(), Request{Roots: []string{}})
		if err != nil {
			got[l.Path] = strings.Join(err.(*Error).Problems, "\n")
		} else if notes := prog.Notes.Sorted(); !slices.Equal(notes, []string{"package both is compiled without cgo: c.go left out"}) {
			t.Errorf("%s: notes %q", l.Path, notes)
		}
	}
	for path, want := range map[string]string{
		"scratch/both": "",
		"scratch/only": "only/c.go:3:8: package only uses cgo, which is not supported",
		"scratch/part": "part/c.go:3:8: package part uses cgo, which is not supported",
	} {
		if text, ok := got[path]; !ok || text != want {
			t.Errorf("%s: got %q (listed: %v), want %q", path, text, ok, want)
		}
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("a C compiler was run: %s", text)
	}
}

func TestList_FetchesNoToolchain(t *testing.T) {
	level.SkipShort(t, "asks the go command")
	t.Setenv("GOTOOLCHAIN", "")
	dir := cgoModule(t)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module scratch\n\ngo 1.24\n\ntoolchain go1.999.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := List(context.Background(), dir, []string{"./both"}); err != nil {
		t.Errorf("a toolchain line keeps the package from being listed: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module scratch\n\ngo 1.999\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := List(context.Background(), dir, []string{"./both"})
	if err == nil || !strings.Contains(err.Error(), "go.mod requires go >= 1.999") || !strings.Contains(err.Error(), "no other toolchain is fetched") {
		t.Errorf("got %v", err)
	}
}
