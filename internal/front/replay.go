// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// What the go command answers can be recorded in one process and replayed in another, which then
// starts no go command. The protocol of go/packages for drivers (GOPACKAGESDRIVER) does not do: its
// packages lack the module, the directory and whose test they are for, all of which are read here,
// and it starts a program for each question.

// Answer is an answer of the go command as plain data.
type Answer struct {
	Patterns []string
	Tests    bool     // the packages were listed with their tests
	Roots    []string // IDs of the packages that the patterns match, in the go command's order
	Packages []Metadata
}

// Metadata is what the go command tells of a package.
type Metadata struct {
	ID, Name, Path string
	ForTest        string  `json:",omitempty"` // import path of the package whose tests it is built for
	Module         *Module `json:",omitempty"` // nil: the package is one of the standard library, or was given as files
	// Files are those that are compiled, Ignored those that the build leaves out; absolute paths.
	Files   []string          `json:",omitempty"`
	Ignored []string          `json:",omitempty"`
	Export  string            `json:",omitempty"` // file with export data; "": none
	Imports map[string]string `json:",omitempty"` // IDs by the path in the source
}

// Module is what is read of a package's module.
type Module struct {
	Path      string
	GoVersion string `json:",omitempty"` // "1.26"
}

// GivenFiles is the import path of a package that is given as files.
const GivenFiles = "command-line-arguments"

// InStandard reports whether the package belongs to the standard library.
func (m *Metadata) InStandard() bool { return m.Module == nil && m.Path != GivenFiles }

// Recording collects the answers that are given within its context.
type Recording struct {
	mu      sync.Mutex
	answers []Answer
	err     error
}

type recordingKey struct{}

// Record makes a context that records what is listed within it.
func Record(ctx context.Context) (context.Context, *Recording) {
	r := &Recording{}
	return context.WithValue(ctx, recordingKey{}, r), r
}

// Answers are the recorded answers, each question once. The error is about a package with errors:
// what the go command says of these is not recorded.
func (r *Recording) Answers() ([]Answer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answers, r.err
}

// add records an answer. Packages with errors cannot be recorded, nor import cycles, which are among the errors.
func (r *Recording) add(q question, roots []*packages.Package) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.answers, func(a Answer) bool { return a.is(q) }) {
		return
	}
	a, err := answerOf(q, roots)
	r.err = errors.Join(r.err, err)
	r.answers = append(r.answers, *a)
}

// answerOf is an answer as plain data. The error is about packages with errors, which the data lack.
func answerOf(q question, roots []*packages.Package) (a *Answer, err error) {
	a = &Answer{Patterns: slices.Clone(q.patterns), Tests: q.tests}
	for _, p := range roots {
		a.Roots = append(a.Roots, p.ID)
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			err = errors.Join(err, fmt.Errorf("package %s: %s", p.PkgPath, oneLine(e.Msg)))
		}
		a.Packages = append(a.Packages, metadata(p))
	})
	return a, err
}

func (a *Answer) is(q question) bool {
	return a.Tests == q.tests && slices.Equal(a.Patterns, q.patterns)
}

func metadata(p *packages.Package) Metadata {
	m := Metadata{ID: p.ID, Name: p.Name, Path: p.PkgPath, ForTest: p.ForTest, Files: p.GoFiles, Ignored: p.IgnoredFiles, Export: p.ExportFile}
	if p.Module != nil {
		m.Module = &Module{p.Module.Path, p.Module.GoVersion}
	}
	for path, q := range p.Imports {
		if m.Imports == nil {
			m.Imports = map[string]string{}
		}
		m.Imports[path] = q.ID
	}
	return m
}

// Replaying gives recorded answers in place of the go command.
type Replaying struct {
	answers []Answer
	roots   [][]*packages.Package // of each answer

	mu      sync.Mutex
	unknown []string
}

type replayingKey struct{}

// Replay makes a context within which questions have the recorded answers, and no go command is
// started. The answers have no import cycle.
func Replay(ctx context.Context, answers []Answer) (context.Context, *Replaying, error) {
	r := &Replaying{answers: answers}
	for i := range answers {
		roots, err := answers[i].linked()
		if err != nil {
			return nil, nil, err
		}
		r.roots = append(r.roots, roots)
	}
	return context.WithValue(ctx, replayingKey{}, r), r, nil
}

// Unknown are the questions that were asked and had not been recorded. If there are any, what came
// of them must not be used: a question may have been about packages that the go command would have
// found.
func (r *Replaying) Unknown() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.unknown)
}

// errUnknown says that a question was not recorded.
var errUnknown = errors.New("nobody has recorded what the go command answers")

// answer is the recorded answer to a question.
func (r *Replaying) answer(q question) ([]*packages.Package, error) {
	for i := range r.answers {
		if r.answers[i].is(q) {
			return slices.Clone(r.roots[i]), nil
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unknown = append(r.unknown, fmt.Sprintf("%s (with tests: %t)", strings.Join(q.patterns, " "), q.tests))
	return nil, fmt.Errorf("%s: %w", strings.Join(q.patterns, " "), errUnknown)
}

func replaying(ctx context.Context) *Replaying {
	r, _ := ctx.Value(replayingKey{}).(*Replaying)
	return r
}

// linked are the answer's roots, with their imports as pointers.
func (a *Answer) linked() (roots []*packages.Package, err error) {
	all := map[string]*packages.Package{}
	for i := range a.Packages {
		m := &a.Packages[i]
		p := &packages.Package{ID: m.ID, Name: m.Name, PkgPath: m.Path, ForTest: m.ForTest, GoFiles: m.Files, IgnoredFiles: m.Ignored, ExportFile: m.Export,
			Imports: map[string]*packages.Package{}}
		if m.Module != nil {
			p.Module = &packages.Module{Path: m.Module.Path, GoVersion: m.Module.GoVersion}
		}
		all[m.ID] = p
	}
	for i := range a.Packages {
		m := &a.Packages[i]
		for path, id := range m.Imports {
			if all[m.ID].Imports[path] = all[id]; all[id] == nil {
				return nil, fmt.Errorf("package %s imports %s, which is not among the packages of the answer", m.ID, id)
			}
		}
	}
	for _, id := range a.Roots {
		if all[id] == nil {
			return nil, fmt.Errorf("package %s is not among the packages of the answer", id)
		}
		roots = append(roots, all[id])
	}
	return roots, nil
}

// Standard asks the go command for packages of the standard library, with all that they import and
// their export data. dir is a directory outside of modules; flags are the value of GOFLAGS.
func Standard(ctx context.Context, dir, flags string, paths []string) ([]Metadata, error) {
	l, err := newLoader(dir)
	if err != nil {
		return nil, err
	}
	config := l.config(ctx)
	config.Env = append(config.Env, "GOFLAGS="+flags, "GOWORK=off", "GOPROXY=off", "GOPACKAGESDRIVER=off")
	roots, err := packages.Load(config, paths...)
	if err != nil {
		return nil, goCommandError(err)
	}
	var list []Metadata
	var wrong error
	packages.Visit(roots, nil, func(p *packages.Package) {
		m := metadata(p)
		if len(p.Errors) > 0 || !m.InStandard() || m.ID != m.Path {
			wrong = errors.Join(wrong, fmt.Errorf("%s is no package of this Go's standard library", p.ID))
		}
		list = append(list, m)
	})
	return list, wrong
}

// StandardNames are the import paths of all packages of the standard library. dir is a directory
// outside of modules.
func StandardNames(ctx context.Context, dir string) ([]string, error) {
	l, err := newLoader(dir)
	if err != nil {
		return nil, err
	}
	config := l.config(ctx)
	config.Mode = packages.NeedName
	config.Env = append(config.Env, "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOPACKAGESDRIVER=off")
	list, err := packages.Load(config, "std")
	if err != nil {
		return nil, goCommandError(err)
	}
	var names []string
	for _, p := range list {
		names = append(names, p.PkgPath)
	}
	return append(names, "unsafe"), nil
}

// IsTool reports whether a package is one of Pangolin's own for users' tests.
func IsTool(path string) bool { return isToolPath(path) }

// Tags are the build tags in a value of GOFLAGS.
func Tags(flags string) []string { return tagsOf(flags) }
