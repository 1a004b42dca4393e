// SPDX-License-Identifier: BSD-3-Clause

// Package force turns a witness into a Go test that forces its schedule on Go's own runtime:
// a file of the user's package that imports nothing of Pangolin's. It compiles a copy of the
// code in which each access that operations can reach waits for its turn (through the go
// command's -overlay; no file of the user's changes), runs it in a process of its own, and
// checks that results, panic, deadlock or lap are those of the witness; for a data race, that
// the race detector reports these two accesses.
//
// It takes a witness and the module that it is about. It shares no code with the machine that
// found the violation, nor with package native, which executes a changed runtime: here
// compiler, runtime and library are as they come. What cannot be forced (goroutines that
// operations start) is an error that says so; what the runtime decides otherwise than the schedule
// (steps inside one call of the library, choices that the language leaves open) is a schedule that
// does not come about, and the test fails.
package force

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pangolin/verdict"
)

//go:embed hooks.go.txt test.go.txt
var templates embed.FS

// ErrCannot is wrapped by errors that say why a schedule cannot be forced.
var ErrCannot = errors.New("cannot be forced")

func cannot(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCannot, fmt.Sprintf(format, args...))
}

// listed is a package as the go command lists it.
type listed struct {
	ImportPath, Dir, Export, Name string
	GoFiles                       []string
	Standard                      bool
	Module                        *struct{ Path, Dir string }
	Error                         *struct{ Err string }
}

// Test gives the text of the test for a witness about a package of the module that is
// current in a directory, and the package's directory.
func Test(ctx context.Context, dir string, w *verdict.Witness) (text []byte, packageDir string, err error) {
	if w.Source.Program {
		return nil, "", cannot("it is about a whole program, not a collection")
	}
	f := &forcer{w: w, exports: map[string]string{}, copies: map[string]string{}, asked: map[want]bool{}, inside: map[int]*call{}}
	if err := f.list(ctx, dir); err != nil {
		return nil, "", err
	}
	p := f.known[w.Source.Package]
	switch {
	case p == nil || p.Error != nil:
		return nil, "", cannot("there is no package %s here", w.Source.Package)
	case p.Module == nil:
		return nil, "", cannot("the package belongs to no module")
	case w.Source.Driven:
		return nil, "", cannot("operations of %s take or give functions, contexts, slices or handles", w.Source.Type)
	case len(w.Schedule.Begun) > 0:
		return nil, "", cannot("the constructor starts goroutines")
	}
	if err := f.choices(p); err != nil {
		return nil, "", err
	}
	if err := f.plan(); err != nil {
		return nil, "", err
	}
	if err := f.rewriteAll(p.Module.Path); err != nil {
		return nil, "", err
	}
	text, err = f.render(p)
	return text, p.Dir, err
}

// forcer makes one test.
type forcer struct {
	w       *verdict.Witness
	known   map[string]*listed
	exports map[string]string
	copies  map[string]string // by path below the module's directory
	wants   []want
	loop    int    // index in wants, or -1
	module  string // its directory
	name    string
	asked   map[want]bool // places where copies ask
	decided []int         // by mark.Choose, in order
	inside  map[int]*call // of the library, by thread
	// Of the user's package: its directory below the module's, and its types.
	below string
	fset  *token.FileSet
	pkg   *types.Package
	reach reach
}

// checked is a package whose copy is to be made.
type checked struct {
	below string // its directory below the module's
	names []string
	texts map[string]string
	files []*ast.File
	fset  *token.FileSet
	info  *types.Info
}

// markPath is the package that chooses and numbers threads under Pangolin; in the copy the
// schedule does.
const markPath = "pangolin/mark"

// choices collects what was decided. What mark.Choose gives is decided in the copy; of what the
// language leaves open the runtime decides, and if it decides otherwise than the schedule the
// violation does not show.
func (f *forcer) choices(p *listed) error {
	f.decided = nil
	for _, d := range f.w.Schedule.Start {
		f.decided = append(f.decided, int(d))
	}
	for _, t := range f.w.Schedule.Turns {
		for _, d := range t.Decisions {
			f.decided = append(f.decided, int(d))
		}
	}
	if mark := f.known[markPath]; mark != nil && mark.Module != nil {
		return f.copyMark(mark, p.Module.Path)
	}
	return nil
}

func (f *forcer) list(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-e", "-json=ImportPath,Dir,Export,Name,GoFiles,Standard,Module,Error", f.w.Source.Package)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return cannot("the go command cannot list %s: %v", f.w.Source.Package, err)
	}
	f.known = map[string]*listed{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		f.known[p.ImportPath], f.exports[p.ImportPath] = p, p.Export
	}
}

func (f *forcer) importer() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if f.exports[path] == "" {
			return nil, fmt.Errorf("package %s is not available", path)
		}
		return os.Open(f.exports[path])
	})
}

// rewriteAll makes the copies of all files of the module that the operations reach.
func (f *forcer) rewriteAll(module string) error {
	f.reach = reach{functions: map[string]bool{}, methods: map[string]bool{}}
	var packages []*checked
	for _, path := range slices.Sorted(maps.Keys(f.known)) {
		p := f.known[path]
		if p.Standard || p.Module == nil || p.Module.Path != module || path == markPath {
			continue
		}
		f.module = p.Module.Dir
		c, err := f.check(p)
		if err != nil {
			return err
		}
		packages = append(packages, c)
	}
	if f.pkg == nil {
		return cannot("the package %s is not among those of its module", f.w.Source.Package)
	}
	made, _, err := f.made()
	if err != nil {
		return err
	}
	f.reach.roots(made, f.w.Source.Ops, f.w.Source.New, f.pkg)
	f.reach.close()
	for _, c := range packages {
		for i, file := range c.files {
			name := path.Join(c.below, c.names[i])
			r := &rewriter{fset: c.fset, info: c.info, text: c.texts[c.names[i]], name: name, reach: &f.reach, asked: f.asked}
			if text, changed := r.rewrite(file, module+"/zz_forced"); changed {
				f.copies[name] = text
			}
		}
	}
	f.keepAsked()
	if err := f.writeInner(module); err != nil {
		return err
	}
	hooks, err := templates.ReadFile("hooks.go.txt")
	if err != nil {
		return err
	}
	f.copies["zz_forced/zz_forced.go"] = string(hooks)
	return nil
}

// check reads and checks a package.
func (f *forcer) check(p *listed) (*checked, error) {
	below, err := filepath.Rel(f.module, p.Dir)
	if err != nil {
		return nil, err
	}
	c := &checked{below: filepath.ToSlash(below), names: p.GoFiles, texts: map[string]string{}}
	for _, name := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		c.texts[name] = string(b)
	}
	pkg, err := c.parse(p.ImportPath, f.importer())
	if err != nil {
		return nil, cannot("%v", err)
	}
	for _, file := range c.files {
		f.reach.add(file, c.info)
	}
	if p.ImportPath == f.w.Source.Package {
		f.below, f.fset, f.pkg = c.below, c.fset, pkg
	}
	return c, nil
}

// writeInner adds the test that runs in the copy.
func (f *forcer) writeInner(module string) error {
	text, err := f.innerTest(module)
	f.copies[path.Join(f.below, "zz_forced_test.go")] = text
	return err
}

// keepAsked drops the wants of places where the copies do not ask: what a range statement
// reads, for one, goes with the access before.
func (f *forcer) keepAsked() {
	kept, loop := []want{}, -1
	for i, x := range f.wants {
		if i == f.loop {
			loop = len(kept)
		}
		if x.file == "" || f.asked[want{does: x.does, file: x.file, line: x.line}] {
			kept = append(kept, x)
		}
	}
	f.wants, f.loop = kept, loop
}

// inMark are the functions of package mark that the copy replaces, with what they begin with.
var inMark = []struct{ head, text string }{
	{"func Choose(n int) int {\n", "\tif i, ok := zz_forced.Choice(n); ok {\n\t\treturn i\n\t}\n"},
	{"func Thread() int {\n", "\tif i, ok := zz_forced.Number(); ok {\n\t\treturn i\n\t}\n"},
}

// copyMark makes the copy of package mark that gives what the schedule decided, and numbers
// threads as the client does. It may belong to another module; then the test asks where it is.
func (f *forcer) copyMark(p *listed, module string) error {
	for _, name := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		text, changed := string(b), false
		for _, x := range inMark {
			if at := strings.Index(text, x.head); at >= 0 {
				at += len(x.head)
				text, changed = text[:at]+x.text+text[at:], true
			}
		}
		if changed {
			at := strings.Index(text, "\npackage mark\n") + len("\npackage mark")
			f.copies["@"+p.ImportPath+"/"+name] = text[:at] + fmt.Sprintf("; import zz_forced %q", module+"/zz_forced") + text[at:]
		}
	}
	return nil
}
