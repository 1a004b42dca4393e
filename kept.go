// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"encoding/json"
	"strings"

	"pangolin/internal/task"
	"pangolin/verdict"
)

// Results that were computed before are taken from a directory (Search.Cache). doc/cache.md has the argument why they are those that
// would be computed now.

// kept gives the results that are kept for the request, with the digests of its packages; nil if none are. It is called before the
// packages are loaded: what is compiled then belongs to the digests, unless a file has changed since, which package task looks for.
// What goes wrong here costs nobody a verdict, so it is a note. Within the context the answers of the go command are kept there as well.
func (r *Request) kept(ctx context.Context) (context.Context, *task.Kept) {
	if r.Search.Cache == "" || r.Search.NoCache {
		if r.Search.Resume {
			r.Events.note("there is no directory of results, and so no checkpoint: the searches begin")
		}
		return ctx, nil
	}
	ctx = task.Relisting(ctx, r.Search.Cache)
	k, err := task.Keep(ctx, r.Search.Cache, *r.named())
	if err != nil && ctx.Err() == nil {
		r.Events.note("no result is cached: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return ctx, k
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

// invocation is what one request has led to. The next one for the same sources need not load them.
type invocation struct {
	Notes   []string // told while the collections were found
	Shard   verdict.Shard
	First   int // position of the first that was missed
	Found   []verdict.Collection
	Results []keptResult
	Missed  []json.RawMessage // verdicts about what was named and not found
}

// keptResult is where a collection's result is kept.
type keptResult struct {
	Key     string
	Name    string // of the collection
	Witness string // the beginning of the names of its witnesses
	// Position is its number among all that the request names.
	Position int
}

// whole is the key of the invocation of a request; "": it has none.
func (r *Request) whole(k *task.Kept) (string, error) {
	if k == nil || r.Search.Assertions { // those are written beside the source's files, of which nothing is known before they are loaded
		return "", nil
	}
	if r.Search.Part.Since != "" || r.Search.Part.Costs != "" { // what the revision and the file hold decides as well
		return "", nil
	}
	return k.Whole(r.asked())
}

// fields is a request with all of its fields, also those that are no flags.
type fields Request

// asked is the request without what no result depends on.
func (r *Request) asked() *fields {
	asked := fields(*r)
	asked.Dir, asked.Out = "", ""
	s := &asked.Search
	s.Cache, s.NoCache, s.Resume, s.Workers, s.Timeout = "", false, false, 0, 0
	return &asked
}

// recalled gives the verdicts of a request that was asked before, and tells what was told then. It reports whether all are there.
func (r *Request) recalled(k *task.Kept) ([]verdict.Verdict, bool, error) {
	var before invocation
	key, err := r.whole(k)
	if key == "" || err != nil {
		return nil, false, err
	}
	if ok, err := k.Recall(key, &before); !ok || err != nil {
		return nil, false, err
	}
	var results []*task.Result
	for _, kept := range before.Results {
		one, err := k.Get(kept.Key)
		if task.Gone(err) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		results = append(results, one)
	}
	var missed []verdict.Verdict
	for _, text := range before.Missed {
		v, err := verdict.Decode(text)
		if err != nil {
			return nil, false, nil
		}
		missed = append(missed, *v)
	}
	var list []verdict.Verdict
	if err := k.Enter(results...); err != nil {
		r.Events.note("the log of the cache cannot be written: %v", err)
	}
	before.replay(r, results, func(v verdict.Verdict) { list = append(list, v) })
	for i, v := range missed {
		r.Events.position(before.First + i)
		r.Events.verdict(v)
	}
	r.tidy(k)
	return append(list, missed...), true, nil
}

// replay tells what was told about collections, and writes their witnesses.
func (i *invocation) replay(r *Request, results []*task.Result, each func(verdict.Verdict)) {
	for _, text := range i.Notes {
		r.Events.note("%s", text)
	}
	r.Events.shard(&i.Shard)
	for n, c := range i.Found {
		r.Events.position(i.Results[n].Position)
		r.Events.found(c)
	}
	for n, one := range results {
		r.Events.position(i.Results[n].Position)
		for _, text := range one.Notes {
			r.Events.note("%s", text)
		}
		for _, v := range one.Verdicts {
			each(v)
			if v.Violation != nil && r.Out != "" {
				v.Violation.Witness = r.keep(witnessName(i.Results[n].Witness, v.Violation), i.Results[n].Name, v.Violation.Execution)
			}
			r.Events.verdict(v)
		}
	}
}

// noting is the request, with a list of what is noted.
func (r *Request) noting() (*Request, *[]string) {
	list, other := new([]string), *r
	other.Events.Note = func(text string) {
		*list = append(*list, text)
		r.Events.note("%s", text)
	}
	return &other, list
}
