// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"slices"
	"sync"
	"sync/atomic"
)

// task is a frame that one worker gives to another: a state and its alternatives that
// were not tried, the first of them the combination decisions of moves[0].
type task struct {
	before    *segment
	depth     int
	state     []uint64
	moves     []Move
	decisions []decision
	index     uint32
	root      bool
}

// pooled is the part of a depth-first search that one worker keeps to itself.
type pooled struct {
	before *segment // the path to the bottom frame
	floor  int      // the lowest frame that may have alternatives to give away
}

// segment is a part of the path to the bottom frame of a worker.
type segment struct {
	before *segment
	path   Path
}

// pool is the frontier of the depth-first search. New states go onto the stack of the
// worker that found them; a worker whose stack is empty gets alternatives from the
// bottom of another's, where the subtrees are large. With one worker the pool only holds
// the root.
type pool struct {
	workers int
	hungry  atomic.Int32 // workers that wait, minus tasks that wait

	mu      sync.Mutex
	wake    sync.Cond
	tasks   []task
	stacks  []stack // of a search that goes on; nobody has taken them yet
	idle    int
	resting int // workers that wait until the search has been written down
	over    bool
}

func newPool(workers int) *pool {
	p := &pool{workers: workers, tasks: []task{root()}}
	p.wake.L = &p.mu
	return p
}

// root returns the task whose only move leads to the initial states.
func root() task { return task{depth: -1, moves: []Move{0}, root: true} }

// take waits for a task. When all workers wait, there is nothing left to do.
func (p *pool) take(w *worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle++
	if p.resting > 0 {
		p.wake.Broadcast()
	}
	for len(p.tasks) == 0 && len(p.stacks) == 0 && !p.over {
		if p.idle == p.workers {
			p.over = true
			p.wake.Broadcast()
			return false
		}
		p.hungry.Store(int32(p.idle - len(p.tasks)))
		p.wake.Wait()
	}
	if p.over || w.search.signal.Load() == stopping { // a worker that stops keeps its frames, for who goes on
		return false
	}
	if last := len(p.stacks) - 1; last >= 0 {
		k := p.stacks[last]
		p.stacks = p.stacks[:last]
		p.idle--
		p.hungry.Store(int32(p.idle - len(p.tasks)))
		w.unstack(&k)
		return true
	}
	t := p.tasks[len(p.tasks)-1]
	p.tasks = p.tasks[:len(p.tasks)-1]
	p.idle--
	p.hungry.Store(int32(p.idle - len(p.tasks)))
	w.adopt(t)
	return true
}

// rest lets a worker wait until the search has been written down, which the last one that comes to rest does. Those that wait for a task
// rest already. It reports whether the search goes on.
func (s *search) rest() (goesOn bool) {
	p, depthFirst := s.front.(*pool)
	if !depthFirst {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resting++
	p.wake.Broadcast()
	for s.signal.Load() == pausing {
		if p.resting+p.idle < p.workers {
			p.wake.Wait()
			continue
		}
		s.keep(false)
		s.signal.CompareAndSwap(pausing, going)
		p.wake.Broadcast()
	}
	p.resting--
	return s.signal.Load() == going
}

// adopt makes t the bottom frame.
func (w *worker) adopt(t task) {
	w.reset()
	w.pooled = pooled{before: t.before}
	w.depth = t.depth
	w.states.add(t.state)
	w.moves = append(w.moves, t.moves...)
	w.choices.made = append(w.choices.made, t.decisions...)
	w.frames = append(w.frames, frame{
		state: w.states.place(), last: len(w.moves), index: t.index, root: t.root,
	})
	w.loaded = false
	if w.graph != nil {
		w.graph.adopted(w)
	}
}

func (p *pool) put(w *worker, index uint32) {
	w.open(index, w.search.opt.Settled)
	if p.hungry.Load() > 0 {
		p.donate(w)
	}
}

// donate gives the alternatives of the lowest frame that has any to the pool. The top
// frame, which has only been opened, keeps its own.
func (p *pool) donate(w *worker) {
	for floor := &w.pooled.floor; *floor < len(w.frames)-1; *floor++ {
		if t, ok := w.split(*floor); ok {
			p.mu.Lock()
			p.tasks = append(p.tasks, t)
			p.hungry.Store(int32(p.idle - len(p.tasks)))
			p.mu.Unlock()
			p.wake.Signal()
			return
		}
	}
}

// split takes away the alternatives of frame i after the present one.
func (w *worker) split(i int) (task, bool) {
	f := &w.frames[i]
	if f.spent {
		return task{}, false
	}
	made := append([]decision(nil), w.decisions(i)...)
	rest := Choices{made: made, pos: len(made)}
	moves := w.moves[f.at:f.last]
	if !rest.Next() {
		moves = moves[1:]
	}
	if len(moves) == 0 {
		return task{}, false
	}
	if w.graph != nil {
		w.graph.split(w, i)
	}
	f.spent = true
	before := &segment{before: w.pooled.before}
	w.follow(&before.path, i)
	return task{
		before:    before,
		depth:     w.depth + i,
		state:     slices.Clone(w.states.at(f.state)),
		moves:     append([]Move(nil), moves...),
		decisions: rest.made,
		index:     f.index,
		root:      f.root,
	}, true
}

// prefix joins the segments of the path to the bottom frame.
func (p *pool) prefix(w *worker) Path { return joined(w.pooled.before) }

// joined is a segment with those before it.
func joined(last *segment) Path {
	var list []*segment
	for s := last; s != nil; s = s.before {
		list = append(list, s)
	}
	var path Path
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i].path
		if s.Start != nil {
			path.Start = s.Start
		}
		path.Steps = append(path.Steps, s.Steps...)
	}
	return path
}

func (p *pool) halt() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.wake.Broadcast()
}

// bytes is the memory of the frontier. Tasks do not count: there are never more of them than workers.
func (p *pool) bytes() int64 { return 0 }
