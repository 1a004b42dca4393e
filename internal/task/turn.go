// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"iter"
	"slices"
	"sync"

	"pangolin/internal/engine"
)

// inTurn is Run with several tasks at the same time, and many if they are done elsewhere. Verdicts and notes are told in the order of the tasks, when
// it is a task's turn.
func (h *Here) inTurn(ctx context.Context, tasks iter.Seq[*Task]) iter.Seq2[*Task, Result] {
	return func(yield func(*Task, Result) bool) {
		var mu sync.Mutex // who holds it may call the caller's functions
		var notes []string
		silent := *h
		silent.Verdict, silent.alone, silent.later = nil, &sync.Mutex{}, true
		if h.Elsewhere != nil {
			silent.AtOnce = mostElsewhere
		} else {
			silent.room = &sync.RWMutex{}
		}
		silent.Note = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			notes = append(notes, text)
		}
		silent.Events = func(collection, property string) engine.Events {
			return engine.Events{Progress: func(p engine.Progress) {
				mu.Lock()
				defer mu.Unlock()
				if h.Events == nil {
					return
				}
				if tell := h.Events(collection, property).Progress; tell != nil {
					tell(p)
				}
			}}
		}
		for t, r := range silent.together(ctx, unheard(tasks)) {
			mu.Lock()
			for _, text := range notes {
				if !slices.Contains(r.Notes, text) { // those are told by replay
					h.tell(text)
				}
			}
			notes = nil
			h.replay(t, &r)
			more := yield(t, r)
			mu.Unlock()
			if !more {
				return
			}
		}
	}
}

// unheard are the tasks without the function that is told at once how a type is read, as what it would be told is in the result; and
// without the code of mutants, of which many would be in memory at the same time.
func unheard(tasks iter.Seq[*Task]) iter.Seq[*Task] {
	return func(yield func(*Task) bool) {
		for t := range tasks {
			if t.local.notes != nil {
				t.local.notes.tell = nil
			}
			t.local.mutant, t.local.engine = nil, nil
			if !yield(t) {
				return
			}
		}
	}
}

// sharing computes the result of a task beside others, with its share of the memory, and again with all of it, while no other task is being done, if
// that was too little: so the limit on memory is that of each search, and of all at the same time.
func (h *Here) sharing(ctx context.Context, t *Task, decide func(context.Context, *Task) Result) Result {
	if h.room == nil {
		return decide(ctx, t)
	}
	h.room.RLock()
	r := decide(engine.Share(ctx, h.AtOnce), t)
	h.room.RUnlock()
	if !r.scarce || ctx.Err() != nil {
		return r
	}
	h.room.Lock()
	defer h.room.Unlock()
	return decide(ctx, t)
}
