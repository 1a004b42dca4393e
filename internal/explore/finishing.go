// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"pangolin/internal/store"
)

// runTogether searches with several workers and looks for cycles.
//
// A depth-first search by several workers has no order from which components could be
// told on the fly. So the workers only find out whether there is a cycle at all (finishing). If there is none, there is
// nothing to report: the usual case, as operations are used up. Otherwise the
// search is done again by one worker, which reports the components exactly. Visit is not
// called again: what it pruned the first time is remembered.
//
// If the first search ended early, components are not looked for: those of a part of the
// graph are not those of the graph.
func runTogether(ctx context.Context, sys System, opt Options) Result {
	s := newSearch(sys, &opt)
	shared := &finishing{open: map[uint32]*unsettled{}}
	for _, w := range s.workers {
		w.graph = &finisher{finishing: shared}
	}
	s.pruned = store.New(store.Config{Kind: opt.Store, Shared: true})
	if opt.Visit != nil {
		s.visit = func(c Cursor, t Trail, depth int) Action {
			action := opt.Visit(c, t, depth)
			if action == Prune {
				s.pruned.Add(t.State())
			}
			return action
		}
	}
	s.observe()
	s.goOn()
	s.run(ctx)
	s.keepLast()
	r := s.result()
	if !r.Complete || shared.acyclic() {
		return r
	}
	again := rerun(ctx, sys, opt, s.pruned)
	again.PeakBytes = max(again.PeakBytes, r.PeakBytes)
	return again
}

// rerun searches again with one worker.
func rerun(ctx context.Context, sys System, opt Options, pruned *store.Set) Result {
	opt.Workers, opt.Checkpoints = 1, nil
	again := newSearch(sys, &opt)
	again.visit = func(_ Cursor, t Trail, _ int) Action {
		if _, found := pruned.Find(t.State()); found {
			return Prune
		}
		return Continue
	}
	again.workers[0].graph = newTarjan(again)
	again.run(ctx)
	r := again.result()
	r.Repeated = true
	return r
}

// finishing finds out whether the state graph has a cycle while several workers search it.
//
// A state is clean if all its edges have been followed and lead to clean states. The order in which states become clean is one that
// the edges between them follow backwards, so none of them is on a cycle. With one worker and no cycle every state is clean
// when its frame is closed. With several, a state may have met one that another worker has still to finish, or two
// workers follow the edges of one state; it stays open, with its edges to states that were not clean. It is asked
// about again whenever one above it is closed. What is open in the end is all that may be on a cycle: every edge between open states is known.
type finishing struct {
	clean marks
	mu    sync.Mutex
	open  map[uint32]*unsettled // the states whose frames are closed, or shared, and that are not clean
	lost  bool                  // there were too many of them
}

// unsettled is an open state.
type unsettled struct {
	targets []uint32 // of its edges to states that were not clean, as far as they have been followed
	pieces  int      // frames, of several workers, in which its edges are followed
}

// mostOpen is how many open states there may be. Where most states are on cycles, the search is done again anyway.
const mostOpen = 1 << 18

// settle closes a frame of a state, which leads to targets that were not clean; piece says that it may not be the only frame of
// the state. It says whether the state is clean.
func (f *finishing) settle(n uint32, targets []uint32, piece bool) bool {
	if len(targets) == 0 && !piece {
		f.clean.set(n)
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.open[n]
	if u == nil {
		u = &unsettled{pieces: 1}
	}
	u.pieces--
	u.targets = append(u.targets, targets...)
	if f.resolve(n, u, 0) {
		return true
	}
	if len(f.open) >= mostOpen {
		f.lost = true
		f.open = map[uint32]*unsettled{}
	}
	if !f.lost {
		f.open[n] = u
	}
	return false
}

// chain bounds how far resolve follows states that may have become clean.
const chain = 64

// resolve says whether an open state is clean by now.
func (f *finishing) resolve(n uint32, u *unsettled, depth int) bool {
	for ; len(u.targets) > 0; u.targets = u.targets[:len(u.targets)-1] {
		to := u.targets[len(u.targets)-1]
		if f.clean.has(to) {
			continue
		}
		if next := f.open[to]; next == nil || depth == chain || !f.resolve(to, next, depth+1) {
			return false
		}
	}
	if u.pieces > 0 {
		return false
	}
	delete(f.open, n)
	f.clean.set(n)
	return true
}

// divide notes that one more frame, of another worker, follows the edges of a state.
func (f *finishing) divide(n uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.open[n]
	if u == nil {
		u = &unsettled{pieces: 1}
		f.open[n] = u
	}
	u.pieces++
}

// acyclic says, when all states have been expanded, that no edges between open states are a cycle: it takes states away
// that lead to none any more.
func (f *finishing) acyclic() bool {
	if f.lost {
		return false
	}
	into := map[uint32][]uint32{} // open states that lead to one
	left := map[uint32]int{}      // how many edges
	var free []uint32
	for n, u := range f.open {
		u.targets = slices.DeleteFunc(u.targets, f.clean.has)
		for _, to := range u.targets {
			into[to] = append(into[to], n)
		}
		if left[n] = len(u.targets); left[n] == 0 {
			free = append(free, n)
		}
	}
	for i := 0; i < len(free); i++ {
		for _, n := range into[free[i]] {
			if left[n]--; left[n] == 0 {
				free = append(free, n)
			}
		}
	}
	return len(free) == len(f.open)
}

// finisher reports to finishing, for one worker, each frame that is closed: the state, and the targets of its edges that were not clean.
type finisher struct {
	*finishing
	targets []uint32 // that were not clean when an edge led there, of all frames
	from    []int    // by frame: where they begin
}

func (g *finisher) opened(*worker) { g.from = append(g.from, len(g.targets)) }

func (g *finisher) adopted(*worker) {
	g.targets = g.targets[:0]
	g.from = append(g.from[:0], 0)
}

func (g *finisher) split(w *worker, i int) {
	if f := &w.frames[i]; !f.root {
		g.divide(f.index)
	}
}

func (g *finisher) seen(w *worker, to uint32) {
	if !w.frames[len(w.frames)-1].root && !g.clean.has(to) {
		g.targets = append(g.targets, to)
	}
}

// found is told of a new state. One that is pruned has no edges and is clean; of one that is expanded nothing is noted before its
// frame is closed.
func (g *finisher) found(_ *worker, to uint32, pruned bool) {
	if pruned {
		g.clean.set(to)
	}
}

func (g *finisher) closed(w *worker) bool {
	top := len(w.frames) - 1
	f := &w.frames[top]
	clean := g.settle(f.index, g.targets[g.from[top]:], f.spent || top == 0)
	g.targets, g.from = g.targets[:g.from[top]], g.from[:top]
	if !clean && top > 0 && !w.frames[top-1].root {
		g.targets = append(g.targets, f.index)
	}
	return true
}

func (g *finisher) bytes() int64 { return 4*int64(cap(g.targets)) + 8*int64(cap(g.from)) }

// marks are a set of numbers of states, which only grows.
type marks struct {
	pages [1 << (32 - pageBits)]atomic.Pointer[page]
}

const pageBits = 18

type page [1 << (pageBits - 6)]atomic.Uint64

func (m *marks) has(n uint32) bool {
	p := m.pages[n>>pageBits].Load()
	return p != nil && p[n%(1<<pageBits)>>6].Load()>>(n&63)&1 != 0
}

func (m *marks) set(n uint32) {
	at := &m.pages[n>>pageBits]
	p := at.Load()
	if p == nil {
		if p = new(page); !at.CompareAndSwap(nil, p) {
			p = at.Load()
		}
	}
	p[n%(1<<pageBits)>>6].Or(1 << (n & 63))
}
