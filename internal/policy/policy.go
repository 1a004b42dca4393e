// Package policy reads linearization policies from comments: directives on statements that
// say when an operation takes effect there.
//
//	//pangolin:point when COND emit OP(ARGS) = RESULTS
//
// It takes the source files of a package and gives them back with ghost code in the place of the
// directives, Go text that stands behind the statement and that the front end compiles to
// ghost instructions; and a list of rules, which says what each of them announces. Nothing
// else of the files changes, lines and columns included, so that positions are those of
// the source. A normal build does not see any of it.
//
// The language is that of P. A. Abdulla, B. Jonsson and C. Q. Trinh, Automated verification of
// linearization policies (SAS 2016), section 4, written on statements instead of beside
// program counters: doc/points.md describes it.
//
// The package does not type-check (the front end does, and its messages point into the
// directive), does not execute anything and does not judge: consist does.
package policy

import (
	"fmt"
	"go/token"
)

// Prefix begins every directive of a policy.
const Prefix = "//pangolin:point"

// The functions of ghost code. They are declared at the end of a rewritten file, but for
// those that announce.
const (
	Bracket = "pangolinGhost"
	rule    = "pangolinRule"
	value   = "pangolinValue"
)

// File is a source file.
type File struct {
	Path string // on the disk
	Name string // for people
	Text []byte
}

// Rule is what one directive announces.
type Rule struct {
	Pos Position
	// Op is the operation that it announces.
	Op string
	// Own says that the directive has no arguments: those of the call are meant.
	Own bool
	// Args and Results count the values that the ghost code passes on.
	Args, Results int
	Text          string // the directive, without its prefix
}

// Name is the variable through which the ghost code announces: a function with
// Args+Results parameters of type any.
func (r *Rule) Name(number int) string { return fmt.Sprintf("%s%d", rule, number) }

// Position is a place in a source file.
type Position struct {
	File      string
	Line, Col int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Error is a directive that is wrong.
type Error struct {
	Pos     Position
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Message) }

// Signature is an operation that may be announced: how many arguments clients choose, and
// how many results it has.
type Signature struct{ Args, Results int }

// Annotated is a package with ghost code in the place of its directives.
type Annotated struct {
	Rules []Rule
	Files map[string][]byte // by path; those that have changed
}

// Annotate rewrites files. Operations are those of the type in question; a directive that
// announces a method of another type is left alone.
func Annotate(files []File, of string, operations map[string]Signature) (*Annotated, error) {
	out := &Annotated{Files: map[string][]byte{}}
	var parsed []*source
	methods := map[string][]string{}
	for i := range files {
		s, err := parse(&files[i])
		if err != nil {
			return nil, err
		}
		s.methods(methods)
		parsed = append(parsed, s)
	}
	for _, s := range parsed {
		r := &rewriter{source: s, out: out, of: of, operations: operations, methods: methods}
		if err := r.rewrite(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// at is a position in a file.
func (s *source) at(pos token.Pos) Position {
	p := s.fset.Position(pos)
	return Position{s.file.Name, p.Line, p.Column}
}
