package bounded

import (
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Announcements are what the ghost code of a policy says (vm/ghost.go). They come between the
// invocation of a call and its response, in the order of their steps, and go to the monitor
// before a response of the same step. What a rule announces for another operation than the
// one that its thread executes is no rule of that operation, and is passed over; so is what is
// announced while the collection is made.

// hear lets the monitor see what the last step has announced. It says whether all was in
// order.
func (c *cursor) hear() bool {
	list := c.m.Announced()
	if len(list) == 0 {
		return true
	}
	monitor, ok := c.sys.monitor.(consist.Announcing)
	for i := 0; ok && i < len(list) && !c.makes(); i++ {
		a := &list[i]
		if !c.meant(a) {
			continue
		}
		r := &c.sys.subject.Rules[a.Rule]
		call := monitor.Pending(c.id, a.Thread)
		if !r.Own {
			call = c.callID(c.announcedCall(r, a))
		}
		c.id = monitor.Announce(c.id, a.Thread, call, monitor.Result(c.announcedResult(r, a)))
		if c.id == consist.Rejected {
			c.found = &finding{class: Point, thread: a.Thread}
			return false
		}
	}
	c.m.Hear()
	return true
}

// meant says that a rule is one of the operation that the thread executes.
func (c *cursor) meant(a *vm.Announcement) bool {
	return a.Thread < c.sys.threads && c.m.Tag(a.Thread)&tagBusy != 0 && c.running(a.Thread) == c.sys.subject.Rules[a.Rule].Operation
}

// announcedCall is the call that an announcement names.
func (c *cursor) announcedCall(r *subject.Rule, a *vm.Announcement) client.Step {
	step := client.Step{Op: r.Operation}
	for i, w := range c.asValues(a.Words[:r.Words], noItems(&c.sys.subject.Operations[r.Operation])) {
		step.Args = step.Args.With(i, history.IntValue(int64(w)))
	}
	return step
}

// announcedResult is the result that an announcement names.
func (c *cursor) announcedResult(r *subject.Rule, a *vm.Announcement) history.Tuple {
	op := &c.sys.subject.Operations[r.Operation]
	return op.Tuple(c.asValues(a.Words[r.Words:], op))
}

// noItems is an operation of which no word of a list is known to be an item.
func noItems(op *subject.Operation) *subject.Operation {
	o := *op
	o.Items = nil
	return &o
}

// rejection is the class of a history that the monitor rejects.
func (s *system) rejection() Class {
	if _, ok := s.monitor.(consist.Announcing); ok || s.guess != nil {
		return Point
	}
	return History
}

// announce notes what the last turn has announced, and shows it among the steps.
func (r *replayer) announce() {
	for i := range r.c.m.Announced() {
		a := &r.c.m.Announced()[i]
		s, busy := r.busy[a.Thread]
		rule := &r.sys.subject.Rules[a.Rule]
		if !busy || s.Op != rule.Operation {
			continue
		}
		step := s
		if !rule.Own {
			step = r.c.announcedCall(rule, a)
		}
		result := r.c.announcedResult(rule, a)
		r.announced = append(r.announced, consist.Announced{Kind: consist.Announces, Thread: a.Thread,
			Call: oracle.Call{Op: step.Op, Args: step.Args}, Result: result})
		r.add(verdict.Step{Thread: a.Thread + 1, Call: r.w.lastCall(a.Thread), Phase: verdict.Announce, Announced: r.announcement(step, result),
			Place: verdict.Place{File: rule.Pos.File, Line: rule.Pos.Line}})
	}
	r.c.m.Hear()
}

// announcement is what is announced, for readers.
func (r *replayer) announcement(step client.Step, result history.Tuple) string {
	op := &r.sys.subject.Operations[step.Op]
	text := op.Client.Call(step.Args)
	if results := op.Client.Notation.Results(result); results != "" {
		text += " = " + results
	}
	return text
}

// confirmPoint looks at the whole sequence of announcements, by the definitions.
func (r *replayer) confirmPoint() error {
	spec, err := r.spec()
	if err != nil {
		return err
	}
	broken, err := consist.CheckPolicy(spec, r.sys.subject.Keyed(), r.announced)
	switch {
	case err != nil:
		return err
	case broken == nil:
		return errors.New("the announcements keep every rule")
	case broken.Event < r.before:
		return fmt.Errorf("rule %s is broken before the end", broken.Rule)
	}
	e := &r.announced[broken.Event]
	r.w.Message = fmt.Sprintf("%s: thread %d: %s: %s", broken.Rule, e.Thread+1, r.subjectOf(broken.Event), broken.Text)
	return nil
}

// subjectOf says which call or announcement a rule is about.
func (r *replayer) subjectOf(event int) string {
	e := &r.announced[event]
	if e.Kind == consist.Announces {
		return "announces " + r.announcement(client.Step{Op: e.Call.Op, Args: e.Call.Args}, e.Result)
	}
	call := r.w.Events[r.w.lastCall(e.Thread)-1]
	return call.String()
}

// newMonitor is the monitor of what is asked.
func newMonitor(s *subject.Subject, opt *Options) (consist.Monitor, error) {
	auto, threads := oracle.NewAutomaton(s.Spec), opt.Scope.Threads.To
	if opt.Guess != nil {
		return consist.NewGuessMonitor(auto, &opt.Guess.Guess, threads)
	}
	if opt.Policy {
		return consist.NewPolicyMonitor(auto, s.Keyed(), threads)
	}
	return consist.NewMonitor(auto, opt.Property, threads)
}
