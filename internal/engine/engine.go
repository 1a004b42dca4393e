// SPDX-License-Identifier: BSD-3-Clause

// Package engine says what an engine is: a value with a name, what it is for, and a
// function that takes a job and gives a verdict.
//
// A job is a loaded subject with the property, the scope and the limits that were asked
// for. Engines are packages beneath this one; package engines lists them. What every
// engine would have to do alike is done here: the limit on time, and those parts of a
// verdict that follow from the job alone. The package knows no engine.
package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"pangolin/internal/client"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Engine is a way to come to a verdict.
type Engine struct {
	Name string
	Doc  string // one line: what it decides, and how
	// Program says that its subjects are whole programs; others are collections.
	Program bool
	// Extras says that it searches scopes that nobody has asked for, if that is cheap.
	Extras bool
	// Annotated says that its subjects are compiled with the directives of their
	// linearization policies.
	Annotated bool
	// Run decides a job. Of the verdict it fills in what it knows better than Decide. An
	// error is none of the subject's faults: it cannot be set up or executed, or the engine
	// has a fault. A verdict may stand beside it, on what was seen before.
	Run func(ctx context.Context, j *Job, e Events) (verdict.Verdict, error)
	// Replay executes a witness of the engine's own again and gives it as it is now; nil: it
	// has none.
	Replay func(s *subject.Subject, w *verdict.Witness) (*verdict.Witness, error)
	// Check checks a certificate of the engine's own, and draws its views for people if draw
	// is not nil; nil: it has none.
	Check func(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error)
	// Assert puts what a proof of the engine's own says of threads (verdict.Proof.Checks) into the source, for tests;
	// nil: it cannot.
	Assert func(ctx context.Context, o *subject.Order, j *Job, v *verdict.Verdict) ([]verdict.SourceFile, error)
	// Single executes one schedule of a program, and gives how it ends; nil: it does not.
	Single func(ctx context.Context, s *subject.Subject, o Single) (verdict.Outcome, error)
	// Reductions are those that it knows.
	Reductions vm.Reductions
}

// AllReductions are all there are.
const AllReductions = vm.AllReductions

// Reductions is a set of reductions.
type Reductions = vm.Reductions

// ParseReductions reads a comma separated list of names, "all" or "none".
func ParseReductions(list string) (vm.Reductions, error) { return vm.ParseReductions(list) }

// Job is what an engine is to decide, and how. Of several scopes (see Union) it is about one.
type Job struct {
	Subject  *subject.Subject
	Property verdict.Property // "" of a program
	Scope    Scope
	Search
}

// About says what is verified against what.
func (j *Job) About() verdict.Subject {
	s := j.Subject.About
	s.Property = string(j.Property)
	return s
}

// OneThread is the job for clients of one thread (see Union.OneThread), who may call anything, but what is called once no more often, and what is called last not before.
func (j *Job) OneThread() *Job {
	one, s := *j, *j.Subject
	s.Operations = slices.Clone(s.Operations)
	for i := range s.Operations {
		who := s.Operations[i].Client.Who
		s.Operations[i].Client.Who = client.Roles{Once: who.Once, Last: who.Last}
	}
	one.Subject = &s
	return &one
}

// AnyTime says what a proof for any number of calls makes of operations that are called once, or last: more than is asked.
func (j *Job) AnyTime() (list []string) {
	for _, o := range j.Subject.ClientOps() {
		if o.Who.Once {
			list = append(list, fmt.Sprintf("%s is called any number of times, at any time: more than its role allows", o.Name))
		}
	}
	return list
}

// Search is how to search. Limits of 0 are none.
type Search struct {
	Reduce    vm.Reductions
	NoRaces   bool // data races are not looked for
	Leaks     bool // of a program: goroutines that main leaves behind and that wait for ever are looked for
	Shortest  bool // a shortest witness is looked for, a shortest schedule of each outcome
	Scenes    bool // a witness has Scenes
	Small     bool // nothing can be dropped from a witness, within limits on states and work
	OneByOne  bool // clients are explored one by one
	Certify   bool // a proof comes with its certificate
	Lemmas    bool // and with its lemmas
	Checks    bool // and with what a test can check
	Workers   int  `json:"-"` // 0: 1
	Timeout   time.Duration
	MaxStates uint64
	MaxBytes  int64 // of memory
}

// Events tells what happens meanwhile, from one goroutine at a time. Functions that are
// nil are not called.
type Events struct {
	Progress func(Progress)
	Note     func(string) // something worth knowing that is no error
}

// Progress is how far an engine has come.
type Progress struct {
	States      uint64
	Transitions uint64
	Bytes       int64
	Depth       int
}

// Decide runs an engine on a job within the limit on time, and completes the verdict.
func (e *Engine) Decide(ctx context.Context, j *Job, ev Events) (verdict.Verdict, error) {
	return e.DecideUnion(ctx, j, Union{j.Scope}, ev)
}

// complete fills in what follows from the job alone.
func (e *Engine) complete(v *verdict.Verdict, j *Job) {
	v.Type, v.Schema, v.Engine = "verdict", verdict.Schema, cmp.Or(v.Engine, e.Name)
	v.Subject = j.About()
	v.Package = j.Subject.Source.Package
	v.Operations = nil
	for i := range j.Subject.Operations {
		v.Operations = append(v.Operations, j.Subject.Operations[i].Name)
	}
	v.LeftOut = j.Subject.LeftOut
	if v.LeftOut == nil {
		v.LeftOut = []verdict.LeftOut{}
	}
	if v.Assumptions == nil {
		v.Assumptions = []string{}
	}
	if v.Apart != "" {
		v.Assumptions = append(v.Assumptions, fmt.Sprintf("states are told apart by %s: fewer than %.0e confusions expected", v.Apart, roundUp(v.Confusions)))
	}
	v.Assumptions = append(v.Assumptions, j.Subject.Assumptions...)
	if j.Subject.Prog != nil {
		v.Assumptions = append(v.Assumptions, j.Subject.Prog.Notes.Sorted()...)
	}
	if v.Clients == "" {
		v.Clients = "0"
	}
}

// roundUp gives a power of ten that is not smaller, and at least 1e-9.
func roundUp(x float64) float64 {
	bound := 1e-9
	for bound < x {
		bound *= 10
	}
	return bound
}
