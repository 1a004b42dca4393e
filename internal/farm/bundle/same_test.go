// SPDX-License-Identifier: BSD-3-Clause

package bundle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin/internal/engine"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/find"
	"pangolin/internal/front"
	"pangolin/internal/inquiry"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// asked is a request for the tasks of a test.
type asked struct {
	dir      string
	packages []string
	tests    bool
	wishes   find.Wishes
}

// tasks are those about the collections that a request finds.
func (a asked) tasks(t *testing.T, ctx context.Context) (list []*task.Task) {
	t.Helper()
	q := find.Query{Dir: a.dir, Packages: a.packages, Tests: a.tests, Note: func(string, ...any) {}, Overrides: func([]string) (find.Wishes, error) {
		w := a.wishes
		w.Threads = 2
		return w, nil
	}}
	found, missed, err := q.Find(ctx)
	if err != nil {
		t.Fatalf("%v: %v %v", a, err, missed)
	}
	for _, f := range found {
		terms := &inquiry.Terms{Dir: a.dir, Bounds: engine.Bounds{Config: "2x2"}, Search: engine.Search{Reduce: engine.AllReductions, MaxStates: 20_000}, Small: true}
		one, err := task.New(f, terms, task.Asked{Properties: []verdict.Property{verdict.Linear}}, func(string) {})
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		list = append(list, one)
	}
	return list
}

// again is the task as another process reads it.
func again(t *testing.T, of *task.Task) *task.Task {
	t.Helper()
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var read task.Task
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return &read
}

// results are those of tasks, without times and memory.
func results(t *testing.T, ctx context.Context, dir string, list []*task.Task) (out []string) {
	t.Helper()
	here := &task.Here{Dir: dir}
	for one, r := range here.Run(ctx, func(yield func(*task.Task) bool) {
		for _, one := range list {
			if !yield(again(t, one)) {
				return
			}
		}
	}) {
		_, same, err := r.Portable()
		if err != nil {
			t.Errorf("%s: %v", one.Package, err)
		}
		out = append(out, string(same))
	}
	return out
}

// unpacked is a bundle elsewhere: encoded, decoded and unpacked, with the context in which its answers are replayed.
func unpacked(t *testing.T, b *bundle.Bundle) (context.Context, *front.Replaying, string) {
	t.Helper()
	read, err := bundle.Decode(b.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if read.Digest() != b.Digest() {
		t.Error("a bundle that was decoded has another digest")
	}
	scratch := filepath.Join(t.TempDir(), "scratch")
	if err := read.Unpack(scratch); err != nil {
		t.Fatal(err)
	}
	answers, err := standard(t).Answers(t.Context(), read, scratch)
	if err != nil {
		t.Fatal(err)
	}
	ctx, replaying, err := front.Replay(t.Context(), answers)
	if err != nil {
		t.Fatal(err)
	}
	return ctx, replaying, filepath.Join(scratch, bundle.Dir)
}

var opened *bundle.Standard

// standard is the standard library, opened once for all tests.
func standard(t *testing.T) *bundle.Standard {
	t.Helper()
	if opened == nil {
		dir, err := os.MkdirTemp("", "standard")
		if err != nil {
			t.Fatal(err)
		}
		if opened, err = bundle.OpenStandard(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	return opened
}

func TestMain(m *testing.M) {
	code := m.Run()
	if opened != nil {
		os.RemoveAll(filepath.Dir(opened.Exports()))
	}
	os.Exit(code)
}

// compare does the tasks of a request where the sources are, and from a bundle with no go command in reach.
func compare(t *testing.T, a asked) *bundle.Bundle {
	t.Helper()
	share := find.NewAnswers().Within(t.Context())
	list := a.tasks(t, share)
	if len(list) == 0 {
		t.Fatal("no task was made")
	}
	b, err := bundle.Make(share, a.dir, list...)
	if err != nil {
		t.Fatal(err)
	}
	if text := b.Encode(); a.dir != "" && !strings.HasPrefix(a.dir, "/work") && bytes.Contains(text, []byte(a.dir)) {
		t.Errorf("the bundle has the path of the directory")
	}
	want := results(t, share, a.dir, list)
	ctx, replaying, dir := unpacked(t, b)
	t.Setenv("PATH", t.TempDir()) // there is no go command
	got := results(t, ctx, dir, list)
	if unknown := replaying.Unknown(); len(unknown) > 0 {
		t.Errorf("questions that were not recorded: %q", unknown)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s.%s: from the bundle\n%.300s\nwhere the sources are\n%.300s", list[i].Package, list[i].Wishes.Type, got[i], want[i])
		}
		t.Logf("%s.%s: %.200s", list[i].Package, list[i].Wishes.Type, regexp.MustCompile(`"(verdict|error|reason)":"[^"]+"`).FindAllString(want[i], 2))
	}
	t.Logf("%d tasks, %d files, %d packages of the standard library, %d bytes", len(list), len(b.Manifest.Files), len(b.Manifest.Standard), len(b.Encode()))
	return b
}

// Results over a bundle are those where the sources are: of the collections of this module, verified and violated ones.
func TestBundle_OfCollections(t *testing.T) {
	packages := []string{"conditional", "lock", "deque", "stack", "skiplist"}
	if level.Short() {
		packages = packages[:1]
	}
	if level.More() {
		packages = append(packages, "hashset", "list", "pqueue", "queue", "threadlocal")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		t.Run(p, func(t *testing.T) { compare(t, asked{dir: root, packages: []string{"./collections/" + p}}) })
	}
}

// module writes a txtar archive below a directory.
func module(t *testing.T, name string) string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The same of modules in which packages lie in other places than below the directory, are chosen by build tags, are named
// as files, or are read besides what is compiled.
func TestBundle_OfModules(t *testing.T) {
	t.Setenv("GOFLAGS", "-tags=careful")
	dir := module(t, "modules.txtar")
	for name, a := range map[string]asked{
		"replaced":   {dir: filepath.Join(dir, "replaced"), packages: []string{"./..."}},
		"workspace":  {dir: filepath.Join(dir, "work", "a"), packages: []string{"./..."}},
		"vendored":   {dir: filepath.Join(dir, "vendored"), packages: []string{"./..."}},
		"below":      {dir: filepath.Join(dir, "replaced", "queue"), packages: []string{"."}},
		"files":      {dir: filepath.Join(dir, "replaced", "queue"), packages: []string{"queue.go", "tagged.go"}},
		"shown":      {dir: filepath.Join(dir, "shown"), packages: []string{"./..."}},
		"tests":      {dir: filepath.Join(dir, "shown"), packages: []string{"./..."}, tests: true},
		"oracle":     {dir: filepath.Join(dir, "oracle"), packages: []string{"./counter"}, wishes: find.Wishes{Oracle: find.ParseOracle("./model.Counter")}},
		"broken":     {dir: filepath.Join(dir, "broken"), packages: []string{"."}},
		"standard":   {dir: filepath.Join(dir, "replaced"), packages: []string{"sync.Map"}},
		"table":      {dir: filepath.Join(dir, "table"), packages: []string{"."}},
		"old":        {dir: filepath.Join(dir, "old"), packages: []string{"."}},
		"everything": {dir: filepath.Join(dir, "everything"), packages: []string{"."}},
	} {
		t.Run(name, func(t *testing.T) { compare(t, a) })
	}
}

// A bundle has no path and no user: the same sources elsewhere make the same bytes.
func TestBundle_IsTheSameInEveryDirectory(t *testing.T) {
	var first []byte
	for range 2 {
		a := asked{dir: filepath.Join(module(t, "modules.txtar"), "vendored"), packages: []string{"./..."}}
		for range 2 {
			b, err := bundle.Make(t.Context(), a.dir, a.tasks(t, t.Context())...)
			if err != nil {
				t.Fatal(err)
			}
			text := b.Encode()
			if first == nil {
				first = text
			}
			if !bytes.Equal(text, first) {
				t.Error("the same sources have made another bundle")
			}
		}
	}
}
