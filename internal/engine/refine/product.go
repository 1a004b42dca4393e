// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"context"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/lts"
	"pangolin/internal/subject"
)

// This file decides inclusion of weak traces while the code's system is explored: with each state goes the set of the abstract system's
// states to which the same trace leads. If the set is empty, the trace is a violation and ends the search.

// Finding is the result of deciding inclusion.
type Finding struct {
	States, Transitions uint64
	PeakBytes           int64
	Limit               error        // the limit that ended the search; nil: none
	Trace               []string     // labels of the violating trace
	Path                explore.Path // to the end of the trace
	Violated            bool

	sys *system // the explored system
}

// Setting is a collection under a client.
type Setting struct {
	Subject *subject.Subject
	Client  Client
}

// Includes decides whether every trace of the code is one of an abstract system; if that executes each operation in one step, this is
// linearizability (the thesis, section 3.4).
func Includes(ctx context.Context, u Setting, abstract *lts.System, lim Limits) (*Finding, error) {
	sys, err := newSystem(u.Subject, u.Client, stepwise)
	if err != nil {
		return nil, err
	}
	p := &product{system: sys, follower: lts.Follow(abstract)}
	f := &Finding{sys: sys}
	res, err := sys.search(ctx, p, lim, func() explore.Options {
		return explore.Options{MaxStates: lim.States, MaxBytes: lim.Bytes, Progress: lim.Progress,
			Visit: func(cur explore.Cursor, t explore.Trail, _ int) explore.Action {
				if cur.(*productCursor).at != lts.Lost {
					return explore.Continue
				}
				f.Violated, f.Path = true, t.Path()
				return explore.Stop
			},
		}
	})
	if err != nil {
		return nil, err
	}
	f.States, f.Transitions, f.PeakBytes = res.States, res.Transitions, res.PeakBytes
	switch {
	case f.Violated:
		f.Trace = p.trace(f.Path)
	case !res.Complete:
		f.Limit = &LimitError{res.Limit, res.States}
	}
	return f, nil
}

// product is a collection under its client together with a follower of the abstract system.
type product struct {
	*system
	follower *lts.Follower
}

func (p *product) NewCursor() explore.Cursor {
	return &productCursor{cursor: p.system.NewCursor().(*cursor), p: p, labels: map[label]lts.Label{}}
}

// productCursor is in one state of the product.
type productCursor struct {
	*cursor
	p      *product
	at     int // state of the follower; lts.Lost: the abstract system does not have the trace
	labels map[label]lts.Label
}

func (c *productCursor) Initial(ch *explore.Choices) {
	c.cursor.Initial(ch)
	c.at = c.p.follower.Initial()
}

func (c *productCursor) Moves(dst []explore.Move) []explore.Move {
	if c.at == lts.Lost {
		return dst
	}
	return c.cursor.Moves(dst)
}

func (c *productCursor) Step(mv explore.Move, ch *explore.Choices) {
	c.cursor.Step(mv, ch)
	if c.label != internal {
		c.at = c.p.follower.Next(c.at, c.follows())
	}
}

// follows is the follower's number of the last label.
func (c *productCursor) follows() lts.Label {
	l, ok := c.labels[c.label]
	if !ok {
		l = c.p.follower.Label(c.p.name(c.label))
		c.labels[c.label] = l
	}
	return l
}

func (c *productCursor) Save(dst []uint64) []uint64 {
	return c.cursor.Save(append(dst, uint64(c.at)))
}

func (c *productCursor) Load(state []uint64) {
	c.at = int(state[0])
	c.cursor.Load(state[1:])
}

// trace lists the visible labels on a path.
func (p *product) trace(path explore.Path) []string {
	c := p.NewCursor().(*productCursor)
	walk, _ := interleave.Begin(c, path.Start)
	var trace []string
	for _, s := range path.Steps {
		walk.Settle()
		walk.Step(s)
		if c.label != internal {
			trace = append(trace, p.name(c.label))
		}
	}
	return trace
}
