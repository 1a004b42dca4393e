// SPDX-License-Identifier: BSD-3-Clause

package explore

// The transitions of a search, for those who want the state graph itself and not only
// its states: labelled transition systems, drawings, figures about steps.

// An Edge is a transition of the state graph, or the way in to an initial state. It is
// valid during Options.OnEdge only.
type Edge struct {
	// From and To number the states; From is NoState if To is an initial state. The numbers
	// are those of one search: with one worker 0, 1, 2, … in the order of discovery, with
	// several in no order and with gaps.
	From, To uint32
	// New says that To has not been met before. What an observer keeps of a state it can
	// keep then; a state is pruned if Visit says so.
	New bool
	// Move is the move of From; 0 if there is none.
	Move Move
	// Label is what the cursor says of the step, if it is a Labeller; otherwise 0.
	Label uint64
	// State is the saved form of To. It must not be changed or kept.
	State []uint64
}

// NoState is the From of edges to initial states.
const NoState = ^uint32(0)

// Labeller is a Cursor whose steps have labels.
type Labeller interface {
	// Label is the label of the last Step, or of the last Initial. It is asked for before
	// Save, and once for every step. What it means is the System's own.
	Label() uint64
}

// observer is the graph of a worker whose edges are observed; next, if not nil, looks
// for cycles in them.
type observer struct {
	on   func(e *Edge) Action
	next graph
	edge Edge
}

// observe puts an observer in front of what a worker's edges are for, and lets the
// worker ask for labels.
func (w *worker) observe(on func(e *Edge) Action) {
	w.graph = &observer{on: on, next: w.graph}
	w.labels, _ = w.cursor.(Labeller)
}

func (o *observer) tell(w *worker, to uint32, isNew bool) {
	f := &w.frames[len(w.frames)-1]
	e := &o.edge
	*e = Edge{From: NoState, To: to, New: isNew, Label: w.label, State: w.states.state()}
	if !f.root {
		e.From, e.Move = f.index, w.moves[f.at]
	}
	if o.on(e) == Stop {
		w.search.stop(NoLimit)
	}
}

func (o *observer) seen(w *worker, to uint32) {
	o.tell(w, to, false)
	if o.next != nil {
		o.next.seen(w, to)
	}
}

func (o *observer) found(w *worker, to uint32, pruned bool) {
	o.tell(w, to, true)
	if o.next != nil {
		o.next.found(w, to, pruned)
	}
}

func (o *observer) adopted(w *worker) {
	if o.next != nil {
		o.next.adopted(w)
	}
}

func (o *observer) split(w *worker, i int) {
	if o.next != nil {
		o.next.split(w, i)
	}
}

func (o *observer) opened(w *worker) {
	if o.next != nil {
		o.next.opened(w)
	}
}

func (o *observer) closed(w *worker) bool { return o.next == nil || o.next.closed(w) }

func (o *observer) bytes() int64 {
	if o.next == nil {
		return 0
	}
	return o.next.bytes()
}
