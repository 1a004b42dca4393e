package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// TestPackage is a package with tests.
type TestPackage struct {
	Dir      string // of the package
	Package  string // import path of the package under test
	Name     string // name of the package that declares the tests
	External bool   // they stand outside of the package under test
	Tests    []string
	TestMain bool // it is declared beside the tests
}

// NewTests builds a runner for the tests of a package: call number i executes test i, and returns an exit status, 0 if it passes. Its first argument
// is 1 if testing.Short is true. If Sampler.Calls names a call of package pangolin/check, that one executes its function, and the test ends behind it.
// The error wraps ErrElsewhere if that is due to the package.
//
// A test runs in the directory of its package. What it writes there stays, as with go test; files for which it asks package os or testing are removed.
// Package testing is that of the library, without its deadline. A timer fires when nobody else can go on. Fuzz tests, examples and bubbles
// of testing/synctest are not executed.
func NewTests(ctx context.Context, p TestPackage, opt Options) (*Sampler, error) {
	s, err := newSite(ctx, p.Dir, opt)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrElsewhere, err)
	}
	if err := s.tests(ctx, &p); err != nil {
		s.close()
		return nil, fmt.Errorf("%w: %w", ErrElsewhere, err)
	}
	scratch, err := os.MkdirTemp(inMemory(), "schedules")
	if err != nil {
		s.close()
		return nil, err
	}
	return &Sampler{site: s, test: true, home: p.Dir, scratch: scratch}, nil
}

// testedPackage is what the go command says of a package and its tests.
type testedPackage struct {
	Name                                                 string
	TestGoFiles, XTestGoFiles, TestImports, XTestImports []string
}

// ExternalDir is the last element of the path under which tests that stand outside of their package are compiled.
const ExternalDir = "zz_turn_xtest"

// checkPath is the package whose function Func executes a function of a test.
const checkPath = "pangolin/check"

func (s *site) tests(ctx context.Context, p *TestPackage) error {
	out, err := s.goIn(ctx, s.root, "list", "-json=Name,TestGoFiles,XTestGoFiles,TestImports,XTestImports", p.Package)
	if err != nil {
		return err
	}
	var has testedPackage
	if err := json.Unmarshal(out, &has); err != nil {
		return err
	}
	if has.Name == "main" {
		return errors.New("the tests of a package main cannot be imported by the runner: move the code to a package of its own")
	}
	imports, files := has.TestImports, has.TestGoFiles
	if p.External {
		imports = slices.Concat(imports, has.XTestImports)
	}
	imports = slices.DeleteFunc(slices.Clone(imports), func(path string) bool { return path == "C" })
	if err := s.list(ctx, append([]string{p.Package, "fmt", "testing"}, imports...)); err != nil {
		return err
	}
	for _, not := range []string{"testing/synctest", "pangolin"} {
		if s.known[not] != nil {
			return errors.New(unfit[not])
		}
	}
	pkg := s.known[p.Package]
	if pkg == nil || pkg.Error != nil {
		return fmt.Errorf("the package %s cannot be compiled", p.Package)
	}
	if s.below, err = filepath.Rel(s.root, pkg.Dir); err != nil {
		return err
	}
	s.below = filepath.ToSlash(s.below)
	if err := s.testFiles(pkg.Dir, pkg.Dir, files); err != nil {
		return err
	}
	dir, importPath := pkg.Dir, p.Package
	if p.External {
		dir, importPath = filepath.Join(dir, ExternalDir), path.Join(importPath, ExternalDir)
		s.apart = []string{importPath}
		if err := s.testFiles(pkg.Dir, dir, has.XTestGoFiles); err != nil {
			return err
		}
	}
	if err := s.checked(); err != nil {
		return err
	}
	if err := s.laid(filepath.Join(dir, "zz_turn_tests.go"), p.adapter()); err != nil {
		return err
	}
	s.imports = append(s.imports, `"testing"`, fmt.Sprintf("p0 %q", importPath))
	fmt.Fprintf(&s.table, "\t{%#v, p0.Turn_subject_0},\n", append(s.userPackages(), s.apart...))
	s.more = "\nfunc init() { reset, ran = testing.TurnReset, testing.TurnRan }\n"
	return s.compile(ctx)
}

// unfit are packages with which tests are not executed.
var unfit = map[string]string{
	"testing/synctest": "bubbles of testing/synctest are not executed: the machine explores them (leave out -engine)",
	"pangolin":         "a test that links the checker (package pangolin) is not executed: use package pangolin/check, which asks the command",
}

// testFiles puts the test files of a directory into a package as ordinary ones, with their names in positions.
func (s *site) testFiles(from, to string, names []string) error {
	for i, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := s.laid(filepath.Join(to, fmt.Sprintf("zz_turn_test%d.go", i)), fmt.Sprintf("//line %s:1\n%s", name, text)); err != nil {
			return err
		}
	}
	return nil
}

// laid puts a text over a file.
func (s *site) laid(file, text string) error {
	s.laidOver++
	name := fmt.Sprintf("laid/%d.go.txt", s.laidOver)
	s.overlay[file] = filepath.Join(s.dir, filepath.FromSlash(name))
	return s.write(map[string]string{name: text})
}

// adapter is what calls the tests for the runner.
func (p *TestPackage) adapter() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"testing\"\n", p.Name)
	b.WriteString(")\n\nfunc Turn_subject_0(show func(any)) func(op int, a1, a2, a3, a4 int64, done func()) {\n" +
		"\treturn func(op int, a1, a2, a3, a4 int64, done func()) {\n\t\tshort, code := \"-test.short=false\", 0\n\t\tif a1 == 1 {\n\t\t\tshort = \"-test.short=true\"\n\t\t}\n")
	b.WriteString("\t\tswitch op {\n")
	main := "nil"
	if p.TestMain {
		main = "TestMain"
	}
	for i, name := range p.Tests {
		fmt.Fprintf(&b, "\t\tcase %d:\n\t\t\tcode = testing.TurnRun(%q, %s, %s, short, \"-test.parallel=64\")\n", i, name, name, main)
	}
	b.WriteString("\t\t}\n\t\tdone()\n\t\tshow(code)\n\t}\n}\n")
	return b.String()
}

// checked puts a package in place of pangolin/check that asks no command.
func (s *site) checked() error {
	p := s.known[checkPath]
	if p == nil {
		return nil
	}
	text, err := patches.ReadFile("patch/check.go.txt")
	if err != nil {
		return err
	}
	for _, name := range p.GoFiles {
		s.overlay[filepath.Join(p.Dir, name)] = ""
	}
	return s.laid(filepath.Join(p.Dir, "check.go"), string(text))
}

// Calls has the tests come to a call of pangolin/check's Func, such as "TestQueue#1", from the next process on.
func (s *Sampler) Calls(name string) {
	s.stop()
	s.call = name
}

// SPDX-License-Identifier: BSD-3-Clause
