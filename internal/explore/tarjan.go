// SPDX-License-Identifier: BSD-3-Clause

package explore

import "pangolin/internal/component"

// tarjan gathers, for package component, what is known of a component's edges while it is
// being found: an edge to a completed state leaves the component that its source will belong to;
// one to a known state that is not completed stays inside; and when a state is closed that is no
// root, the state below is in the same component, with all that was gathered above. The
// store's numbers are given in the order of discovery, so states are called by them.
type tarjan struct {
	search *search
	finder component.Finder[gathered] // of those frames of the worker that are states
	cursor Cursor                     // for walks inside a component, made when first asked for
}

// gathered is what the edges show of the part of a component that consists of a frame and those above it.
type gathered struct {
	leaves bool   // an edge leads out
	loop   bool   // the frame's state has an edge to itself
	moved  Agents // agents that move along edges inside
	always Agents // agents that are enabled in every state
}

func newTarjan(s *search) *tarjan { return &tarjan{search: s} }

// With one worker there is nobody to share a state with.
func (t *tarjan) adopted(*worker)    {}
func (t *tarjan) split(*worker, int) {}

func (t *tarjan) opened(w *worker) {
	f := &w.frames[len(w.frames)-1]
	top := t.finder.Open(f.index)
	for _, m := range w.moves[f.at:f.last] {
		top.always.Add(m.Agent())
	}
}

func (t *tarjan) seen(w *worker, to uint32) {
	top := t.finder.Top()
	if top == nil { // one more way in
		return
	}
	if !t.finder.Edge(to) {
		top.leaves = true
		return
	}
	top.loop = top.loop || to == w.frames[len(w.frames)-1].index
	top.moved.Add(w.agent())
}

func (t *tarjan) found(_ *worker, to uint32, pruned bool) {
	t.finder.Discover(to)
	if !pruned {
		return
	}
	t.finder.Leave(to)
	if top := t.finder.Top(); top != nil {
		top.leaves = true
	}
}

func (t *tarjan) closed(w *worker) (goOn bool) {
	top := *t.finder.Top()
	if !t.finder.AtRoot() {
		t.finder.Close()
		t.merge(&top, w)
		return true
	}
	goOn = true
	if len(t.finder.Members()) > 1 || top.loop {
		goOn = t.report(&top, w)
	}
	t.finder.Close()
	if below := t.finder.Top(); below != nil {
		below.leaves = true
	}
	return goOn
}

// merge adds what is known of a closed frame to the one below, which is in the same
// component, as the edge to the closed frame is.
func (t *tarjan) merge(closed *gathered, w *worker) {
	below := t.finder.Top()
	below.leaves = below.leaves || closed.leaves
	below.moved.Union(&closed.moved)
	edge := &w.frames[len(w.frames)-2]
	below.moved.Add(w.moves[edge.at].Agent())
	below.always.Intersect(&closed.always)
}

// report tells the caller of the search about the component of the top frame.
func (t *tarjan) report(top *gathered, w *worker) (goOn bool) {
	on := t.search.opt.OnComponent
	if on == nil {
		return true
	}
	f := &w.frames[len(w.frames)-1]
	c := &Component{
		States: len(t.finder.Members()),
		Bottom: !top.leaves,
		Moved:  top.moved,
		Always: top.always,
		Root:   w.states.at(f.state),
		tarjan: t,
		worker: w,
	}
	return on(c) != Stop
}

func (t *tarjan) bytes() int64 { return t.finder.Bytes() }

// Component is a strongly connected component of the state graph that has a cycle: more
// than one state, or an edge from its state to itself. It is valid during OnComponent
// only.
//
// If saved states renumber agents, the sets of agents mix up different agents and mean
// nothing. Then search again from Root (Options.From) with a System that does not.
type Component struct {
	States int
	Bottom bool // no edge leaves the component; an edge to a pruned state does
	// Moved are the agents that make a move along an edge inside the component.
	Moved Agents
	// Always are the agents that are enabled in every state of the component.
	Always Agents
	// Root is the saved form of the state of the component that was reached first. It must
	// not be changed.
	Root []uint64

	tarjan *tarjan
	worker *worker
}

// Trail returns the path from an initial state (or Options.From) to the root.
func (c *Component) Trail() Path { return c.worker.path(len(c.worker.frames) - 1) }

// Fair reports whether the component has a weakly fair cycle: one on which each agent
// moves or is not enabled somewhere. A cycle that passes along all edges is one if there
// is any.
func (c *Component) Fair() bool { return c.Unfair().Empty() }

// Unfair returns the agents that are enabled in all states of the component and never
// move inside.
func (c *Component) Unfair() Agents { return c.Always.Minus(c.Moved) }

// Bytes returns the memory that the search takes at present.
func (c *Component) Bytes() int64 { return c.worker.tally.add(c.worker) }

// root returns the number of the root's state, the lowest of the component.
func (c *Component) root() uint32 { return c.tarjan.finder.Members()[0] }

// has reports whether a saved state belongs to the component, and its number.
func (c *Component) has(state []uint64) (uint32, bool) {
	n, found := c.tarjan.search.states.Find(state)
	return n, found && n >= c.root() && !c.tarjan.finder.Complete(n)
}
