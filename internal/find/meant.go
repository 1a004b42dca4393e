// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pangolin/internal/front"
)

// What the go command says of a pattern that matches nothing does not help those who begin: a package
// may be one of test files only, and a directory needs a dot and a slash in front, or the package is elsewhere.

// meant adds to an error what may have been meant by patterns.
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

// inModule says that there is a module around the query's directory, or a workspace.
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
	return true // nobody knows
}

// nearby is the pattern of a directory that has the name of an import path, or of one below in which there is Go
// where there is none in the one that is meant; "" if there is none.
func (q *Query) nearby(pattern string) string {
	dir := filepath.Join(q.Dir, filepath.FromSlash(pattern))
	switch {
	case strings.Contains(pattern, "...") || filepath.IsAbs(pattern):
		return ""
	case strings.HasPrefix(pattern, "."):
		if below, _ := filepath.Glob(filepath.Join(dir, "*", "*.go")); len(below) > 0 {
			return strings.TrimSuffix(pattern, "/") + "/..."
		}
		return ""
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return "./" + path.Clean(pattern)
}
