// SPDX-License-Identifier: BSD-3-Clause

// Package revision says which packages a change can reach: those whose source closures (package
// closure) differ between a revision of a git repository and the files as they are now, committed
// or not.
//
//	c, err := revision.Compare(ctx, ".", "origin/main", queries)
//	defer c.Close()
//	c.Same(ctx, "example/queue", nil)
//
// A package is the same only if its digest is known on both sides and equal: it, and all that it
// imports, consist of the same bytes, and the same build flags and go.mod hold. Whatever cannot be
// told counts as changed. The package verifies nothing and prints nothing.
package revision

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pangolin/internal/closure"
)

// Comparison is what has changed since a revision.
type Comparison struct {
	Commit string // the revision
	// Unlisted is why the revision's packages are not known, so that all count as changed; nil if
	// they are known.
	Unlisted error
	// Removed are the import paths of packages that the queries match at the revision and not any
	// more, sorted.
	Removed []string

	old       *checkout
	now, then closure.Memo
	same      map[string]bool
}

// Compare compares the packages that queries match in a directory. The error is about git, or about
// the packages as they are now.
func Compare(ctx context.Context, dir, rev string, queries []closure.Query) (_ *Comparison, err error) {
	old, err := checkOut(ctx, dir, rev)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Commit: old.commit, old: old, same: map[string]bool{}}
	c.now.Dir, c.then.Dir = dir, old.dir
	if err := c.now.Know(ctx, queries...); err != nil {
		c.Close()
		return nil, fmt.Errorf("the packages cannot be listed: %w", err)
	}
	c.Unlisted = c.then.Know(ctx, queries...)
	here, whole := c.now.All()
	there, _ := c.then.All()
	digests := map[string]string{}
	for _, p := range there {
		if c.within(p) {
			digests[p.Path] = p.Digest
		}
		if !slices.ContainsFunc(here, func(q *closure.Package) bool { return q.Path == p.Path }) && whole { // otherwise it may still exist, with errors
			c.Removed = append(c.Removed, p.Path)
		}
	}
	for _, p := range here {
		c.same[p.Path] = p.Digest == digests[p.Path] && p.Unchanged()
	}
	slices.Sort(c.Removed)
	c.Removed = slices.Compact(c.Removed)
	return c, nil
}

// within reports whether no file of a package of the revision lies in the user's working tree (a
// replace directive with an absolute path may name one). The digest would cover today's content of
// such a file.
func (c *Comparison) within(p *closure.Package) bool {
	below := func(file, dir string) bool { return strings.HasPrefix(file, dir+string(filepath.Separator)) }
	return !p.Uses(func(file string) bool { return below(file, c.old.top) && !below(file, c.old.temp) }) // temporary files may be below the tree
}

// Same reports whether the package with an import path has not changed, and neither have the
// packages of oracles that it names by patterns.
func (c *Comparison) Same(ctx context.Context, path string, oracles []string) bool {
	if !c.same[path] {
		return false
	}
	for _, pattern := range oracles {
		now, err := c.now.First(ctx, pattern)
		if err != nil {
			return false
		}
		then, err := c.then.First(ctx, pattern)
		if err != nil || then.Path != now.Path || then.Digest != now.Digest || !c.within(then) {
			return false
		}
	}
	return true
}

// Close removes the revision's files.
func (c *Comparison) Close() { c.old.close() }
