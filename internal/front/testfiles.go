// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// TestFiles parses the package's test files, with comments. There are none unless the package was
// listed by ListTested.
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

// source is the text that replaces a file's on the disk, for package parser; nil if there is none.
func (p *Listed) source(name string) any {
	if text, ok := p.overlay[name]; ok {
		return text
	}
	return nil
}

// Declares is the position of the function with a name in the files, for sorting; 0 if there is none.
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
