// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// longFile is how many lines a file may have that does not say what it is for.
const longFile = 80

// TestFiles_BeginWithWhatTheyAreFor looks for a comment between the beginning of a long file and
// the end of its first declaration's doc comment.
func TestFiles_BeginWithWhatTheyAreFor(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > longFile && ours(s.path) && !hasHeader(s.file) {
			t.Errorf("%s has %d lines and does not begin with what it is for: put a comment behind its imports", s.path, s.lines)
		}
	}
}

// ours says that a file is none of the case studies, which have comments as their books have.
func ours(path string) bool {
	return strings.HasSuffix(path, "_test.go") || !strings.HasPrefix(path, "collections/")
}

func hasHeader(f *ast.File) bool {
	first := f.End()
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			first = d.Pos() // behind its doc comment
			break
		}
	}
	for _, c := range f.Comments {
		if c.Pos() < first && !isDirective(c) {
			return true
		}
	}
	return false
}

// isDirective says that a comment tells a reader nothing of the code: it is for the go command alone, or names the license.
func isDirective(c *ast.CommentGroup) bool {
	return c.Text() == "" || strings.HasPrefix(c.Text(), strings.TrimPrefix(license, "// "))
}

// reasoned are the packages whose code rests on reasons that it does not show: conditions of reductions, what a
// state has to hold, what would be lost without.
var reasoned = []string{"internal/vm", "internal/vm/state", "internal/vm/parts", "internal/engine/bounded", "internal/interleave", "internal/explore"}

// leastComments is the least share of their lines that have a comment, blank ones not counted, in percent.
const leastComments = 15

// TestComments_AreWhereTheReasoningIs counts lines with a comment.
func TestComments_AreWhereTheReasoningIs(t *testing.T) {
	with, all := map[string]int{}, map[string]int{}
	for _, s := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(s.path))
		if strings.HasSuffix(s.path, "_test.go") || !slices.Contains(reasoned, dir) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, s.path))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.TrimSpace(line) != "" {
				all[dir]++
			}
		}
		for _, g := range s.file.Comments {
			if isDirective(g) {
				continue
			}
			with[dir] += s.fset.Position(g.End()).Line - s.fset.Position(g.Pos()).Line + 1
		}
	}
	for _, dir := range reasoned {
		if share := 100 * with[dir] / max(1, all[dir]); share < leastComments {
			t.Errorf("%s: %d %% of the lines have a comment, which is less than %d %%", dir, share, leastComments)
		}
	}
}
