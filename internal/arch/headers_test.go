package arch

import (
	"go/ast"
	"go/token"
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

// ours says whether a file is neither a test nor one of the case studies, which have comments as
// their books have.
func ours(path string) bool {
	return !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "collections/")
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

// isDirective says that a comment is for the go command alone.
func isDirective(c *ast.CommentGroup) bool { return c.Text() == "" }
