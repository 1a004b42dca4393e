package native

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// source is a package as it is written, checked.
type source struct {
	name  string // of the package
	names []string
	texts map[string]string // by file name
	fset  *token.FileSet
	files []*ast.File // in the order of names
	pkg   *types.Package
	info  *types.Info
	probe *ast.File // see checkWith
}

// check parses and type-checks a package, so that one that does not compile says so and
// does not spoil the build of all the others.
func check(path string, texts map[string]string, imports types.Importer) (*source, error) {
	s := &source{texts: texts, fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	for name := range texts {
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	for _, name := range s.names {
		f, err := parser.ParseFile(s.fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
		s.name = f.Name.Name
	}
	var err error
	conf := types.Config{Importer: imports, GoVersion: "go1.26"}
	s.pkg, err = conf.Check(path, s.fset, s.files, s.info)
	return s, err
}

// checkWith checks a package with one more file.
func checkWith(path string, texts map[string]string, probe string, imports types.Importer) (*source, error) {
	const name = "zz_turn_probe.go"
	all := maps.Clone(texts)
	all[name] = probe
	s, err := check(path, all, imports)
	if err != nil {
		return nil, err
	}
	s.probe = s.files[slices.Index(s.names, name)]
	return s, nil
}

// renamed gives a package main another name, so that a driver can import it, and a
// function that calls its main. Of the text two things are changed, no line: the name, and
// composite literals that initialise variables are handed through a function, because
// the compiler would lay out what they point to as nameless static data, which nobody
// could set back before the next execution.
func (s *source) renamed(name string) map[string]string {
	out := map[string]string{"zz_turn.go": fmt.Sprintf("package %s\n\nfunc Turn_run() { main() }\n\n//go:noinline\nfunc turn_made[T any](v T) T { return v }\n", name)}
	for i, f := range s.files {
		text, at := s.texts[s.names[i]], func(p token.Pos) int { return s.fset.PositionFor(p, false).Offset }
		literals := initialLiterals(f)
		for j := len(literals) - 1; j >= 0; j-- {
			from, to := at(literals[j].Pos()), at(literals[j].End())
			text = text[:from] + "turn_made(" + text[from:to] + ")" + text[to:]
		}
		out[s.names[i]] = text[:at(f.Name.Pos())] + name + text[at(f.Name.End()):]
	}
	return out
}

// initialLiterals are the composite literals, or their addresses, that are the initial
// values of package variables, in the order of the text. Those that call functions are
// left out: of them the compiler lays out a part before the calls, which is seen.
func initialLiterals(f *ast.File) []ast.Expr {
	var list []ast.Expr
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			for _, v := range spec.(*ast.ValueSpec).Values {
				e := ast.Unparen(v)
				if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
					e = ast.Unparen(u.X)
				}
				if _, ok := e.(*ast.CompositeLit); ok && !calls(e) {
					list = append(list, v)
				}
			}
		}
	}
	return list
}

// calls says that a function may be called, make and new aside.
func calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			f, ok := call.Fun.(*ast.Ident)
			found = found || !ok || f.Name != "make" && f.Name != "new"
		}
		return true
	})
	return found
}
