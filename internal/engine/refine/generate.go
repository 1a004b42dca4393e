// Package refine makes labelled transition systems of collections and decides from them
// whether a collection behaves as if its operations were executed in one step each: the
// method of the thesis "Modeling and verifying concurrent data structures" (chapters 3 to 6).
//
// It takes a subject and a client (so many threads, so many calls each) and gives a system
// (package lts) in which invocations and responses are visible and everything else is
// internal. It does not decide equivalences itself, and writes no files.
package refine

import (
	"context"
	"errors"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/lts"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// Client says who calls what: the thesis's client, in which every thread makes calls of its choice.
type Client struct {
	Pre     client.Range // additions before the threads begin
	Threads int
	Calls   int // of each thread; 0: Steps bounds all threads together
	Steps   int
	Values  int // keys and items are 0 to Values-1
	Hash    client.Hash
	// Raw makes every access to memory a step, also where no other thread can notice.
	Raw bool
}

// space lists what the threads may call. Items are chosen like keys, for a label tells them.
func (c *Client) space(s *subject.Subject) (*client.Space, error) {
	steps := c.Steps
	if c.Calls > 0 {
		steps = c.Calls * c.Threads
	}
	return client.NewSpace(client.Scope{
		Threads: client.Range{From: c.Threads, To: c.Threads}, Steps: client.Range{From: 1, To: steps},
		PreAdds: c.Pre, PerThread: c.Calls, Values: c.Values,
	}, s.ClientOps())
}

// ClientOf is the client of a job's scope: as many threads and calls as it allows.
func ClientOf(j *engine.Job) Client {
	c := &j.Scope.Clients
	return Client{Pre: c.PreAdds, Threads: c.Threads.To, Calls: c.PerThread, Steps: c.Steps.To, Values: c.Values,
		Hash: j.Scope.Hash, Raw: j.Reduce&vm.Fusing == 0}
}

// Limits end a generation early. 0: none.
type Limits struct {
	States   uint64
	Bytes    int64
	Progress func(explore.Progress)
}

// LimitError says that a limit was reached.
type LimitError struct {
	Limit  explore.Limit
	States uint64
}

func (e *LimitError) Error() string { return e.Limit.After(e.States) }

// Concrete generates the system of a collection under a client: its code, every interleaving.
func Concrete(ctx context.Context, s *subject.Subject, c Client, lim Limits) (*lts.System, error) {
	return generate(ctx, s, c, stepwise, lim)
}

// Atomic generates the system of the same code with every operation's body executed in one step.
// An operation that cannot end alone waits until it can.
func Atomic(ctx context.Context, s *subject.Subject, c Client, lim Limits) (*lts.System, error) {
	return generate(ctx, s, c, atomic, lim)
}

func generate(ctx context.Context, s *subject.Subject, c Client, b body, lim Limits) (*lts.System, error) {
	sys, err := newSystem(s, c, b)
	if err != nil {
		return nil, err
	}
	return record(ctx, sys, sys, lim)
}

// record makes a labelled system of what a search meets; sys names the labels.
func record(ctx context.Context, sys *system, searched explore.System, lim Limits) (*lts.System, error) {
	r := &recorder{sys: sys, b: lts.NewBuilder(0), labels: map[label]lts.Label{internal: lts.Tau}}
	res := explore.Run(ctx, searched, explore.Options{
		MaxStates: lim.States, MaxBytes: lim.Bytes, Progress: lim.Progress, ProgressEvery: 1 << 14,
		Visit: r.visit, OnEdge: r.edge,
	})
	switch {
	case r.err != nil:
		return nil, r.err
	case !res.Complete:
		return nil, &LimitError{res.Limit, res.States}
	}
	return r.system(), nil
}

// recorder makes a system of the edges that a search meets.
type recorder struct {
	sys      *system
	b        *lts.Builder
	labels   map[label]lts.Label
	initials []uint32
	err      error
}

func (r *recorder) visit(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
	c, ok := cur.(*cursor)
	switch {
	case !ok: // an oracle's, in which nothing goes wrong
		return explore.Continue
	case c.m.Fault() != nil:
		r.err = c.m.Fault()
	case c.failed != "":
		r.err = errors.New(c.failed)
	default:
		return explore.Continue
	}
	return explore.Stop
}

func (r *recorder) edge(e *explore.Edge) explore.Action {
	switch {
	case r.err != nil:
		return explore.Stop
	case e.State[0] == wordBlocked: // the operation cannot be made in this state
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

// system gives the system. If the constructor leaves a choice, it is the first, internal, step.
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
