// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// room is code that decides about verdicts.
type room struct {
	name  string
	files []string // patterns, from the root of the module
}

// rooms are those in which mutants are planted.
func rooms() []room {
	return []room{
		{"consist", []string{"internal/consist/*.go"}},
		{"oracle", []string{"oracle/*.go"}},
		{"races", []string{"internal/vm/races.go", "internal/vm/stance.go", "internal/vm/state/tracked.go", "internal/interleave/clocks.go"}},
		{"explore", []string{"internal/explore/*.go"}},
		{"store", []string{"internal/store/*.go"}},
		{"lts", []string{"internal/lts/*.go"}},
		{"policy", []string{"internal/policy/*.go"}},
		{"certificate", []string{"internal/certificate/*.go"}},
		{"checker", []string{"internal/certificate/checker/*.go"}},
		{"pairs", []string{"internal/certificate/pairs/*.go"}},
		{"recognise", []string{"internal/recognise/*.go"}},
		{"report", []string{"report/*.go", "report/text/*.go", "report/json/*.go"}},
	}
}

// roomOf is the name of the room in which a mutant is planted, by the mutant's name.
func roomOf(mutant string) string {
	file, _, _ := strings.Cut(mutant, ": ")
	for _, r := range rooms() {
		for _, pattern := range r.files {
			if is, _ := path.Match(pattern, file); is {
				return r.name
			}
		}
	}
	return ""
}

// source is a package of the module, typed.
type source struct {
	dir   string // from the root of the module
	name  string
	fset  *token.FileSet
	paths []string // of its files, from the root of the module
	files []*ast.File
	texts map[string]string
	info  *types.Info
	deps  types.Importer
}

// universe finds the packages of the rooms and whatever they import.
type universe struct {
	root    string
	exports map[string]string // compiled packages by their import paths
	loaded  map[string]*source
}

func goCommand(root string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, errs.Bytes())
	}
	return out, nil
}

// newUniverse asks the go command what there is.
func newUniverse(root string) (*universe, error) {
	out, err := goCommand(root, "list", "-deps", "-export", "-json=ImportPath,Export", "./...")
	if err != nil {
		return nil, err
	}
	u := &universe{root: root, exports: map[string]string{}, loaded: map[string]*source{}}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err == io.EOF {
			return u, nil
		} else if err != nil {
			return nil, err
		}
		u.exports[p.ImportPath] = p.Export
	}
}

// load types the package in a directory.
func (u *universe) load(dir string) (*source, error) {
	if s := u.loaded[dir]; s != nil {
		return s, nil
	}
	out, err := goCommand(u.root, "list", "-json=Name,GoFiles", "./"+dir)
	if err != nil {
		return nil, err
	}
	var p struct {
		Name    string
		GoFiles []string
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return nil, err
	}
	s := &source{dir: dir, name: p.Name, fset: token.NewFileSet(), texts: map[string]string{}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}}
	s.deps = importer.ForCompiler(s.fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(u.exports[name]) })
	for _, name := range p.GoFiles {
		file := path.Join(dir, name)
		text, err := os.ReadFile(filepath.Join(u.root, file))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(s.fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.paths, s.files, s.texts[file] = append(s.paths, file), append(s.files, f), string(text)
	}
	if _, err := (&types.Config{Importer: s.deps}).Check(dir, s.fset, s.files, s.info); err != nil {
		return nil, err
	}
	u.loaded[dir] = s
	return s, nil
}

// all lists the mutants of a room, in the order of files and source.
func (u *universe) all(r room) (list []mutant, err error) {
	var files []string
	for _, pattern := range r.files {
		some, err := filepath.Glob(filepath.Join(u.root, pattern))
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			return nil, fmt.Errorf("the room %s has no file %s", r.name, pattern)
		}
		files = append(files, some...)
	}
	for _, f := range files {
		f, err := filepath.Rel(u.root, f)
		if err != nil {
			return nil, err
		}
		f = filepath.ToSlash(f)
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		s, err := u.load(path.Dir(f))
		if err != nil {
			return nil, err
		}
		i := slices.Index(s.paths, f)
		if i < 0 {
			continue // of another architecture
		}
		p := planter{fset: s.fset, info: s.info, dir: s.dir, path: f, text: s.texts[f]}
		list = append(list, p.mutants(s.files[i])...)
	}
	return list, nil
}

// compiles reports whether a mutant is a program: some places need constants, or a terminating statement.
func (u *universe) compiles(m *mutant) bool {
	s := u.loaded[m.dir]
	f, err := parser.ParseFile(s.fset, m.file, planted(s.texts[m.file], s.name, map[int]mutant{1: *m}), parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	files := slices.Clone(s.files)
	files[slices.Index(s.paths, m.file)] = f
	_, err = (&types.Config{Importer: s.deps}).Check(s.dir, s.fset, files, nil)
	return err == nil
}

// sample draws mutants of each room, as many as its share of all of them, and at least so many. It says how many each room has.
func (u *universe) sample(n, least int, seed uint64) (chosen []mutant, counts map[string]int, err error) {
	counts = map[string]int{}
	lists := map[string][]mutant{}
	total := 0
	for _, r := range rooms() {
		list, err := u.all(r)
		if err != nil {
			return nil, nil, err
		}
		lists[r.name], counts[r.name] = list, len(list)
		total += len(list)
	}
	for _, r := range rooms() {
		want := max(least, n*len(lists[r.name])/total)
		for _, m := range drawn(lists[r.name], seed) {
			if want > 0 && u.compiles(&m) {
				want--
				chosen = append(chosen, m)
			}
		}
	}
	return chosen, counts, nil
}
