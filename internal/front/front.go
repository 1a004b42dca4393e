// SPDX-License-Identifier: BSD-3-Clause

// Package front turns Go source into an ir.Program: it loads a package with the
// go command, type-checks it, builds SSA and compiles what is reachable from the
// roots.
//
// It takes a Request (package patterns, root functions, optionally the source
// of one more file of the same package) and gives a Program in which every
// reachable function either has code or is External: built into the machine, or
// an error if it is ever called. What the instruction set cannot express
// becomes OpUnsupported with a message, so only packages that do not load or
// compile are errors here.
//
// The package decides what is compiled from source, what is replaced by a model
// (directory prelude: Go source that stands for functions of sync, context, time
// and others), and what is left to the machine. It does not execute anything,
// does not look for collections or operations, and knows nothing about
// scheduling or properties. It is the only package that imports x/tools.
package front

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Request says what to load.
type Request struct {
	Dir      string   // where the go command runs; "": the current directory
	Patterns []string // go files of one package main, or one package path or pattern
	// Harness, if set, is called when the types of the package are known and
	// gives the source of one more file of the package.
	Harness func(pkg *types.Package) (file string, src []byte, err error)
	// Ghosts, if set, names functions of the package whose calls are ghost instructions.
	Ghosts *Ghosts
	// Roots are functions of the package that become Program.Roots, in order:
	// "main", or names declared in the harness.
	Roots []string
	// Given, if set, names functions of the package that are External although their source is
	// there. It is for checking a package such as sync: the machine executes the functions that are
	// not to be verified by itself.
	Given func(name string) bool

	mode ssa.BuilderMode // further modes of the ssa package, for tests
}

type instrumentedKey struct{}

// Instrumented makes everything loaded within the context follow the order of evaluation of gc
// under the race detector, which reads an entry of a map at its place in an expression, not behind
// later calls. Comparisons with code compiled by go build -race need it.
func Instrumented(ctx context.Context) context.Context {
	return context.WithValue(ctx, instrumentedKey{}, true)
}

// Error is the user's mistake: one sentence with a position on each line, at most 10 lines.
type Error struct {
	Problems []string
}

func (e *Error) Error() string { return strings.Join(e.Problems, "\n") }

func problem(format string, args ...any) error {
	return &Error{Problems: []string{fmt.Sprintf(format, args...)}}
}

// Load loads, checks and compiles the requested package. An error of type *Error is the user's
// mistake; others are failures of the go command or of this package.
func Load(ctx context.Context, req Request) (*ir.Program, error) {
	l, err := list(ctx, req)
	if err != nil {
		return nil, err
	}
	return l.load(ctx, req)
}

// load checks and compiles the target: with the packages that it is expected to need, if they are exactly those that it needs, else with more
// and more.
func (l *loader) load(ctx context.Context, req Request) (*ir.Program, error) {
	c := l.expected(ctx, req)
	if c == nil {
		var err error
		if c, err = l.growing(ctx, req); err != nil {
			return nil, err
		}
	}
	l.noteC(c.out.Notes)
	return c.compile()
}

// growing begins again with more standard packages compiled from source, as long as functions without source are reached.
func (l *loader) growing(ctx context.Context, req Request) (*compiler, error) {
	for {
		b, err := l.build(ctx, req)
		if err != nil {
			return nil, err
		}
		c := newCompiler(l, b, nil)
		if err := c.reachRoots(req.Roots); err != nil {
			return nil, err
		}
		if !l.needSource(c.missing) {
			return c, nil
		}
	}
}
