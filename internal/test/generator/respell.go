// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A respelling writes a package in other words: what it does stays the same, and so do the places at which goroutines can
// meet. Whatever is said of the package must be said of its respelling, and the search for it has as many states: what is
// added (a local variable, a call, a field that is zero) is of one goroutine or has one value. One way is an exception, see Captures.

// Respelling is a way to write a package in other words.
type Respelling struct {
	Name string
	// Captures says that local variables become part of the heap, where what nobody reads any more stays: the search may have
	// more states then.
	Captures bool
	apply    func(*respeller)
}

// Respellings lists them.
func Respellings() []Respelling {
	return []Respelling{
		{"renamed", false, (*respeller).rename},
		{"split by a variable", false, (*respeller).split},
		{"wrapped in a function", false, (*respeller).wrap},
		{"wrapped in a call", true, (*respeller).wrapStatements},
		{"a field more", false, (*respeller).addFields},
		{"in another order", false, (*respeller).reorder},
		{"types with names", false, (*respeller).nameTypes},
		{"without type parameters", false, (*respeller).instantiate},
		{"conditions turned", false, (*respeller).turnConditions},
		{"other loops", false, (*respeller).changeLoops},
		{"longer operators", false, (*respeller).lengthen},
	}
}

// respeller holds a package that is type-checked, and collects what is to be changed in its text.
type respeller struct {
	rng    *rand.Rand
	fset   *token.FileSet
	files  map[string]*ast.File
	texts  map[string]string
	names  []string // of files, sorted
	info   *types.Info
	pkg    *types.Package
	file   string // that is being changed
	edits  map[string][]cut
	unique int
	often  int // one place of so many is changed
}

// Respell writes the files of a package in other words; ok says that there was something to change, and that the outcome
// compiles.
func (c *Checker) Respell(files map[string]string, how Respelling, seed uint64) (respelled map[string]string, ok bool, err error) {
	r := &respeller{rng: rand.New(rand.NewPCG(seed, 0x72657370656c6c)), fset: c.fset, files: map[string]*ast.File{}, texts: files,
		names: slices.Sorted(maps.Keys(files)), edits: map[string][]cut{}, often: 1 + int(seed%2)}
	if err := r.check(c); err != nil {
		return nil, false, err
	}
	how.apply(r)
	if len(r.edits) == 0 {
		return nil, false, nil
	}
	out := maps.Clone(files)
	for name, list := range r.edits {
		text, err := format.Source([]byte(replaced(files[name], list)))
		if err != nil {
			return nil, false, fmt.Errorf("%s: %s: %w", how.Name, name, err)
		}
		out[name] = string(text)
	}
	again := &respeller{fset: token.NewFileSet(), files: map[string]*ast.File{}, texts: out, names: r.names}
	if err := again.check(c); err != nil {
		return out, false, fmt.Errorf("%s: %w", how.Name, err)
	}
	return out, true, nil
}

func (r *respeller) check(c *Checker) error {
	var list []*ast.File
	for _, name := range r.names {
		f, err := parser.ParseFile(r.fset, name, r.texts[name], parser.ParseComments)
		if err != nil {
			return err
		}
		r.files[name] = f
		list = append(list, f)
	}
	r.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}
	conf := types.Config{Importer: c.imp, GoVersion: "go1.26"}
	var err error
	r.pkg, err = conf.Check("respelled", r.fset, list, r.info)
	return err
}

// replaced makes the changes that do not overlap with an earlier one.
func replaced(text string, list []cut) string {
	slices.SortStableFunc(list, func(a, b cut) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var b strings.Builder
	at := 0
	for _, c := range list {
		if c.from < at {
			continue // inside what has been replaced
		}
		b.WriteString(text[at:c.from] + c.text)
		at = c.to
	}
	return b.String() + text[at:]
}

func (r *respeller) offset(p token.Pos) int { return r.fset.Position(p).Offset }

// text is the source of a node.
func (r *respeller) text(n ast.Node) string {
	return r.texts[r.file][r.offset(n.Pos()):r.offset(n.End())]
}

// change replaces the text between two positions.
func (r *respeller) change(from, to token.Pos, text string) {
	r.edits[r.file] = append(r.edits[r.file], cut{r.offset(from), r.offset(to), text})
}

// insert puts text at a position.
func (r *respeller) insert(at token.Pos, text string) { r.change(at, at, text) }

// name makes a name that nothing has.
func (r *respeller) name() string {
	r.unique++
	return fmt.Sprintf("zz%d", r.unique)
}

// chosen draws whether a place is changed.
func (r *respeller) chosen() bool { return r.rng.IntN(r.often) == 0 }

// each walks through all files.
func (r *respeller) each(visit func(ast.Node) bool) {
	defer func(file string) { r.file = file }(r.file)
	for _, name := range r.names {
		r.file = name
		ast.Inspect(r.files[name], visit)
	}
}

// functions visits the bodies of all functions.
func (r *respeller) functions(visit func(d *ast.FuncDecl)) {
	r.each(func(n ast.Node) bool {
		if d, ok := n.(*ast.FuncDecl); ok && d.Body != nil {
			visit(d)
		}
		return true
	})
}

// statements visits the statements in blocks and cases, with those beside them.
func (r *respeller) statements(visit func(s ast.Stmt)) {
	r.each(func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, s := range list {
			visit(s)
		}
		return true
	})
}

// shows says that some text or number of the package may depend on the names or the shape of its types: that something is formatted,
// or a dynamic type is asked for.
func (r *respeller) shows() bool {
	found := false
	r.each(func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if p, ok := s.X.(*ast.Ident); ok && (p.Name == "fmt" || p.Name == "unsafe" || p.Name == "reflect") {
				found = true
			}
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && (f.Name == "panic" || strings.HasPrefix(f.Name, "print")) {
				found = true
			}
		}
		return !found
	})
	return found
}

// typeText writes a type as it is written in the package.
func (r *respeller) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		return p.Name()
	})
}
