// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"errors"
	"slices"
	"strings"

	"pangolin/internal/cache"
	"pangolin/internal/closure"
	"pangolin/internal/find"
)

// Named are packages as a request names them.
type Named struct {
	Dir      string   // in which the go command runs; "": the current one
	Packages []string // patterns of the go command, and PKG.Type
	Tests    bool     // their test files count as well
}

// Keep opens a directory of results, and digests the packages that may be asked about. It is called before the packages are loaded.
func Keep(ctx context.Context, dir string, n Named) (*Kept, error) {
	tool, err := cache.Tool()
	opened, failed := cache.Open(dir)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	memo := &closure.Memo{Dir: n.Dir}
	if err := memo.Know(ctx, n.queries()...); err != nil {
		return nil, err
	}
	return &Kept{Cache: opened, Tool: tool, Sources: memo}, nil
}

// CacheByDefault is the directory of results of those who name none (cache.Default).
func CacheByDefault() (string, error) { return cache.Default() }

// Tidy removes what was not used for the longest time, if results have come to more bytes than they may.
func (k *Kept) Tidy() error { return k.Cache.Tidy(cache.Limit) }

// queries are what the packages are listed by: those of each PKG.Type alone, the others together.
func (n *Named) queries() (list []closure.Query) {
	var plain []string
	for _, arg := range n.Packages {
		if pattern, typ := find.SplitType(arg); typ != "" {
			list = append(list, closure.Query{Patterns: []string{pattern}, Tests: n.Tests})
		} else {
			plain = append(plain, arg)
		}
	}
	if len(plain) > 0 || len(list) == 0 {
		list = append(list, closure.Query{Patterns: plain, Tests: n.Tests})
	}
	if n.Tests { // the import path of tests outside of their package is none of the go command's
		for i := range list {
			list[i].Patterns = slices.Clone(list[i].Patterns)
			for k, p := range list[i].Patterns {
				list[i].Patterns[k] = strings.TrimSuffix(p, "_test")
			}
		}
	}
	return list
}
