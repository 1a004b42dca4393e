package pangolin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// A method that runs a function that it is given, to share the result with others who call it at the
// same time, gives some of them what another one's function returns. One call at a time
// gives each the result of its own, so that no order of the calls explains different ones. Such a
// method is made for callers whose functions agree: with the same arguments they give the
// same. Whether a method is of this sort shows when it is called alone, twice: if the
// second call gives what its own function returns, nobody keeps what the first one gave.

// agreeing is a verdict about callers whose functions agree, if that is all there is to a
// violation.
func (t *target) agreeing(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	if v.Violation == nil || v.Violation.Class != "history" || !t.subject.Self || t.Overrides.Agreeing {
		return v, nil
	}
	names, err := t.sharing()
	if err != nil || len(names) == 0 {
		return v, nil
	}
	found, err := t.Agreeing(ctx)
	if err != nil {
		return v, nil
	}
	other, err := t.retaken(ctx, found)
	if err != nil {
		return v, err
	}
	w, err := other.decide(ctx, p)
	if err != nil || w.Status == verdict.Unknown {
		return v, nil
	}
	w.Assumptions = append(w.Assumptions, fmt.Sprintf("functions given to %s return the same: calls at the same time share one result", names[0]))
	return w, nil
}

// sharing lists the operations that are given functions without arguments, and whose results, of
// calls one after the other, are those of their own functions.
func (t *target) sharing() (names []string, err error) {
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		at := slices.IndexFunc(o.Call.Args, func(arg int) bool { return o.Call.Params[arg].Produces() })
		if at < 0 {
			continue
		}
		own, err := t.subject.OwnResult(i, at)
		if err != nil || !own {
			return nil, err
		}
		names = append(names, o.Name)
	}
	return names, nil
}

// A method that computes a new value from an old one with a function that it is given calls it
// again if the old value has changed meanwhile; alone it calls it once at most. Which calls
// were in vain nobody asks, so the last one is compared, whoever makes it: a method that calls a
// function though another call has done so already is still wrong.

// again is a verdict that compares the last calls of functions, if all calls make a violation.
func (t *target) again(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	if v.Violation == nil || v.Violation.Class != "history" || !t.subject.Self || len(t.Overrides.Again) > 0 {
		return v, nil
	}
	names, err := t.onceAlone()
	if err != nil || len(names) == 0 {
		return v, nil
	}
	found, err := t.Again(ctx, names)
	if err != nil {
		return v, nil
	}
	other, err := t.retaken(ctx, found)
	if err != nil {
		return v, err
	}
	w, err := other.decide(ctx, p)
	if err != nil {
		return v, nil
	}
	*t = *other // who asks on, asks about that
	w.Assumptions = append(w.Assumptions, fmt.Sprintf("%s may call a function that it is given again, in vain, if others come in between", strings.Join(names, ", ")))
	return w, nil
}

// onceAlone lists the operations that are given functions with results and call them once at most
// if they are alone.
func (t *target) onceAlone() (names []string, err error) {
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		if !o.Computes() {
			continue
		}
		once, err := t.subject.CallsOnce(i)
		if err != nil {
			return nil, err
		}
		if once {
			names = append(names, o.Name)
		}
	}
	return names, nil
}
