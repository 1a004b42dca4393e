package pangolin

import (
	"context"
	"fmt"
	"strings"

	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// What a collection is, is guessed by the names of its methods; what it does when one
// thread uses it is evidence. So before a search the guess is tried on the clients of
// the scope that have one thread. If the code disagrees with the oracle of its kind, the
// other kinds are tried, and the first that agrees is taken; if none does, the code is
// judged by itself. Either is said, with the call that shows it.
//
// A kind or an oracle that the user names, and names that tell the kind by themselves
// (Enqueue, RemoveMin), are no guess: what disagrees with them is violated, by one thread
// if one is enough.

// aloneStates is how many states one thread may take: most come to a few hundred, and what
// has not shown in so many is left to the search.
const aloneStates = 20_000

// alone verifies the clients of one thread, who may call anything.
func (t *target) alone(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	e, err := t.request.engine(false)
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
	for _, kind := range []oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue, oracle.Set, oracle.Map, oracle.Register, oracle.Counter} {
		if kind == t.Found.Kind {
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
		return nil
	}
	self, err := t.as(ctx, t.Found.Kind, "self")
	if err != nil {
		return err
	}
	t.take(self, fmt.Sprintf("no kind agrees with what one thread sees (no %s: %s), so only the code itself judges it", t.Found.Kind, how))
	return nil
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
	other := *t
	other.Target = found
	if err := other.prepare(t.request); err != nil {
		return nil, err
	}
	other.subject, err = other.order().Load(ctx)
	return &other, err
}

// named replaces a violation of what the user named by one that one thread shows, if
// there is one and a thread may call all operations.
func (t *target) named(ctx context.Context, v *verdict.Verdict) error {
	if _, yes := disagrees(*v); !yes || !t.operations.ForOneThread() || t.Guessed() || t.subject.Self || v.Scope.Bounds != nil && v.Scope.Threads[1] == 1 {
		return nil
	}
	one, err := t.alone(ctx, verdict.Property(v.Property))
	if err != nil {
		return err
	}
	if _, yes := disagrees(one); !yes {
		return nil
	}
	v.Violation = one.Violation
	v.Reason = fmt.Sprintf("one thread alone is wrong by the oracle %s: %s", t.Found.Oracle, one.Reason)
	v.Violation.Summary = v.Reason
	return nil
}
