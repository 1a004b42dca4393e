// SPDX-License-Identifier: BSD-3-Clause

// Package assertion puts checks into source: in front of statements, what holds of every thread that is about to
// execute them.
//
// It takes packages as the type checker sees them, and facts by lines, which are expressions of Go over the
// variables there. It gives the texts of the files with the checks in them, for a stress test to be run with in
// place of the originals (go test -overlay). A fact that does not make sense where it is put, or of which there
// is no one statement in front of which to put it, is left out. It does not say whether a fact holds.
package assertion

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/front"
	"pangolin/verdict"
)

// Placed is a fact at a place, as a check that fails names it.
type Placed struct{ At, Fact string }

// String is what a failure says.
func (p Placed) String() string { return fmt.Sprintf("%s: %s does not hold", p.At, p.Fact) }

// helpers are at the end of the first file.
const helpers = `

// pangolinHolds ends the program if a fact does not hold, or asks for what is not there.
func pangolinHolds(at string, holds func() bool) {
	defer func() {
		if recover() != nil {
			panic("pangolin: " + at)
		}
	}()
	if !holds() {
		panic(at)
	}
}

// pangolinMine says that a lock is taken: whether by this thread, a lock does not tell.
func pangolinMine(l interface {
	TryLock() bool
	Unlock()
}) bool {
	if l.TryLock() {
		l.Unlock()
		return false
	}
	return true
}
`

// Place puts checks into the files of a package, and says which; without has those that are not to be put in.
func Place(sources []front.Source, checks []verdict.Check, head string, without []Placed) ([]verdict.SourceFile, []Placed) {
	var out []verdict.SourceFile
	var all []Placed
	for i := range sources {
		s := &sources[i]
		for k := range s.Files {
			f := &file{source: s, SourceFile: &s.Files[k], without: without}
			for _, c := range checks {
				if c.File == f.Name {
					f.put(c)
				}
			}
			if len(f.placed) > 0 {
				out = append(out, verdict.SourceFile{Name: f.Name, Path: f.Path, Text: f.text(head, len(out) == 0)})
				all = append(all, f.placed...)
			}
		}
	}
	return out, all
}

// file is a file with checks.
type file struct {
	source *front.Source
	*front.SourceFile
	without []Placed
	edits   []edit
	placed  []Placed
}

type edit struct {
	at   int // offset
	text string
}

// put puts the facts of a line in front of the statement that begins there.
func (f *file) put(c verdict.Check) {
	stmt := f.statement(c.Line)
	if stmt == nil {
		return
	}
	at := fmt.Sprintf("%s:%d", base(f.Name), c.Line)
	var b strings.Builder
	for _, fact := range c.Facts {
		p := Placed{at, fact}
		code, ok := f.code(stmt.Pos(), fact)
		if !ok || slices.Contains(f.without, p) {
			continue
		}
		fmt.Fprintf(&b, "pangolinHolds(%q, func() bool { return %s })\n", p.String(), code)
		f.placed = append(f.placed, p)
	}
	if b.Len() > 0 {
		f.edits = append(f.edits, edit{f.source.Fset.Position(stmt.Pos()).Offset, b.String()})
	}
}

// code is a fact as a Go expression that is a truth value in front of the statement at pos.
func (f *file) code(pos token.Pos, fact string) (string, bool) {
	lock, isLock := strings.CutPrefix(fact, "mine(")
	if isLock {
		fact = "&" + strings.TrimSuffix(lock, ")")
	}
	x, err := parser.ParseExpr(fact)
	if err != nil {
		return "", false
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(f.source.Fset, f.source.Types, pos, x, info) != nil {
		return "", false
	}
	if isLock {
		return "pangolinMine(" + fact + ")", true
	}
	basic, ok := info.Types[x].Type.Underlying().(*types.Basic)
	return fact, ok && basic.Info()&types.IsBoolean != 0
}

// statement is the one statement of a list that begins in a line; nil if there is none, or more than one, or one that
// is executed again and again without its beginning.
func (f *file) statement(line int) ast.Stmt {
	var found []ast.Stmt
	look := func(list []ast.Stmt) {
		for _, s := range list {
			if f.source.Fset.Position(s.Pos()).Line == line {
				found = append(found, s)
			}
		}
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			look(n.List)
		case *ast.CaseClause:
			look(n.Body)
		case *ast.CommClause:
			look(n.Body)
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	switch found[0].(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt, *ast.DeferStmt, *ast.BlockStmt:
		return nil
	}
	return found[0]
}

// text is the file with its checks, behind a head.
func (f *file) text(head string, first bool) []byte {
	slices.SortFunc(f.edits, func(a, b edit) int { return b.at - a.at })
	text := string(f.Text)
	for _, e := range f.edits {
		text = text[:e.at] + e.text + text[e.at:]
	}
	if first {
		text += helpers
	}
	text = head + text
	if done, err := format.Source([]byte(text)); err == nil {
		return done
	}
	return []byte(text)
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
