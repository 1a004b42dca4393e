// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/harness"
)

// exports maps the import paths that tests need to files with export data.
var exports = sync.OnceValues(func() (map[string]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}",
		"pangolin/collections/...", "context", "time", "cmp", "errors", "hash/maphash", "fmt")
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, line := range strings.Split(string(out), "\n") {
		if path, file, ok := strings.Cut(line, "\t"); ok && file != "" {
			files[path] = file
		}
	}
	return files, nil
})

// checked is a package from source, as the front end checks it.
type checked struct {
	path  string
	fset  *token.FileSet
	files []*ast.File
	pkg   *types.Package
	conf  types.Config
}

// check type-checks sources; each is named a.go, b.go, ….
func check(t testing.TB, path string, sources ...string) *checked {
	t.Helper()
	files, err := exports()
	if err != nil {
		t.Fatal(err)
	}
	c := &checked{path: path, fset: token.NewFileSet()}
	for i, src := range sources {
		f, err := parser.ParseFile(c.fset, fmt.Sprintf("%c.go", 'a'+i), src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		c.files = append(c.files, f)
	}
	c.conf.Importer = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	})
	if c.pkg, err = c.conf.Check(path, c.fset, c.files, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

// checkDir is check for a directory's files, tests left out.
func checkDir(t testing.TB, path, dir string) *checked {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	var sources []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(src))
	}
	return check(t, path, sources...)
}

// withHarness checks that a collection's harness compiles with the package and
// declares its roots; it gives the harness.
func (c *checked) withHarness(t testing.TB, col *collection.Collection) string {
	t.Helper()
	name, src, roots, err := harness.Source(c.pkg, col, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(c.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v\n%s", col.Display, err, src)
	}
	pkg, err := c.conf.Check(c.path, c.fset, append(c.files[:len(c.files):len(c.files)], f), nil)
	if err != nil {
		t.Fatalf("%s: %v\n%s", col.Display, err, src)
	}
	for _, root := range roots {
		if _, ok := pkg.Scope().Lookup(root).(*types.Func); !ok {
			t.Errorf("%s: no function %s", col.Display, root)
		}
	}
	if len(roots) != len(col.Operations)+1 {
		t.Errorf("%s: %d roots for %d operations", col.Display, len(roots), len(col.Operations))
	}
	return string(bytes.TrimSpace(src))
}
