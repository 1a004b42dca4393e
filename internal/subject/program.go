// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"strings"

	"pangolin/internal/front"
	"pangolin/verdict"
)

// Program describes a whole program to load.
type Program struct {
	Dir      string   // in which the go command runs
	Patterns []string // files of one package, or its pattern for the go command
	Args     []string // command-line arguments of the program
	// Test is the name of a test, an example with output or a fuzz test of the package or of its external tests, which is executed
	// instead of main; "": main.
	Test string
	Time Time // when timers fire
}

// Load compiles a whole program. Of a fuzz test the seeds are executed.
func (p *Program) Load(ctx context.Context) (*Subject, error) {
	if p.Test != "" {
		return p.loadTest(ctx)
	}
	prog, err := front.Load(ctx, front.Request{Dir: p.Dir, Patterns: p.Patterns, Roots: []string{"main"}})
	if err != nil {
		return nil, err
	}
	prog.Args, prog.Clock = p.Args, ClockOf(prog, p.Time)
	return &Subject{Prog: prog, Main: prog.Roots[0], Lines: linesIn(p.Dir), Assumptions: assumptions(prog),
		About:  verdict.Subject{Collection: prog.Roots[0].Name},
		Source: verdict.Source{Package: strings.TrimSuffix(prog.Roots[0].Name, ".main"), Patterns: p.Patterns, Args: p.Args, Program: true, Time: string(p.Time)}}, nil
}
