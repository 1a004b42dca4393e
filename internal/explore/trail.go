// SPDX-License-Identifier: BSD-3-Clause

package explore

import "fmt"

// Taken is one transition of a Path: a move of a state, and the decisions made.
type Taken struct {
	Move      Move
	Decisions []uint32
}

// Path is an execution as plain data. Each move refers to the saved form of the state
// before it (see Cursor), so to follow a path means to save and load between the steps,
// as Replay does.
type Path struct {
	Start []uint32 // the decisions of Initial; nil also if the path starts elsewhere
	Steps []Taken
}

// Replay follows the path. It makes the initial state current, or the state from if that
// is not nil, and calls each, if not nil, in this state with 0 and then after
// step i, counted from 1, with i. The cursor then stands in a state that has just been
// loaded. It panics if the path is not one of the system.
func (p Path) Replay(c Cursor, from []uint64, each func(i int)) {
	r := replay{cursor: c, each: each}
	if from != nil {
		c.Load(from)
	} else {
		r.choices.replay(p.Start)
		c.Initial(&r.choices)
	}
	r.settle(0)
	for i, s := range p.Steps {
		r.choices.replay(s.Decisions)
		c.Step(s.Move, &r.choices)
		r.settle(i + 1)
	}
}

type replay struct {
	cursor  Cursor
	choices Choices
	words   []uint64
	each    func(i int)
}

func (r *replay) settle(i int) {
	if c := &r.choices; c.pos != len(c.made) {
		panic(fmt.Sprintf("explore: step %d of the path asked for %d decisions and has %d", i, c.pos, len(c.made)))
	}
	r.words = r.cursor.Save(r.words[:0])
	r.cursor.Load(r.words)
	if r.each != nil {
		r.each(i)
	}
}

// Trail is the way by which the search reached a state. It costs nothing until it is
// asked, and is valid only during the callback that gets it.
type Trail struct{ w *worker }

// Path returns the transitions from an initial state (or Options.From) to the state.
func (t Trail) Path() Path { return t.w.path(len(t.w.frames)) }

// State returns the saved form of the state. It is valid only during the callback and
// must not be changed.
func (t Trail) State() []uint64 { return t.w.states.state() }

// path returns the path through the present alternatives of the lowest n frames.
func (w *worker) path(n int) Path {
	p := w.search.front.prefix(w)
	w.follow(&p, n)
	return p
}

// follow appends the present alternatives of the lowest n frames to p.
func (w *worker) follow(p *Path, n int) {
	for i := range n {
		decisions := taken(w.decisions(i))
		if f := &w.frames[i]; f.root {
			p.Start = decisions
		} else {
			p.Steps = append(p.Steps, Taken{w.moves[f.at], decisions})
		}
	}
}

// decisions returns those of the present alternative of frame i.
func (w *worker) decisions(i int) []decision {
	end := len(w.choices.made)
	if i+1 < len(w.frames) {
		end = w.frames[i+1].choices
	}
	return w.choices.made[w.frames[i].choices:end]
}
