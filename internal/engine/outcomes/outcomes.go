// SPDX-License-Identifier: BSD-3-Clause

// Package outcomes enumerates how a whole program can end: it explores every interleaving of the program's goroutines and every
// decision that Go leaves open, and collects each distinct outcome once, with a schedule that leads to it.
//
// It takes a compiled program and returns a Report. It does not judge: which outcomes are wanted is for the reader to say. It loads no
// source and prints nothing.
package outcomes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pangolin/internal/explore"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Outcome is one way in which executions of a program end, or, for a data race or an execution without end, what happens in them. It
// depends neither on the order in which states are visited nor on the reductions.
type Outcome struct {
	Kind   Kind
	Stdout string
	Stderr string // what the program itself printed there
	Exit   int    // exit status; 0 for races, leaks and executions without end, which have none
	Panic  string // "panic: …" or "fatal error: …" as the runtime prints it; "" if there is none
	// At lists, sorted, the places where the panic or fatal error is raised in executions with this outcome.
	At []verdict.Place
	// Involved are the goroutines of a deadlock with what each waits for, the leaked one, or by name only those that continue in an
	// execution without end. They are sorted by their texts, and equal ones are counted.
	Involved []verdict.Situation
	Accesses []verdict.Conflict // of a race: both, in the order of their texts
	// Waits lists, sorted, what the goroutines of a deadlock wait for, in the words of the Go runtime.
	Waits []string
	// Schedule is an execution with this outcome, if Options.Schedules asks for it.
	Schedule *Schedule
}

// Kind is a kind of outcome. Reports are sorted by it first.
type Kind uint8

const (
	Exited   Kind = iota // main returned, or os.Exit was called
	Panicked             // a panic that nothing recovered, or a fatal error of the runtime
	Deadlock             // no goroutine can go on
	Endless              // the execution never ends although every goroutine gets its turns
	Race                 // two goroutines access the same memory, at least one writes, at least one not atomically
	Leak                 // main has returned, and a goroutine waits for ever; see vm/leaks.go
)

// Good reports whether the program ends by itself with status 0.
func (o *Outcome) Good() bool { return o.Kind == Exited && o.Exit == 0 }

// Report is the result of an exploration.
type Report struct {
	Outcomes    []Outcome // sorted
	States      uint64
	Transitions uint64
	Complete    bool // every interleaving was explored
	// Limit says which limit ended the exploration early; "" if it is complete.
	Limit string
	// Fault is an instruction that the machine could not execute, at which the exploration ended; nil: none.
	Fault      *vm.Fault
	Reductions vm.Reductions // those that were used
	// Clock is the clock with which the program was explored: its form is one that admits what the code does with times.
	Clock ir.Clock
}

// Applicable are the reductions that can be used for whole programs.
const Applicable = vm.Fusing | vm.FrozenReads | vm.Symmetry

// Options configure an exploration. A limit of 0 means that there is none.
type Options struct {
	Reductions vm.Reductions // used where they apply; 0: none
	Workers    int           // goroutines that search; 0 means 1
	MaxStates  uint64
	MaxBytes   int64 // of memory for the search, see explore.Options
	Timeout    time.Duration
	// NoCycles: do not look for executions without end.
	NoCycles bool
	// Leaks: look for goroutines that wait for ever after main has returned.
	Leaks bool
	// CutOff: goroutines that main, or the test, starts itself do not count as leaks.
	CutOff bool
	// Schedules: add a shortest schedule to each outcome, which takes a second search.
	Schedules bool
	// Scenes: add the state after each step to the witnesses of schedules.
	Scenes bool
	// Progress, if not nil, is called every 16384 states.
	Progress func(explore.Progress)
}

// Explore enumerates the outcomes of a program that starts at main. An error is a failure of Pangolin; what the machine cannot execute is
// in Report.Fault.
func Explore(ctx context.Context, prog *ir.Program, main *ir.Func, opt Options) (*Report, error) {
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.Timeout)
		defer cancel()
	}
	opt.Reductions &= Applicable
	for {
		img, err := vm.NewImage(prog)
		if err != nil {
			return nil, err
		}
		if opt.CutOff {
			img.CutOff(main)
		}
		x := newExploration(img, main, opt)
		r, err := x.run(ctx)
		if !x.withdrawn() {
			return r, err
		}
		prog = withForm(prog, img.NeedsForm())
	}
}

// withForm is a program whose clock has another form. Where timers fire at any moment, only years are counted then: one, once.
func withForm(prog *ir.Program, form ir.ClockForm) *ir.Program {
	p := *prog
	p.Clock.Form = form
	if !p.Clock.Virtual {
		p.Clock.Form, p.Clock.Jumps = ir.ClockCounts, 1
	}
	return &p
}

// run explores the program, unless it turns out to need another form of the clock.
func (x *exploration) run(ctx context.Context) (*Report, error) {
	opt := &x.opt
	x.explore(ctx)
	if x.withdrawn() {
		return nil, nil
	}
	if x.assumed.Fault() == nil && x.needsEndless {
		x.searchEndless(ctx)
	}
	if opt.Schedules {
		if err := x.findSchedules(ctx); err != nil {
			return nil, err
		}
	}
	return x.report(), nil
}

func (x *exploration) report() *Report {
	r := &Report{States: x.result.States, Transitions: x.result.Transitions, Complete: x.limit == "" && x.assumed.Fault() == nil,
		Limit: x.limit, Fault: x.assumed.Fault(), Reductions: x.reductions(), Clock: x.img.Prog.Clock}
	for _, o := range x.found {
		slices.SortFunc(o.At, func(a, b verdict.Place) int { return strings.Compare(a.String(), b.String()) })
		r.Outcomes = append(r.Outcomes, *o)
	}
	slices.SortFunc(r.Outcomes, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.key(), b.key()))
	})
	return r
}

// key is different for different outcomes.
func (o *Outcome) key() string {
	var involved []string
	for _, s := range o.Involved {
		involved = append(involved, s.String())
	}
	for _, c := range o.Accesses {
		involved = append(involved, c.String())
	}
	return fmt.Sprintf("%d %d %q %q %q %q", o.Kind, o.Exit, o.Stdout, o.Stderr, o.Panic, involved)
}
