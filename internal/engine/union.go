// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Union is a list of scopes, which are searched one after the other: those with few calls first, since they are cheap and their
// witnesses short. Those asked for, at least one, come before extra ones. An engine gets one scope at a time.
type Union []Scope

// Plain converts the union to the form in verdicts.
func (u Union) Plain() verdict.Scope {
	s := u[0].Plain()
	for i := range u[1:] {
		s.And = append(s.And, u[i+1].bounds())
	}
	return s
}

// oneThread is how many calls one thread makes where a scope has any number of calls and more threads.
const oneThread = 5

// OneThread restricts the scopes to clients of one thread. Any number of calls become a few, as in the configurations (Extras).
func (u Union) OneThread() Union {
	u = slices.Clone(u)
	for i := range u {
		c := &u[i].Clients
		if c.Endless {
			*c = c.Counted(oneThread)
		}
		c.Threads, c.Steps.From = client.Range{From: 1, To: 1}, 1
		u[i].Large = false
	}
	return u.distinct()
}

// Words is an upper bound on the number of different argument words, and of calls, of a client.
func (u Union) Words() (most int64) {
	for i := range u {
		c := &u[i].Clients
		calls := c.Calls()
		if c.Endless { // what they take has names that are used again
			calls = vm.MaxItems
		}
		most = max(most, int64(calls+c.PreAdds.To+c.Values))
	}
	return most
}

// Again converts the scope of a verdict back to a union, in which all scopes count as asked for.
func Again(v verdict.Scope) (u Union, err error) {
	if v.Bounds == nil {
		return nil, nil
	}
	for _, b := range append([]verdict.Bounds{*v.Bounds}, v.And...) {
		s, err := again(&b)
		if err != nil {
			return nil, err
		}
		u = append(u, s)
	}
	return u, nil
}

// again converts one scope of a verdict back.
func again(b *verdict.Bounds) (Scope, error) {
	interval := func(r [2]int) client.Range { return client.Range{From: r[0], To: r[1]} }
	s := Scope{Preset: b.Preset, Preempt: -1, Fair: b.Fair, Roles: b.Roles, Beforehand: b.Beforehand, Clients: client.Scope{
		Threads: interval(b.Threads), Steps: interval(b.Steps), PreAdds: interval(b.PreAdds), PerThread: b.PerThread, Values: b.Values, Endless: b.Endless, Items: b.Items,
		ThreadSymmetry: b.ThreadSymmetry, GenericValues: b.GenericValues,
		AddsDominant: b.AddsDominant, DistinctPriorities: b.DistinctPriorities}}
	if b.Preempt != nil {
		s.Preempt = *b.Preempt
	}
	var err error
	s.Hash, err = client.ParseHash(b.Hash, client.Hash{})
	return s, err
}

// Beyond appends the scopes of another union that do not lie within one of the scopes.
func (u Union) Beyond(more Union) Union {
	out := slices.Clone(u)
	for i := range more {
		if !slices.ContainsFunc(u, func(s Scope) bool { return more[i].Within(&s) }) {
			out = append(out, more[i])
		}
	}
	return out
}

func (u Union) mostThreads() (most int) {
	for i := range u {
		most = max(most, u[i].Clients.Threads.To)
	}
	return most
}

// distinct removes scopes that lie within another one, unless that is extra, longer or large: its search may be left out of the verdict.
func (u Union) distinct() Union {
	var out Union
	for i := range u {
		covers := func(s Scope) bool { return !s.Extra && !s.Longer && !s.Large && u[i].Within(&s) }
		if !slices.ContainsFunc(out, covers) && !slices.ContainsFunc(u[i+1:], covers) {
			out = append(out, u[i])
		}
	}
	return out
}

// Asked removes the extra scopes. The others have to be searched to their end.
func (u Union) Asked() Union {
	u = slices.DeleteFunc(slices.Clone(u), func(s Scope) bool { return s.Extra })
	for i := range u {
		u[i].Large = false
	}
	return u
}

// Within reports whether a scope lies within another one.
func (s *Scope) Within(t *Scope) bool {
	shared, some := s.Clients.Intersect(t.Clients)
	wider := *t
	wider.Preset, wider.Clients, wider.Beforehand, wider.Extra, wider.Dear, wider.Longer = s.Preset, s.Clients, s.Beforehand, s.Extra, s.Dear, s.Longer
	wider.Large = s.Large
	return some && shared == s.Clients && wider == *s
}

// Count counts the clients of the scopes, each once, and lists them if list is set.
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

// clients is the number of clients. Those that several scopes share are counted once, by inclusion and exclusion.
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

// shared is the number of clients that the scopes of a set share, negative if the set has an even number of scopes.
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
	n := space.Count()
	switch {
	case n == nil:
		return nil, errors.New("with any number of calls (-steps any) there are infinitely many clients")
	case odd:
		return n, nil
	}
	return n.Neg(n), nil
}

// list lists the clients, each in the first scope that has it.
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

// variedBounds are the bounds on preemptions of a swarm's searches, in turn; -1: none. Most faults show with few preemptions (Musuvathi and
// Qadeer, PLDI 2007), and a search with a bound comes to executions that the usual one has no states left for.
var variedBounds = []int{-1, 2, 1, 3}

// Varied are the scopes as a search of a swarm has them (Search.Variant): with a bound on preemptions where there is none.
func (u Union) Varied(variant int) Union {
	bound := variedBounds[variant%len(variedBounds)]
	if variant == 0 || bound < 0 {
		return u
	}
	u = slices.Clone(u)
	for i := range u {
		if u[i].Preempt < 0 && !u[i].Clients.Endless {
			u[i].Preempt, u[i].Preset = bound, ""
		}
	}
	return u
}
