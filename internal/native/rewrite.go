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
// function that calls its main. Nothing else is changed: no line, no expression.
func (s *source) renamed(name string) map[string]string {
	out := map[string]string{"zz_turn.go": fmt.Sprintf("package %s\n\nfunc Turn_run() { main() }\n", name)}
	for i, f := range s.files {
		file := s.names[i]
		from, to := s.fset.PositionFor(f.Name.Pos(), false).Offset, s.fset.PositionFor(f.Name.End(), false).Offset
		out[file] = s.texts[file][:from] + name + s.texts[file][to:]
	}
	return out
}

// SPDX-License-Identifier: BSD-3-Clause
