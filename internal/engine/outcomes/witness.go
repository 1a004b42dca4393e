// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"fmt"
	"slices"

	"pangolin/internal/facts"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Conversion of schedules to those in witnesses, and back. A witness counts threads from 1: main is 1.

func scheduleOf(s *Schedule) verdict.Schedule {
	out := verdict.Schedule{PreAdds: []verdict.Call{}, Turns: []verdict.Turn{}}
	for _, t := range slices.Concat(s.Turns, s.Cycle) {
		turn := verdict.Turn{Thread: t.Thread + 1, Decisions: t.Decisions, Ran: [][2]int{}}
		for _, ran := range t.Ran {
			turn.Ran = append(turn.Ran, [2]int{ran.Thread + 1, ran.Instructions})
		}
		out.Turns = append(out.Turns, turn)
	}
	if len(s.Cycle) > 0 {
		out.Cycle = len(s.Turns) + 1
	}
	return out
}

// turnsOf returns the turns of a witness, and those that it repeats for ever.
func turnsOf(s *verdict.Schedule) (turns, cycle []interleave.Turn) {
	for i, t := range s.Turns {
		turn := interleave.Turn{Thread: t.Thread - 1, Decisions: t.Decisions}
		for _, ran := range t.Ran {
			turn.Ran = append(turn.Ran, vm.Ran{Thread: ran[0] - 1, Instructions: ran[1]})
		}
		if s.Cycle > 0 && i+1 >= s.Cycle {
			cycle = append(cycle, turn)
		} else {
			turns = append(turns, turn)
		}
	}
	return turns, cycle
}

// finish adds the program's name and source lines.
func finish(w *verdict.Witness, s *subject.Subject) {
	w.Type, w.Version, w.Source, w.Subject = "witness", verdict.Version, s.Source, s.About
	w.History = []verdict.Event{}
	facts.Quote(w, s.Lines)
}

// replay executes a witness again, and returns what happens now.
func replay(s *subject.Subject, w *verdict.Witness) (*verdict.Witness, error) {
	prog := s.Prog
	if form := ir.ClockForm(w.Source.Clock); form != prog.Clock.Form {
		prog = withForm(prog, form)
	}
	img, err := vm.NewImage(prog)
	if err != nil {
		return nil, err
	}
	now := &verdict.Witness{Scope: w.Scope, Schedule: w.Schedule}
	r := newReplayer(img, s.Main, now)
	r.scenes = true
	r.isIt = func(o *Outcome) bool { return alike(o, w.Ending) }
	if w.Ending.Kind == verdict.Raced {
		r.clock()
	}
	if err := r.run(turnsOf(&w.Schedule)); err != nil {
		return nil, fmt.Errorf("the witness does not replay, so the program has changed since: %w", err)
	}
	if now.Class != w.Class {
		return nil, fmt.Errorf("the witness does not replay, so the program has changed since: %s", now.Message)
	}
	finish(now, s)
	return now, nil
}

// alike reports whether an outcome is that of a witness, apart from line numbers.
func alike(o *Outcome, w *verdict.Outcome) bool {
	f := o.facts()
	same := f.Kind == w.Kind && f.Stdout == w.Stdout && f.Stderr == w.Stderr && f.Panic == w.Panic && (f.Exit == nil) == (w.Exit == nil)
	if !same || f.Exit != nil && *f.Exit != *w.Exit || len(f.Race) != len(w.Race) {
		return false
	}
	if f.Kind == verdict.Leaked && (f.Involved[0].Goroutine != w.Involved[0].Goroutine || f.Involved[0].For != w.Involved[0].For) {
		return false
	}
	for i := range f.Race {
		if f.Race[i].Object != w.Race[i].Object || f.Race[i].Write != w.Race[i].Write || f.Race[i].Function != w.Race[i].Function {
			return false
		}
	}
	return true
}
