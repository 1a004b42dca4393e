// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// maxProblems is how many errors of a package are reported.
const maxProblems = 10

// checked is a package type-checked from source.
type checked struct {
	path  string
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
}

// checker type-checks one attempt's packages. All of them share one map of
// imported packages, and packages are checked in dependency order, so that a
// package has one identity whether it is seen through source or export data.
type checker struct {
	l       *loader
	shared  map[string]*types.Package
	sources []*checked
	direct  []*types.Package // packages imported by source packages and known by export data only
	seen    map[*types.Package]bool
}

func newChecker(l *loader) *checker {
	return &checker{l: l, shared: map[string]*types.Package{}, seen: map[*types.Package]bool{}}
}

// all checks every package that is compiled from source, the target last.
func (c *checker) all(ctx context.Context) error {
	if err := c.others(ctx); err != nil {
		return err
	}
	_, err := c.sourceOf(c.l.target)
	return err
}

// others checks every package that is compiled from source but the target.
func (c *checker) others(ctx context.Context) error {
	for _, p := range c.l.order {
		if p == c.l.target || !c.l.fromSource(p) || len(p.GoFiles) == 0 { // who imports one without files says so
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := c.sourceOf(p); err != nil {
			return err
		}
	}
	return nil
}

// sourceOf checks one package as it is.
func (c *checker) sourceOf(p *packages.Package) (*checked, error) {
	files, err := c.l.files(p)
	if err != nil {
		return nil, err
	}
	return c.source(p, files)
}

// target checks the target package, with the harness file if there is one.
func (c *checker) target(g *groundwork, req Request) (*checked, error) {
	if req.Harness == nil {
		return c.sourceOf(c.l.target)
	}
	plain, err := g.target(c.l)
	if err != nil {
		return nil, err
	}
	name, src, err := req.Harness(plain)
	if err != nil {
		return nil, err
	}
	c.l.harness = filepath.Join(c.l.dir, name)
	f, err := c.l.parse(c.l.harness, src)
	if err != nil {
		return nil, c.l.errorOf([]error{err})
	}
	c.l.link(c.l.target.PkgPath, c.l.harness)
	f.GoVersion = build.Default.ReleaseTags[len(build.Default.ReleaseTags)-1] // the harness may use all of Go, whatever version the package's module names
	files, err := c.l.files(c.l.target)
	if err != nil {
		return nil, err
	}
	return c.source(c.l.target, append(files, f))
}

// source checks one package.
func (c *checker) source(p *packages.Package, files []*ast.File) (*checked, error) {
	if err := c.l.importsC(files...); err != nil {
		return nil, err
	}
	res, err := c.check(p.PkgPath, files, versionOf(p), func(path string) (*types.Package, error) {
		return c.imported(p, path)
	})
	if err != nil {
		return nil, cmp.Or(c.l.usesC(cFiles(p)), err)
	}
	c.shared[p.PkgPath] = res.pkg
	c.sources = append(c.sources, res)
	return res, nil
}

type importerFunc func(path string) (*types.Package, error)

// Import calls f, as types.Importer wants it.
func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// check runs the type checker over files.
func (c *checker) check(path string, files []*ast.File, version string, imp importerFunc) (*checked, error) {
	var errs []error
	conf := types.Config{
		Importer:  imp,
		GoVersion: version,
		Sizes:     types.SizesFor("gc", runtime.GOARCH),
		Error:     func(err error) { errs = append(errs, err) },
	}
	if path == "command-line-arguments" {
		path = files[0].Name.Name
	}
	res := &checked{path: path, files: files, info: newInfo()}
	pkg, err := conf.Check(path, c.l.fset, files, res.info)
	if err != nil {
		if len(errs) == 0 {
			errs = append(errs, err)
		}
		return nil, c.l.errorOf(errs)
	}
	res.pkg = pkg
	return res, nil
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
}

func versionOf(p *packages.Package) string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return "go" + p.Module.GoVersion
}

// imported finds what package p means by an import path.
func (c *checker) imported(p *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imp := p.Imports[path]
	if imp == nil {
		imp = c.l.listed[path]
	}
	if imp == nil {
		return nil, cmp.Or(c.l.cycle(), fmt.Errorf("package %s is not among the dependencies", path))
	}
	return c.load(imp)
}

// load returns a package that was checked, or reads its export data.
func (c *checker) load(p *packages.Package) (*types.Package, error) {
	if pkg := c.shared[p.PkgPath]; pkg != nil && pkg.Complete() {
		c.needs(pkg)
		return pkg, nil
	}
	if p.ExportFile == "" && p.Module != nil && isBuiltin(p.PkgPath) && len(p.Errors) == 0 {
		return c.declared(p)
	}
	if p.ExportFile == "" {
		return nil, c.l.exportError(p)
	}
	f, err := os.Open(p.ExportFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 the go command still gives archives, from which only NewReader takes the export data
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", p.PkgPath, err)
	}
	pkg, err := gcexportdata.Read(r, c.l.fset, c.shared, p.PkgPath)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", p.PkgPath, err)
	}
	c.needs(pkg)
	return pkg, nil
}

// declared type-checks a package that is built into the machine and not of the standard library,
// such as package mark, of which a replayed answer has no export data. It is not compiled.
func (c *checker) declared(p *packages.Package) (*types.Package, error) {
	files, err := c.l.files(p)
	if err != nil {
		return nil, err
	}
	res, err := c.check(p.PkgPath, files, versionOf(p), func(path string) (*types.Package, error) { return c.imported(p, path) })
	if err != nil {
		return nil, err
	}
	c.shared[p.PkgPath] = res.pkg
	c.needs(res.pkg)
	return res.pkg, nil
}

// needs records that a source package imports pkg.
func (c *checker) needs(pkg *types.Package) {
	if !c.seen[pkg] {
		c.seen[pkg] = true
		c.direct = append(c.direct, pkg)
	}
}

// exportError says why a package has no export data.
func (l *loader) exportError(p *packages.Package) error {
	for _, e := range p.Errors {
		return errors.New(l.relativize(oneLine(e.Msg)))
	}
	if err := l.cycle(); err != nil {
		return err
	}
	return fmt.Errorf("package %s could not be compiled by the go command", p.PkgPath)
}

// cycle is what the go command says of packages that import each other, nil if it says nothing. It says it of one of them, and package
// packages leaves out the import that closes the cycle, whichever it has met last.
func (l *loader) cycle() error {
	for _, p := range l.order {
		for _, e := range p.Errors {
			if strings.Contains(e.Msg, "import cycle not allowed") {
				return errors.New(oneLine(e.Msg))
			}
		}
	}
	return nil
}

func errorPos(err error) token.Pos {
	var typeErr types.Error
	if errors.As(err, &typeErr) {
		return typeErr.Pos
	}
	return token.NoPos
}

// errorOf makes an Error of the errors of the parser or the type checker, in the order of the source.
func (l *loader) errorOf(errs []error) error {
	slices.SortStableFunc(errs, func(a, b error) int { return cmp.Compare(errorPos(a), errorPos(b)) })
	e := &Error{}
	for _, err := range errs {
		var list scanner.ErrorList
		var typeErr types.Error
		switch {
		case errors.As(err, &list):
			for _, item := range list {
				e.Problems = append(e.Problems, l.fileName(item.Pos.Filename)+strings.TrimPrefix(item.Error(), item.Pos.Filename))
			}
		case errors.As(err, &typeErr):
			// Lines that begin with a tab continue the error before them.
			if !strings.HasPrefix(typeErr.Msg, "\t") {
				e.Problems = append(e.Problems, l.position(typeErr.Pos)+": "+typeErr.Msg)
			}
		default:
			e.Problems = append(e.Problems, l.relativize(err.Error()))
		}
	}
	if n := len(e.Problems) - maxProblems; n > 0 {
		e.Problems = append(e.Problems[:maxProblems:maxProblems], fmt.Sprintf("and %d more", n))
	}
	return e
}
