// SPDX-License-Identifier: BSD-3-Clause

// Package assertion inserts checks into source: in front of a statement, the facts that a proof has found for every thread that is
// about to execute it.
//
// It takes type-checked packages, and facts by file and line, which are Go expressions over the variables visible there. It returns the
// texts of the files with the checks in them, which a stress test compiles in place of the originals (go test -overlay). A fact is left
// out if it does not compile where it would be put, or if no single statement begins in its line. The package does not decide whether a
// fact holds.
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

// Placed is a fact ("q.head != nil") with its place ("queue.go:24"), as the message of a failed check names them.
type Placed struct{ At, Fact string }

// String is the message of a failed check.
func (p Placed) String() string { return fmt.Sprintf("%s: %s does not hold", p.At, p.Fact) }

// helpers are functions that are appended to the first file.
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

// Place inserts checks into the files of a package, and returns the changed files and the checks in them; head is put in front of each
// file. The checks listed in without are left out.
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

// put inserts the facts of a line in front of the statement that begins there.
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

// code returns a fact as a boolean Go expression that compiles in front of the statement at pos; false if there is none.
func (f *file) code(pos token.Pos, fact string) (string, bool) {
	lock, isLock := strings.CutPrefix(fact, "mine(")
	if isLock {
		lock = "&" + strings.TrimSuffix(lock, ")")
		fact = "interface { TryLock() bool; Unlock() }(" + lock + ")"
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
		return "pangolinMine(" + lock + ")", true
	}
	basic, ok := info.Types[x].Type.Underlying().(*types.Basic)
	return fact, ok && basic.Info()&types.IsBoolean != 0
}

// statement returns the one statement of a block that begins in a line. It returns nil if there is none or more than one, or if the
// statement may be executed several times per beginning, as a loop.
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

// text is the file with its checks, after head.
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
