// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"slices"
	"strings"

	"pangolin/internal/checkpoint"
	"pangolin/internal/closure"
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// Long searches leave checkpoints beside the results (package checkpoint), from which the same task
// can go on in another process.

// unlimited is the key of the task's checkpoints. It does not cover limits on time and memory,
// which may differ when the search goes on, nor how many workers there are if there are several.
func (t *Task) unlimited(sources, tool string) (string, error) {
	one, terms := *t, *t.Terms
	terms.Search.MaxBytes, one.Terms = 0, &terms
	form := " checkpoints"
	if terms.Search.Workers > 1 {
		form += " of several workers"
	}
	return one.Key(sources, tool+form)
}

// decideLong does a task whose sources are digested. Its searches leave checkpoints, which are
// removed when the verdicts are there.
func (h *Here) decideLong(ctx context.Context, t *Task, sources []*closure.Package) Result {
	if t.Mutant != nil { // a mutant is decided in seconds
		return h.decide(ctx, t)
	}
	if t.Terms.Search.Workers > 1 || engine.Shared(ctx) > 1 { // a search of several workers that goes on may count a state twice (WARTS.md), and one that shares the memory may be made again
		if h.Resume {
			h.note(t.Package + "." + t.Wishes.Type)("the search begins: only searches by one worker leave checkpoints and go on (-j 1)")
		}
		return h.decide(ctx, t)
	}
	var digests []string
	for _, p := range sources {
		digests = append(digests, p.Digest)
	}
	key, err := t.unlimited(strings.Join(digests, " "), h.Kept.Tool)
	if err != nil {
		h.uncached(err)
		return h.decide(ctx, t)
	}
	s := &checkpoint.Session{Dir: h.Kept.Cache, Key: key, Resume: h.Resume, Pace: checkpoint.Usual, Tell: h.note(t.Package + "." + t.Wishes.Type)}
	switch there := s.There(); {
	case h.Resume && !there:
		s.Tell("there is no checkpoint for exactly this request, so the search begins")
	case there && !h.Resume:
		s.Tell("the search begins again, although there is a checkpoint of it (-resume goes on with that)")
	}
	r := h.decide(checkpoint.With(ctx, s), t)
	limited := func(v verdict.Verdict) bool { return v.Status == verdict.Unknown && v.Cause == verdict.Limited }
	switch {
	case ctx.Err() == nil && !(r.unlike && slices.ContainsFunc(r.Verdicts, limited)): // the task is finished
		s.Discard()
	case s.There():
		s.Tell("the search has left a checkpoint: the same command with -resume goes on from there")
	}
	return r
}
