// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"pangolin/internal/front"
	"pangolin/verdict"
)

// Program describes a whole program to load.
type Program struct {
	Dir      string   // in which the go command runs
	Patterns []string // files of one package, or its pattern for the go command
	Args     []string // command-line arguments of the program
	// Test is the name of a test function of the package or of its external tests, which is executed instead of main; "":
	// main.
	Test string
	Time Time // when timers fire
}

// Load compiles a whole program.
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

// testRoot is the name of the added function that runs a test.
const testRoot = "pangolinTest"

// loadTest compiles the test function and an added function that runs it.
func (p *Program) loadTest(ctx context.Context) (*Subject, error) {
	list, err := front.ListTested(ctx, p.Dir, p.Patterns)
	if err != nil {
		return nil, err
	}
	for _, l := range list {
		pkg, err := l.Types(ctx)
		if err != nil {
			return nil, err
		}
		f, ok := pkg.Scope().Lookup(p.Test).(*types.Func)
		if !ok {
			continue
		}
		if !isTest(f) {
			return nil, fmt.Errorf("%s.%s is no test: declare it with one parameter, a *testing.T, and no result", pkg.Path(), p.Test)
		}
		return p.compileTest(ctx, l, pkg)
	}
	return nil, fmt.Errorf("no test %s is declared in %s", p.Test, strings.Join(p.Patterns, " "))
}

// isTest reports whether a function has the signature of a test.
func isTest(f *types.Func) bool {
	params := f.Signature().Params()
	return params.Len() == 1 && f.Signature().Results().Len() == 0 && params.At(0).Type().String() == "*testing.T"
}

func (p *Program) compileTest(ctx context.Context, l *front.Listed, pkg *types.Package) (*Subject, error) {
	const file = "pangolin_testmain.go"
	text := fmt.Appendf(nil, "package %s\n\nimport \"testing\"\n\nfunc %s() { testing.Main(nil, []testing.InternalTest{{Name: %q, F: %s}}, nil, nil) }\n",
		pkg.Name(), testRoot, p.Test, p.Test)
	prog, err := l.Load(ctx, front.Request{Roots: []string{testRoot},
		Harness: func(*types.Package) (string, []byte, error) { return file, text, nil }})
	if err != nil {
		return nil, err
	}
	prog.Args, prog.Clock = p.Args, ClockOf(prog, p.Time)
	s := &Subject{Prog: prog, Main: prog.Roots[0], Lines: linesOf(l, file, text), LeftOut: []verdict.LeftOut{}, Directories: l.Directories(),
		Assumptions: assumptions(prog), About: verdict.Subject{Collection: pkg.Name() + "." + p.Test},
		Source: verdict.Source{Module: l.Module, Package: l.Path, Patterns: p.Patterns, Args: p.Args, Program: true, Test: p.Test, Time: string(p.Time)}}
	if pkg.Scope().Lookup("TestMain") != nil {
		s.Assumptions = append(s.Assumptions, "TestMain is not executed")
	}
	return s, nil
}
