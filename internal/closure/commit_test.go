// SPDX-License-Identifier: BSD-3-Clause

package closure_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pangolin/internal/closure"
	"pangolin/internal/git"
)

// Sources are modified if a file of theirs differs from the commit, is new or was removed, and not because of other files.
func TestMemo_TellsModifiedSources(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) {
		t.Helper()
		if _, err := (git.Command{Dir: dir}).Run(t.Context(), append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example\n\ngo 1.26\n")
	write("a/a.go", "package a\n\nimport _ \"example/b\"\n")
	write("a/other.go", "package a\n")
	write("b/b.go", "package b\n")
	write("c/c.go", "package c\n")
	write("README", "text\n")
	run("init", "-q")
	run("add", ".")
	run("commit", "-q", "-m", "one")
	for _, c := range []struct {
		what     string
		change   func()
		modified bool
	}{
		{"nothing", func() {}, false},
		{"a file that is no source", func() { write("README", "other\n") }, false},
		{"a package that is not imported", func() { write("c/c.go", "package c\n\nvar C int\n") }, false},
		{"a source", func() { write("a/a.go", "package a\n") }, true},
		{"a source, staged", func() { write("a/a.go", "package a\n"); run("add", ".") }, true},
		{"an imported package", func() { write("b/b.go", "package b\n\nvar B int\n") }, true},
		{"a new file", func() { write("a/new file.go", "package a\n") }, true},
		{"go.mod", func() { write("go.mod", "module example\n\ngo 1.25\n") }, true},
		{"a file that is gone", func() {
			if err := os.Remove(filepath.Join(dir, "a/other.go")); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		run("reset", "-q", "--hard")
		run("clean", "-q", "-f", "-d")
		c.change()
		m := &closure.Memo{Dir: dir}
		if err := m.Know(t.Context(), closure.Query{Patterns: []string{"./a"}}); err != nil {
			t.Fatal(c.what, err)
		}
		at, ok := m.Commit(t.Context())
		if !ok {
			t.Fatal(c.what, "there is no commit")
		}
		if got, err := m.Modified(t.Context(), at); err != nil || got != c.modified {
			t.Errorf("%s: modified %v, %v; want %v", c.what, got, err, c.modified)
		}
	}
}
