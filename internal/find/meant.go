// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pangolin/internal/front"
)

// Help for beginners, where the go command's own message does not help: a package may consist of
// test files only; a directory needs ./ in front; the package may be in another directory.

// meant adds to an error what the user may have meant by the patterns.
func (q *Query) meant(ctx context.Context, patterns []string, err error) error {
	if listed, _ := front.ListTested(ctx, q.Dir, patterns); len(listed) > 0 {
		return fmt.Errorf("%s has test files only (Request.Tests of verify reads them)", strings.Join(patterns, " "))
	}
	if !strings.Contains(err.Error(), "go.mod") && !q.inModule() {
		return fmt.Errorf("%w: there is no go.mod in this directory or above (go mod init makes one)", err)
	}
	for _, p := range patterns {
		if near := q.nearby(p); near != "" {
			return fmt.Errorf("%w: is %s meant?", err, near)
		}
	}
	return err
}

// meantHere adds to an error that a type is meant which the package in this directory declares. Verdicts call it by the name of the package, store.Cache,
// and that is no path.
func (q *Query) meantHere(ctx context.Context, pattern, typ string, err error) error {
	here, failed := front.List(ctx, q.Dir, []string{"."})
	if failed != nil || len(here) != 1 || here[0].Name != strings.TrimPrefix(pattern, "./") {
		return err
	}
	return fmt.Errorf("%w: is .%s meant, a type of the package in this directory?", err, typ)
}

// inModule reports whether the query's directory is in a module or a workspace.
func (q *Query) inModule() bool {
	dir, err := filepath.Abs(q.Dir)
	for ; err == nil; dir = filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
	return true // unknown: say nothing about modules
}

// nearby is the pattern of a directory with the name of an import path, or of the nearest one below
// it that contains Go files; "" if there is none.
func (q *Query) nearby(pattern string) string {
	dir := filepath.Join(q.Dir, filepath.FromSlash(pattern))
	switch {
	case strings.Contains(pattern, "...") || filepath.IsAbs(pattern):
		return ""
	case strings.HasPrefix(pattern, "."):
		if below, _ := fs.Glob(os.DirFS(dir), "*/*.go"); len(below) > 0 {
			return strings.TrimSuffix(pattern, "/") + "/..."
		}
		return ""
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return "./" + path.Clean(pattern)
}
