// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// Judgement is the outcome of Check.
type Judgement struct {
	OK bool
	// Order is an order that fits, as indices into the operations of the
	// history; of a stuck history, one for the last of the stuck threads.
	Order []int
	// Why explains a history that is not OK; nil otherwise.
	Why *Explanation
}

// Check decides by definition 2.1 of COLLECT whether a history has the
// property, trying permutations, and asks besides that no two stuck calls serve each
// other (oracle.PartnerSpec). A stuck call may wait behind another one (oracle.TurnSpec). A history that is not well formed, one with
// more than 64 operations and a failing oracle are errors.
//
// The search extends an order by one operation at a time and drops it as soon as
// the oracle rejects a result, which is the definition since correctness of
// sequential histories is closed under prefixes; whether an order can be
// completed depends only on which operations it holds and on the oracle's state,
// so a pair that failed is not tried again.
func Check(spec oracle.Spec, h history.History, p Property) (Judgement, error) {
	if err := h.Validate(); err != nil {
		return Judgement{}, err
	}
	stuck := h.Stuck()
	ops := h.Operations()
	beside := beside(ops)
	if len(stuck) == 0 {
		s := newPermutations(spec, ops, p, -1)
		s.beside = beside
		return s.judge()
	}
	var last Judgement
	for i, thread := range stuck {
		others := slices.Delete(slices.Clone(stuck), i, i+1)
		var kept []bool // of beside: others are removed, but have been in progress
		for i, op := range ops {
			if remains(op, others) {
				kept = append(kept, beside[i])
			}
		}
		s := newPermutations(spec, h.Without(others).Operations(), p, thread)
		s.beside = kept
		for _, op := range ops {
			if !remains(op, others) {
				s.removed = append(s.removed, op)
			}
		}
		j, err := s.judge()
		if err != nil || !j.OK {
			return j, err
		}
		j.Order = inWhole(h, j.Order, others)
		last = j
	}
	if why := partners(spec, h, p); why != nil {
		return Judgement{Why: why}, nil
	}
	return last, nil
}

// partners finds two stuck calls that serve each other.
func partners(spec oracle.Spec, h history.History, p Property) *Explanation {
	ops := h.Operations()
	for i, a := range ops {
		for _, b := range ops[i+1:] {
			if !a.Returned && !b.Returned && oracle.Partners(spec, callOf(a), callOf(b)) {
				return &Explanation{Property: p, Thread: a.Thread, Partner: b.Thread, Operations: ops}
			}
		}
	}
	return nil
}

// CheckUnfinished is Check for a history that is the beginning of another: operations
// that have not returned are not stuck, but may or may not have taken effect, with any
// result.
func CheckUnfinished(spec oracle.Spec, h history.History, p Property) (Judgement, error) {
	if err := h.Validate(); err != nil {
		return Judgement{}, err
	}
	ops := h.Operations()
	s := newPermutations(spec, ops, p, -1)
	s.beside = beside(ops)
	s.unfinished, s.why.Unfinished = true, true
	return s.judge()
}

// inWhole turns indices into the operations of h.Without(others) into indices
// into those of h.
func inWhole(h history.History, order, others []int) []int {
	var kept []int
	for i, op := range h.Operations() {
		if remains(op, others) {
			kept = append(kept, i)
		}
	}
	out := make([]int, len(order))
	for i, k := range order {
		out[i] = kept[k]
	}
	return out
}

// remains reports whether an operation is one of h.Without(others).
func remains(op history.Operation, others []int) bool {
	return op.Returned || !slices.Contains(others, op.Thread)
}

// newPermutations judges operations of which at most that of the given thread is stuck (-1: none).
func newPermutations(spec oracle.Spec, ops []history.Operation, p Property, thread int) *permutations {
	return &permutations{spec: spec, ops: ops, before: precedence(ops, p), failed: make(map[partial]bool),
		why: &Explanation{Property: p, Thread: thread, Partner: -1, Operations: ops}}
}

func (s *permutations) judge() (Judgement, error) {
	if len(s.ops) > 64 {
		return Judgement{}, errTooLong
	}
	ok := s.extend(s.spec.Initial())
	if s.err != nil {
		return Judgement{}, s.err
	}
	if ok {
		return Judgement{OK: true, Order: s.order}, nil
	}
	return Judgement{Why: s.why}, nil
}

// precedence is a table: entry [i][j] says whether operation i must come before operation j in
// every order.
func precedence(ops []history.Operation, p Property) [][]bool {
	before := make([][]bool, len(ops))
	for i, x := range ops {
		before[i] = make([]bool, len(ops))
		for j, y := range ops {
			switch p {
			case Linear:
				before[i][j] = x.Precedes(y)
			case Sequential:
				before[i][j] = x.Thread == y.Thread && i < j
			case Quiescent:
				before[i][j] = separated(ops, i, j)
			default:
				panic("consist: nothing says which calls keep their order under " + p)
			}
		}
	}
	return before
}

// separated reports whether the history is quiescent at some k with i <= k < j
// (operations counted from 0, so that the first k+1 are on the left).
func separated(ops []history.Operation, i, j int) bool {
	for k := i; k < j; k++ {
		if quiescentAt(ops, k) {
			return true
		}
	}
	return false
}

func quiescentAt(ops []history.Operation, k int) bool {
	for _, x := range ops[:k+1] {
		for _, y := range ops[k+1:] {
			if !x.Precedes(y) {
				return false
			}
		}
	}
	return true
}

// partial is a set of operations with the oracle's state after them. Whether an order that begins
// with them can be completed depends on nothing else.
type partial struct {
	placed uint64
	state  oracle.State
}

// permutations is one search for an order.
type permutations struct {
	spec   oracle.Spec
	ops    []history.Operation
	before [][]bool
	failed map[partial]bool

	beside     []bool // by operation: another one is in progress at some moment while it is
	unfinished bool   // operations that have not returned may still do so

	removed []history.Operation // the other stuck calls, which those that remain may meet (oracle.TurnSpec)

	order  []int
	placed uint64
	why    *Explanation
	err    error
}

// extend completes the order from the oracle's state on, and reports whether it can.
func (s *permutations) extend(state oracle.State) bool {
	key := partial{s.placed, state}
	if s.err != nil || s.failed[key] {
		return false
	}
	if s.ends(state) {
		return true
	}
	for x := range s.ops {
		if s.free(x) && (s.ops[x].Returned || s.unfinished) && s.place(x, state) {
			return true
		}
	}
	s.failed[key] = true
	s.noteDeadEnd(state)
	return false
}

// ends reports whether the order is complete and accepted: every returned
// operation is placed, and the stuck one, if there is one, comes last and may
// block.
func (s *permutations) ends(state oracle.State) bool {
	for x, op := range s.ops {
		if op.Returned && s.placed>>x&1 == 0 {
			return false
		}
	}
	if s.unfinished {
		return true
	}
	for x, op := range s.ops {
		if !op.Returned {
			if !s.spec.MayBlock(state, callOf(op)) && !(s.why.Property == Linear && slices.ContainsFunc(s.removed, func(first history.Operation) bool {
				_, waits := oracle.Behind(s.spec, state, callOf(first), callOf(op))
				return waits
			})) {
				return false
			}
			s.order = append(s.order, x)
			return true
		}
	}
	return s.spec.Accepting(state)
}

// free reports whether x is not placed and all that must precede it is.
func (s *permutations) free(x int) bool {
	if s.placed>>x&1 != 0 {
		return false
	}
	for y := range s.ops {
		if s.before[y][x] && s.placed>>y&1 == 0 {
			return false
		}
	}
	return true
}

func (s *permutations) place(x int, state oracle.State) bool {
	outcomes, err := s.spec.Outcomes(state, callOf(s.ops[x]))
	if err != nil {
		s.err = err
		return false
	}
	met := s.met(x)
	s.order = append(s.order, x)
	s.placed |= 1 << x
	for _, first := range met {
		results, _ := oracle.Behind(s.spec, state, callOf(first), callOf(s.ops[x]))
		if (slices.Contains(results, s.ops[x].Result) || !s.ops[x].Returned && len(results) > 0) && s.extend(state) {
			return true
		}
	}
	for _, o := range outcomes {
		if (o.Result == s.ops[x].Result || !s.ops[x].Returned) && s.extend(o.Next) {
			return true
		}
	}
	if s.ops[x].Returned && s.why.Property == Linear && s.beside[x] && oracle.MayFail(s.spec, callOf(s.ops[x]), s.ops[x].Result) && s.extend(state) {
		return true
	}
	s.order = s.order[:len(s.order)-1]
	s.placed &^= 1 << x
	return false
}

// met lists the operations that may be in progress when x, which is placed next, takes effect, and have not taken effect then.
func (s *permutations) met(x int) (list []history.Operation) {
	if s.why.Property != Linear {
		return nil
	}
	for y := range s.ops {
		if y != x && s.free(y) {
			list = append(list, s.ops[y])
		}
	}
	for _, y := range s.removed {
		begun := true
		for z := range s.ops {
			begun = begun && (s.placed>>z&1 != 0 || !s.ops[z].Precedes(y))
		}
		if begun {
			list = append(list, y)
		}
	}
	return list
}

// beside lists for each operation whether another one is in progress at some moment while it is.
func beside(ops []history.Operation) []bool {
	list := make([]bool, len(ops))
	for i, x := range ops {
		list[i] = slices.ContainsFunc(ops, func(y history.Operation) bool {
			return y.Thread != x.Thread && !y.Precedes(x) && !x.Precedes(y)
		})
	}
	return list
}

func callOf(op history.Operation) oracle.Call {
	return oracle.Call{Op: op.Method, Args: op.Args}
}
