package pangolin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// The oracle of a kind knows the kind's operations, with the arguments that they have there. What
// else a type can do (iterate, subscribe, update by a function, give up when a context is
// cancelled) only the same code can judge, run sequentially. So behind the one verification
// comes another one, of the whole collection; what it cannot judge is left out, and that is said.

// completed is a verdict about the operations that a kind's oracle knows, completed by what
// the same code says of all of them.
func (t *target) completed(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	if v.Status != verdict.Verified || !t.hasMore() || ctx.Err() != nil {
		return v, nil
	}
	w, err := t.decideWhole(ctx, p)
	if err != nil {
		leaveOut(&v, t.Found.More, "cannot be judged: "+err.Error())
		return v, nil
	}
	names := strings.Join(t.Found.More, ", ")
	switch w.Status {
	case verdict.Violated:
		if !t.subject.Self && names == "" {
			w.Hints = append(w.Hints, fmt.Sprintf("holds while the clock stands still, by the oracle %s%s", t.Found.Oracle, elsewhere(&v, &w)))
		} else if !t.subject.Self {
			w.Hints = append(w.Hints, fmt.Sprintf("holds without %s, by the oracle %s%s", names, t.Found.Oracle, elsewhere(&v, &w)))
		}
		return w, nil
	case verdict.Unknown:
		leaveOut(&v, t.Found.More, "could not be judged: "+w.Reason)
		return v, nil
	}
	v.LeftOut, v.Returns = w.LeftOut, w.Returns // which are about all operations
	at := elsewhere(&v, &w)
	v.Scope, v.Clients = w.Scope, w.Clients // in which all operations were searched
	v.Dropped = append(slices.Clone(v.Dropped), w.Dropped...)
	v.States, v.Transitions, v.Seconds = v.States+w.States, v.Transitions+w.Transitions, v.Seconds+w.Seconds
	v.PeakBytes = max(v.PeakBytes, w.PeakBytes)
	v.Assumptions = slices.DeleteFunc(slices.Clone(v.Assumptions), func(a string) bool { return a == subject.ClockStands })
	for _, a := range w.Assumptions {
		if !slices.Contains(v.Assumptions, a) {
			v.Assumptions = append(v.Assumptions, a)
		}
	}
	if names == "" {
		names = "what expires"
	}
	v.Assumptions = append(v.Assumptions, fmt.Sprintf("%s: judged by the same code run sequentially, together with all other operations", names))
	if at != "" {
		v.Assumptions = append(v.Assumptions, fmt.Sprintf("without %s: verified by the oracle %s%s as well", names, t.Found.Oracle, at))
	}
	return v, nil
}

// elsewhere says in which scope a verdict holds if that is not the one of another verdict: ", in D+2x4".
func elsewhere(holds, other *verdict.Verdict) string {
	if holds.Scope.Name() == other.Scope.Name() {
		return ""
	}
	return ", in " + holds.Scope.Name()
}

// hasMore says that the collection has operations beyond those that are verified, or reads the clock, which
// stands still for a kind's oracle, and that nobody has asked for these alone.
func (t *target) hasMore() bool {
	o := &t.Overrides
	timed := !t.subject.Self && slices.Contains(t.subject.Assumptions, subject.ClockStands)
	return (timed || len(t.Found.More) > 0) && len(o.Ops) == 0 && o.Oracle.IsAuto() && t.request.Roles == ""
}

// decideWhole verifies the whole collection.
func (t *target) decideWhole(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	if t.whole == nil {
		found, err := t.Whole(ctx)
		if err != nil {
			return verdict.Verdict{}, err
		}
		w := *t
		w.Target = found
		if err := w.prepare(t.request); err != nil {
			return verdict.Verdict{}, err
		}
		if w.subject, err = w.order().Load(ctx); err != nil {
			return verdict.Verdict{}, err
		}
		t.whole = &w
	}
	t.whole.request.Search = t.request.Search
	v, err := t.whole.decideFirst(ctx, p)
	if err != nil {
		return v, err
	}
	return t.whole.agreeing(ctx, p, v)
}

// leaveOut says why operations were left out.
func leaveOut(v *verdict.Verdict, names []string, why string) {
	for _, name := range names {
		i := slices.IndexFunc(v.LeftOut, func(l verdict.LeftOut) bool { return l.Operation == name })
		if i < 0 {
			v.LeftOut = append(v.LeftOut, verdict.LeftOut{Operation: name, Why: why + "; verified with fewer arguments only"})
			continue
		}
		v.LeftOut[i].Why = why
	}
}
