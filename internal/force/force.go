// Package force turns a witness into a Go test that forces its schedule on Go's own runtime:
// a file of the user's package that imports nothing of Pangolin's. It compiles a copy of the
// code in which each access at a line of the schedule waits for its turn (through the go
// command's -overlay; no file of the user's changes), runs it in a process of its own, and
// checks that results, panic, deadlock or lap are those of the witness; for a data race, that
// the race detector reports these two accesses.
//
// It takes a witness and the module that it is about. It shares no code with the machine that
// found the violation, nor with package native, which executes a changed runtime: here
// compiler, runtime and library are as they come. What cannot be forced (accesses inside the
// library, goroutines that operations start, choices that the language leaves open) is an
// error that says so, or a schedule that does not come about.
package force

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
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
	f := &forcer{w: w, exports: map[string]string{}, copies: map[string]string{}, asked: map[want]bool{}}
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
	case w.Class == "infinite":
		return nil, "", cannot("what takes ever more memory has no end that a test could wait for")
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
	loop    int // index in wants, or -1
	lines   map[string]map[int]bool
	module  string // its directory
	name    string
	asked   map[want]bool // places where copies ask
	decided []int         // by mark.Choose, in order
	// Of the user's package: its directory below the module's, and its types.
	below string
	fset  *token.FileSet
	pkg   *types.Package
}

// want is a step of the schedule, as package zz_forced takes it.
type want struct {
	thread     int
	does, file string
	line       int
}

// markPath is the package whose Choose a schedule may decide.
const markPath = "pangolin/mark"

// choices collects what was decided: by mark.Choose, if nothing else can have been.
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
	mark := f.known[markPath]
	switch {
	case len(f.decided) == 0:
		return nil
	case f.w.Scope.Bounds != nil && f.w.Scope.Hash != "identity" && f.w.Scope.Hash != "":
		return cannot("the schedule chooses the hashes of keys")
	case mark == nil || mark.Module == nil || mark.Module.Path != p.Module.Path:
		return cannot("the schedule decides what the language leaves open")
	}
	return f.choosing(mark, p.Module.Path)
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

// plan turns the steps into wants.
func (f *forcer) plan() error {
	f.loop, f.lines = -1, map[string]map[int]bool{}
	for i := range f.w.Steps {
		s := &f.w.Steps[i]
		if f.w.Loop == i+1 {
			f.loop = len(f.wants)
		}
		if s.Thread > f.w.Threads {
			return cannot("an operation starts goroutines")
		}
		x, ok := f.want(s)
		if !ok {
			continue
		}
		f.wants = append(f.wants, x)
		if x.file != "" {
			if f.lines[x.file] == nil {
				f.lines[x.file] = map[int]bool{}
			}
			f.lines[x.file][s.Line] = true
			f.lines[x.file][x.line] = true
		}
	}
	for _, c := range f.w.Race { // where the two meet needs no turn, but must not take one
		delete(f.lines[c.File], -1)
	}
	return nil
}

// want is what a step wants; false if nothing can be forced there.
func (f *forcer) want(s *verdict.Step) (want, bool) {
	switch s.Phase {
	case verdict.Invoke:
		return want{thread: s.Thread, does: "invoke"}, true
	case verdict.Respond:
		return want{thread: s.Thread, does: "return"}, true
	}
	x := want{thread: s.Thread, file: s.File, line: s.Line}
	if frames := f.w.Stack(s.Frame); len(frames) > 0 && (frames[0].Library || frames[0].Model) {
		x.does = "" // one call of the library, of which the first step that synchronises is waited for
		return x, s.Access.Kind == verdict.LibraryCall && s.File != ""
	}
	switch k := s.Access.Kind; {
	case s.Access.Atomic:
		x.does = "atomic"
	case k == verdict.Read:
		x.does = "read"
	case k == verdict.Write:
		x.does = "write"
	case strings.HasPrefix(string(k), "map "):
		x.does = "map"
	case k == verdict.LibraryCall:
		x.does = "sync"
		if n := s.Access.Function; strings.HasSuffix(n, "Unlock") || n == "Done" {
			x.line = 0 // of a deferred call
		}
	default:
		x.does = "channel"
	}
	return x, s.File != ""
}

// rewriteAll makes the copies of all files in which the schedule has a step.
func (f *forcer) rewriteAll(module string) error {
	for _, path := range slices.Sorted(maps.Keys(f.known)) {
		p := f.known[path]
		if p.Standard || p.Module == nil || p.Module.Path != module {
			continue
		}
		f.module = p.Module.Dir
		if err := f.rewritePackage(p, module); err != nil {
			return err
		}
	}
	f.keepAsked()
	if p := f.known[f.w.Source.Package]; p != nil {
		if err := f.writeInner(p, module); err != nil {
			return err
		}
	}
	hooks, err := templates.ReadFile("hooks.go.txt")
	if err != nil {
		return err
	}
	f.copies["zz_forced/zz_forced.go"] = string(hooks)
	return nil
}

func (f *forcer) rewritePackage(p *listed, module string) error {
	below, err := filepath.Rel(f.module, p.Dir)
	if err != nil {
		return err
	}
	below = filepath.ToSlash(below)
	texts, asked := map[string]string{}, false
	for _, name := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		texts[name] = string(b)
		asked = asked || f.lines[path.Join(below, name)] != nil
	}
	if !asked && p.ImportPath != f.w.Source.Package {
		return nil
	}
	fset, files, pkg, info, err := parse(p, texts, f.importer())
	if err != nil {
		return cannot("%v", err)
	}
	for i, file := range files {
		name := path.Join(below, p.GoFiles[i])
		if lines := f.lines[name]; lines != nil {
			r := &rewriter{fset: fset, info: info, text: texts[p.GoFiles[i]], name: name, lines: lines, asked: f.asked}
			f.copies[name] = r.rewrite(file, module+"/zz_forced")
		}
	}
	if p.ImportPath == f.w.Source.Package {
		f.below, f.fset, f.pkg = below, fset, pkg
	}
	return nil
}

// writeInner adds the test that runs in the copy.
func (f *forcer) writeInner(p *listed, module string) error {
	text, err := f.innerTest(f.fset, f.pkg, module)
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

// choosing makes the copy of package mark in which Choose gives what the schedule decided.
func (f *forcer) choosing(p *listed, module string) error {
	for _, name := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		const head = "func Choose(n int) int {\n"
		if text := string(b); strings.Contains(text, head) {
			text = strings.Replace(text, head, head+"\tif i, ok := zz_forced.Choice(n); ok {\n\t\treturn i\n\t}\n", 1)
			at := strings.Index(text, "\npackage mark\n") + len("\npackage mark")
			text = text[:at] + fmt.Sprintf("; import zz_forced %q", module+"/zz_forced") + text[at:]
			f.copies[p.ImportPath[len(module)+1:]+"/"+name] = text
			return nil
		}
	}
	return cannot("package mark has no Choose")
}
