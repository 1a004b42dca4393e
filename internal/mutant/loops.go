// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"go/ast"
	"go/token"
	"strings"
)

// retryDropped ends a loop without a condition after its first round.
func retryDropped(s *site, n ast.Node, plant func(...edit)) {
	loop, ok := n.(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return
	}
	end := loop.Body.Rbrace
	text := "\n" + s.indent(loop.Pos()) + "\tbreak\n" + s.indent(loop.Pos())
	if at := s.indent(end); s.offset(end) > 0 && s.file.Text[s.offset(end)-1-len(at)] == '\n' {
		text = "\tbreak\n" + at // the brace has a line of its own
	}
	plant(append([]edit{s.insert(end, text)}, s.after(loop)...)...)
}

// continueBreak turns continue ("try again") into break ("give up").
func continueBreak(s *site, n ast.Node, plant func(...edit)) {
	b, ok := n.(*ast.BranchStmt)
	if !ok || b.Tok != token.CONTINUE {
		return
	}
	loop := s.loop(b)
	if loop == nil {
		return
	}
	edits := []edit{{s.offset(b.Pos()), s.offset(b.Pos()) + len("continue"), "break"}}
	if f, ok := loop.(*ast.ForStmt); ok && f.Cond == nil {
		edits = append(edits, s.after(f)...)
	}
	plant(edits...)
}

// loop is the loop that a continue repeats; nil if a break in its place would leave something else.
func (s *site) loop(b *ast.BranchStmt) ast.Stmt {
	for i := 1; ; i++ {
		switch p := s.parent(i).(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			label, ok := s.parent(i + 1).(*ast.LabeledStmt)
			if b.Label == nil || ok && label.Label.Name == b.Label.Name {
				return p.(ast.Stmt)
			}
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if b.Label == nil {
				return nil
			}
		case *ast.FuncDecl, *ast.FuncLit, nil:
			return nil
		}
	}
}

// after makes an edit that returns zero values after a loop that the mutant ends, if the loop is the last statement of a function with
// results.
func (s *site) after(loop *ast.ForStmt) []edit {
	results := s.function().Results
	list := s.body().List
	last := list[len(list)-1]
	if l, ok := last.(*ast.LabeledStmt); ok {
		last = l.Stmt
	}
	if results == nil || last != loop {
		return nil
	}
	text := "return"
	if len(results.List[0].Names) == 0 {
		var zeros []string
		for _, r := range results.List {
			zeros = append(zeros, "*new("+s.text(r.Type)+")")
		}
		text += " " + strings.Join(zeros, ", ")
	}
	return []edit{s.insert(loop.End(), "\n"+s.indent(loop.Pos())+text)}
}
