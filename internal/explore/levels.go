// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// levels is the frontier of the breadth-first search: the states at one distance from
// the initial ones are expanded, by all workers, before those at the next. So depths are
// exact whatever the number of workers. The links back from each level are kept for
// trails.
type levels struct {
	mu      sync.Mutex
	wake    sync.Cond
	parts   []*levelPart   // being expanded, one part from each worker
	history [][]*levelPart // parts is the last of it
	filled  []*levelPart   // being filled, by worker
	waiting int
	begun   bool // the root was given out
	over    atomic.Bool
	kept    atomic.Int64 // bytes of history
}

// levelShare is the part of a breadth-first search that one worker keeps to itself.
type levelShare struct {
	id    int        // the number of the worker
	part  *levelPart // what it found for the next level
	entry uint32     // the number in the present level of the state it expands
}

// levelPart is what one worker found for a level.
type levelPart struct {
	words     []uint64   // contents, until the level is expanded
	ends      []int      // of each state in words
	links     []link     // of each state
	decisions []decision // of the links
	base      uint32     // the number in the level of the part's first state
	next      atomic.Int64
}

// link leads from a state to one of the previous level.
type link struct {
	parent uint32 // its number in that level
	move   Move
	end    uint32 // of the decisions of the move
}

func newLevels(workers int) *levels {
	l := &levels{filled: make([]*levelPart, workers)}
	for i := range l.filled {
		l.filled[i] = &levelPart{}
	}
	l.wake.L = &l.mu
	return l
}

func (l *levels) take(w *worker) bool {
	w.reset()
	if w.level.part == nil {
		w.level.part = l.filled[w.level.id]
	}
	for !l.over.Load() {
		if l.takeRoot(w) || l.claim(w) {
			return true
		}
		l.turn(w)
	}
	return false
}

// takeRoot gives the first worker that asks the frame of the initial states.
func (l *levels) takeRoot(w *worker) bool {
	if w.level.id != 0 || l.begun {
		return false
	}
	l.begun = true
	w.adopt(root())
	return true
}

// claim takes a state of the present level, of the worker's own part if there is one.
func (l *levels) claim(w *worker) bool {
	for i := range l.parts {
		part := l.parts[(w.level.id+i)%len(l.parts)]
		if n := int(part.next.Add(1) - 1); n < len(part.ends) {
			first := 0
			if n > 0 {
				first = part.ends[n-1]
			}
			w.depth = len(l.history) - 1
			w.level.entry = part.base + uint32(n)
			w.states.add(part.words[first:part.ends[n]])
			w.open(0, false)
			return true
		}
	}
	return false
}

func (l *levels) put(w *worker, _ uint32) {
	f := &w.frames[len(w.frames)-1]
	p := w.level.part
	made := w.decisions(len(w.frames) - 1)
	p.decisions = append(p.decisions, made...)
	p.links = append(p.links, link{w.level.entry, w.moves[f.at], uint32(len(p.decisions))})
	p.words = append(p.words, w.states.state()...)
	p.ends = append(p.ends, len(p.words))
	w.states.drop()
	w.forward(f)
}

// turn waits until all workers have found the present level exhausted, and turns to the
// next one.
func (l *levels) turn(w *worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting++
	if l.waiting == len(l.filled) {
		l.waiting = 0
		l.advance()
		w.level.part = l.filled[w.level.id]
		l.wake.Broadcast()
		return
	}
	for present := len(l.history); present == len(l.history) && !l.over.Load(); {
		l.wake.Wait()
	}
	w.level.part = l.filled[w.level.id]
}

// advance makes the level that was filled the present one. No worker is at work.
func (l *levels) advance() {
	expanded := l.parts
	l.parts = l.filled
	l.history = append(l.history, l.parts)
	l.filled = make([]*levelPart, len(l.parts))
	states := uint32(0)
	for i, p := range l.parts {
		p.base = states
		states += uint32(len(p.links))
		l.filled[i] = &levelPart{}
		if expanded != nil {
			l.filled[i].reuse(expanded[i])
		}
	}
	l.over.Store(l.over.Load() || states == 0)
	bytes := int64(0)
	for _, parts := range l.history {
		for _, p := range parts {
			bytes += p.bytes()
		}
	}
	l.kept.Store(bytes)
}

// prefix follows the links from the state that w expands.
func (l *levels) prefix(w *worker) Path {
	if w.depth < 0 {
		return Path{}
	}
	path := Path{Steps: make([]Taken, w.depth)}
	at := w.level.entry
	for depth := w.depth; depth >= 0; depth-- {
		link, made := find(l.history[depth], at)
		if depth == 0 {
			path.Start = taken(made)
		} else {
			path.Steps[depth-1] = Taken{link.move, taken(made)}
		}
		at = link.parent
	}
	return path
}

// find returns the link of state n of a level, with its decisions.
func find(parts []*levelPart, n uint32) (link, []decision) {
	i := 0
	for n-parts[i].base >= uint32(len(parts[i].links)) {
		i++
	}
	p := parts[i]
	n -= p.base
	first := uint32(0)
	if n > 0 {
		first = p.links[n-1].end
	}
	return p.links[n], p.decisions[first:p.links[n].end]
}

func (l *levels) halt() {
	l.mu.Lock()
	l.over.Store(true)
	l.mu.Unlock()
	l.wake.Broadcast()
}

func (l *levels) bytes() int64 { return l.kept.Load() }

// reuse takes over the memory for the contents of an expanded part.
func (p *levelPart) reuse(old *levelPart) {
	p.words, p.ends = old.words[:0], old.ends[:0]
	old.words, old.ends = nil, nil
}

func (p *levelPart) bytes() int64 {
	if p == nil {
		return 0
	}
	n := 8*cap(p.words) + 8*cap(p.ends) + int(unsafe.Sizeof(link{}))*cap(p.links) + 8*cap(p.decisions)
	return int64(n)
}
