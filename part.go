// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"pangolin/internal/find"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// part is what a request is about: all that it names, or those that a change can reach (Part.Since), or those of a shard.
type part struct {
	targets []*target
	missed  []find.Missed // what was named and not found
	first   int           // position of the first of these
	shard   verdict.Shard
	// mistakes is what is wrong with the request, also where another shard tells it.
	mistakes error
}

// changed finds the collections of packages that a change can reach; without a revision, all of them.
func (r *Request) changed(ctx context.Context) (list []*target, missed []find.Missed, err error) {
	since := r.Search.Part.Since
	if since == "" {
		return r.find(ctx)
	}
	return r.findBy(ctx, func(ctx context.Context, q *find.Query) ([]*find.Target, []find.Missed, error) {
		found, missed, err := q.ChangedSince(ctx, since)
		if err != nil && !errors.As(err, new(*find.NoTarget)) {
			err = fmt.Errorf("Request.Search.Part.Since: %w", err)
		}
		return found, missed, err
	})
}

// split leaves of all collections those of the request's shard, and says which shard it is. What was missed belongs to the first one.
func (r *Request) split(ctx context.Context, kept *task.Kept, targets []*target, missed []find.Missed) (*part, error) {
	one, err := find.ParseShard(r.Search.Part.Shard)
	if err != nil {
		return nil, err
	}
	var found []*find.Target
	for i, t := range targets {
		t.position = i
		found = append(found, t.Target)
	}
	mine, how, err := find.Split(found, one, r.Search.Part.Costs)
	if err != nil {
		return nil, fmt.Errorf("Request.Search.Part.Costs: %w", err)
	}
	p := &part{first: len(targets), mistakes: find.Joined(missed, find.Mistake)}
	var names []string
	for _, m := range missed {
		names = append(names, m.Package+" "+m.Name)
	}
	p.shard = verdict.Shard{Index: max(one.Index, 1), Of: max(one.Count, 1), All: len(targets) + len(missed), Split: digestOf(how, names)}
	for i, t := range targets {
		if mine[i] {
			p.targets = append(p.targets, t)
		}
	}
	if p.shard.Index == 1 {
		p.missed = missed
	}
	p.shard.Own = len(p.targets) + len(p.missed)
	return p, r.identify(ctx, kept, &p.shard)
}

// identify adds the digests of what the shard is a part of, which are not needed if nobody asks for a shard and nothing is kept.
func (r *Request) identify(ctx context.Context, kept *task.Kept, s *verdict.Shard) (err error) {
	switch {
	case kept != nil:
		s.Sources, s.Tool = kept.Digests()
	case r.Events.Shard == nil && s.Of == 1:
		return nil
	default:
		if s.Sources, s.Tool, err = r.named().Digests(ctx); err != nil {
			return err
		}
	}
	asked := r.asked()
	asked.Search.Part.Shard, asked.Search.Part.Costs = "", ""
	s.Request = digestOf(asked)
	return nil
}

// digestOf is a digest of plain data.
func digestOf(list ...any) string {
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // there are no functions in it
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
