package pangolin

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// What a test gives to CheckNew may use variables of the test. Their declarations come with it if
// that makes no difference: nothing else may have used them before. Whatever does not fit is an error
// that names the variable.

// declarations are the statements of the function around an expression that declare what it uses,
// in their order.
func (l *locals) declarations() ([]ast.Stmt, error) {
	e := l.expr
	for _, d := range l.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Pos() <= e.Pos() && e.End() <= f.End() {
			l.around = f
		}
	}
	if l.around == nil {
		return nil, nil // of a package variable
	}
	l.blocks()
	if err := l.add(e); err != nil {
		return nil, err
	}
	slices.SortFunc(l.needed, func(a, b ast.Stmt) int { return int(a.Pos() - b.Pos()) })
	for _, v := range l.variables {
		if err := l.untouched(v); err != nil {
			return nil, err
		}
	}
	return l.needed, nil
}

// locals finds the variables of a function that an expression in it uses.
type locals struct {
	fset      *token.FileSet
	file      *ast.File
	path      string
	expr      ast.Expr
	around    *ast.FuncDecl
	candidate map[any]ast.Stmt // statements before the expression, in the blocks around it, by what declares in them
	looped    bool             // a loop is around the expression
	variables []*ast.Ident     // a use of each
	needed    []ast.Stmt
}

func (l *locals) line(n ast.Node) int { return l.fset.Position(n.Pos()).Line }

// blocks collects the statements that may be taken along.
func (l *locals) blocks() {
	l.candidate = map[any]ast.Stmt{}
	ast.Inspect(l.around.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > l.expr.Pos() || n.End() < l.expr.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			l.looped = true
		case *ast.BlockStmt:
			for _, s := range n.List {
				l.candidates(s)
			}
		}
		return true
	})
}

// candidates notes what a statement declares.
func (l *locals) candidates(s ast.Stmt) {
	if s.End() > l.expr.Pos() {
		return
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			l.candidate[s] = s
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			l.candidate[spec] = s
		}
	}
}

// add takes along what a node uses.
func (l *locals) add(n ast.Node) (err error) {
	ast.Inspect(n, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		if !ok || err != nil || !l.local(id, n) || l.known(id) {
			return err == nil
		}
		s := l.candidate[id.Obj.Decl]
		if s == nil {
			err = fmt.Errorf("%s:%d: CheckNew cannot know the value of %s, which is not declared by a statement before it: make it inside of a function literal",
				l.path, l.line(id), id.Name)
			return false
		}
		l.variables = append(l.variables, id)
		if !slices.Contains(l.needed, s) {
			l.needed = append(l.needed, s)
			err = l.add(s)
		}
		return err == nil
	})
	return err
}

// local says that an identifier in a node is declared in the function, outside of the node.
func (l *locals) local(id *ast.Ident, n ast.Node) bool {
	if id.Obj == nil {
		return false
	}
	at := id.Obj.Pos()
	return l.around.Pos() <= at && at < l.around.End() && (at < n.Pos() || n.End() <= at)
}

func (l *locals) known(id *ast.Ident) bool {
	return slices.ContainsFunc(l.variables, func(v *ast.Ident) bool { return v.Obj == id.Obj })
}

// untouched says that a variable is used in its declaration and the expression only; behind
// the expression others may use it, unless that comes round again.
func (l *locals) untouched(v *ast.Ident) (err error) {
	ast.Inspect(l.around, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Obj != v.Obj || err != nil {
			return true
		}
		inside := l.expr.Pos() <= id.Pos() && id.Pos() < l.expr.End()
		declared := slices.ContainsFunc(l.needed, func(s ast.Stmt) bool { return s.Pos() <= id.Pos() && id.Pos() < s.End() })
		if !inside && !declared && (l.looped || id.Pos() < l.expr.Pos()) {
			err = fmt.Errorf("%s:%d: CheckNew cannot know the value of %s, which is used at line %d before: make it inside of a function literal",
				l.path, l.line(v), v.Name, l.line(id))
		}
		return true
	})
	return err
}
