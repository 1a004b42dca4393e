// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"
	"slices"
	"strings"

	"pangolin/internal/cache"
	"pangolin/internal/closure"
	"pangolin/internal/find"
	"pangolin/internal/task"
)

// Results that were computed before are taken from a directory (Request.Cache). doc/cache.md has the argument why they are those that
// would be computed now.

// cached says that the request wants results from a directory.
func (r *Request) cached() bool { return r.Cache != "" && !r.NoCache }

// kept gives the results that are kept for the request, with the digests of its packages; nil if none are. It is called before the
// packages are loaded: what is compiled then belongs to the digests, unless a file has changed since, which package task looks for.
// What goes wrong here costs nobody a verdict, so it is a note.
func (r *Request) kept(ctx context.Context, memo *closure.Memo) *task.Kept {
	if !r.cached() {
		return nil
	}
	tool, err := cache.Tool()
	dir, failed := cache.Open(r.Cache)
	if err = errors.Join(err, failed); err == nil {
		err = memo.Know(ctx, r.closures()...)
	}
	if err != nil {
		if ctx.Err() == nil {
			r.Events.note("no result is cached: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		return nil
	}
	return &task.Kept{Cache: dir, Tool: tool, Sources: memo}
}

// closures are what the packages that the request names are listed by: those of each PKG.Type alone, the others together.
func (r *Request) closures() (list []closure.Query) {
	var plain []string
	for _, arg := range r.Packages {
		if pattern, typ := find.SplitType(arg); typ != "" {
			list = append(list, closure.Query{Patterns: []string{pattern}, Tests: r.Tests})
		} else {
			plain = append(plain, arg)
		}
	}
	if len(plain) > 0 || len(list) == 0 {
		list = append(list, closure.Query{Patterns: plain, Tests: r.Tests})
	}
	if r.Tests { // the import path of tests outside of their package is none of the go command's
		for i := range list {
			list[i].Patterns = slices.Clone(list[i].Patterns)
			for k, p := range list[i].Patterns {
				list[i].Patterns[k] = strings.TrimSuffix(p, "_test")
			}
		}
	}
	return list
}

// tidy removes what was not used for the longest time, if results have come to more bytes than they may.
func (r *Request) tidy(k *task.Kept) {
	if k == nil {
		return
	}
	if err := k.Cache.Tidy(cache.Limit); err != nil {
		r.Events.note("the cache is not trimmed: %v", err)
	}
}
