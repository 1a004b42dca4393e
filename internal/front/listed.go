// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
	"golang.org/x/tools/go/packages"

	"pangolin/internal/ir"
)

// Listed is a package that the go command has listed. It can be looked at and loaded any number of
// times without asking the go command again.
type Listed struct {
	Path   string // import path
	Name   string
	Module string // path of its module; "" of the standard library
	Tested bool   // the package includes its test files (ListTested)

	dir     string
	listed  *packages.Package
	testing *packages.Package // if it has tests; see testingOf
	overlay map[string][]byte
	typed   *typed
	grounds *grounds
}

// typed caches the result of Types, with a hash of the texts that were checked.
type typed struct {
	mu     sync.Mutex
	shared bool // used by listings at different times, between which the files may have changed
	texts  uint64
	pkg    *types.Package
}

// List asks the go command for all packages that the patterns match, sorted by
// path. Packages without Go files are left out, unless there are no others.
func List(ctx context.Context, dir string, patterns []string) ([]*Listed, error) {
	return listed(ctx, dir, question{patterns, false})
}

// ListTested is List of the packages as their tests see them: with the test files of the
// package itself, and beside it the package of the tests that stand outside of it ("queue_test").
func ListTested(ctx context.Context, dir string, patterns []string) ([]*Listed, error) {
	return listed(ctx, dir, question{patterns, true})
}

func listed(ctx context.Context, dir string, q question) ([]*Listed, error) {
	l, err := newLoader(dir)
	if err != nil {
		return nil, err
	}
	pkgs, err := l.ask(ctx, q)
	if err != nil {
		return nil, goCommandError(err)
	}
	var testing *packages.Package
	if q.tests {
		testing = testingOf(pkgs)
		pkgs = tested(pkgs)
	}
	known, _ := ctx.Value(sharedKey{}).(*shared)
	var list []*Listed
	for _, p := range pkgs {
		if len(p.GoFiles) == 0 {
			continue
		}
		entry := &Listed{Path: p.PkgPath, Name: p.Name, Tested: q.tests, dir: dir, listed: p, typed: known.typed(p), grounds: new(grounds)}
		if p.ForTest != "" {
			entry.testing = testing
		}
		if p.Module != nil {
			entry.Module = p.Module.Path
		}
		list = append(list, entry)
	}
	if len(list) == 0 {
		return nil, l.choose(ctx, pkgs[:min(len(pkgs), 1)], q.patterns)
	}
	slices.SortFunc(list, func(a, b *Listed) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// tested keeps the variant of each package that includes its tests, and drops the programs that run
// the tests.
func tested(pkgs []*packages.Package) []*packages.Package {
	hasTests := map[string]bool{}
	for _, p := range pkgs {
		if p.ForTest != "" {
			hasTests[p.PkgPath] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(pkgs), func(p *packages.Package) bool {
		return p.ForTest == "" && (hasTests[p.PkgPath] || strings.HasSuffix(p.PkgPath, ".test"))
	})
}

// testingOf is package testing, which the programs that run tests import, also if all of the tests are examples that do not; nil if there are none.
func testingOf(pkgs []*packages.Package) *packages.Package {
	for _, p := range pkgs {
		if strings.HasSuffix(p.PkgPath, ".test") && p.Imports["testing"] != nil {
			return p.Imports["testing"]
		}
	}
	return nil
}

func (p *Listed) loader() (*loader, error) {
	l, err := newLoader(p.dir)
	if err != nil {
		return nil, err
	}
	l.target, l.overlay = p.listed, p.overlay
	if p.testing != nil {
		l.visit(p.testing)
	}
	l.visit(l.target)
	l.preselect()
	return l, nil
}

// Types type-checks the package without compiling it, once. The result must not be changed.
func (p *Listed) Types(ctx context.Context) (*types.Package, error) {
	p.typed.mu.Lock()
	defer p.typed.mu.Unlock()
	l, err := p.loader()
	if err != nil {
		return nil, err
	}
	texts := uint64(0)
	if p.typed.shared {
		texts = l.texts()
	}
	if p.typed.pkg != nil && p.typed.texts == texts {
		return p.typed.pkg, nil
	}
	defer p.grounds.lend(l)()
	g, err := l.groundwork(ctx, Request{})
	if err != nil {
		return nil, err
	}
	pkg, err := g.target(l)
	if err != nil {
		return nil, err
	}
	p.typed.pkg, p.typed.texts = pkg, texts
	return pkg, nil
}

// texts is a hash of the files that are compiled from source, the standard library left out.
func (l *loader) texts() uint64 {
	h := xxh3.New()
	for _, p := range l.order {
		if l.isStandard(p) || !l.fromSource(p) {
			continue
		}
		for _, name := range p.GoFiles {
			text, known := l.overlay[name]
			if !known {
				text, _ = os.ReadFile(name) // reading errors are reported by whoever parses the file
			}
			fmt.Fprintln(h, name, len(text))
			h.Write(text)
		}
	}
	return h.Sum64()
}

// Load is the function Load for this package. Of the request only Harness, Ghosts, Roots and Given
// are used.
func (p *Listed) Load(ctx context.Context, req Request) (*ir.Program, error) {
	l, err := p.loader()
	if err != nil {
		return nil, err
	}
	defer p.grounds.lend(l)()
	return l.load(ctx, req)
}

// Files are the paths of the package's files.
func (p *Listed) Files() []string { return p.listed.GoFiles }

// File is the path of the file that positions of a Program name; "" if it does not belong to the
// package.
func (p *Listed) File(name string) string {
	l, err := p.loader()
	if err != nil {
		return ""
	}
	for _, q := range l.order {
		for _, file := range q.GoFiles {
			if filepath.Base(file) == filepath.Base(name) && l.fileName(file) == name {
				return file
			}
		}
	}
	return ""
}

// Named is the name that positions of a Program give a file of a package; "" if there is no such file.
func (p *Listed) Named(pkg, base string) string {
	l, err := p.loader()
	if err != nil {
		return ""
	}
	for _, q := range l.order {
		for _, file := range q.GoFiles {
			if q.PkgPath == pkg && filepath.Base(file) == base {
				return l.fileName(file)
			}
		}
	}
	return ""
}

// Declared is the place of a type's declaration: the file as positions of a Program name it, and
// the line; "" and 0 if there is none.
func (p *Listed) Declared(typ string) (file string, line int) {
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return "", 0
	}
	for _, name := range p.listed.GoFiles {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return "", 0
		}
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				if t := s.(*ast.TypeSpec); t.Name.Name == typ {
					below, inside := strings.CutPrefix(name, dir+string(filepath.Separator))
					if !inside {
						below = p.Path + "/" + filepath.Base(name)
					}
					return filepath.ToSlash(below), fset.Position(t.Name.Pos()).Line
				}
			}
		}
	}
	return "", 0
}

// Directory is the directory with the package's files.
func (p *Listed) Directory() string { return filepath.Dir(p.listed.GoFiles[0]) }

// Directories are the directories of the package and of everything it imports, without the standard
// library.
func (p *Listed) Directories() (dirs []string) {
	packages.Visit([]*packages.Package{p.listed}, func(q *packages.Package) bool {
		if q.Module != nil && len(q.GoFiles) > 0 {
			dirs = append(dirs, filepath.Dir(q.GoFiles[0]))
		}
		return q.Module != nil && !isToolPath(q.PkgPath)
	}, nil)
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// Directives reads the directives about each type: the lines of its doc comment that begin with the
// prefix and a colon, without these. For example "//pangolin:new NewQueue[int](2)" is the line "new
// NewQueue[int](2)" of Queue. The comment of the package clause may contain some for types declared
// in other packages ("//pangolin:of Queue expect violated"). A directive in any other place is an
// error, unless it is one of those in elsewhere.
func (p *Listed) Directives(prefix string, elsewhere ...string) (*Directives, error) {
	d := &Directives{ByType: map[string][]string{}, Docs: map[string]string{}, docAt: map[string]token.Position{}, of: p, prefix: "//" + prefix + ":", read: map[*ast.Comment]bool{}, at: map[[2]string]token.Position{},
		invariants: map[[2]string]bool{}, locks: map[string]bool{}}
	m := newMembers()
	for _, name := range p.listed.GoFiles {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		d.file = fset
		d.ofPackage(f.Doc)
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				if decl.Tok == token.TYPE {
					d.ofTypes(decl)
					for _, s := range decl.Specs {
						m.addType(s.(*ast.TypeSpec))
					}
				}
			case *ast.FuncDecl:
				d.ofMethod(decl)
				d.ofBody(decl)
				m.addMethod(decl)
			}
		}
		if c := d.unread(f, elsewhere); c != nil {
			return nil, fmt.Errorf("%s: nobody reads %s here: directives stand in the comment right above a type, above the package clause (%[3]sof TYPE …) for types declared elsewhere, or above a method that is an invariant (%[3]sinvariant, %[3]sinvariant always)",
				p.line(fset.Position(c.Pos())), c.Text, d.prefix)
		}
	}
	d.inherit(m)
	return d, nil
}

// Directives are what the comments of a package tell about its types.
type Directives struct {
	ByType map[string][]string
	Docs   map[string]string // doc comments without directives, by type and method ("Queue", "Queue.Put")
	docAt  map[string]token.Position
	of     *Listed
	prefix string
	read   map[*ast.Comment]bool
	file   *token.FileSet               // positions of the file that is being read
	at     map[[2]string]token.Position // position of each line, by type and line

	invariants map[[2]string]bool // lines that stand above methods, by type and line
	locks      map[string]bool    // methods that call one named Lock, RLock or the like, by type and method
}

// At is the position of a line about a type, as file:line.
func (d *Directives) At(typ, line string) string { return d.of.line(d.at[[2]string{typ, line}]) }

// line formats a position as file:line. It is called for messages only, as shortening the name
// looks at all imported packages.
func (p *Listed) line(at token.Position) string {
	name := filepath.Base(at.Filename)
	if l, err := p.loader(); err == nil {
		name = l.fileName(at.Filename)
	}
	return fmt.Sprintf("%s:%d", name, at.Line)
}

func (d *Directives) add(typ, line string, c *ast.Comment) {
	d.ByType[typ] = append(d.ByType[typ], line)
	d.at[[2]string{typ, line}] = d.file.Position(c.Pos())
	d.read[c] = true
}

// document records the doc comment of a type or a method.
func (d *Directives) document(name string, doc *ast.CommentGroup) {
	d.Docs[name], d.docAt[name] = doc.Text(), d.file.Position(doc.Pos())
}

// ofMethod records the doc comment of a method.
func (d *Directives) ofMethod(f *ast.FuncDecl) {
	if f.Recv == nil || len(f.Recv.List) != 1 || f.Doc == nil {
		return
	}
	if typ := BaseType(f.Recv.List[0].Type); typ != "" {
		d.document(typ+"."+f.Name.Name, f.Doc)
		d.ofInvariant(typ, f)
	}
}

// ofBody records whether a method takes a lock.
func (d *Directives) ofBody(f *ast.FuncDecl) {
	if f.Recv == nil || len(f.Recv.List) != 1 || f.Body == nil {
		return
	}
	key := BaseType(f.Recv.List[0].Type) + "." + f.Name.Name
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Lock", "RLock", "TryLock", "TryRLock"}, sel.Sel.Name) {
				d.locks[key] = true
			}
		}
		return true
	})
}

// Locks reports whether a method, "Queue.Put", calls one named Lock, RLock or the like itself.
func (d *Directives) Locks(method string) bool { return d.locks[method] }

// ofInvariant collects the directive that makes a method an invariant of its type ("//pangolin:invariant", "//pangolin:invariant always")
// in the form in which the type's own comment would have it: "invariant Sorted", "invariant Sorted:always".
func (d *Directives) ofInvariant(typ string, f *ast.FuncDecl) {
	for _, c := range f.Doc.List {
		line := ""
		switch words := strings.Fields(strings.TrimPrefix(c.Text, d.prefix)); {
		case !strings.HasPrefix(c.Text, d.prefix) || len(words) == 0 || words[0] != "invariant":
			continue
		case len(words) == 1:
			line = "invariant " + f.Name.Name
		case len(words) == 2 && words[1] == "always":
			line = "invariant " + f.Name.Name + ":always"
		default:
			continue
		}
		d.add(typ, line, c)
		d.invariants[[2]string{typ, line}] = true
	}
}

// DocAt is where a sentence of the doc comment of a type or method begins, as file:line. The
// comment is taken to consist of lines that begin with //.
func (d *Directives) DocAt(name, sentence string) string {
	at := d.docAt[name]
	words := strings.Fields(sentence)
	text := d.Docs[name]
	for n := len(words); n > 0; n-- { // as many of the first words as are in one line
		if before, _, found := strings.Cut(text, strings.Join(words[:n], " ")); found {
			at.Line += strings.Count(before, "\n")
			break
		}
	}
	return d.of.line(at)
}

// Imported reads the comments of a package that this one imports, the first one by its path that is wanted; nil if there is none, or it cannot be read.
func (d *Directives) Imported(wanted func(path string) bool) *Directives {
	for _, path := range slices.Sorted(maps.Keys(d.of.listed.Imports)) {
		if p := d.of.listed.Imports[path]; wanted(path) && len(p.GoFiles) > 0 {
			other := *d.of
			other.listed = p
			if docs, err := other.Directives(strings.Trim(d.prefix, "/:")); err == nil {
				return docs
			}
		}
	}
	return nil
}

// unread is the first directive of a file in a place where it is not read; nil if there is none.
func (d *Directives) unread(f *ast.File, elsewhere []string) *ast.Comment {
	for _, g := range f.Comments {
		for _, c := range g.List {
			text, ok := strings.CutPrefix(c.Text, d.prefix)
			name, _, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
			if ok && !d.read[c] && !slices.Contains(elsewhere, name) {
				return c
			}
		}
	}
	return nil
}

// ofPackage reads the directives in the comment of a package clause.
func (d *Directives) ofPackage(doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		if text, ok := strings.CutPrefix(c.Text, d.prefix+"of "); ok {
			name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
			d.add(name, strings.TrimSpace(rest), c)
		}
	}
}

// ofTypes reads the directives in the comments of one declaration.
func (d *Directives) ofTypes(g *ast.GenDecl) {
	for _, s := range g.Specs {
		spec := s.(*ast.TypeSpec)
		doc := spec.Doc
		if doc == nil && len(g.Specs) == 1 {
			doc = g.Doc
		}
		if doc == nil {
			continue
		}
		d.document(spec.Name.Name, doc)
		for _, c := range doc.List {
			if text, ok := strings.CutPrefix(c.Text, d.prefix); ok {
				d.add(spec.Name.Name, strings.TrimSpace(text), c)
			}
		}
	}
}
