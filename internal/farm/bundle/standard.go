// SPDX-License-Identifier: BSD-3-Clause

package bundle

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"pangolin/internal/front"
)

// Standard is the standard library of the Go that is installed here, with its export data. The go
// command is asked about packages of the standard library alone, in an empty directory.
type Standard struct {
	dir    string            // absolute: an empty directory, and copies of export data
	values map[string]string // of the variables

	mu    sync.Mutex
	known map[string]map[string]entry // by build tags and import path
	names map[string]bool             // import paths of all packages of the standard library
	env   map[string]string
}

type entry struct {
	front.Metadata
	digest string
}

// OpenStandard asks which Go is installed. What it keeps is below dir, which belongs to this process.
func OpenStandard(ctx context.Context, dir string) (*Standard, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Standard{dir: dir, known: map[string]map[string]entry{}}
	for _, d := range []string{s.empty(), s.Exports()} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	if s.env, err = goEnv(ctx, s.empty()); err != nil {
		return nil, err
	}
	s.values = compared(s.env)
	list, err := front.StandardNames(ctx, s.empty())
	s.names = map[string]bool{}
	for _, name := range list {
		s.names[name] = true
	}
	return s, err
}

func (s *Standard) empty() string { return filepath.Join(s.dir, "empty") }

// Exports is the directory with export data.
func (s *Standard) Exports() string { return filepath.Join(s.dir, "exports") }

// Root is the directory with the sources of the standard library.
func (s *Standard) Root() string { return filepath.Join(s.env["GOROOT"], "src") }

// Answers are the answers of the go command about what a bundle has, which was unpacked below dir.
// A bundle that was made with another Go is refused with an *Invalid.
func (s *Standard) Answers(ctx context.Context, b *Bundle, dir string) ([]front.Answer, error) {
	if dir, err := resolved(dir); err != nil {
		return nil, err
	} else if standard, err := s.of(ctx, &b.Manifest); err != nil {
		return nil, err
	} else {
		var out []front.Answer
		for i := range b.Manifest.Answers {
			out = append(out, b.Manifest.Answers[i].in(dir, standard))
		}
		return out, nil
	}
}

// in is an answer with the files below a directory and the packages of the standard library.
func (a *Answer) in(dir string, standard []front.Metadata) front.Answer {
	out := front.Answer{Patterns: a.Patterns, Tests: a.Tests, Roots: a.Roots, Packages: slices.Clone(standard)}
	at := func(names []string) (files []string) {
		for _, name := range names {
			files = append(files, filepath.Join(dir, filepath.FromSlash(name)))
		}
		return files
	}
	for i := range a.Packages {
		p := &a.Packages[i]
		m := front.Metadata{ID: p.ID, Name: p.Name, Path: p.Path, ForTest: p.ForTest, Files: at(p.Files), Ignored: at(p.Ignored), Imports: p.Imports}
		if p.Module != nil {
			m.Module = &front.Module{Path: p.Module.Path, GoVersion: p.Module.GoVersion}
		}
		out.Packages = append(out.Packages, m)
	}
	return out
}

// of are the packages of the standard library that a bundle uses.
func (s *Standard) of(ctx context.Context, m *Manifest) (list []front.Metadata, err error) {
	for _, name := range variables {
		if m.Go[name] != s.values[name] {
			return nil, invalid("it was made where %s is %q, here it is %q", name, m.Go[name], s.values[name])
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tags := strings.Join(m.Tags, ",")
	if s.known[tags] == nil {
		s.known[tags] = map[string]entry{}
	}
	known := s.known[tags]
	var missing []string
	for _, d := range m.Standard {
		if !s.names[d.Path] {
			return nil, invalid("%s is no package of the standard library of %s", d.Path, s.values["GOVERSION"])
		}
		if _, ok := known[d.Path]; !ok {
			missing = append(missing, d.Path)
		}
	}
	if len(missing) > 0 {
		if err := s.learn(ctx, tags, missing); err != nil {
			return nil, err
		}
	}
	used := map[string]bool{}
	for _, d := range m.Standard {
		e := known[d.Path]
		if e.digest != d.Digest {
			return nil, invalid("package %s of the standard library is not the same there and here, although both are %s", d.Path, s.values["GOVERSION"])
		}
		used[d.Path] = true
		list = append(list, e.Metadata)
	}
	for _, m := range list {
		for _, id := range m.Imports {
			if !used[id] {
				return nil, invalid("package %s of the standard library imports %s, which is missing", m.Path, id)
			}
		}
	}
	return list, nil
}

// mostSets is the number of sets of build tags whose packages are kept.
const mostSets = 16

// learn asks the go command for packages, and copies their export data.
func (s *Standard) learn(ctx context.Context, tags string, paths []string) error {
	flags := ""
	if tags != "" {
		flags = "-tags=" + tags
	}
	list, err := front.Standard(ctx, s.empty(), flags, paths)
	if err != nil {
		return err
	}
	if len(s.known) > mostSets {
		maps.DeleteFunc(s.known, func(other string, _ map[string]entry) bool { return other != tags })
	}
	for _, m := range list {
		d, err := digested(&m)
		if err != nil {
			return err
		}
		if m.Export != "" {
			copied := filepath.Join(s.Exports(), sum([]byte(m.Export)))
			if err := link(m.Export, copied); err != nil {
				return err
			}
			m.Export = copied
		}
		s.known[tags][m.Path] = entry{m, d.Digest}
	}
	return nil
}

// link gives a file a second name, or copies it, unless that is there already.
func link(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	part, err := os.CreateTemp(filepath.Dir(to), "part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	if _, err := io.Copy(part, in); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), to)
}
