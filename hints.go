package pangolin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pangolin/verdict"
)

// A collection may be right for less than was asked of it: a ring for one producer and one consumer is
// wrong as soon as two threads push, and says so in its documentation, which nobody executes. So behind a
// violation weaker claims are tried, and those that hold are told. Each has been verified
// in the same scope; what takes too long for that is not told.

// Limits of one such verification.
const (
	hintStates = 1 << 16
	hintTime   = 5 * time.Second
	mostAlone  = 3 // operations that are left to one thread each
)

// hinted is a verdict with a claim that holds, if it is a violation that nobody expected.
func (t *target) hinted(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	if v.Violation == nil || v.Violation.Execution == nil || len(v.Hints) > 0 || t.request.expects(p) == verdict.Violated || p.IsProgress() {
		return v, nil
	}
	for _, hint := range []func(context.Context, verdict.Property, *verdict.Witness) string{t.fewerCallers, t.weakerProperty} {
		if text := hint(ctx, p, v.Violation.Execution); text != "" {
			v.Hints = append(slices.Clone(v.Hints), text)
		}
	}
	return v, nil
}

// fewerCallers leaves operations that two threads call at the same time to one thread each, one after
// the other, until nothing is wrong any more.
func (t *target) fewerCallers(ctx context.Context, p verdict.Property, w *verdict.Witness) string {
	if t.request.Roles != "" {
		return ""
	}
	var roles, names []string
	for len(roles) < mostAlone {
		name := shared(w, names)
		if name == "" {
			return ""
		}
		names = append(names, name)
		roles = append(roles, fmt.Sprintf("%s:%d", name, len(roles)+1))
		v := t.lessThan(ctx, p, func(r *Request) { r.Roles = strings.Join(roles, ",") })
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

// weakerProperty asks for less than linearizability.
func (t *target) weakerProperty(ctx context.Context, p verdict.Property, w *verdict.Witness) string {
	if p != verdict.Linear || w.Class != "history" || t.request.Property != "" {
		return ""
	}
	for _, weaker := range []verdict.Property{verdict.Sequential, verdict.Quiescent} {
		if v := t.lessThan(ctx, weaker, func(*Request) {}); v.Status == verdict.Verified {
			return fmt.Sprintf("holds with Request.Property %s, in this scope", weaker)
		}
	}
	return ""
}

// lessThan is the verdict on a request that asks for less; without a status if there is none.
func (t *target) lessThan(ctx context.Context, p verdict.Property, change func(*Request)) verdict.Verdict {
	r := *t.request
	r.Search.Timeout, r.Search.Scenes, r.Events = hintTime, false, Events{}
	if r.Search.MaxStates == 0 || r.Search.MaxStates > hintStates {
		r.Search.MaxStates = hintStates
	}
	change(&r)
	other := *t
	if err := other.prepare(&r); err != nil {
		return verdict.Verdict{}
	}
	var err error
	if other.subject, err = other.order().Load(ctx); err != nil {
		return verdict.Verdict{}
	}
	v, err := other.decide(ctx, p)
	if err != nil {
		return verdict.Verdict{}
	}
	return v
}
