package native

import (
	"fmt"
	"slices"
	"strings"
)

// history is what the runner reports of an execution of a client.
type history struct {
	Results [][][]string // by thread (0: before the threads) and call
	Events  []event
	Ending  Kind
	Text    string
	Waits   []string
	Steps   []Step

	moved []movedCalls // of calls one after another: where they are in the client
}

// movedCalls says which call of the client a thread's calls are.
type movedCalls struct {
	thread int
	index  []int
}

type event struct {
	Thread int
	Return bool
	At     int // as in CallEvent
}

// made is one call in a history.
type made struct {
	thread, index int // which call of the client
	place         int // which call of the thread in this history
	call          Call
	results       []string
	pending       bool // it has not returned
	from, to      int  // its beginning and end among the events
}

// calls lists the calls of the threads that were begun.
func (h *history) calls(c Client) []made {
	var list []made
	open := map[int]int{}
	count := map[int]int{}
	for at, e := range h.Events {
		if e.Return {
			m := &list[open[e.Thread]]
			m.pending, m.to = false, at
			if m.place < len(h.Results[e.Thread]) {
				m.results = h.Results[e.Thread][m.place]
			}
			continue
		}
		i := count[e.Thread]
		count[e.Thread]++
		open[e.Thread] = len(list)
		list = append(list, made{thread: e.Thread, index: i, place: i, call: c.Threads[e.Thread-1][i], pending: true, from: at, to: len(h.Events)})
	}
	for _, v := range h.moved {
		for i := range list {
			if list[i].thread == v.thread {
				list[i].index = v.index[list[i].place]
				list[i].call = c.Threads[v.thread-1][list[i].index]
			}
		}
	}
	return list
}

// before says which calls the property orders: all pairs (i, j) with i before j.
func before(property Property, list []made) [][]bool {
	out := make([][]bool, len(list))
	quiet := quietMoments(list)
	for i, a := range list {
		out[i] = make([]bool, len(list))
		for j, b := range list {
			switch property {
			case Linear:
				out[i][j] = !a.pending && a.to < b.from
			case SC:
				out[i][j] = a.thread == b.thread && a.index < b.index
			case Quiescent:
				out[i][j] = slices.ContainsFunc(quiet, func(at int) bool { return !a.pending && a.to < at && at <= b.from })
			}
		}
	}
	return out
}

// quietMoments are the positions between events at which no call is going on.
func quietMoments(list []made) []int {
	var quiet []int
	for _, a := range list {
		at := a.to + 1
		if !a.pending && !slices.ContainsFunc(list, func(b made) bool { return b.from < at && at <= b.to }) {
			quiet = append(quiet, at)
		}
	}
	return quiet
}

// explain looks for an order of all calls that have returned, and any that wait, in which
// the specification gives the results, by trying every order. If strict, none that has not
// returned is among them, and all of these must wait in the end.
func explain(q sequential, start []int64, ops []Op, list []made, order [][]bool, strict bool) bool {
	done := make([]bool, len(list))
	var try func(state []int64) bool
	try = func(state []int64) bool {
		if complete(q, state, ops, list, done, strict) {
			return true
		}
		for i, m := range list {
			if done[i] || strict && m.pending || !isNext(i, done, order) {
				continue
			}
			done[i] = true
			for _, a := range q.apply(state, ops[m.call.Op].Role, m.call.Args) {
				if (m.pending || a.reply.fits(m.results)) && try(a.next) {
					return true
				}
			}
			done[i] = false
		}
		return false
	}
	return try(start)
}

func isNext(i int, done []bool, order [][]bool) bool {
	for j := range done {
		if !done[j] && order[j][i] {
			return false
		}
	}
	return true
}

// complete says whether every call has its place, those aside that may wait for ever.
func complete(q sequential, state []int64, ops []Op, list []made, done []bool, strict bool) bool {
	for i, m := range list {
		if done[i] {
			continue
		}
		if !m.pending {
			return false
		}
		if strict && len(q.apply(state, ops[m.call.Op].Role, m.call.Args)) > 0 {
			return false
		}
	}
	return true
}

// judgement of a history against a specification.
func judgeBySpecification(t *Trial, c Client, h *history) Class {
	if class := badEnding(h); class != Fine {
		return class
	}
	q := sequential{specifications[t.Subject.Oracle], t.Subject.Bounded}
	if len(h.Results[0]) < len(c.Pre) {
		return stuckIn(h)
	}
	list := h.calls(c)
	order := before(t.Property, list)
	list, order = withPreAdds(c, h, list, order)
	explained := func(strict bool) bool { return explain(q, nil, t.Subject.Ops, list, order, strict) }
	if h.Ending == Exit {
		if explained(true) {
			return Fine
		}
		return History
	}
	switch {
	case !explained(false):
		return History
	case h.Ending == cut:
		return Fine
	case explained(true) && h.Ending == Deadlock:
		return Fine
	}
	return stuckIn(h)
}

// withPreAdds puts the calls that were made before the threads in front of all others.
func withPreAdds(c Client, h *history, list []made, order [][]bool) ([]made, [][]bool) {
	n := len(c.Pre)
	var all []made
	for i, call := range c.Pre {
		all = append(all, made{call: call, index: i, results: h.Results[0][i]})
	}
	all = append(all, list...)
	out := make([][]bool, len(all))
	for i := range all {
		out[i] = make([]bool, len(all))
		for j := range all {
			switch {
			case i < n:
				out[i][j] = i < j
			case j >= n:
				out[i][j] = order[i-n][j-n]
			}
		}
	}
	return all, out
}

// cut is the ending of an execution that was not wanted to go on.
const cut Kind = "cut"

func badEnding(h *history) Class {
	if h.Ending == Panic {
		return Panicked
	}
	return Fine
}

func stuckIn(h *history) Class {
	if h.Ending == Endless {
		return Nontermination
	}
	return Stuck
}

// judgeBySelf judges a history against those of the same calls made one after another.
func judgeBySelf(property Property, c Client, h *history, alone []history) Class {
	if class := badEnding(h); class != Fine {
		if slices.ContainsFunc(alone, func(s history) bool { return s.Ending == Panic && s.Text == h.Text }) {
			return Fine
		}
		return class
	}
	list := h.calls(c)
	order := before(property, list)
	weaker := false
	for i := range alone {
		s := &alone[i]
		same, waiting := isExplainedBy(s, c, h, list, order)
		if same && waiting {
			return Fine
		}
		weaker = weaker || same
	}
	if h.Ending == cut && (weaker || explainedButForWaiting(c, h, list, order, alone)) {
		return Fine
	}
	if h.Ending != Exit && (weaker || explainedButForWaiting(c, h, list, order, alone)) {
		return stuckIn(h)
	}
	return History
}

// isExplainedBy says whether a sequential history has the same results in an order that is
// allowed, and whether the same calls wait.
func isExplainedBy(s *history, c Client, h *history, list []made, order [][]bool) (same, waiting bool) {
	if s.Ending == Panic {
		return false, false
	}
	pointers := pairing{map[string]string{}, map[string]string{}}
	if !slices.EqualFunc(s.Results[0], h.Results[0], pointers.same) {
		return false, false
	}
	seq := s.calls(c)
	if !isSequential(seq) {
		return false, false
	}
	place := map[[2]int]int{}
	for i, m := range seq {
		place[[2]int{m.thread, m.index}] = i
	}
	waiting = s.Ending == h.Ending && len(seq) == len(list)
	for i, m := range list {
		at, ok := place[[2]int{m.thread, m.index}]
		if !ok {
			return false, false
		}
		if !m.pending && (seq[at].pending || !pointers.same(seq[at].results, m.results)) {
			return false, false
		}
		if m.pending != seq[at].pending {
			waiting = false
		}
		for j, n := range list {
			if other, ok := place[[2]int{n.thread, n.index}]; ok && order[i][j] && at > other {
				return false, false
			}
		}
	}
	return true, waiting
}

// pairing says which pointer of one history is which of the other. E.g. two calls that return #1 and #1 do not do what two calls
// do that return #1 and #2.
type pairing struct{ there, back map[string]string }

// same says that results are the same, up to which pointers they are.
func (p pairing) same(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool {
		if !strings.HasPrefix(x, "#") || !strings.HasPrefix(y, "#") {
			return x == y
		}
		if p.there[x] == "" && p.back[y] == "" {
			p.there[x], p.back[y] = y, x
		}
		return p.there[x] == y && p.back[y] == x
	})
}

// isSequential says that no call returned while another one, begun later, was going on or
// had returned: calls that wait for ever aside.
func isSequential(seq []made) bool {
	for _, a := range seq {
		for _, b := range seq {
			if !a.pending && a.from < b.from && b.from < a.to {
				return false
			}
		}
	}
	return true
}

// explainedButForWaiting says whether the calls that have returned are those of a sequential
// history in which the others did not happen or have returned.
func explainedButForWaiting(c Client, h *history, list []made, order [][]bool, alone []history) bool {
	var returned []made
	var index []int
	for i, m := range list {
		if !m.pending {
			returned = append(returned, m)
			index = append(index, i)
		}
	}
	part := make([][]bool, len(returned))
	for a := range returned {
		for b := range returned {
			part[a] = append(part[a], order[index[a]][index[b]])
		}
	}
	return slices.ContainsFunc(alone, func(s history) bool {
		same, _ := isExplainedBy(&s, c, h, returned, part)
		return same
	})
}

// text is a history in one line: thread, call and result, in the order of the returns.
func (h *history) text(c Client, ops []Op) string {
	var parts []string
	for i, call := range c.Pre {
		if i < len(h.Results[0]) {
			parts = append(parts, fmt.Sprintf("pre %s%v=%v", ops[call.Op].Name, call.Args, h.Results[0][i]))
		}
	}
	for _, m := range h.calls(c) {
		result := "…"
		if !m.pending {
			result = fmt.Sprint(m.results)
		}
		parts = append(parts, fmt.Sprintf("%d:%d-%d %s%v=%s", m.thread, m.from, m.to, ops[m.call.Op].Name, m.call.Args, result))
	}
	if h.Ending != Exit {
		parts = append(parts, string(h.Ending)+" "+h.Text+strings.Join(h.Waits, ", "))
	}
	return strings.Join(parts, "; ")
}

// SPDX-License-Identifier: BSD-3-Clause
