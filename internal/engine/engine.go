// SPDX-License-Identifier: BSD-3-Clause

// Package engine defines what an engine is: a value with a name, a description, and a function that takes a job and returns a verdict.
//
// A job is a loaded subject with the property, the scope and the limits of a request. Engines are packages beneath this one; package
// engines lists them. Work that is the same for all engines is done here: the limit on time, the union of several scopes, and those
// parts of a verdict that follow from the job alone. The package knows no engine.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pangolin/internal/client"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Engine is a method to reach a verdict.
type Engine struct {
	Name string
	Doc  string // one line: what it decides, and how
	// Program: its subjects are whole programs; otherwise they are collections.
	Program bool
	// Extras: it also searches scopes that the user has not asked for, while that is cheap.
	Extras bool
	// Endless: it decides scopes with any number of calls.
	Endless bool
	// Weaker: it decides properties in which operations promise less than linearizability (verdict.Promise).
	Weaker bool
	// Compiled: its subjects are executed as gc compiles them (subject.Order.Drive). It tests, so its scopes are all tried, and no rule asks
	// anything else.
	Compiled bool
	// Annotated: its subjects are compiled with the directives of their linearization policies.
	Annotated bool
	// Run decides a job. It fills in only what Decide cannot take from the job. An error means that the subject cannot be set up or
	// executed, or that the engine has failed, and not a fault of the subject; a verdict beside it is about what was searched before.
	Run func(ctx context.Context, j *Job, e Events) (verdict.Verdict, error)
	// Prove looks for a proof in the place of Run, which package prover makes of it.
	Prove Attempt
	// Replay executes a witness of this engine again and returns what happens now; nil: it has no witnesses.
	Replay func(s *subject.Subject, w *verdict.Witness) (*verdict.Witness, error)
	// Check checks a certificate of this engine; nil: it has no certificates.
	Check CheckFunc
	// Assert writes what a proof of this engine says about threads (verdict.Proof.Checks) into the source as checks for tests; nil: it
	// cannot.
	Assert func(ctx context.Context, o *subject.Order, j *Job, v *verdict.Verdict) ([]verdict.SourceFile, error)
	// Single executes one schedule of a program, and returns how it ends; nil: it cannot.
	Single func(ctx context.Context, s *subject.Subject, o Single) (verdict.Outcome, error)
	// Tests compiles the tests of a package, and gives an engine that executes them, and what ends it; why says that they cannot be executed. nil: it
	// executes no tests in another way than programs.
	Tests func(ctx context.Context, p *subject.TestPackage) (e Engine, end func(), why string, err error)
	// Reductions are those that it supports.
	Reductions vm.Reductions
}

// Attempt looks for a proof, or says why there is none. suspicious means that it has examined the code and something may go wrong.
type Attempt = func(ctx context.Context, j *Job, e Events) (v verdict.Verdict, suspicious bool, err error)

// AllReductions is the set of all reductions.
const AllReductions = vm.AllReductions

// Points is the reduction that lets points judge histories.
const Points = vm.Points

// Reductions is a set of reductions.
type Reductions = vm.Reductions

// ParseReductions parses a comma separated list of names, "all" or "none".
func ParseReductions(list string) (vm.Reductions, error) { return vm.ParseReductions(list) }

// Job is a question to an engine about one scope, and how to answer it.
type Job struct {
	Subject  *subject.Subject
	Property verdict.Property // "" of a program
	Scope    Scope
	Search
	// Meter counts the work of the machines, those of the oracle self among them, and ends the search when its limit is passed, with one
	// worker at the same state on every computer; nil: not counted.
	Meter *vm.Meter
	// Memo holds what was computed for earlier questions about the subject; nil: nothing.
	Memo *Memo `json:"-"`
}

// Limit gives the job a meter of its own, with a limit in units of vm.Meter.
func (j *Job) Limit(work uint64) { j.Meter = vm.NewMeter(work, func() {}) }

// About names the subject and the property in verdicts.
func (j *Job) About() verdict.Subject {
	s := j.Subject.About
	s.Property = string(j.Property)
	return s
}

// OneThread is the job for clients of one thread (see Union.OneThread), which may call every operation; roles that restrict an
// operation to one call, or to the last one, stay.
func (j *Job) OneThread() *Job {
	one, s := *j, *j.Subject
	s.Operations = slices.Clone(s.Operations)
	for i := range s.Operations {
		who := s.Operations[i].Client.Who
		s.Operations[i].Client.Who = client.Roles{Once: who.Once, Last: who.Last, First: who.First}
	}
	one.Subject = &s
	return &one
}

// AnyTime lists, for a proof about any number of calls, the operations that may be called only once, last, first, alone or not beside others: the
// proof covers more than that.
func (j *Job) AnyTime() (list []string) {
	for _, o := range j.Subject.ClientOps() {
		if o.Who.Once || o.Who.First || o.Who.Alone || o.Who.Not != "" {
			list = append(list, fmt.Sprintf("%s is called any number of times, at any time: more than its role allows", o.Name))
		}
	}
	return list
}

// Search configures a search. A limit of 0 means that there is none.
type Search struct {
	Reduce    vm.Reductions
	NoRaces   bool   // do not look for data races
	Leaks     bool   // look for goroutines that wait for ever after main has returned, or between the calls of a collection
	CutOff    bool   // of a program: not for those that main, or the test, starts itself
	Shortest  bool   // look for a shortest witness, or a shortest schedule of each outcome
	Scenes    bool   // the witness gets Scenes
	Small     bool   // drop from the witness what is not needed, within limits on states and work
	OneByOne  bool   // explore the clients one by one
	Certify   bool   // return a proof with its certificate
	Lemmas    bool   // return a proof with its lemmas
	Given     string // lemmas, as text, by which alone a proof of the engine cmp has to restrain other threads; "": none
	Checks    bool   // return a proof with facts that a test can check
	Workers   int    `json:"-"` // 0: 1
	Timeout   time.Duration
	MaxStates uint64
	// Whether: MaxStates is there to learn whether there are more states, so that several workers may search.
	Whether  bool  `json:"-"`
	MaxBytes int64 // of memory
	Drawn    Drawn
	// Variant is which search of a swarm it is: 0 is the usual one; the others try moves in other orders (Varied).
	Variant int `json:",omitempty"`
}

// Drawn says which executions an engine makes that tests. The zero value is what is usual.
type Drawn struct {
	Schedules int    `json:",omitempty"` // executions; 0: DefaultSchedules
	Seed      uint64 `json:",omitempty"` // 0: 1
	Ways      string `json:",omitempty"` // comma separated: random, pct, preempt; "": all of them, in turn
	Depth     int    `json:",omitempty"` // of pct; 0: DefaultDepth
}

// What is usual of Drawn, and how many preemptions the way preempt makes at most unless the scope says it.
const (
	DefaultSchedules   = 10_000
	DefaultDepth       = 3
	DefaultPreemptions = 2
	// DefaultTestSchedules is the number of executions of a test.
	DefaultTestSchedules = 1_000
)

// Ways are the ways of drawing schedules.
var Ways = []string{"random", "pct", "preempt"}

// ParseWays parses a comma separated list of ways; "" is all of them.
func ParseWays(list string) ([]string, error) {
	if list == "" {
		return Ways, nil
	}
	ways := strings.Split(list, ",")
	for _, w := range ways {
		if !slices.Contains(Ways, w) {
			return nil, fmt.Errorf("there is no way %q to draw schedules: choose from %s", w, strings.Join(Ways, ", "))
		}
	}
	return ways, nil
}

// Events are functions that are called during a search, from one goroutine at a time; nil ones are not called.
type Events struct {
	Progress func(Progress)
	Note     func(string) // a message that is not an error
}

// Progress is the work that an engine has done so far.
type Progress struct {
	States      uint64
	Transitions uint64
	Bytes       int64
	Depth       int
	Earlier     *Earlier // nil: nobody knows of one
}

// Earlier is what a search for the same type and property came to before, of other sources or in another scope.
type Earlier struct {
	At     time.Time
	States uint64
	Scope  string
	Status verdict.Status
}

// sharedKey is that of the number of searches in a context.
type sharedKey struct{}

// Share gives a context for one of n searches that are made at the same time: each has the n-th part of the limit on memory.
func Share(ctx context.Context, n int) context.Context { return context.WithValue(ctx, sharedKey{}, n) }

// Shared is how many searches share the limit on memory; 1: one has all of it.
func Shared(ctx context.Context) int {
	n, _ := ctx.Value(sharedKey{}).(int)
	return max(1, n)
}

// Decide runs an engine on a job within the limit on time, and completes the verdict.
func (e *Engine) Decide(ctx context.Context, j *Job, ev Events) (verdict.Verdict, error) {
	return e.DecideUnion(ctx, j, Union{j.Scope}, ev)
}

// complete sets the fields of a verdict that follow from the job alone.
func (e *Engine) complete(v *verdict.Verdict, j *Job) {
	v.Type, v.Schema, v.Engine = "verdict", verdict.Schema, cmp.Or(v.Engine, e.Name)
	v.Subject = j.About()
	v.Package = j.Subject.Source.Package
	if v.Scope.Bounds != nil {
		v.Scope.Time = j.Subject.Source.Time
	}
	v.Operations = nil
	for i := range j.Subject.Operations {
		v.Operations = append(v.Operations, j.Subject.Operations[i].Name)
	}
	v.Invariants = nil
	for _, i := range j.Subject.Invariants {
		if e.Name == "bounded" {
			v.Invariants = append(v.Invariants, i.Name+" "+i.When())
		} else {
			v.Assumptions = append(v.Assumptions, i.Unasked())
		}
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
	if v.Sampled != nil {
		v.Clients = json.Number(strconv.Itoa(v.Sampled.Clients))
	}
	if v.Clients == "" {
		v.Clients = "0"
	}
}

// roundUp returns the least power of ten that is at least x and at least 1e-9.
func roundUp(x float64) float64 {
	bound := 1e-9
	for bound < x {
		bound *= 10
	}
	return bound
}
