// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/facts"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// The second judgement of a violation. The search relied on the monitor and on assumptions; here the execution, repeated without any of
// them, is judged by trying every order of its calls. Each class of violation has its own question: does no order fit; can no thread
// continue, and may they not wait; is it this panic; are two threads about to access the same memory.

// client describes the calls of the threads: "pre: Add(0)  |  1: Add(1)".
func (r *replayer) client() string {
	var parts []string
	if len(r.w.Pre) > 0 {
		var calls []string
		for _, s := range r.w.Pre {
			calls = append(calls, r.sys.subject.Operations[s.Op].Client.Call(s.Args))
		}
		parts = append(parts, "pre: "+strings.Join(calls, ", "))
	}
	for thread := range r.sys.threads {
		var calls []string
		for _, e := range r.w.Events {
			if e.Thread == thread+1 {
				calls = append(calls, e.CallText())
			}
		}
		if len(calls) > 0 {
			parts = append(parts, fmt.Sprintf("%d: %s", thread+1, strings.Join(calls, ", ")))
		}
	}
	return strings.Join(parts, "  |  ")
}

// spec is the oracle in the state in which the threads start.
func (r *replayer) spec() (oracle.Spec, error) {
	state, ok := r.c.start, r.c.found == nil
	if !ok {
		return nil, errors.New(r.c.found.message)
	}
	return oracle.StartingAt(r.sys.subject.Spec, state), nil
}

func (r *replayer) judge(p consist.Property) (consist.Judgement, error) {
	return r.byPermutations(r.w.History, p, false)
}

func (r *replayer) confirmHistory(p consist.Property) error {
	if r.c.found != nil { // a pre-add is wrong
		r.w.Message = r.c.found.message
		return nil
	}
	spec, err := r.spec()
	if err != nil {
		return err
	}
	// The search stops at the first state in which no order fits. Some calls may be in progress
	// there, unlike in a stuck history: they may or may not have taken effect.
	j, err := r.byPermutations(r.w.History, p, len(r.busy) > 0)
	switch {
	case err != nil:
		return err
	case j.OK:
		return fmt.Errorf("an order fits: %v", j.Order)
	}
	r.w.Class, r.w.Message = History, "no order of the operations explains their results"
	if text, err := r.unknownPanic(spec); err != nil {
		return err
	} else if text != "" {
		r.w.Class, r.w.Message = Panic, text
		return nil
	}
	// The oracle self has no order for calls that return only together, so that none fits although nothing may be
	// wrong. This is asked last, because it executes the code.
	if met, err := r.sys.subject.Meet(r.c.start, r.w.History); err != nil {
		return err
	} else if met {
		return fmt.Errorf("%w: %s (%s) cannot be judged by the code executed one operation at a time (oracle self)",
			subject.ErrUndecided, subject.MetOnly, r.client())
	}
	r.w.Explanation = facts.Explain(j.Why, r.w.History)
	return nil
}

// panicked is a call that has panicked.
type panicked struct {
	call  oracle.Call
	text  string
	crash *verdict.Crash // where the panic began
}

// mostPanicStates is how many states of the oracle unknownPanic looks at.
const mostPanicStates = 1 << 14

// unknownPanic is the text of the first panic that the oracle does not have: it lets the call panic in no state that the calls of the
// history can lead to. Then the panic is the violation, under every property; "" if there is none, or if there are too many states.
func (r *replayer) unknownPanic(spec oracle.Spec) (string, error) {
	known := map[oracle.Call]bool{}
	for _, p := range r.panics {
		_, lasts := oracle.Ends(spec, p.call.Op) // a call that ends at a moment of its own may panic there, and is left to the orders
		if known[p.call] = lasts; !lasts && !oracle.MayPanic(spec, p.call.Op) {
			r.w.Crash = p.crash
			return p.text, nil
		}
	}
	if len(r.panics) == 0 {
		return "", nil
	}
	var calls []oracle.Call // each once
	made := 0
	for _, e := range r.w.History.Events {
		if e.Phase != history.Invoke {
			continue
		}
		made++
		if c := (oracle.Call{Op: e.Method, Args: e.Args}); !slices.Contains(calls, c) {
			calls = append(calls, c)
		}
	}
	// A panic is known if the oracle has it for this call in some state to which as many calls of the history lead in any order. That is
	// more than the orders that are tried, so a panic that could be right is left to them.
	level := []oracle.State{spec.Initial()}
	met := map[oracle.State]bool{level[0]: true}
	for ; made > 0 && len(level) > 0; made-- {
		var next []oracle.State
		for _, s := range level {
			for _, c := range calls {
				outcomes, err := spec.Outcomes(s, c)
				if err != nil {
					return "", err
				}
				for _, o := range outcomes {
					known[c] = known[c] || o.Result.IsPanic()
					if !met[o.Next] {
						met[o.Next] = true
						next = append(next, o.Next)
					}
				}
			}
		}
		if level = next; len(met) > mostPanicStates {
			return "", nil
		}
	}
	for _, p := range r.panics {
		if !known[p.call] {
			r.w.Crash = p.crash
			return p.text, nil
		}
	}
	return "", nil
}

// confirmStuck checks that the oracle does not let the threads wait.
func (r *replayer) confirmStuck(p consist.Property) error {
	w := r.w
	if r.c.makes() {
		return r.confirmMaking()
	}
	for thread := range r.sys.threads {
		if _, ok := r.busy[thread]; ok {
			w.Waiting = append(w.Waiting, r.situation(thread))
		}
	}
	if w.Class != Deadlock && w.Loop < 0 {
		return errors.New("the execution has no cycle, so that it is not endless")
	}
	if w.Loop >= 0 && r.c.m.Draws() > r.lap.draws {
		return fmt.Errorf("%w: a loop of %s draws random numbers, of which only %d are explored: another one may end it", subject.ErrUndecided, r.client(), vm.FewRandoms)
	}
	if w.Class == Nontermination {
		w.Message = "the operations can run for ever without one of them returning"
		return nil
	}
	if w.Class == Deadlock && !play.Stuck(r.c.place) {
		return fmt.Errorf("a thread can continue, so that it is no deadlock")
	}
	j, err := r.judge(p)
	switch {
	case err != nil:
		return err
	case j.OK:
		return fmt.Errorf("the oracle permits every wait")
	}
	w.Message = "operations wait for ever that the oracle lets return"
	if w.Class == Livelock {
		w.Message = "operations run for ever, and nothing can make them return"
	}
	if w.Class == Deadlock && j.Why.Partner >= 0 {
		w.Message = "operations wait for ever for each other"
	}
	w.Explanation = facts.Explain(j.Why, r.w.History)
	return nil
}

// confirmMaking checks that a pre-add waits for ever.
func (r *replayer) confirmMaking() error {
	f := r.c.examineMaking()
	if f == nil || f.class != Deadlock {
		return errors.New("the oracle lets the pre-add wait, or it can continue")
	}
	r.w.Message = f.message
	return nil
}

// confirmPanic: a fatal error ends the program; a panic is the result of a call.
func (r *replayer) confirmPanic(p consist.Property) error {
	if e := r.c.m.Ended(); e.Kind != vm.Running {
		r.w.Message = r.c.m.Text(e.Text)
		r.w.Crash = r.crash(r.last, r.w.Message)
		return nil
	}
	if len(r.panics) == 0 {
		return errors.New("no call panics")
	}
	return r.confirmHistory(p)
}
