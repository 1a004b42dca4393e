// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pangolin/internal/golist"
	"pangolin/internal/test/level"
)

// notes are kept in memory.
type notes map[string]string

func (n notes) Note(key string) string         { return n[key] }
func (n notes) SetNote(key, text string) error { n[key] = text; return nil }

// What is listed again is loaded as what the go command lists, without a go command.
func TestList_IsTheSameAgain(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.25\n",
		"p.go":      "package main\n\nimport (\n\t\"sync\"\n\n\t\"m/q\"\n)\n\nvar mu sync.Mutex\n\nfunc main() { mu.Lock(); defer mu.Unlock(); println(q.Q()) }\n",
		"q/q.go":    "package q\n\nimport \"strings\"\n\nfunc Q() int { return strings.Count(\"aba\", \"a\") }\n",
		"p_test.go": "package main\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { main() }\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(100 * time.Millisecond) // else nobody knows whether the go command has seen the files
	kept := notes{}
	ctx := golist.Within(context.Background(), kept)
	compiled := func(ctx context.Context, tests bool) string {
		t.Helper()
		list, err := listed(ctx, dir, question{[]string{"."}, tests})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, l := range list {
			p, err := l.Load(ctx, Request{})
			if err != nil {
				t.Fatal(err)
			}
			p.Print(&b)
		}
		return b.String()
	}
	same := func(what string) {
		t.Helper()
		for _, tests := range []bool{false, true} {
			if got, want := compiled(ctx, tests), compiled(context.Background(), tests); got != want {
				t.Errorf("%s (with tests: %t): %s is compiled, and without answers that are kept %s", what, tests, got, want)
			}
		}
	}
	same("asked")
	if len(kept) != 2 {
		t.Fatalf("%d answers are kept, want one without tests and one with them", len(kept))
	}
	before := maps.Clone(kept)
	same("known")
	if err := os.WriteFile(filepath.Join(dir, "q/q.go"), []byte("package q\n\nimport \"strings\"\n\nfunc Q() int { return strings.Count(\"abb\", \"b\") }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	same("known behind an edit of a body")
	if !maps.Equal(before, kept) {
		t.Error("an answer was asked for again that could not differ")
	}
	if err := os.WriteFile(filepath.Join(dir, "q/r.go"), []byte("package q\n\nimport \"errors\"\n\nvar Err = errors.New(\"x\")\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	same("asked again")
}
