// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"context"

	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/lts"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// Specified generates the system of an oracle under a client: an operation takes effect in one step between its invocation and its
// response, as the oracle permits. If the oracle has no outcome, the operation waits.
func Specified(ctx context.Context, s *subject.Subject, c Client, lim Limits) (*lts.System, error) {
	sys, err := newSystem(s, c, atomic)
	if err != nil {
		return nil, err
	}
	spec := &specified{system: sys, automaton: oracle.NewAutomaton(s.Spec)}
	out, err := record(ctx, sys, spec, lim)
	if err == nil {
		err = spec.automaton.Err()
	}
	return out, err
}

// specified is an oracle under a client as a transition system. Calls, phases and labels are those of the code's system; the oracle's state
// replaces the machine's.
type specified struct {
	*system
	automaton *oracle.Automaton
}

func (s *specified) NewCursor() explore.Cursor {
	return &specifiedCursor{sys: s, calling: calling{sys: s.system, threads: make([]thread, s.client.Threads)}}
}

// specifiedCursor is in one state.
type specifiedCursor struct {
	sys *specified
	calling
	state oracle.StateID
}

func (c *specifiedCursor) Initial(ch *explore.Choices) {
	c.label = internal
	clear(c.threads)
	c.state = c.sys.automaton.StateID(c.sys.subject.Spec.Initial())
	for _, step := range c.sys.pre[ch.Choose(len(c.sys.pre))] {
		if list := c.edges(step); len(list) > 0 {
			c.state = list[ch.Choose(len(list))].Next
		}
	}
}

func (c *specifiedCursor) Moves(dst []explore.Move) []explore.Move {
	for i, t := range c.threads {
		if t.phase != busy || len(c.outcomes(i)) > 0 {
			dst = c.moves(dst, i)
		}
	}
	return dst
}

// outcomes lists the outcomes of a busy thread's operation.
func (c *specifiedCursor) outcomes(i int) []oracle.Edge {
	return c.edges(c.sys.steps[c.threads[i].step])
}

func (c *specifiedCursor) edges(step client.Step) []oracle.Edge {
	return c.sys.automaton.Edges(c.state, c.sys.automaton.CallID(oracle.Call{Op: step.Op, Args: step.Args}))
}

func (c *specifiedCursor) Step(mv explore.Move, ch *explore.Choices) {
	i := mv.Agent()
	if c.see(mv) || c.threads[i].phase != busy {
		return
	}
	list := c.outcomes(i)
	edge := list[ch.Choose(len(list))]
	c.state = edge.Next
	t := &c.threads[i]
	t.phase, t.value = returned, c.sys.results.number(c.op(i).Unnamed(c.sys.automaton.Result(edge.Result)))
}

// op is the operation that a thread executes.
func (c *specifiedCursor) op(i int) *subject.Operation {
	return &c.sys.subject.Operations[c.sys.steps[c.threads[i].step].Op]
}

func (c *specifiedCursor) Save(dst []uint64) []uint64 {
	return c.save(append(dst, uint64(c.state)))
}

func (c *specifiedCursor) Load(state []uint64) {
	c.label = internal
	c.state = oracle.StateID(state[0])
	c.load(state[1:])
}
