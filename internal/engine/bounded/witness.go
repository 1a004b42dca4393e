// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Conversion of recordings to witnesses, and back. A witness counts threads from 1 and contains no number that depends on this process or a
// search, because it is read by people and executed by later versions of the code.

// replayWitness executes a witness again.
func replayWitness(s *subject.Subject, w *verdict.Witness) (*verdict.Witness, error) {
	rec, err := recordingOf(w)
	if err != nil {
		return nil, err
	}
	p := consist.Property(w.Subject.Property)
	b, err := replay(s, p, rec, true)
	if errors.Is(err, ErrNotReplayed) { // the compiler may count instructions differently now
		var fitted Recording
		if fitted, err = refit(s, w, rec); err == nil {
			b, err = replay(s, p, fitted, true)
		}
	}
	if errors.Is(err, ErrNotReplayed) {
		return nil, fmt.Errorf("the witness does not replay, so the code has changed since: %w", err)
	}
	if err != nil {
		return nil, err
	}
	// What readers see is described anew from the present code. The schedule is that of this execution, which has
	// other counts than the file's if it was fitted.
	now := *w
	now.Schedule = scheduleOf(&b.Recording)
	describe(&now, b, s.Lines)
	return &now, nil
}

// scheduleOf converts a recording to a witness's schedule.
func scheduleOf(r *Recording) verdict.Schedule {
	s := verdict.Schedule{PreAdds: []verdict.Call{}, Start: r.Start, Turns: []verdict.Turn{}, Cycle: r.Cycle + 1}
	for _, c := range r.Pre {
		s.PreAdds = append(s.PreAdds, callOf(c))
	}
	for _, ran := range r.Begun {
		s.Begun = append(s.Begun, [2]int{ran.Thread + 1, ran.Instructions})
	}
	calls := r.Calls
	for _, t := range r.Turns {
		turn := verdict.Turn{Thread: t.Thread + 1, Decisions: t.Decisions}
		if invokes(t.Move) {
			c := callOf(calls[0])
			turn.Call, calls = &c, calls[1:]
		}
		for _, ran := range t.Ran {
			turn.Ran = append(turn.Ran, [2]int{ran.Thread + 1, ran.Instructions})
		}
		s.Turns = append(s.Turns, turn)
	}
	return s
}

func callOf(s client.Step) verdict.Call {
	c := verdict.Call{Op: s.Op, Args: []int64{}}
	for i := range s.Args.Len() {
		c.Args = append(c.Args, s.Args.At(i).Int)
	}
	return c
}

func stepOf(c verdict.Call) client.Step { return client.Step{Op: c.Op, Args: history.Ints(c.Args...)} }

// recordingOf converts a witness to a recording.
func recordingOf(w *verdict.Witness) (Recording, error) {
	hash, err := client.ParseHash(w.Scope.Hash, client.Hash{})
	if err != nil {
		return Recording{}, err
	}
	s := &w.Schedule
	r := Recording{Class: Class(w.Class), Threads: w.Threads, Hash: hash, Start: s.Start, Cycle: s.Cycle - 1}
	for _, c := range s.PreAdds {
		r.Pre = append(r.Pre, stepOf(c))
	}
	for _, ran := range s.Begun {
		r.Begun = append(r.Begun, vm.Ran{Thread: ran[0] - 1, Instructions: ran[1]})
	}
	for _, t := range s.Turns {
		turn := interleave.Turn{Thread: t.Thread - 1, Decisions: t.Decisions}
		if t.Call != nil {
			turn.Move = anyInvocation()
			r.Calls = append(r.Calls, stepOf(*t.Call))
		}
		for _, ran := range t.Ran {
			turn.Ran = append(turn.Ran, vm.Ran{Thread: ran[0] - 1, Instructions: ran[1]})
		}
		r.Turns = append(r.Turns, turn)
	}
	return r, nil
}
