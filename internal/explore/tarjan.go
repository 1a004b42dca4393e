package explore

import "unsafe"

// tarjan finds strongly connected components while the search goes on (R. Tarjan,
// Depth-first search and linear graph algorithms, SIAM J. Comput. 1(2), 1972).
//
// Deviations: the store's numbers, given in the order of discovery, serve as Tarjan's
// numbers, and the low links live on the stack only; so a stored state has 4 bytes in the
// store and one bit here, which says that its component is completed. What is known
// of the edges is gathered on the stack as well: an edge to a completed state leaves the
// component that its source will belong to; an edge to a known state that is not
// completed stays inside, since that state reaches a state below on the stack; and when
// a frame is closed that is not a root, the state below is in the same component, with
// all that was gathered above.
type tarjan struct {
	search *search
	frames []sccFrame // those of the worker that are states
	stack  []uint32   // states whose component is not completed, increasing
	done   []uint64   // bit set: states whose component is completed
	cursor Cursor     // for walks inside a component, made when first asked for
}

// sccFrame is what is known of the part of a component from a frame upwards.
type sccFrame struct {
	low    uint32 // the lowest state known to be in the component
	base   int    // where the frame's state is on the stack
	leaves bool   // an edge leads out
	loop   bool   // the frame's state has an edge to itself
	moved  Agents // agents that move along edges inside
	always Agents // agents that are enabled in every state
}

const sccFrameSize = int(unsafe.Sizeof(sccFrame{}))

func newTarjan(s *search) *tarjan { return &tarjan{search: s} }

func (t *tarjan) top() *sccFrame {
	if len(t.frames) == 0 {
		return nil
	}
	return &t.frames[len(t.frames)-1]
}

func (t *tarjan) opened(w *worker) {
	f := &w.frames[len(w.frames)-1]
	t.frames = append(t.frames, sccFrame{low: f.index, base: len(t.stack)})
	t.stack = append(t.stack, f.index)
	top := t.top()
	for _, m := range w.moves[f.at:f.last] {
		top.always.Add(m.Agent())
	}
}

func (t *tarjan) seen(w *worker, to uint32) {
	top := t.top()
	if top == nil { // one more way in
		return
	}
	if t.completed(to) {
		top.leaves = true
		return
	}
	top.low = min(top.low, to)
	top.loop = top.loop || to == w.frames[len(w.frames)-1].index
	top.moved.Add(w.agent())
}

func (t *tarjan) found(_ *worker, to uint32, pruned bool) {
	if int(to/64) == len(t.done) {
		t.done = append(t.done, 0)
	}
	if !pruned {
		return
	}
	t.complete(to)
	if top := t.top(); top != nil {
		top.leaves = true
	}
}

func (t *tarjan) completed(n uint32) bool { return t.done[n/64]>>(n%64)&1 != 0 }
func (t *tarjan) complete(n uint32)       { t.done[n/64] |= 1 << (n % 64) }

func (t *tarjan) closed(w *worker) bool {
	top := *t.top()
	root := &w.frames[len(w.frames)-1]
	if top.low != root.index {
		t.frames = t.frames[:len(t.frames)-1]
		t.merge(&top, w)
		return true
	}
	goOn := true
	if len(t.stack)-top.base > 1 || top.loop {
		goOn = t.report(&top, w)
	}
	for _, n := range t.stack[top.base:] {
		t.complete(n)
	}
	t.stack = t.stack[:top.base]
	t.frames = t.frames[:len(t.frames)-1]
	if below := t.top(); below != nil {
		below.leaves = true
	}
	return goOn
}

// merge adds what is known of a closed frame to the one below, which is in the same
// component, as the edge to the closed frame is.
func (t *tarjan) merge(closed *sccFrame, w *worker) {
	below := t.top()
	below.low = min(below.low, closed.low)
	below.leaves = below.leaves || closed.leaves
	below.moved.Union(&closed.moved)
	edge := &w.frames[len(w.frames)-2]
	below.moved.Add(w.moves[edge.at].Agent())
	for i := range below.always {
		below.always[i] &= closed.always[i]
	}
}

// report tells the caller of the search about the component of the top frame.
func (t *tarjan) report(top *sccFrame, w *worker) (goOn bool) {
	on := t.search.opt.OnComponent
	if on == nil {
		return true
	}
	f := &w.frames[len(w.frames)-1]
	c := &Component{
		States: len(t.stack) - top.base,
		Bottom: !top.leaves,
		Moved:  top.moved,
		Root:   w.states.at(f.state),
		tarjan: t,
		worker: w,
	}
	for i := range c.Resting {
		c.Resting[i] = ^top.always[i]
	}
	return on(c) != Stop
}

func (t *tarjan) bytes() int64 {
	return int64(8*cap(t.done) + 4*cap(t.stack) + sccFrameSize*cap(t.frames))
}

// Component is a strongly connected component of the state graph that has a cycle: more
// than one state, or an edge from its state to itself. It is valid during OnComponent
// only.
//
// If saved states renumber agents, the sets of agents mix up different agents and mean
// nothing. Then search again from Root (Options.From) with a System that does not.
type Component struct {
	States int
	Bottom bool // no edge leaves the component; an edge to a pruned state does
	// Moved has the agents that make a move along an edge inside the component.
	Moved Agents
	// Resting has the agents that are not enabled in at least one state of the component,
	// those that do not exist included.
	Resting Agents
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
func (c *Component) Unfair() Agents {
	all := Agents{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	return all.Minus(c.Moved).Minus(c.Resting)
}

// Bytes returns the memory that the search takes at present.
func (c *Component) Bytes() int64 { return c.worker.tally.add(c.worker) }

// root returns the number of the root's state, the lowest of the component.
func (c *Component) root() uint32 { return c.tarjan.stack[c.tarjan.top().base] }

// has reports whether a saved state belongs to the component, and its number.
func (c *Component) has(state []uint64) (uint32, bool) {
	n, found := c.tarjan.search.states.Find(state)
	return n, found && n >= c.root() && !c.tarjan.completed(n)
}
