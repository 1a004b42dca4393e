// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"slices"
	"strings"

	"pangolin/internal/checkpoint"
	"pangolin/internal/closure"
	"pangolin/verdict"
)

// Long searches leave checkpoints beside the results (package checkpoint), with which the same task goes on in another process.

// unlimited is the key of the task's checkpoints: a search may go on under another limit on time or memory. What several workers have
// written is for several, of whatever number.
func (t *Task) unlimited(sources, tool string) (string, error) {
	one, terms := *t, *t.Terms
	terms.Search.MaxBytes, one.Terms = 0, &terms
	form := " checkpoints"
	if terms.Search.Workers > 1 {
		form += " of several workers"
	}
	return one.Key(sources, tool+form)
}

// decideLong does a task whose sources are digested: its searches leave checkpoints until it has its verdicts.
func (h *Here) decideLong(ctx context.Context, t *Task, sources []*closure.Package) Result {
	if t.Mutant != nil { // which is killed or survives in seconds
		return h.decide(ctx, t)
	}
	if t.Terms.Search.Workers > 1 { // WARTS.md: a state may be counted twice where such a search goes on
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
	case ctx.Err() == nil && !(r.unlike && slices.ContainsFunc(r.Verdicts, limited)): // it has ended
		s.Discard()
	case s.There():
		s.Tell("the search has left a checkpoint: the same command with -resume goes on from there")
	}
	return r
}
