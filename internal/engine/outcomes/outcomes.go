// Package outcomes enumerates how a whole program can end: it explores every
// interleaving of the program's goroutines and every decision that Go leaves open,
// and collects each distinct outcome once, with a schedule that leads to it.
//
// It takes a compiled program and gives a Report. It judges nothing: which outcome
// is wanted is for the reader to say.
package outcomes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"pangolin/internal/explore"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// Outcome is one way in which executions of a program end, or, for a data race or
// an execution without end, something that happens in them.
type Outcome struct {
	Stdout   string
	Stderr   string   // what the program itself printed there
	Exit     int      // exit status
	Panic    string   // "panic: …" or "fatal error: …" as the runtime prints it; "" if there is none
	Deadlock bool     // no goroutine can go on; Waiting says why
	Endless  bool     // an execution that never ends although every goroutine gets its turns
	Race     bool     // a data race; Waiting has both accesses
	Waiting  []string // one line for each goroutine that is involved
	Schedule []Turn   // one execution that ends so
}

// Turn is a step of a schedule.
type Turn struct {
	Thread  int    // in order of creation, main is 0
	What    string // the visible access, "file.go:12 in f"
	Choices []uint32
}

// Report is what an exploration found.
type Report struct {
	Outcomes    []Outcome // sorted
	States      uint64
	Transitions uint64
	Complete    bool   // every interleaving has been explored
	Limit       string // otherwise what ended the exploration, a sentence
	Fault       *vm.Fault
}

// Options bound an exploration and choose its reductions.
type Options struct {
	Workers   int
	MaxStates uint64
	MaxBytes  int64
	Timeout   time.Duration
	// NoSymmetry keeps states apart that differ only in the names of goroutines.
	NoSymmetry bool
	// NoFusing makes every memory access a scheduling point.
	NoFusing bool
	// NoCycles does not look for executions without end.
	NoCycles bool
	// Schedules adds a schedule to each outcome.
	Schedules bool
	Progress  func(explore.Progress)
}

// Explore enumerates the outcomes of a program that starts at main.
func Explore(ctx context.Context, prog *ir.Program, main *ir.Func, opt Options) (*Report, error) {
	img, err := vm.NewImage(prog)
	if err != nil {
		return nil, err
	}
	x := &exploration{opt: opt, found: map[string]*Outcome{}}
	x.sys = &system{img: img, main: main, opt: vm.Options{
		NoSymmetry: opt.NoSymmetry, NoFusing: opt.NoFusing, HeapBytes: 256 << 20, Frames: 100_000,
	}}
	res := explore.Run(ctx, x.sys, explore.Options{
		Workers: opt.Workers, MaxStates: opt.MaxStates, MaxBytes: opt.MaxBytes, Timeout: opt.Timeout,
		Visit: x.visit, Cycles: !opt.NoCycles, OnComponent: x.onComponent(ctx), Progress: opt.Progress,
	})
	return x.report(res), nil
}

// exploration collects outcomes; its visits may come from several workers.
type exploration struct {
	sys *system
	opt Options

	mu    sync.Mutex
	found map[string]*Outcome
	fault *vm.Fault
}

func (x *exploration) onComponent(ctx context.Context) func(*explore.Component) explore.Action {
	if x.opt.NoCycles {
		return nil
	}
	return func(c *explore.Component) explore.Action { return x.component(ctx, c) }
}

// visit looks at one new state.
func (x *exploration) visit(c explore.Cursor, t explore.Trail, _ int) explore.Action {
	m := c.(*cursor).m
	if f := m.Fault(); f != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.fault = f
		return explore.Stop
	}
	if m.Ended().Kind != vm.Running {
		x.add(ended(m), t)
		return explore.Continue
	}
	if m.Deadlocked() {
		x.add(deadlock(m), t)
		return explore.Continue
	}
	if r, ok := m.Race(); ok {
		x.add(race(m, r), t)
	}
	return explore.Continue
}

// add records an outcome unless it is known.
func (x *exploration) add(o Outcome, t explore.Trail) { x.addPath(o, t.Path) }

func (x *exploration) addPath(o Outcome, path func() explore.Path) {
	key := o.key()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.found[key] != nil {
		return
	}
	if x.opt.Schedules {
		o.Schedule = x.schedule(path())
	}
	x.found[key] = &o
}

// key tells outcomes apart.
func (o *Outcome) key() string {
	return fmt.Sprintf("%t %t %t %d %q %q %q %q", o.Race, o.Deadlock, o.Endless, o.Exit, o.Stdout, o.Stderr, o.Panic, o.Waiting)
}

func ended(m *vm.Machine) Outcome {
	e := m.Ended()
	o := Outcome{Exit: e.Code, Panic: m.Text(e.Text)}
	o.Stdout, o.Stderr = m.Printed()
	return o
}

const deadlockText = "fatal error: all goroutines are asleep - deadlock!"

func deadlock(m *vm.Machine) Outcome {
	o := Outcome{Exit: 2, Deadlock: true, Panic: deadlockText, Waiting: m.Waiting()}
	o.Stdout, o.Stderr = m.Printed()
	return o
}

func race(m *vm.Machine, r vm.Race) Outcome {
	lines := []string{m.DescribeAccess(r, 0), m.DescribeAccess(r, 1)}
	slices.Sort(lines)
	return Outcome{Race: true, Waiting: lines}
}

// component looks at a part of the state graph that has a cycle: an execution may
// stay in it for ever. That counts if every goroutine that can always go on does
// (weak fairness).
func (x *exploration) component(ctx context.Context, c *explore.Component) explore.Action {
	if x.opt.NoSymmetry {
		if c.Fair() {
			x.addPath(x.endless(c), c.Trail)
		}
		return explore.Continue
	}
	// Threads change their places along edges: look again without symmetry.
	plain := *x.sys
	plain.opt.NoSymmetry = true
	explore.Run(ctx, &plain, explore.Options{From: c.Root, Cycles: true, MaxStates: componentStates,
		OnComponent: func(d *explore.Component) explore.Action {
			if d.Fair() {
				x.addPath(x.endless(d), c.Trail)
				return explore.Stop
			}
			return explore.Continue
		}})
	return explore.Continue
}

// componentStates bounds the second look at a component.
const componentStates = 1 << 20

func (x *exploration) endless(c *explore.Component) Outcome {
	cur := x.sys.NewCursor().(*cursor)
	cur.m.Load(c.Root)
	o := Outcome{Endless: true, Waiting: cur.m.Standing(c.Moved.List())}
	o.Stdout, o.Stderr = cur.m.Printed()
	return o
}

func (x *exploration) report(res explore.Result) *Report {
	r := &Report{States: res.States, Transitions: res.Transitions, Complete: res.Complete, Fault: x.fault}
	for _, o := range x.found {
		r.Outcomes = append(r.Outcomes, *o)
	}
	slices.SortFunc(r.Outcomes, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.key(), b.key()))
	})
	switch {
	case x.fault != nil:
		r.Limit = x.fault.Error()
	case !res.Complete:
		r.Limit = fmt.Sprintf("the limit on %s was reached after %d states", res.Limit, res.States)
	}
	return r
}

// rank orders outcomes by kind: normal ends first.
func (o *Outcome) rank() int {
	switch {
	case o.Race:
		return 4
	case o.Endless:
		return 3
	case o.Deadlock:
		return 2
	case o.Panic != "":
		return 1
	}
	return 0
}
