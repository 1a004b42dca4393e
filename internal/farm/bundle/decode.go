// SPDX-License-Identifier: BSD-3-Clause

package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pangolin/internal/front"
)

// Limits of a bundle. Source of a large program and all that it imports is some 50 MB in some 5,000
// files.
const (
	mostBytes    = 512 << 20 // of an encoded bundle
	mostManifest = 16 << 20  // bytes of a manifest
	mostObjects  = 100_000   // packages, files and other objects in a manifest
	longestName  = 1 << 10   // bytes of a file's name, or of an import path
	longestPart  = 255       // bytes of a part of a file's name, more than which no file system takes
)

// Invalid says why an encoded bundle is refused.
type Invalid struct{ Why string }

func (e *Invalid) Error() string { return "the bundle is refused: " + e.Why }

func invalid(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

// Decode reads what Encode writes. Everything else is an error of type *Invalid: other bytes for
// the same bundle, a content with another digest, a name that leads out of the bundle.
func Decode(text []byte) (*Bundle, error) {
	if len(text) > mostBytes {
		return nil, invalid("it has %d bytes, the most is %d", len(text), mostBytes)
	}
	line, _, found := bytes.Cut(text[:min(len(text), 64)], []byte("\n"))
	size := 0
	if n, err := fmt.Sscanf(string(line)+"\n", head, &size); !found || n != 1 || err != nil || fmt.Sprintf(head, size) != string(line)+"\n" {
		return nil, invalid("it does not begin with a line such as %q", fmt.Sprintf(head, 1234))
	}
	rest := text[len(line)+1:]
	if size < 0 || size > mostManifest || size > len(rest) {
		return nil, invalid("its manifest has %d bytes; there are %d, and the most is %d", size, len(rest), mostManifest)
	}
	b := &Bundle{digest: sum(rest[:size])}
	if err := b.Manifest.decode(rest[:size]); err != nil {
		return nil, err
	}
	if err := b.Manifest.check(); err != nil {
		return nil, invalid("%v", err)
	}
	return b, b.read(rest[size:])
}

// decode reads a manifest. One that would be written in another way is refused, so that no two
// texts stand for the same manifest.
func (m *Manifest) decode(text []byte) error {
	if n := bytes.Count(text, []byte("{")); n > mostObjects {
		return invalid("its manifest has %d objects, the most is %d", n, mostObjects)
	}
	if err := json.Unmarshal(text, m); err != nil {
		return invalid("its manifest: %v", err)
	}
	if again, err := json.Marshal(m); err != nil || !bytes.Equal(again, text) {
		return invalid("its manifest is not written as Pangolin writes it")
	}
	return nil
}

// read takes the contents, each of which has to have its digest.
func (b *Bundle) read(text []byte) error {
	b.Contents = map[string][]byte{}
	for _, f := range b.Manifest.Files {
		if known, ok := b.Contents[f.Digest]; ok {
			if int64(len(known)) != f.Size {
				return invalid("%s has %d bytes, its content has %d", f.Name, f.Size, len(known))
			}
			continue
		}
		if f.Size < 0 || f.Size > int64(len(text)) {
			return invalid("it ends within %s", f.Name)
		}
		content := text[:f.Size:f.Size]
		if text = text[f.Size:]; sum(content) != f.Digest {
			return invalid("the content of %s has another digest than its manifest says", f.Name)
		}
		b.Contents[f.Digest] = content
	}
	if len(text) > 0 {
		return invalid("%d bytes follow its last file", len(text))
	}
	return nil
}

// check says what is wrong with a manifest.
func (m *Manifest) check() error {
	files, err := m.checkFiles()
	if err != nil {
		return err
	}
	if err := m.checkGo(); err != nil {
		return err
	}
	standard := map[string]bool{}
	for _, d := range m.Standard {
		if !isPath(d.Path) || !isDigest(d.Digest) {
			return fmt.Errorf("%q is no import path of the standard library, or %q no digest", d.Path, d.Digest)
		}
		standard[d.Path] = true
	}
	if !sorted(m.Standard, func(d *Digested) string { return d.Path }) {
		return errors.New("its packages of the standard library are not in order, or one is there twice")
	}
	if len(m.Answers) == 0 {
		return errors.New("it has no answer of the go command")
	}
	asked := map[string]bool{}
	for i := range m.Answers {
		a := &m.Answers[i]
		question := fmt.Sprintf("%t %q", a.Tests, a.Patterns)
		if asked[question] {
			return fmt.Errorf("it has two answers about %q", a.Patterns)
		}
		asked[question] = true
		if err := a.check(standard, files); err != nil {
			return err
		}
	}
	return nil
}

// checkFiles checks the names of files, and returns them.
func (m *Manifest) checkFiles() (map[string]bool, error) {
	files, dirs := map[string]bool{}, map[string]bool{}
	size := int64(0)
	for _, f := range m.Files {
		if !isFile(f.Name) {
			return nil, fmt.Errorf("%q is no name of a file in a bundle", f.Name)
		}
		if f.Size < 0 || f.Size > mostBytes-size { // a content that is there once may be that of many files
			return nil, fmt.Errorf("its files have more than %d bytes", mostBytes)
		}
		size += f.Size
		if !isDigest(f.Digest) {
			return nil, fmt.Errorf("%s: %q is no digest", f.Name, f.Digest)
		}
		files[f.Name] = true
		for dir := path.Dir(f.Name); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
		if len(dirs) > mostObjects {
			return nil, fmt.Errorf("its files are in more than %d directories", mostObjects)
		}
	}
	if !sorted(m.Files, func(f *File) string { return f.Name }) {
		return nil, errors.New("its files are not in order, or one is there twice")
	}
	for name := range files {
		if dirs[name] {
			return nil, fmt.Errorf("%s is a file and a directory", name)
		}
	}
	return files, nil
}

// Variables of "go env" and build tags are given to processes and to the go command, so they have
// no other characters than these.
var (
	variable = regexp.MustCompile(`^[A-Za-z0-9_.,=+: -]{0,200}$`)
	buildTag = regexp.MustCompile(`^[A-Za-z0-9_.]{1,100}$`)
	version  = regexp.MustCompile(`^([0-9]+(\.[0-9]+){0,2}((beta|rc)[0-9]+)?)?$`)
	digest   = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// checkGo checks the variables and the build tags.
func (m *Manifest) checkGo() error {
	for name, value := range m.Go {
		if !slices.Contains(variables, name) || !variable.MatchString(value) {
			return fmt.Errorf("%q has the value %q", name, value)
		}
	}
	for _, tag := range m.Tags {
		if !buildTag.MatchString(tag) {
			return fmt.Errorf("%q is no build tag", tag)
		}
	}
	return nil
}

// check checks that the packages of an answer and what they import are there, and that no package
// imports itself through others.
func (a *Answer) check(standard, files map[string]bool) error {
	packages := map[string]*Package{}
	for i := range a.Packages {
		p := &a.Packages[i]
		if err := p.check(files); err != nil {
			return fmt.Errorf("package %q: %w", p.ID, err)
		}
		if standard[p.ID] || standard[p.Path] {
			return fmt.Errorf("%s is a package of the standard library", p.ID)
		}
		packages[p.ID] = p
	}
	if !sorted(a.Packages, func(p *Package) string { return p.ID }) {
		return errors.New("its packages are not in order, or one is there twice")
	}
	if len(a.Roots) == 0 || len(a.Patterns) == 0 {
		return errors.New("an answer is about no package")
	}
	for _, pattern := range a.Patterns {
		if !isText(pattern) || path.IsAbs(pattern) {
			return fmt.Errorf("the pattern %q", pattern)
		}
	}
	for i, id := range a.Roots {
		if packages[id] == nil && !standard[id] || slices.Contains(a.Roots[:i], id) {
			return fmt.Errorf("package %q is missing, or a root twice", id)
		}
	}
	return acyclic(packages, standard)
}

// check checks what the manifest says of a package by itself.
func (p *Package) check(files map[string]bool) error {
	given := p.Path == front.GivenFiles
	switch {
	case !isText(p.ID), !isPath(p.Path), p.ForTest != "" && !isPath(p.ForTest):
		return fmt.Errorf("the import path %q, or that of the package whose tests it is for", p.Path)
	case !token.IsIdentifier(p.Name):
		return fmt.Errorf("the name %q", p.Name)
	case (p.Module == nil) != given:
		return errors.New("it has no module, or one although it was given as files")
	case p.Module != nil && (!isPath(p.Module.Path) || !version.MatchString(p.Module.GoVersion)):
		return fmt.Errorf("the module %q with the version %q of Go", p.Module.Path, p.Module.GoVersion)
	case len(p.Files) == 0 && len(p.Ignored) == 0 && !strings.HasSuffix(p.ID, ".test"):
		return errors.New("it has no files")
	}
	for _, name := range slices.Concat(p.Files, p.Ignored) {
		if !files[name] || path.Dir(name) != path.Dir(slices.Concat(p.Files, p.Ignored)[0]) {
			return fmt.Errorf("its file %q is missing, or is not in one directory with the others", name)
		}
	}
	for name := range p.Imports {
		if !isText(name) {
			return fmt.Errorf("it imports %q", name)
		}
	}
	return nil
}

// acyclic checks the imports of packages.
func acyclic(packages map[string]*Package, standard map[string]bool) error {
	waiting := map[string]int{} // number of imports that have not been left behind
	importers := map[string][]string{}
	var ready []string
	for _, id := range slices.Sorted(maps.Keys(packages)) {
		for _, to := range packages[id].Imports {
			if standard[to] {
				continue
			}
			if packages[to] == nil {
				return fmt.Errorf("package %q imports %q, which is missing", id, to)
			}
			waiting[id]++
			importers[to] = append(importers[to], id)
		}
		if waiting[id] == 0 {
			ready = append(ready, id)
		}
	}
	left := len(packages)
	for len(ready) > 0 {
		last := ready[len(ready)-1]
		ready, left = ready[:len(ready)-1], left-1
		for _, id := range importers[last] {
			if waiting[id]--; waiting[id] == 0 {
				ready = append(ready, id)
			}
		}
	}
	if left > 0 {
		return errors.New("packages import each other")
	}
	return nil
}

func isDigest(s string) bool { return digest.MatchString(s) }

// isText reports whether a text is one line of printed characters.
func isText(s string) bool {
	return s != "" && len(s) <= longestName && utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// isPath reports whether a text may be an import path.
func isPath(s string) bool { return isText(s) && fs.ValidPath(s) && !strings.ContainsAny(s, " \\") }

// isFile reports whether a text is the name of a file in a bundle.
func isFile(s string) bool {
	first, rest, found := strings.Cut(s, "/")
	for part := range strings.SplitSeq(s, "/") {
		if len(part) > longestPart {
			return false
		}
	}
	return isText(s) && fs.ValidPath(s) && !strings.ContainsAny(s, "\\:") && found && rest != "" && (first == Dir || first == elsewhere)
}

// Unpack writes the files below a directory, which is empty or does not exist. Nothing is written
// outside of it.
func (b *Bundle) Unpack(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Mkdir(Dir, 0o700); err != nil { // where the request was made, even if all files are elsewhere
		return err
	}
	for name, content := range b.files() {
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return err
		}
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
