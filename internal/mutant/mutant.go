// SPDX-License-Identifier: BSD-3-Clause

// Package mutant plants faults in Go source: one small change each, of the kinds that
// concurrent code goes wrong by.
//
// It takes a collection that was loaded, and gives Mutants: edits of one file's text, numbered in the order of the
// source, and the collection compiled with one of them. The operators are in one
// table (operators.go); a new one is a function and a line there. They follow the
// concurrency mutation operators of Bradbury, Cordy and Dingel (Mutation 2006), as far
// as they have a meaning in Go, and the classical ones for conditions, constants and
// statements.
//
// Only code that the collection's operations execute has mutants. The package does not know whether a mutant behaves
// differently from the original, and verifies nothing.
package mutant

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"pangolin/internal/front"
)

// Mutant is a planted fault.
type Mutant struct {
	ID       int // counted from 1 over all files of the collection
	File     *front.SourceFile
	Line     int    // of the first edit, counted from 1
	Operator string // "cas-store", see Operators
	// Func is the function that changes, as Name or Type.Name; "" for code outside of function declarations.
	Func  string
	edits []edit
}

// edit replaces Text[from:to].
type edit struct {
	from, to int
	text     string
}

// Text is the mutant's text of its file.
func (m *Mutant) Text() []byte {
	var out []byte
	at := 0
	for _, e := range m.edits {
		out = append(out, m.File.Text[at:e.from]...)
		out = append(out, e.text...)
		at = e.to
	}
	return append(out, m.File.Text[at:]...)
}

// inSource makes every mutant of the reached code of a package, in the order of files and source, without ID.
func inSource(pkg *front.Source, reached Places) []*Mutant {
	var out []*Mutant
	for i := range pkg.Files {
		f := &pkg.Files[i]
		s := &site{pkg: pkg, file: f}
		s.walk(f.Syntax, reached)
		slices.SortStableFunc(s.found, func(a, b *Mutant) int { return cmp.Compare(a.edits[0].from, b.edits[0].from) })
		out = append(out, s.found...)
	}
	return out
}

// site is a node of a file, to which operators are applied.
type site struct {
	pkg   *front.Source
	file  *front.SourceFile
	path  []ast.Node // from the file to the node
	found []*Mutant  // of the file, so far
}

// walk tries every operator on each node within a reached function.
func (s *site) walk(root ast.Node, reached Places) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			s.path = s.path[:len(s.path)-1]
			return true
		}
		if body := bodyOf(n); body != nil && !s.reaches(body, reached) {
			return false
		}
		s.path = append(s.path, n)
		if s.function() == nil {
			return true
		}
		for _, op := range operators() {
			op.find(s, n, func(edits ...edit) { s.emit(op.name, edits) })
		}
		return true
	})
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

func (s *site) reaches(body *ast.BlockStmt, reached Places) bool {
	from, to := s.pkg.Fset.Position(body.Pos()), s.pkg.Fset.Position(body.End())
	return reached.within(s.file.Name, place{from.Line, from.Column}, place{to.Line, to.Column})
}

// emit adds a mutant.
func (s *site) emit(operator string, edits []edit) {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	line := 1 + strings.Count(string(s.file.Text[:edits[0].from]), "\n")
	s.found = append(s.found, &Mutant{File: s.file, Line: line, Operator: operator, Func: s.declaration(), edits: edits})
}

// declaration names the function declaration around the node.
func (s *site) declaration() string {
	for _, n := range s.path {
		if d, ok := n.(*ast.FuncDecl); ok {
			if d.Recv == nil || len(d.Recv.List) == 0 {
				return d.Name.Name
			}
			return front.BaseType(d.Recv.List[0].Type) + "." + d.Name.Name
		}
	}
	return ""
}

// parent is the i-th node above the current one; nil above the file.
func (s *site) parent(i int) ast.Node {
	if k := len(s.path) - 1 - i; k >= 0 {
		return s.path[k]
	}
	return nil
}

// function is the type of the innermost function around the node.
func (s *site) function() *ast.FuncType {
	for i := len(s.path) - 1; i >= 0; i-- {
		switch f := s.path[i].(type) {
		case *ast.FuncDecl:
			return f.Type
		case *ast.FuncLit:
			return f.Type
		}
	}
	return nil
}

// body is the body of the innermost function around the node.
func (s *site) body() *ast.BlockStmt {
	for i := len(s.path) - 1; i >= 0; i-- {
		if b := bodyOf(s.path[i]); b != nil {
			return b
		}
	}
	return nil
}

func (s *site) offset(p token.Pos) int { return s.pkg.Fset.Position(p).Offset }

func (s *site) text(n ast.Node) string {
	return string(s.file.Text[s.offset(n.Pos()):s.offset(n.End())])
}

// replace changes a node's text.
func (s *site) replace(n ast.Node, text string) edit {
	return edit{s.offset(n.Pos()), s.offset(n.End()), text}
}

// insert puts text before a position.
func (s *site) insert(at token.Pos, text string) edit {
	return edit{s.offset(at), s.offset(at), text}
}

// indent is the white space at the beginning of a position's line.
func (s *site) indent(p token.Pos) string {
	at := s.offset(p)
	from := strings.LastIndexByte(string(s.file.Text[:at]), '\n') + 1
	line := string(s.file.Text[from:at])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
