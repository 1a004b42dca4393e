// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"fmt"
	"maps"
	"slices"

	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Where operations take effect. Each operation is executed alone, in every content within the bound. After each of
// its steps a second thread reads the content with the collection's own operations: it sees the old content, the new
// one, or neither for certain, for example because a lock is held. That leaves few steps in which the operation can
// take effect. A proof may choose any of them: whether the choice was right is shown by the search.

// points are the places at which an operation takes effect, if its step changes something and it has not taken effect
// so far. A key is a site (calls in progress with their instructions, see siteOf) followed by the kind of the change
// (see change.kind). The value is for people: "Push at file.go:12".
type points map[string]string

// wokenAt is a key of points for a step that takes the lock again behind a wait for a condition. No operation that is executed alone waits, so such
// steps are told by what the operation changes, which it does elsewhere if it need not wait.
func wokenAt(operation, kind string) string { return "woken " + operation + " " + kind }

// at is the place of a point, for people; "" if the step of thread i that began at a site, and has changed something of a kind, is none. woken says
// that the step began within the wait for a condition.
func (p points) at(site, kind, operation string, woken bool) string {
	if at := p[site+kind]; at != "" || !woken {
		return at
	}
	return p[wokenAt(operation, kind)]
}

// waits says that a thread is within the wait for a condition.
func waits(m *vm.Machine, thread int) bool {
	for i := range m.Thread[thread].Frames {
		if m.Thread[thread].Frames[i].Code.Func.Name == "pangolin/prelude.condWait" {
			return true
		}
	}
	return false
}

// attempt is one operation executed alone in one content.
type attempt struct {
	call  int
	steps []tried
	// the operation takes effect in one of steps[from:to]
	from, to int
	behind   memory // the memory that it leaves
}

// tried is a step of an attempt.
type tried struct {
	site    string // a key of points
	woken   string // the key for a call that has waited, see wokenAt
	changes bool   // it changes memory that others may know
	locks   bool   // it is a call of a function of package sync, such as Lock
	at      string // a value of points
}

// wrongAlone says that the collection is not correct even if one thread uses it alone.
type wrongAlone struct{ text string }

func (e *wrongAlone) Error() string { return e.text }

// solo executes operations alone.
type solo struct {
	model   *model
	assumed *interleave.Assumptions
	m       *vm.Machine
	search  *search // finds out what a step changes
}

// mostAlone is how many memories operations are executed alone in, at most.
const mostAlone = 400

// memory is a saved state in which no thread is in a call, with its content.
type memory struct {
	words   []uint64
	content oracle.StateID
}

// attempts executes every call alone in every memory to which calls lead that are made one after the other, and gives
// those that have an effect and stay within the bound.
func attempts(m *model, assumed *interleave.Assumptions) ([]attempt, error) {
	s := &solo{model: m, assumed: assumed, search: newSearch(m, nil, assumed, limits{})}
	s.m = s.search.m
	s.m.Reset()
	s.m.Spawn()
	if err := construct(s.m, m.subject); err != nil {
		return nil, err
	}
	if assumed.Tell(s.m) {
		return nil, withdrawn{}
	}
	work := []memory{{s.m.Save(nil), m.initial}}
	seen := map[string]bool{}
	var list []attempt
	for len(work) > 0 && len(seen) < mostAlone {
		at := work[0]
		work = work[1:]
		key := string(appendWords(nil, append(slices.Clip(at.words), uint64(at.content))))
		if seen[key] {
			continue
		}
		seen[key] = true
		if len(at.words) > mostSeen {
			return nil, &limitError{fmt.Sprintf("the collection may take more than %d words of memory", mostSeen)}
		}
		for c := range m.calls {
			a, err := s.attempt(at.words, at.content, c)
			if err != nil {
				return nil, err
			}
			if a != nil {
				list = append(list, *a)
				work = append(work, a.behind)
			}
		}
	}
	return list, nil
}

// call begins call c of the model on a thread.
func (s *solo) call(thread, c int) {
	step := s.model.calls[c].step
	s.m.Call(thread, s.model.subject.Operations[step.Op].Func, subject.ArgumentWords(nil, s.m.Root(0), step.Args))
}

// mostSteps is how many steps a call may make alone. A call that makes more is taken to wait for another thread.
const mostSteps = 1 << 12

// finish executes call c on a thread until it returns, or cannot go on.
func (s *solo) finish(thread, c int) {
	s.call(thread, c)
	s.m.Settle(thread, nil)
	for range mostSteps {
		if s.m.Idle(thread) || s.m.Fault() != nil || s.m.Ended().Kind != vm.Running || !s.m.Enabled(thread) {
			return
		}
		s.m.Step(thread, nil)
	}
}

// ended is an error if call c, executed alone, has not returned or did what is not modelled.
func (s *solo) ended(c, thread int) error {
	if err := misused(s.m, s.model.calls[c].text); err != nil {
		return err
	}
	switch {
	case s.assumed.Tell(s.m):
		return withdrawn{}
	case s.m.Threads() > thread+1:
		return outside("%s starts goroutines", s.model.calls[c].text)
	case s.m.Ended().Kind != vm.Running:
		return &wrongAlone{fmt.Sprintf("%s ends the program", s.model.calls[c].text)}
	case !s.m.Idle(thread):
		return &wrongAlone{fmt.Sprintf("%s, called alone, does not return: it waits at %s", s.model.calls[c].text, s.m.At(thread))}
	}
	return returnsNumber(s.m, thread, s.model.calls[c].text)
}

// attempt executes call c alone from a saved state with content q. It gives nil if the call has no effect in q, or
// one that leaves the bound.
func (s *solo) attempt(start []uint64, q oracle.StateID, c int) (*attempt, error) {
	edge, effects := s.model.changes(q, c)
	if !effects {
		return nil, s.harmless(start, q, c)
	}
	if !s.model.within(edge.Next) {
		return nil, nil
	}
	a := &attempt{call: c}
	seen := []sight{}
	s.m.Load(start)
	s.call(0, c)
	s.m.Settle(0, nil)
	for !s.m.Idle(0) {
		if s.assumed.Tell(s.m) {
			return nil, withdrawn{}
		}
		if !s.m.Enabled(0) || len(a.steps) > mostSteps || s.m.Ended().Kind != vm.Running {
			return nil, s.ended(c, 0)
		}
		words := slices.Clone(s.m.Save(nil))
		p, common := s.m.Parts(), len(s.m.Common())
		see, err := s.sight(words, q, edge.Next)
		if err != nil {
			return nil, err
		}
		seen = append(seen, see)
		s.m.Load(words)
		s.search.look(words, p, common)
		x := tried{site: siteOf(s.m, 0), at: s.operation(c).Name + " at " + s.m.At(0), locks: s.m.Thread[0].Instr().Op == ir.OpCall}
		s.m.Step(0, nil)
		did := s.search.changed()
		x.changes, x.site, x.woken = did.any, x.site+did.kind, wokenAt(s.operation(c).Name, did.kind)
		a.steps = append(a.steps, x)
	}
	if err := s.ended(c, 0); err != nil {
		return nil, err
	}
	if r := s.model.auto.ResultID(resultOf(s.m, 0, s.operation(c))); r != edge.Result {
		return nil, s.wrong(c, r, edge.Result)
	}
	a.behind = memory{slices.Clone(s.m.Save(nil)), edge.Next}
	see, err := s.sight(a.behind.words, q, edge.Next)
	if err != nil {
		return nil, err
	}
	return a, a.bound(append(seen, see), s.model)
}

func (s *solo) operation(c int) *subject.Operation {
	return &s.model.subject.Operations[s.model.calls[c].step.Op]
}

// wrong is the error that call c, executed alone, returns another result than the oracle wants.
func (s *solo) wrong(c int, got, want oracle.ResultID) error {
	return &wrongAlone{fmt.Sprintf("%s, called alone, returns %s in place of %s", s.model.calls[c].text, s.model.shown(c, got), s.model.shown(c, want))}
}

// harmless executes a call that has no effect on content q, and checks its result.
func (s *solo) harmless(start []uint64, q oracle.StateID, c int) error {
	edges := s.model.auto.Edges(q, s.model.calls[c].id)
	if len(edges) == 0 {
		return nil
	}
	s.m.Load(start)
	s.finish(0, c)
	if err := s.ended(c, 0); err != nil {
		return err
	}
	if r := s.model.auto.ResultID(resultOf(s.m, 0, s.operation(c))); r != edges[0].Result {
		return s.wrong(c, r, edges[0].Result)
	}
	return nil
}

// bound finds the steps among which the operation takes effect: those behind the last moment at which the content was
// certainly the old one, up to the first moment at which it is certainly the new one. seen[i] is what was seen before
// step i.
func (a *attempt) bound(seen []sight, m *model) error {
	last := len(seen) - 1
	if seen[0] == after || seen[last] == before {
		return &wrongAlone{fmt.Sprintf("%s, called alone, does not do what it returns", m.calls[a.call].text)}
	}
	a.to = last
	for i, x := range seen {
		switch {
		case x == before:
			a.from, a.to = i, last
		case x == after && a.to == last:
			a.to = i
		}
	}
	return nil
}

// sight is which content a second thread sees.
type sight uint8

const (
	unclear sight = iota // neither for certain
	before               // the old content
	after                // the new content
)

// sight lets a second thread, in a saved state, tell content q (the old one) from content r (the new one).
func (s *solo) sight(words []uint64, q, r oracle.StateID) (sight, error) {
	calls, old, now := s.model.distinguish(q, r)
	s.m.Load(words)
	s.m.Spawn()
	isOld, isNew := true, true
	for i, c := range calls {
		s.finish(1, c)
		if s.m.Fault() != nil || !s.m.Idle(1) || s.m.Ended().Kind != vm.Running || s.m.Threads() > 2 {
			return unclear, nil
		}
		got := s.model.auto.ResultID(resultOf(s.m, 1, s.operation(c)))
		isOld, isNew = isOld && got == old[i], isNew && got == now[i]
	}
	switch {
	case isOld && !isNew:
		return before, nil
	case isNew && !isOld:
		return after, nil
	}
	return unclear, nil
}

// distinguish finds a shortest list of calls that return something else from content q on than from content r on,
// with the results from each. Without such a list all three are nil.
func (m *model) distinguish(q, r oracle.StateID) (calls []int, inQ, inR []oracle.ResultID) {
	type pair struct{ q, r oracle.StateID }
	type node struct {
		pair
		calls    []int
		inQ, inR []oracle.ResultID
	}
	seen := map[pair]bool{{q, r}: true}
	for work := []node{{pair: pair{q, r}}}; len(work) > 0; work = work[1:] {
		n := work[0]
		for c := range m.calls {
			a, b := m.auto.Edges(n.q, m.calls[c].id), m.auto.Edges(n.r, m.calls[c].id)
			if len(a) != 1 || len(b) != 1 {
				continue
			}
			next := node{pair{a[0].Next, b[0].Next}, append(slices.Clip(n.calls), c), append(slices.Clip(n.inQ), a[0].Result), append(slices.Clip(n.inR), b[0].Result)}
			if a[0].Result != b[0].Result {
				return next.calls, next.inQ, next.inR
			}
			if !seen[next.pair] && m.within(next.q) && m.within(next.r) {
				seen[next.pair] = true
				work = append(work, next)
			}
		}
	}
	return nil, nil, nil
}

// candidates lists sets of points with which each attempt takes effect once, in a step in which it may. Likely sets
// come first; there are at most so many.
func candidates(list []attempt, most int) []points {
	var out []points
	var choose func(i int, chosen points)
	choose = func(i int, chosen points) {
		for i < len(list) && list[i].served(chosen) > 0 {
			i++
		}
		if len(out) == most {
			return
		}
		if i == len(list) {
			all := maps.Clone(chosen)
			for k := range list {
				for _, x := range list[k].steps {
					if x.changes && chosen[x.site] != "" {
						all[x.woken] = x.at
					}
				}
			}
			if !slices.ContainsFunc(list, func(a attempt) bool { return a.served(all) != 1 }) {
				out = append(out, all)
			}
			return
		}
		for _, site := range list[i].choices() {
			chosen[site.site] = site.at
			choose(i+1, chosen)
			delete(chosen, site.site)
		}
	}
	choose(0, points{})
	return out
}

// served is 1 if, with points p, the operation takes effect in a step in which it may; 0 if it takes effect in none;
// 2 if it does so too early or too late.
func (a *attempt) served(p points) int {
	for i, x := range a.steps {
		if x.changes && p[x.site] != "" {
			if i >= a.from && i < a.to {
				return 1
			}
			return 2
		}
	}
	return 0
}

// choices are the steps in which the operation may take effect, each place once; those that take no lock come first.
func (a *attempt) choices() []tried {
	var plain, locks []tried
	for _, x := range a.steps[a.from:a.to] {
		same := func(y tried) bool { return y.site == x.site }
		switch {
		case !x.changes || slices.ContainsFunc(plain, same) || slices.ContainsFunc(locks, same):
		case x.locks:
			locks = append(locks, x)
		default:
			plain = append(plain, x)
		}
	}
	return append(plain, locks...)
}
