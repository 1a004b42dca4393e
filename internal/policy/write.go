// SPDX-License-Identifier: BSD-3-Clause

package policy

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Proposal is a rule to be written into a file: an operation takes effect at the access at a
// position.
type Proposal struct {
	File      string // as in File.Name
	Line, Col int
	// Access is the outcome of the access that is required: "zero" or "not zero" for a value that
	// is read, "swapped" or "not swapped" for a compare-and-swap; "": any.
	Access  string
	Op      string
	Results string // Go text; "" if there are none
	May     bool
}

// Zero compares a variable with its zero value, as a format. A proposal does not know the
// variable's type, so all Zeros are tried: the text compiles with one of them.
type Zero struct{ is, isNot string }

// Zeros are the comparisons for pointers, bools and numbers.
var Zeros = []Zero{{"%s == nil", "%s != nil"}, {"!%s", "%s"}, {"%s == 0", "%s != 0"}}

// Written is a directive that Write has put into a file.
type Written struct {
	File string
	Line int // in the text with all directives
	Text string
}

// Write puts directives above the statements of proposals, and returns the changed texts.
func Write(files []File, list []Proposal, zero Zero) (texts map[string][]byte, written []Written, err error) {
	texts = map[string][]byte{}
	for i := range files {
		f := &files[i]
		s, err := parse(f)
		if err != nil {
			return nil, nil, err
		}
		concerned := slices.ContainsFunc(list, func(p Proposal) bool { return p.File == f.Name })
		if notes, err := s.notes(); concerned && (err != nil || len(notes) > 0) {
			return nil, nil, cmp.Or(err, error(&Error{s.first(), "the file has points already: take them out, or check them"}))
		}
		lines := map[int][]string{} // texts by the line of the statement
		for _, p := range list {
			if p.File != f.Name {
				continue
			}
			line, text, err := s.directive(&p, zero)
			if err != nil {
				return nil, nil, err
			}
			if !slices.Contains(lines[line], text) {
				lines[line] = append(lines[line], text)
			}
		}
		if len(lines) > 0 {
			text, places := insertLines(f, lines)
			texts[f.Path], written = text, append(written, places...)
		}
	}
	return texts, written, nil
}

// first is the position of the first directive in a file.
func (s *source) first() Position {
	for _, g := range s.tree.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, Prefix) {
				return s.at(c.Pos())
			}
		}
	}
	return Position{}
}

// insertLines puts lines above others, with the same indentation.
func insertLines(f *File, above map[int][]string) ([]byte, []Written) {
	var b bytes.Buffer
	var out []Written
	n, at := 0, 0
	for line := range bytes.Lines(f.Text) {
		n++
		for _, text := range above[n] {
			at++
			indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
			fmt.Fprintf(&b, "%s%s\n", indent, text)
			out = append(out, Written{f.Name, at, text})
		}
		at++
		b.Write(line)
	}
	return b.Bytes(), out
}

// directive is the text of a proposal and the line of its statement.
func (s *source) directive(p *Proposal, zero Zero) (line int, text string, err error) {
	st := s.around(p.Line, p.Col)
	if st == nil {
		return 0, "", fmt.Errorf("%s:%d:%d: no statement that a point could stand on", p.File, p.Line, p.Col)
	}
	text = Prefix
	if cond := s.condition(st, p, zero); cond != "" {
		text += " when " + cond
	}
	if p.May {
		text += " may"
	}
	text += " emit " + p.Op
	if p.Results != "" {
		text += " = " + p.Results
	}
	return s.fset.Position(st.Pos()).Line, text, nil
}

// around is the innermost statement whose own text, without the blocks in it, contains a position.
func (s *source) around(line, col int) (found ast.Stmt) {
	ast.Inspect(s.tree, func(n ast.Node) bool {
		st, ok := n.(ast.Stmt)
		if !ok || !isTarget(st) {
			return true
		}
		from, to := s.fset.Position(st.Pos()), s.fset.Position(headEnd(st))
		inside := (from.Line < line || from.Line == line && from.Column <= col) && (line < to.Line || line == to.Line && col <= to.Column)
		if inside && (found == nil || s.fset.Position(found.Pos()).Line != from.Line) {
			found = st
		}
		return true
	})
	return found
}

// headEnd is the end of a statement's text before its block.
func headEnd(st ast.Stmt) token.Pos {
	switch st := st.(type) {
	case *ast.IfStmt:
		return st.Body.Lbrace
	case *ast.ForStmt:
		return st.Body.Lbrace
	case *ast.RangeStmt:
		return st.Body.Lbrace
	case *ast.SwitchStmt:
		return st.Body.Lbrace
	case *ast.TypeSwitchStmt:
		return st.Body.Lbrace
	case *ast.SelectStmt:
		return st.Body.Lbrace
	}
	return st.End()
}

// condition is the required outcome of an access as a Go expression that can be evaluated behind
// the statement; "" if that is impossible.
func (s *source) condition(st ast.Stmt, p *Proposal, zero Zero) string {
	if p.Access == "" {
		return ""
	}
	yes := p.Access == "swapped" || p.Access == "zero"
	reads := strings.HasSuffix(p.Access, "zero")
	if name := s.assigned(st, p); name != "" {
		switch {
		case reads && yes:
			return fmt.Sprintf(zero.is, name)
		case reads:
			return fmt.Sprintf(zero.isNot, name)
		case yes:
			return name
		}
		return "!" + name
	}
	decided := decides(st)
	if decided == nil {
		return ""
	}
	result := map[bool]string{true: "result", false: "!result"}
	switch x := ast.Unparen(decided).(type) {
	case *ast.CallExpr: // a call that returns a bool
		return result[yes != reads]
	case *ast.UnaryExpr:
		if _, call := ast.Unparen(x.X).(*ast.CallExpr); x.Op == token.NOT && call {
			return result[yes == reads]
		}
	case *ast.BinaryExpr:
		if x.Op == token.EQL && reads && zeroText(x.Y) {
			return result[yes]
		}
		if x.Op == token.NEQ && reads && zeroText(x.Y) {
			return result[!yes]
		}
	}
	return ""
}

func zeroText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.BasicLit:
		return e.Value == "0"
	}
	return false
}

// assigned is the one variable to which a statement, or the first part of its head, assigns the
// value at a proposal's position.
func (s *source) assigned(st ast.Stmt, p *Proposal) string {
	a, ok := st.(*ast.AssignStmt)
	if head, isIf := st.(*ast.IfStmt); isIf && head.Init != nil {
		a, ok = head.Init.(*ast.AssignStmt)
	}
	if !ok || len(a.Rhs) != 1 || len(a.Lhs) != 1 {
		return ""
	}
	from, to := s.fset.Position(a.Rhs[0].Pos()), s.fset.Position(a.Rhs[0].End())
	id, plain := a.Lhs[0].(*ast.Ident)
	if !plain || id.Name == "_" || cmp.Compare(p.Line, from.Line) < 0 || p.Line == from.Line && p.Col < from.Column || p.Line > to.Line {
		return ""
	}
	if _, call := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); !call {
		return ""
	}
	return id.Name
}

// decides is the expression that a statement decides on or returns.
func decides(st ast.Stmt) ast.Expr {
	switch st := st.(type) {
	case *ast.IfStmt:
		return st.Cond
	case *ast.ForStmt:
		return st.Cond
	case *ast.ReturnStmt:
		if len(st.Results) == 1 {
			return st.Results[0]
		}
	case *ast.ExprStmt:
		return st.X
	}
	return nil
}
