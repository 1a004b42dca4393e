package pangolin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/discover"
	"pangolin/verdict"
)

// A leniency is another way to judge a collection that is its own oracle, in which functions that
// are given to its methods may be called as the methods need it. It is taken if it shows when
// a method is called alone.
type leniency struct {
	asked bool                     // the user has asked for it
	shown func() ([]string, error) // the operations that show it
	found func(ctx context.Context, names []string) (*discover.Target, error)
}

// reconsider judges a violation of all calls' order by a leniency. Without operations that
// show it nothing is judged.
func (t *target) reconsider(ctx context.Context, p verdict.Property, v verdict.Verdict, l leniency) (other *target, w verdict.Verdict, names []string, err error) {
	if v.Violation == nil || v.Violation.Class != "history" || !t.subject.Self || l.asked {
		return nil, v, nil, nil
	}
	names, err = l.shown()
	if err != nil || len(names) == 0 {
		return nil, v, nil, nil
	}
	found, err := l.found(ctx, names)
	if err != nil {
		return nil, v, nil, nil
	}
	if other, err = t.retaken(ctx, found); err != nil {
		return nil, v, nil, err
	}
	if w, err = other.decide(ctx, p); err != nil {
		return nil, v, nil, nil
	}
	return other, w, names, nil
}

// A method that runs a function that it is given, to share the result with others who call it at the
// same time, gives some of them what another one's function returns. One call at a time
// gives each the result of its own, so that no order of the calls explains different ones. Such a
// method is made for callers whose functions agree: with the same arguments they give the
// same. Whether a method is of this sort shows when it is called alone, twice: if the
// second call gives what its own function returns, nobody keeps what the first one gave.

// agreeing is a verdict about callers whose functions agree, if that is all there is to a
// violation.
func (t *target) agreeing(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	_, w, names, err := t.reconsider(ctx, p, v, leniency{asked: t.Overrides.Agreeing, shown: t.sharing,
		found: func(ctx context.Context, _ []string) (*discover.Target, error) { return t.Agreeing(ctx) }})
	if len(names) == 0 || w.Status == verdict.Unknown {
		return v, err
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
	other, w, names, err := t.reconsider(ctx, p, v, leniency{asked: len(t.Overrides.Again) > 0, shown: t.onceAlone, found: t.Again})
	if len(names) == 0 {
		return v, err
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
