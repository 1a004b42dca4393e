// SPDX-License-Identifier: BSD-3-Clause

package golist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// What is given again is compared with what the go command says at that moment, after each edit of a
// tree of modules. The go command is the second computation; nothing is shared with it.

// tree has a module m, one that it replaces by a directory (dep), and one that it does not know (far).
func tree() map[string]string {
	return map[string]string{
		"m/go.mod":           "module m\n\ngo 1.24\n\nrequire dep v0.0.0\n\nreplace dep => ../dep\n",
		"m/go.sum":           "",
		"m/a/p/p.go":         "package p\n\nimport (\n\t\"sync/atomic\"\n\n\t\"dep\"\n\t\"m/q\"\n)\n\nvar N atomic.Int64\n\nfunc F() int { return q.Q + dep.D }\n",
		"m/a/p/p_windows.go": "package p\n\nvar system = 2\n",
		"m/a/p/tagged.go":    "//go:build special\n\npackage p\n\nimport \"unicode\"\n\nvar special = unicode.MaxRune\n",
		"m/a/p/p_test.go":    "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n",
		"m/q/q.go":           "package q\n\nvar Q = 1\n",
		"m/none/none.go":     "//go:build special\n\npackage none\n",
		"m/a/README":         "text\n",
		"dep/go.mod":         "module dep\n\ngo 1.24\n",
		"dep/dep.go":         "package dep\n\nvar D = 1\n",
		"far/go.mod":         "module far\n\ngo 1.24\n",
		"far/far.go":         "package far\n",
		"env":                "",
	}
}

// edits of the tree, by what they do. A file without content is removed.
var edits = map[string]map[string]string{
	"the body of a function":             {"m/a/p/p.go": "package p\n\nimport (\n\t\"sync/atomic\"\n\n\t\"dep\"\n\t\"m/q\"\n)\n\nvar N atomic.Int64\n\nfunc F() int { return q.Q + dep.D + 1 }\n"},
	"a syntax error in a body":           {"m/a/p/p.go": "package p\n\nimport (\n\t\"sync/atomic\"\n\n\t\"dep\"\n\t\"m/q\"\n)\n\nvar N atomic.Int64\n\nfunc F() int { return }}\n"},
	"an import more":                     {"m/q/q.go": "package q\n\nimport _ \"strings\"\n\nvar Q = 1\n"},
	"an import less":                     {"m/a/p/p.go": "package p\n\nimport \"m/q\"\n\nfunc F() int { return q.Q }\n"},
	"an import that does not exist":      {"m/q/q.go": "package q\n\nimport _ \"m/nowhere\"\n"},
	"a cycle of imports":                 {"m/q/q.go": "package q\n\nimport _ \"m/a/p\"\n"},
	"a syntax error among imports":       {"m/q/q.go": "package q\n\nimport 5\n"},
	"another package clause":             {"m/q/q.go": "package r\n\nvar Q = 1\n"},
	"two package clauses":                {"m/q/r.go": "package r\n"},
	"a constraint in a file":             {"m/q/q.go": "//go:build !linux\n\npackage q\n\nvar Q = 1\n"},
	"a constraint less":                  {"m/a/p/tagged.go": "package p\n\nimport \"unicode\"\n\nvar special = unicode.MaxRune\n"},
	"a package that had no files":        {"m/none/none.go": "package none\n"},
	"a file more":                        {"m/q/more.go": "package q\n"},
	"a file less":                        {"m/a/p/p_windows.go": ""},
	"a file in a dependency":             {"dep/more.go": "package dep\n\nimport _ \"strings\"\n"},
	"an import in a dependency":          {"dep/dep.go": "package dep\n\nimport _ \"strings\"\n\nvar D = 1\n"},
	"a test file more":                   {"m/q/q_test.go": "package q\n"},
	"an import in a test file":           {"m/a/p/p_test.go": "package p\n\nimport (\n\t\"testing\"\n\t_ \"strings\"\n)\n\nfunc TestF(t *testing.T) { F() }\n"},
	"an assembly file":                   {"m/q/q.s": "// nothing\n"},
	"a C file":                           {"m/q/q.c": "int x;\n"},
	"a file that imports C":              {"m/q/c.go": "package q\n\nimport \"C\"\n"},
	"an embedded file":                   {"m/q/e.go": "package q\n\nimport _ \"embed\"\n\n//go:embed data\nvar S string\n", "m/q/data": "x"},
	"an embedded file that is no more":   {"m/q/data": ""},
	"an embedded file that is none":      {"m/q/e.go": "package q\n\nimport _ \"embed\"\n\n//go:embed data\nvar S string\n"},
	"another embedded file":              {"m/q/e.go": "package q\n\nimport _ \"embed\"\n\n//go:embed q.go\nvar S string\n", "m/q/data": "x"},
	"an embedded directory":              {"m/q/e.go": "package q\n\nimport \"embed\"\n\n//go:embed testdata\nvar S embed.FS\n", "m/q/testdata/x": "x"},
	"a file in testdata":                 {"m/q/testdata/y": "y"},
	"a module below the module's path":   {"m/go.mod": "module m\n\ngo 1.24\n\nrequire (\n\tdep v0.0.0\n\tm/q v0.0.0\n)\n\nreplace dep => ../dep\n\nreplace m/q => ../mq\n", "mq/go.mod": "module m/q\n\ngo 1.24\n"},
	"its package":                        {"mq/q.go": "package q\n"},
	"a package more":                     {"m/new/new.go": "package new\n"},
	"a package deeper":                   {"m/q/deeper/d.go": "package deeper\n"},
	"a package in testdata":              {"m/q/testdata/t.go": "package t\n"},
	"a hidden package":                   {"m/.q/t.go": "package t\n", "m/_q/t.go": "package t\n"},
	"another file":                       {"m/a/README": "other\n"},
	"the language's version":             {"m/go.mod": "module m\n\ngo 1.25\n\nrequire dep v0.0.0\n\nreplace dep => ../dep\n"},
	"a version of Go that is none":       {"m/go.mod": "module m\n\ngo 1.999\n\nrequire dep v0.0.0\n\nreplace dep => ../dep\n"},
	"the module's name":                  {"m/go.mod": "module n\n\ngo 1.24\n\nrequire dep v0.0.0\n\nreplace dep => ../dep\n"},
	"another directory of dep":           {"m/go.mod": "module m\n\ngo 1.24\n\nrequire dep v0.0.0\n\nreplace dep => ../dep2\n", "dep2/go.mod": "module dep\n", "dep2/dep.go": "package dep\n\nvar D = 2\n"},
	"no replacement":                     {"m/go.mod": "module m\n\ngo 1.24\n"},
	"ignored directories":                {"m/go.mod": "module m\n\ngo 1.25\n\nrequire dep v0.0.0\n\nreplace dep => ../dep\n\nignore ./none\n"},
	"no go.mod":                          {"m/go.mod": ""},
	"a go.mod that is not one":           {"m/go.mod": "module\n"},
	"the go.mod of a dependency":         {"dep/go.mod": "module dep\n\ngo 1.23\n"},
	"a dependency's requirement":         {"dep/go.mod": "module dep\n\ngo 1.24\n\nrequire far v0.0.0\n"},
	"a go.mod in a package":              {"m/q/go.mod": "module m/q\n"},
	"a go.mod between":                   {"m/a/go.mod": "module m/a\n"},
	"a module in the way":                {"m/q/dep/go.mod": "module dep\n"},
	"a workspace":                        {"m/go.work": "go 1.25\n\nuse .\n\nuse ../far\n"},
	"a workspace above":                  {"go.work": "go 1.25\n\nuse ./m\n"},
	"another workspace":                  {"go.work": "go 1.25\n\nuse ./m\n\nuse ./far\n"},
	"a workspace with a replacement":     {"go.work": "go 1.25\n\nuse ./m\n\nreplace dep => ./dep2\n", "dep2/go.mod": "module dep\n", "dep2/dep.go": "package dep\n\nvar D = 2\n"},
	"a workspace without the module":     {"go.work": "go 1.25\n\nuse ./far\n"},
	"no workspace":                       {"go.work": "", "m/go.work": ""},
	"a module of the workspace":          {"far/go.mod": "module far\n\ngo 1.25\n\nrequire dep v0.0.0\n\nreplace dep => ../dep2\n"},
	"sums":                               {"m/go.sum": "example v1.0.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"},
	"a vendored module":                  {"m/vendor/modules.txt": "# dep v0.0.0 => ../dep\n## explicit; go 1.24\ndep\n", "m/vendor/dep/dep.go": "package dep\n\nvar D = 3\n"},
	"a vendor directory, without a list": {"m/vendor/x": "x"},
	"a vendor directory, not in order":   {"m/vendor/modules.txt": "# nothing\n"},
	"flags that go env -w wrote":         {"env": "GOFLAGS=-tags=special\n"},
	"flags that are not known":           {"env": "GOFLAGS=-mod=mod\n"},
	"a platform that go env -w wrote":    {"env": "GOOS=windows\n"},
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if text == "" && name != "m/go.sum" && name != "env" {
			if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// restore makes the tree what it was at first.
func restore(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, tree())
}

// notes are kept in memory.
type notes map[string]string

func (n notes) Note(key string) string         { return n[key] }
func (n notes) SetNote(key, text string) error { n[key] = text; return nil }
func question(dir string, patterns []string) *Question {
	return &Question{Dir: filepath.Join(dir, "m"), Environ: append(os.Environ(), "CGO_ENABLED=0", "PWD="+filepath.Join(dir, "m")), Patterns: patterns, What: "test"}
}

// list asks the go command; nil: it refuses, or some package has errors.
func list(t *testing.T, q *Question) *Answer {
	t.Helper()
	const fields = "ImportPath,ForTest,Name,Dir,Standard,DepOnly,GoFiles,CgoFiles,CFiles,HFiles,SFiles,EmbedFiles,IgnoredGoFiles,TestGoFiles,Imports,Module,Error,DepsErrors,Incomplete"
	cmd := exec.Command("go", append([]string{"list", "-e", "-deps", "-json=" + fields, "--"}, q.Patterns...)...)
	cmd.Dir, cmd.Env = q.Dir, q.Environ
	text, err := cmd.Output()
	if err != nil {
		return nil
	}
	a := &Answer{Text: text}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct {
			ImportPath, Dir string
			Standard        bool
			Incomplete      bool
			Error           *struct{}
		}
		switch err := d.Decode(&p); {
		case err == io.EOF:
			return a
		case err != nil:
			t.Fatal(err)
		case p.Incomplete || p.Error != nil:
			return nil
		}
		if path, _, _ := strings.Cut(p.ImportPath, " "); !strings.HasSuffix(path, ".test") {
			a.Packages = append(a.Packages, Package{Path: path, Dir: p.Dir, Standard: p.Standard})
		}
	}
}

// compare gets an answer and compares it with what the go command says now. What is not known is
// kept as if the go command had been asked long after the last edit. It reports whether the answer
// was known.
func compare(t *testing.T, k *Kept, q *Question) bool {
	t.Helper()
	text, asking := k.Get(q)
	now := list(t, q)
	switch {
	case text != nil && now == nil:
		t.Fatalf("%v: the go command refuses, or finds errors, and an answer is given", q.Patterns)
	case text != nil && !bytes.Equal(text, now.Text):
		t.Fatalf("%v: an answer is given that is not the go command's: %s", q.Patterns, differing(string(text), string(now.Text)))
	case now != nil && asking != nil:
		asking.since = time.Now().Add(time.Minute)
		if err := asking.Keep(now); err != nil {
			t.Fatal(err)
		}
	}
	return text != nil
}

func differing(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %q, go: %q", i, x[i], y[i])
		}
	}
	return "one is longer"
}

var patterns = [][]string{{"./a/p"}, {"./..."}, {"."}, {"m/a/p"}, {"./a/p/p.go"}, {"./a/...", "./q"}}

// prepared is a copy of the tree.
func prepared(t *testing.T) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"GOOS": "", "GOARCH": "", "GOFLAGS": "", "GOWORK": "", "GOEXPERIMENT": "", "GODEBUG": "", "GOENV": filepath.Join(dir, "env"), "GOTOOLCHAIN": "local", "GOPROXY": "off", "GO111MODULE": ""} {
		t.Setenv(name, value)
	}
	write(t, dir, tree())
	return dir
}

func TestGet_GivesWhatTheGoCommandSays_BehindEachEdit(t *testing.T) {
	level.SkipShort(t, "asks the go command some hundred times")
	known := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		t.Run(name, func(t *testing.T) {
			dir := prepared(t)
			k := &Kept{notes{}}
			for i, p := range patterns {
				if i > 1 && !level.More() && len(name)%len(patterns) != i {
					continue
				}
				q := question(dir, p)
				if compare(t, k, q) {
					t.Fatalf("%v: an answer is known before the question was asked", p)
				}
				if text, _ := k.Get(q); text == nil && p[0] != "." {
					t.Fatalf("%v: nothing has changed, and no answer is known", p)
				}
				write(t, dir, edits[name])
				known[name] = compare(t, k, question(dir, p)) || known[name]
				restore(t, dir)
				k = &Kept{notes{}}
			}
		})
	}
	for _, name := range []string{"the body of a function", "another file", "a package in testdata"} {
		if !known[name] {
			t.Errorf("%s: the go command is asked again, though its answer cannot differ", name)
		}
	}
}

func TestGet_GivesWhatTheGoCommandSays_BehindTwoEdits(t *testing.T) {
	level.SkipShort(t, "asks the go command some twenty times")
	for _, two := range [][2]string{
		{"an embedded file", "an embedded file that is no more"},
		{"a module below the module's path", "its package"},
		{"an embedded directory", "a file in testdata"},
		{"an embedded file", "another embedded file"},
		{"a file that imports C", "a C file"},
		{"a workspace above", "another workspace"},
		{"a workspace", "a module of the workspace"},
		{"another workspace", "a module of the workspace"},
		{"a vendored module", "a vendor directory, not in order"},
		{"another directory of dep", "the go.mod of a dependency"},
	} {
		dir := prepared(t)
		k := &Kept{notes{}}
		for _, name := range two {
			write(t, dir, edits[name])
			compare(t, k, question(dir, []string{"./..."}))
		}
	}
}

func TestGet_GivesNoAnswerWithoutItsExportData(t *testing.T) {
	dir := prepared(t)
	export := filepath.Join(dir, "export")
	write(t, dir, map[string]string{"export": "data"})
	k := &Kept{notes{}}
	q := question(dir, []string{"./q"})
	_, asking := k.Get(q)
	asking.since = time.Now().Add(time.Minute)
	if err := asking.Keep(&Answer{Packages: []Package{{Path: "m/q", Dir: filepath.Join(dir, "m/q")}, {Path: "errors", Dir: filepath.Join(dir, "far"), Standard: true, Export: export}}, Text: []byte("text")}); err != nil {
		t.Fatal(err)
	}
	if text, _ := k.Get(q); string(text) != "text" {
		t.Fatalf("%q is known, want what was kept", text)
	}
	if err := os.Remove(export); err != nil {
		t.Fatal(err)
	}
	if text, _ := k.Get(q); text != nil {
		t.Fatal("an answer is given that names a file which is no more")
	}
}

func TestKeep_KeepsNothingThatWasChangedMeanwhile(t *testing.T) {
	for name, text := range map[string]string{"m/q/q.go": "package q\n", "go.work": "go 1.25\n\nuse ./m\n", "dep/go.mod": "module dep\n"} {
		dir := prepared(t)
		k := &Kept{notes{}}
		q := question(dir, []string{"./a/p"})
		time.Sleep(50 * time.Millisecond)
		_, asking := k.Get(q)
		answer := list(t, q)
		write(t, dir, map[string]string{name: text})
		if err := asking.Keep(answer); err != nil {
			t.Fatal(err)
		}
		if text, _ := k.Get(q); text != nil {
			t.Errorf("%s was written while the go command was asked, and its answer is kept", name)
		}
	}
}

func TestKeep_KeepsNothingIfAFileIsNoMore(t *testing.T) {
	dir := prepared(t)
	write(t, dir, map[string]string{"go.work": "go 1.25\n\nuse ./m\n\nuse ./far\n"})
	k := &Kept{notes{}}
	q := question(dir, []string{"./a/p"})
	time.Sleep(50 * time.Millisecond)
	_, asking := k.Get(q)
	answer := list(t, q)
	write(t, dir, map[string]string{"go.work": ""})
	if err := asking.Keep(answer); err != nil {
		t.Fatal(err)
	}
	if text, _ := k.Get(q); text != nil {
		t.Error("go.work was removed while the go command was asked, and its answer is kept")
	}
}

func TestFit_RefusesWhatDependsOnMore(t *testing.T) {
	dir := prepared(t)
	for _, c := range []struct {
		variable, pattern string
		want              bool
	}{
		{"", ".", true}, {"", "./...", true}, {"", "m/q", true}, {"", "q.go", true}, {"GOFLAGS=-trimpath -tags=a,b -buildvcs=false", ".", true}, {"GOWORK=off", ".", true},
		{"", "all", false}, {"", "std", false}, {"", "m/...", false}, {"", "...", false}, {"", "dep@latest", false}, {"", "file=x.go", false},
		{"GOFLAGS=-mod=mod", ".", false}, {"GOFLAGS=-modfile=x.mod", ".", false}, {"GOFLAGS=-overlay=x", ".", false}, {"GOWORK=/x/go.work", ".", false},
		{"GO111MODULE=off", ".", false}, {"GOPACKAGESDRIVER=x", ".", false}, {"GOTOOLCHAIN=path", ".", false},
	} {
		q := question(dir, []string{c.pattern})
		if q.Environ = append(q.Environ, c.variable); q.fit() != c.want {
			t.Errorf("%s %s: fit is %t", c.variable, c.pattern, !c.want)
		}
		if _, asking := (&Kept{notes{}}).Get(q); (asking != nil) != c.want {
			t.Errorf("%s %s: that the answer would be kept is %t", c.variable, c.pattern, !c.want)
		}
	}
}

// Of these files no edit of the tree changes an answer, because none of its modules is fetched.
func TestState_CoversFilesAboutModules(t *testing.T) {
	dir := prepared(t)
	write(t, dir, map[string]string{"go.work": "go 1.25\n\nuse ./m\n", "m/vendor/modules.txt": "# a\n", "vendor/modules.txt": "# a\n", "go.work.sum": "a\n"})
	seen := map[string]string{}
	for _, name := range []string{"nothing", "m/go.sum", "m/vendor/modules.txt", "vendor/modules.txt", "go.work.sum"} {
		if name != "nothing" {
			write(t, dir, map[string]string{name: "# other\n"})
		}
		now := question(dir, []string{"./..."}).state(&Basis{})
		if before := seen[now.digest]; before != "" {
			t.Errorf("%s has changed, and the state is the same as behind %s", name, before)
		}
		seen[now.digest] = name
	}
}

func TestGet_GivesWhatTheGoCommandSays_BehindRandomEdits(t *testing.T) {
	level.SkipShort(t, "asks the go command some hundred times")
	names := slices.Sorted(maps.Keys(edits))
	seeds := 2
	if level.More() {
		seeds = 30
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := prepared(t)
			k := &Kept{notes{}}
			rng := rand.New(rand.NewPCG(seed, 36))
			known := 0
			for range 30 {
				if rng.IntN(2) == 0 {
					write(t, dir, edits[names[rng.IntN(len(names))]])
				} else {
					restore(t, dir)
				}
				if compare(t, k, question(dir, patterns[rng.IntN(len(patterns))])) {
					known++
				}
			}
			if t.Logf("%d answers were known", known); known == 0 {
				t.Error("no answer was known")
			}
		})
	}
}
