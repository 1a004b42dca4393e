// SPDX-License-Identifier: BSD-3-Clause

package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pangolin/internal/git"
)

// The commit that is read from files is the one that git says, in every form in which a repository keeps it.
func TestHead_IsWhatGitSays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run := func(in string, args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)
		if _, err := (git.Command{Dir: in}).Run(t.Context(), args...); err != nil {
			t.Fatal(err)
		}
	}
	same := func(what, in, top string) {
		t.Helper()
		want, err := git.Command{Dir: in}.Run(t.Context(), "rev-parse", "HEAD")
		got, ok := git.Head(t.Context(), in)
		if err != nil || !ok || got.Commit != want || got.Top != top {
			t.Errorf("%s: %+v, %v; want %s in %s, %v", what, got, ok, want, top, err)
		}
	}
	if c, ok := git.Head(t.Context(), dir); ok && c.Top == dir {
		t.Errorf("a directory without a repository has the commit %+v", c)
	}
	run(dir, "init", "-q")
	if c, ok := git.Head(t.Context(), dir); ok {
		t.Errorf("a repository without commits has %+v", c)
	}
	run(dir, "commit", "-q", "--allow-empty", "-m", "one")
	below := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(below, 0o777); err != nil {
		t.Fatal(err)
	}
	same("a branch", below, dir)
	run(dir, "pack-refs", "--all")
	same("packed refs", dir, dir)
	run(dir, "commit", "-q", "--allow-empty", "-m", "two")
	same("a branch that is also packed", dir, dir)
	run(dir, "checkout", "-q", "--detach", "HEAD~1")
	same("a detached head", dir, dir)
	tree := filepath.Join(t.TempDir(), "tree")
	run(dir, "worktree", "add", "-q", "-b", "other", tree)
	run(tree, "commit", "-q", "--allow-empty", "-m", "three")
	same("a worktree", tree, tree)
	run(dir, "pack-refs", "--all")
	same("a worktree whose branch is packed", tree, tree)
	tables := t.TempDir()
	if _, err := (git.Command{Dir: tables}).Run(t.Context(), "init", "-q", "--ref-format=reftable"); err == nil { // git 2.45
		run(tables, "commit", "-q", "--allow-empty", "-m", "four")
		same("a reftable", tables, tables)
	}
}
