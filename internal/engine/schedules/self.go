// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/native"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// self is the oracle that needs no specification: the same code, compiled, executed by one thread, one call after another (Line-Up, PLDI
// 2010). Goroutines that the code has started run on beside the calls, and every way in which they and the code's choices may go is tried:
// up to mostAlone ways. If there are more, or they do not repeat themselves (connections), so many schedules are drawn as sample says; then
// an outcome may be missing, which the verdict says (drawn).
//
// A state is the list of calls so far with what they have returned: the code is executed from the beginning for each question.
type self struct {
	subject *subject.Subject
	sampler runner
	known   map[string]*answers
	failed  error // of MayBlock, which returns none
	sample  int   // schedules that are drawn where not all can be tried
	drawn   bool  // they were, for some call
	ctx     context.Context
}

// done is a call with what it has returned.
type done struct {
	Op      int
	Args    []int64
	Results []string
}

// answers are what one call can do.
type answers struct {
	outcomes []oracle.Outcome
	waits    bool
	err      error
}

func newSelf(s *subject.Subject, sampler runner) *self {
	return &self{subject: s, sampler: sampler, known: map[string]*answers{}, sample: fewAlone}
}

// mostAlone is how many executions are tried of calls one after another.
const mostAlone = 300

// fewAlone is how many schedules are drawn if there are more; before a violation is shown, it is judged again with manyAlone.
const (
	fewAlone  = 60
	manyAlone = 600
)

func (o *self) Initial() oracle.State { return "[]" }

func (o *self) Accepting(oracle.State) bool { return true }

func (o *self) Outcomes(s oracle.State, c oracle.Call) ([]oracle.Outcome, error) {
	a := o.ask(s, c)
	return a.outcomes, a.err
}

func (o *self) MayBlock(s oracle.State, c oracle.Call) bool {
	if o.subject.Compiled.Waiting == subject.NeverWaits {
		return false
	}
	a := o.ask(s, c)
	if a.err != nil && o.failed == nil {
		o.failed = a.err
	}
	return a.waits
}

func (o *self) ask(s oracle.State, c oracle.Call) *answers {
	key := fmt.Sprintf("%s %d %v", s, c.Op, argsOf(c.Args))
	a := o.known[key]
	if a == nil {
		a = o.execute(s, c)
		if o.within().Err() == nil {
			o.known[key] = a
		}
	}
	return a
}

func (o *self) within() context.Context {
	if o.ctx != nil {
		return o.ctx
	}
	return context.Background()
}

// execute tries the calls of a state and one more.
func (o *self) execute(s oracle.State, c oracle.Call) *answers {
	var before []done
	if err := json.Unmarshal([]byte(s), &before); err != nil {
		return &answers{err: err}
	}
	var calls []native.Call
	for _, d := range before {
		calls = append(calls, native.Call{Op: d.Op, Args: d.Args})
	}
	calls = append(calls, native.Call{Op: c.Op, Args: argsOf(c.Args)})
	seq, err := o.alone(calls)
	if err != nil {
		return &answers{err: err}
	}
	a := &answers{}
	next := map[history.Tuple]oracle.State{}
	for _, h := range seq {
		if len(h.results) < 2 || len(h.results[1]) < len(before) || !agree(before, h.results[1]) {
			continue
		}
		if len(h.results[1]) == len(before) { // the call has not returned
			a.waits = a.waits || h.ending == native.Deadlock || h.ending == native.Endless
			continue
		}
		results := h.results[1][len(before)]
		words, err := wordsOf(results)
		if err != nil {
			return &answers{err: err}
		}
		state, err := json.Marshal(append(before[:len(before):len(before)], done{c.Op, argsOf(c.Args), results}))
		if err != nil {
			return &answers{err: err}
		}
		next[o.subject.Operations[c.Op].Tuple(words)] = oracle.State(state)
	}
	for _, result := range slices.SortedFunc(maps.Keys(next), func(x, y history.Tuple) int { return compare(fmt.Sprint(x), fmt.Sprint(y)) }) {
		a.outcomes = append(a.outcomes, oracle.Outcome{Result: result, Next: next[result]})
	}
	return a
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// alone executes calls one after another.
func (o *self) alone(calls []native.Call) ([]sequential, error) {
	seq, err := o.sampler.Alone(o.within(), calls, mostAlone)
	if err != nil {
		return nil, err
	}
	var list []sequential
	if seq.Fault == "" && seq.TooBig == "" {
		for _, h := range seq.Histories {
			list = append(list, sequential{h.Results, h.Ending, h.Text, h.Thread})
		}
		return list, nil
	}
	o.drawn = true
	a, err := o.sampler.Draw(o.within(), native.Sampling{Client: native.Client{Threads: [][]native.Call{calls}}, Steps: mostSteps, Count: o.sample, Seed: 1,
		Ways: []native.Way{{Name: native.Random}, {Name: native.PCT, Bound: 3}, {Name: native.Preempting, Bound: 2}, {Name: native.Preempting}}})
	switch {
	case err != nil:
		return nil, err
	case a.Fault != "":
		return nil, fmt.Errorf("the code executed one call at a time cannot judge it (oracle self): %s", a.Fault)
	case a.Cut > 0:
		return nil, fmt.Errorf("the code executed one call at a time does not end (oracle self): %s", a.CutBy)
	}
	for _, d := range a.Drawn {
		list = append(list, sequential{d.Results, d.Ending, d.Text, d.Thread})
	}
	return list, nil
}

// sequential is an execution of calls one after another.
type sequential struct {
	results [][][]string
	ending  native.Kind
	text    string
	thread  int // that panics; 0: none that makes calls
}

// agree says that calls have returned the same.
func agree(before []done, results [][]string) bool {
	for i, d := range before {
		if !slices.Equal(d.Results, results[i]) {
			return false
		}
	}
	return true
}

// panics says that a call of a client, one after another in some order, ends in the same panic: the code does that when one thread
// uses it, too. A goroutine that a call has left is no call: nobody can recover what it panics with.
func (o *self) panics(c client.Client, text string) (bool, error) {
	found := false
	err := orders(c, func(calls []client.Step) (bool, error) {
		seq, err := o.alone(append(callsOf(c.Pre), callsOf(calls)...))
		for _, h := range seq {
			found = found || h.ending == native.Panic && h.thread != 0 && firstLine(h.text) == firstLine(text)
		}
		return found, err
	})
	return found, err
}

// orders calls f with each order of the threads' calls until it says that this is enough.
func orders(c client.Client, f func([]client.Step) (bool, error)) error {
	at := make([]int, len(c.Threads))
	var calls []client.Step
	var ends bool
	var from func() error
	from = func() error {
		last := true
		for t := range c.Threads {
			if at[t] == len(c.Threads[t]) || ends {
				continue
			}
			last = false
			calls = append(calls, c.Threads[t][at[t]])
			at[t]++
			if err := from(); err != nil {
				return err
			}
			at[t]--
			calls = calls[:len(calls)-1]
		}
		if !last || ends {
			return nil
		}
		var err error
		ends, err = f(calls)
		return err
	}
	return from()
}
