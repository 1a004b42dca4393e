// SPDX-License-Identifier: BSD-3-Clause

package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// source is a parsed file.
type source struct {
	file *File
	fset *token.FileSet
	tree *ast.File
}

func parse(f *File) (*source, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, f.Name, f.Text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{f, fset, tree}, nil
}

// methods adds the file's methods to a map from method names to types.
func (s *source) methods(to map[string][]string) {
	for _, d := range s.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			to[f.Name.Name] = append(to[f.Name.Name], receiver(f))
		}
	}
}

// receiver is the type that a function is a method of; "" for none.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// note is a directive in a file, and the statement that it belongs to.
type note struct {
	comment *ast.Comment
	text    string // without the prefix
	target  target
}

// off is the position of an offset in a directive's text.
func (s *source) off(n *note, off int) Position {
	return s.at(n.comment.Pos() + token.Pos(len(Prefix)+off))
}

// target is a statement with its surroundings, or the beginning of a function.
type target struct {
	stmt     ast.Stmt
	body     *ast.BlockStmt // instead of stmt: the function's body, at whose beginning the directive counts
	results  *ast.FieldList // results of the enclosing function
	labelled bool
	of       string   // type of the enclosing method
	declared []string // variables of the enclosing function
}

// notes lists the directives of the file in their order.
func (s *source) notes() ([]note, error) {
	var out []note
	for _, g := range s.tree.Comments {
		for _, c := range g.List {
			text, ok := strings.CutPrefix(c.Text, Prefix)
			if !ok || text != "" && text[0] != ' ' && text[0] != '\t' {
				if strings.HasPrefix(c.Text, directives) && s.within(c) {
					return nil, &Error{s.at(c.Pos()), "unknown directive: within a function there is " + Prefix + " alone"}
				}
				continue
			}
			n := note{comment: c, text: text}
			line := s.fset.Position(c.Pos()).Line
			if s.alone(c) {
				line = s.fset.Position(g.End()).Line + 1
				n.target = s.function(line)
			}
			if n.target.body == nil {
				n.target = s.statement(line)
			}
			if n.target.body == nil && n.target.stmt == nil {
				return nil, &Error{s.at(c.Pos()), "no statement begins here for the point to be about"}
			}
			out = append(out, n)
		}
	}
	return out, nil
}

// within reports whether a comment is inside a function.
func (s *source) within(c *ast.Comment) bool {
	return slices.ContainsFunc(s.tree.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Body != nil && f.Body.Pos() < c.Pos() && c.Pos() < f.Body.End()
	})
}

// alone reports whether a comment is the first thing on its line.
func (s *source) alone(c *ast.Comment) bool {
	at := s.fset.Position(c.Pos())
	return strings.TrimSpace(string(s.file.Text[at.Offset-at.Column+1:at.Offset])) == ""
}

// function finds the function whose declaration begins on a line.
func (s *source) function(line int) target {
	for _, d := range s.tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && s.fset.Position(fn.Pos()).Line == line {
			return target{body: fn.Body, of: receiver(fn), declared: declared(fn)}
		}
	}
	return target{}
}

// declared lists the variables of a function, whatever their scopes are.
func declared(fn *ast.FuncDecl) []string {
	var out []string
	add := func(names ...*ast.Ident) {
		for _, n := range names {
			if n.Name != "_" && !slices.Contains(out, n.Name) {
				out = append(out, n.Name)
			}
		}
	}
	fields := func(l *ast.FieldList) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			add(f.Names...)
		}
	}
	fields(fn.Recv)
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			fields(n.Params)
			fields(n.Results)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				addExprs(add, n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				addExprs(add, n.Key, n.Value)
			}
		}
		return true
	})
	return out
}

func addExprs(add func(...*ast.Ident), list ...ast.Expr) {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			add(id)
		}
	}
}

// statement finds the outermost statement, other than a block, that begins on a line.
func (s *source) statement(line int) target {
	f := finder{s: s, line: line}
	for _, d := range s.tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			f.of, f.declared = receiver(fn), declared(fn)
			f.function(fn.Type, fn.Body)
		}
	}
	return f.found
}

// finder looks for a statement.
type finder struct {
	s    *source
	line int
	of   string
	// declared are the variables of the enclosing function.
	declared []string
	found    target
}

func (f *finder) function(t *ast.FuncType, body *ast.BlockStmt) {
	labelled := map[ast.Stmt]bool{}
	inner := map[ast.Stmt]bool{} // statements that are parts of other statements' heads
	ast.Inspect(body, func(n ast.Node) bool {
		if f.found.stmt != nil {
			return false
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			f.function(lit.Type, lit.Body)
			return false
		}
		st, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		markHeads(st, inner)
		if l, ok := st.(*ast.LabeledStmt); ok {
			labelled[l.Stmt] = true
			if f.s.fset.Position(l.Pos()).Line == f.line {
				f.found = target{stmt: l.Stmt, results: t.Results, labelled: true, of: f.of, declared: f.declared}
			}
			return true
		}
		if !inner[st] && isTarget(st) && f.s.fset.Position(st.Pos()).Line == f.line {
			f.found = target{stmt: st, results: t.Results, labelled: labelled[st], of: f.of, declared: f.declared}
			return false
		}
		return true
	})
}

// markHeads marks the statements in another statement's head.
func markHeads(st ast.Stmt, inner map[ast.Stmt]bool) {
	switch st := st.(type) {
	case *ast.IfStmt:
		inner[st.Init] = true
	case *ast.ForStmt:
		inner[st.Init], inner[st.Post] = true, true
	case *ast.SwitchStmt:
		inner[st.Init] = true
	case *ast.TypeSwitchStmt:
		inner[st.Init], inner[st.Assign] = true, true
	case *ast.CommClause:
		inner[st.Comm] = true
	}
}

func isTarget(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.BlockStmt, *ast.LabeledStmt, *ast.EmptyStmt, *ast.CaseClause, *ast.CommClause:
		return false
	}
	return true
}
