// SPDX-License-Identifier: BSD-3-Clause

package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkout is a revision's files in a temporary directory.
type checkout struct {
	top    string // the root of the user's working tree
	root   string // the root of the revision's files
	dir    string // the place that the user's directory has among them
	commit string
	temp   string
}

// checkOut writes the files of a revision of the repository that a directory belongs to. The user's index and working tree stay as they are, and no hook
// runs. Submodules are left empty.
func checkOut(ctx context.Context, dir, rev string) (_ *checkout, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	g := git{dir: dir}
	top, err := g.run(ctx, "rev-parse", "--show-toplevel")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("git is not installed")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is in no git repository: %w", dir, err)
	}
	prefix, err := g.run(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	c := &checkout{top: top}
	if c.commit, err = g.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		if shallow, _ := g.run(ctx, "rev-parse", "--is-shallow-repository"); shallow == "true" {
			return nil, fmt.Errorf("the repository has no revision %q, and it is a shallow clone: git fetch --unshallow, or fetch-depth: 0 in a workflow, gets what is missing", rev)
		}
		return nil, fmt.Errorf("the repository has no revision %q: it is a branch, a tag or a commit", rev)
	}
	if c.temp, err = os.MkdirTemp("", "pangolin-revision-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.temp, err = filepath.EvalSymlinks(c.temp); err != nil {
		return nil, err
	}
	c.root = filepath.Join(c.temp, "tree")
	c.dir = filepath.Join(c.root, filepath.FromSlash(prefix))
	if err := os.MkdirAll(c.dir, 0o777); err != nil { // the revision may have nothing there
		return nil, err
	}
	g = git{dir: top, index: filepath.Join(c.temp, "index")}
	if _, err := g.run(ctx, "read-tree", c.commit); err != nil {
		return nil, err
	}
	_, err = g.run(ctx, "checkout-index", "--all", "--force", "--prefix="+c.root+string(filepath.Separator))
	return c, err
}

func (c *checkout) close() { _ = os.RemoveAll(c.temp) } // at worst it stays in the directory for such files

// git runs git in a directory.
type git struct{ dir, index string }

// own are the variables by which a hook that runs Pangolin would name its own repository and index.
var own = []string{"GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_PREFIX=", "GIT_OBJECT_DIRECTORY="}

func (g *git) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = g.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") || !hasAny(v, own) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	if g.index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+g.index)
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
