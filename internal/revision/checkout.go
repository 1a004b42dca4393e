// SPDX-License-Identifier: BSD-3-Clause

package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"pangolin/internal/git"
)

// checkout is a revision's files in a temporary directory.
type checkout struct {
	top    string // the root of the user's working tree
	root   string // the root of the revision's files
	dir    string // the user's directory among them
	commit string
	temp   string
}

// checkOut writes the files of a revision of the repository that a directory belongs to. The user's
// index and working tree stay as they are, and no hook runs. Submodules are left empty.
func checkOut(ctx context.Context, dir, rev string) (_ *checkout, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	g := git.Command{Dir: dir}
	top, err := g.Run(ctx, "rev-parse", "--show-toplevel")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("git is not installed")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is in no git repository: %w", dir, err)
	}
	prefix, err := g.Run(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	c := &checkout{top: top}
	if c.commit, err = g.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		if shallow, _ := g.Run(ctx, "rev-parse", "--is-shallow-repository"); shallow == "true" {
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
	if err := os.MkdirAll(c.dir, 0o777); err != nil { // the directory may not exist in that revision
		return nil, err
	}
	g = git.Command{Dir: top, Index: filepath.Join(c.temp, "index")}
	if _, err := g.Run(ctx, "read-tree", c.commit); err != nil {
		return nil, err
	}
	_, err = g.Run(ctx, "checkout-index", "--all", "--force", "--prefix="+c.root+string(filepath.Separator))
	return c, err
}

func (c *checkout) close() { _ = os.RemoveAll(c.temp) } // on failure the files stay in the directory for temporary files
