// SPDX-License-Identifier: BSD-3-Clause

package gosuite

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/front"
	"pangolin/internal/ir"
)

// The library's own tests. A package's test files are copied into a module as an ordinary package that imports the
// package under test, so that they run against the machine's models of it. What they need of the package's inside, or of
// other internal packages, is not there: such declarations are left out, and so is what uses them.

// Libraries are the packages whose tests are run.
var Libraries = []string{"sync", "sync/atomic", "context", "time", "container/heap", "container/list", "container/ring",
	"maps", "slices", "iter", "errors", "strings", "strconv", "sort"}

// Group is the tests of a package that stand outside of it, or inside.
type Group struct {
	Package string
	Inside  bool
	Tests   []string    // in the order of the source
	Left    []LeftOut   // declarations that were left out
	files   []*ast.File // what is left of them
	fset    *token.FileSet
}

// LeftOut is a declaration that was left out, and why.
type LeftOut struct{ Name, Why string }

// Name is the package, and whether the tests stand inside of it.
func (g *Group) Name() string {
	if g.Inside {
		return g.Package + " (inside)"
	}
	return g.Package
}

// Groups reads the tests of packages beneath GOROOT/src.
func Groups(src string, packages []string) ([]*Group, error) {
	var all []*Group
	for _, pkg := range packages {
		for _, inside := range []bool{false, true} {
			g := &Group{Package: pkg, Inside: inside, fset: token.NewFileSet()}
			if err := g.read(filepath.Join(src, filepath.FromSlash(pkg))); err != nil {
				return nil, err
			}
			if len(g.files) > 0 {
				all = append(all, g)
			}
		}
	}
	imports, err := exports(all)
	if err != nil {
		return nil, err
	}
	for _, g := range all {
		if err := g.prune(imports); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name(), err)
		}
	}
	return slices.DeleteFunc(all, func(g *Group) bool { return len(g.Tests) == 0 && len(g.Left) == 0 }), nil
}

// read parses the test files of a directory that belong to the group.
func (g *Group) read(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		base := filepath.Base(name)
		if !builds(string(text)) || strings.HasPrefix(base, "export_") || strings.HasPrefix(base, "example_") || otherSystem(base) || !isChosen(g.Package, base) {
			continue
		}
		f, err := parser.ParseFile(g.fset, base, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if inside := !strings.HasSuffix(f.Name.Name, "_test"); inside == g.Inside {
			if inside {
				// Its place is one that nothing else has.
				f.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, TokPos: f.Package, Specs: []ast.Spec{&ast.ImportSpec{
					Name: &ast.Ident{Name: ".", NamePos: f.Package},
					Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(g.Package), ValuePos: f.Package}}}}}, f.Decls...)
			}
			g.files = append(g.files, f)
		}
	}
	return nil
}

// isChosen says whether a file is run. Of package time those about timers are: package variables of others ask for the time zone.
// The tests of strings_test.go search long texts, which takes minutes.
func isChosen(pkg, file string) bool {
	switch pkg {
	case "time":
		return file == "sleep_test.go" || file == "tick_test.go"
	case "strings":
		return file != "strings_test.go"
	}
	return true
}

func otherSystem(file string) bool {
	for _, s := range []string{"windows", "android", "plan9", "js", "wasip1"} {
		if strings.HasSuffix(file, "_"+s+"_test.go") {
			return true
		}
	}
	return false
}

// each calls visit for the specs of imports, and the other declarations one by one; it drops those of which visit says so.
func (g *Group) each(drop func(node ast.Node, name string) bool) {
	for _, f := range g.files {
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = "method " + name
				}
				return drop(d, name)
			case *ast.GenDecl:
				d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool { return drop(s, specName(s)) })
				return len(d.Specs) == 0
			}
			return false
		})
	}
}

func specName(s ast.Spec) string {
	switch s := s.(type) {
	case *ast.ImportSpec:
		return "import " + s.Path.Value
	case *ast.TypeSpec:
		return s.Name.Name
	case *ast.ValueSpec:
		return s.Names[0].Name
	}
	return ""
}

// reflecting are packages whose initialisation alone cannot be executed: no test of a package that imports one could be.
var reflecting = []string{`"encoding/gob"`, `"encoding/json"`}

// prune leaves out what does not compile, until all does.
func (g *Group) prune(imports types.Importer) error {
	g.each(func(n ast.Node, name string) bool {
		s, ok := n.(*ast.ImportSpec)
		switch {
		case !ok:
			return false
		case isInternal(s.Path.Value):
			return g.leave(name, "an internal package")
		case slices.Contains(reflecting, s.Path.Value):
			return g.leave(name, "its initialisation needs reflection")
		}
		return false
	})
	for {
		var errs []types.Error
		conf := types.Config{Importer: imports, Error: func(err error) { errs = append(errs, err.(types.Error)) }}
		conf.Check("tested", g.fset, g.files, nil)
		if len(errs) == 0 {
			break
		}
		dropped := false
		g.each(func(n ast.Node, name string) bool {
			for _, e := range errs {
				if e.Pos < n.Pos() || e.Pos >= n.End() {
					continue
				}
				dropped = true
				if _, imported := n.(*ast.ImportSpec); imported {
					return true // nothing uses it any more
				}
				return g.leave(name, e.Msg)
			}
			return false
		})
		if !dropped {
			return fmt.Errorf("%s: %s", g.fset.Position(errs[0].Pos), errs[0].Msg)
		}
	}
	g.each(func(n ast.Node, name string) bool {
		if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(name, "Test") && name != "TestMain" && takesT(f) {
			g.Tests = append(g.Tests, name)
		}
		return false
	})
	return nil
}

// leave notes what is left out, if it is a test or what tests use.
func (g *Group) leave(name, why string) bool {
	g.Left = append(g.Left, LeftOut{name, why})
	return true
}

func isInternal(quoted string) bool {
	path, _ := strconv.Unquote(quoted)
	return strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal/") || strings.HasSuffix(path, "/internal")
}

func takesT(f *ast.FuncDecl) bool {
	p := f.Type.Params.List
	if len(p) != 1 {
		return false
	}
	star, ok := p[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "T"
}

// exports imports packages from the export data that the go command has.
func exports(groups []*Group) (types.Importer, error) {
	paths := map[string]bool{"testing": true}
	for _, g := range groups {
		g.each(func(n ast.Node, _ string) bool {
			if s, ok := n.(*ast.ImportSpec); ok && !isInternal(s.Path.Value) && s.Path.Value != `"unsafe"` {
				path, _ := strconv.Unquote(s.Path.Value)
				paths[path] = true
			}
			return false
		})
	}
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for path := range paths {
		args = append(args, path)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(files[path])
	}), nil
}

// write puts what is left of the groups into a module, each into a directory of its own.
func write(dir string, groups []*Group) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module library\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	for i, g := range groups {
		at := filepath.Join(dir, fmt.Sprintf("p%d", i), filepath.Base(g.Package)+"_test")
		if err := os.MkdirAll(at, 0o777); err != nil {
			return err
		}
		for _, f := range g.files {
			var text bytes.Buffer
			if err := format.Node(&text, g.fset, f); err != nil {
				return err
			}
			name := strings.TrimSuffix(g.fset.File(f.FileStart).Name(), "_test.go") + "_tests.go"
			if err := os.WriteFile(filepath.Join(at, name), text.Bytes(), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// LibraryResult is how a test of the library fared.
type LibraryResult struct {
	Group   *Group
	Test    string
	Outcome Outcome
	Reason  string
	Detail  string
}

// RunLibrary runs the tests of the groups in a directory of its own; tell hears of each.
func RunLibrary(ctx context.Context, dir string, groups []*Group, lim Limits, tell func(LibraryResult)) error {
	if err := write(dir, groups); err != nil {
		return err
	}
	shared := front.Share(ctx)
	list, err := front.List(shared, dir, []string{"./..."})
	if err != nil {
		return err
	}
	for _, l := range list {
		number, _, _ := strings.Cut(strings.TrimPrefix(l.Path, "library/p"), "/")
		i, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		if err := groups[i].run(shared, l, lim, tell); err != nil {
			return fmt.Errorf("%s: %w", groups[i].Name(), err)
		}
	}
	return nil
}

// run runs the tests of a group, each as a program of its own: a function that hands it to testing.Main.
func (g *Group) run(ctx context.Context, l *front.Listed, lim Limits, tell func(LibraryResult)) error {
	text, roots := "package "+g.files[0].Name.Name+"\n\nimport \"testing\"\n", []string(nil)
	for i, test := range g.Tests {
		root := fmt.Sprintf("pangolinTest%d", i)
		text += fmt.Sprintf("\nfunc %s() { testing.Main(nil, []testing.InternalTest{{Name: %q, F: %s}}, nil, nil) }\n", root, test, test)
		roots = append(roots, root)
	}
	if len(roots) == 0 {
		return nil
	}
	prog, err := l.Load(ctx, front.Request{Roots: roots,
		Harness: func(*types.Package) (string, []byte, error) { return "pangolin_testmain.go", []byte(text), nil }})
	if err != nil {
		return err
	}
	prog.Args = []string{"-test.short=true"}
	for i, test := range g.Tests {
		tell(g.runOne(prog, i, test, lim))
	}
	return nil
}

func (g *Group) runOne(prog *ir.Program, i int, test string, lim Limits) (out LibraryResult) {
	out = LibraryResult{Group: g, Test: test}
	defer func() {
		if e := recover(); e != nil {
			out.Outcome, out.Reason = Failed, fmt.Sprintf("the machine crashes: %v", e)
		}
	}()
	one := *prog
	one.Roots = prog.Roots[i : i+1]
	var r Result
	r.execute(&one, lim)
	out.Outcome, out.Reason, out.Detail = r.Outcome, r.Reason, r.Detail
	if r.Outcome == Failed && strings.HasPrefix(r.Reason, "exit status") {
		out.Reason = firstFailure(r.Detail)
	}
	return out
}

// firstFailure is the first line that a test has logged, without its place.
func firstFailure(log string) string {
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "---") {
			continue
		}
		if _, rest, ok := strings.Cut(line, "_tests.go:"); ok {
			_, line, _ = strings.Cut(rest, ": ")
		}
		return line
	}
	return firstLine(log)
}

// explained are tests that fail, and why that is no fault of a model.
var explained = map[string]string{
	"sync TestMutexFairness":    anyMoment + ", and here before the mutex is free",
	"context TestLayersCancel":  anyMoment + ", and here before the test cancels",
	"strings TestClone":         "the data of an empty string (unsafe.StringData) is found at another place each time",
	"time TestAfter":            standsStill,
	"time TestAfterTick":        standsStill,
	"time TestTicker":           standsStill,
	"time TestAfterQueuing":     anyMoment + ", whatever the order of their durations",
	"time TestOverflowSleep":    anyMoment + ", and a sleep of 290 years ends",
	"time TestReset":            anyMoment + ", and here before it is reset, so that the test tries with longer and longer ones",
	"time TestChan":             anyMoment + ", and that of a ticker before the test looks",
	"time TestLongAdjustTimers": anyMoment + ", and here the one that gives up is first, after which nobody receives",
}

const (
	anyMoment   = "a timer fires at any moment"
	standsStill = "the clock stands still: nothing takes time"
)

// LibraryPage prints what came of the tests, as a page in Markdown.
func LibraryPage(groups []*Group, results []LibraryResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The library's own tests in the machine\n\n"+
		"Generated by `go test ./internal/test/gosuite -run Library -update` with %s; the same test compares it.\n\n"+
		"The test files of GOROOT/src are copied into a module of their own, as packages that import the package under test, and each Test function\n"+
		"is executed once, with -short. So the tests run against the machine's models of the library. Test files that stand inside\n"+
		"their package import it as well. What needs the inside of a package, or an internal one, is left out, with what uses it. Of package time the tests\n"+
		"of timers are run, of package strings all but those of strings_test.go, which take minutes.\n\n"+
		"| package | tests | pass | fail | cannot run | left out |\n|---|--:|--:|--:|--:|--:|\n", runtime.Version())
	for _, g := range groups {
		var n [Failed + 1]int
		for _, r := range results {
			if r.Group == g {
				n[r.Outcome]++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", g.Name(), len(g.Tests), n[Passed], n[Failed], n[Skipped], len(g.leftTests()))
	}
	b.WriteString("\n## Tests that fail\n\n| test | how | why |\n|---|---|---|\n")
	for _, r := range results {
		if r.Outcome == Failed {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.name(), cell(r.Reason), explained[r.name()])
		}
	}
	b.WriteString("\n## Tests that cannot run\n\n| test | reason |\n|---|---|\n")
	for _, r := range results {
		if r.Outcome == Skipped {
			fmt.Fprintf(&b, "| %s | %s |\n", r.name(), cell(r.Reason))
		}
	}
	b.WriteString("\n## Tests that are left out\n\n| test | the compiler says |\n|---|---|\n")
	for _, g := range groups {
		for _, l := range g.leftTests() {
			fmt.Fprintf(&b, "| %s %s | %s |\n", g.Name(), l.Name, cell(l.Why))
		}
	}
	return b.String()
}

// name is the test with its package.
func (r *LibraryResult) name() string { return r.Group.Name() + " " + r.Test }

// leftTests are the tests among what was left out.
func (g *Group) leftTests() (list []LeftOut) {
	for _, l := range g.Left {
		if strings.HasPrefix(l.Name, "Test") {
			list = append(list, l)
		}
	}
	return list
}
