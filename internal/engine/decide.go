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
	"pangolin/oracle"
	"pangolin/verdict"
)

// Extra scopes are searched as long as all searches so far came to no more than half as many states as
// each of them may come to: mostExtra, of which half take a second, or mostDear where the code itself judges, for then
// a state may cost many times as much. (One worker searches so many alone, so that neither depends on the
// number of workers.)
const (
	mostExtra = 1 << 17
	mostDear  = 1 << 14
)

// DecideUnion runs an engine on a job in each scope of a union, within the job's limits on
// time and states, and sums up. It ends with the first verdict that is not that the
// subject is verified. An extra scope that turns out not to be cheap, or in which a limit is
// reached, or that has more pre-adds than the collection takes, is left out, and so is a dear one that stays
// unknown: the verdict does not speak of it.
func (e *Engine) DecideUnion(ctx context.Context, j *Job, u Union, ev Events) (verdict.Verdict, error) {
	v, _, err := e.Exhaust(ctx, j, u, ev)
	return v, err
}

// Exhaust is DecideUnion; it also gives the scopes that the verdict speaks of.
func (e *Engine) Exhaust(ctx context.Context, j *Job, u Union, ev Events) (verdict.Verdict, Union, error) {
	if j.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.Timeout)
		defer cancel()
	}
	if !e.Extras {
		u = u.Asked()
	}
	s := &summary{engine: e, job: j, events: ev, asked: len(u.Asked())}
	for i := range u {
		if u[i].Extra && !s.affords(&u[i]) {
			break
		}
		v, err := e.Run(ctx, s.part(&u[i]), s.eventsOf())
		unlessHoped(&v, j.Subject.Spec)
		var setup *subject.SetupError
		if u[i].Extra && errors.As(err, &setup) { // it takes no more pre-adds
			continue
		}
		if err != nil && v.Status == "" {
			return v, nil, j.Subject.Explained(err)
		}
		if u[i].Extra && err == nil && v.Status == verdict.Unknown && (v.Cause == verdict.Limited || u[i].Dear) {
			v.Effort.Add(s.sum.Effort)
			s.sum.Effort = v.Effort
			break
		}
		s.add(&u[i], v)
		if err != nil || v.Status != verdict.Verified {
			return s.close(u[i+1:].Asked(), err)
		}
	}
	return s.close(nil, nil)
}

// unlessHoped makes a verdict unknown that says that nothing is wrong, but excuses calls that wait for ever by other
// calls of which nobody knows whether they let them return.
func unlessHoped(v *verdict.Verdict, spec oracle.Spec) {
	if why := subject.Unsettled(spec); v.Status == verdict.Verified && why != "" {
		v.Status, v.Cause, v.Reason = verdict.Unknown, verdict.Limited, why
	}
}

// summary is what the verdicts in some scopes of a union come to.
type summary struct {
	engine *Engine
	job    *Job
	events Events
	asked  int // how many scopes are asked for
	union  Union
	scope  []verdict.Scope // those of the union, as they were searched
	sum    verdict.Verdict
}

// affords says that one more scope may be searched that nobody has asked for.
func (s *summary) affords(in *Scope) bool {
	return s.sum.States <= in.most()/2 && (s.job.MaxStates == 0 || s.sum.States < s.job.MaxStates)
}

// part is the job in one scope, with what is left of the limit on states.
func (s *summary) part(in *Scope) *Job {
	part := *s.job
	part.Scope = *in
	if part.MaxStates > 0 {
		part.MaxStates = max(1, part.MaxStates-min(part.MaxStates, s.sum.States))
	}
	if in.Extra && (part.MaxStates == 0 || part.MaxStates > in.most()) {
		part.MaxStates = in.most()
	}
	return &part
}

// eventsOf are the events of one scope: what came before counts as progress.
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

// add takes over the verdict in a scope.
func (s *summary) add(in *Scope, v verdict.Verdict) {
	before := s.sum
	s.sum = v
	if len(s.union) > 0 {
		s.sum.Assumptions = slices.Clone(before.Assumptions)
		for _, text := range v.Assumptions {
			if !slices.Contains(s.sum.Assumptions, text) {
				s.sum.Assumptions = append(s.sum.Assumptions, text)
			}
		}
		s.sum.Effort.Add(before.Effort)
		s.sum.Progress = verdict.Weaker(before.Progress, v.Progress)
		if v.Violation == nil {
			s.sum.Returns = verdict.Join(before.Returns, v.Returns)
		}
	}
	if v.Scope.Bounds == nil && len(v.Scope.Limits) == 0 && !s.engine.Program {
		v.Scope = in.Plain()
	}
	s.union, s.scope = append(s.union, *in), append(s.scope, v.Scope)
	if v.Status == verdict.Unknown && s.asked > 1 {
		s.sum.Reason = s.where() + v.Reason
	}
}

// where says in which scope of several something was found last, and what had been exhausted.
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

// close completes the sum. It is about all scopes that were searched, and those that are asked
// for and were not searched any more; the widest comes first.
func (s *summary) close(rest Union, err error) (verdict.Verdict, Union, error) {
	for i := range rest {
		s.union, s.scope = append(s.union, rest[i]), append(s.scope, rest[i].Plain())
	}
	v := s.sum
	var done Union
	if !s.engine.Program {
		for i := range s.union {
			s.union[i].Extra = false
		}
		done = s.union.distinct()
		widest := slices.SortedStableFunc(slices.Values(done), func(a, b Scope) int { return cmp.Compare(b.Clients.Threads.To, a.Clients.Threads.To) })
		v.Scope = s.searched(&widest[0])
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
	s.engine.complete(&v, s.job)
	return v, done, cmp.Or(err, failed)
}

// searched is a scope of the union as it was searched.
func (s *summary) searched(one *Scope) verdict.Scope {
	return s.scope[slices.Index(s.union, *one)]
}

// covered is the number of clients of a verdict's scope.
func covered(s verdict.Scope, ops []client.Op) (*big.Int, error) {
	var u Union
	for _, b := range append([]verdict.Bounds{*s.Bounds}, s.And...) {
		u = append(u, Scope{Clients: client.Scope{
			Threads: client.Range{From: b.Threads[0], To: b.Threads[1]}, Steps: client.Range{From: b.Steps[0], To: b.Steps[1]},
			PreAdds: client.Range{From: b.PreAdds[0], To: b.PreAdds[1]}, PerThread: b.PerThread, Values: b.Values,
			ThreadSymmetry: b.ThreadSymmetry, GenericValues: b.GenericValues,
			AddsDominant: b.AddsDominant, DistinctPriorities: b.DistinctPriorities}})
	}
	return u.clients(ops)
}
