// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"pangolin/history"
	"pangolin/internal/certificate/pairs"
	"pangolin/internal/client"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// model is what is to be proved: the calls that threads make, and what the oracle says of them as long as the content
// stays within the bound.
type model struct {
	subject *subject.Subject
	img     *vm.Image
	auto    *oracle.Automaton
	calls   []call
	initial oracle.StateID
	// paths gives, for each content within the bound, the fewest calls that lead there.
	paths  map[oracle.StateID][]int
	order  []oracle.StateID // the contents within the bound, nearest to the initial one first
	items  int              // how many items the collection holds at a time, at most
	values int              // of how many values the items are
	facts  *lemma.Reader
	tied   bool // elements of one priority are equal
}

// call is a call that a thread may make.
type call struct {
	step client.Step // the operation and its arguments
	id   oracle.CallID
	text string // "Push(1)"
	// pure are all results that the call may have, in some content, without changing it. Bit i of the mask in a thread's
	// ghost stands for pure[i].
	pure []oracle.ResultID
	// texts are the results that the call may have within the bound, as views in certificates name them.
	texts map[oracle.ResultID]string
}

// role is the one thread, counted from 1, that may make call c; 0: any thread may. Restrictions of another form are
// not modelled: all threads may then make the call.
func (m *model) role(c int) int { return m.subject.Operations[m.calls[c].step.Op].Client.Who.Only }

// maxPure and maxCalls are what a thread's tag has room for.
const (
	maxPure  = 30
	maxCalls = 1<<12 - 1
)

// outsideError says what in a collection this engine does not model.
type outsideError struct {
	text string
	// suspicious: one collection by itself is modelled, so that a search for a wrong execution is worth its time.
	suspicious bool
}

func (e *outsideError) Error() string { return e.text }

func outside(format string, a ...any) error { return &outsideError{text: fmt.Sprintf(format, a...)} }

// generic are the kinds that do not look at their items. The code may look at items all the same, and returns 0 where
// there is none. So calls use one value more than the bound says: 0, and as many others.
var generic = []oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue, oracle.Map}

// newModel makes the model of a collection that holds at most so many items at a time, of so many values.
func newModel(s *subject.Subject, items, values int) (*model, error) {
	img, err := s.Image()
	if err != nil {
		return nil, err
	}
	if s.Main != nil {
		return nil, errors.New("a program is no collection")
	}
	if vm.Finalizes(s.Prog) {
		return nil, outside("runtime.SetFinalizer: finalizers may run at any time")
	}
	m := &model{subject: s, img: img, auto: oracle.NewAutomaton(s.Spec), items: items, values: values, paths: map[oracle.StateID][]int{}}
	if err := m.makeCalls(values); err != nil {
		return nil, err
	}
	var calls []lemma.Call
	for i := range m.calls {
		calls = append(calls, lemma.Call{Op: &s.Operations[m.calls[i].step.Op], Args: m.calls[i].step.Args})
	}
	m.facts = lemma.NewReader(s, calls, items)
	m.initial = m.auto.StateID(s.Spec.Initial())
	return m, m.walk()
}

// makeCalls lists the calls that a thread may make: each operation with all arguments within the bound.
func (m *model) makeCalls(values int) error {
	ops := m.subject.ClientOps()
	for _, op := range ops {
		if slices.Contains(op.Params, oracle.ParamThread) {
			return outside("operation %s is told which thread calls it", op.Name)
		}
	}
	for i := range ops {
		ops[i].Who = client.Roles{}
	}
	most := values
	if slices.Contains(generic, oracle.Kind(m.subject.About.Kind)) {
		most++
	}
	space, err := client.NewSpace(client.Scope{Threads: client.Range{From: 1, To: 1}, Steps: client.Range{From: 1, To: 1}, Values: most}, ops)
	if err != nil {
		return err
	}
	for _, s := range space.Steps(0) {
		params := ops[s.Op].Params
		item, priority := slices.Index(params, oracle.ParamItem), slices.Index(params, oracle.ParamPriority)
		m.tied = m.tied || item >= 0 && priority >= 0
		if !few(s.Args, params, values) || item >= 0 && priority >= 0 && s.Args.At(item).Int != s.Args.At(priority).Int {
			continue
		}
		m.calls = append(m.calls, call{step: s, text: ops[s.Op].Call(s.Args), id: m.auto.CallID(oracle.Call{Op: s.Op, Args: s.Args})})
	}
	if len(m.calls) > maxCalls {
		return outside("there are more than %d different calls", maxCalls)
	}
	return nil
}

// few says that all arguments, items excepted, are below a number of values.
func few(args history.Tuple, params []oracle.Param, values int) bool {
	for i, p := range params {
		if p != oracle.ParamItem && int64(args.At(i).Int) >= int64(values) {
			return false
		}
	}
	return true
}

// walk finds the contents within the bound: those to which at most m.items calls lead that change the content. It
// also notes the results of calls that change nothing.
func (m *model) walk() error {
	m.paths[m.initial] = nil
	m.order = []oracle.StateID{m.initial}
	for i := 0; i < len(m.order); i++ {
		q := m.order[i]
		for c := range m.calls {
			edges := m.auto.Edges(q, m.calls[c].id)
			if err := m.auto.Err(); err != nil {
				return err
			}
			if len(edges) > 1 {
				return outside("the oracle leaves open what %s comes to", m.calls[c].text)
			}
			for _, e := range edges {
				if e.Next == q {
					m.notePure(c, e.Result)
					continue
				}
				if _, known := m.paths[e.Next]; !known && len(m.paths[q]) < m.items {
					m.paths[e.Next] = append(slices.Clip(m.paths[q]), c)
					m.order = append(m.order, e.Next)
				}
			}
		}
	}
	for c := range m.calls {
		if len(m.calls[c].pure) > maxPure {
			return outside("%s has more than %d results", m.calls[c].text, maxPure)
		}
		notation := m.subject.Operations[m.calls[c].step.Op].Client.Notation
		m.calls[c].texts = pairs.ResultTexts(m.auto, m.order, m.calls[c].id, func(r oracle.ResultID) string { return notation.Results(m.auto.Result(r)) })
	}
	return nil
}

func (m *model) notePure(c int, r oracle.ResultID) {
	if !slices.Contains(m.calls[c].pure, r) {
		m.calls[c].pure = append(m.calls[c].pure, r)
	}
}

// within says that a content is within the bound.
func (m *model) within(q oracle.StateID) bool {
	_, ok := m.paths[q]
	return ok
}

// justified is the mask of the results (see call.pure) with which call c leaves content q as it is.
func (m *model) justified(q oracle.StateID, c int) uint64 {
	for _, e := range m.auto.Edges(q, m.calls[c].id) {
		if e.Next == q {
			return 1 << slices.Index(m.calls[c].pure, e.Result)
		}
	}
	return 0
}

// changes is the oracle's edge by which call c changes content q; false if it does not change it.
func (m *model) changes(q oracle.StateID, c int) (oracle.Edge, bool) {
	for _, e := range m.auto.Edges(q, m.calls[c].id) {
		if e.Next != q {
			return e, true
		}
	}
	return oracle.Edge{}, false
}

// ghost is what a view remembers of its thread's call: which call it is; its result, if it has taken effect; and
// otherwise the mask of the results that were right, without an effect, at some moment of the call. It is stored as
// the thread's tag; 0 is a thread that is in no call.
type ghost uint64

const (
	ghostCall   = 1  // shift, 12 bits
	ghostResult = 13 // shift, 16 bits: the result's number plus one
	ghostMask   = 29 // shift
)

func newGhost(call int, justified uint64) ghost {
	return ghost(1 | uint64(call)<<ghostCall | justified<<ghostMask)
}

// busy says that the thread is in a call.
func (g ghost) busy() bool        { return g&1 != 0 }
func (g ghost) call() int         { return int(g >> ghostCall & maxCalls) }
func (g ghost) justified() uint64 { return uint64(g >> ghostMask) }

// result is the result that the call has to return, if it has taken effect.
func (g ghost) result() (oracle.ResultID, bool) {
	r := g >> ghostResult & (1<<16 - 1)
	return oracle.ResultID(r - 1), r != 0
}

// effected is the ghost of a call that has just taken effect with result r.
func (g ghost) effected(r oracle.ResultID) ghost {
	return g&(1<<ghostResult-1) | ghost(uint64(r)+1)<<ghostResult
}

// sees is ghost g after a moment at which the content is q: what would be right to return now is remembered.
func (m *model) sees(g ghost, q oracle.StateID) ghost {
	if _, done := g.result(); !g.busy() || done {
		return g
	}
	return g | ghost(m.justified(q, g.call())<<ghostMask)
}

// allows says that a call with ghost g may return result r.
func (m *model) allows(g ghost, r oracle.ResultID) bool {
	if want, done := g.result(); done {
		return r == want
	}
	i := slices.Index(m.calls[g.call()].pure, r)
	return i >= 0 && g.justified()>>i&1 != 0
}

// expected says for people what a call with ghost g would have been right to return.
func (m *model) expected(g ghost) string {
	if r, done := g.result(); done {
		return "it has taken effect with " + m.shown(g.call(), r)
	}
	text := ""
	for mask := g.justified(); mask != 0; mask &= mask - 1 {
		if text != "" {
			text += " or "
		}
		text += m.shown(g.call(), m.calls[g.call()].pure[bits.TrailingZeros64(mask)])
	}
	if text == "" {
		return "it has not taken effect, and without effect nothing was right"
	}
	return "it has not taken effect, and without effect only " + text + " was right"
}

// shown is what a call returns, for people: "0, true", "panic", or "no result".
func (m *model) shown(call int, r oracle.ResultID) string {
	results := m.subject.Operations[m.calls[call].step.Op].Client.Notation.Results(m.auto.Result(r))
	return cmp.Or(results, "no result")
}
