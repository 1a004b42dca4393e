// SPDX-License-Identifier: BSD-3-Clause

package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pangolin/internal/find"
	"pangolin/internal/front"
	"pangolin/internal/task"
)

// Refused says why tasks cannot be done elsewhere: their verdicts might be others there. They can
// be done where their sources are.
type Refused struct{ Why error }

func (e *Refused) Error() string { return "the task can only be done here: " + e.Why.Error() }

// Unwrap is the reason.
func (e *Refused) Unwrap() error { return e.Why }

func refuse(format string, args ...any) error { return &Refused{fmt.Errorf(format, args...)} }

// Make makes the bundle of what tasks need whose sources are in dir, where the go command runs. An
// error is of type *Refused if another place could come to another verdict.
func Make(ctx context.Context, dir string, tasks ...*task.Task) (*Bundle, error) {
	recording, recorded := front.Record(ctx)
	for _, t := range tasks {
		if err := ask(recording, dir, t); err != nil {
			return nil, err
		}
	}
	answers, err := recorded.Answers()
	if err != nil {
		return nil, &Refused{err}
	}
	p := &packer{contents: map[string][]byte{}, dirs: map[string]string{}, added: map[string]bool{}, standard: map[string]front.Metadata{}}
	if p.dir, err = resolved(dir); err != nil {
		return nil, err
	}
	if err := p.environment(ctx); err != nil {
		return nil, err
	}
	for i := range answers {
		if err := p.place(&answers[i]); err != nil {
			return nil, err
		}
	}
	for i := range answers {
		if err := p.answer(&answers[i]); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.standard)) {
		m := p.standard[name]
		d, err := digested(&m)
		if err != nil {
			return nil, err
		}
		p.manifest.Standard = append(p.manifest.Standard, d)
	}
	slices.SortFunc(p.manifest.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	b, err := New(p.manifest, p.contents)
	if err != nil {
		return nil, &Refused{err}
	}
	return b, nil
}

// ask asks the go command what it will be asked when a task is done. (Whoever does a task refuses
// it if it asks anything else.)
func ask(ctx context.Context, dir string, t *task.Task) error {
	if _, err := (&find.Query{Dir: dir, Packages: t.Patterns, Tests: t.Tests}).Places(ctx); err != nil {
		return err
	}
	name, _ := t.Wishes.Oracle.Type()
	if pattern, typ := find.SplitType(name); typ != "" { // an oracle in another package
		if _, err := front.List(ctx, dir, []string{pattern}); err != nil {
			return err
		}
	}
	return nil
}

// resolved is the absolute path of a directory without symbolic links, as package front has it.
func resolved(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// variables are the variables of "go env" on which the go command's answers, or the types of what
// is compiled, depend. Both ends need the same values.
var variables = []string{"GOVERSION", "GOOS", "GOARCH", "GOEXPERIMENT", "GODEBUG", "GOAMD64", "GOARM64", "GOARM", "GO386", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOFIPS140"}

// harmless are the flags in GOFLAGS that a bundle may be made under: -tags, which it has, and those
// that change neither which files a package consists of nor what they mean, once the packages have
// been found.
var harmless = []string{"tags", "mod", "modfile", "modcacherw", "trimpath", "buildvcs", "p", "v", "x"}

// goEnv are the values of the variables, and of some more.
func goEnv(ctx context.Context, dir string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"env", "-json", "GOFLAGS", "GOROOT"}, variables...)...)
	var problems bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = dir, front.Environment(), &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(problems.String()))
	}
	values := map[string]string{}
	err = json.Unmarshal(out, &values)
	return values, err
}

// compared are the values that both ends need to have in common. A variable that is not set does
// not count.
func compared(values map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range variables {
		if values[name] != "" {
			out[name] = values[name]
		}
	}
	return out
}

// packer puts together a manifest.
type packer struct {
	dir      string // of the request, absolute
	root     string // GOROOT
	manifest Manifest
	contents map[string][]byte
	dirs     map[string]string // name in the bundle of each directory with packages
	added    map[string]bool   // names of files in the manifest
	standard map[string]front.Metadata
}

// environment records the variables and the build tags, and refuses flags that change more.
func (p *packer) environment(ctx context.Context) error {
	values, err := goEnv(ctx, p.dir)
	if err != nil {
		return err
	}
	p.root, p.manifest.Go = values["GOROOT"], compared(values)
	for _, flag := range strings.Fields(values["GOFLAGS"]) {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if !slices.Contains(harmless, name) {
			return refuse("GOFLAGS has %s", flag)
		}
	}
	p.manifest.Tags = front.Tags(values["GOFLAGS"])
	if !slices.Equal(p.manifest.Tags, front.Tags(os.Getenv("GOFLAGS"))) {
		return refuse("the build tags are set by go env -w, not by the environment variable GOFLAGS")
	}
	return nil
}

// place gives each directory with packages its name in the bundle: below dir its own, else that of
// the least package in it. Positions in verdicts name files in the same way.
func (p *packer) place(a *front.Answer) error {
	for i := range a.Packages {
		m := &a.Packages[i]
		if m.InStandard() {
			if err := p.inRoot(m); err != nil {
				return err
			}
			continue
		}
		if isRunner(m) {
			continue
		}
		for _, file := range slices.Concat(m.Files, m.Ignored) {
			dir := filepath.Dir(file)
			name := elsewhere + "/" + m.Path
			if below, inside := strings.CutPrefix(dir+string(filepath.Separator), p.dir+string(filepath.Separator)); inside {
				name = path.Join(Dir, filepath.ToSlash(below))
			}
			if old, ok := p.dirs[dir]; !ok || name < old {
				p.dirs[dir] = name
			}
		}
	}
	return nil
}

// inRoot checks that a package without a module is one of the standard library as it is built for
// everybody.
func (p *packer) inRoot(m *front.Metadata) error {
	if m.ID != m.Path {
		return refuse("the package %s of the standard library is built in another way than usual", m.ID)
	}
	for _, file := range m.Files {
		if !strings.HasPrefix(file, filepath.Join(p.root, "src")+string(filepath.Separator)) {
			return refuse("package %s is in no module, and not in the standard library", m.Path)
		}
	}
	p.standard[m.Path] = *m
	return nil
}

// isRunner reports whether a package is the program that runs tests. Its file is made by the go
// command and read by nobody.
func isRunner(m *front.Metadata) bool { return strings.HasSuffix(m.ID, ".test") }

// answer adds an answer, with the files of its packages and the test files beside its roots.
func (p *packer) answer(a *front.Answer) error {
	out := Answer{Patterns: a.Patterns, Tests: a.Tests, Roots: a.Roots, Packages: []Package{}}
	for i := range a.Packages {
		m := &a.Packages[i]
		if m.InStandard() {
			continue
		}
		if front.IsTool(m.Path) {
			return refuse("the package imports %s", m.Path)
		}
		q := Package{ID: m.ID, Name: m.Name, Path: m.Path, ForTest: m.ForTest, Imports: m.Imports}
		if m.Module != nil {
			q.Module = &Module{m.Module.Path, m.Module.GoVersion}
		}
		if isRunner(m) {
			out.Packages = append(out.Packages, q)
			continue
		}
		var err error
		if q.Files, err = p.add(m.Files); err == nil {
			q.Ignored, err = p.add(m.Ignored)
		}
		if err != nil {
			return err
		}
		if slices.Contains(a.Roots, m.ID) && len(m.Files) > 0 {
			dir := filepath.Dir(m.Files[0])
			for _, name := range front.TestFilesIn(dir) { // test files show how types are made
				if _, err := p.add([]string{filepath.Join(dir, name)}); err != nil {
					return err
				}
			}
		}
		out.Packages = append(out.Packages, q)
	}
	slices.SortFunc(out.Packages, func(a, b Package) int { return strings.Compare(a.ID, b.ID) })
	p.manifest.Answers = append(p.manifest.Answers, out)
	return nil
}

// add adds files, and returns their names in the bundle.
func (p *packer) add(files []string) (names []string, err error) {
	for _, file := range files {
		dir, ok := p.dirs[filepath.Dir(file)]
		if !ok {
			return nil, refuse("%s is in no directory with packages", filepath.Base(file))
		}
		name := dir + "/" + filepath.Base(file)
		names = append(names, name)
		if p.added[name] {
			continue
		}
		p.added[name] = true
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		f := File{name, sum(text), int64(len(text))}
		p.manifest.Files = append(p.manifest.Files, f)
		p.contents[f.Digest] = text
	}
	return names, nil
}

// digested is the digest of a package of the standard library: the names and contents of its files.
func digested(m *front.Metadata) (Digested, error) {
	files := slices.Clone(m.Files)
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	var all bytes.Buffer
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return Digested{}, errors.Join(fmt.Errorf("package %s of the standard library", m.Path), err)
		}
		fmt.Fprintf(&all, "%s %s\n", filepath.Base(file), sum(text))
	}
	return Digested{m.Path, sum(all.Bytes())}, nil
}
