// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/play"
	"pangolin/oracle"
)

// beginning is a call that begins, with the plan's counts after it.
type beginning struct {
	step     client.Step
	all, own uint64
}

// preemptions are counted only under a bound on them.
type preemptions struct {
	last     int // the thread that moved last
	switches int // preemptions so far
}

func (c *cursor) beginning(i, k int) (b beginning) {
	b.step, b.all, b.own = c.sys.plan.Make(k, c.all, c.own[i])
	b.all = client.Begun(b.all, c.sys.ops, b.step.Op)
	b.step = c.sys.calledBy(c.names.Fresh(b.step), i)
	return b
}

// calledBy adds the thread's number to a call, if the code may ask for it.
func (s *system) calledBy(step client.Step, thread int) client.Step {
	op := &s.subject.Operations[step.Op]
	if !op.Asks {
		return step
	}
	if s.opt.untold {
		thread = 0
	}
	step.Args = step.Args.With(len(op.Client.Params)-1, history.IntValue(int64(thread)))
	return step
}

// calls lists the calls that an idle thread may make.
func (c *cursor) calls(i int) []int {
	c.list = c.sys.plan.Calls(c.list[:0], c.all, c.own[i])
	if c.full() {
		c.list = slices.DeleteFunc(c.list, c.takesItem)
	}
	if c.placed {
		c.list = slices.DeleteFunc(c.list, func(k int) bool { return c.misplaced(i, k) })
	}
	if c.sys.subject.Operations[0].Careful { // all are
		c.list = slices.DeleteFunc(c.list, func(k int) bool { return c.reckless(i, k) })
	}
	return c.list
}

// reckless reports whether a call of a careful operation may not begin, because the oracle then has a panic for it or for one in progress.
func (c *cursor) reckless(i, k int) bool {
	begun := c.monitor.Invoke(c.id, i, c.callID(c.beginning(i, k).step))
	for busy, j := c.monitor.Busy(begun), 0; j < c.sys.threads; j++ {
		if !busy.Has(j) {
			continue
		}
		if _, ok := c.monitor.Respond(begun, j, c.monitor.Result(history.PanicTuple())); ok {
			return true
		}
	}
	return false
}

// places reports whether roles say when one of the operations is called: first, alone, last or not beside another.
func (s *system) places() bool {
	return slices.ContainsFunc(s.ops, func(o client.Op) bool { return o.Who.Last || o.Who.First || o.Who.Alone || o.Who.Not != "" })
}

// misplaced reports whether a thread may not make a call yet, or any more, because of a role that says when its operation, or one whose
// call is in progress, is called.
func (c *cursor) misplaced(i, k int) bool {
	step, _, _ := c.sys.plan.Make(k, c.all, c.own[i])
	at := client.Position{All: c.all, Own: c.own, Busy: client.ThreadSet(c.monitor.Busy(c.id))}
	var inProgress []int
	for j := range c.own {
		if at.Busy.Has(j) {
			inProgress = append(inProgress, play.OperationOf(c.place.Tag(j)))
		}
	}
	return !at.Placed(c.sys.ops, step.Op, inProgress) || c.sys.ops[step.Op].Who.Last && !at.Ends(c.sys.plan, i, k)
}

// alike reports whether two threads know the same about the access that the state remembers, if any.
func (c *cursor) alike(i, j int) bool {
	return c.sys.machine.Hunt == nil || c.m.Knows(i) == c.m.Knows(j)
}

// ordered calls f for each thread, in a search for races by their definition, if the operation has a role that says when it is called:
// whoever calls it first, alone or last puts it behind the calls before it, and the calls behind it after it.
func (c *cursor) ordered(op int, f func(thread int)) {
	who := c.sys.ops[op].Who
	if c.sys.machine.Hunt == nil || !who.First && !who.Alone && !who.Last {
		return
	}
	for j := range c.own {
		f(j)
	}
}

// begins tells plan and monitor about a call.
func (c *cursor) begins(i int, b *beginning) {
	c.ordered(b.step.Op, func(j int) { c.m.Order(j, i) })
	c.all, c.own[i] = b.all, b.own
	c.id = c.monitor.Invoke(c.id, i, c.callID(b.step))
}

// returns tells the monitor what a call has returned, and reports whether that is right.
func (c *cursor) returns(i, op int, result history.Tuple) bool {
	c.ordered(op, func(j int) { c.m.Order(i, j) })
	r := c.monitor.Result(result)
	c.notes(op, r, result)
	id, ok := c.monitor.Respond(c.id, i, r)
	if !ok {
		c.found = &finding{class: c.sys.rejection(), thread: i}
		return false
	}
	c.id = id
	return true
}

// view is a signature of the monitor's state from one thread's point of view. It is equal for threads that the monitor does not distinguish
// and does not depend on how its states are numbered. Threads that are equal otherwise are sorted by it. It is not part of a state: it
// depends on the names that keys and items had before they are renamed, so one state would become two, and the monitor's own state says the
// same.
func (c *cursor) view(i int) uint64 {
	if c.makes() { // the monitor has seen nothing
		return 0
	}
	return c.monitor.Signature(c.id, i)
}

// renamed is the monitor's state with the threads in another order.
func (c *cursor) renamed(perm []int) consist.ID {
	moved := false
	var to [consist.MaxThreads]int
	for place := range c.sys.threads {
		to[perm[place]] = place
		moved = moved || perm[place] != place
	}
	if !moved {
		return c.id
	}
	return c.monitor.Rename(c.id, consist.NewPerm(to[:c.sys.threads]))
}

// tie is the number of an order of threads that the place cannot distinguish; the least is taken.
func (c *cursor) tie(perm []int, items []uint8) uint64 {
	id := c.renamed(perm)
	if c.sys.opt.Items {
		id, _ = c.names.Items(id, items)
	}
	return c.monitor.Content(id)
}

func (c *cursor) swap(i, j int) consist.Perm {
	var to [consist.MaxThreads]int
	for k := range to {
		to[k] = k
	}
	to[i], to[j] = j, i
	return consist.NewPerm(to[:])
}

func (c *cursor) callID(s client.Step) oracle.CallID {
	id, ok := c.ids[s]
	if !ok {
		id = c.sys.monitor.Call(s.Op, s.Args)
		c.ids[s] = id
	}
	return id
}

// doubled reports whether an earlier idle thread is in the same position, and exchanging the two would not change the monitor's state. Then
// the moves of one stand for those of both.
func (c *cursor) doubled(i int) bool {
	c.id = c.monitor.Settle(c.id)
	// The monitor's state represents the history so far: two idle threads that have made different calls are not in the same position for
	// program order.
	if !c.sys.opt.symmetry || !c.place.Anonymous(i) {
		return false
	}
	for j := range i {
		if c.place.Idle(j) && c.place.Anonymous(j) && c.place.Tag(j) == c.place.Tag(i) && c.alike(i, j) && c.sys.monitor.Rename(c.id, c.swap(i, j)) == c.id {
			return true
		}
	}
	return false
}
