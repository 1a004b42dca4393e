// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/native"
	"pangolin/oracle"
)

// The classes of violations, as verdicts have them.
const (
	classHistory  = "history"
	classDeadlock = "deadlock"
	classLivelock = "livelock"
	classPanic    = "panic"
	classRace     = "race"
)

// judge says what is wrong with an execution; nil if nothing is.
func (s *search) judge(ctx context.Context, c client.Client, d *native.Drawn) (*fault, error) {
	if s.test {
		return s.judgeTest(d), nil
	}
	if self, ok := s.spec.(*self); ok {
		self.ctx = ctx
		defer func() { self.ctx = nil }()
	}
	f, err := s.judged(c, d)
	if self, ok := s.spec.(*self); ok && err == nil {
		err = self.failed
	}
	return f, err
}

func (s *search) judged(c client.Client, d *native.Drawn) (*fault, error) {
	if len(d.Races) > 0 && !s.job.NoRaces {
		return &fault{class: classRace, message: "two accesses to the same memory, one of which writes, and nothing orders them"}, nil
	}
	if d.Ending == native.Panic {
		if self, ok := s.spec.(*self); ok {
			if known, err := self.panics(c, d.Text); known || err != nil {
				return nil, err
			}
		}
		return &fault{class: classPanic, message: firstLine(d.Text)}, nil
	}
	if d.Left {
		return &fault{class: classPanic, message: "the program exits before all calls have returned"}, nil
	}
	h, pre, err := s.history(c, d)
	if err != nil {
		return nil, err
	}
	starts, err := s.after(pre)
	if err != nil {
		return nil, err
	}
	if len(starts) == 0 {
		return &fault{class: classHistory, message: "a call before the threads start returns what the oracle does not allow"}, nil
	}
	check := func(by func(oracle.Spec, history.History, consist.Property) (consist.Judgement, error)) (ok bool, why *consist.Explanation, err error) {
		for _, start := range starts {
			j, err := by(oracle.StartingAt(s.spec, start), h, s.job.Property)
			if err != nil || j.OK {
				return j.OK, nil, err
			}
			why = j.Why
		}
		return false, why, nil
	}
	noOrder := "no order of the operations explains their results"
	switch ok, why, err := check(consist.CheckUnfinished); {
	case err != nil:
		return nil, err
	case !ok:
		return &fault{class: classHistory, message: noOrder, why: why}, nil
	case d.Ending == native.Cut:
		return nil, nil
	}
	ok, why, err := check(consist.Check)
	switch {
	case err != nil || ok:
		return nil, err
	case d.Ending == native.Deadlock:
		return &fault{class: classDeadlock, message: "operations wait for ever that the oracle lets return", why: why}, nil
	case d.Ending == native.Endless:
		return &fault{class: classLivelock, message: "operations run for ever, and nothing can make them return", why: why}, nil
	}
	return &fault{class: classHistory, message: noOrder, why: why}, nil
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// endingText tells how an execution ended.
func endingText(d native.Drawn) string {
	switch d.Ending {
	case native.Panic:
		return firstLine(d.Text)
	case native.Deadlock:
		return "it waits for ever (" + strings.Join(d.Waits, ", ") + ")"
	}
	return "it ends with " + string(d.Ending)
}

// history is what an execution shows: the calls of the threads, and those before. A call that has taken no turn when the execution ends
// has not begun.
func (s *search) history(c client.Client, d *native.Drawn) (h history.History, pre []history.Event, err error) {
	h.Threads = max(1, len(c.Threads))
	if len(d.Results) == 0 || len(d.Results[0]) < len(c.Pre) {
		return h, nil, fmt.Errorf("the calls before the threads have not returned")
	}
	for i, step := range c.Pre {
		e, err := s.returned(step, 0, d.Results[0][i])
		if err != nil {
			return h, nil, err
		}
		pre = append(pre, e)
	}
	place := make([]int, len(c.Threads))
	for _, e := range d.Events {
		t := e.Thread - 1
		step := c.Threads[t][place[t]]
		if !e.Return {
			op := &s.job.Subject.Operations[step.Op]
			h.Events = append(h.Events, history.Event{Thread: t, Phase: history.Invoke, Method: step.Op, Name: op.Name, Args: step.Args, Notation: op.Client.Notation})
			continue
		}
		if len(d.Results[e.Thread]) <= place[t] {
			return h, nil, fmt.Errorf("a call has returned, and nothing says what")
		}
		r, err := s.returned(step, t, d.Results[e.Thread][place[t]])
		if err != nil {
			return h, nil, err
		}
		h.Events = append(h.Events, r)
		place[t]++
	}
	return h, pre, nil
}

// returned is the event of a call's return.
func (s *search) returned(step client.Step, thread int, texts []string) (history.Event, error) {
	op := &s.job.Subject.Operations[step.Op]
	words, err := wordsOf(texts)
	if err != nil {
		return history.Event{}, err
	}
	return history.Event{Thread: thread, Phase: history.Respond, Method: step.Op, Name: op.Name, Args: step.Args, Result: op.Tuple(words), Notation: op.Client.Notation}, nil
}

func wordsOf(texts []string) (words []uint64, err error) {
	for _, t := range texts {
		n, err := strconv.ParseInt(t, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the harness returns %q, which is no number", t)
		}
		words = append(words, uint64(n))
	}
	return words, nil
}

// after are the oracle's states in which the calls before the threads may leave it.
func (s *search) after(pre []history.Event) ([]oracle.State, error) {
	states := []oracle.State{s.spec.Initial()}
	for _, e := range pre {
		var next []oracle.State
		for _, state := range states {
			outcomes, err := s.spec.Outcomes(state, oracle.Call{Op: e.Method, Args: e.Args})
			if err != nil {
				return nil, err
			}
			for _, o := range outcomes {
				if o.Result == e.Result {
					next = append(next, o.Next)
				}
			}
		}
		states = next
	}
	return states, nil
}
