// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"pangolin/internal/cache"
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// Tasks that are done on other machines. Who wants results calls Run as always, with Here.Elsewhere;
// the other machine calls Answer with the task's text.

// Elsewhere has a task done on another machine. progress is called with the number of states that
// the searches have visited so far. The text is a result as JSON; lasting says that it would be the
// same in each run. The error is ErrOnlyHere if this task can only be done where its sources are.
type Elsewhere func(ctx context.Context, t *Task, progress func(states uint64)) (text []byte, lasting bool, err error)

// ErrOnlyHere says that a task cannot be done elsewhere.
var ErrOnlyHere = errors.New("the task can only be done here")

// mostElsewhere is how many tasks are elsewhere at the same time. Each costs a goroutine here.
const mostElsewhere = 2048

// distributed is Run with tasks that are done elsewhere, many at the same time. Verdicts and notes
// are told in the order of the tasks, when it is a task's turn.
func (h *Here) distributed(ctx context.Context, tasks iter.Seq[*Task]) iter.Seq2[*Task, Result] {
	return func(yield func(*Task, Result) bool) {
		var mu sync.Mutex // who holds it may call the caller's functions
		var notes []string
		silent := *h
		silent.Verdict, silent.AtOnce, silent.alone = nil, mostElsewhere, &sync.Mutex{}
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

// sent has a task done elsewhere. ok is false if it can only be done here.
func (h *Here) sent(ctx context.Context, t *Task) (r Result, ok bool) {
	property := ""
	if len(t.Properties) > 0 {
		property = string(t.Properties[0])
	}
	var tell func(engine.Progress)
	if h.Events != nil {
		tell = h.Events(t.Package+"."+t.Wishes.Type, property).Progress
	}
	text, lasting, err := h.Elsewhere(ctx, t, func(states uint64) {
		if tell != nil {
			tell(engine.Progress{States: states})
		}
	})
	if errors.Is(err, ErrOnlyHere) {
		h.tell(fmt.Sprintf("%s.%s: %v", t.Package, t.Wishes.Type, err))
		return Result{}, false
	}
	if err == nil {
		err = r.UnmarshalJSON(text)
	}
	if err != nil {
		return Result{Err: err, unlike: true}, true
	}
	r.unlike = !lasting
	return r, true
}

// GivenUp is the result, as text, of a task that was made in this process and that nobody can do.
func (t *Task) GivenUp(why string) ([]byte, error) {
	r := &Result{}
	if t.Mutant != nil {
		m := t.Mutant.Fault
		m.Outcome, m.Reason = verdict.Undecided, why
		r.Mutant = &m
	} else {
		for _, p := range t.Properties {
			r.Verdicts = append(r.Verdicts, t.local.inquiry.GivenUp(p, why))
		}
	}
	return json.Marshal(r)
}

// Answer does a task that came as text, in the directory of its sources. The entry has the result's
// text without names of files on this machine, and what equal results have in common. The error says that the
// text is no task.
func (h *Here) Answer(ctx context.Context, text []byte) (e cache.Entry, lasting bool, err error) {
	t := &Task{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return e, false, fmt.Errorf("this is no task: %w", err)
	}
	if t.Terms == nil || len(t.Properties) == 0 {
		return e, false, errors.New("this is no task: its terms or properties are missing")
	}
	for _, r := range h.Run(ctx, func(yield func(*Task) bool) { yield(t) }) {
		lasting = t.Lasting(&r) && ctx.Err() == nil
		if r.Err != nil {
			e.Text, err = json.Marshal(&Result{Err: r.Err, Notes: r.Notes})
			return e, false, err
		}
		if e.Text, e.Same, err = r.Portable(); errors.Is(err, errFailed) {
			lasting, err = false, nil
		}
	}
	return e, lasting, err
}
