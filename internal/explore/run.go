// SPDX-License-Identifier: BSD-3-Clause

// Package explore searches a transition system that it is given through an interface of
// its own, System: all reachable states, each once, depth first or breadth first, by one
// worker or several, within limits. It gives each new state to a visitor, with the way by
// which it was reached, and reports the cycles of the state graph as strongly connected
// components.
//
// The system is described by moves and by the decisions that a move leaves open, so a
// transition is a move together with its decisions (Choices). States are flat words; the
// search remembers fingerprints of them (package store), and contents only of those that
// it has still to expand.
//
// It does not know what the states mean, judges nothing, reduces nothing (fusing,
// symmetry and preemption bounds are the System's), and does not remember contents of
// states that were expanded. Pruned states are its only concession.
package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"pangolin/internal/store"
)

// Run searches sys as opt says. Options that contradict themselves (see Validate) are a
// panic, and so is a panic of the System, in whatever worker it happened.
func Run(ctx context.Context, sys System, opt Options) (r Result) {
	if err := opt.Validate(); err != nil {
		panic(err)
	}
	defer func() { watched(ctx, r.Limit) }()
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.Timeout)
		defer cancel()
	}
	if opt.Cycles && opt.workers() > 1 {
		return runTogether(ctx, sys, opt)
	}
	s := newSearch(sys, &opt)
	if opt.Cycles {
		s.workers[0].graph = newTarjan(s)
	}
	s.observe()
	s.goOn()
	s.run(ctx)
	s.keepLast()
	return s.result()
}

// observe shows the workers' edges to whoever wants to see them.
func (s *search) observe() {
	if s.opt.OnEdge == nil {
		return
	}
	for _, w := range s.workers {
		w.observe(s.opt.OnEdge)
	}
}

// search is what the workers of one Run share: the set of visited states, the frontier, limits and sums.
type search struct {
	sys     System
	opt     *Options
	visit   func(c Cursor, t Trail, depth int) Action
	states  *store.Set
	front   frontier
	workers []*worker

	maxStates uint64        // 0: no limit
	claimed   atomic.Uint64 // of maxStates: what workers have taken to count
	signal    atomic.Int32  // going, pausing or stopping
	refused   atomic.Bool   // a callback has stopped the search, or a state that was met has not been visited
	pruned    *store.Set    // the states that Visit has pruned, if they are noted

	mu       sync.Mutex // guards what follows
	limit    Limit
	sum      Progress // of what the workers have published
	peak     int64
	reported uint64 // states at the last report of progress
	panicked *WorkerPanic
}

// What the workers of a search are told.
const (
	going    int32 = iota
	pausing        // come to rest between two transitions, and go on when the search has been written down
	stopping       // the search is over
)

// WorkerPanic is what Run panics with if the System panicked in one of several workers.
// With one worker the panic passes through Run as it is.
type WorkerPanic struct {
	Value any    // what the System panicked with
	Stack []byte // of the worker
}

// Error returns the value and the stack.
func (p *WorkerPanic) Error() string {
	return fmt.Sprintf("explore: panic in a worker: %v\n\n%s", p.Value, p.Stack)
}

func newSearch(sys System, opt *Options) *search {
	n := opt.workers()
	s := &search{sys: sys, opt: opt, visit: opt.Visit, maxStates: maxStates(opt)}
	s.states = store.New(store.Config{Kind: opt.Store, Indexed: opt.numbered(), Shared: n > 1})
	if opt.Order == BreadthFirst {
		s.front = newLevels(n)
	} else {
		s.front = newPool(n)
	}
	for i := range n {
		w := &worker{search: s, cursor: sys.NewCursor(), level: levelShare{id: i}}
		w.tally.quota = s.batch()
		s.workers = append(s.workers, w)
	}
	return s
}

// maxStates returns the limit on states: the user's, or what can be numbered. A shared
// store leaves some numbers unused.
func maxStates(opt *Options) uint64 {
	most := uint64(0)
	if opt.numbered() || opt.Store != store.Hash64 {
		most = 1<<32 - 1<<27
	}
	if opt.MaxStates > 0 && (most == 0 || opt.MaxStates < most) {
		return opt.MaxStates
	}
	return most
}

// begin makes an initial state current.
func (s *search) begin(c Cursor, choices *Choices) {
	if s.opt.From != nil {
		c.Load(s.opt.From)
		return
	}
	c.Initial(choices)
}

// run lets the workers search, the first in this goroutine.
func (s *search) run(ctx context.Context) {
	if ctx.Err() != nil {
		s.cancel(ctx)
	}
	release := context.AfterFunc(ctx, func() { s.cancel(ctx) })
	defer release()
	if len(s.workers) == 1 {
		s.workers[0].run()
		return
	}
	var wg sync.WaitGroup
	for _, w := range s.workers {
		wg.Go(func() {
			defer s.recover()
			w.run()
		})
	}
	wg.Wait()
	if f := s.panicked; f != nil {
		panic(f)
	}
}

// recover keeps the first panic of a worker and ends the search.
func (s *search) recover() {
	value := recover()
	if value == nil {
		return
	}
	stack := debug.Stack()
	s.mu.Lock()
	if s.panicked == nil {
		s.panicked = &WorkerPanic{value, stack}
	}
	s.mu.Unlock()
	s.stop(NoLimit)
}

func (s *search) cancel(ctx context.Context) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.stop(LimitTime)
		return
	}
	s.stop(LimitCancelled)
}

// stop ends the search. Of several reasons the first counts; it is there before a worker
// sees that the search has been stopped.
func (s *search) stop(l Limit) {
	if l == NoLimit || l == LimitStates {
		s.refused.Store(true)
	}
	s.mu.Lock()
	first := s.signal.Load() != stopping
	if first {
		s.limit = l
		s.signal.Store(stopping)
	}
	s.mu.Unlock()
	if first {
		s.front.halt()
	}
}

func (s *search) result() Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	stopped := s.signal.Load() == stopping
	return Result{
		States:      s.sum.States,
		Transitions: s.sum.Transitions,
		Depth:       s.sum.Depth,
		StoreBytes:  s.states.Bytes(),
		PeakBytes:   s.peak,
		Complete:    !stopped,
		Stopped:     stopped && s.limit == NoLimit,
		Limit:       s.limit,
		Store:       s.states.Kind(),
		Collisions:  s.states.Kind().Collisions(s.sum.States),
	}
}
