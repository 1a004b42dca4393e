// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"errors"
	"sync"
	"sync/atomic"

	"pangolin/history"
	"pangolin/internal/memo"
)

// StateID, CallID and ResultID number the states, calls and results that an
// Automaton has met, in order of first appearance: they differ from run to run if
// several goroutines use it, and mean nothing elsewhere. Hash the content instead.
type (
	StateID  uint32
	CallID   uint16
	ResultID uint16
)

// Edge is an Outcome in numbers.
type Edge struct {
	Result ResultID
	Next   StateID
}

// Automaton is a Spec as a lazily built automaton. It may be used by several
// goroutines; what is known by its number is looked up without a lock.
type Automaton struct {
	spec Spec

	mu      sync.RWMutex
	states  numbering[State]
	calls   numbering[Call]
	results numbering[history.Tuple]
	edges   memo.Growing[*row] // by state; may be shorter than states
	renamed renamed
	err     atomic.Pointer[error]
}

// ErrTooMany is an Automaton's error when more calls or results are asked for than have numbers. It says
// nothing about the code.
var ErrTooMany = errors.New("there are too many different calls or results")

// mostNumbers is how many calls, and how many results, have numbers: one less than 16 bits hold, for
// monitors store the number plus one.
const mostNumbers = 1<<16 - 1

// fail notes the first error.
func (a *Automaton) fail(err error) { a.err.CompareAndSwap(nil, &err) }

// Fail notes an error of whoever uses the automaton, unless there is one already; Err returns it.
func (a *Automaton) Fail(err error) { a.fail(err) }

// row holds the edges of one state by call; nil: not known yet.
type row struct {
	edges memo.Growing[*atomic.Pointer[[]Edge]]
}

func (r *row) of(c CallID) *[]Edge {
	if list := r.edges.All(); int(c) < len(list) {
		return list[c].Load()
	}
	return nil
}

func (r *row) set(c CallID, edges []Edge) {
	if missing := int(c) + 1 - len(r.edges.All()); missing > 0 {
		more := make([]atomic.Pointer[[]Edge], missing)
		list := make([]*atomic.Pointer[[]Edge], missing)
		for i := range list {
			list[i] = &more[i]
		}
		r.edges.Append(list...)
	}
	r.edges.All()[c].Store(&edges)
}

// numbering gives values numbers, and notes a hash of their content.
type numbering[T comparable] struct {
	memo.Numbers[T]
	hashes memo.Growing[uint64]
}

func (n *numbering[T]) of(v T, hash func(T) uint64) int {
	i, isNew := n.Of(v)
	if isNew {
		n.hashes.Append(hash(v))
	}
	return i
}

// hash is that of the value with a number that has been given. It needs no lock.
func (n *numbering[T]) hash(i int) uint64 { return n.hashes.All()[i] }

// NewAutomaton starts with the initial state of spec, which becomes state 0.
func NewAutomaton(spec Spec) *Automaton {
	a := &Automaton{spec: spec}
	a.states.of(spec.Initial(), hashState)
	return a
}

// Spec is the specification behind the automaton.
func (a *Automaton) Spec() Spec { return a.spec }

// Err is the first error of the oracle's code, or ErrTooMany, if there was one: from then on
// missing outcomes, and the numbers given, mean nothing.
func (a *Automaton) Err() error {
	if err := a.err.Load(); err != nil {
		return *err
	}
	return nil
}

// StateID numbers a state of the Spec.
func (a *Automaton) StateID(s State) StateID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return StateID(a.states.of(s, hashState))
}

// CallID numbers a call. At the 65,536th different one the Automaton has an error.
func (a *Automaton) CallID(c Call) CallID {
	return CallID(lookUp(a, &a.calls, c, hashCall))
}

// ResultID numbers a result. At the 65,536th different one the Automaton has an error.
func (a *Automaton) ResultID(t history.Tuple) ResultID {
	return ResultID(lookUp(a, &a.results, t, history.Tuple.Hash))
}

func lookUp[T comparable](a *Automaton, n *numbering[T], v T, hash func(T) uint64) int {
	a.mu.RLock()
	i, ok := n.Find(v)
	a.mu.RUnlock()
	if ok {
		return i
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return number(a, n, v, hash)
}

// number is called under the lock.
func number[T comparable](a *Automaton, n *numbering[T], v T, hash func(T) uint64) int {
	if n.Len() == mostNumbers {
		if i, ok := n.Find(v); ok {
			return i
		}
		a.fail(ErrTooMany)
		return mostNumbers // nobody's
	}
	return n.of(v, hash)
}

// Call is the call with the given number.
func (a *Automaton) Call(c CallID) Call { return *a.calls.At(int(c)) }

// Result is the result with the given number.
func (a *Automaton) Result(r ResultID) history.Tuple { return *a.results.At(int(r)) }

// State is the state with the given number.
func (a *Automaton) State(s StateID) State { return *a.states.At(int(s)) }

// StateHash, CallHash and ResultHash are hashes of the content, the same in
// every run.
func (a *Automaton) StateHash(s StateID) uint64 { return a.states.hash(int(s)) }

// CallHash is a hash of the call's content.
func (a *Automaton) CallHash(c CallID) uint64 { return a.calls.hash(int(c)) }

// ResultHash is a hash of the result's content.
func (a *Automaton) ResultHash(r ResultID) uint64 { return a.results.hash(int(r)) }

// Known lists the states, calls and results that have numbers, in the order of these. Another Automaton of the same Spec that is given them
// in this order gives the same numbers.
func (a *Automaton) Known() (states []State, calls []Call, results []history.Tuple) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.states.All(), a.calls.All(), a.results.All()
}

// Edges lists the outcomes of a call in a state; none after an error. The caller
// must not change the list.
func (a *Automaton) Edges(s StateID, c CallID) []Edge {
	if rows := a.edges.All(); int(s) < len(rows) {
		if edges := rows[s].of(c); edges != nil {
			return *edges
		}
	}
	outcomes, err := a.spec.Outcomes(a.State(s), a.Call(c))
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		a.fail(err)
	}
	for len(a.edges.All()) <= int(s) {
		a.edges.Append(new(row))
	}
	row := a.edges.All()[s]
	if edges := row.of(c); edges != nil { // another goroutine was faster
		return *edges
	}
	edges := make([]Edge, 0, len(outcomes))
	for _, o := range outcomes {
		r := number(a, &a.results, o.Result, history.Tuple.Hash)
		edges = append(edges, Edge{ResultID(r), StateID(a.states.of(o.Next, hashState))})
	}
	row.set(c, edges)
	return edges
}

// MayBlock asks the Spec, each time.
func (a *Automaton) MayBlock(s StateID, c CallID) bool {
	return a.spec.MayBlock(a.State(s), a.Call(c))
}

// Turns reports whether the Spec tells of calls that meet one which waits.
func (a *Automaton) Turns() bool {
	t, ok := as[TurnSpec](a.spec)
	return ok && t.Turns()
}

// Behind asks the Spec, each time: by which edges, back to s, c may return while first waits, and whether it may wait for ever behind it.
func (a *Automaton) Behind(s StateID, first, c CallID) (edges []Edge, waits bool) {
	results, waits := Behind(a.spec, a.State(s), a.Call(first), a.Call(c))
	if len(results) == 0 {
		return nil, waits
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range results {
		edges = append(edges, Edge{ResultID(number(a, &a.results, r, history.Tuple.Hash)), s})
	}
	return edges, waits
}

// Accepting asks the Spec, each time.
func (a *Automaton) Accepting(s StateID) bool { return a.spec.Accepting(a.State(s)) }

// Partners reports whether the Spec says that two calls serve each other.
func (a *Automaton) Partners(c, d CallID) bool { return Partners(a.spec, a.Call(c), a.Call(d)) }

// Nonblocking reports whether the Spec says that no call ever blocks.
func (a *Automaton) Nonblocking() bool {
	n, ok := as[NonblockingSpec](a.spec)
	return ok && n.Nonblocking()
}

// Pure reports whether the Spec says that the call with this result never
// changes a state.
func (a *Automaton) Pure(c CallID, r ResultID) bool {
	p, ok := as[PureSpec](a.spec)
	return ok && p.Pure(a.Call(c), a.Result(r))
}

// Lenient reports whether the Spec has calls that may fail because of others.
func (a *Automaton) Lenient() bool {
	l, ok := as[LenientSpec](a.spec)
	return ok && l.Lenient()
}

// MayFail reports whether the call may return the result because another call is in progress.
func (a *Automaton) MayFail(c CallID, r ResultID) bool {
	return MayFail(a.spec, a.Call(c), a.Result(r))
}

// Renamable reports whether the Spec can rename values.
func (a *Automaton) Renamable() bool {
	_, ok := as[RenamableSpec](a.spec)
	return ok
}

func (a *Automaton) renamable() RenamableSpec {
	r, ok := as[RenamableSpec](a.spec)
	if !ok {
		panic("oracle: the specification cannot rename values")
	}
	return r
}

func hashState(s State) uint64 {
	h := uint64(14695981039346656037) // FNV-1a, then finished by the tuple's mixer
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return history.Ints(int64(h), int64(len(s))).Hash()
}

func hashCall(c Call) uint64 { return history.Ints(int64(c.Op), int64(c.Args.Hash())).Hash() }
