// SPDX-License-Identifier: BSD-3-Clause

// Package outcomes enumerates how a whole program can end: it explores every
// interleaving of the program's goroutines and every decision that Go leaves open,
// and collects each distinct outcome once, with a schedule that leads to it.
//
// It takes a compiled program and gives a Report. It judges nothing: which outcome
// is wanted is for the reader to say. It does not load source code, and prints
// nothing.
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

// Outcome is one way in which executions of a program end, or, for a data race or
// an execution without end, something that happens in them. It does not depend on
// the order in which states were visited, nor on the reductions.
type Outcome struct {
	Kind   Kind
	Stdout string
	Stderr string // what the program itself printed there
	Exit   int    // exit status; 0 for races, leaks and executions without end, which have none
	Panic  string // "panic: …" or "fatal error: …" as the runtime prints it; "" if there is none
	// At has, sorted, the places where the panic or fatal error is raised in executions
	// that end so.
	At []verdict.Place
	// Involved are the goroutines of a deadlock and what each waits for, the one of a leak, or, of an
	// execution without end, those that go on, by name only. They are in the order of
	// their texts, equal ones counted.
	Involved []verdict.Situation
	Accesses []verdict.Conflict // of a race: both, in the order of their texts
	// Waits says what the goroutines of a deadlock wait for, in the words of the Go
	// runtime, sorted.
	Waits []string
	// Schedule is one execution that ends so; Options.Schedules asks for it.
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

// Good says that the program ends by itself with status 0.
func (o *Outcome) Good() bool { return o.Kind == Exited && o.Exit == 0 }

// Report is what an exploration found.
type Report struct {
	Outcomes    []Outcome // sorted
	States      uint64
	Transitions uint64
	Complete    bool // every interleaving has been explored
	// Limit says what ended the exploration early, or why something was left
	// unexplored; "" if it is complete.
	Limit string
	// Fault is what the machine could not execute: the exploration ended there.
	Fault      *vm.Fault
	Reductions vm.Reductions // those that were used
}

// Applicable are the reductions that can be used for whole programs.
const Applicable = vm.Fusing | vm.FrozenReads | vm.Symmetry

// Options bound an exploration and choose its reductions. Limits of 0 are none.
type Options struct {
	Reductions vm.Reductions // to be used where they apply; 0: none
	Workers    int           // goroutines that search; 0 means 1
	MaxStates  uint64
	MaxBytes   int64 // of memory for the search, see explore.Options
	Timeout    time.Duration
	// NoCycles does not look for executions without end.
	NoCycles bool
	// Leaks looks for goroutines that main leaves behind and that wait for ever.
	Leaks bool
	// Schedules adds a shortest schedule to each outcome, which takes a second search.
	Schedules bool
	// Progress, if not nil, is called now and then.
	Progress func(explore.Progress)
}

// Explore enumerates the outcomes of a program that starts at main. Its errors are
// failures of Pangolin; what the program lacks is in Report.Fault.
func Explore(ctx context.Context, prog *ir.Program, main *ir.Func, opt Options) (*Report, error) {
	img, err := vm.NewImage(prog)
	if err != nil {
		return nil, err
	}
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.Timeout)
		defer cancel()
	}
	opt.Reductions &= Applicable
	x := newExploration(img, main, opt)
	x.explore(ctx)
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
		Limit: x.limit, Fault: x.assumed.Fault(), Reductions: x.reductions()}
	for _, o := range x.found {
		slices.SortFunc(o.At, func(a, b verdict.Place) int { return strings.Compare(a.String(), b.String()) })
		r.Outcomes = append(r.Outcomes, *o)
	}
	slices.SortFunc(r.Outcomes, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.key(), b.key()))
	})
	return r
}

// key tells outcomes apart.
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
