// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// The greatest number of states of an extra scope, for which about a second is needed: mostExtra, or mostDear if the code itself
// judges, because a state is more expensive then. Of the others one is begun only if all searches so far took at most half as many. (One
// worker searches this many states alone, so that neither limit depends on the number of workers.)
const (
	mostExtra = 1 << 17
	mostDear  = 1 << 14
)

// mostWork is the limit on the work in all extra scopes together, and again in the longer ones, in units of vm.Meter, where the code itself judges: a
// state can then cost a hundred times as much as where an oracle does. Half a second is needed for it.
const mostWork = 30_000_000

// DecideUnion runs an engine on a job in each scope of a union, within the job's limits on time and states, and combines the verdicts.
// It ends with the first verdict other than verified. It leaves out an extra scope that is not cheap, reaches a limit, or has more
// pre-adds than the collection takes, a longer one that reaches a limit, and a large one that has more than mostLarge states
// (mostLargeSelf if the code itself judges), or smaller ones with many of them, where the job has no limit on states: the verdict, its scope,
// clients and states do not include them (see verdict.Dropped). In place of a large scope that it leaves out it searches smaller ones, and then neither extra nor longer ones. Behind an extra scope that it leaves out it begins no other; behind a longer
// one it does, since extra scopes are smaller. Where the code itself judges, extra and longer scopes have a limit on work as well, mostWork.
func (e *Engine) DecideUnion(ctx context.Context, j *Job, u Union, ev Events) (verdict.Verdict, error) {
	v, _, err := e.Exhaust(ctx, j, u, ev)
	return v, err
}

// Exhaust is DecideUnion, and also returns the scopes that the verdict includes.
func (e *Engine) Exhaust(ctx context.Context, j *Job, u Union, ev Events) (verdict.Verdict, Union, error) {
	if j.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.Timeout)
		defer cancel()
	}
	if j.Property.IsWeaker() && !e.Weaker {
		return verdict.Verdict{}, nil, fmt.Errorf("the engine %s does not decide %s, which is weaker than linearizability: the engine bounded does", e.Name, j.Property)
	}
	if err := Lasting(j.Subject, j.Property); err != nil {
		return verdict.Verdict{}, nil, err
	}
	if !e.Extras {
		u = u.Asked()
	}
	if !e.Endless && slices.ContainsFunc(u, func(s Scope) bool { return s.Clients.Endless }) {
		return verdict.Verdict{}, nil, fmt.Errorf("the engine %s does not decide any number of calls (-steps any): give a number, or leave -engine out", e.Name)
	}
	defer subject.Asking(j.Subject.Spec)()
	if n := int64(Shared(ctx)); n > 1 {
		part := *j
		part.MaxBytes /= n
		j = &part
	}
	s := &summary{engine: e, job: j, events: ev, asked: len(u.Asked())}
	s.longer, s.extra = cmp.Or(j.Meter, vm.NewMeter(mostWork, func() {})), cmp.Or(j.Meter, vm.NewMeter(mostWork, func() {}))
	for i := 0; i < len(u); i++ {
		if s.large != nil && (u[i].Extra || u[i].Longer) {
			break // it has more clients than the scope that was given up
		}
		again := s.large != nil && u[i] == *s.large
		if again && s.outgrown() {
			continue
		}
		if slices.ContainsFunc(s.union, func(done Scope) bool { return u[i].Within(&done) }) {
			continue
		}
		if u[i].Extra && !s.affords(&u[i]) {
			s.leave(u[i:], "")
			break
		}
		v, err := e.Persist(ctx, s.part(&u[i]), s.eventsOf())
		var setup *subject.SetupError
		if u[i].Extra && errors.As(err, &setup) { // the collection takes no more pre-adds
			continue
		}
		if err != nil && v.Status == "" {
			return v, nil, j.Subject.Explained(err)
		}
		if err == nil && (again || ctx.Err() == nil) && s.isTooLarge(&u[i], v) {
			s.giveUp(&u[i], v)
			if s.large == nil {
				instead, err := u[i].smaller(j.Subject.ClientOps())
				if err != nil {
					return v, nil, err
				}
				s.large = &u[i]
				u = slices.Insert(slices.Clone(u), i+1, append(instead, u[i])...)
			}
			defer subject.Asking(j.Subject.Spec)() // what was not settled there does not count for other scopes
			continue
		}
		if again {
			s.restart()
		}
		unlessHoped(&v, j.Subject.Spec)
		if s.mayDrop(&u[i]) && err == nil && v.Status == verdict.Unknown && v.Cause == verdict.Limited {
			s.drop(&u[i], v)
			if u[i].Extra || ctx.Err() != nil {
				s.leave(u[i+1:], u[i].Plain().Name())
				break
			}
			defer subject.Asking(j.Subject.Spec)() // what was not settled there does not count for smaller scopes
			continue
		}
		s.add(&u[i], v)
		if err != nil || v.Status != verdict.Verified && v.Cause != verdict.Testing {
			if s.large != nil { // nobody has asked for the smaller scopes that are left
				return s.close(nil, err)
			}
			return s.close(u[i+1:].Asked(), err)
		}
	}
	return s.close(nil, nil)
}

// unlessHoped turns verified into unknown if calls were allowed to wait for ever although it is not known whether other calls would let
// them return.
func unlessHoped(v *verdict.Verdict, spec oracle.Spec) {
	if why := subject.Unsettled(spec); v.Status == verdict.Verified && why != "" {
		v.Status, v.Cause, v.Reason = verdict.Unknown, verdict.Limited, why
	}
}

// summary combines the verdicts in the scopes of a union.
type summary struct {
	engine  *Engine
	job     *Job
	events  Events
	asked   int // number of scopes that the user asks for
	union   Union
	scope   []verdict.Scope // the scopes of union in the verdicts' form
	sum     verdict.Verdict
	dropped []verdict.Dropped
	in      uint64 // states in the scopes that were dropped

	large         *Scope    // the usual scope if it is given up, possibly for a time; nil: it is not. It comes first in dropped
	longer, extra *vm.Meter // of the work in the longer scopes, and in the extra ones
}

// spend adds time and memory of a search whose verdict is not taken.
func (s *summary) spend(v verdict.Verdict) {
	s.sum.Seconds += v.Seconds
	s.sum.PeakBytes = max(s.sum.PeakBytes, v.PeakBytes)
}

// affords reports whether an extra scope may be searched.
func (s *summary) affords(in *Scope) bool { return s.cheap(in) && !s.spent() }

// cheap reports whether all searches so far took few states, compared with the extra scope's limit. A dear one is always begun: the limits on its
// states and work are low.
func (s *summary) cheap(in *Scope) bool { return in.Dear || s.sum.States <= in.most()/2 }

// spent reports whether the user's limit on states is reached.
func (s *summary) spent() bool { return s.job.MaxStates > 0 && s.sum.States+s.in >= s.job.MaxStates }

// mayDrop reports whether the verdict need not include a scope: the user has not asked for it, and a scope before it was searched.
func (s *summary) mayDrop(in *Scope) bool { return in.Extra || in.Longer && len(s.union) > 0 }

// drop records a scope that nobody asked for and whose search did not end. Its time and memory are added to the verdict's; its clients and states are not.
func (s *summary) drop(in *Scope, v verdict.Verdict) {
	s.dropped = append(s.dropped, verdict.Dropped{Scope: in.Plain().Name(), Why: v.Reason, States: v.States, Transitions: v.Transitions})
	s.in += v.States
	s.spend(v)
}

// leave records extra scopes that were not begun: after one that was dropped, or because the user's limit on states is reached. Those
// that are too expensive anyway are not recorded.
func (s *summary) leave(rest Union, behind string) {
	why := "not begun, behind " + behind
	if behind == "" {
		why = fmt.Sprintf("not begun: the limit of %d states is reached", s.job.MaxStates)
		if !s.spent() {
			return
		}
	}
	for i := range rest {
		if rest[i].Extra && s.cheap(&rest[i]) {
			s.dropped = append(s.dropped, verdict.Dropped{Scope: rest[i].Plain().Name(), Why: why})
		}
	}
}

// part is the job in one scope, with the rest of the limit on states.
func (s *summary) part(in *Scope) *Job {
	part := *s.job
	part.Scope = *in
	if part.MaxStates > 0 {
		part.MaxStates = max(1, part.MaxStates-min(part.MaxStates, s.sum.States+s.in))
	}
	switch {
	case !s.job.Subject.Self:
	case in.Extra:
		part.Meter = s.extra
	case s.mayDrop(in):
		part.Meter = s.longer
	}
	if most := s.limitOf(in); most > 0 {
		part.MaxStates, part.Whether = most, true
	}
	if in.Extra && (part.MaxStates == 0 || part.MaxStates > in.most()) {
		part.MaxStates = in.most()
	}
	return &part
}

// eventsOf returns the events for one scope, whose progress includes the searches before.
func (s *summary) eventsOf() Events {
	ev, before := s.events, s.sum.Effort
	if tell := ev.Progress; tell != nil {
		ev.Progress = func(p Progress) {
			p.States, p.Transitions = p.States+before.States, p.Transitions+before.Transitions
			tell(p)
		}
	}
	return ev
}

// add adds the verdict in a scope.
func (s *summary) add(in *Scope, v verdict.Verdict) {
	before := s.sum
	s.sum = v
	s.sum.Effort.Add(before.Effort) // that of scopes that were dropped, too
	if len(s.union) > 0 {
		s.sum.Assumptions = slices.Clone(before.Assumptions)
		for _, text := range v.Assumptions {
			if !slices.Contains(s.sum.Assumptions, text) {
				s.sum.Assumptions = append(s.sum.Assumptions, text)
			}
		}
		s.sum.Progress = verdict.Weaker(before.Progress, v.Progress)
		if v.Violation == nil {
			s.sum.Returns = verdict.Join(before.Returns, v.Returns)
			s.sum.NotExecuted, s.sum.NotCalled = verdict.NotExecutedIn(&before.Findings, &v.Findings)
			s.sum.ByPoints = v.ByPoints.And(before.ByPoints)
		}
	}
	if v.Scope.Bounds == nil && len(v.Scope.Limits) == 0 && !s.engine.Program {
		v.Scope = in.Plain()
	}
	s.union, s.scope = append(s.union, *in), append(s.scope, v.Scope)
	if v.Cause == verdict.Testing {
		s.sum.Sampled = v.Sampled.Add(before.Sampled)
		s.sum.Reason = s.sum.Sampled.String()
	} else if v.Status == verdict.Unknown && s.asked > 1 && v.Scope.Bounds != nil {
		s.sum.Reason = s.where() + v.Reason
	}
}

// where names the scope in which the last verdict was found, if there are several, and those verified before.
func (s *summary) where() string {
	var names []string
	for _, one := range s.scope {
		names = append(names, one.Name())
	}
	last := len(names) - 1
	if last == 0 {
		return "in " + names[0] + ": "
	}
	return fmt.Sprintf("verified in %s; in %s: ", strings.Join(names[:last], " and "), names[last])
}

// close completes the combined verdict. It includes all scopes that were searched, and those in rest, which were asked for and not
// searched; the one with most threads comes first.
func (s *summary) close(rest Union, err error) (verdict.Verdict, Union, error) {
	for i := range rest {
		s.union, s.scope = append(s.union, rest[i]), append(s.scope, rest[i].Plain())
	}
	v := s.sum
	var done Union
	if !s.engine.Program {
		for i := range s.union {
			s.union[i].Extra, s.union[i].Longer, s.union[i].Large = false, false, false
		}
		done = s.union.distinct()
		widest := slices.SortedStableFunc(slices.Values(done), func(a, b Scope) int { return cmp.Compare(b.Clients.Threads.To, a.Clients.Threads.To) })
		if v.Scope = s.searched(&widest[0]); slices.ContainsFunc(s.scope, func(o verdict.Scope) bool { return o.Bounds == nil }) {
			v.Scope = s.scope[0] // that of an engine that proves, which searches no scope
		}
		for i := 0; i < len(widest)-1 && v.Scope.Bounds != nil; i++ {
			v.Scope.And = append(v.Scope.And, *s.searched(&widest[i+1]).Bounds)
		}
	}
	var failed error
	if len(v.Scope.And) > 0 {
		var n *big.Int
		if n, failed = covered(v.Scope, s.job.Subject.ClientOps()); failed == nil {
			v.Clients = json.Number(n.String())
		}
	}
	v.Dropped = s.dropped
	if s.large != nil && v.Status == verdict.Verified {
		v.Assumptions = append(v.Assumptions, fmt.Sprintf("the usual scope, %s, is not judged as a whole (%s): -config %[1]s searches it to its end", s.dropped[0].Scope, s.dropped[0].Why))
	}
	v.SayUnexecuted()
	s.engine.complete(&v, s.job)
	return v, done, cmp.Or(err, failed)
}

// searched is a scope of the union in the form of its verdict.
func (s *summary) searched(one *Scope) verdict.Scope {
	return s.scope[slices.Index(s.union, *one)]
}

// covered is the number of clients of a verdict's scope, of those of its parts that bound the number of calls.
func covered(s verdict.Scope, ops []client.Op) (*big.Int, error) {
	u, err := Again(s)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(u, func(s Scope) bool { return s.Clients.Endless }).clients(ops)
}

// Lasting checks that a property is about calls that take effect at two moments where the oracle's type says that they do, and only there:
// such an oracle says nothing about linearizability.
func Lasting(s *subject.Subject, p verdict.Property) error {
	lasts, promised := false, map[string]bool{}
	for _, one := range p.Promises() {
		promised[one.Operation] = one.Name == verdict.Interval
	}
	for i := range s.Operations {
		name := s.Operations[i].Name
		_, ends := oracle.Ends(s.Spec, i)
		lasts = lasts || ends
		switch {
		case ends && !promised[name]:
			return fmt.Errorf("property %s: the oracle %s has Begin%s and End%s, so what it says is no linearizability: name the property linear(%s:%s), as //pangolin:overlaps %s:%s or -overlaps does",
				p, s.About.Oracle, name, name, name, verdict.Interval, name, verdict.Interval)
		case !ends && promised[name]:
			return fmt.Errorf("property %s: %s takes effect at two moments if the oracle is a type with Begin%s and End%s, and the oracle is %s", p, name, name, name, s.About.Oracle)
		}
	}
	if lasts {
		for _, one := range p.Promises() {
			if one.Name != verdict.Interval {
				return fmt.Errorf("property %s: beside operations that take effect at two moments, %s cannot have the meaning %s: say it by Begin%s and End%s of the oracle", p, one.Operation, one.Meaning, one.Operation, one.Operation)
			}
		}
	}
	return nil
}
