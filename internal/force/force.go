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
// compiler, runtime and library are as they come. Calls that take or return more than plain values
// (functions, contexts, handles) go through the file that the caller supplies, see Drive. What cannot
// be forced is an error that says so; what the runtime decides otherwise than the schedule
// (steps inside one call of the library, when a timer fires, choices that the language leaves open) is a
// schedule that does not come about, and the test fails.
package force

import (
	"cmp"
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
	"regexp"
	"slices"
	"strconv"
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
	Module                        *module
	Error                         *struct{ Err string }
}

// module is a module as the go command lists it.
type module struct {
	Path, Version, Dir, GoVersion string
	Main                          bool
	Replace                       *module
}

// Drive gives the file through which all operations of a witness's collection can be called.
type Drive func(context.Context) (*verdict.Harness, error)

// Case is a test that forces a schedule.
type Case struct {
	Text []byte // of the test's file
	Dir  string // of the package that the file belongs to
	// Cached: the package is in the module cache, where no file can be put.
	Cached  bool
	modules []*module // that packages of the build are in, if Cached; the first is the package's
	sums    string    // their go.sum
}

// Test makes the test for a witness about a package that the module of a directory has or needs. drive is called only if the
// witness calls operations that take or return more than plain values; nil: then the schedule cannot be forced.
func Test(ctx context.Context, dir string, w *verdict.Witness, drive Drive) (*Case, error) {
	switch {
	case w.Source.Program:
		return nil, cannot("it is about a whole program, not a collection: reproduce forces it, and no test does")
	case w.Schedule.Compiled != nil:
		return nil, cannot("it is an execution of compiled code, natively, already: pangolin replay makes it again")
	case w.Source.Years:
		return nil, cannot("the clock goes on by a year in it, between two calls, and Go's runtime has no such clock")
	}
	f := &forcer{w: w, exports: map[string]string{}, copies: map[string]string{}, asked: map[want]bool{}, inside: map[int][]*call{}}
	if err := f.list(ctx, dir, w.Source.Package); err != nil {
		return nil, err
	}
	p := f.known[w.Source.Package]
	switch {
	case p == nil || p.Error != nil:
		return nil, cannot("there is no package %s here", w.Source.Package)
	case p.Standard:
		return nil, cannot("the package %s belongs to Go's library, of which no copy can be compiled", p.ImportPath)
	case p.Module == nil || p.Module.Dir == "":
		return nil, cannot("the package %s belongs to no module whose directory is known", p.ImportPath)
	}
	if err := f.choices(p); err != nil {
		return nil, err
	}
	if err := f.load(p.Module); err != nil {
		return nil, err
	}
	if err := f.driven(ctx, dir, drive); err != nil {
		return nil, err
	}
	if err := f.plan(p.Module.Path); err != nil {
		return nil, err
	}
	if err := f.rewriteAll(p.Module); err != nil {
		return nil, err
	}
	text, err := f.render(p)
	if err != nil {
		return nil, err
	}
	c := &Case{Text: text, Dir: p.Dir}
	return c, f.cached(ctx, dir, p.Module, c)
}

// forcer makes one test.
type forcer struct {
	w        *verdict.Witness
	known    map[string]*listed
	exports  map[string]string
	copies   map[string]string // by path below the module's directory
	wants    []want
	loop     int    // index in wants, or -1
	module   string // its directory
	name     string
	asked    map[want]bool   // places where copies ask
	decided  []int           // by mark.Choose, in order
	inside   map[int][]*call // of the library, by thread, the innermost last
	packages []*checked      // of the module
	driver   *verdict.Harness
	// Of the user's package: its directory below the module's, and its types.
	below string
	fset  *token.FileSet
	pkg   *types.Package
	reach reach
}

// checked is a package whose copy is to be made.
type checked struct {
	below string // its directory below the module's
	path  string
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

// list asks the go command for packages and all that they need.
func (f *forcer) list(ctx context.Context, dir string, packages ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-export", "-deps", "-e", "-json=ImportPath,Dir,Export,Name,GoFiles,Standard,Module,Error"}, packages...)...)
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

// load checks the packages of the module.
func (f *forcer) load(m *module) error {
	f.module, f.packages, f.pkg, f.reach = m.Dir, nil, nil, reach{functions: map[string]bool{}, methods: map[string]bool{}}
	for _, path := range slices.Sorted(maps.Keys(f.known)) {
		p := f.known[path]
		if p.Standard || p.Module == nil || p.Module.Path != m.Path || path == markPath {
			continue
		}
		c, err := f.check(p)
		if err != nil {
			return err
		}
		f.packages = append(f.packages, c)
	}
	if f.pkg == nil {
		return cannot("the package %s is not among those of its module", f.w.Source.Package)
	}
	return nil
}

// rewriteAll makes the copies of all files of the module that the operations reach.
func (f *forcer) rewriteAll(m *module) error {
	if f.driver != nil {
		f.reach.functions[f.pkg.Path()+"."+f.driver.New] = true
		for _, name := range f.driver.Ops {
			f.reach.functions[f.pkg.Path()+"."+name] = true
		}
	} else {
		made, _, err := f.made()
		if err != nil {
			return err
		}
		f.reach.roots(made, f.w.Source.Ops, f.w.Source.New, f.pkg)
	}
	f.reach.close()
	for _, c := range f.packages {
		for i, file := range c.files {
			name := path.Join(c.below, c.names[i])
			r := &rewriter{fset: c.fset, info: c.info, text: c.texts[c.names[i]], name: name, reach: &f.reach, asked: f.asked}
			isDriver := f.driver != nil && c.path == f.w.Source.Package && c.names[i] == f.driver.File
			if isDriver {
				r.name = f.driver.File
			}
			text, changed := r.rewrite(file, m.Path+"/"+hooks)
			if isDriver {
				text, changed = implemented(text, m.Path+"/"+hooks), true
			}
			if changed {
				f.copies[name] = upgraded(m, c.names[i], text)
			}
		}
	}
	if err := f.keepAsked(); err != nil {
		return err
	}
	if err := f.writeInner(m); err != nil {
		return err
	}
	text, err := templates.ReadFile("hooks.go.txt")
	if err != nil {
		return err
	}
	f.copies["zz_forced/zz_forced.go"] = upgraded(m, "zz_forced.go", string(text))
	return nil
}

var goMinor = regexp.MustCompile(`^1\.(\d+)`)

// upgraded lets a file of an older module have functions with type parameters, which copies call. The lines are still
// numbered as they were.
func upgraded(m *module, name, text string) string {
	const since = 18
	version := goMinor.FindStringSubmatch(cmp.Or(m.GoVersion, "1.16")) // the version of a module that does not say one
	if version == nil {
		return text
	}
	if minor, err := strconv.Atoi(version[1]); err != nil || minor >= since {
		return text
	}
	constraint := fmt.Sprintf("//go:build go1.%d", since)
	if at := strings.Index(text, "//go:build "); at == 0 || at > 0 && text[at-1] == '\n' {
		own, rest, _ := strings.Cut(text[at+len("//go:build "):], "\n")
		return text[:at] + constraint + " && (" + own + ")\n" + rest
	}
	return constraint + "\n\n//line " + name + ":1\n" + text
}

// check reads and checks a package.
func (f *forcer) check(p *listed) (*checked, error) {
	below, err := filepath.Rel(f.module, p.Dir)
	if err != nil {
		return nil, err
	}
	c := &checked{path: p.ImportPath, below: filepath.ToSlash(below), names: p.GoFiles, texts: map[string]string{}}
	for _, name := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		c.texts[name] = string(b)
	}
	if f.driver != nil && p.ImportPath == f.w.Source.Package {
		c.names = append(slices.Clone(c.names), f.driver.File)
		c.texts[f.driver.File] = string(f.driver.Text)
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
func (f *forcer) writeInner(m *module) error {
	text, err := f.innerTest(m.Path)
	f.copies[path.Join(f.below, "zz_forced_test.go")] = upgraded(m, "zz_forced_test.go", text)
	return err
}

// keepAsked drops the wants of places where the copies do not ask: what a range statement
// reads, for one, goes with the access before.
func (f *forcer) keepAsked() error {
	kept, loop := []want{}, -1
	for i, x := range f.wants {
		if i == f.loop {
			loop = len(kept)
		}
		if x.file == "" || f.asked[want{does: x.does, file: x.file, line: x.line}] {
			kept = append(kept, x)
		}
	}
	if loop >= 0 && loop == len(kept) {
		return cannot("what repeats for ever is nothing that others see, so there is no access that could wait for its turn")
	}
	f.wants, f.loop = kept, loop
	return nil
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
