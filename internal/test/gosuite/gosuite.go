// SPDX-License-Identifier: BSD-3-Clause

// Package gosuite runs the Go distribution's own test programs in the machine.
//
// It takes the directory GOROOT/test, selects the programs marked "// run" that
// import nothing but a short list of packages, compiles each with package front,
// follows one execution in package vm, and compares exit status and output with
// what the distribution's test driver demands: status 0, and the combined output
// equal to the .out file beside the program, empty where there is none.
//
// It does not explore interleavings (package corpus compares outcome sets), and
// it does not run the programs natively: they are known to pass.
package gosuite

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Program is one selected test program.
type Program struct {
	Name string // relative to GOROOT/test, with slashes
	File string // where it is
	Want string // the combined standard output and standard error it must produce
}

// dirs are the parts of GOROOT/test that programs are taken from.
var dirs = []string{"", "chan", "interface", "ken", "typeparam"}

// imports are what a selected program may import.
var imports = []string{"fmt", "errors", "sync", "sync/atomic", "strings", "math", "math/bits", "sort", "strconv",
	"unicode/utf8", "slices", "maps", "cmp", "os", "runtime"}

// left are programs that are not run because they cannot pass, and why.
var left = map[string]string{
	"heapsampling.go": "unsupported: it profiles memory (runtime.MemProfile), after 20 GB of allocations",
}

// Select lists the programs beneath root, a GOROOT/test directory, by name.
func Select(root string) ([]Program, error) {
	var all []Program
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if !selected(string(src)) {
				continue
			}
			want, _ := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out") // absent: no output
			name := filepath.ToSlash(filepath.Join(dir, filepath.Base(file)))
			all = append(all, Program{Name: name, File: file, Want: string(want)})
		}
	}
	slices.SortFunc(all, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

var runLine = regexp.MustCompile(`(?m)^// run\s*$`)

// selected says whether a source file is one of the programs.
func selected(src string) bool {
	if !runLine.MatchString(src) || !builds(src) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return false
	}
	for _, imp := range f.Imports {
		if path, _ := strconv.Unquote(imp.Path.Value); !slices.Contains(imports, path) {
			return false
		}
	}
	return true
}

// builds says whether the constraints above the package clause hold for the
// system that the machine models: linux, amd64, gc, no cgo.
func builds(src string) bool {
	for line := range strings.Lines(src) {
		if strings.HasPrefix(line, "package ") {
			break
		}
		expr, err := constraint.Parse(strings.TrimSpace(line))
		if err == nil && !expr.Eval(satisfied) {
			return false
		}
	}
	return true
}

func satisfied(tag string) bool {
	return slices.Contains([]string{"linux", "amd64", "gc", "unix"}, tag) || strings.HasPrefix(tag, "go1.")
}
