// SPDX-License-Identifier: BSD-3-Clause

package revision_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/closure"
	"pangolin/internal/revision"
	"pangolin/internal/test/level"
)

// module is a module whose packages import each other: a and b import low, c imports b, d has an embedded file, e a file for tests and one
// that only another system builds, f a replaced module beside.
var module = map[string]string{
	"go.mod":          "module m\n\ngo 1.26\n\nrequire other v0.0.0\n\nreplace other => ./other\n",
	"other/go.mod":    "module other\n\ngo 1.26\n",
	"other/other.go":  "package other\n\nconst Two = 2\n",
	"low/low.go":      "package low\n\nconst One = 1\n",
	"a/a.go":          "package a\n\nimport \"m/low\"\n\nvar A = low.One\n",
	"b/b.go":          "package b\n\nimport \"m/low\"\n\nvar B = low.One\n",
	"c/c.go":          "package c\n\nimport \"m/b\"\n\nvar C = b.B\n",
	"d/d.go":          "package d\n\nimport _ \"embed\"\n\n//go:embed text/*\nvar D string\n",
	"d/text/one.txt":  "one",
	"e/e.go":          "package e\n\nvar E = 1\n",
	"e/e_test.go":     "package e\n\nvar T = 1\n",
	"e/e_windows.go":  "package e\n\nvar W = 1\n",
	"f/f.go":          "package f\n\nimport \"other\"\n\nvar F = other.Two\n",
	"README":          "nothing is built from this",
	"d/unrelated.txt": "nor from this",
}

// repository commits the module, and gives its directory.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for name, text := range module {
		write(t, dir, name, text)
	}
	git(t, dir, "init", "-q")
	commit(t, dir)
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// every are the packages of the module.
var every = []string{"m/a", "m/b", "m/c", "m/d", "m/e", "m/f", "m/low"}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func put(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { write(t, dir, name, text) }
}

// What has changed are the packages that an edit can reach, committed or not.
func TestCompare_FindsWhatAnEditCanReach(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := repository(t)
	for i, c := range []struct {
		what    string
		edit    func(t *testing.T, dir string)
		changed []string
		removed []string
		tests   bool
	}{
		{"nothing", func(*testing.T, string) {}, nil, nil, false},
		{"what nothing is built from", put("README", "x"), nil, nil, false},
		{"a file beside that is not embedded", put("d/unrelated.txt", "x"), nil, nil, false},
		{"a leaf", put("a/a.go", module["a/a.go"]+"// x\n"), []string{"m/a"}, nil, false},
		{"what others import", put("low/low.go", module["low/low.go"]+"// x\n"), []string{"m/a", "m/b", "m/c", "m/low"}, nil, false},
		{"the middle", put("b/b.go", module["b/b.go"]+"// x\n"), []string{"m/b", "m/c"}, nil, false},
		{"an embedded file", put("d/text/one.txt", "two"), []string{"m/d"}, nil, false},
		{"one more embedded file", put("d/text/two.txt", "two"), []string{"m/d"}, nil, false},
		{"a file that is left out by its name", put("e/e_windows.go", "package e\n"), []string{"m/e"}, nil, false},
		{"a replaced module", put("other/other.go", module["other/other.go"]+"// x\n"), []string{"m/f"}, nil, false},
		{"the module file", put("go.mod", module["go.mod"]+"// x\n"), every, nil, false},
		{"a new package", put("g/g.go", "package g\n"), []string{"m/g"}, nil, false},
		{"a package that is gone", remove("a"), nil, []string{"m/a"}, false},
		{"a package with an error", put("a/a.go", "package"), []string{"m/a"}, nil, false},
		{"a test file, which says how types are made", put("e/e_test.go", "package e\n"), []string{"m/e"}, nil, false},
		{"a test file where tests count", put("e/e_test.go", "package e\n"), []string{"m/e"}, nil, true},
		{"another import", put("e/e.go", "package e\n\nimport \"m/low\"\n\nvar E = low.One\n"), []string{"m/e"}, nil, false},
		{"a workspace", put("go.work", "go 1.26\n\nuse .\n"), every, nil, false},
	} {
		if level.Short() && i%4 != 0 {
			continue
		}
		c.edit(t, dir)
		rev := "HEAD"
		if i%3 == 0 { // committed or not is the same
			commit(t, dir)
			rev = "HEAD~1"
		}
		changed, removed := compare(t, dir, rev, c.tests)
		if !slices.Equal(changed, c.changed) || !slices.Equal(removed, c.removed) {
			t.Errorf("%s: changed %v, removed %v; want %v, %v", c.what, changed, removed, c.changed, c.removed)
		}
		if i%3 == 0 {
			git(t, dir, "reset", "-q", "--hard", "HEAD~1")
		} else {
			git(t, dir, "reset", "-q", "--hard")
		}
		git(t, dir, "clean", "-fdq")
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "pangolin-revision-*")); len(left) > 0 {
		t.Errorf("these directories are left: %v", left)
	}
}

// compare gives the packages that have changed, and those that were removed.
func compare(t *testing.T, dir, rev string, tests bool) (changed, removed []string) {
	t.Helper()
	q := closure.Query{Dir: dir, Patterns: []string{"./..."}, Tests: tests}
	c, err := revision.Compare(t.Context(), dir, rev, []closure.Query{q})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, path := range append([]string{"m/g"}, every...) {
		if _, err := os.Stat(filepath.Join(dir, strings.TrimPrefix(path, "m/"))); err == nil && !c.Same(t.Context(), path, nil) {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	return changed, c.Removed
}

// A package whose oracle is in another package changes with that one.
func TestSame_FollowsOracles(t *testing.T) {
	dir := repository(t)
	write(t, dir, "low/low.go", "package low\n\nconst One = 3\n")
	c, err := revision.Compare(t.Context(), dir, "HEAD", []closure.Query{{Dir: dir, Patterns: []string{"./..."}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, of := range []struct {
		oracles []string
		same    bool
	}{{nil, true}, {[]string{"./f"}, true}, {[]string{"m/f", "./low"}, false}, {[]string{"./nowhere"}, false}} {
		if same := c.Same(t.Context(), "m/d", of.oracles); same != of.same {
			t.Errorf("m/d with oracles in %v is the same: %t", of.oracles, same)
		}
	}
}

// A replacement by an absolute path leads out of the revision into what is there now: then nothing is known.
func TestCompare_TakesNothingFromTheWorkingTree(t *testing.T) {
	dir := repository(t)
	write(t, dir, "go.mod", strings.Replace(module["go.mod"], "./other", filepath.Join(dir, "other"), 1))
	commit(t, dir)
	if changed, _ := compare(t, dir, "HEAD", false); !slices.Equal(changed, []string{"m/f"}) {
		t.Errorf("%v has changed, want m/f", changed)
	}
}

// Below the root of the repository, and where the revision has nothing.
func TestCompare_InADirectoryBelow(t *testing.T) {
	dir := repository(t)
	write(t, dir, "b/b.go", module["b/b.go"]+"// x\n")
	c, err := revision.Compare(t.Context(), filepath.Join(dir, "c"), "HEAD", []closure.Query{{Patterns: []string{"."}}, {Patterns: []string{"../a"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Same(t.Context(), "m/c", nil) || !c.Same(t.Context(), "m/a", nil) {
		t.Error("m/c is the same, or m/a is another one")
	}
	git(t, dir, "rm", "-rq", "--cached", ".")
	git(t, dir, "commit", "-q", "-m", "x")
	if changed, _ := compare(t, dir, "HEAD", false); !slices.Equal(changed, every) {
		t.Errorf("%v has changed, want everything", changed)
	}
}

// The user's index and working tree stay as they are, and no hook runs.
func TestCompare_LeavesTheRepositoryAlone(t *testing.T) {
	dir := repository(t)
	write(t, dir, ".git/hooks/post-index-change", "#!/bin/sh\ntouch "+filepath.Join(dir, "hooked")+"\n")
	write(t, dir, ".git/hooks/post-checkout", "#!/bin/sh\ntouch "+filepath.Join(dir, "hooked")+"\n")
	for _, name := range []string{"post-index-change", "post-checkout"} {
		if err := os.Chmod(filepath.Join(dir, ".git/hooks", name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "a/a.go", module["a/a.go"]+"// x\n")
	git(t, dir, "add", "a/a.go")
	index, err := os.ReadFile(filepath.Join(dir, ".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "hooked")); err == nil {
		t.Log("git add runs the hook")
	}
	compare(t, dir, "HEAD", false)
	if now, err := os.ReadFile(filepath.Join(dir, ".git/index")); err != nil || string(now) != string(index) {
		t.Error("the index has changed")
	}
	if _, err := os.Stat(filepath.Join(dir, "hooked")); err == nil {
		t.Error("a hook ran")
	}
}

// What cannot be compared is one clear sentence.
func TestCompare_SaysWhatIsWrong(t *testing.T) {
	dir := repository(t)
	write(t, dir, "a/a.go", module["a/a.go"]+"// x\n")
	commit(t, dir)
	shallow := t.TempDir()
	git(t, shallow, "clone", "-q", "--depth", "1", "file://"+dir, "clone")
	for _, c := range []struct{ dir, rev, want string }{
		{dir, "nope", `the repository has no revision "nope": it is a branch, a tag or a commit`},
		{dir, "", `the repository has no revision ""`},
		{dir, "--all", `the repository has no revision "--all"`},
		{dir, "HEAD:a", `the repository has no revision "HEAD:a"`},
		{shallow, "HEAD", "is in no git repository"},
		{filepath.Join(shallow, "clone"), "HEAD~1", "it is a shallow clone: git fetch --unshallow"},
	} {
		if _, err := revision.Compare(t.Context(), c.dir, c.rev, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %q: %v, want %q", c.dir, c.rev, err, c.want)
		}
	}
}
