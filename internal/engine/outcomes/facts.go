// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"slices"
	"strings"

	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Conversion of what an exploration found to verdicts.

// Situations describes the goroutines that have not ended.
func Situations(m *vm.Machine) []verdict.Situation {
	var list []verdict.Situation
	for _, s := range m.Situations() {
		list = append(list, situationOf(&s))
	}
	return counted(list)
}

func situationOf(s *vm.Situation) verdict.Situation {
	return verdict.Situation{Goroutine: s.Goroutine, Waits: s.Waits, For: s.For, Object: s.Object, Place: verdict.Place(s.Place)}
}

// named makes situations of goroutines of which only the sorted names are known.
func named(names []string) []verdict.Situation {
	var list []verdict.Situation
	for _, name := range names {
		list = append(list, verdict.Situation{Goroutine: name})
	}
	return counted(list)
}

// counted combines equal situations that follow each other into one with a count.
func counted(list []verdict.Situation) []verdict.Situation {
	var out []verdict.Situation
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && list[n].String() == list[i].String() {
			n++
		}
		s := list[i]
		if n > i+1 {
			s.Count = n - i
		}
		out = append(out, s)
		i = n
	}
	return out
}

// kinds are the kinds of outcomes in verdicts.
var kinds = [...]verdict.OutcomeKind{Exited: verdict.Exited, Panicked: verdict.Panicked, Deadlock: verdict.Deadlocked,
	Endless: verdict.Endless, Race: verdict.Raced, Leak: verdict.Leaked}

// name is the name of this engine.
const name = "outcomes"

// Verdict converts the report to a verdict, which is violated if some outcome is not good.
func (r *Report) Verdict() verdict.Verdict {
	v := verdict.Verdict{Status: verdict.Verified, Effort: verdict.Effort{Clients: "1", States: r.States, Transitions: r.Transitions},
		Findings: verdict.Findings{Outcomes: r.Facts()}}
	switch {
	case r.Fault != nil:
		v.Status, v.Reason, v.Cause = verdict.Unknown, v.Outcomes.Fault, verdict.Unsupported
		if r.Fault.Kind == vm.FaultLocal {
			v.Cause = verdict.Limited
		}
	case !r.Complete:
		v.Status, v.Reason, v.Cause = verdict.Unknown, r.Limit, verdict.Limited
	}
	for i := range r.Outcomes {
		if !r.Outcomes[i].Good() {
			v.Status, v.Cause, v.Reason = verdict.Violated, "", "an execution ends in another way than by itself with status 0"
		}
	}
	return v
}

// Facts converts the report to its part of a verdict, without the source lines of schedules.
func (r *Report) Facts() *verdict.Outcomes {
	f := &verdict.Outcomes{Complete: r.Complete, Limit: r.Limit, Reductions: r.Reductions.Names()}
	if r.Fault != nil {
		f.Fault, _, _ = strings.Cut(r.Fault.Error(), "\n")
	}
	for i := range r.Outcomes {
		f.List = append(f.List, r.Outcomes[i].facts())
	}
	return f
}

func (o *Outcome) facts() verdict.Outcome {
	f := verdict.Outcome{Kind: kinds[o.Kind], Stdout: o.Stdout, Stderr: o.Stderr, Panic: o.Panic,
		At: slices.Clone(o.At), Involved: o.Involved, Race: o.Accesses}
	if o.Kind < Endless {
		exit := o.Exit
		f.Exit = &exit
	}
	if o.Schedule != nil {
		f.Schedule, f.Cycle, f.Execution = steps(o.Schedule.Turns), steps(o.Schedule.Cycle), o.Schedule.Witness
	}
	return f
}

func steps(turns []Turn) []verdict.OutcomeStep {
	var list []verdict.OutcomeStep
	for _, t := range turns {
		list = append(list, verdict.OutcomeStep{Thread: t.Thread, Goroutine: t.Goroutine, Begins: t.Begins, Does: t.Does,
			Place: verdict.Place(t.Place), Decisions: t.Decisions})
	}
	return list
}
