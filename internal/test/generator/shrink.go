// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"cmp"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Checker type-checks many texts, loading each import once.
type Checker struct {
	fset *token.FileSet
	imp  types.Importer
}

// NewChecker makes one.
func NewChecker() *Checker {
	fset := token.NewFileSet()
	return &Checker{fset, importer.ForCompiler(fset, "gc", nil)}
}

// Import lets texts import packages of the module in whose directory the process is, which are compiled from their sources.
func (c *Checker) Import(module string) {
	c.imp = &moduleImporter{c.imp, module, importer.ForCompiler(c.fset, "source", nil)}
}

// moduleImporter asks one importer for the packages of a module, and another for the rest.
type moduleImporter struct {
	types.Importer
	module  string
	sources types.Importer
}

func (m *moduleImporter) Import(path string) (*types.Package, error) {
	if strings.HasPrefix(path, m.module+"/") {
		return m.sources.Import(path)
	}
	return m.Importer.Import(path)
}

// Check says what is wrong with the source of a package of one file.
func (c *Checker) Check(source string) error {
	file, err := parser.ParseFile(c.fset, "generated.go", source, 0)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: c.imp, GoVersion: "go1.26"}
	_, err = conf.Check("generated", c.fset, []*ast.File{file}, nil)
	return err
}

// Shrink makes a text smaller while keeps is true of it: it deletes statements and
// declarations and takes the contents of blocks, branches and operators for the whole. keeps
// is asked of several candidates at a time, all of which compile, and gives the index of
// one that keeps the property, or -1.
func Shrink(source string, keeps func(candidates []string) int) string {
	c := NewChecker()
	for {
		next := ""
		all := smaller(source)
		for len(all) > 0 && next == "" {
			var batch []string
			for len(all) > 0 && len(batch) < shrinkBatch {
				if c.Check(all[0]) == nil {
					batch = append(batch, all[0])
				}
				all = all[1:]
			}
			if len(batch) > 0 {
				if i := keeps(batch); i >= 0 {
					next = batch[i]
				}
			}
		}
		if next == "" {
			return source
		}
		source = next
	}
}

// shrinkBatch is how many candidates are tried at a time.
const shrinkBatch = 24

// cut replaces a part of a text by another.
type cut struct {
	from, to int
	text     string
}

// smaller lists the texts that are one step smaller, the smallest first.
func smaller(source string) []string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "generated.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	text := func(n ast.Node) string { return source[at(n.Pos()):at(n.End())] }
	inside := func(b *ast.BlockStmt) string { return source[at(b.Lbrace)+1 : at(b.Rbrace)] }
	var cuts []cut
	replace := func(n ast.Node, by string) { cuts = append(cuts, cut{at(n.Pos()), at(n.End()), by}) }
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			replace(d, "")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			for _, s := range n.List {
				replace(s, "")
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				replace(s, "")
			}
		case *ast.CommClause:
			for _, s := range n.Body {
				replace(s, "")
			}
		case *ast.IfStmt:
			replace(n, inside(n.Body))
			if n.Else != nil {
				cuts = append(cuts, cut{at(n.Body.End()), at(n.Else.End()), ""})
			}
		case *ast.ForStmt:
			replace(n, inside(n.Body))
		case *ast.RangeStmt:
			replace(n, inside(n.Body))
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.FuncLit); ok && len(call.Args) == 0 {
					replace(n, inside(f.Body))
				}
			}
		case *ast.Field:
			if len(n.Names) == 1 {
				replace(n, "")
			}
		case *ast.KeyValueExpr:
			cuts = append(cuts, cut{at(n.Pos()), at(n.End()), ""})
		case *ast.BinaryExpr:
			replace(n, text(n.X))
			replace(n, text(n.Y))
		case *ast.CallExpr:
			for i, a := range n.Args {
				if len(n.Args) > 1 && i+1 < len(n.Args) {
					cuts = append(cuts, cut{at(a.Pos()), at(n.Args[i+1].Pos()), ""})
				}
				if len(n.Args) == 1 {
					replace(n, text(a))
				}
			}
		}
		if b, ok := n.(*ast.BlockStmt); ok {
			for _, s := range b.List {
				if inner, ok := s.(*ast.BlockStmt); ok {
					replace(s, inside(inner))
				}
			}
		}
		return true
	})
	return apply(source, cuts)
}

var emptyValue = regexp.MustCompile(`([{,]\s*),`)

// apply makes each cut on its own and drops imports that are used no longer. The biggest
// cuts come first.
func apply(source string, cuts []cut) []string {
	slices.SortStableFunc(cuts, func(a, b cut) int {
		return cmp.Compare(b.to-b.from-len(b.text), a.to-a.from-len(a.text))
	})
	var list []string
	for _, c := range cuts {
		candidate := withImports(emptyValue.ReplaceAllString(source[:c.from]+c.text+source[c.to:], "$1"))
		if candidate != "" && len(candidate) < len(source) && !slices.Contains(list, candidate) {
			list = append(list, candidate)
		}
	}
	return list
}

var importBlock = regexp.MustCompile(`(?s)\nimport \(.*?\n\)\n`)

// withImports gives a text the imports that it needs; "" if it does not parse.
func withImports(source string) string {
	rest := importBlock.ReplaceAllString(source, "\n")
	used := imports(rest)
	if importBlock.MatchString(source) {
		source = importBlock.ReplaceAllString(source, "\n"+used)
	}
	formatted, err := format.Source([]byte(source))
	if err != nil {
		return ""
	}
	return string(formatted)
}
