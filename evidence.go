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
// queue, a stack) is meant, and so is what an operation is called that says what it gives (DeleteMin): what
// disagrees with it is violated, by one thread if one is enough. Judged by itself, a broken queue would be verified.

// aloneStates is how many states one thread may take: most come to a few hundred, and what
// has not shown in so many is left to the search.
const aloneStates = 20_000

// alone verifies the clients of one thread, who may call anything. That is for the usual engine,
// whichever is asked: those that prove know no clients.
func (t *target) alone(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	return t.aloneWith(ctx, p, false)
}

// aloneWith is alone; a violation may have to be a shortest one.
func (t *target) aloneWith(ctx context.Context, p verdict.Property, shortest bool) (verdict.Verdict, error) {
	e, err := engines.Find("", false)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j, err := t.job(p)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j = j.OneThread()
	j.Workers, j.NoRaces, j.Shortest = 1, true, shortest
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

// contradicts is the operation whose name tells what it has to give, if one thread shows that it gives something else: one thread
// calls one operation after the other, so what no order explains is the result of the last one. "" if it is not that.
func (t *target) contradicts(v verdict.Verdict) string {
	if v.Violation == nil || v.Violation.Class != "history" || v.Violation.Execution == nil {
		return ""
	}
	calls := v.Violation.Execution.History
	if last := len(calls) - 1; last >= 0 && t.Tells(calls[last].Operation) {
		return calls[last].Operation
	}
	return ""
}

// guess decides what names leave open.
func (t *target) guess(ctx context.Context) error {
	if err := t.read(ctx); err != nil || !t.Open() {
		return err
	}
	return t.weigh(ctx)
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
	if taken, err := t.waits(ctx, v); taken || err != nil {
		return err
	}
	how, yes := disagrees(v)
	if !yes {
		return nil
	}
	_, err = t.guessAgain(ctx, how, t.contradicts(v))
	return err
}

// mostUnclear is how many operations may be unclear: each has two readings.
const mostUnclear = 3

// read decides how to read results of which no name tells whether they are the value of before or that
// of after, where all else that a type does is told (Load, Store and Swap or CompareAndSwap make a
// register). What one thread sees fits at most one reading that matters; if it fits none, the code
// breaks its word by any of them, and is judged by the one that takes most calls to contradict.
func (t *target) read(ctx context.Context) error {
	names := t.Found.Unclear
	if len(names) == 0 || len(names) > mostUnclear || t.Called() == nil {
		return nil
	}
	var best *target
	most := -1
	for mask := range 1 << len(names) {
		other, err := t.readAs(ctx, mask)
		if err != nil || other == nil {
			return err
		}
		v, err := other.aloneWith(ctx, verdict.Linear, true)
		if err != nil {
			return nil // which the search will say
		}
		if v.Status == verdict.Verified {
			*t = *other
			return nil
		}
		if _, yes := disagrees(v); !yes {
			return nil
		}
		if calls := len(v.Violation.Execution.History); calls > most {
			best, most = other, calls
		}
	}
	t.take(best, fmt.Sprintf("one thread contradicts either reading of what %s returns, the value of before and that of after", strings.Join(names, ", ")))
	return nil
}

// readAs is the collection with one reading of each unclear operation, one bit each; nil if there is more that
// the kind's oracle cannot judge.
func (t *target) readAs(ctx context.Context, mask int) (*target, error) {
	readings := map[string]string{}
	for i, name := range t.Found.Unclear {
		readings[name] = string([]oracle.Slot{oracle.SlotNew, oracle.SlotOld}[mask>>i&1])
	}
	found, err := t.Reading(ctx, readings)
	if err != nil || found.Found.Oracle != discover.KindOracle(t.Found.Kind) {
		return nil, nil
	}
	return t.retaken(ctx, found)
}

// guessAgain takes another guess than the one that one thread has shown to be wrong, if the
// type's name leaves one, and no operation gives something else than its name tells.
func (t *target) guessAgain(ctx context.Context, how, contradicted string) (taken bool, err error) {
	called := t.Called()
	if taken, err := t.guessCapacity(ctx, how); taken || err != nil || contradicted != "" {
		return taken, err
	}
	for _, kind := range []oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue, oracle.Set, oracle.Map, oracle.Register, oracle.Counter} {
		if kind == t.Found.Kind || called != nil && !slices.Contains(called, kind) {
			continue
		}
		other, err := t.as(ctx, kind, discover.Oracle{})
		if err != nil {
			continue
		}
		if v, err := other.alone(ctx, verdict.Linear); err != nil || v.Status != verdict.Verified {
			continue
		}
		other.unlike = t.Found.Kind
		t.take(other, fmt.Sprintf("it is no %s, by whose oracle one thread is wrong (%s), but agrees with a %s", t.Found.Kind, how, kind))
		return true, nil
	}
	if called != nil {
		return false, nil
	}
	self, err := t.as(ctx, t.Found.Kind, discover.ParseOracle("self"))
	if err != nil {
		return false, err
	}
	self.unlike = t.Found.Kind
	t.take(self, fmt.Sprintf("no kind agrees with what one thread sees (no %s: %s), so only the code itself judges it", t.Found.Kind, how))
	return true, nil
}

// mostHeld is the greatest capacity that is tried: clients of one thread make no more calls.
const mostHeld = 8

// guessCapacity takes the collection for one that holds no more than so many items, if it agrees
// with that: nothing but its calls tells that it is ever full.
func (t *target) guessCapacity(ctx context.Context, how string) (taken bool, err error) {
	if !slices.Contains([]oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue}, t.Found.Kind) || t.Overrides.Protocol != nil || t.Found.Protocol.Kind == oracle.Bounded {
		return false, nil
	}
	for n := 1; n <= mostHeld; n++ {
		found, err := t.Under(ctx, oracle.Protocol{Kind: oracle.Bounded, Capacity: n})
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
	t.subject.About.Unlike = string(t.unlike)
}

// as is the collection taken for another kind, or judged by another oracle.
func (t *target) as(ctx context.Context, kind oracle.Kind, by discover.Oracle) (*target, error) {
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
	if waitsForOthers(v) != "" {
		taken, err := t.seenToWait(ctx)
		if err == nil && taken {
			v, err = t.decide(ctx, p)
		}
		if err != nil {
			return v, err
		}
	}
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
	said, contradicted := "", t.contradicts(one)
	if t.Guessed() {
		if taken, err := t.guessAgain(ctx, how, contradicted); taken || err != nil {
			if err != nil {
				return v, err
			}
			return t.decide(ctx, p)
		}
		said = ", which it is called"
		if contradicted != "" {
			said = ", as the name " + contradicted + " tells"
		}
	}
	v.Violation = one.Violation
	v.Reason = fmt.Sprintf("one thread alone is wrong by the oracle %s%s: %s", t.Found.Oracle, said, one.Reason)
	v.Violation.Summary = v.Reason
	return v, nil
}

// An operation whose results could tell that there is nothing (a value and a bool) may wait for
// it all the same, and tell only that the queue was closed. No signature tells the two apart, but
// one thread does: it waits. It must wait for others to say or send something, at a condition, a
// channel or a wait group: who waits for a lock alone has forgotten to release it, and that is a
// fault whatever the protocol. And one thread may then wait no more but where the kind's oracle
// has nothing, or no room: a wait where there is an item stays a violation.

// mayWait says that the collection holds items and that a protocol has not been asked for that rules waiting
// out. That one thread may not call all of it (Request.Roles) does not change what waits.
func (t *target) mayWait() bool {
	if p := t.Overrides.Protocol; p != nil && p.Kind == oracle.Nonblocking {
		return false
	}
	for i := range t.Found.Operations {
		switch t.Found.Operations[i].Op.Role {
		case oracle.Take, oracle.TakeFront, oracle.TakeBack:
			return !t.subject.Self
		}
	}
	return false
}

// waitsForOthers is the operation that waits for ever in a violation, for something that others
// would have to do; "" if it is not that.
func waitsForOthers(v verdict.Verdict) (operation string) {
	if v.Violation == nil || v.Violation.Class != "deadlock" {
		return ""
	}
	for _, s := range v.Violation.Execution.Waiting {
		if !s.Waits || s.Operation == "" || strings.Contains(s.For, "Mutex") {
			return ""
		}
		operation = s.Operation
	}
	return operation
}

// seenToWait goes on with operations that wait, if one thread alone shows that they do.
func (t *target) seenToWait(ctx context.Context) (taken bool, err error) {
	if !t.mayWait() {
		return false, nil
	}
	one, err := t.aloneWith(ctx, verdict.Linear, true)
	if err != nil {
		return false, nil // which the search will say
	}
	return t.waits(ctx, one)
}

// waits goes on with operations that wait, if that is what one thread has shown: where there
// is nothing, or, if the collection agrees with that alone, where it holds so many items.
func (t *target) waits(ctx context.Context, one verdict.Verdict) (taken bool, err error) {
	first, p := waitsForOthers(one), t.Overrides.Protocol
	if first == "" || !t.mayWait() {
		return false, nil
	}
	how := one.Violation.Client
	other, names, v, err := t.waiting(ctx, first, p)
	if err != nil || other == nil {
		return false, err
	}
	if _, wrong := disagrees(v); wrong || v.Status == verdict.Verified {
		t.take(other, fmt.Sprintf("%s where there is nothing, as one thread sees (%s); Request.Protocol 'nonblocking' says otherwise", wait(names), how))
		return true, nil
	}
	for n := 1; n <= mostHeld && p == nil; n++ {
		other, names, v, err := t.waiting(ctx, first, &oracle.Protocol{Kind: oracle.Bounded, Capacity: n})
		if err != nil || other == nil {
			return false, err
		}
		if v.Status == verdict.Verified {
			t.take(other, fmt.Sprintf("it holds %d items at most, and %s, as one thread sees (%s); Request.Protocol 'nonblocking' says otherwise", n, wait(names), how))
			return true, nil
		}
	}
	return false, nil
}

// waiting is the collection under a protocol (nil: found), whose first operation waits, and all
// others that one thread then sees waiting, with what it says in the end. It is nil if another
// oracle would judge that, or if one thread cannot say.
func (t *target) waiting(ctx context.Context, first string, p *oracle.Protocol) (other *target, names []string, v verdict.Verdict, err error) {
	for name := first; name != "" && !slices.Contains(names, name); name = waitsForOthers(v) {
		names = append(names, name)
		found, err := t.Waiting(ctx, names, p)
		if err != nil || found.Found.Oracle != t.Found.Oracle {
			return nil, nil, v, nil
		}
		if other, err = t.retaken(ctx, found); err != nil {
			return nil, nil, v, err
		}
		if v, err = other.alone(ctx, verdict.Linear); err != nil {
			return nil, nil, v, nil // which the search will say
		}
	}
	return other, names, v, nil
}

// wait says of operations that they wait.
func wait(names []string) string {
	if len(names) == 1 {
		return names[0] + " waits"
	}
	return strings.Join(names, " and ") + " wait"
}
