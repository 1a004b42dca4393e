// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	paths "golang.org/x/mod/module"

	"pangolin/verdict"
)

// A whole program is copied with all packages that it imports, those of other modules included, to a directory of its own, where each module
// replaces the one that it is a copy of. Main is thread 1 of the schedule, and every other goroutine is found out (claim in zz_forced).

// Program forces the schedule of a witness about a whole program, whose files a directory has.
func Program(ctx context.Context, dir string, w *verdict.Witness) (r Result, err error) {
	if w.Source.Test != "" {
		return Result{}, cannot("it is about the test function %s, not a program's main", w.Source.Test)
	}
	f := &forcer{w: w, exports: map[string]string{}, copies: map[string]string{}, asked: map[want]bool{}, inside: map[int][]*call{}}
	if err := f.list(ctx, dir, w.Source.Patterns...); err != nil {
		return Result{}, err
	}
	p := &program{forcer: f, modules: map[string]string{}}
	if err := p.find(); err != nil {
		return Result{}, err
	}
	if err := f.choices(p.main); err != nil {
		return Result{}, err
	}
	if err := f.plan(cmp.Or(p.main.Module, &module{}).Path); err != nil {
		return Result{}, err
	}
	to, err := os.MkdirTemp("", "force")
	if err != nil {
		return Result{}, err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(to)) }()
	if err := p.write(to); err != nil {
		return Result{}, err
	}
	return p.run(ctx, filepath.Join(to, programDir))
}

// program makes the copy of a program.
type program struct {
	*forcer
	main    *listed
	modules map[string]string // their directories in the copy, by path
}

const (
	programDir = "program"  // of the main package, below the copy
	hooksDir   = "zz_hooks" // of the package that copies import
	nobody     = "forced"   // the path of the module of a main package that belongs to none
)

// find checks all packages that are no part of Go's library.
func (p *program) find() error {
	p.reach = reach{functions: map[string]bool{}, methods: map[string]bool{}}
	for _, path := range slices.Sorted(maps.Keys(p.known)) {
		l := p.known[path]
		switch {
		case l.Error != nil && l.Name != "":
			return cannot("%s", strings.TrimSpace(l.Error.Err))
		case l.Standard || path == markPath:
			continue
		case l.Name == "main" && p.main != nil:
			return cannot("there is more than one package main")
		case l.Name == "main":
			p.main = l
		}
		p.forcer.module = l.Dir // so that names are those of files alone
		c, err := p.check(l)
		if err != nil {
			return err
		}
		p.packages = append(p.packages, c)
	}
	if p.main == nil {
		return cannot("there is no package main in %s", strings.Join(p.w.Source.Patterns, " "))
	}
	return nil
}

// write writes the copy: a directory for each package, below one for each module.
func (p *program) write(to string) error {
	p.reach.functions[p.main.ImportPath+".main"] = true
	for i := range p.reach.bodies { // initialisation belongs to the program
		if b := &p.reach.bodies[i]; strings.HasSuffix(b.full, ".init") {
			p.reach.functions[b.full] = true
		}
	}
	p.reach.close()
	own := cmp.Or(p.main.Module, &module{Path: nobody})
	for _, c := range p.packages {
		l := p.known[c.path]
		m := cmp.Or(l.Module, own)
		below := programDir
		if l != p.main {
			below = filepath.Join(p.moduleDir(own, m), strings.TrimPrefix(c.path, m.Path))
		}
		if err := p.copyPackage(filepath.Join(to, below), l, c); err != nil {
			return err
		}
	}
	if err := p.keepAsked(); err != nil {
		return err
	}
	text, err := templates.ReadFile("hooks.go.txt")
	if err != nil {
		return err
	}
	p.copies[hooksDir+"/zz_forced.go"] = string(text)
	p.copies[hooksDir+"/go.mod"] = "module " + hooks + "\n\ngo 1.26\n"
	p.copies[programDir+"/zz_schedule.go"] = p.schedule()
	if p.copies["go.mod"], err = p.goMod(own); err != nil {
		return err
	}
	for name, text := range p.copies {
		at := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// moduleDir is the directory of a module below the copy; the program's own module is the copy itself.
func (p *program) moduleDir(own, m *module) string {
	if m.Path == own.Path {
		return "."
	}
	if p.modules[m.Path] == "" {
		p.modules[m.Path] = fmt.Sprintf("zz_module%d", len(p.modules))
		p.copies[p.modules[m.Path]+"/go.mod"] = "module " + m.Path + "\n\ngo " + recent(m) + "\n"
	}
	return p.modules[m.Path]
}

// copyPackage copies a package's files, and those that its operations reach as they wait for their turns.
func (p *program) copyPackage(to string, l *listed, c *checked) error {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		// Of Go files only those that belong to the build: others may be programs of their own.
		if e.IsDir() || strings.HasSuffix(e.Name(), ".go") || e.Name() == "go.mod" || e.Name() == "go.sum" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(l.Dir, e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), text, 0o666); err != nil {
			return err
		}
	}
	for i, file := range c.files {
		r := &rewriter{fset: c.fset, info: c.info, text: c.texts[c.names[i]], name: p.shown(l, c.names[i]), reach: &p.reach, asked: p.asked}
		text, changed := r.rewrite(file, hooks)
		if l == p.main {
			text = begun(file, r, text, changed)
		}
		if err := os.WriteFile(filepath.Join(to, c.names[i]), []byte(unignored(text)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// shown is how the witness names a file: those of the program's own module by their places in it, those of others by import path.
func (p *program) shown(l *listed, name string) string {
	own := p.main.Module
	switch {
	case l == p.main && (own == nil || l.ImportPath == commandLine):
		return p.alone(name)
	case own != nil && l.Module != nil && l.Module.Path == own.Path:
		return path.Join(strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, own.Path), "/"), name)
	}
	return path.Join(l.ImportPath, name)
}

// commandLine is the import path of files that are named one by one.
const commandLine = "command-line-arguments"

// alone is how the witness names a file of a package that is given by its files.
func (p *program) alone(name string) string {
	for i := range p.w.Steps {
		if file := p.w.Steps[i].File; path.Base(file) == name && !strings.Contains(strings.SplitN(file, "/", 2)[0], ".") {
			return file
		}
	}
	return name
}

// unignored is the text without a constraint that keeps a file from being built with its directory.
func unignored(text string) string {
	return strings.Replace(text, "\n//go:build ignore\n", "\n// go:build ignore\n", 1)
}

// begun lets main begin the schedule.
func begun(f *ast.File, r *rewriter, text string, changed bool) string {
	const head = "func main() {"
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" && strings.Contains(text, head) {
			text = strings.Replace(text, head, head+" "+hooks+".Main(); defer "+hooks+".MainEnds();", 1)
			if !changed {
				at := r.offset(f.Name.End())
				text = text[:at] + "; import " + hooks + " \"" + hooks + "\"" + text[at:]
			}
		}
	}
	return text
}

// schedule is the file that has the schedule.
func (p *program) schedule() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport %s %q\n\nfunc init() {\n\t%s.Plan([]%s.Want{\n", hooks, hooks, hooks, hooks)
	for _, x := range p.wants {
		fmt.Fprintf(&b, "\t\t{%d, %q, %q, %d},\n", x.thread, x.does, x.file, x.line)
	}
	fmt.Fprintf(&b, "\t}, %d, %t)\n", p.loop, p.w.Ending.Kind == verdict.Leaked)
	if len(p.decided) > 0 {
		fmt.Fprintf(&b, "\t%s.Choices = %#v\n", hooks, p.decided)
	}
	b.WriteString("}\n")
	return b.String()
}

// goMod is the go.mod of the program's own module in the copy.
func (p *program) goMod(own *module) (string, error) {
	var f modfile.File
	errs := []error{f.AddModuleStmt(own.Path), f.AddGoStmt(recent(own))}
	replaced := maps.Clone(p.modules)
	replaced[hooks] = hooksDir
	for _, path := range slices.Sorted(maps.Keys(replaced)) {
		version := "v0.0.0"
		if _, major, ok := paths.SplitPathVersion(path); ok && major != "" {
			version = strings.TrimLeft(major, "/.") + ".0.0"
		}
		errs = append(errs, f.AddRequire(path, version), f.AddReplace(path, "", "./"+replaced[path], ""))
	}
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	text, err := f.Format()
	return string(text), err
}

// run compiles and runs the copy, and says whether it ends as the witness does.
func (p *program) run(ctx context.Context, dir string) (Result, error) {
	binary := filepath.Join(dir, "forced.exe")
	args := []string{"build", "-o", binary}
	if p.w.Ending.Kind == verdict.Raced {
		args = append(args, "-race")
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "TMPDIR="+dir)
	build := exec.CommandContext(ctx, "go", append(args, ".")...)
	build.Dir, build.Env = dir, env
	if out, err := build.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{Cannot: uncompiled(fmt.Sprintf("the copy does not compile: %v\n%s", err, out)), Output: string(out)}, nil
	}
	const limit = 2 * time.Minute
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, p.w.Source.Args...)
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	failed := cmd.Run()
	status := 0
	if exit := new(exec.ExitError); errors.As(failed, &exit) {
		status = exit.ExitCode()
	}
	r := Result{Output: stdout.String() + stderr.String()}
	switch e := p.w.Ending; e.Kind {
	case verdict.Exited, verdict.Panicked, verdict.Deadlocked:
		first, _, _ := strings.Cut(e.Panic, "\n")
		r.Reproduced = stdout.String() == e.Stdout && e.Exit != nil && status == *e.Exit && strings.Contains(r.Output, first)
	default:
		r.Reproduced = containsAll(r.Output, p.ends())
	}
	return r, nil
}

// ends is what is printed in an execution that ends as the witness does.
func (p *program) ends() (list []string) {
	switch e := p.w.Ending; e.Kind {
	case verdict.Endless:
		list = append(list, "forced end lap repeated 100 times")
	case verdict.Raced:
		list = append(list, "WARNING: DATA RACE")
		for _, c := range e.Race {
			list = append(list, c.Place.Base())
		}
	case verdict.Leaked:
		for _, x := range e.Involved {
			list = append(list, "forced waits "+x.Base())
		}
	}
	return list
}

func containsAll(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}
