// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"fmt"
	"strings"

	"pangolin/internal/closure"
	"pangolin/internal/collection"
	"pangolin/internal/revision"
	"pangolin/internal/shard"
)

// A query may ask for a part of the collections: those that a change affects, or one shard of
// several.

// Shard is one of several parts into which the collections are split.
type Shard = shard.Shard

// ParseShard reads "2/4", the second of four shards; "" is all collections.
func ParseShard(text string) (Shard, error) { return shard.Parse(text) }

// Sources are queries for the digests of the packages: one for each PKG.Type, and one for the
// others together.
func (q *Query) Sources() (list []closure.Query) {
	var plain []string
	for _, arg := range q.Packages {
		if pattern, typ := collection.SplitType(arg); typ != "" {
			list = append(list, closure.Query{Patterns: []string{pattern}, Tests: q.Tests})
		} else {
			plain = append(plain, arg)
		}
	}
	if len(plain) > 0 || len(list) == 0 {
		list = append(list, closure.Query{Patterns: plain, Tests: q.Tests})
	}
	if q.Tests { // the go command does not know the import paths of external tests
		for i := range list {
			for k, p := range list[i].Patterns {
				list[i].Patterns[k] = strings.TrimSuffix(p, "_test")
			}
		}
	}
	return list
}

// ChangedSince is Find for the packages that differ from a revision of the git repository. The
// others are missed (Unchanged).
func (q *Query) ChangedSince(ctx context.Context, rev string) ([]*Target, []Missed, error) {
	c, err := revision.Compare(ctx, q.Dir, rev, q.Sources())
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	if c.Unlisted != nil {
		q.Note("all packages count as changed, because those of %s cannot be listed: %s", rev, strings.ReplaceAll(c.Unlisted.Error(), "\n", "; "))
	}
	for _, path := range c.Removed {
		q.Note("%s was removed since %s", path, rev)
	}
	why := fmt.Errorf("the package and all that it imports are as they were at %s (%.12s)", rev, c.Commit)
	some := *q
	some.Unchanged = func(ctx context.Context, path string, oracles []string) error {
		if q.Tests {
			path = strings.TrimSuffix(path, "_test")
		}
		if !c.Same(ctx, path, oracles) {
			return nil
		}
		return why
	}
	return some.Find(ctx)
}

// Split tells of each target whether it belongs to shard s. file has the costs of earlier runs; "":
// all cost the same. how describes the whole split as plain data, the same for all shards.
func Split(list []*Target, s Shard, file string) (mine []bool, how any, err error) {
	var costs shard.Costs
	if file != "" {
		if costs, err = shard.ReadCosts(file); err != nil {
			return nil, nil, err
		}
	}
	var names []shard.Name
	for _, t := range list {
		names = append(names, shard.Name{Package: t.Listed.Path, Collection: t.Name()})
	}
	return s.Of(names, costs), []any{names, shard.Split(names, costs, max(s.Count, 1))}, nil
}
