package pangolin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// A collection may be right for less than was asked of it: a ring for one producer and one consumer is
// wrong as soon as two threads push, and says so in its documentation, which nobody executes. So behind a
// violation weaker claims are tried, and those that hold are told. Each has been verified
// in the same scope; what takes too long for that is not told.

// Limits of all that is tried behind one violation. States and no time, so that the same hints are found each time.
const (
	hintsPerState = 4 // of the search that has found the violation
	fewestHinted  = 1 << 14
	mostHinted    = 1 << 16
	mostAlone     = 3 // operations that are left to one thread each
)

// weighing is what may still be tried behind one violation.
type weighing struct {
	*target
	ctx    context.Context
	states *uint64       // left
	in     verdict.Scope // of the violation: a hint holds in all of it
}

// hintable is how many states are searched for hints behind a violation that was found in so many.
func hintable(states uint64) uint64 { return min(max(hintsPerState*states, fewestHinted), mostHinted) }

// hinted is a verdict with a claim that holds, if it is a violation that nobody expected.
func (t *target) hinted(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	if v.Violation == nil || v.Violation.Execution == nil || len(v.Hints) > 0 || t.request.expects(p) == verdict.Violated || p.IsProgress() {
		return v, nil
	}
	left := hintable(v.States)
	if most := t.request.Search.MaxStates; most > 0 {
		left = min(left, most)
	}
	w := &weighing{t, ctx, &left, v.Scope}
	for _, hint := range []func(verdict.Property, *verdict.Witness) string{w.fairly, w.otherProtocol, w.callers, w.fewerThreads, w.weakerProperty} {
		if text := hint(p, v.Violation.Execution); text != "" {
			v.Hints = append(slices.Clone(v.Hints), text)
		}
	}
	return v, nil
}

// callers limits who calls what, or else how often.
func (t *weighing) callers(p verdict.Property, w *verdict.Witness) string {
	if t.request.Roles != "" {
		return ""
	}
	if text := t.fewerCallers(p, w); text != "" {
		return text
	}
	if text := t.calledOnce(p, w); text != "" {
		return text
	}
	return t.calledLast(p, w)
}

// fewerCallers leaves operations that two threads call at the same time to one thread each, one after
// the other, until nothing is wrong any more.
func (t *weighing) fewerCallers(p verdict.Property, w *verdict.Witness) string {
	var roles, names []string
	for len(roles) < mostAlone {
		name := shared(w, names)
		if name == "" {
			return ""
		}
		names = append(names, name)
		roles = append(roles, fmt.Sprintf("%s:%d", name, len(roles)+1))
		v := t.lessThan(p, func(r *Request) { r.Roles = strings.Join(roles, ",") })
		switch {
		case v.Status == verdict.Verified:
			return fmt.Sprintf("holds with Request.Roles '%s', in this scope: is it for one thread that calls %s?", strings.Join(roles, ","), strings.Join(names, ", and one that calls "))
		case v.Violation == nil || v.Violation.Execution == nil:
			return ""
		}
		w = v.Violation.Execution
	}
	return ""
}

// shared is an operation, none of those that are known, of which two calls of different threads overlap.
func shared(w *verdict.Witness, known []string) string {
	for i := range w.History {
		a := &w.History[i]
		for k := range w.History[:i] {
			b := &w.History[k]
			if a.Operation == b.Operation && a.Thread != b.Thread && (b.Responded == 0 || b.Responded > a.Invoked) && !slices.Contains(known, a.Operation) {
				return a.Operation
			}
		}
	}
	return ""
}

// calledOnce tries whether an operation that the witness calls several times is one that is called once: it
// starts or ends something, takes nothing, and no oracle of a kind knows it.
func (t *weighing) calledOnce(p verdict.Property, w *verdict.Witness) string {
	by := &weighing{t.judged(w), t.ctx, t.states, t.in}
	for _, o := range by.Found.Operations {
		if o.Op.Role != "" || len(o.Call.Params) > 0 || callsOf(w, o.Name) < 2 {
			continue
		}
		roles := o.Name + ":once"
		if v := by.lessThan(p, func(r *Request) { r.Roles = roles }); v.Status == verdict.Verified {
			return fmt.Sprintf("holds with Request.Roles '%s', in this scope: is %s called once?", roles, o.Name)
		}
	}
	return ""
}

// calledLast tries whether an operation that the witness calls beside others, or before them, is one that ends the
// use of the collection: it takes nothing, gives an error at most, and no oracle of a kind knows it.
func (t *weighing) calledLast(p verdict.Property, w *verdict.Witness) string {
	by := &weighing{t.judged(w), t.ctx, t.states, t.in}
	for _, o := range by.Found.Operations {
		if o.Op.Role != "" || len(o.Call.Params) > 0 || !o.Silent() || !beforeOthers(w, o.Name) {
			continue
		}
		roles := o.Name + ":last"
		if v := by.lessThan(p, func(r *Request) { r.Roles = roles }); v.Status == verdict.Verified {
			return fmt.Sprintf("holds with Request.Roles '%s', in this scope: is %s called when all other calls have returned, and none follows?", roles, o.Name)
		}
	}
	return ""
}

// beforeOthers says that in a witness a call of an operation begins before another call has returned, or before it begins.
func beforeOthers(w *verdict.Witness, name string) bool {
	for i := range w.History {
		for k := range w.History {
			a, b := &w.History[i], &w.History[k]
			if i != k && a.Operation == name && (b.Responded == 0 || b.Responded > a.Invoked) {
				return true
			}
		}
	}
	return false
}

// judged is the target with the operations that a witness calls: those of the whole collection, if the kind's oracle does not
// know them all.
func (t *target) judged(w *verdict.Witness) *target {
	if t.whole == nil {
		return t
	}
	for i := range w.History {
		if slices.Contains(t.Found.More, w.History[i].Operation) {
			return t.whole
		}
	}
	return t
}

// callsOf is how often a witness calls an operation.
func callsOf(w *verdict.Witness, name string) (n int) {
	for i := range w.History {
		if w.History[i].Operation == name {
			n++
		}
	}
	return n
}

// fewerThreads tries whether it takes so many threads as the witness has: three at least, for what is wrong with
// two of which one does nothing is wrong with no concurrency at all.
func (t *weighing) fewerThreads(p verdict.Property, w *verdict.Witness) string {
	busy := map[int]bool{}
	for i := range w.History {
		busy[w.History[i].Thread] = true
	}
	if len(busy) < 3 || t.request.Scope.Threads != "" || t.request.Roles != "" {
		return ""
	}
	threads := Range(fmt.Sprintf("1..%d", len(busy)-1))
	if v := t.lessThan(p, func(r *Request) { r.Scope.Threads = threads }); v.Status != verdict.Verified {
		return ""
	}
	return fmt.Sprintf("holds with Request.Scope.Threads %s: it takes %d threads", threads, len(busy))
}

// fairly tries a fair scheduler where the user has asked for any.
func (t *weighing) fairly(p verdict.Property, w *verdict.Witness) string {
	if t.request.Search.Unfair != On {
		return ""
	}
	if v := t.lessThan(p, func(r *Request) { r.Search.Unfair = Off }); v.Status != verdict.Verified {
		return ""
	}
	return "holds if endless executions count only where the scheduler is fair, in this scope"
}

// otherProtocol tries whether a put may wait until somebody takes its item. (What waits for an item or for room has shown it
// with one thread, see evidence.go.)
func (t *weighing) otherProtocol(p verdict.Property, _ *verdict.Witness) string {
	if t.request.Protocol != "" || t.subject.Self || t.Found.Protocol.Kind != oracle.Nonblocking {
		return ""
	}
	other, protocol := *t.target, oracle.Protocol{Kind: oracle.Synchronous}
	var err error
	if other.Target, err = t.Under(t.ctx, protocol); err != nil {
		return ""
	}
	if v := (&weighing{&other, t.ctx, t.states, t.in}).lessThan(p, func(*Request) {}); v.Status != verdict.Verified {
		return ""
	}
	return fmt.Sprintf("holds with Request.Protocol '%s', in this scope: may its operations wait, or fail?", protocol)
}

// weakerProperty asks for less than linearizability.
func (t *weighing) weakerProperty(p verdict.Property, w *verdict.Witness) string {
	if p != verdict.Linear || w.Class != "history" || t.request.Property != "" {
		return ""
	}
	for _, weaker := range []verdict.Property{verdict.Sequential, verdict.Quiescent} {
		if v := t.lessThan(weaker, func(*Request) {}); v.Status == verdict.Verified {
			return fmt.Sprintf("holds with Request.Property %s, in this scope", weaker)
		}
	}
	return ""
}

// lessThan is the verdict on a request that asks for less; without a status if there is none.
func (t *weighing) lessThan(p verdict.Property, change func(*Request)) verdict.Verdict {
	if *t.states == 0 {
		return verdict.Verdict{}
	}
	r := *t.request
	r.Search.MaxStates, r.Search.Scenes, r.Events = *t.states, false, Events{}
	change(&r)
	other := *t.target
	if err := other.prepare(&r); err != nil {
		return verdict.Verdict{}
	}
	var err error
	if other.subject, err = other.order().Load(t.ctx); err != nil {
		return verdict.Verdict{}
	}
	if other.scopes, err = t.same(&other); err != nil {
		return verdict.Verdict{}
	}
	v, err := other.decide(t.ctx, p)
	*t.states -= min(v.Searched(), *t.states)
	if err != nil {
		return verdict.Verdict{}
	}
	return v
}

// same is the scopes of the violation as another request has them: all are asked for, so that what holds has been searched
// in each of them, whole. What nobody asked for is searched behind them, as usual.
func (t *weighing) same(other *target) (engine.Union, error) {
	u, err := engine.Again(t.in)
	if err != nil || u == nil {
		return other.scopes, err
	}
	asked := other.scopes[0]
	for i := range u {
		s := &u[i]
		s.Roles, s.Fair = asked.Roles, asked.Fair
		if other.request.Scope.Threads != "" {
			s.Clients.Threads.To = min(s.Clients.Threads.To, asked.Clients.Threads.To)
		}
		if other.Found.Protocol.Kind == oracle.Synchronous { // whose scopes have no pre-adds, see client.NewPreset
			s.Clients.Steps.To, s.Clients.PreAdds.To = s.Clients.Steps.To+s.Clients.PreAdds.To, 0
		}
	}
	return u.Beyond(slices.DeleteFunc(slices.Clone(other.scopes), func(s engine.Scope) bool { return !s.Extra })), nil
}
