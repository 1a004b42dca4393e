// SPDX-License-Identifier: BSD-3-Clause

// Package task is the seam below verify, prove, mutate and the studies: a Task says what is to be
// judged, and a Result what came of it, both as plain data.
//
// A task holds all that its result depends on: where the type is, what is asked of it (flags and
// directives, settled), which properties, limits in states, and of a mutant the text with the
// fault. Nothing in a result depends on the machine's speed, on how many workers search, on where
// the files are, on the user or the clock, but for the fields that are named for it: seconds and
// peak_bytes. (Lasting tells the exception: limits on time and memory.) So a result may be kept
// under the task's Key, or come from another machine (Kept keeps them):
//
//	t := task.New(found, terms, properties, note)   in this process, with what has been found
//	text, _ := json.Marshal(t)                      anywhere else, in a directory with the same sources
//	for t, r := range here.Run(ctx, tasks) { ... }  in the order of the tasks
//
// Here does tasks in this process, or takes what is kept (Here.Kept). A farm that does them
// elsewhere is another implementation of Run. The package finds no collections, prints nothing and
// writes no files.
package task

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/inquiry"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Task is a collection and what is asked about it.
type Task struct {
	Place
	// Wishes are what the type's author and user ask of it; they include the type's name.
	Wishes find.Wishes
	// Terms are the scope, the limits and everything else that is asked for besides the type.
	Terms *Terms
	Asked
	// Mutant is the fault to judge instead of the code; nil: the code itself is judged.
	Mutant *Mutant `json:",omitempty"`

	local local
}

// Place is where the package is, in a module that the directory of Here belongs to.
type Place struct {
	Module, Package string
	Patterns        []string // patterns with which the go command finds the package
	Tests           bool     // the package includes its test files
}

// Asked are the properties to decide.
type Asked struct {
	Properties []verdict.Property
	// Strongest stops after a property that is not violated: linearizability implies the others.
	Strongest bool
}

// Terms are what is asked for besides a type, Engines decide it. Both are package inquiry's.
type (
	Terms   = inquiry.Terms
	Engines = inquiry.Engines
)

// local is what this process has found and compiled for the task. A task that came as text has
// nothing, and finds and compiles it again.
type local struct {
	inquiry *inquiry.Inquiry
	engine  *engine.Engine
	mutant  *subject.Subject
	notes   *said  // the notes of the inquiry
	text    []byte // as which the task came; nil: it was made in this process
}

// said collects the notes about how a type is read. They are passed on at once and kept in the
// result.
type said struct {
	tell func(string)
	list *[]string // notes of the result that is being computed; nil: none is
	name string    // the collection's name
}

func (s *said) add(why string) {
	if s.list != nil {
		*s.list = append(*s.list, s.name+": "+why)
	}
	if s.tell != nil {
		s.tell(why)
	}
}

// New makes the task about a collection that was found. note is told why the type is read otherwise
// than its names tell.
func New(found *find.Target, terms *Terms, asked Asked, note func(string)) (*Task, error) {
	notes := &said{tell: note}
	i, err := inquiry.New(found, terms, notes.add)
	if err != nil {
		return nil, err
	}
	t := of(i, terms, asked)
	t.local.notes = notes
	return t, nil
}

// of makes the task of an inquiry.
func of(i *inquiry.Inquiry, terms *Terms, asked Asked) *Task {
	l := i.Found.Listed
	return &Task{Place: Place{Module: l.Module, Package: l.Path, Patterns: i.Found.Patterns, Tests: l.Tested}, Wishes: i.Found.Overrides, Terms: terms,
		Asked: asked, local: local{inquiry: i}}
}

// Inquiry is the inquiry that leads to the verdicts, of a task that was made in this process.
func (t *Task) Inquiry() *inquiry.Inquiry { return t.local.inquiry }

// Under returns the task on other terms, with the type read in the same way.
func (t *Task) Under(terms *Terms, asked Asked) (*Task, error) {
	i, err := t.local.inquiry.Under(terms)
	if err != nil {
		return nil, err
	}
	return of(i, terms, asked), nil
}

// Forget releases what was compiled.
func (t *Task) Forget() {
	if t.local.inquiry != nil {
		t.local.inquiry.Forget()
	}
}

// found finds the collection again, unless this process has found it.
func (t *Task) found(ctx context.Context, h *Here) error {
	if t.local.inquiry != nil {
		return nil
	}
	if e, err := t.Terms.Named(); err == nil && e.Compiled { // this task came as text, from whoever may send some
		return fmt.Errorf("the engine %s executes code natively, which is done only where it was asked for: run pangolin verify there, without -on", e.Name)
	}
	target, err := find.Again(ctx, h.Dir, find.Known{Patterns: t.Patterns, Package: t.Package, Tests: t.Tests, Wishes: t.Wishes})
	if err != nil {
		return err
	}
	terms := *t.Terms
	terms.Dir, terms.Search.Workers = h.Dir, h.Workers
	i, err := inquiry.New(target, &terms, h.note(target.Name()))
	t.local.inquiry = i
	return err
}

// Lasting reports whether the result will be the same in every run: no search has reached a limit
// on time or memory; if several workers searched, none has reached the user's limit on states
// either, as chance decides which states they reach first. (Pangolin's own limits on states are for
// one worker, or ask only whether there are more.)
func (t *Task) Lasting(r *Result) bool {
	if r.Err != nil || r.unlike {
		return false
	}
	if s := &t.Terms.Search; s.MaxStates == 0 || s.Workers <= 1 {
		return true
	}
	limited := func(v verdict.Verdict) bool { return v.Cause == verdict.Limited || len(v.Dropped) > 0 }
	return r.Mutant == nil && !slices.ContainsFunc(r.Verdicts, limited)
}
