// SPDX-License-Identifier: BSD-3-Clause

// Package closure digests packages by content: the source files of a package and of everything that
// it imports, the standard library included, wherever they lie. Two packages with the same digest
// are compiled to the same program by one version of the go command on one platform.
//
//	c, err := closure.List(ctx, closure.Query{Dir: ".", Patterns: []string{"./..."}})
//	for _, p := range c.Packages { fmt.Println(p.Path, p.Digest) }
//
// A digest covers, of each package of the closure: import path, name, the version of the language,
// the names and contents of all files that the go command builds it from under the build tags, GOOS
// and GOARCH in force (assembly and embedded files as well); of the main modules go.mod and go.sum,
// and go.work where there is one; and of the environment what List calls environment. It does not
// cover where files lie (but for their place below the directory of the query: files there have
// their names from it in verdicts), versions of modules (their contents count), other files that
// the build leaves out, or the user. The go command runs in the environment in which package front
// runs it, without cgo: else the digest would cover other files than those that are compiled.
//
// The package compiles nothing. One call costs a run of "go list -deps", unless its answer is known
// (package golist), and a read of each file.
package closure

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pangolin/internal/front"
	"pangolin/internal/golist"
)

// Query says which packages to digest.
type Query struct {
	Dir      string   // in which the go command runs; "": the current one
	Patterns []string // of the go command; none: "."
	Tests    bool     // the test files of the packages count as well, with what they import
}

// Closure is the answer to a query.
type Closure struct {
	Packages []Package // the packages that the patterns match, by import path
	Faulty   bool      // some packages that match are missing, because their closures have errors
}

// Package is one of the packages that the patterns match.
type Package struct {
	Path   string   // import path; "command-line-arguments" for files
	Name   string   // name in source
	Dir    string   // directory
	Module string   // path of the module; "": none
	Digest string   // digest of the closure, in hexadecimal
	Dirs   []string // directories of the closure's packages in main modules, the package's own first

	stamps map[string]stamp // state of the closure's files and directories when they were read
}

// stamp is the state of a file or directory when it was read.
type stamp struct {
	size    int64
	changed time.Time
	names   string // of a directory: a digest of the names in it
}

func stampOf(info os.FileInfo) stamp { return stamp{size: info.Size(), changed: info.ModTime()} }

// since reports whether a file is unchanged since its stamp was taken. A directory that was written
// to is unchanged if it contains the same names except testdata, where Pangolin itself keeps
// witnesses.
func (s stamp) since(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	now := stampOf(info)
	return now.size == s.size && now.changed.Equal(s.changed) || s.names != "" && namesIn(path) == s.names
}

// namesIn is a digest of the names in a directory, but for testdata; "" if it cannot be read.
func namesIn(dir string) string {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if e.Name() != "testdata" {
			names = append(names, e.Name())
		}
	}
	return hexDigest(names...)
}

// Unchanged reports whether no file of the package's closure was written, removed or added since it
// was digested, judged by the sizes and times of the file system. A result belongs to the digest
// only if this holds after it was computed.
func (p *Package) Unchanged() bool {
	for path, old := range p.stamps {
		if !old.since(path) {
			return false
		}
	}
	return true
}

// Uses reports whether a condition holds of a file of the package's closure, or of a directory with
// one.
func (p *Package) Uses(condition func(path string) bool) bool {
	for path := range p.stamps {
		if condition(path) {
			return true
		}
	}
	return false
}

// listed is a package as "go list -json" gives it.
type listed struct {
	ImportPath, ForTest, Name, Dir string
	Standard, DepOnly              bool
	names
	Imports    []string
	Module     *module
	Error      *struct{ Err string }
	DepsErrors []struct{ Err string }
}

// names are the files of a package by their sort, relative to its directory.
type names struct {
	GoFiles, CgoFiles, CFiles  []string
	CXXFiles, MFiles, HFiles   []string
	FFiles, SFiles, SwigFiles  []string
	SwigCXXFiles, SysoFiles    []string
	EmbedFiles, IgnoredGoFiles []string
}

// module is the part of a module's record that digests cover.
type module struct {
	Path, GoVersion, GoMod string
	Main                   bool
}

// fields are the fields that "go list -json=..." is asked for.
const fields = "ImportPath,ForTest,Name,Dir,Standard,DepOnly,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles," +
	"SysoFiles,EmbedFiles,IgnoredGoFiles,Imports,Module,Error,DepsErrors"

// files are the names of all files that the package is built from, relative to its directory.
// Outside of the standard library the Go files that the build leaves out count as well, because a
// verdict tells which of them only a build with cgo would have.
func (l *listed) files() []string {
	n := &l.names
	all := slices.Concat(n.GoFiles, n.CgoFiles, n.CFiles, n.CXXFiles, n.MFiles, n.HFiles, n.FFiles, n.SFiles, n.SwigFiles, n.SwigCXXFiles, n.SysoFiles, n.EmbedFiles)
	if !l.Standard {
		all = append(all, n.IgnoredGoFiles...)
	}
	return all
}

// environment are the variables of "go env" whose values every digest covers: GOFLAGS and
// GOEXPERIMENT can change what is compiled, GODEBUG how types are checked, and GOWORK is a file
// that is read.
var environment = []string{"GOVERSION", "GOOS", "GOARCH", "GOEXPERIMENT", "GOFLAGS", "CGO_ENABLED", "GOWORK", "GODEBUG"}

// List digests the packages that the patterns match, but for those with errors in their closure:
// they are left out. The error is that of the go command, or about a file that cannot be read.
func List(ctx context.Context, q Query) (*Closure, error) {
	list, v, err := q.ask(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(q.Dir)
	if err != nil {
		return nil, err
	}
	d := &digester{dir: dir, packages: map[string]*listed{}, known: map[string][]byte{}, files: map[string][]byte{}, stamps: map[string]stamp{}}
	for _, l := range list {
		d.packages[l.ImportPath] = l
	}
	c := &Closure{}
	for _, l := range list {
		if l.DepOnly || l.ForTest != "" || strings.HasSuffix(l.ImportPath, ".test") {
			continue
		}
		if l.Error != nil || len(l.DepsErrors) > 0 {
			c.Faulty = true
			continue
		}
		p, err := d.root(l, q.Tests)
		if err != nil {
			return nil, err
		}
		p.Digest = hexDigest(v, p.Digest)
		c.Packages = append(c.Packages, p)
	}
	slices.SortFunc(c.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return c, nil
}

// hexDigest is the digest of texts.
func hexDigest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		field(h, t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// field writes a text with its length, so that no two lists of texts have the same bytes.
func field(h io.Writer, text string) { fmt.Fprintf(h, "%d:%s\n", len(text), text) }

// goCommand is what the go command writes to standard output.
func (q *Query) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = q.Dir, front.Environment()
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(problems.String()))
	}
	return out.Bytes(), nil
}

// Keeping makes a context in which what the go command answers is kept, and given again as long as it
// holds (package golist), here and in package front.
func Keeping(ctx context.Context, notes golist.Notes) context.Context {
	return golist.Within(ctx, notes)
}

// answer is what the go command says of a query.
type answer struct {
	List      []*listed
	Variables map[string]string // those of environment
}

// ask is the list of packages and the text of the variables, asked for at once, or known to be what
// the go command would say (package golist).
func (q *Query) ask(ctx context.Context) ([]*listed, string, error) {
	dir, err := filepath.Abs(q.Dir)
	if err != nil {
		return nil, "", err
	}
	text, asking := golist.From(ctx).Get(&golist.Question{Dir: dir, Environ: front.Environment(), Patterns: q.Patterns, What: fmt.Sprint("closure ", q.Tests, " ", fields, environment)})
	var a answer
	if text == nil || json.Unmarshal(text, &a) != nil {
		asked := make(chan error, 1)
		go func() {
			values, err := q.environment(ctx)
			a.Variables = values
			asked <- err
		}()
		list, err := q.list(ctx)
		if err := errors.Join(err, <-asked); err != nil {
			return nil, "", err
		}
		a.List = list
		_ = a.keep(asking) // if it fails, the go command is asked again next time
	}
	v, err := settled(a.Variables)
	return a.List, v, err
}

// keep keeps the answer, if no package has errors.
func (a *answer) keep(asking *golist.Asking) error {
	k := &golist.Answer{}
	for _, l := range a.List {
		if l.Error != nil || len(l.DepsErrors) > 0 {
			return nil
		}
		if strings.HasSuffix(l.ImportPath, ".test") { // a program that the go command writes
			continue
		}
		path, _, _ := strings.Cut(l.ImportPath, " ") // of "a [a.test]"
		k.Packages = append(k.Packages, golist.Package{Path: path, Dir: l.Dir, Standard: l.Standard})
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	k.Text = text
	return asking.Keep(k)
}

// environment asks for the values of the variables.
func (q *Query) environment(ctx context.Context) (map[string]string, error) {
	out, err := q.goCommand(ctx, append([]string{"env", "-json"}, environment...)...)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	if err := json.Unmarshal(out, &values); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return values, nil
}

// settled is the text of the variables, with the content of go.work in place of its path.
func settled(values map[string]string) (string, error) {
	if work := values["GOWORK"]; work != "" && work != "off" {
		h := sha256.New()
		for _, file := range []string{work, work + ".sum"} {
			if err := content(h, file); err != nil && !(errors.Is(err, os.ErrNotExist) && file != work) {
				return "", err
			}
		}
		values["GOWORK"] = hex.EncodeToString(h.Sum(nil))
	}
	if strings.Contains(values["GOFLAGS"], "-overlay") {
		return "", errors.New("GOFLAGS has -overlay, which puts other files in the place of those that are digested")
	}
	text, err := json.Marshal(values) // sorted by name
	return string(text), err
}

// list asks the go command for the packages and what they import.
func (q *Query) list(ctx context.Context) ([]*listed, error) {
	args := []string{"list", "-e", "-deps", "-json=" + fields}
	if q.Tests {
		args = append(args, "-test")
	}
	out, err := q.goCommand(ctx, slices.Concat(args, []string{"--"}, q.Patterns)...)
	if err != nil {
		return nil, err
	}
	var list []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		l := &listed{}
		if err := d.Decode(l); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, l)
	}
}

// digester digests packages of one answer of the go command, each file and each package once.
type digester struct {
	dir      string // directory of the query
	packages map[string]*listed
	known    map[string][]byte // digests of packages by import path
	files    map[string][]byte // digests of files by path
	stamps   map[string]stamp  // of files and directories
}

// root is the Package of a pattern's match, with its tests if they count.
func (d *digester) root(l *listed, tests bool) (Package, error) {
	seen := []string{l.ImportPath}
	if tests {
		for _, path := range []string{l.ImportPath + " [" + l.ImportPath + ".test]", l.ImportPath + "_test [" + l.ImportPath + ".test]"} {
			if d.packages[path] != nil {
				seen = append(seen, path)
			}
		}
	}
	h := sha256.New()
	for _, path := range seen {
		sum, err := d.digest(path)
		if err != nil {
			return Package{}, err
		}
		h.Write(sum)
	}
	for _, name := range front.TestFilesIn(l.Dir) { // test files show how types are made
		sum, err := d.file(filepath.Join(l.Dir, name))
		if err != nil {
			return Package{}, err
		}
		field(h, name)
		h.Write(sum)
	}
	module := ""
	if l.Module != nil {
		module = l.Module.Path
	}
	return Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Module: module, Digest: hex.EncodeToString(h.Sum(nil)), Dirs: d.dirs(seen), stamps: d.closureStamps(seen)}, nil
}

// digest is the digest of a package with all its imports.
func (d *digester) digest(path string) ([]byte, error) {
	if sum, ok := d.known[path]; ok {
		return sum, nil
	}
	l := d.packages[path]
	if l == nil {
		return nil, fmt.Errorf("the go command has not listed %s, which a package imports", path)
	}
	h := sha256.New()
	below, ok := strings.CutPrefix(l.Dir+string(filepath.Separator), d.dir+string(filepath.Separator))
	if !ok {
		below = "elsewhere" // stands for directories outside of that of the query, whose files are named by the package's path
	}
	for _, text := range []string{l.ImportPath, l.Name, filepath.ToSlash(below)} {
		field(h, text)
	}
	if err := d.module(h, l.Module); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	names := l.files()
	slices.Sort(names)
	for _, name := range names {
		at := filepath.Join(l.Dir, name)
		if filepath.IsAbs(name) { // a generated file in the go command's cache
			at, name = name, filepath.Base(name)
		}
		sum, err := d.file(at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		field(h, filepath.ToSlash(name))
		h.Write(sum)
	}
	for _, imported := range l.Imports {
		if imported == "C" {
			continue
		}
		sum, err := d.digest(imported)
		if err != nil {
			return nil, err
		}
		field(h, imported)
		h.Write(sum)
	}
	d.known[path] = h.Sum(nil)
	return d.known[path], nil
}

// module writes what digests cover of a module: nothing for packages of the standard library.
func (d *digester) module(h hash.Hash, m *module) error {
	if m == nil {
		return nil
	}
	field(h, m.Path)
	field(h, m.GoVersion)
	if !m.Main || m.GoMod == "" {
		return nil
	}
	for _, file := range modFiles(m) {
		switch sum, err := d.file(file); {
		case err == nil:
			field(h, filepath.Base(file))
			h.Write(sum)
		case !errors.Is(err, os.ErrNotExist) || file == m.GoMod:
			return err
		}
	}
	return nil
}

// modFiles are go.mod and go.sum of a main module.
func modFiles(m *module) []string {
	return []string{m.GoMod, filepath.Join(filepath.Dir(m.GoMod), "go.sum")}
}

// file is the digest of a file's content.
func (d *digester) file(path string) ([]byte, error) {
	if sum, ok := d.files[path]; ok {
		return sum, nil
	}
	info, err := os.Stat(path) // taken before the file is read
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	if err := content(h, path); err != nil {
		return nil, err
	}
	d.stamps[path] = stampOf(info)
	d.files[path] = h.Sum(nil)
	return d.files[path], nil
}

// content writes the bytes of a file.
func content(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// visit calls a function with the packages and with all that they import, each once, those that
// import before what they import. The function says whether what a package imports is to be visited
// as well.
func (d *digester) visit(paths []string, each func(*listed) bool) {
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		l := d.packages[path]
		if seen[path] || l == nil {
			return
		}
		if seen[path] = true; !each(l) {
			return
		}
		for _, imported := range l.Imports {
			visit(imported)
		}
	}
	for _, path := range paths {
		visit(path)
	}
}

// dirs are the directories of packages and of what they import within main modules, each once.
func (d *digester) dirs(paths []string) (dirs []string) {
	d.visit(paths, func(l *listed) bool {
		inside := l.Module != nil && l.Module.Main
		if inside && !slices.Contains(dirs, l.Dir) {
			dirs = append(dirs, l.Dir)
		}
		return inside
	})
	return dirs
}

// directory returns the stamp of a directory, and whether it can be read.
func (d *digester) directory(dir string) (stamp, bool) {
	if s, ok := d.stamps[dir]; ok {
		return s, true
	}
	info, err := os.Stat(dir)
	if err != nil {
		return stamp{}, false
	}
	s := stampOf(info)
	s.names = namesIn(dir)
	d.stamps[dir] = s
	return s, true
}

// closureStamps are the stamps of all files of packages and their imports, and of their
// directories, which change when a file is added.
func (d *digester) closureStamps(paths []string) map[string]stamp {
	all := map[string]stamp{}
	for _, path := range paths {
		for _, name := range front.TestFilesIn(d.packages[path].Dir) {
			file := filepath.Join(d.packages[path].Dir, name)
			all[file] = d.stamps[file]
		}
	}
	d.visit(paths, func(l *listed) bool {
		if s, ok := d.directory(l.Dir); ok {
			all[l.Dir] = s
		}
		for _, name := range l.files() {
			path := filepath.Join(l.Dir, name)
			if filepath.IsAbs(name) {
				path = name
			}
			all[path] = d.stamps[path]
		}
		if l.Module != nil && l.Module.Main {
			for _, file := range modFiles(l.Module) {
				if old, ok := d.stamps[file]; ok {
					all[file] = old
				}
			}
		}
		return true
	})
	return all
}
