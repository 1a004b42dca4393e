// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/test/level"
)

// Variables that hold what the source does not say.

func TestEmbeds_FindsTheDeclarations(t *testing.T) {
	for src, want := range map[string][]int{
		"package p\n\n//go:embed a.txt\nvar a string\n":                         {4},
		"package p\n\n//go:embed a.txt\n\n// A comment.\nvar a string\nvar b\n": {6},
		"package p\n\nvar (\n\tb int\n\t//go:embed a.txt b\n\ta string\n)\n":    {6},
		"package p\n\n// not //go:embed\nvar a string\n":                        nil,
	} {
		if got := slices.Sorted(maps.Keys(embeds([]byte(src)))); !slices.Equal(got, want) {
			t.Errorf("%q: lines %v, want %v", src, got, want)
		}
	}
}

func TestLoad_VariablesWhoseValueIsElsewhereAreNotSupported(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module scratch\n\ngo 1.24\n",
		"text":   "hello",
		"p/p.go": "package p\n\nimport (\n\t\"embed\"\n\t_ \"unsafe\"\n\n\t_ \"scratch/q\"\n)\n\n" +
			"//go:embed text\nvar text string\n\nvar (\n\tplain string\n\t//go:embed text\n\n\t// Bytes.\n\tbytes []byte\n)\n\n" +
			"//go:embed text\nvar files embed.FS\n\n//go:linkname here scratch/q.there\nvar here int\n\n" +
			"func Text() string { return text }\nfunc Plain() string { return plain }\nfunc Bytes() []byte { return bytes }\nfunc Files() *embed.FS { return &files }\n" +
			"func Here() int { return here }\nfunc Put() { here = 1 }\n",
		"q/q.go": "package q\n\nvar there, other int\n\nfunc There() int { return there }\nfunc Put() { there = 1 }\nfunc Other() int { other++; return other }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "text"), filepath.Join(dir, "p", "text")); err != nil {
		t.Fatal(err)
	}
	// Whoever loads p has q as well, and the other way round q is found to be linked only if p belongs to the program: then nobody else writes it.
	p, err := Load(context.Background(), Request{Dir: dir, Patterns: []string{"./p"}, Harness: nil, Roots: []string{"Text", "Plain", "Bytes", "Files", "Here", "Put"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Text": "go:embed", "Plain": "", "Bytes": "go:embed", "Files": "go:embed", "Here": "go:linkname", "Put": "go:linkname"} {
		if got := unsupportedIn(p, "scratch/p."+name); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: not supported: %q, want %q in it", name, got, want)
		}
	}
}

// unsupportedIn is why the first instruction of a function that is not supported is not; "" if there is none.
func unsupportedIn(p *ir.Program, name string) string {
	for _, f := range p.Funcs {
		for _, in := range f.Code {
			if f.Name == name && in.Op == ir.OpUnsupported {
				return p.Messages[in.X]
			}
		}
	}
	return ""
}
