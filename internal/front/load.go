// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// loader holds the packages that the go command has listed, and which of them are compiled from
// source. Its parsed files are used by several attempts to build: an attempt that reaches a
// function of a standard package without source adds the package and begins anew.
type loader struct {
	dir    string // absolute, where the go command ran
	fset   *token.FileSet
	target *packages.Package
	order  []*packages.Package // dependencies first; the target is last
	listed map[string]*packages.Package
	source map[string]bool // standard packages to compile from source
	parsed map[string]*ast.File
	// See linkname.go.
	directives map[string][][2]string // by file
	linked     map[string]string
	// See elsewhere.go.
	embedded  map[string]map[int]bool // by file
	elsewhere map[string]string       // why the variable's content is not in the source, by its name
	norace    map[string]map[int]bool // by file, see norace.go
	harness   string                  // the name of the file made by Request.Harness; "": none
	// prelude holds what preludeSources has parsed.
	prelude []preludeFile
	// overlay holds the texts of files that replace those on the disk.
	overlay map[string][]byte
	grounds *grounds    // nil: none are kept
	last    *groundwork // of the attempt before; nil: there was none
}

// newLoader makes a loader without packages.
func newLoader(dir string) (*loader, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return &loader{dir: dir, fset: token.NewFileSet(), listed: map[string]*packages.Package{},
		source: map[string]bool{}, parsed: map[string]*ast.File{}, directives: map[string][][2]string{}, linked: map[string]string{},
		norace: map[string]map[int]bool{}, embedded: map[string]map[int]bool{}, elsewhere: map[string]string{}}, nil
}

// list runs the go command once.
func list(ctx context.Context, req Request) (*loader, error) {
	l, err := newLoader(req.Dir)
	if err != nil {
		return nil, err
	}
	pkgs, err := l.ask(ctx, question{patterns: req.Patterns})
	if err != nil {
		return nil, goCommandError(err)
	}
	if err := l.choose(ctx, pkgs, req.Patterns); err != nil {
		return nil, err
	}
	l.visit(l.target)
	l.preselect()
	return l, nil
}

func (l *loader) config(ctx context.Context) *packages.Config {
	return &packages.Config{
		Context: ctx,
		Dir:     l.dir,
		Env:     Environment(),
		Fset:    l.fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedExportFile | packages.NeedModule | packages.NeedForTest,
	}
}

// goCommandError extracts the go command's own words from an error.
func goCommandError(err error) error {
	msg := strings.TrimSpace(err.Error())
	before, after, found := strings.Cut(msg, "stderr:")
	if after = strings.TrimSpace(after); found && after != "" {
		msg = after
	} else if found {
		msg = strings.TrimRight(before, " :\n\t") // the go command could not be started
	}
	return problem("the go command failed: %s", unfetched(strings.TrimPrefix(msg, "err: ")))
}

// choose finds the one package that the patterns name.
func (l *loader) choose(ctx context.Context, pkgs []*packages.Package, patterns []string) error {
	name := strings.Join(patterns, " ")
	switch len(pkgs) {
	case 0:
		return l.nothing(ctx, patterns)
	case 1:
		l.target = pkgs[0]
	default:
		var paths []string
		for _, p := range pkgs {
			paths = append(paths, p.PkgPath)
		}
		slices.Sort(paths)
		return problem("%s matches %d packages, one is needed: %s", name, len(pkgs), strings.Join(clip(paths, 5), ", "))
	}
	if len(l.target.GoFiles) == 0 {
		return l.noFiles(name)
	}
	return nil
}

func clip(list []string, n int) []string {
	if len(list) > n {
		return append(list[:n:n], "...")
	}
	return list
}

func (l *loader) noFiles(name string) error {
	for _, e := range l.target.Errors {
		if e.Msg != "" {
			return problem("%s", l.relativize(oneLine(e.Msg)))
		}
	}
	return problem("%s has no Go files for this platform", name)
}

// relativize removes the working directory from a message.
func (l *loader) relativize(msg string) string {
	return strings.ReplaceAll(msg, l.dir+string(filepath.Separator), "")
}

// visit puts p and what it imports in order, dependencies first.
func (l *loader) visit(p *packages.Package) {
	if l.listed[p.PkgPath] != nil {
		return
	}
	l.listed[p.PkgPath] = p
	if l.isTool(p) {
		l.order = append(l.order, p)
		return
	}
	for _, path := range sortedKeys(p.Imports) {
		l.visit(p.Imports[path])
	}
	l.order = append(l.order, p)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// isStandard says whether p belongs to the standard library: everything else
// is in a module or is the target itself.
func (l *loader) isStandard(p *packages.Package) bool {
	return p.Module == nil && p != l.target
}

// isTool reports whether p is one of Pangolin's own packages for tests. Users' tests import them to have a
// type verified; they are not part of the program.
func (l *loader) isTool(p *packages.Package) bool { return isToolPath(p.PkgPath) && p != l.target }

// fromSource says whether the package's function bodies are compiled.
func (l *loader) fromSource(p *packages.Package) bool { return l.fromSourceIf(p, l.source) }

// fromSourceIf is fromSource if these are the standard packages that are compiled.
func (l *loader) fromSourceIf(p *packages.Package, source map[string]bool) bool {
	return p == l.target || !l.isStandard(p) && !isBuiltin(p.PkgPath) || source[p.PkgPath]
}

// preselect adds small standard packages that nearly every program executes if it imports them.
// Others are added when they are reached.
func (l *loader) preselect() {
	for _, p := range l.order {
		if l.isStandard(p) {
			continue
		}
		for _, imp := range p.Imports {
			l.preselectFrom(imp)
		}
	}
}

func (l *loader) preselectFrom(p *packages.Package) {
	if !isPreselected(p.PkgPath) || l.source[p.PkgPath] {
		return
	}
	l.source[p.PkgPath] = true
	for _, imp := range p.Imports {
		l.preselectFrom(imp)
	}
}

// needSource adds packages to those compiled from source, and reports whether one is new.
func (l *loader) needSource(paths map[string]bool) bool {
	grew := false
	for path := range paths {
		if l.couldBeSource(path, l.source) {
			l.source[path] = true
			grew = true
		}
	}
	return grew
}

// couldBeSource says whether a package has a source and is none of those that are compiled from it, if source has all standard ones.
func (l *loader) couldBeSource(path string, source map[string]bool) bool {
	p := l.listed[path]
	return p != nil && !l.fromSourceIf(p, source) && len(p.GoFiles) > 0
}

// files parses the package's files.
func (l *loader) files(p *packages.Package) ([]*ast.File, error) {
	var files []*ast.File
	var errs []error
	for _, name := range p.GoFiles {
		f := l.parsed[name]
		if f == nil {
			var err error
			f, err = l.parse(name, nil)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			l.parsed[name] = f
		}
		l.link(p.PkgPath, name)
		l.embed(p.PkgPath, name, f)
		files = append(files, f)
	}
	if len(errs) > 0 {
		return nil, l.errorOf(errs)
	}
	return files, nil
}

// parse reads one file; src is its text, or nil to read it from the disk.
func (l *loader) parse(name string, src []byte) (*ast.File, error) {
	if src == nil {
		src = l.overlay[name]
	}
	if src == nil {
		var err error
		if src, err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	l.directives[name], l.norace[name], l.embedded[name] = linknames(src), noRaces(src), embeds(src)
	return parser.ParseFile(l.fset, name, src, parser.SkipObjectResolution)
}
