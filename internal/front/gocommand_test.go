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

// The go command fails, is missing, or has no directories: what is said then.

func TestLoad_GivesTheGoCommandsReason(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	const program = "package main\n\nfunc main() {}\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a broken go.mod", map[string]string{"go.mod": "module x\n\nrequir y\n", "main.go": program}, "go.mod:3: unknown directive: requir"},
		{"a newer go", map[string]string{"go.mod": "module x\n\ngo 1.999\n", "main.go": program}, "go.mod requires go >= 1.999"},
		{"no go.mod", map[string]string{"main.go": program}, "go.mod file not found"},
		{"excluded by tags", map[string]string{"go.mod": "module x\n", "main.go": "//go:build plan9 && windows\n\n" + program}, "build constraints exclude all Go files"},
		{"a cycle of imports", map[string]string{"go.mod": "module x\n", "main.go": "package main\n\nimport _ \"x/a\"\n\nfunc main() {}\n",
			"a/a.go": "package a\n\nimport _ \"x/b\"\n", "b/b.go": "package b\n\nimport _ \"x/a\"\n"}, "import cycle not allowed"},
		{"a module that is not required", map[string]string{"go.mod": "module x\n", "main.go": "package main\n\nimport _ \"example.com/y\"\n\nfunc main() {}\n"}, "go get example.com/y"},
		{"a NUL byte", map[string]string{"go.mod": "module x\n", "main.go": "package main\n\nfunc main() {\x00}\n"}, "main.go:3:14: illegal character NUL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Load(context.Background(), Request{Dir: dir, Patterns: []string{"."}, Roots: []string{"main"}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestLoad_NeedsNoDirectoryForTemporaryFiles(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	loadMain(t, "", "testdata/constructs/containers.go")
}

func TestEnvironment_HasDirectoriesWithoutAHome(t *testing.T) {
	has := func(name string) bool {
		return slices.ContainsFunc(Environment(), func(s string) bool {
			value, ok := strings.CutPrefix(s, name+"=")
			return ok && filepath.IsAbs(value)
		})
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "GOCACHE", "GOPATH"} {
		t.Setenv(name, "")
	}
	if !has("GOCACHE") || !has("GOPATH") {
		t.Errorf("no directories for the go command: %v", Environment())
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if has("GOCACHE") {
		t.Error("the cache is not where the user has it")
	}
}

func TestLoad_RefusesWhatIsTooLargeWhereItIsNeeded(t *testing.T) {
	level.SkipShort(t, "compiles what is too large")
	const huge = "package main\n\ntype T struct{ a [1 << 40]byte }\n\n"
	for _, c := range []struct{ name, code, want string }{
		{"a slice", "func main() { b := make([]byte, 1<<40); println(len(b)) }", "main.go:5"},
		{"a variable", "func main() { var t T; p := &t; println(p) }", "main.go:5"},
		{"a value", "func main() { var p *T; t := *p; println(t.a[3]) }", "main.go:5"},
		{"an argument", "func f(T) {}\n\nfunc main() { var p *T; f(*p) }", "main.go:7"},
		{"a package variable", "var t T\n\nfunc main() { println(t.a[3]) }", "error main.go:5:5: the variable t is too large"},
		{"only a type", "func main() { var p *T; println(p == nil) }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Load(context.Background(), Request{Dir: writeFile(t, "main.go", huge+c.code+"\n"), Patterns: []string{"main.go"}, Roots: []string{"main"}})
			got := ""
			if err != nil {
				got = "error " + err.Error()
			} else {
				var b strings.Builder
				p.PrintFunc(&b, p.Roots[0])
				for line := range strings.Lines(b.String()) {
					if strings.Contains(line, "unsupported") {
						got = line
					}
				}
			}
			if !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
