package pangolin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/discover"
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/oracle"
	"pangolin/verdict"
)

// What a collection is, is guessed by the names of its methods; what it does when one
// thread uses it is evidence. So the guess is tried on the clients of the scope that have one
// thread: before the search where names leave the kind open, behind it where they tell it (a
// collection that is verified agrees). If the code disagrees with the oracle of its kind,
// the other kinds are tried, and the first that agrees is taken; if none does, the code is
// judged by itself. Either is said, with the call that shows it.
//
// A kind or an oracle that the user names is no guess, and what a type itself is called (a
// queue, a stack) is meant: what disagrees with it is violated, by one thread if one is
// enough. Judged by itself, a broken queue would be verified.

// aloneStates is how many states one thread may take: most come to a few hundred, and what
// has not shown in so many is left to the search.
const aloneStates = 20_000

// alone verifies the clients of one thread, who may call anything. That is for the usual engine,
// whichever is asked: those that prove know no clients.
func (t *target) alone(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	e, err := engines.Find("", false)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j, err := t.job(p)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j = j.OneThread()
	j.Workers, j.NoRaces, j.Shortest = 1, true, false
	if j.MaxStates == 0 || j.MaxStates > aloneStates {
		j.MaxStates = aloneStates
	}
	return e.DecideUnion(ctx, j, t.scopes.OneThread(), engine.Events{})
}

// disagrees says that results are not what the oracle allows; a crash, a runtime error or
// a call that does not return says nothing about the kind. It returns what shows it.
func disagrees(v verdict.Verdict) (how string, yes bool) {
	if v.Violation == nil {
		return "", false
	}
	switch v.Violation.Class {
	case "history":
	case "panic":
		if !strings.HasPrefix(v.Violation.Summary, "panic: ") || strings.HasPrefix(v.Violation.Summary, "panic: runtime error") {
			return "", false
		}
	default:
		return "", false
	}
	return v.Violation.Client, true
}

// weigh tries a guess, and takes another one if the code disagrees with it.
func (t *target) weigh(ctx context.Context) error {
	if !t.Guessed() {
		return nil
	}
	v, err := t.alone(ctx, verdict.Linear)
	if err != nil {
		return nil // which the search will say
	}
	how, yes := disagrees(v)
	if !yes {
		return nil
	}
	_, err = t.guessAgain(ctx, how)
	return err
}

// guessAgain takes another guess than the one that one thread has shown to be wrong, if the
// type's name leaves one.
func (t *target) guessAgain(ctx context.Context, how string) (taken bool, err error) {
	called := t.Called()
	if taken, err := t.guessCapacity(ctx, how); taken || err != nil {
		return taken, err
	}
	for _, kind := range []oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue, oracle.Set, oracle.Map, oracle.Register, oracle.Counter} {
		if kind == t.Found.Kind || called != nil && !slices.Contains(called, kind) {
			continue
		}
		other, err := t.as(ctx, kind, "auto")
		if err != nil {
			continue
		}
		if v, err := other.alone(ctx, verdict.Linear); err != nil || v.Status != verdict.Verified {
			continue
		}
		t.take(other, fmt.Sprintf("it is no %s, by whose oracle one thread is wrong (%s), but agrees with a %s", t.Found.Kind, how, kind))
		return true, nil
	}
	if called != nil {
		return false, nil
	}
	self, err := t.as(ctx, t.Found.Kind, "self")
	if err != nil {
		return false, err
	}
	t.take(self, fmt.Sprintf("no kind agrees with what one thread sees (no %s: %s), so only the code itself judges it", t.Found.Kind, how))
	return true, nil
}

// mostHeld is the greatest capacity that is tried: clients of one thread make no more calls.
const mostHeld = 8

// guessCapacity takes the collection for one that holds no more than so many items, if it agrees
// with that: nothing but its calls tells that it is ever full.
func (t *target) guessCapacity(ctx context.Context, how string) (taken bool, err error) {
	if !slices.Contains([]oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque}, t.Found.Kind) || t.Overrides.Protocol != nil || t.Found.Protocol.Kind == oracle.Bounded {
		return false, nil
	}
	for n := 1; n <= mostHeld; n++ {
		found, err := t.Bounded(ctx, n)
		if err != nil || found.Found.Oracle != t.Found.Oracle {
			return false, nil
		}
		other, err := t.retaken(ctx, found)
		if err != nil {
			return false, err
		}
		if v, err := other.alone(ctx, verdict.Linear); err != nil || v.Status != verdict.Verified {
			continue
		}
		t.take(other, fmt.Sprintf("it holds %d items at most, as one thread sees (%s)", n, how))
		return true, nil
	}
	return false, nil
}

// take goes on with another guess.
func (t *target) take(other *target, why string) {
	t.request.Events.note("%s: %s", t.Name(), why)
	*t = *other
	t.subject.Assumptions = append(t.subject.Assumptions, why)
}

// as is the collection taken for another kind, or judged by another oracle.
func (t *target) as(ctx context.Context, kind oracle.Kind, by string) (*target, error) {
	found, err := t.As(ctx, kind, by)
	if err != nil {
		return nil, err
	}
	return t.retaken(ctx, found)
}

// retaken is the collection, found in another way.
func (t *target) retaken(ctx context.Context, found *discover.Target) (*target, error) {
	other := *t
	other.Target = found
	if err := other.prepare(t.request); err != nil {
		return nil, err
	}
	var err error
	other.subject, err = other.order().Load(ctx)
	return &other, err
}

// byOneThread gives a violation of the oracle that one thread shows, if there is one and a
// thread may call all operations: as a violation of what the type is called, or of what the
// user names. If it is the names of methods that are contradicted, the verdict is by
// another guess.
func (t *target) byOneThread(ctx context.Context, p verdict.Property, v verdict.Verdict) (verdict.Verdict, error) {
	if _, yes := disagrees(v); !yes || !t.operations.ForOneThread() || t.subject.Self {
		return v, nil
	}
	one := v
	if v.Scope.Bounds == nil || v.Scope.Threads[1] > 1 {
		var err error
		if one, err = t.alone(ctx, p); err != nil {
			return v, err
		}
	}
	how, yes := disagrees(one)
	if !yes {
		return v, nil
	}
	said := ""
	if t.Guessed() {
		if taken, err := t.guessAgain(ctx, how); taken || err != nil {
			if err != nil {
				return v, err
			}
			return t.decide(ctx, p)
		}
		said = ", which it is called"
	}
	v.Violation = one.Violation
	v.Reason = fmt.Sprintf("one thread alone is wrong by the oracle %s%s: %s", t.Found.Oracle, said, one.Reason)
	v.Violation.Summary = v.Reason
	return v, nil
}
