// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"pangolin/internal/test/level"
)

// Listing packages within a shared context gives what listing them alone gives.

// Whatever a module is like, a listing within a shared context is the one outside of it, but for export data of what is
// checked from source.
func TestListing_IsTheSameWhenShared(t *testing.T) {
	level.SkipShort(t, "asks the go command several times")
	t.Setenv("CGO_ENABLED", "1")
	for i, c := range []struct {
		name, files string
		pattern     string
		tests       bool
	}{
		{name: "a program", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage main\nimport \"fmt\"\nfunc main() { fmt.Println() }\n"},
		{name: "a file", pattern: "a.go", files: "-- a.go --\npackage main\nimport \"net/netip\"\nfunc main() { println(netip.Addr{}.Is4()) }\n"},
		{name: "packages of a module", pattern: "./...", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a/a.go --\npackage a\nimport \"m/internal/b\"\nvar A = b.B\n-- internal/b/b.go --\npackage b\nimport \"sync\"\nvar B sync.Mutex\n"},
		{name: "tests", tests: true, files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\n-- a_test.go --\npackage m\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n-- b_test.go --\npackage m_test\nimport \"m\"\nimport \"testing\"\nfunc TestB(t *testing.T) {}\n"},
		{name: "a workspace", pattern: "m/a", files: "-- go.work --\ngo 1.26\n\nuse (\n\t./x\n\t./y\n)\n-- x/go.mod --\nmodule m/a\n\ngo 1.26\n-- x/a.go --\npackage a\nimport \"m/b\"\nvar A = b.B\n-- y/go.mod --\nmodule m/b\n\ngo 1.26\n-- y/b.go --\npackage b\nimport \"sync/atomic\"\nvar B atomic.Int64\n"},
		{name: "a vendored module", files: "-- go.mod --\nmodule m\n\ngo 1.26\n\nrequire example.org/v v1.0.0\n-- vendor/modules.txt --\n# example.org/v v1.0.0\n## explicit\nexample.org/v\n-- vendor/example.org/v/v.go --\npackage v\nimport \"strings\"\nvar V strings.Builder\n-- a.go --\npackage m\nimport \"example.org/v\"\nvar A = &v.V\n"},
		{name: "code that does not compile", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\nimport \"fmt\"\nvar A int = fmt.Sprint()\n"},
		{name: "code that is no Go", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\nfunc {\n"},
		{name: "a package that is missing", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\nimport _ \"m/b\"\n"},
		{name: "a package of the library that is missing", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\nimport _ \"sync/other\"\n"},
		{name: "imports in a circle", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\nimport _ \"m/b\"\n-- b/b.go --\npackage b\nimport _ \"m\"\n"},
		{name: "C", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\n// int one(void) { return 1; }\nimport \"C\"\nfunc A() int { return int(C.one()) }\n"},
		{name: "two packages in a directory", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage a\n-- b.go --\npackage b\n"},
		{name: "a package of the library", pattern: "sync/atomic", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\n"},
		{name: "what the machine does itself", pattern: "./collections/queue/...", files: ""},
		{name: "the tool", pattern: "./cmd/pangolin", files: ""},
		{name: "nothing", pattern: "./none", files: "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if level.Out(i, 4) {
				t.Skip("some modules will do; -level more lists all")
			}
			dir := "../.." // this module
			if c.files != "" {
				dir = t.TempDir()
			}
			files, err := txtar.FS(txtar.Parse([]byte(c.files)))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(dir, files); c.files != "" && err != nil {
				t.Fatal(err)
			}
			pattern := c.pattern
			if pattern == "" {
				pattern = "."
			}
			told := func(ctx context.Context) string {
				l, err := newLoader(dir)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := l.ask(ctx, question{patterns: []string{pattern}, tests: c.tests})
				return fmt.Sprintln(err) + described(answer)
			}
			alone, shared := told(context.Background()), told(Share(context.Background()))
			if alone != shared {
				t.Errorf("alone:\n%s\nshared:\n%s", alone, shared)
			}
		})
	}
}

// described is all that is read of a listing.
func described(answer []*packages.Package) string {
	var b strings.Builder
	packages.Visit(answer, nil, func(p *packages.Package) {
		fmt.Fprint(&b, p.ID, " ", p.PkgPath, " ", p.Name, " ", p.GoFiles, " ", p.ForTest)
		for _, e := range p.Errors {
			if !strings.HasPrefix(e.Msg, "# ") { // what the compiler says of what is checked here
				fmt.Fprint(&b, " ", e)
			}
		}
		for _, path := range sortedKeys(p.Imports) {
			fmt.Fprint(&b, " ", path, "=", p.Imports[path].ID)
		}
		if p.Module != nil {
			fmt.Fprint(&b, " ", p.Module.Path, p.Module.GoVersion)
		}
		if p.Module == nil && p.ID == p.PkgPath && p.PkgPath != "command-line-arguments" || isBuiltin(p.PkgPath) {
			fmt.Fprint(&b, " ", filepath.Base(p.ExportFile))
		}
		b.WriteByte('\n')
	})
	for _, p := range answer {
		fmt.Fprintln(&b, "listed:", p.ID)
	}
	return b.String()
}
