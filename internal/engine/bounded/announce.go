// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Announcements are made by the ghost code of a policy (vm/ghost.go). They come between the invocation of a call and its response, in the
// order of their steps, and are passed to the monitor before a response of the same step. An announcement by a rule for another operation
// than the one being executed is ignored; so is one made while the collection is constructed. An announcement may be about another thread's
// call: a receiver of a message, or a call that a value names. The receivers of a message announce in no order.

// spoken is an announcement that counts.
type spoken struct {
	rule   *subject.Rule
	by     int // the thread that executed the ghost code
	thread int // the thread whose call it is about, or subject.Nobody
	group  int // number of a group of announcements whose order is left open; 0: none
	words  []uint64
}

// spoken lists the announcements of a step that count; meant reports whether a rule belongs to the operation that a thread executes.
func (c *cursor) spoken(list []vm.Announcement, meant func(thread int, r *subject.Rule) bool) []spoken {
	out := c.heard.said[:0]
	for i := 0; i < len(list) && !c.makes(); i++ {
		a := &list[i]
		s := spoken{rule: &c.sys.subject.Rules[a.Rule], words: a.Words, by: a.Thread}
		s.thread, s.group = subject.Whose(a.Whose, a.Thread)
		if s.thread == subject.Nobody || meant(s.thread, s.rule) {
			out = append(out, s)
		}
	}
	c.heard.said = out
	return out
}

// meant reports whether a rule belongs to the operation that a thread executes.
func (c *cursor) meant(thread int, r *subject.Rule) bool {
	if thread >= c.sys.threads {
		return false
	}
	tag := c.place.Tag(thread)
	return tag&play.Busy != 0 && play.OperationOf(tag) == r.Operation
}

// heard contains buffers for the announcements of a step.
type heard struct {
	said     []spoken
	together []consist.Announcement
}

// hear passes the announcements of a step to the monitor, and reports whether they break no rule.
func (c *cursor) hear(announced []vm.Announcement) bool {
	// Nearly every step announces nothing.
	if len(announced) == 0 {
		return true
	}
	monitor, ok := c.monitor.Monitor.(consist.Announcing)
	if !ok {
		return true
	}
	list := c.spoken(announced, c.meant)
	if c.sys.composed != nil {
		c.sys.composed.note(c, list)
	}
	for i := 0; i < len(list); {
		together := c.heard.together[:0]
		first := &list[i]
		for ; i < len(list) && (len(together) == 0 || first.group != 0 && list[i].group == first.group); i++ {
			s := &list[i]
			// Without a call a rule with "may" announces nothing, and one without is broken.
			if s.thread == subject.Nobody && s.rule.May {
				continue
			}
			if s.thread == subject.Nobody {
				c.found = &finding{class: Point}
				return false
			}
			// An announcement names its call, unless it is the one that executes the ghost code, which the monitor knows. The call is given
			// by its number, so that it is compared and not printed.
			a := consist.Announcement{Thread: s.thread, Own: s.rule.Own, Result: consist.Given, May: s.rule.May}
			if !s.rule.Own {
				a.Call = c.callID(c.announcedCall(s))
			}
			if !s.rule.Given {
				a.Result = monitor.Result(c.announcedResult(s))
			}
			together = append(together, a)
		}
		if c.heard.together = together; len(together) == 0 {
			continue
		}
		if c.id = monitor.AnnounceAll(c.id, together); c.id == consist.Rejected {
			c.found = &finding{class: Point, thread: first.thread}
			return false
		}
	}
	return true
}

// announcedCall is the call that an announcement names.
func (c *cursor) announcedCall(s *spoken) client.Step {
	step := client.Step{Op: s.rule.Operation}
	for i, w := range c.names.Values(s.words[:s.rule.Words], nil) {
		step.Args = step.Args.With(i, history.IntValue(int64(w)))
	}
	return step
}

// announcedResult is the result that an announcement names.
func (c *cursor) announcedResult(s *spoken) history.Tuple {
	op := &c.sys.subject.Operations[s.rule.Operation]
	return c.names.Result(op, s.words[s.rule.Words:])
}

// rejection is the class of a history that the monitor rejects.
func (s *system) rejection() Class {
	if _, ok := s.monitor.(consist.Announcing); ok || s.guess != nil {
		return Point
	}
	return History
}

// announce records the announcements of the last turn, and adds them to the witness's steps.
func (r *replayer) announce() {
	r.groups++
	meant := func(thread int, rule *subject.Rule) bool {
		s, busy := r.busy[thread]
		return busy && s.Op == rule.Operation
	}
	list := r.c.m.Announced()
	for _, s := range r.c.spoken(list, meant) {
		step := r.busy[s.thread]
		if !s.rule.Own || s.thread == subject.Nobody {
			step = r.c.announcedCall(&s)
		}
		e := consist.Announced{Kind: consist.Announces, Thread: s.thread, Call: oracle.Call{Op: step.Op, Args: step.Args}, May: s.rule.May, Given: s.rule.Given}
		if !s.rule.Given {
			e.Result = r.c.announcedResult(&s)
		}
		if s.group != 0 {
			e.Group = r.groups<<16 | s.group
		}
		r.announced = append(r.announced, e)
		if s.thread != subject.Nobody {
			r.add(verdict.Step{Thread: s.thread + 1, Call: r.w.lastCall(s.thread), Phase: verdict.Announce, Announced: r.announcement(&e),
				Place: verdict.Place{File: s.rule.Pos.File, Line: s.rule.Pos.Line}})
		}
	}
	// Announcements of one message get a group number that differs from those of other turns, because the definitions try every order
	// within a group.
	if r.whole != nil { // the monitor follows the replay
		r.c.hear(list)
	}
	r.c.m.Hear()
}

// announcement describes an announcement for readers.
func (r *replayer) announcement(e *consist.Announced) string {
	op := &r.sys.subject.Operations[e.Call.Op]
	text := op.Client.Call(e.Call.Args)
	if e.Given {
		text += ", with the result that the specification gives"
	} else if results := op.Client.Notation.Results(e.Result); results != "" {
		text += " = " + results
	}
	if e.May {
		text += ", perhaps"
	}
	return text
}

// confirmPoint judges the whole sequence of announcements by the definitions.
func (r *replayer) confirmPoint() error {
	spec, err := r.spec()
	if err != nil {
		return err
	}
	broken, err := consist.CheckPolicy(spec, r.sys.subject.Keyed(), r.announced, r.sys.subject.Speculates())
	switch {
	case err != nil:
		return err
	case broken == nil:
		return errors.New("the announcements break no rule")
	case broken.Event < r.before:
		return fmt.Errorf("rule %s is broken before the end", broken.Rule)
	}
	e := &r.announced[broken.Event]
	if e.Thread == subject.Nobody {
		r.w.Message = fmt.Sprintf("%s: %s is announced for a call by a name that no call in progress has, or several have", broken.Rule, r.announcement(e))
		return nil
	}
	r.w.Message = fmt.Sprintf("%s: thread %d: %s: %s", broken.Rule, e.Thread+1, r.subjectOf(broken.Event), broken.Text)
	return nil
}

// subjectOf describes the call or announcement that breaks a rule.
func (r *replayer) subjectOf(event int) string {
	e := &r.announced[event]
	if e.Kind == consist.Announces {
		return "announces " + r.announcement(e)
	}
	call := r.w.Events[r.w.lastCall(e.Thread)-1]
	return call.String()
}

// monitorOf is newMonitor; tests replace it to measure a search without a monitor.
var monitorOf = newMonitor

// newMonitor makes the monitor for the property, policy or hypothesis of the options.
func newMonitor(opt *Options) (consist.Monitor, error) {
	s, threads := opt.Subject, opt.Scope.Clients.Threads.To
	if opt.Guess == nil && opt.Points == nil && !opt.Policy {
		return monitorOfProperty(s, opt.Property, threads)
	}
	auto := oracle.NewAutomaton(s.Spec)
	if opt.Guess != nil {
		return consist.NewGuessMonitor(auto, &opt.Guess.Guess, threads)
	}
	if opt.Points != nil {
		return consist.NewPointsMonitor(auto, &opt.Points.Guess, opt.Points.Excused, threads)
	}
	if s.Speculates() {
		return consist.NewSpeculatingMonitor(auto, s.Keyed(), threads)
	}
	return consist.NewPolicyMonitor(auto, s.Keyed(), threads)
}
