package bounded

import (
	"errors"
	"fmt"
	"strings"

	"pangolin/internal/consist"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// client prints the calls that the threads have made.
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
		for _, s := range r.w.Steps {
			if s.Thread == thread && s.Invoke != "" {
				calls = append(calls, s.Invoke)
			}
		}
		if len(calls) > 0 {
			parts = append(parts, fmt.Sprintf("%d: %s", thread+1, strings.Join(calls, ", ")))
		}
	}
	return strings.Join(parts, "  |  ")
}

// spec is the oracle at the time when the threads start.
func (r *replayer) spec() (oracle.Spec, error) {
	state, ok := r.c.start, r.c.found == nil
	if !ok {
		return nil, errors.New(r.c.found.message)
	}
	return oracle.StartingAt(r.sys.subject.Spec, state), nil
}

func (r *replayer) judge(p consist.Property) (consist.Judgement, error) {
	spec, err := r.spec()
	if err != nil {
		return consist.Judgement{}, err
	}
	return consist.Check(spec, r.w.History, p)
}

func (r *replayer) confirmHistory(p consist.Property) error {
	if r.c.found != nil { // a pre-add
		r.w.Message = r.c.found.message
		return nil
	}
	spec, err := r.spec()
	if err != nil {
		return err
	}
	check := consist.Check
	if len(r.busy) > 0 { // not stuck, but on their way
		check = consist.CheckUnfinished
	}
	j, err := check(spec, r.w.History, p)
	switch {
	case err != nil:
		return err
	case j.OK:
		return fmt.Errorf("an order fits: %v", j.Order)
	}
	r.w.Message = "no order of the operations explains their results"
	r.w.Explanation = j.Why.String()
	return nil
}

// confirmStuck checks that the threads that are stuck are without a reason.
func (r *replayer) confirmStuck(p consist.Property) error {
	w, m := r.w, r.c.m
	for thread := range r.sys.threads {
		if _, ok := r.busy[thread]; ok {
			w.Waiting = append(w.Waiting, fmt.Sprintf("thread %d, %s: %s", thread+1, r.names[thread], m.Situation(thread)))
		}
	}
	if w.Class == Nontermination {
		w.Message = "the operations can run for ever without one of them returning"
		return nil
	}
	if w.Class == Deadlock && !r.c.stuck() {
		return fmt.Errorf("a thread can go on")
	}
	j, err := r.judge(p)
	switch {
	case err != nil:
		return err
	case j.OK:
		return fmt.Errorf("the oracle lets every operation wait that does")
	}
	w.Message = "operations wait for ever that the oracle lets return"
	if w.Class == Livelock {
		w.Message = "operations run for ever, and nothing can make them return"
	}
	if w.Class == Deadlock && j.Why.Partner >= 0 {
		w.Message = "operations wait for ever for each other"
	}
	w.Explanation = j.Why.String()
	return nil
}

func (r *replayer) confirmPanic() error {
	if e := r.c.m.Ended(); e.Kind != vm.Running {
		r.w.Message = r.c.m.Text(e.Text)
		return nil
	}
	for thread := range r.sys.threads {
		if text := r.c.m.Panicked(thread); text != "" {
			r.w.Message = text
			return nil
		}
	}
	return errors.New("nothing panics")
}
