// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// exploration collects outcomes; visits may come from several workers.
type exploration struct {
	img     *vm.Image
	main    *ir.Func
	opt     Options
	assumed *interleave.Assumptions

	sys          *system
	result       explore.Result
	limit        string // why the exploration is not complete; "" if it is
	needsEndless bool   // there are cycles that must be examined without symmetry

	mu    sync.Mutex
	found map[string]*Outcome
	// hunted contains the keys of races that only a hunt shows. telling is set if the search met a reason for a hunt, and survey restricts
	// it; see races.go.
	hunted  map[string]bool
	telling atomic.Bool
	survey  *vm.Survey
	goals   map[string]*goal // by the key of an endless outcome: how it is recognised again
}

// goal is a cycle of an outcome without end, and the saved state in which it begins.
type goal struct {
	root  []uint64
	cycle []explore.Taken
}

func newExploration(img *vm.Image, main *ir.Func, opt Options) *exploration {
	x := &exploration{img: img, main: main, opt: opt, assumed: interleave.NewAssumptions(img, opt.Reductions)}
	x.restart()
	return x
}

// restart drops what was found.
func (x *exploration) restart() {
	x.assumed.Begin()
	x.found, x.goals, x.hunted = map[string]*Outcome{}, map[string]*goal{}, map[string]bool{}
	x.telling.Store(false)
	x.needsEndless, x.limit = false, ""
	x.sys = x.system(x.opt.Reductions)
}

func (x *exploration) system(set vm.Reductions) *system {
	opt := interleave.Program(set)
	opt.Frozen, opt.Telling = x.assumed.Frozen, &x.telling
	return &system{img: x.img, main: x.main, opt: opt}
}

// reductions returns the reductions that are in use.
func (x *exploration) reductions() vm.Reductions {
	set := x.opt.Reductions
	if x.assumed.Frozen == nil {
		set &^= vm.FrozenReads
	}
	return set
}

// withdrawn reports whether the code needs another form of the clock: then nothing that was found counts.
func (x *exploration) withdrawn() bool { return x.img.NeedsForm() > x.img.Prog.Clock.Form }

func (x *exploration) symmetric() bool { return x.opt.Reductions&vm.Symmetry != 0 }

// explore repeats the search until no assumption has to be withdrawn. After a fault found by several workers, one worker searches
// again, so that the same fault is reported each time. A thread that was stopped after many steps may have waited for a change of
// memory that was assumed to be frozen; that assumption is withdrawn, too.
func (x *exploration) explore(ctx context.Context) {
	for {
		if x.search(ctx); x.withdrawn() {
			return
		}
		x.hunt(ctx)
		x.sys.tellBreaches(x.assumed)
		switch fault := x.assumed.Fault(); {
		case x.withdrawn():
			return
		case fault != nil && x.opt.Workers > 1 && !x.sys.breached():
			x.opt.Workers = 1
		case x.assumed.Withdraw():
		default:
			return
		}
		if ctx.Err() != nil {
			return
		}
		x.restart()
	}
}

func (x *exploration) search(ctx context.Context) {
	opt := explore.Options{
		Workers: x.opt.Workers, MaxStates: x.opt.MaxStates, MaxBytes: x.opt.MaxBytes, Progress: x.opt.Progress,
		Visit: x.visit, Cycles: !x.opt.NoCycles, OnComponent: x.onComponent(),
		ProgressEvery: progressEvery,
	}
	x.result = x.assumed.Run(func() explore.Result { return explore.Run(ctx, x.sys, opt) }, x.sys.breached)
	x.limited(x.result, "")
}

// progressEvery is the number of states between two calls of Progress.
const progressEvery = 1 << 14

// limited records why a search ended early, unless it was stopped on purpose. of says which one it was, if it is not the one whose states
// are reported.
func (x *exploration) limited(res explore.Result, of string) {
	switch {
	case res.Limit == explore.NoLimit || x.limit != "":
	case res.Limit == explore.LimitCancelled:
		x.limit = "interrupted"
	case of != "":
		x.limit = res.Limit.After(res.States) + " of " + of
	default:
		x.limit = fmt.Sprintf("the limit on %s was reached", res.Limit)
	}
}

// visit examines one new state.
func (x *exploration) visit(c explore.Cursor, _ explore.Trail, _ int) explore.Action {
	m := c.(*cursor).m
	if x.withdrawn() || x.assumed.Tell(m) {
		return explore.Stop
	}
	for _, o := range shown(m, x.opt.Leaks) {
		x.add(&o)
	}
	return explore.Continue
}

// add records an outcome, or another place of a known one. It reports whether the outcome is new.
func (x *exploration) add(o *Outcome) bool {
	key := o.key()
	x.mu.Lock()
	defer x.mu.Unlock()
	known := x.found[key]
	if known == nil {
		x.found[key] = o
		return true
	}
	for _, at := range o.At {
		if !slices.Contains(known.At, at) {
			known.At = append(known.At, at)
		}
	}
	return false
}

// shown lists the outcomes that a state shows: its end, a deadlock, leaks if they are wanted, or races.
func shown(m *vm.Machine, wantLeaks bool) (list []Outcome) {
	if m.Ended().Kind != vm.Running {
		return []Outcome{ended(m)}
	}
	if m.Deadlocked() {
		return []Outcome{deadlock(m)}
	}
	if wantLeaks {
		list = leaks(m)
	}
	if _, ok := m.Race(); !ok {
		return list
	}
	for _, r := range m.Races() {
		list = append(list, raceOf(m, r))
	}
	return list
}

func ended(m *vm.Machine) Outcome {
	e := m.Ended()
	o := Outcome{Kind: Exited, Exit: e.Code, Panic: m.Text(e.Text)}
	if e.Kind != vm.Exited {
		o.Kind, o.At = Panicked, []verdict.Place{verdict.Place(m.EndedAt())}
	}
	o.Stdout, o.Stderr = m.Printed()
	return o
}

func deadlock(m *vm.Machine) Outcome {
	o := Outcome{Kind: Deadlock, Exit: 2, Panic: m.DeadlockText(), Involved: Situations(m), Waits: m.WaitReasons()}
	o.Stdout, o.Stderr = m.Printed()
	return o
}

// leaks makes an outcome for each goroutine that has leaked.
func leaks(m *vm.Machine) (list []Outcome) {
	for _, i := range m.Leaked() {
		s := m.Situation(i)
		list = append(list, Outcome{Kind: Leak, Involved: []verdict.Situation{situationOf(&s)}})
	}
	return list
}

func raceOf(m *vm.Machine, r vm.Race) Outcome {
	var sides []verdict.Conflict
	for side := range r.Threads {
		sides = append(sides, verdict.Conflict{Write: r.Write[side], Object: r.What, Place: verdict.Place(r.At[side])})
	}
	return racing(sides)
}

// racing makes the outcome of a race.
func racing(sides []verdict.Conflict) Outcome {
	o := Outcome{Kind: Race, Accesses: sides}
	slices.SortFunc(o.Accesses, func(a, b verdict.Conflict) int { return strings.Compare(a.String(), b.String()) })
	return o
}
