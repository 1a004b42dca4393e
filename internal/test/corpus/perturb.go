// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// YielderSource is the file added to a perturbed program. Every process draws
// its own temper, so that some runs hardly yield and others sleep all the time;
// sleeping lets the other goroutines overtake by many statements at once, which
// the scheduler alone hardly ever does.
const YielderSource = `package main

import (
	fidelityRand "math/rand/v2"
	fidelityRuntime "runtime"
	fidelityTime "time"
)

var (
	fidelityOdds  = []int{0, 8, 3, 2}[fidelityRand.IntN(4)]
	fidelitySpan  = []int{20, 200, 1000}[fidelityRand.IntN(3)]
)

func fidelityYield() {
	if fidelityOdds == 0 || fidelityRand.IntN(fidelityOdds) != 0 {
		return
	}
	if fidelityRand.IntN(3) == 0 {
		fidelityRuntime.Gosched()
		return
	}
	fidelityTime.Sleep(fidelityTime.Duration(1+fidelityRand.IntN(fidelitySpan)) * fidelityTime.Microsecond)
}
`

// Perturb inserts a call that sometimes yields before every statement of
// every function in source. This changes no outcome that a program can have, since the
// scheduler may yield anywhere, but makes rare ones common. The result belongs
// into one package with YielderSource.
func Perturb(source string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", source, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("perturbing: %w", err)
	}
	var offsets []int
	note := func(statements []ast.Stmt) {
		for _, s := range statements {
			if empty, ok := s.(*ast.EmptyStmt); ok && empty.Implicit {
				continue
			}
			offsets = append(offsets, fset.Position(s.Pos()).Offset)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if !isClauses(n.List) {
				note(n.List)
			}
		case *ast.CaseClause:
			note(n.Body)
		case *ast.CommClause:
			note(n.Body)
		}
		return true
	})
	return insertAll(source, offsets, "fidelityYield(); "), nil
}

// isClauses says whether the block is the body of a switch or select, where no
// statement can stand.
func isClauses(statements []ast.Stmt) bool {
	if len(statements) == 0 {
		return false
	}
	switch statements[0].(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

func insertAll(source string, offsets []int, text string) string {
	slices.SortFunc(offsets, cmp.Compare[int])
	var b strings.Builder
	at := 0
	for _, offset := range offsets {
		b.WriteString(source[at:offset])
		b.WriteString(text)
		at = offset
	}
	b.WriteString(source[at:])
	return b.String()
}
