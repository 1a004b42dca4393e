// SPDX-License-Identifier: BSD-3-Clause

// Package refine generates labelled transition systems of collections and decides from them whether a collection behaves as if its
// operations were executed in one step each: the method of the thesis "Modeling and verifying concurrent data structures" (chapters 3 to
// 6). It also decides properties of progress (progress.go).
//
// It takes a subject and a client (so many threads, so many calls each) and gives a system (package lts) in which invocations and responses
// are visible and everything else is internal. Equivalences of two systems are decided by package lts. It writes no files.
package refine

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/lts"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// Client describes the calls of the threads, as in the thesis: every thread makes calls of its choice.
type Client struct {
	Pre     client.Range // number of additions before the threads start
	Threads int
	Calls   int // number of calls of each thread; 0: Steps bounds those of all threads together
	Steps   int
	Endless bool // the threads make any number of calls: Calls and Steps are 0, and there are no pre-adds
	Values  int  // keys and items are 0 to Values-1
	Hash    client.Hash
	// Reduce is the set of reductions to use, among fusing, frozen, guarded and steps.
	Reduce vm.Reductions
	// Elements, if not nil, lists for each thread the value of every argument of its n-th call, as in the thesis's client.
	Elements [][]int64
}

// space makes the space of the threads' calls. Items are chosen like keys, because labels contain them.
func (c *Client) space(s *subject.Subject) (*client.Space, error) {
	steps := c.Steps
	if c.Calls > 0 {
		steps = c.Calls * c.Threads
	}
	for _, op := range s.ClientOps() {
		if op.Who.Once || op.Who.First || op.Who.Alone || op.Who.Not != "" {
			return nil, fmt.Errorf("role of %s: the engine refine does not support operations that are called once, last, first, alone or not beside others: leave the role out", op.Name)
		}
	}
	if c.Endless {
		return client.NewSpace(client.Scope{}.AnyCalls(client.Range{From: c.Threads, To: c.Threads}, c.Values, 1), s.ClientOps())
	}
	return client.NewSpace(client.Scope{
		Threads: client.Range{From: c.Threads, To: c.Threads}, Steps: client.Range{From: 1, To: steps},
		PreAdds: c.Pre, PerThread: c.Calls, Values: c.Values,
	}, s.ClientOps())
}

// calls lists what a thread may call: with Elements for each of its calls, else once for all calls.
func (c *Client) calls(space *client.Space, thread int) [][]client.Step {
	all := space.Steps(thread)
	if c.Elements == nil {
		return [][]client.Step{all}
	}
	var lists [][]client.Step
	for _, e := range c.Elements[thread] {
		lists = append(lists, slices.DeleteFunc(slices.Clone(all), func(s client.Step) bool { return !about(s, e) }))
	}
	return lists
}

// about reports whether all arguments of a call are a given element.
func about(s client.Step, element int64) bool {
	for i := range s.Args.Len() {
		if s.Args.At(i).Int != element {
			return false
		}
	}
	return true
}

// ClientOf is the client of a job's scope, with as many threads and calls as it permits.
func ClientOf(j *engine.Job) Client {
	c := &j.Scope.Clients
	return Client{Pre: c.PreAdds, Threads: c.Threads.To, Calls: c.PerThread, Steps: c.Steps.To, Endless: c.Endless, Values: c.Values,
		Hash: j.Scope.Hash, Reduce: j.Reduce}
}

// Limits end a generation early. 0: no limit.
type Limits struct {
	States   uint64
	Bytes    int64
	Progress func(explore.Progress)
}

// LimitError is the error if a limit was reached.
type LimitError struct {
	Limit  explore.Limit
	States uint64
}

func (e *LimitError) Error() string { return e.Limit.After(e.States) }

// Side is a function that generates one of the systems to compare.
type Side func(ctx context.Context, s *subject.Subject, c Client, lim Limits) (*lts.System, error)

// Concrete generates the system of a collection's code under a client, with every interleaving.
func Concrete(ctx context.Context, s *subject.Subject, c Client, lim Limits) (*lts.System, error) {
	sys, err := newSystem(s, c, stepwise)
	if err != nil {
		return nil, err
	}
	return record(ctx, sys, sys, lim)
}

// Atomic generates the system of the same code with every operation executed in one step. An operation that cannot return alone, because it
// waits or loops, is not executed until it can: a Dequeue that waits for an item waits for its single step. The error is a *RefusedError if
// an operation can never return alone, because two of them must meet.
func Atomic(ctx context.Context, s *subject.Subject, c Client, lim Limits) (*lts.System, error) {
	sys, err := newSystem(s, c, atomic)
	if err != nil {
		return nil, err
	}
	out, err := record(ctx, sys, sys, lim)
	if err != nil {
		return nil, err
	}
	for op, a := range sys.alone {
		if a.blocked && !a.ended {
			return nil, &RefusedError{s.Operations[op].Name}
		}
	}
	return out, nil
}

// RefusedError is the error if an operation cannot be a single step.
type RefusedError struct{ Operation string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s never ends when it is executed alone, so that the code has no abstract side in which it is one step: compare with an oracle instead (-against oracle)", e.Operation)
}

// record generates the labelled system of the searched system, whose labels sys names.
func record(ctx context.Context, sys *system, searched explore.System, lim Limits) (*lts.System, error) {
	var r *recorder
	res, err := sys.search(ctx, searched, lim, func() explore.Options {
		r = &recorder{sys: sys, b: lts.NewBuilder(0), labels: map[label]lts.Label{internal: lts.Tau}}
		return explore.Options{MaxStates: lim.States, MaxBytes: lim.Bytes, Progress: lim.Progress, OnEdge: r.edge}
	})
	switch {
	case err != nil:
		return nil, err
	case !res.Complete:
		return nil, &LimitError{res.Limit, res.States}
	}
	return r.system(), nil
}

// search explores a system that is made of sys, with the options that begin returns, until no assumption of the machines is refuted.
func (s *system) search(ctx context.Context, searched explore.System, lim Limits, begin func() explore.Options) (explore.Result, error) {
	for {
		s.assumed.Begin()
		s.remember(lim)
		opt := begin()
		opt.ProgressEvery = 1 << 14
		opt.Held = s.store.Bytes
		failed, visit := "", opt.Visit
		opt.Visit = func(cur explore.Cursor, t explore.Trail, depth int) explore.Action {
			if c := codeOf(cur); c != nil {
				if s.assumed.Tell(c.m) {
					return explore.Stop
				}
				if failed = c.failed; failed != "" {
					return explore.Stop
				}
			}
			if visit == nil {
				return explore.Continue
			}
			return visit(cur, t, depth)
		}
		res := s.assumed.Run(func() explore.Result { return explore.Run(ctx, searched, opt) }, s.assumed.Refuted)
		switch {
		case s.assumed.Withdraw():
			continue
		case s.assumed.Fault() != nil:
			return res, s.assumed.Fault()
		case failed != "":
			return res, &subject.SetupError{Message: failed}
		}
		return res, nil
	}
}

// codeOf is the cursor over the code within a cursor; nil: it is one over an oracle.
func codeOf(cur explore.Cursor) *cursor {
	switch c := cur.(type) {
	case *cursor:
		return c
	case *productCursor:
		return c.cursor
	}
	return nil
}

// recorder builds a system from the edges that a search meets.
type recorder struct {
	sys      *system
	b        *lts.Builder
	labels   map[label]lts.Label
	initials []uint32
}

func (r *recorder) edge(e *explore.Edge) explore.Action {
	switch {
	case e.State[0] == wordBlocked: // the operation cannot be executed in this state
		return explore.Continue
	case e.From == explore.NoState:
		r.initials = append(r.initials, e.To)
		return explore.Continue
	}
	l, ok := r.labels[label(e.Label)]
	if !ok {
		l = r.b.Label(r.sys.name(label(e.Label)))
		r.labels[label(e.Label)] = l
	}
	r.b.Add(lts.State(e.From), l, lts.State(e.To))
	return explore.Continue
}

// system returns the system. If construction leaves a choice, that is the first, internal step.
func (r *recorder) system() *lts.System {
	if len(r.initials) == 1 {
		r.b.SetInitial(lts.State(r.initials[0]))
		return r.b.Build()
	}
	first := r.b.AddState()
	for _, i := range r.initials {
		r.b.Add(first, lts.Tau, lts.State(i))
	}
	r.b.SetInitial(first)
	return r.b.Build()
}
