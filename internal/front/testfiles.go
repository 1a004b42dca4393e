// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// TestFiles parses the package's test files, with comments; none if it is not listed as tests see it.
func (p *Listed) TestFiles() (files []*ast.File, err error) {
	fset := token.NewFileSet()
	for _, name := range p.listed.GoFiles {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, p.source(name), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// source is the text of a file that has another one than on disk, for package parser; else nil.
func (p *Listed) source(name string) any {
	if text, ok := p.overlay[name]; ok {
		return text
	}
	return nil
}

// Declares says where one of the files declares a function of a name: a position to sort by; 0: nowhere.
func (p *Listed) Declares(files []*ast.File, name string) int {
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return int(fn.Pos())
			}
		}
	}
	return 0
}
