// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// An operation that is given a function is judged strictly first: every call of the function counts, and two functions may return
// different values. The rules here are more lenient. They apply to a type that is its own oracle, if the strict way finds a violation
// and a call of the operation alone shows that the leniency fits.

// orderOfOwn reports whether the case is a violation of a type that is its own oracle, because no order of all calls
// explains the results.
func orderOfOwn(c Case) bool {
	return c.Verdict.Violation != nil && c.Verdict.Violation.Class == "history" && c.Reading.itself()
}

// Again judges only the last call of each function that an operation is given.
//
// A method such as Update(f) computes a new value from an old one with f, and calls f again if another thread has changed the value
// meanwhile; alone it calls f at most once. No caller can tell which calls were in vain, so only the last one is compared, whichever
// operation makes it: a method that calls f though another call has already done so is still wrong.
var Again = Rule{
	Name:    "called again",
	Excuses: true,
	Doc: "All calls of the functions that operations are given, Update(f), make a violation, and alone each operation calls them once at most. Then " +
		"those in vain do not count: of the calls the last one is compared.",
	When: func(c Case) bool {
		return orderOfOwn(c) && len(c.Reading.Overrides.Again) == 0 && len(onceAlone(c)) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		names := onceAlone(c)
		r, err := c.Reading.found("again "+strings.Join(names, ","), func() (*find.Target, error) { return c.Reading.Target.Again(c.ctx, names) })
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		what := "a function that it is given"
		if c.Reading.asksStandIns() {
			what = "a function or a check"
		}
		r = r.quietly(fmt.Sprintf("%s may call %s again, in vain, if others come in between", strings.Join(names, ", "), what))
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 1 && so[0].Err == nil && c.excused(&so[0]) {
			c.Answer, c.Facts = so[0], nil
		}
		return c
	},
}

// onceAlone lists the operations that are given functions with results, or that change what they are given, or may ask stand-ins, and, called alone, call them at most once.
func onceAlone(c Case) (names []string) {
	asks := c.Reading.asksStandIns()
	for i := range c.Reading.Found.Operations {
		o := &c.Reading.Found.Operations[i]
		if !o.Computes() && !(asks && o.Repeats()) {
			continue
		}
		once, err := c.Facts.CallsOnce(c.ctx, i)
		if err != nil && c.ctx.Err() == nil {
			return nil
		}
		if once || err != nil { // where the time is up it may be so, and the violation says that nobody has asked
			names = append(names, o.Name)
		}
	}
	return names
}

// Agreeing assumes that functions given to operations return the same, if the calls have the same key.
//
// A method such as singleflight's Do(f) runs one caller's function and gives its result to all who call at the same time. One call at a
// time returns the result of its own function, so no order of the calls explains a result that came from another call. Such a method is
// meant for callers whose functions agree: equal keys, equal results. With another key the function returns something else: who gets the result of another
// key's call is wrong. Two calls one after the other show whether a method is of
// this sort: if the second returns what its own function returned, the method does not keep the first result. And of the violation a call that has returned must
// have called its own function not at all: where each call has called its own, none of them has joined another one, and who returns a result of another's
// function has mixed them up: r.last.Store(f()); return r.last.Load().
//
// Some tell their callers that they share a result: the bool of Do of golang.org/x/sync/singleflight is true for who executed the function
// if another one has joined meanwhile, which no order of the calls explains. If that is what is wrong, and by the name or the documentation the bool is of this sort, it is not compared, and the verdict says so.
var Agreeing = Rule{
	Name:    "functions agree",
	Excuses: true,
	Doc: "Calls at the same time share the result of one function, Do(f), of which one has not called its own, and called alone each gives that of its own. Then the functions that it is given " +
		"return the same in calls with the same key (the other arguments but contexts, errors, times and slices, and bools beside others), and something else with another one: it is asked once for each answer that they may give. " +
		"The function may be told what its caller knows: a context, the key. If results are wrong even then, and an operation of this sort returns a bool that is called shared (or the opposite: fresh, executed), or of which the documentation says that something is, it is asked again without comparing the bool.",
	When: func(c Case) bool {
		return orderOfOwn(c) && c.Reading.Overrides.Agreeing == 0 && joins(c, sharing(c))
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		bools, so := uncompared(c, so)
		if len(so) == answers(c) || len(so) > 0 && (so[len(so)-1].Err != nil || so[len(so)-1].Verdict.Status != verdict.Verified) {
			return Question{}, false
		}
		r, err := c.Reading.found(fmt.Sprintf("agreeing %d %v", len(so), bools), func() (*find.Target, error) { return c.Reading.Target.Sharing(c.ctx, len(so)+1, bools) })
		if err != nil {
			return Question{}, false
		}
		r = r.quietly(sharedBy(c))
		return Question{Reading: r, Scope: sameScope(so, r, c.excusing(r)), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if bools, rest := uncompared(c, so); len(rest) > 0 && allDecide(c, rest) {
			so = rest
		} else if bools != nil { // without them it is not decided
			so = so[:1]
		}
		if len(so) == 0 || !allDecide(c, so) {
			return c
		}
		switch last := so[len(so)-1]; {
		case last.Verdict.Status != verdict.Verified:
			c.Answer, c.Facts = last, nil
		case len(so) == answers(c):
			c.Answer, c.Facts = so[0], nil // of the first one something comes, which is not an error
		}
		return c
	},
}

// joins reports whether, in the violation, one of some operations has returned and has called none of the functions that it was given, as a call that takes the result of
// another one. A call in progress counts if others may be told that they share their result with it.
func joins(c Case, names []string) bool {
	w := c.Verdict.Violation.Execution
	return len(names) > 0 && (w == nil || slices.ContainsFunc(w.History, func(e verdict.Event) bool {
		n, _ := collection.CalledIn(e.Results)
		return slices.Contains(names, e.Operation) && !e.Panicked && n == 0 && (e.Responded > 0 || c.Reading.TellsSharing(e.Operation))
	}))
}

// sharedBy is the assumption of Agreeing, about the first operation whose calls share results.
func sharedBy(c Case) string {
	name, same := sharing(c)[0], "the same"
	for i := range c.Reading.Found.Operations {
		if o := &c.Reading.Found.Operations[i]; o.Name == name && len(o.Call.Keys()) > 0 {
			same = "the same for the same key"
		}
	}
	return fmt.Sprintf("functions given to %s return %s: calls at the same time share one result", name, same)
}

// allDecide reports whether each answer is a verdict that excuses the violation.
func allDecide(c Case, so []Answer) bool {
	return !slices.ContainsFunc(so, func(a Answer) bool { return a.Err != nil || a.Verdict.Status == verdict.Unknown || !c.excused(&a) })
}

// uncompared are the operations whose bools are not compared in the next question, if the first answer was that results are wrong, and the answers without that one.
func uncompared(c Case, so []Answer) (names []string, rest []Answer) {
	if len(so) == 0 || so[0].Err != nil || so[0].Verdict.Violation == nil || so[0].Verdict.Violation.Class != "history" {
		return nil, so
	}
	for _, name := range sharing(c) {
		if c.Reading.TellsSharing(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, so
	}
	return names, so[1:]
}

// sameScope is where a question is asked behind others that had to be answered as well: where the first of them was decided, if that is a scope in place of
// larger ones, which had too many states.
func sameScope(so []Answer, r *Reading, usual engine.Union) engine.Union {
	if len(so) == 0 || len(so[0].Verdict.Dropped) == 0 || len(so[0].Verdict.Scope.And) > 0 {
		return usual
	}
	if u, err := r.within(so[0].Verdict.Scope.Name(), 0); err == nil {
		return u
	}
	return usual
}

// answers is the number of answers that functions may give whose results calls may share.
func answers(c Case) int {
	n := 1
	for i := range c.Reading.Found.Operations {
		params := c.Reading.Found.Operations[i].Call.Params
		for at := range params {
			if collection.Produces(params, at) {
				n = max(n, params[at].Choices())
			}
		}
	}
	return n
}

// sharing lists the operations that are given functions whose results calls may share (collection.Produces) and, called one after the other, return each the
// result of its own function. It is empty if one of them does not, unless it returns nothing that could tell: a channel on which the result comes.
// If the function is told something, it has to be told the same each time: what Update(key, f) tells f, of the key's type, may be an old value.
func sharing(c Case) (names []string) {
	for i := range c.Reading.Found.Operations {
		o := &c.Reading.Found.Operations[i]
		at := slices.IndexFunc(o.Call.Args, func(arg int) bool { return collection.Produces(o.Call.Params, arg) })
		if at < 0 {
			continue
		}
		own, err := c.Facts.OwnResult(c.ctx, i, at)
		own = own || err != nil && c.ctx.Err() != nil // as in onceAlone
		if !own && (err != nil || tells(o)) {
			return nil
		}
		if own {
			names = append(names, o.Name)
		}
	}
	return names
}

// tells reports whether something that an operation returns is compared, beside how often it calls its functions.
func tells(o *collection.Operation) bool {
	return slices.ContainsFunc(o.Results, func(r collection.Result) bool {
		return !r.Calls && r.Codec != nil && r.Codec.Shape != collection.AsHandle && r.Codec.Shape != collection.AsOpaque
	})
}
