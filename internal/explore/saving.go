// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"fmt"
	"maps"
	"slices"

	"pangolin/internal/saved"
)

// A search depth first can be written down while it goes on, and another process can go on with it. What is written is all that the
// workers have: visited states, the frames of each with the decisions of the alternative that comes next, what is known of cycles, and the
// sums. The workers come to rest for that, each between two transitions (pool.rest), so that no transition is half made.
//
// States are written as they were saved. So whoever reads them has to give their words the meaning that they had: the System's own numbers
// are the caller's to keep.

// Checkpoints says when a search is written down, and which one it goes on with. The search is DepthFirst.
type Checkpoints struct {
	// Due reports whether the search is to be written down now. It is asked about every 1024 states, or Every states if that is not 0 and
	// fewer, by several workers at once, and must be quick. Nil: never.
	Due   func() bool
	Every uint64
	// Write is called while no worker moves, to write what the caller has and then, by pass, the search: when it is due, and once more at
	// the end, unless a callback has ended the search, or a limit on states: states may have been met then that nobody has judged.
	Write func(at Moment, pass func(c *saved.Codec))
	// From is where a search that was written down is read, with the same Options but for limits on time and memory, and Workers as long
	// as there is one in both cases or several in both; nil: the search begins at its beginning. If what is read is no such search, that
	// is a panic.
	From *saved.Codec
}

// Moment is when a search is written down.
type Moment struct {
	Progress
	Ended bool  // the search has ended
	Limit Limit // because of this; NoLimit: it is complete
}

// keep writes the search down. No worker moves.
func (s *search) keep(ended bool) {
	at := Moment{Progress: s.now(), Ended: ended}
	if ended {
		at.Limit = s.limit
	}
	s.opt.Checkpoints.Write(at, s.pass)
}

// now is the sum of what all workers have counted. No worker moves.
func (s *search) now() Progress {
	sum := s.sum
	for _, w := range s.workers {
		t := &w.tally
		sum.States += t.states - t.sent.states
		sum.Transitions += t.transitions - t.sent.transitions
		sum.Depth = max(sum.Depth, t.depth)
	}
	return sum
}

// keepLast writes down a search that has ended, if another one could go on from there.
func (s *search) keepLast() {
	if k := s.opt.Checkpoints; k == nil || k.Write == nil || s.refused.Load() {
		return
	}
	switch s.limit {
	case NoLimit, LimitBytes, LimitTime, LimitCancelled:
		s.keep(true)
	}
}

// goOn reads a search that was written down.
func (s *search) goOn() {
	k := s.opt.Checkpoints
	if k == nil || k.From == nil {
		return
	}
	s.pass(k.From)
	if err := k.From.Err(); err != nil {
		panic(fmt.Errorf("explore: the search cannot go on: %w", err))
	}
}

// pass passes a search.
func (s *search) pass(c *saved.Codec) {
	c.Mark("search")
	p := s.now()
	saved.Int(c, &p.States)
	saved.Int(c, &p.Transitions)
	saved.Int(c, &p.Depth)
	peak := s.peak
	saved.Int(c, &peak)
	s.states.Pass(c)
	stacks := s.front.(*pool).stacks
	if c.Writes() {
		for _, w := range s.workers {
			if len(w.frames) > 0 {
				stacks = append(stacks, w.stack())
			}
		}
	}
	saved.List(c, &stacks, passStack)
	s.front.(*pool).pass(c)
	if g := s.workers[0].graph; g != nil {
		g.(passer).pass(c)
	}
	if s.pruned != nil {
		s.pruned.Pass(c)
	}
	if c.Writes() {
		return
	}
	s.sum, s.peak, s.reported = p, peak, p.States
	s.sum.Bytes = 0
	s.claimed.Store(p.States)
	s.front.(*pool).stacks = stacks
}

// passer is a graph that can be written down: what its workers share.
type passer interface{ pass(c *saved.Codec) }

// stack is what a worker has still to expand, as plain data.
type stack struct {
	before  Path // to the bottom frame
	depth   int
	floor   int
	frames  []frame    // without the places of their states
	states  [][]uint64 // of the frames
	moves   []Move
	choices Choices
	targets []uint32 // of a finisher, and from likewise
	from    []int
}

// stack is that of a worker. It shares memory with it.
func (w *worker) stack() stack {
	k := stack{before: w.search.front.prefix(w), depth: w.depth, floor: w.pooled.floor, frames: w.frames, moves: w.moves, choices: w.choices}
	for i := range w.frames {
		k.states = append(k.states, w.states.at(w.frames[i].state))
	}
	if g, ok := w.graph.(*finisher); ok {
		k.targets, k.from = g.targets, g.from
	}
	return k
}

// unstack makes a stack the worker's own.
func (w *worker) unstack(k *stack) {
	w.reset()
	w.pooled = pooled{before: &segment{path: k.before}, floor: k.floor}
	w.depth, w.frames, w.moves, w.choices, w.loaded = k.depth, k.frames, k.moves, k.choices, false
	for i, state := range k.states {
		w.states.add(state)
		w.frames[i].state = w.states.place()
	}
	if g, ok := w.graph.(*finisher); ok {
		g.targets, g.from = k.targets, k.from
	}
}

func passStack(c *saved.Codec, k *stack) {
	c.Mark("stack")
	passPath(c, &k.before)
	saved.Int(c, &k.depth)
	saved.Int(c, &k.floor)
	saved.List(c, &k.frames, func(c *saved.Codec, f *frame) {
		saved.Int(c, &f.at)
		saved.Int(c, &f.last)
		saved.Int(c, &f.choices)
		saved.Int(c, &f.index)
		c.Bool(&f.root)
		c.Bool(&f.spent)
	})
	saved.List(c, &k.states, (*saved.Codec).Words)
	saved.Ints(c, &k.moves)
	passDecisions(c, &k.choices.made)
	saved.Int(c, &k.choices.base)
	saved.Int(c, &k.choices.pos)
	saved.Int(c, &k.choices.kept)
	saved.Ints(c, &k.targets)
	saved.Ints(c, &k.from)
}

func passDecisions(c *saved.Codec, list *[]decision) {
	saved.List(c, list, func(c *saved.Codec, d *decision) {
		saved.Int(c, &d.taken)
		saved.Int(c, &d.arity)
	})
}

func passPath(c *saved.Codec, p *Path) {
	saved.Ints(c, &p.Start)
	saved.List(c, &p.Steps, func(c *saved.Codec, t *Taken) {
		saved.Int(c, &t.Move)
		saved.Ints(c, &t.Decisions)
	})
}

// pass passes the tasks that nobody has taken.
func (p *pool) pass(c *saved.Codec) {
	saved.List(c, &p.tasks, func(c *saved.Codec, t *task) {
		var before Path
		if t.before != nil && c.Writes() {
			before = joined(t.before)
		}
		if passPath(c, &before); !c.Writes() {
			t.before = &segment{path: before}
		}
		saved.Int(c, &t.depth)
		c.Words(&t.state)
		saved.Ints(c, &t.moves)
		passDecisions(c, &t.decisions)
		saved.Int(c, &t.index)
		c.Bool(&t.root)
	})
}

func (t *tarjan) pass(c *saved.Codec) {
	t.finder.Pass(c, func(c *saved.Codec, g *gathered) {
		c.Bool(&g.leaves)
		c.Bool(&g.loop)
		passAgents(c, &g.moved)
		passAgents(c, &g.always)
	})
}

func passAgents(c *saved.Codec, s *Agents) {
	c.Word(&s.few)
	c.Words(&s.more)
}

func (f *finishing) pass(c *saved.Codec) {
	c.Mark("open states")
	f.clean.pass(c)
	type entry struct {
		n uint32
		unsettled
	}
	var list []entry
	for _, n := range slices.Sorted(maps.Keys(f.open)) {
		list = append(list, entry{n, *f.open[n]})
	}
	saved.List(c, &list, func(c *saved.Codec, e *entry) {
		saved.Int(c, &e.n)
		saved.Ints(c, &e.targets)
		saved.Int(c, &e.pieces)
	})
	c.Bool(&f.lost)
	if c.Writes() {
		return
	}
	for i := range list {
		f.open[list[i].n] = &list[i].unsettled
	}
}

// pass passes the pages that have marks.
func (m *marks) pass(c *saved.Codec) {
	var used []int
	for i := range m.pages {
		if m.pages[i].Load() != nil {
			used = append(used, i)
		}
	}
	saved.Ints(c, &used)
	for _, i := range used {
		p := m.pages[i].Load()
		if p == nil {
			p = new(page)
			m.pages[i].Store(p)
		}
		for k := range p {
			w := p[k].Load()
			c.Word(&w)
			p[k].Store(w)
		}
	}
}
