// SPDX-License-Identifier: BSD-3-Clause

// Package git asks git about a repository: by running it, in a way that leaves the repository as it is, or, for the commit that is checked
// out, by reading its files, which costs next to nothing.
//
//	head, ok := git.Head(ctx, dir)              // head.Top, head.Commit
//	text, err := git.Command{Dir: dir}.Run(ctx, "rev-parse", "HEAD")
//
// It knows nothing of Go packages.
package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Command runs git in a directory.
type Command struct {
	Dir   string
	Index string // the index file; "": the repository's own
}

// own are the variables by which a hook that runs Pangolin would name its own repository and index.
var own = []string{"GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_PREFIX=", "GIT_OBJECT_DIRECTORY="}

// Run gives what git prints, without the last newline. No hook runs.
func (c Command) Run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = c.Dir
	for _, v := range os.Environ() {
		if !hasAny(v, own) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	if c.Index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+c.Index)
	}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		said := strings.TrimSpace(problems.String())
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, said)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func hasAny(text string, beginnings []string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(text, b) {
			return true
		}
	}
	return false
}

// Checkout is a working tree with the commit that was checked out.
type Checkout struct {
	Top    string // its root
	Commit string // in hexadecimal
}

// Head is the working tree that a directory belongs to, and its commit. It reads files; only where refs are kept in a form that it does not
// know it runs git. It reports whether there is a commit.
func Head(ctx context.Context, dir string) (Checkout, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Checkout{}, false
	}
	for {
		if repository, ok := repositoryOf(dir); ok {
			c := Checkout{Top: dir, Commit: commitOf(repository)}
			if c.Commit == "" {
				c.Commit, _ = Command{Dir: dir}.Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
			}
			return c, c.Commit != ""
		}
		above := filepath.Dir(dir)
		if above == dir {
			return Checkout{}, false
		}
		dir = above
	}
}

// repositoryOf is the directory with git's files of the working tree with a root; for a worktree or submodule .git is a file that names it.
func repositoryOf(top string) (string, bool) {
	at := filepath.Join(top, ".git")
	info, err := os.Stat(at)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		return at, true
	}
	text, err := os.ReadFile(at)
	named, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return "", false
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(top, named)
	}
	return named, true
}

// mostSymbolic is how many symbolic refs may lead from HEAD to a commit; git's own limit is 5.
const mostSymbolic = 5

// commitOf follows HEAD to a commit; "": it cannot be told from the files.
func commitOf(repository string) string {
	common := repository
	if text, err := os.ReadFile(filepath.Join(repository, "commondir")); err == nil { // of a worktree
		if common = strings.TrimSpace(string(text)); !filepath.IsAbs(common) {
			common = filepath.Join(repository, common)
		}
	}
	ref := "HEAD"
	for range mostSymbolic {
		text := loose(repository, common, ref)
		if text == "" {
			return packed(common, ref)
		}
		named, symbolic := strings.CutPrefix(text, "ref: ")
		if !symbolic {
			return identifier(text)
		}
		if ref = strings.TrimSpace(named); !filepath.IsLocal(ref) {
			return ""
		}
	}
	return ""
}

// loose is the content of the file of a ref; "": there is none.
func loose(repository, common, ref string) string {
	for _, dir := range []string{repository, common} {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ref))); err == nil {
			return strings.TrimSpace(string(text))
		}
	}
	return ""
}

// packed looks a ref up in the file that has many.
func packed(common, ref string) string {
	text, err := os.ReadFile(filepath.Join(common, "packed-refs"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return identifier(id)
		}
	}
	return ""
}

// identifier is the text if it is that of a commit: a SHA-1 or SHA-256 in hexadecimal.
func identifier(text string) string {
	if _, err := hex.DecodeString(text); err != nil || len(text) != 40 && len(text) != 64 {
		return ""
	}
	return text
}
