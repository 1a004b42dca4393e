// SPDX-License-Identifier: BSD-3-Clause

// Package task is the seam below verify, prove, mutate and the studies: a Task says what is to be judged, and a Result what came of it,
// both as plain data.
//
// A task holds all that its result depends on: where the type is, what is asked of it (flags and directives, settled), which
// properties, limits in states, and of a mutant the text with the fault. Nothing in a result depends on the machine's speed, on how
// many workers search, on where the files are, on the user or the clock, but for the fields that are named for it: seconds and
// peak_bytes. (Lasting tells the exception: limits on time and memory.) So a result may be kept under the task's Key, or come from another
// machine (Kept keeps them):
//
//	t := task.New(found, terms, properties, note)   in this process, with what has been found
//	text, _ := json.Marshal(t)                      anywhere else, in a directory with the same sources
//	for t, r := range here.Run(ctx, tasks) { ... }  in the order of the tasks
//
// Here does tasks in this process, or takes what is kept (Here.Kept). A farm that does them elsewhere is another implementation of Run. The package finds no collections, prints nothing and writes no files.
package task

import (
	"context"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/inquiry"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Task is one collection, and what is asked about it.
type Task struct {
	Place
	// Wishes are what is asked of the type, by its author and its user; the type's name is one of them.
	Wishes find.Wishes
	// Terms are the scope, the limits, and what else is asked for beside the type.
	Terms *Terms
	Asked
	// Mutant is the fault to judge in place of the code; nil: there is none.
	Mutant *Mutant `json:",omitempty"`

	local local
}

// Place says where the package is, within a module that the directory of Here belongs to.
type Place struct {
	Module, Package string
	Patterns        []string // with which the go command finds it
	Tests           bool     // it is as its tests see it
}

// Asked is what is asked of a collection.
type Asked struct {
	Properties []verdict.Property
	// Strongest ends with the first property if that is not violated: linearizability implies the others.
	Strongest bool
}

// Terms are what is asked for beside a type, and Engines answer the questions about it.
type (
	Terms   = inquiry.Terms
	Engines = inquiry.Engines
)

// local is what this process has found and compiled already. A task that is read has none of it, and finds and compiles it again.
type local struct {
	inquiry *inquiry.Inquiry
	engine  *engine.Engine
	mutant  *subject.Subject
	notes   *said // of the inquiry
}

// said is why a type is read otherwise than names tell: it is told at once, and a result has it.
type said struct {
	tell func(string)
	list *[]string // of the result that is being computed; nil: none is
	name string    // of the collection
}

func (s *said) add(why string) {
	if s.list != nil {
		*s.list = append(*s.list, s.name+": "+why)
	}
	if s.tell != nil {
		s.tell(why)
	}
}

// New is the task about a collection that was found. Note is told why it is read otherwise than names tell.
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

// of is the task of an inquiry.
func of(i *inquiry.Inquiry, terms *Terms, asked Asked) *Task {
	l := i.Found.Listed
	return &Task{Place: Place{Module: l.Module, Package: l.Path, Patterns: i.Found.Patterns, Tests: l.Tested}, Wishes: i.Found.Overrides, Terms: terms,
		Asked: asked, local: local{inquiry: i}}
}

// Inquiry is the one that leads to the verdicts, of a task that was made in this process.
func (t *Task) Inquiry() *inquiry.Inquiry { return t.local.inquiry }

// Under is the task on other terms, about a type that stays what it is read as.
func (t *Task) Under(terms *Terms, asked Asked) (*Task, error) {
	i, err := t.local.inquiry.Under(terms)
	if err != nil {
		return nil, err
	}
	return of(i, terms, asked), nil
}

// Forget lets go of what was compiled.
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

// Lasting says that a result of the task is the same each time: neither a limit on time nor one on memory was met by any search; where
// several workers search, the user's limit on states was not met either, because chance says which states they reach first. (The limits
// on states that Pangolin itself sets are for one worker.)
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
