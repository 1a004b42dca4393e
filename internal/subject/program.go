package subject

import (
	"context"
	"strings"

	"pangolin/internal/front"
	"pangolin/verdict"
)

// Program says which program to load.
type Program struct {
	Dir      string   // in which the go command runs
	Patterns []string // files of one package, or what the go command calls it
	Args     []string // what the program is run with
}

// Load compiles a whole program.
func (p *Program) Load(ctx context.Context) (*Subject, error) {
	prog, err := front.Load(ctx, front.Request{Dir: p.Dir, Patterns: p.Patterns, Roots: []string{"main"}})
	if err != nil {
		return nil, err
	}
	prog.Args = p.Args
	return &Subject{Prog: prog, Main: prog.Roots[0], Lines: linesIn(p.Dir), Assumptions: assumptions(prog),
		About:  verdict.Subject{Collection: prog.Roots[0].Name},
		Source: verdict.Source{Package: strings.TrimSuffix(prog.Roots[0].Name, ".main"), Patterns: p.Patterns, Args: p.Args, Program: true}}, nil
}
