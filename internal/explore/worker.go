// SPDX-License-Identifier: BSD-3-Clause

package explore

import "unsafe"

// frame is a state that is being expanded. Contents, moves and decisions are in the
// arenas of the worker, so that pushing a frame allocates nothing.
type frame struct {
	state   span   // the contents
	at      int    // the present move in worker.moves
	last    int    // the end of the frame's moves
	choices int    // where the decisions of the present move begin
	index   uint32 // the state's number in the store, if it is indexed
	root    bool   // not a state: its only move leads to the initial states
	spent   bool   // the alternatives after the present one were given away
}

const frameSize = int(unsafe.Sizeof(frame{}))

// worker expands states. This file is the one search loop; what differs between the
// orders is in the frontier, and what is done with edges is in the graph.
type worker struct {
	search *search
	graph  graph // nil: nobody asks for cycles or edges
	cursor Cursor
	labels Labeller // the cursor, if its labels are asked for
	label  uint64   // of the last step

	frames  []frame
	states  arena
	moves   []Move
	choices Choices

	depth  int  // of the bottom frame's state; -1 if it is the root
	loaded bool // the cursor stands in the state of the top frame
	tally  tally
	pooled pooled     // depth first
	level  levelShare // breadth first
}

// frontier decides where states that were found wait for their expansion.
type frontier interface {
	// take gives w, whose frames are empty, a frame to expand. It waits for one if
	// need be and returns false when the search is over.
	take(w *worker) bool
	// put receives a new state, the newest of w's arena, and either opens a frame for it
	// or copies it.
	put(w *worker, index uint32)
	// prefix returns the path to the state of the bottom frame of w.
	prefix(w *worker) Path
	bytes() int64
	// halt makes take return false to all workers.
	halt()
}

// graph is told the edges of the state graph as a depth-first search meets them: those
// of the present alternative of the worker's top frame, which is the root's for an
// initial state. The state that the edge leads to is the newest of the worker's arena.
type graph interface {
	adopted(w *worker)                       // the frames are none but a bottom frame, some edges of which another worker follows
	split(w *worker, i int)                  // frame i gives edges that have not been followed to another worker
	opened(w *worker)                        // the top frame was pushed
	seen(w *worker, to uint32)               // the edge leads to a known state
	found(w *worker, to uint32, pruned bool) // the edge leads to a new state
	closed(w *worker) (goOn bool)            // the top frame is about to be popped
	bytes() int64
}

// run expands states until the frontier has no more for this worker.
func (w *worker) run() {
	for w.search.front.take(w) {
		for len(w.frames) > 0 {
			if w.search.signal.Load() == going {
				w.advance()
			} else if !w.search.rest() {
				break
			}
		}
	}
	w.tally.publish(w)
}

// advance executes the present alternative of the top frame, or pops the frame if it
// has none left.
func (w *worker) advance() {
	f := &w.frames[len(w.frames)-1]
	if f.at == f.last {
		w.close(f)
		return
	}
	w.execute(f)
	if w.labels != nil {
		w.label = w.labels.Label()
	}
	w.states.save(w.cursor)
	index, isNew := w.search.states.Add(w.states.state())
	if isNew {
		w.discover(f, index)
		return
	}
	if w.graph != nil {
		w.graph.seen(w, index)
	}
	w.states.drop()
	w.forward(f)
}

// execute makes a successor of the frame's state current.
func (w *worker) execute(f *frame) {
	if f.root {
		w.search.begin(w.cursor, &w.choices)
		return
	}
	if !w.loaded {
		w.cursor.Load(w.states.at(f.state))
	}
	w.loaded = false
	w.cursor.Step(w.moves[f.at], &w.choices)
	w.tally.transitions++
}

// discover handles a new state, a successor of f.
func (w *worker) discover(f *frame, index uint32) {
	action := w.visit()
	if w.graph != nil && action != Stop {
		w.graph.found(w, index, action == Prune)
	}
	if action == Continue {
		w.search.front.put(w, index)
		return
	}
	w.states.drop()
	w.forward(f)
}

// visit counts a new state and asks the visitor about it.
func (w *worker) visit() Action {
	depth := w.depth + len(w.frames)
	if !w.tally.count(w, depth) {
		return Stop
	}
	visit := w.search.visit
	if visit == nil {
		return Continue
	}
	action := visit(w.cursor, Trail{w}, depth)
	if action == Stop {
		w.search.stop(NoLimit)
	}
	return action
}

// forward turns to the next alternative of f, the top frame.
func (w *worker) forward(f *frame) {
	if f.spent {
		w.choices.made = w.choices.made[:f.choices]
		w.choices.pos = f.choices
		f.at = f.last
		return
	}
	if !w.choices.Next() {
		f.at++
	}
}

// open pushes a frame for the newest state. Moves are asked for in the loaded
// state, where agents have their final numbers, and the first step needs no load. The
// caller says whether the cursor stands in the loaded state already.
func (w *worker) open(index uint32, standing bool) {
	if len(w.frames) > 0 {
		w.choices.push()
	}
	if !standing {
		w.cursor.Load(w.states.state())
	}
	first := len(w.moves)
	w.moves = w.cursor.Moves(w.moves)
	permute(w.moves[first:], w.states.state(), w.search.opt.Seed)
	w.frames = append(w.frames, frame{
		state: w.states.place(),
		at:    first, last: len(w.moves),
		choices: w.choices.base, index: index,
	})
	w.loaded = true
	if w.graph != nil {
		w.graph.opened(w)
	}
}

// close pops f, the top frame, whose alternatives are exhausted.
func (w *worker) close(f *frame) {
	if w.graph != nil && !f.root && !w.graph.closed(w) {
		w.search.stop(NoLimit)
	}
	top := len(w.frames) - 1
	w.states.release(f.state)
	w.frames = w.frames[:top]
	w.loaded = false
	w.pooled.floor = min(w.pooled.floor, top)
	if top == 0 {
		w.moves = w.moves[:0]
		return
	}
	below := &w.frames[top-1]
	w.moves = w.moves[:below.last]
	w.choices.pop(below.choices)
	w.forward(below)
}

// reset drops all frames, for the search has ended.
func (w *worker) reset() {
	w.states.reset()
	w.moves, w.frames = w.moves[:0], w.frames[:0]
	w.choices = Choices{made: w.choices.made[:0]}
}

// agent returns the agent that makes the present move of the top frame.
func (w *worker) agent() int { return w.moves[w.frames[len(w.frames)-1].at].Agent() }

// bytes returns the memory of the worker's arenas.
func (w *worker) bytes() int64 {
	n := w.states.bytes() + 4*cap(w.moves) + 8*cap(w.choices.made) + frameSize*cap(w.frames)
	if w.graph != nil {
		return int64(n) + w.graph.bytes()
	}
	return int64(n) + w.level.part.bytes()
}
