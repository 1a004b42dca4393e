// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// The calls that a thread may make within the bound, the contents to which they lead, and the results that are right, computed anew from
// the oracle. The certificate must contain the same.

// terms are the calls and contents within the bound.
type terms struct {
	subject  *subject.Subject
	auto     *oracle.Automaton
	calls    []call
	contents []oracle.StateID
	paths    [][]int                // for each content the calls that lead to it, in order
	index    map[oracle.StateID]int // indexes in contents
}

// call is a call that a thread may make.
type call struct {
	step client.Step
	id   oracle.CallID
	text string
	// results are those that the call may have in some content, by the texts that views have for them.
	results map[string]oracle.ResultID
	only    int // the one thread that may make it, counted from 1; 0: any
}

// status is what is known about a thread's call.
type status struct {
	call  int  // the call's index plus 1; 0: none
	done  bool // it has taken effect, and must return the result must
	must  oracle.ResultID
	right uint64 // bit r: result r was right, without an effect, at some moment of the call
}

// bind finds the calls and contents of a collection within the bound that the head of a certificate names.
func bind(s *subject.Subject, h *Head) (*terms, error) {
	items, values := h.Items, h.Values
	if items < 1 || items > 16 || values < 1 || values > items {
		return nil, fmt.Errorf("the head has %d items of %d values: want 1 to 16 items, and 1 to as many values", items, values)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Roles)) {
		thread := h.Roles[name]
		if thread < 1 || !slices.ContainsFunc(s.Operations, func(o subject.Operation) bool { return o.Name == name }) {
			return nil, fmt.Errorf("the head says that thread %d alone calls %s: want the name of an operation, and a thread from 1 on", thread, name)
		}
	}
	t := &terms{subject: s, auto: oracle.NewAutomaton(s.Spec), index: map[oracle.StateID]int{}}
	if err := t.bindCalls(values, h.Roles); err != nil {
		return nil, err
	}
	start := t.auto.StateID(s.Spec.Initial())
	t.contents, t.paths, t.index[start] = []oracle.StateID{start}, [][]int{{}}, 0
	for i := 0; i < len(t.contents); i++ {
		for c := range t.calls {
			edges := t.auto.Edges(t.contents[i], t.calls[c].id)
			if len(edges) > 1 {
				return nil, fmt.Errorf("the oracle permits several outcomes of %s, which proofs do not support", t.calls[c].text)
			}
			for _, e := range edges {
				if _, known := t.index[e.Next]; known || len(t.paths[i]) == items {
					continue
				}
				t.index[e.Next] = len(t.contents)
				t.contents = append(t.contents, e.Next)
				t.paths = append(t.paths, append(slices.Clone(t.paths[i]), c))
			}
		}
	}
	for c := range t.calls {
		t.calls[c].results = map[string]oracle.ResultID{}
		for r, text := range ResultTexts(t.auto, t.contents, t.calls[c].id, func(r oracle.ResultID) string { return t.text(c, r) }) {
			t.calls[c].results[text] = r
		}
	}
	return t, t.auto.Err()
}

// bindCalls lists all calls with arguments below values. For kinds that do not look at their items there is one value more, because code
// returns 0 if it has no item. roles maps operations that only one thread calls to that thread.
func (t *terms) bindCalls(values int, roles map[string]int) error {
	ops := t.subject.ClientOps()
	for i := range ops {
		if slices.Contains(ops[i].Params, oracle.ParamThread) {
			return fmt.Errorf("the oracle of operation %s depends on the calling thread, which proofs do not support", ops[i].Name)
		}
		ops[i].Who = client.Roles{}
	}
	one := client.Range{From: 1, To: 1}
	most := values
	if slices.Contains([]oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue, oracle.Map}, oracle.Kind(t.subject.About.Kind)) {
		most++
	}
	space, err := client.NewSpace(client.Scope{Threads: one, Steps: one, Values: most}, ops)
	if err != nil {
		return err
	}
	for _, s := range space.Steps(0) {
		item, priority := slices.Index(ops[s.Op].Params, oracle.ParamItem), slices.Index(ops[s.Op].Params, oracle.ParamPriority)
		if item >= 0 && priority >= 0 && s.Args.At(item).Int != s.Args.At(priority).Int {
			continue // elements of one priority are equal
		}
		beyond := false
		for i, p := range ops[s.Op].Params {
			beyond = beyond || p != oracle.ParamItem && int(s.Args.At(i).Int) >= values
		}
		if beyond {
			continue
		}
		t.calls = append(t.calls, call{step: s, text: ops[s.Op].Call(s.Args), id: t.auto.CallID(oracle.Call{Op: s.Op, Args: s.Args}),
			only: roles[ops[s.Op].Name]})
	}
	return nil
}

// mostResults is the greatest number of different results: a status has a bit for each.
const mostResults = 64

// start is the status of a thread that makes call c (an index) while the content has index content.
func (t *terms) start(c, content int) (status, error) { return t.see(status{call: c + 1}, content) }

// see updates a status at a moment at which the content has index q: results that are right now are remembered.
func (t *terms) see(s status, q int) (status, error) {
	if s.call == 0 || s.done {
		return s, nil
	}
	for _, e := range t.auto.Edges(t.contents[q], t.calls[s.call-1].id) {
		if e.Next != t.contents[q] {
			continue
		}
		if e.Result >= mostResults {
			return s, fmt.Errorf("there are more than %d results", mostResults)
		}
		s.right |= 1 << e.Result
	}
	return s, nil
}

// act is the status of a call after it has taken effect on the content with index q, and the index of the content after it. within is false
// if that is beyond the bound. A call without effect there keeps its status.
func (t *terms) act(s status, q int) (after status, content int, within bool) {
	if s.call == 0 || s.done {
		return s, q, true
	}
	for _, e := range t.auto.Edges(t.contents[q], t.calls[s.call-1].id) {
		if e.Next == t.contents[q] {
			continue
		}
		next, known := t.index[e.Next]
		return status{call: s.call, done: true, must: e.Result}, next, known
	}
	return s, q, true
}

// allows reports whether a call with this status may return result r.
func (s status) allows(r oracle.ResultID) bool {
	if s.done {
		return r == s.must
	}
	return r < mostResults && s.right>>r&1 != 0
}

// ResultTexts are the texts by which views name the results that a call may have in some of the contents: what text says of each. Results of which it says the same,
// such as two moments that are printed alike, are told apart by a number: the second one in the order of contents is "text (2)".
func ResultTexts(auto *oracle.Automaton, contents []oracle.StateID, c oracle.CallID, text func(oracle.ResultID) string) map[oracle.ResultID]string {
	out, alike := map[oracle.ResultID]string{}, map[string]int{}
	for _, q := range contents {
		for _, e := range auto.Edges(q, c) {
			if _, known := out[e.Result]; known {
				continue
			}
			t := text(e.Result)
			alike[t]++
			if n := alike[t]; n > 1 {
				t = fmt.Sprintf("%s (%d)", t, n)
			}
			out[e.Result] = t
		}
	}
	return out
}

// text is result r of call c for people: "1, true", and "" of an operation without results.
func (t *terms) text(c int, r oracle.ResultID) string {
	return t.subject.Operations[t.calls[c].step.Op].Client.Notation.Results(t.auto.Result(r))
}

// returning says for people that call c comes to result r: "returns 1, true", or "returns" if there are no results.
func (t *terms) returning(c int, r oracle.ResultID) string {
	return strings.TrimSpace("returns " + t.text(c, r))
}

// Claims reports whether the certificate claims view i of another certificate of the same collection.
func (c *Checker) Claims(other *Certificate, i int) bool {
	v := &other.Views[i]
	m := &other.Memories[v.Memory]
	s, err := c.statusOf(v)
	return err == nil && c.claimed[string(c.keyOf(m.Content, s, slices.Concat(m.Front, v.Thread, m.Objects, v.Own)))] != nil
}

// statusOf reads the status of a view's call, and refuses what makes no sense.
func (t *terms) statusOf(x *View) (status, error) {
	s := status{call: x.Call}
	if x.Call < 0 || x.Call > len(t.calls) || x.Call == 0 && (x.Done != nil || len(x.Right) > 0) || x.Done != nil && len(x.Right) > 0 {
		return s, fmt.Errorf("what it says about its call contradicts itself, or it names no call of the head")
	}
	list := x.Right
	if x.Done != nil {
		list = []string{*x.Done}
	}
	for _, text := range list {
		r, there := t.calls[x.Call-1].results[text]
		switch {
		case !there || r >= mostResults:
			return s, fmt.Errorf("the call has no result %q", text)
		case x.Done != nil:
			s.done, s.must = true, r
		default:
			s.right |= 1 << r
		}
	}
	return s, nil
}
