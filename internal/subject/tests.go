// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"fmt"
	"go/doc"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pangolin/internal/front"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// The tests of a package, as package testing knows them: tests, examples whose output is compared, and fuzz tests with their seeds. The go
// command writes a main function that runs them; here it is a file of the package itself with a function that runs one of them.

// Test is one test.
type Test struct {
	Name string
	Kind verdict.TestKind

	listed  *front.Listed
	pkg     *types.Package
	example *doc.Example // of an example
	seeds   []string     // of a fuzz test: the arguments of Add, as Go source, with the names of the files
	apart   bool         // TestMain is declared by the package beside: the one of the external tests, or the one that they are of
}

// Package is the import path of the package that declares the test.
func (t *Test) Package() string { return t.listed.Path }

// Directory is the directory of that package.
func (t *Test) Directory() string { return t.listed.Directory() }

// Text is the text of the file that is added to the package, which runs the test with what its sources say: the seeds in testdata, the output of an
// example.
func (t *Test) Text() string { return string(t.main()) }

// Apart says that TestMain is declared by the package beside, so that it is not executed.
func (t *Test) Apart() bool { return t.apart }

// Tests lists the tests of packages, sorted by package, in the order of their sources. A package that cannot be loaded is an error,
// beside the tests of the others.
func Tests(ctx context.Context, dir string, patterns []string) (all []*Test, failed []error, err error) {
	list, err := front.ListTested(ctx, dir, patterns)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range list {
		some, err := testsOf(ctx, l)
		if err != nil && ctx.Err() != nil {
			return nil, nil, err
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", l.Path, err))
		}
		all = append(all, some...)
	}
	declares := map[string]bool{}
	for _, t := range all {
		declares[t.Package()] = declares[t.Package()] || t.hasTestMain()
	}
	for _, t := range all {
		inside, external := strings.CutSuffix(t.Package(), "_test")
		t.apart = !t.hasTestMain() && (external && declares[inside] || !external && declares[t.Package()+"_test"])
	}
	return all, failed, nil
}

// testsOf lists the tests of one package.
func testsOf(ctx context.Context, l *front.Listed) (list []*Test, err error) {
	files, err := l.TestFiles()
	if err != nil || len(files) == 0 {
		return nil, err
	}
	pkg, err := l.Types(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range doc.Examples(files...) {
		if e.Output != "" || e.EmptyOutput {
			list = append(list, &Test{Name: "Example" + e.Name, Kind: verdict.AnExample, listed: l, pkg: pkg, example: e})
		}
	}
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || l.Declares(files, name) == 0 {
			continue
		}
		switch {
		case named(name, "Test") && takes(f, "*testing.T"):
			list = append(list, &Test{Name: name, Kind: verdict.ATest, listed: l, pkg: pkg})
		case named(name, "Fuzz") && takes(f, "*testing.F"):
			seeds, err := readSeeds(l.Directory(), name)
			if err != nil {
				return nil, err
			}
			list = append(list, &Test{Name: name, Kind: verdict.AFuzzTest, listed: l, pkg: pkg, seeds: seeds})
		}
	}
	slices.SortStableFunc(list, func(a, b *Test) int { return l.Declares(files, a.Name) - l.Declares(files, b.Name) })
	return list, nil
}

// named says that a function's name begins with the name of a sort of test, and goes on as package testing wants it.
func named(name, sort string) bool {
	rest, ok := strings.CutPrefix(name, sort)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(first))
}

// takes reports whether a function has one parameter, of a type, and no result.
func takes(f *types.Func, typ string) bool {
	params := f.Signature().Params()
	return params.Len() == 1 && f.Signature().Results().Len() == 0 && params.At(0).Type().String() == typ && f.Signature().TypeParams() == nil
}

// loadTest compiles the test function and an added function that runs it.
func (p *Program) loadTest(ctx context.Context) (*Subject, error) {
	list, failed, err := Tests(ctx, p.Dir, p.Patterns)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if t.Name == p.Test {
			return t.Load(ctx, p)
		}
	}
	if len(failed) > 0 {
		return nil, errors.Join(failed...)
	}
	return nil, fmt.Errorf("no test %s is declared in %s: a test has one parameter, a *testing.T, and no result, and an example has an output", p.Test, strings.Join(p.Patterns, " "))
}

// testRoot is the name of the added function that runs a test, testFile that of the file with it.
const testRoot, testFile = "pangolinTest", "pangolin_testmain.go"

// Load compiles the test and an added function that runs it. Of the program directory, patterns, arguments and time count.
func (t *Test) Load(ctx context.Context, p *Program) (*Subject, error) {
	l, text := t.listed, t.main()
	prog, err := l.Load(ctx, front.Request{Roots: []string{testRoot},
		Harness: func(*types.Package) (string, []byte, error) { return testFile, text, nil }})
	if err != nil {
		return nil, err
	}
	prog.Args, prog.Clock = p.Args, ClockOf(prog, p.Time)
	unknown, err := vm.Settle(prog)
	if err != nil {
		return nil, err
	}
	assumed := append(assumptions(prog), uninitialised(unknown)...)
	if t.apart {
		assumed = append(assumed, testMainApart)
	}
	s := t.described(p)
	s.Prog, s.Main, s.Lines, s.LeftOut, s.Directories, s.Assumptions = prog, prog.Roots[0], linesOf(l, testFile, text), []verdict.LeftOut{}, l.Directories(), assumed
	return s, nil
}

// main is the text of the added file. package testing's model has what testing.Main does with it.
func (t *Test) main() []byte {
	main, fuzz, tests, examples := "nil", "", "nil", "nil"
	if t.hasTestMain() {
		main = "func(_, _ string) (bool, error) { TestMain(new(testing.M)); return true, nil }"
	}
	switch t.Kind {
	case verdict.AnExample:
		examples = fmt.Sprintf("[]testing.InternalExample{{%q, %s, %q, %t}}", t.Name, t.Name, t.example.Output, t.example.Unordered)
	case verdict.AFuzzTest:
		var seeds strings.Builder
		for _, s := range t.seeds {
			fmt.Fprintf(&seeds, "f.Add(%s); ", s)
		}
		fuzz = fmt.Sprintf("testing.MainStart(nil, nil, nil, []testing.InternalFuzzTarget{{%q, func(f *testing.F) { %s%s(f) }}}, nil); ", t.Name, &seeds, t.Name)
	default:
		tests = fmt.Sprintf("[]testing.InternalTest{{%q, %s}}", t.Name, t.Name)
	}
	return fmt.Appendf(nil, "package %s\n\nimport \"testing\"\n\nfunc %s() { %stesting.Main(%s, %s, nil, %s) }\n",
		t.pkg.Name(), testRoot, fuzz, main, tests, examples)
}

// hasTestMain says that the package declares TestMain. In a package of external tests the one of the package itself is unknown.
func (t *Test) hasTestMain() bool {
	f, ok := t.pkg.Scope().Lookup("TestMain").(*types.Func)
	return ok && takes(f, "*testing.M")
}

// TestPackage is a package with tests, as gc compiles it.
type TestPackage struct {
	Dir      string // of the package
	Package  string // import path of the package under test
	Name     string // name of the package that declares the tests
	External bool   // it is the package beside, "queue_test"
	Names    []string
	TestMain bool // it is declared there
}

// CompiledTests describes the package of tests for compiled code: the functions TestX of one package.
func CompiledTests(list []*Test) *TestPackage {
	t := list[0]
	p := &TestPackage{Dir: t.Directory(), Name: t.pkg.Name(), TestMain: t.hasTestMain()}
	p.Package, p.External = strings.CutSuffix(t.Package(), "_test")
	for _, t := range list {
		if t.Kind == verdict.ATest {
			p.Names = append(p.Names, t.Name)
		}
	}
	return p
}

// Drive describes the test for compiled code, as Load does for the machine.
func (t *Test) Drive(p *Program) *Subject {
	s := t.described(p)
	s.Lines, s.Directories, s.LeftOut = linesOf(t.listed, testFile, nil), t.listed.Directories(), []verdict.LeftOut{}
	s.Compiled = &Compiled{Dir: t.Directory(), Package: t.Package(), Name: t.pkg.Name()}
	if t.apart {
		s.Assumptions = append(s.Assumptions, testMainApart)
	}
	return s
}

// described is what is said of the test, however it is executed.
func (t *Test) described(p *Program) *Subject {
	return &Subject{About: verdict.Subject{Collection: t.pkg.Name() + "." + t.Name},
		Source: verdict.Source{Module: t.listed.Module, Package: t.listed.Path, Patterns: p.Patterns, Args: p.Args, Program: true, Test: t.Name, Time: string(p.Time)}}
}

const testMainApart = "TestMain, which the other package of these tests declares, is not executed"
