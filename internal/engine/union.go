package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/verdict"
)

// Union is several scopes, all of which are verified, one after the other: those with few
// calls come first, since they are cheap and their witnesses short. It has at least one. An
// engine sees one of them at a time.
type Union []Scope

// Plain is the form for verdicts.
func (u Union) Plain() verdict.Scope {
	s := u[0].Plain()
	for i := range u[1:] {
		s.And = append(s.And, u[i+1].bounds())
	}
	return s
}

// OneThread is the scopes for clients of one thread.
func (u Union) OneThread() Union {
	u = slices.Clone(u)
	for i := range u {
		c := &u[i].Clients
		c.Threads, c.Steps.From = client.Range{From: 1, To: 1}, 1
	}
	return u.distinct()
}

// Words is how many different words the clients have at most for each argument, and how many
// calls.
func (u Union) Words() (most int64) {
	for i := range u {
		c := &u[i].Clients
		most = max(most, int64(c.Steps.To+c.PreAdds.To+c.Values))
	}
	return most
}

func (u Union) mostThreads() (most int) {
	for i := range u {
		most = max(most, u[i].Clients.Threads.To)
	}
	return most
}

// distinct leaves out scopes that lie in another one, which covers them.
func (u Union) distinct() Union {
	var out Union
	for i := range u {
		covered := slices.ContainsFunc(out, func(s Scope) bool { return u[i].Within(&s) })
		for j := i + 1; j < len(u) && !covered; j++ {
			covered = u[i].Within(&u[j])
		}
		if !covered {
			out = append(out, u[i])
		}
	}
	return out
}

// Within says that a scope lies in another one.
func (s *Scope) Within(t *Scope) bool {
	shared, some := s.Clients.Intersect(t.Clients)
	wider := *t
	wider.Preset, wider.Clients = s.Preset, s.Clients
	return some && shared == s.Clients && wider == *s
}

// Count counts the clients of the scopes, each once, and lists them if that is asked for.
func (u Union) Count(o *Operations, list bool) (verdict.Clients, error) {
	n, err := u.clients(o.List)
	if err != nil {
		return verdict.Clients{}, err
	}
	c := verdict.Clients{Type: "clients", Kind: string(o.Kind), Scope: u.Plain(), Count: json.Number(n.String())}
	if list {
		c.List, err = u.list(o.List)
	}
	return c, err
}

// clients is the number of clients, of which scopes may share some: what each of them has,
// less what two share, and so on.
func (u Union) clients(ops []client.Op) (*big.Int, error) {
	sum := new(big.Int)
	for set := uint(1); set < 1<<len(u); set++ {
		n, err := u.shared(set, ops)
		if err != nil {
			return nil, err
		}
		sum.Add(sum, n)
	}
	return sum, nil
}

// shared is the number of clients that the scopes of a set share; less than 0 if the set is
// of an even number of scopes.
func (u Union) shared(set uint, ops []client.Op) (*big.Int, error) {
	var all *client.Scope
	odd := false
	for i := range u {
		if set>>i&1 == 0 {
			continue
		}
		s := u[i].Clients
		if all != nil {
			var some bool
			if s, some = all.Intersect(s); !some {
				return new(big.Int), nil
			}
		}
		all, odd = &s, !odd
	}
	space, err := client.NewSpace(*all, ops)
	if err != nil {
		return nil, err
	}
	if odd {
		return space.Count(), nil
	}
	return new(big.Int).Neg(space.Count()), nil
}

// list lists the clients, those of several scopes where they come first.
func (u Union) list(ops []client.Op) ([]string, error) {
	out := []string{}
	var spaces []*client.Space
	for i := range u {
		space, err := client.NewSpace(u[i].Clients, ops)
		if err != nil {
			return nil, err
		}
		for one := range space.All() {
			if !slices.ContainsFunc(spaces, func(s *client.Space) bool { return s.Holds(one) }) {
				out = append(out, space.Format(one))
			}
		}
		spaces = append(spaces, space)
	}
	return out, nil
}

// DecideUnion runs an engine on a job in each scope of a union, within the job's limits on
// time and states, and sums up. It ends with the first verdict that is not that the
// subject is verified.
func (e *Engine) DecideUnion(ctx context.Context, j *Job, u Union, ev Events) (verdict.Verdict, error) {
	if j.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.Timeout)
		defer cancel()
	}
	sum := &summary{engine: e, job: j, union: slices.Clone(u), events: ev}
	var err error
	for i := range u {
		var v verdict.Verdict
		if v, err = e.Run(ctx, sum.part(i), sum.eventsOf()); err != nil && v.Status == "" {
			return v, err
		}
		sum.add(i, v)
		if err != nil || v.Status != verdict.Verified {
			break
		}
	}
	v, failed := sum.verdict()
	return v, cmp.Or(err, failed)
}

// summary is what the verdicts in some scopes of a union come to.
type summary struct {
	engine *Engine
	job    *Job
	union  Union
	events Events
	scope  []verdict.Scope // as they were searched
	sum    verdict.Verdict
}

// part is the job in one scope, with what is left of the limit on states.
func (s *summary) part(i int) *Job {
	part := *s.job
	part.Scope = s.union[i]
	if part.MaxStates > 0 {
		part.MaxStates = max(1, part.MaxStates-min(part.MaxStates, s.sum.States))
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
func (s *summary) add(i int, v verdict.Verdict) {
	before := s.sum
	s.sum = v
	if i > 0 {
		s.sum.Assumptions = slices.Clone(before.Assumptions)
		for _, text := range v.Assumptions {
			if !slices.Contains(s.sum.Assumptions, text) {
				s.sum.Assumptions = append(s.sum.Assumptions, text)
			}
		}
		s.sum.Effort.Add(before.Effort)
		s.sum.Progress = verdict.Weaker(before.Progress, v.Progress)
	}
	if v.Scope.Bounds == nil && len(v.Scope.Limits) == 0 && !s.engine.Program {
		v.Scope = s.union[i].Plain()
	}
	s.scope = append(s.scope, v.Scope)
	if v.Status == verdict.Unknown && len(s.union) > 1 {
		s.sum.Reason = s.where(i) + v.Reason
	}
}

// where says in which scope of several something was found, and what had been exhausted.
func (s *summary) where(i int) string {
	text := "in " + s.scope[i].Name() + ": "
	if i == 0 {
		return text
	}
	var done []string
	for k := range i {
		done = append(done, s.scope[k].Name())
	}
	return fmt.Sprintf("verified in %s; %s", strings.Join(done, " and "), text)
}

// verdict completes the sum. It is about all scopes: as they were searched, or as they are
// asked for where that was not done any more.
func (s *summary) verdict() (verdict.Verdict, error) {
	v := s.sum
	if !s.engine.Program {
		v.Scope = s.scope[0]
		for i := 1; i < len(s.union) && v.Scope.Bounds != nil; i++ {
			b := s.union[i].bounds()
			if i < len(s.scope) {
				b = *s.scope[i].Bounds
			}
			v.Scope.And = append(v.Scope.And, b)
		}
	}
	var err error
	if len(v.Scope.And) > 0 {
		var n *big.Int
		if n, err = covered(v.Scope, s.job.Subject.ClientOps()); err == nil {
			v.Clients = json.Number(n.String())
		}
	}
	s.engine.complete(&v, s.job)
	return v, err
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
