// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"iter"
	"slices"
	"sync"

	"pangolin/internal/engine"
	"pangolin/internal/inquiry"
	"pangolin/verdict"
)

// A swarm makes many searches of a limited number of states in place of one (Holzmann, Joshi, Groce: Swarm verification techniques, IEEE TSE
// 37(6), 2011). Unlike theirs, whose first violation ends all, the answer is that of the search with the least number: chance does not choose it.

// Swarm does tasks by so many searches each, and yields a result for each task in their order. Each search is a task of its own, so its result may be
// kept, or come from elsewhere. The limit on states is that of each search. AtOnce is how many are made at the same time.
func (h *Here) Swarm(ctx context.Context, searches int, tasks iter.Seq[*Task]) iter.Seq2[*Task, Result] {
	return func(yield func(*Task, Result) bool) {
		for t := range tasks {
			s := &swarm{Here: *h, of: searches, task: t, told: map[string]bool{}, states: map[string]uint64{}}
			if !yield(t, s.run(ctx)) {
				return
			}
		}
	}
}

// swarm is the searches for one task.
type swarm struct {
	Here
	of   int
	task *Task

	best   []*verdict.Verdict // by property: the first violation; nil: none so far
	first  []verdict.Verdict  // what the first search has come to
	effort []verdict.Effort   // by property: of the searches up to the first violation
	early  []int              // by property: how many of those were ended by a limit on time or memory

	mu     sync.Mutex
	told   map[string]bool   // notes
	states map[string]uint64 // of the searches in progress and before, by their properties
}

// run makes the searches, and stops them when the answer is known.
func (s *swarm) run(ctx context.Context) Result {
	here := s.Here
	here.Verdict, here.Note, here.Events = nil, s.note, s.events
	var notes []string
	n := 0
	for _, r := range here.Run(ctx, s.members()) {
		n++
		for _, text := range r.Notes {
			if !slices.Contains(notes, text) {
				notes = append(notes, text)
			}
		}
		if r.Err != nil {
			return Result{Err: r.Err, Notes: notes}
		}
		if s.take(n, &r) {
			break
		}
	}
	r := Result{Notes: notes}
	if err := ctx.Err(); err != nil && n < s.of && slices.Contains(s.best, nil) {
		r.Err = err
		return r
	}
	for i := range s.first {
		v := s.answer(i)
		if s.Here.Verdict != nil {
			s.Here.Verdict(v)
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	return r
}

// members yields the searches.
func (s *swarm) members() iter.Seq[*Task] {
	return func(yield func(*Task) bool) {
		for k := range s.of {
			one, terms := *s.task, *s.task.Terms
			terms.Search.Variant, terms.Search.Workers = k, 1
			one.Terms, one.local = &terms, local{} // found and compiled again: searches at the same time share nothing
			if s.Elsewhere != nil {
				i, err := inquiry.New(s.task.local.inquiry.Found, &terms, func(string) {})
				if err != nil { // it was made before
					panic(err)
				}
				one.local.inquiry = i
			}
			if !yield(&one) {
				return
			}
		}
	}
}

// take takes the result of search n, counted from 1, and reports whether the answer is known.
func (s *swarm) take(n int, r *Result) bool {
	if n == 1 {
		s.first = r.Verdicts
		s.best, s.effort, s.early = make([]*verdict.Verdict, len(s.first)), make([]verdict.Effort, len(s.first)), make([]int, len(s.first))
		if !slices.ContainsFunc(s.first, searched) {
			return true // what the others would say as well
		}
	}
	for i := range s.best {
		if s.best[i] != nil || i >= len(r.Verdicts) {
			continue
		}
		v := r.Verdicts[i]
		s.effort[i].Add(v.Effort)
		if v.Status == verdict.Violated {
			v.Swarm = &verdict.Swarm{Searches: s.of, States: s.task.Terms.Search.MaxStates, Found: n, Early: s.early[i]}
			s.best[i] = &v
		} else if r.unlike {
			s.early[i]++
		}
	}
	return !slices.Contains(s.best, nil)
}

// searched reports whether a verdict is what a search has come to, and another search may come to something else.
func searched(v verdict.Verdict) bool {
	return v.Status == verdict.Violated || v.Status == verdict.Verified || v.Status == verdict.Unknown && v.Cause == verdict.Limited
}

// answer is the swarm's verdict on a property.
func (s *swarm) answer(i int) verdict.Verdict {
	if v := s.best[i]; v != nil {
		clients := v.Clients
		v.Effort, v.Effort.Clients = s.effort[i], clients
		return *v
	}
	v := s.first[i]
	if !searched(v) {
		return v
	}
	whole := v.Status == verdict.Verified
	clients := v.Clients
	v.Effort, v.Effort.Clients = s.effort[i], clients
	v.Status, v.Cause = verdict.Unknown, verdict.Limited
	v.ByPoints, v.Returns, v.Dropped, v.Proof = nil, nil, nil, nil
	v.Swarm = &verdict.Swarm{Searches: s.of, States: s.task.Terms.Search.MaxStates, Early: s.early[i]}
	v.Reason = v.Swarm.String()
	if whole {
		v.Reason += "; the first has searched the whole scope, which is verified without a swarm"
	}
	return v
}

// note passes a note on, once.
func (s *swarm) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.told[text] {
		s.told[text] = true
		s.Here.tell(text)
	}
}

// events passes on what is told of one search, as if it were one with all of their states.
func (s *swarm) events(collection, property string) engine.Events {
	var e engine.Events
	if s.Here.Events != nil {
		e = s.Here.Events(collection, property)
	}
	tell := e.Progress
	var before uint64
	e.Note = func(text string) {
		if note := s.Here.Events; note != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			if one := note(collection, property).Note; one != nil && !s.told[collection+": "+text] {
				s.told[collection+": "+text] = true
				one(text)
			}
		}
	}
	e.Progress = func(p engine.Progress) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if p.States > before { // else another scope has begun
			s.states[property] += p.States - before
		}
		before = p.States
		if p.States = s.states[property]; tell != nil {
			tell(p)
		}
	}
	return e
}
