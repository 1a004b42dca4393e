// SPDX-License-Identifier: BSD-3-Clause

package golist

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"hash"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"pangolin/internal/filestamp"
)

// Basis names what an answer depends on, beside what its question tells.
type Basis struct {
	Sources  map[string]string // directories of packages outside of the standard library, by import path
	Standard []string          // directories of packages of the standard library
	Exports  []string          // files with export data
}

// basis is that of the packages of an answer. It is false for packages whose export data is made of
// files that may change, which are Pangolin's own.
func (q *Question) basis(packages []Package) (*Basis, bool) {
	b := &Basis{Sources: map[string]string{}}
	for _, p := range packages {
		switch {
		case p.Path == "unsafe":
		case p.Dir == "" || p.Export != "" && !p.Standard:
			return nil, false
		case p.Standard:
			b.Standard = append(b.Standard, p.Dir)
		default:
			b.Sources[p.Path] = p.Dir
		}
		if p.Export != "" {
			b.Exports = append(b.Exports, p.Export)
		}
	}
	return b, true
}

// state is what a basis is now.
type state struct {
	fit     bool // all that the answer depends on is known
	digest  string
	changed filestamp.Stamp // of the file or directory that was changed last
}

// reader computes a state. What it cannot read makes the state unfit.
type reader struct {
	h      hash.Hash
	q      *Question
	fit    bool
	latest filestamp.Stamp
	files  int
	known  map[string]bool // directories that were read, with what for
}

// maxFiles is how many files of source an answer may depend on and still be kept.
const maxFiles = 20000

func (q *Question) state(b *Basis) state {
	r := &reader{h: sha256.New(), q: q, fit: true, known: map[string]bool{}}
	r.toolchain()
	local := r.modules()
	for _, path := range slices.Sorted(maps.Keys(b.Sources)) {
		dir := b.Sources[path]
		r.sources(dir)
		r.above(dir, local)
		for module, root := range local { // else a directory made in this module could be meant
			r.fit = r.fit && (path != module && !strings.HasPrefix(path, module+"/") || within(dir, root))
		}
	}
	for _, p := range q.Patterns {
		if root, wide := wideIn(q.Dir, p); wide {
			r.tree(root)
		}
	}
	for _, dir := range b.Standard {
		r.stamps(dir)
	}
	for _, file := range b.Exports {
		if _, err := os.Stat(file); err != nil { // its name has a digest of its content
			r.fit = false
		}
	}
	return state{r.fit && r.files <= maxFiles, hex.EncodeToString(r.h.Sum(nil)), r.latest}
}

// note adds a stamp to those among which the latest is wanted.
func (r *reader) note(s filestamp.Stamp) {
	if s.Changed.After(r.latest.Changed) {
		r.latest = s
	}
}

// content digests a file; that there is none counts as well.
func (r *reader) content(file string) []byte {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		field(r.h, "no "+file)
		return nil
	}
	var text []byte
	if err == nil {
		r.note(filestamp.Of(info))
		text, err = os.ReadFile(file)
	}
	if err != nil {
		r.fit = false
	}
	field(r.h, file)
	field(r.h, string(text))
	return text
}

// toolchain digests the go command, by what the file system says of it, its version, and its settings.
func (r *reader) toolchain() {
	path, err := exec.LookPath("go")
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		r.fit = false
		return
	}
	root := filepath.Dir(filepath.Dir(path))
	if set := r.q.variable("GOROOT"); set != "" {
		root = set
	}
	if info, err := os.Stat(path); err == nil {
		s := filestamp.Of(info)
		r.note(s)
		field(r.h, path+" "+s.Text)
	}
	if len(r.content(filepath.Join(root, "VERSION"))) == 0 {
		r.fit = false // the program is none of Go's own, but may choose one of several
	}
	r.content(filepath.Join(root, "go.env"))
	r.stamps(filepath.Join(root, "src"))
	if file := r.q.settings(); file != "" && !bytes.Equal(r.content(file), r.q.written) {
		r.fit = false
	}
}

// modules digests go.mod and what belongs to it: of the main module, of those of a workspace, and
// of modules that are replaced by directories. It returns the directories of all of these by the
// modules' paths.
func (r *reader) modules() map[string]string {
	mod, work := r.nearest("go.mod"), ""
	if r.q.variable("GOWORK") != "off" {
		work = r.nearest("go.work")
	}
	if mod == "" && work == "" {
		r.fit = false // packages are found in GOPATH
	}
	local := map[string]string{}
	if mod != "" {
		r.module(filepath.Dir(mod), local)
	}
	if work != "" {
		dir := filepath.Dir(work)
		f, err := modfile.ParseWork(work, r.content(work), nil)
		if err != nil {
			r.fit = false
			return nil
		}
		r.content(work + ".sum")
		r.content(filepath.Join(dir, "vendor", "modules.txt"))
		r.replaced(dir, f.Replace, local)
		for _, use := range f.Use {
			r.module(below(dir, use.Path), local)
		}
	}
	return local
}

// below is a directory as a file in another directory names it.
func below(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// within reports whether a directory is another one, or beneath it.
func within(dir, root string) bool {
	return dir == root || strings.HasPrefix(dir, root+string(filepath.Separator))
}

// module digests a local module's files about modules, and adds it to the local ones with those
// modules that it replaces by directories.
func (r *reader) module(dir string, local map[string]string) {
	file := filepath.Join(dir, "go.mod")
	f, err := modfile.Parse(file, r.content(file), nil)
	if err != nil || f.Module == nil {
		r.fit = false
		return
	}
	r.content(filepath.Join(dir, "go.sum"))
	r.content(filepath.Join(dir, "vendor", "modules.txt"))
	r.sources(dir)
	r.replaced(dir, f.Replace, local)
	local[f.Module.Mod.Path] = dir
}

func (r *reader) replaced(dir string, list []*modfile.Replace, local map[string]string) {
	for _, replace := range list {
		if replace.New.Version == "" { // a directory
			local[replace.Old.Path] = below(dir, replace.New.Path)
			r.content(filepath.Join(local[replace.Old.Path], "go.mod"))
		}
	}
}

// nearest is the file of a name in the directory of the question or the nearest one above; "": there is none.
func (r *reader) nearest(name string) string {
	for dir := r.q.Dir; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		field(r.h, "no "+file)
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// above digests which directories above a package have a go.mod: one more makes it a module's of its own.
func (r *reader) above(dir string, local map[string]string) {
	for dir = filepath.Dir(dir); !r.known["above "+dir]; dir = filepath.Dir(dir) {
		r.known["above "+dir] = true
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		field(r.h, fmt.Sprint(dir, err == nil))
		for _, root := range local {
			if info, err := os.Stat(dir); err == nil && within(dir, root) {
				r.note(filestamp.Of(info))
			}
		}
	}
}

// tree digests all directories that a pattern with "..." looks at.
func (r *reader) tree(root string) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			return nil
		case path != root && (strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") || e.Name() == "testdata"):
			return fs.SkipDir
		case r.files > maxFiles:
			return fs.SkipAll
		}
		r.sources(path)
		return nil
	})
	if err != nil {
		r.fit = false
	}
}

// sources digests the names in a directory, and of each Go file what the go command reads of it.
// The directory testdata is left out, where Pangolin itself writes.
func (r *reader) sources(dir string) {
	if r.known["sources "+dir] {
		return
	}
	r.known["sources "+dir] = true
	info, err := os.Stat(dir)
	entries, failed := os.ReadDir(dir)
	if errors.Join(err, failed) != nil {
		r.fit = false
		return
	}
	r.note(filestamp.Of(info))
	field(r.h, dir)
	for _, e := range entries {
		if e.Name() == "testdata" {
			continue
		}
		field(r.h, e.Name()+" "+e.Type().String())
		if strings.HasSuffix(e.Name(), ".go") && !e.IsDir() {
			r.header(filepath.Join(dir, e.Name()))
		}
	}
}

// header digests a Go file up to the end of its imports. The go command reads no more of it without
// cgo, unless it imports embed: then it reads directives, and directories that these name.
func (r *reader) header(file string) {
	r.files++
	info, err := os.Stat(file)
	if err != nil || r.files > maxFiles {
		r.fit = false
		return
	}
	r.note(filestamp.Of(info))
	text, err := os.ReadFile(file)
	if err != nil {
		r.fit = false
		return
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		r.fit = false
		return
	}
	end := f.Name.End()
	for _, d := range f.Decls {
		end = max(end, d.End())
	}
	for _, imported := range f.Imports {
		if path := strings.Trim(imported.Path.Value, "`\""); path == "embed" {
			r.fit = false
		}
	}
	field(r.h, string(text[:fset.Position(end).Offset]))
}

// stamps digests what the file system says of the files of a directory of Go's own, in place of their
// contents.
func (r *reader) stamps(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		r.fit = false
		return
	}
	field(r.h, dir)
	for _, e := range entries {
		field(r.h, e.Name())
		if e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			r.fit = false
			return
		}
		s := filestamp.Of(info)
		r.note(s)
		field(r.h, s.Text)
	}
}

// inPath reports whether there is a program of a name.
func inPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}
