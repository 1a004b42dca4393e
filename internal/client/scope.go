// SPDX-License-Identifier: BSD-3-Clause

// Package client enumerates the small clients of a collection: what every
// thread calls, in order, after some pre-adds.
//
// It takes a Scope (bounds and symmetry options) and the operations of the
// collection, and counts or lists the clients. The rules are those that give
// COLLECT's Table 1 (section 4 of the paper describes them):
//
//   - A client is 1 to T nonempty sequences of steps, 1 to S steps in total, the
//     shorter ones included; with thread symmetry the sequences are a multiset.
//     Every number of pre-adds in its range is combined with each of them.
//   - Keys (of sets and maps), compared items and deltas range over 0..M-1
//     (deltas over 1..M); which keys are pre-added is not enumerated: they are
//     0, 1, … (verdict.Beforehand says so).
//   - Items that are only stored are generic: the next number from 1 on at each add,
//     pre-adds first (0 is the zero value, which stands for no item at all). Without the
//     generic-values option they range over 0..M-1, those of pre-adds too.
//   - Priorities: with distinct priorities, every ranking of all adds, pre-adds
//     included; otherwise 0..M-1 for each of them.
//   - Adds dominant: pre-adds and adds are at least as many as removes.
//
// A Plan tells a search, state by state, which calls an idle thread may make next: those of all clients
// of a scope at once (General), of one client (Single), or none, where a recording is executed again and
// its calls come from there (Recorded).
//
// The package does not run clients, knows nothing of hash models or preemption
// bounds beyond carrying them, and does not judge which options are sound.
package client

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pangolin/history"
	"pangolin/oracle"
)

// Range is an inclusive interval.
type Range struct{ From, To int }

// String is the range as flags write it.
func (r Range) String() string { return fmt.Sprintf("%d..%d", r.From, r.To) }

// Effect tells what an operation counts as for the adds-dominant option and
// which one fills the collection before the threads start.
type Effect uint8

// The effects.
const (
	Neither Effect = iota
	Adds
	Removes
)

// Op is an operation that clients may call.
type Op struct {
	Name   string
	Params []oracle.Param
	Effect Effect
	Who    Roles
	// Notation is how arguments and results are printed.
	Notation *history.Notation
}

// Call prints a call of the operation.
func (o *Op) Call(args history.Tuple) string { return o.Notation.Call(o.Name, args) }

// Roles limits who may call an operation (the -roles flag). The zero value lets every
// thread call it, and as often as it likes.
type Roles struct {
	Only   int    // thread number counted from 1; 0 for any
	Except int    // thread number counted from 1; 0 for none
	Once   bool   // the threads of a client call it once at most, all together
	Last   bool   // and when every other call of the client has returned, and no other will be made
	First  bool   // calls of it are made before all others, one after the other
	Alone  bool   // it is called while no other call is in progress, and none begins until it has returned
	Not    string // operations, "Wait+Stop", of which no call is in progress while one of this is; "": any may be
}

// Allows reports whether a thread, counted from 0, may call the operation.
func (r Roles) Allows(thread int) bool {
	return (r.Only == 0 || r.Only == thread+1) && r.Except != thread+1
}

// MaxThreads is the most threads a client may have.
const MaxThreads = 8

// Scope bounds the clients.
type Scope struct {
	Threads   Range
	Steps     Range // total over all threads
	PreAdds   Range
	PerThread int // if positive: every thread makes exactly so many calls, and Steps is ignored
	Values    int // M: keys, compared items and free priorities range over 0..M-1
	// Endless: the threads make any number of calls, so that nothing counts them. Steps, PerThread and PreAdds are zero then.
	Endless bool
	// Items, if Endless, is the greatest number of generic items in use at a time: a call that takes one begins only while fewer are.
	Items int

	ThreadSymmetry     bool
	GenericValues      bool
	AddsDominant       bool
	DistinctPriorities bool
}

// Hash is a model of hash functions: identity, or nondeterministic with a domain
// and a range bound (COLLECT, section 4).
type Hash struct {
	Nondeterministic bool
	Domain, Range    int
}

// String is the model as flags write it.
func (h Hash) String() string {
	if !h.Nondeterministic {
		return "identity"
	}
	return fmt.Sprintf("nondet(%d,%d)", h.Domain, h.Range)
}

// Preset is a configuration: a scope with a name.
type Preset struct {
	Scope   Scope
	Hash    Hash
	Preempt int // bound on preemptions; 0: none
}

// size is what a configuration says of the clients: at most so many threads, calls and
// pre-adds.
type size struct{ threads, steps, preadds int }

// table1 are the configurations of COLLECT's Table 1.
var table1 = map[string]size{"A": {2, 2, 0}, "B": {2, 2, 1}, "C": {2, 2, 1}, "D": {3, 3, 1}, "E": {3, 4, 1}}

// anySteps stands for any number of calls in a size.
const anySteps = -1

// parseSize reads the name of a configuration: a letter of Table 1, or "2x5" for two threads,
// five calls in all and one pre-add, "2x5x0" for none, "2xany" for two threads and any number of calls.
func parseSize(name string) (size, error) {
	if at, ok := table1[name]; ok {
		return at, nil
	}
	if threads, found := strings.CutSuffix(name, "xany"); found {
		if n, err := strconv.Atoi(threads); err == nil {
			return size{n, anySteps, 0}, nil
		}
	}
	numbers := []int{0, 0, 1}
	parts := strings.Split(name, "x")
	ok := len(parts) == 2 || len(parts) == 3
	for i := 0; ok && i < len(parts); i++ {
		n, err := strconv.Atoi(parts[i])
		numbers[i], ok = n, err == nil
	}
	if !ok {
		return size{}, fmt.Errorf("configuration %q: there are A, B, C, D and E, and such as 2x5 for 2 threads and 5 calls in all, 2x5x0 without pre-adds, 2xany for any number of calls", name)
	}
	return size{numbers[0], numbers[1], numbers[2]}, nil
}

// EndlessFew is the usual number of threads, of values, and of items in use at a time, where each thread makes any number of calls.
const EndlessFew = 2

// NewPreset gives the configuration A, B, C, D or E, or one such as 2x5 or 2xany, for a kind of
// collection.
// Deviation: Table 1 has sets, queues and priority queues only. Stacks and
// deques are treated as queues, other kinds as sets (with generic values for maps,
// without pre-adds for counters, registers and plain objects); and as the table's rule for
// synchronous queues says, a synchronous collection of any kind trades its
// pre-adds for steps.
func NewPreset(name string, kind oracle.Kind, p oracle.ProtocolKind) (Preset, error) {
	most, err := parseSize(name)
	if err != nil {
		return Preset{}, err
	}
	s := Scope{Threads: Range{1, most.threads}, Steps: Range{1, most.steps}, PreAdds: Range{0, most.preadds}, ThreadSymmetry: true}
	s.Values = s.Steps.To + s.PreAdds.To
	switch kind {
	case oracle.Queue, oracle.Stack, oracle.Deque:
		s.GenericValues = true
	case oracle.PQueue:
		s.GenericValues, s.AddsDominant, s.DistinctPriorities = true, true, true
	case oracle.Map:
		s.GenericValues = true
	case oracle.Set:
	default:
		s.PreAdds = Range{} // nothing to add to
	}
	if p == oracle.Synchronous {
		s.Steps.To += s.PreAdds.To
		s.PreAdds.To = 0
	}
	if most.steps == anySteps {
		s = s.AnyCalls(s.Threads, EndlessFew, EndlessFew)
	}
	preset := Preset{Scope: s}
	switch name {
	case "C":
		preset.Hash = Hash{Nondeterministic: true, Domain: 3, Range: 2}
	case "E":
		preset.Preempt = 2
	}
	return preset, nil
}

// Validate reports contradictory or empty bounds.
func (s Scope) Validate() error {
	if s.Endless {
		return s.validateEndless()
	}
	switch {
	case s.Threads.From < 1 || s.Threads.To < s.Threads.From || s.Threads.To > MaxThreads:
		return fmt.Errorf("threads %s: want 1 <= from <= to <= %d", s.Threads, MaxThreads)
	case s.PerThread < 0:
		return fmt.Errorf("%d calls per thread: want at least 1", s.PerThread)
	case s.PerThread == 0 && (s.Steps.From < 1 || s.Steps.To < s.Steps.From):
		return fmt.Errorf("steps %s: want 1 <= from <= to", s.Steps)
	case s.PreAdds.From < 0 || s.PreAdds.To < s.PreAdds.From:
		return fmt.Errorf("pre-adds %s: want 0 <= from <= to", s.PreAdds)
	case s.Values < 1:
		return fmt.Errorf("%d values: want at least 1", s.Values)
	case s.PerThread == 0 && s.Threads.From > s.Steps.To:
		return fmt.Errorf("%d threads cannot share %d steps: every thread makes at least one", s.Threads.From, s.Steps.To)
	}
	return nil
}

// MostItems is the greatest number of items that can be in use at a time where nothing counts calls: what the code still holds of earlier
// items, and the threads' own, need names as well (vm.MaxItems).
const MostItems = 12

// validateEndless is Validate of a scope with any number of calls.
func (s Scope) validateEndless() error {
	switch {
	case s.Threads.From < 1 || s.Threads.To < s.Threads.From || s.Threads.To > MaxThreads:
		return fmt.Errorf("threads %s: want 1 <= from <= to <= %d", s.Threads, MaxThreads)
	case s.Steps != Range{} || s.PerThread != 0:
		return errors.New("any number of calls, and a number of them: give one of the two")
	case s.PreAdds != Range{}:
		return fmt.Errorf("pre-adds %s: with any number of calls there are none, because the threads make these calls as well", s.PreAdds)
	case s.AddsDominant || s.DistinctPriorities:
		return errors.New("any number of calls does not go with adds dominant or distinct priorities, for which calls are counted")
	case s.Values < 1:
		return fmt.Errorf("%d values: want at least 1", s.Values)
	case s.Items < 1 || s.Items > MostItems:
		return fmt.Errorf("%d items at a time: want 1 to %d", s.Items, MostItems)
	}
	return nil
}

// AnyCalls is the scope with any number of calls in place of those that it bounds: of so many threads, values, and items at a time.
func (s Scope) AnyCalls(threads Range, values, items int) Scope {
	return Scope{Threads: threads, Values: values, Endless: true, Items: items, ThreadSymmetry: s.ThreadSymmetry, GenericValues: s.GenericValues}
}

// Counted is the scope with at most so many calls in place of any number.
func (s Scope) Counted(calls int) Scope {
	s.Endless, s.Items, s.Steps = false, 0, Range{1, calls}
	return s
}

// Intersect is the scope of the clients that two scopes share, false if they share none. Both
// bound each thread's calls by the same number, or neither does. Scopes with any number of calls share clients with each other only.
func (s Scope) Intersect(t Scope) (shared Scope, some bool) {
	shared = s
	shared.Threads, shared.Steps, shared.PreAdds = s.Threads.intersect(t.Threads), s.Steps.intersect(t.Steps), s.PreAdds.intersect(t.PreAdds)
	shared.Values = min(s.Values, t.Values)
	shared.AddsDominant = s.AddsDominant || t.AddsDominant
	alike := s.PerThread == t.PerThread && s.Endless == t.Endless && s.Items == t.Items && s.ThreadSymmetry == t.ThreadSymmetry && s.GenericValues == t.GenericValues &&
		s.DistinctPriorities == t.DistinctPriorities
	return shared, alike && shared.Validate() == nil
}

func (r Range) intersect(s Range) Range { return Range{max(r.From, s.From), min(r.To, s.To)} }

// Uncounted is more calls than any scope that bounds them has.
const Uncounted = 1 << 30

// Calls is the most calls that the threads of a client make, Uncounted if nothing bounds them.
func (s Scope) Calls() int {
	switch {
	case s.Endless:
		return Uncounted
	case s.PerThread > 0:
		return s.PerThread * s.Threads.To
	}
	return s.Steps.To
}

// steps is the range of the total number of steps with the given threads.
func (s Scope) steps(threads int) Range {
	if s.PerThread > 0 {
		return Range{threads * s.PerThread, threads * s.PerThread}
	}
	return s.Steps
}

// OpOf is the operation that clients see of a bound one.
func OpOf(op oracle.Op) Op {
	out := Op{Name: op.Name, Params: op.Params}
	switch op.Role {
	case oracle.Add, oracle.Put, oracle.PutFront, oracle.PutBack:
		out.Effect = Adds
	case oracle.Store, oracle.LoadOrStore:
		if slices.Contains(op.Params, oracle.ParamKey) {
			out.Effect = Adds // of a map; storing into a register adds nothing
		}
	case oracle.Remove, oracle.Take, oracle.TakeFront, oracle.TakeBack, oracle.Delete, oracle.LoadAndDelete:
		out.Effect = Removes
	}
	return out
}

// DefaultOps are the usual operations of a kind, those that Table 1 counts; nil if
// there are none (of a plain object, say).
func DefaultOps(kind oracle.Kind) []Op {
	names := map[oracle.Kind][]oracle.Op{
		oracle.Set:    {{Name: "Add", Role: oracle.Add}, {Name: "Remove", Role: oracle.Remove}, {Name: "Contains", Role: oracle.Contains}},
		oracle.Queue:  {{Name: "Enqueue", Role: oracle.Put}, {Name: "Dequeue", Role: oracle.Take}},
		oracle.Stack:  {{Name: "Push", Role: oracle.Put}, {Name: "Pop", Role: oracle.Take}},
		oracle.PQueue: {{Name: "Add", Role: oracle.Put}, {Name: "RemoveMin", Role: oracle.Take}},
		oracle.Deque: {{Name: "PushFront", Role: oracle.PutFront}, {Name: "PushBack", Role: oracle.PutBack},
			{Name: "PopFront", Role: oracle.TakeFront}, {Name: "PopBack", Role: oracle.TakeBack}},
		oracle.Map: {{Name: "Load", Role: oracle.Load}, {Name: "Store", Role: oracle.Store},
			{Name: "LoadOrStore", Role: oracle.LoadOrStore}, {Name: "Delete", Role: oracle.Delete}},
		oracle.Counter: {{Name: "Inc", Role: oracle.Inc}, {Name: "Get", Role: oracle.Load}},
		oracle.Register: {{Name: "Load", Role: oracle.Load}, {Name: "Store", Role: oracle.Store},
			{Name: "CompareAndSwap", Role: oracle.CompareAndSwap}},
	}
	var out []Op
	for _, op := range names[kind] {
		op.Params = oracle.Params(kind, op.Role)
		out = append(out, OpOf(op))
	}
	return out
}
