// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"fmt"
	"time"

	"pangolin/internal/store"
)

// Order says in which order states are visited.
type Order uint8

const (
	// DepthFirst follows one execution to its end before it turns to the next. It keeps
	// the contents of the states of that execution only.
	DepthFirst Order = iota
	// BreadthFirst visits states by their distance from the initial states, so that the
	// first witness found is a shortest one. It keeps the contents of two levels of
	// states, and 12 bytes a state for trails.
	BreadthFirst
)

// Action is what a callback wants the search to do next.
type Action uint8

const (
	// Continue goes on.
	Continue Action = iota
	// Prune keeps the state but does not expand it. From OnComponent it means Continue.
	Prune
	// Stop ends the search.
	Stop
)

// Options says how to search. The zero value is a complete depth-first search by one
// worker over 64-bit fingerprints.
type Options struct {
	// Order is the order of visits.
	Order Order
	// Workers is the number of goroutines that search; 0 means 1. The set of visited
	// states does not depend on it, but the order of visits does: with one worker it is
	// fixed, with several it is not.
	Workers int
	// Store is what is kept of each visited state.
	Store store.Kind
	// From, if not nil, is a saved state in which the search starts instead of the initial
	// states. Together with a System without thread symmetry it serves to look at a
	// component again in which agents were renumbered.
	From []uint64
	// Seed permutes the order in which the moves of a state are tried, in each state otherwise (DepthFirst only); 0: they are tried in the order of Moves.
	// The set of visited states does not depend on it. With one worker the order of visits is that of the seed each time.
	Seed uint64
	// Settled promises that Save leaves the cursor in the very state that Load would
	// make of the saved words, agents numbered alike. It saves one Load for each state.
	Settled bool

	// Visit, if not nil, is called once for each new state, the initial ones included.
	// The cursor stands in the state and has just saved it (so its agents may be numbered
	// otherwise than in the saved form); Visit may move it, unless Settled is set. The
	// depth is the number of transitions of the trail. What Visit returns may depend on
	// the state only (but for Stop): another worker, or another order, may reach the state
	// by another trail. With several workers it is called concurrently.
	Visit func(c Cursor, t Trail, depth int) Action

	// Cycles looks for strongly connected components (DepthFirst only).
	Cycles bool
	// OnComponent is called for each strongly connected component that has a cycle, when
	// it is completed: after those that it leads to. It is called from one goroutine.
	// A search that reached a limit reports some of the components, each of them exactly;
	// with several workers it then reports none.
	OnComponent func(c *Component) Action

	// OnEdge, if not nil, is called once for each transition that the search makes
	// (DepthFirst only), after Visit if the transition leads to a new state. Where a state
	// is expanded all transitions from it are shown, with one worker in a fixed order; a
	// search that is run a second time (see Result.Repeated) shows them the first time. With
	// several workers it is called concurrently. Prune means Continue.
	OnEdge func(e *Edge) Action

	// MaxStates is the number of states that are visited at most; 0 means no limit.
	MaxStates uint64
	// MaxBytes limits the memory that the search itself takes: store, stacks, frontiers
	// and logs, in bytes as Result.PeakBytes counts them; 0 means no limit. Memory of the
	// System that Held does not tell of, and garbage not yet collected, come on top. It is
	// looked at every 1024 states or so.
	MaxBytes int64
	// Held, if not nil, tells how much memory the caller keeps for the search; it counts
	// as the search's own.
	Held func() int64
	// Timeout is how long the search may take; 0 means no limit. A deadline of the context
	// serves as well.
	Timeout time.Duration

	// Checkpoints, if not nil, are how the search is written down and goes on (DepthFirst only, and without OnEdge and From).
	Checkpoints *Checkpoints

	// Progress, if not nil, is called about every ProgressEvery states, by one goroutine
	// at a time.
	Progress func(Progress)
	// ProgressEvery is a number of states; 0 means 2^20.
	ProgressEvery uint64
}

// Progress is how far a search has come.
type Progress struct {
	States      uint64
	Transitions uint64
	Bytes       int64 // now, as Result.PeakBytes counts them
	Depth       int   // the greatest so far
}

// Validate returns an error if the options contradict themselves.
func (o *Options) Validate() error {
	switch {
	case o.Workers < 0:
		return fmt.Errorf("explore: %d workers", o.Workers)
	case o.Order > BreadthFirst:
		return fmt.Errorf("explore: unknown order %d", o.Order)
	case o.Store > store.Exact:
		return fmt.Errorf("explore: unknown store %d", o.Store)
	case o.Cycles && o.Order != DepthFirst:
		return fmt.Errorf("explore: components are found in a depth-first search only")
	case o.OnEdge != nil && o.Order != DepthFirst:
		return fmt.Errorf("explore: edges are shown by a depth-first search only")
	case o.OnComponent != nil && !o.Cycles:
		return fmt.Errorf("explore: OnComponent without Cycles")
	case o.Checkpoints != nil && (o.Order != DepthFirst || o.OnEdge != nil || o.From != nil):
		return fmt.Errorf("explore: only a depth-first search from the initial states is written down, without its edges")
	case o.Seed != 0 && o.Order != DepthFirst:
		return fmt.Errorf("explore: only a depth-first search tries moves in the order of a seed")
	case o.MaxBytes < 0 || o.Timeout < 0:
		return fmt.Errorf("explore: negative limit")
	}
	return nil
}

// numbered says that states need numbers.
func (o *Options) numbered() bool { return o.Cycles || o.OnEdge != nil }

func (o *Options) workers() int { return max(o.Workers, 1) }

// Limit is the limit of Options that ended a search early, LimitStates for example.
type Limit uint8

const (
	NoLimit        Limit = iota // the search was complete, or its caller stopped it
	LimitStates                 // MaxStates, or the 2^32-1 states that can be numbered
	LimitWork                   // a limit of the caller's, whose callback has returned Stop
	LimitBytes                  // MaxBytes
	LimitTime                   // Timeout, or the deadline of the context
	LimitCancelled              // the context was cancelled
)

// String returns the name of l as verdicts print it.
func (l Limit) String() string {
	switch l {
	case NoLimit:
		return "none"
	case LimitStates:
		return "states"
	case LimitWork:
		return "work"
	case LimitBytes:
		return "memory"
	case LimitTime:
		return "time"
	case LimitCancelled:
		return "cancelled"
	}
	return fmt.Sprintf("explore.Limit(%d)", uint8(l))
}

// Result counts what a search has visited, and says why it ended.
type Result struct {
	States      uint64 // different states visited, pruned ones included
	Transitions uint64 // steps executed, one for each combination of decisions
	Depth       int    // the greatest number of transitions of a trail
	StoreBytes  int64  // memory of the set of visited states at the end
	PeakBytes   int64  // the most memory in use: store, stacks, frontiers and logs

	// Complete says that every reachable state was visited and, where not pruned,
	// expanded: neither a limit nor Stop ended the search.
	Complete bool
	Stopped  bool  // a callback returned Stop
	Limit    Limit // what else ended the search early

	Store      store.Kind // what was kept of a state
	Collisions float64    // expected number of pairs of states taken for one another

	// Repeated says that the search was run a second time by one worker, because several
	// workers found that there are cycles.
	Repeated bool
}

// BytesPerState returns StoreBytes divided by States.
func (r *Result) BytesPerState() float64 {
	return float64(r.StoreBytes) / float64(max(r.States, 1))
}

// After says in words that the limit ended a search behind so many states.
func (l Limit) After(states uint64) string {
	if l == LimitCancelled {
		return fmt.Sprintf("interrupted after %d states", states)
	}
	return fmt.Sprintf("the limit on %s was reached after %d states", l, states)
}
