// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Conversion of executions to the form of verdicts, in which threads, steps and calls are counted from 1.

// invoked is a call that begins with the given step.
func invoked(e *history.Event, step int) verdict.Event {
	return verdict.Event{Thread: e.Thread + 1, Operation: e.Name, Args: list(e.Notation.Arguments(e.Args)), Results: []string{}, Invoked: step}
}

// conflictsOf describes the two sides of a race. An access of an operation's caller has no place in the source.
func (r *replayer) conflictsOf(race vm.Race) []verdict.Conflict {
	var both []verdict.Conflict
	for side, thread := range race.Threads {
		c := verdict.Conflict{Thread: thread + 1, Write: race.Write[side], Object: race.What,
			Place: verdict.Place(race.At[side]), Frame: r.frames.Number(r.c.m.Stack(thread)), Holds: r.c.m.HeldBy(thread)}
		switch {
		case race.Caller[side] && thread < len(r.names):
			c.Place = verdict.Place{Function: "the caller of " + r.names[thread]}
		case race.Caller[side]: // a goroutine of the collection's calls what an operation was given
			c.Place = verdict.Place{Function: "a function that an operation was given"}
		}
		both = append(both, c)
	}
	return both
}

// confirmUnordered checks that an access at which a thread stands is in a race with one that was made before.
func (r *replayer) confirmUnordered() error {
	races := r.clocks.Races()
	if len(races) == 0 {
		return errors.New("no two accesses at its end are in a race")
	}
	for _, s := range races[0] {
		c := verdict.Conflict{Thread: s.Thread + 1, Write: s.Write, Object: r.c.m.MemoryName(max(races[0][0].P, races[0][1].P)),
			Place: verdict.Place(s.At), Frame: r.frames.Number(s.Stack), Holds: s.Holds, Step: s.Step}
		if s.Caller {
			c.Place = verdict.Place{Function: "the caller of " + r.names[s.Thread]}
		}
		r.w.Race = append(r.w.Race, c)
	}
	r.w.Message = fmt.Sprintf("data race: %s and, later, %s: nothing orders the two", r.w.Race[0], r.w.Race[1])
	return nil
}

// crash describes where the last panic of a thread, counted from 0, began.
func (r *replayer) crash(thread int, text string) *verdict.Crash {
	return &verdict.Crash{Thread: thread + 1, Text: text, Frame: r.frames.Number(r.c.m.Raised())}
}

// situation describes what a busy thread waits for, or is doing.
func (r *replayer) situation(thread int) verdict.Situation {
	x := r.frames.Situation(r.c.m, thread, func(place int) int { return place })
	x.Operation = r.names[thread]
	return x
}

// list replaces nil by an empty list, as JSON needs.
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
