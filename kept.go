// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"strings"

	"pangolin/internal/task"
)

// Results that were computed before are taken from a directory (Search.Cache). doc/cache.md has the argument why they are those that
// would be computed now.

// kept gives the results that are kept for the request, with the digests of its packages; nil if none are. It is called before the
// packages are loaded: what is compiled then belongs to the digests, unless a file has changed since, which package task looks for.
// What goes wrong here costs nobody a verdict, so it is a note.
func (r *Request) kept(ctx context.Context) *task.Kept {
	if r.Search.Cache == "" || r.Search.NoCache {
		return nil
	}
	k, err := task.Keep(ctx, r.Search.Cache, task.Named{Dir: r.Dir, Packages: r.Packages, Tests: r.Tests})
	if err != nil && ctx.Err() == nil {
		r.Events.note("no result is cached: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return k
}

// tidy removes what was not used for the longest time, if results have come to more bytes than they may.
func (r *Request) tidy(k *task.Kept) {
	if k == nil {
		return
	}
	if err := k.Tidy(); err != nil {
		r.Events.note("the cache is not trimmed: %v", err)
	}
}
