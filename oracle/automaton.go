package oracle

import (
	"fmt"
	"sync"

	"pangolin/history"
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
// goroutines; lookups of what is known take a read lock.
type Automaton struct {
	spec Spec

	mu      sync.RWMutex
	states  numbering[State]
	calls   numbering[Call]
	results numbering[history.Tuple]
	edges   map[edgeKey][]Edge
	renamed map[renameKey]StateID
	err     error
}

type edgeKey struct {
	state StateID
	call  CallID
}

type renameKey struct {
	state StateID
	r     Renaming
}

// numbering gives values numbers and finds them again, with a content hash.
type numbering[T comparable] struct {
	number map[T]int
	values []T
	hashes []uint64
}

func (n *numbering[T]) of(v T, hash func(T) uint64) int {
	i, ok := n.number[v]
	if !ok {
		if n.number == nil {
			n.number = make(map[T]int)
		}
		i = len(n.values)
		n.number[v] = i
		n.values = append(n.values, v)
		n.hashes = append(n.hashes, hash(v))
	}
	return i
}

// NewAutomaton starts with the initial state of spec, which becomes state 0.
func NewAutomaton(spec Spec) *Automaton {
	a := &Automaton{spec: spec, edges: make(map[edgeKey][]Edge), renamed: make(map[renameKey]StateID)}
	a.states.of(spec.Initial(), hashState)
	return a
}

// Spec is the specification behind the automaton.
func (a *Automaton) Spec() Spec { return a.spec }

// Err is the first error of the oracle's code, if there was one: from then on
// missing outcomes mean nothing.
func (a *Automaton) Err() error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.err
}

// StateID numbers a state of the Spec.
func (a *Automaton) StateID(s State) StateID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return StateID(a.states.of(s, hashState))
}

// CallID numbers a call. It panics at the 65,536th different one.
func (a *Automaton) CallID(c Call) CallID {
	return CallID(lookUp(a, &a.calls, c, hashCall))
}

// ResultID numbers a result. It panics at the 65,536th different one.
func (a *Automaton) ResultID(t history.Tuple) ResultID {
	return ResultID(lookUp(a, &a.results, t, history.Tuple.Hash))
}

func lookUp[T comparable](a *Automaton, n *numbering[T], v T, hash func(T) uint64) int {
	a.mu.RLock()
	i, ok := n.number[v]
	a.mu.RUnlock()
	if ok {
		return i
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	i = n.of(v, hash)
	if i > 1<<16-2 { // one less than fits: monitors store number+1
		panic(fmt.Sprintf("oracle: more than %d different calls or results", i))
	}
	return i
}

// Call is the call with the given number.
func (a *Automaton) Call(c CallID) Call {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.calls.values[c]
}

// Result is the result with the given number.
func (a *Automaton) Result(r ResultID) history.Tuple {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.results.values[r]
}

// State is the state with the given number.
func (a *Automaton) State(s StateID) State {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.states.values[s]
}

// StateHash, CallHash and ResultHash are hashes of the content, the same in
// every run.
func (a *Automaton) StateHash(s StateID) uint64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.states.hashes[s]
}

// CallHash is a hash of the call's content.
func (a *Automaton) CallHash(c CallID) uint64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.calls.hashes[c]
}

// ResultHash is a hash of the result's content.
func (a *Automaton) ResultHash(r ResultID) uint64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.results.hashes[r]
}

// Edges lists the outcomes of a call in a state; none after an error. The caller
// must not change the list.
func (a *Automaton) Edges(s StateID, c CallID) []Edge {
	key := edgeKey{s, c}
	a.mu.RLock()
	edges, ok := a.edges[key]
	state, call := a.states.values[s], a.calls.values[c]
	a.mu.RUnlock()
	if ok {
		return edges
	}
	outcomes, err := a.spec.Outcomes(state, call)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil && a.err == nil {
		a.err = err
	}
	if edges, ok := a.edges[key]; ok { // another goroutine was faster
		return edges
	}
	edges = make([]Edge, 0, len(outcomes))
	for _, o := range outcomes {
		r := a.results.of(o.Result, history.Tuple.Hash)
		if r > 1<<16-2 {
			panic(fmt.Sprintf("oracle: more than %d different results", r))
		}
		edges = append(edges, Edge{ResultID(r), StateID(a.states.of(o.Next, hashState))})
	}
	a.edges[key] = edges
	return edges
}

// MayBlock asks the Spec, each time.
func (a *Automaton) MayBlock(s StateID, c CallID) bool {
	return a.spec.MayBlock(a.State(s), a.Call(c))
}

// Accepting asks the Spec, each time.
func (a *Automaton) Accepting(s StateID) bool { return a.spec.Accepting(a.State(s)) }

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

// RenameState is the number of the renamed state. It panics unless Renamable;
// so do RenameCall and RenameResult.
func (a *Automaton) RenameState(s StateID, r *Renaming) StateID {
	key := renameKey{s, *r}
	a.mu.RLock()
	next, ok := a.renamed[key]
	a.mu.RUnlock()
	if ok {
		return next
	}
	state := a.renamable().MapState(a.State(s), r.Name)
	a.mu.Lock()
	defer a.mu.Unlock()
	next = StateID(a.states.of(state, hashState))
	a.renamed[key] = next
	return next
}

// RenameCall is the number of the renamed call.
func (a *Automaton) RenameCall(c CallID, r *Renaming) CallID {
	return a.CallID(a.renamable().MapCall(a.Call(c), r.Name))
}

// RenameResult is the number of the renamed result of c, itself not renamed.
func (a *Automaton) RenameResult(c CallID, result ResultID, r *Renaming) ResultID {
	return a.ResultID(a.renamable().MapResult(a.Call(c), a.Result(result), r.Name))
}

// StateNames, CallNames and ResultNames add the names that occur to a set. They
// panic unless Renamable.
func (a *Automaton) StateNames(s StateID, n *Names) {
	a.renamable().MapState(a.State(s), n.Add)
}

// CallNames adds the names among the arguments.
func (a *Automaton) CallNames(c CallID, n *Names) {
	a.renamable().MapCall(a.Call(c), n.Add)
}

// ResultNames adds the names among the results of c.
func (a *Automaton) ResultNames(c CallID, r ResultID, n *Names) {
	a.renamable().MapResult(a.Call(c), a.Result(r), n.Add)
}

func hashState(s State) uint64 {
	h := uint64(14695981039346656037) // FNV-1a, then finished by the tuple's mixer
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return history.Ints(int64(h), int64(len(s))).Hash()
}

func hashCall(c Call) uint64 { return history.Ints(int64(c.Op), int64(c.Args.Hash())).Hash() }
