// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// CalledBack gives operations functions that call an operation of the same object.
//
// A function that an operation is given, a handler of an event bus, may call the object again: it unsubscribes itself. If the operation
// that calls the handler holds a lock which that call wants as well, the thread waits for itself. Elsewhere functions only note that
// they are called, so nothing shows it. One thread shows it: it needs nobody else.
//
// What is looked for is only this: a thread that waits for a lock which it holds itself, in an operation that was not given the function but
// calls one that was kept. What a call within a call returns is not judged, nor is what other threads see of it, because an operation
// with another one inside is no operation with an effect at one moment; a function that waits for the end of what calls it
// (Go(func() { group.Wait() })) is no fault of the type; and an operation that executes what it is given, and nothing else, under its lock
// (With(f)), or that calls what gives a value (less, hash), is meant to: for these the verdict says that functions do not call back.
var CalledBack = Rule{
	Name: "called back",
	Doc: "A type that is verified, with operations that are given functions, or implementations of interfaces that are made up: functions, or methods, that call an operation of the same object, one after the other, by one thread. " +
		"If the thread then waits, in an operation that calls a handler (a function without a result but an error) given to another one before, for a lock that it holds itself, the type is violated, unless its documentation says that functions may not call back. " +
		"A function that is given to On(f) (off func()) calls off, too, and ends at once what an operation that it calls has begun; what else a thread keeps is not called, which the verdict says. " +
		"Where documentation restricts the use of operations nothing is asked, and the verdict says that functions do not call back.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && c.Property.Base() == verdict.Linear && len(c.Reading.Overrides.Given) == 0 && !c.Reading.terms.Strict
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		t := takers(c)
		if documentedRoles(c) || len(so) == len(t.back) || len(so) > 0 && t.waits(&so[len(so)-1]) == keptFunction {
			return Question{}, false
		}
		back := t.back[len(so)]
		r, err := c.Reading.callingBack(c, t.callers(back), back)
		if err != nil {
			return Question{}, false
		}
		q := r.byOneThread(verdict.Linear, true)
		q.States = mostCalledBack
		return q, true
	},
	Conclude: func(c Case, so []Answer) Case {
		t := takers(c)
		of, list := t.of, t.back
		names := strings.Join(of, ", ")
		assume := func(format string, args ...any) {
			c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), fmt.Sprintf(format, args...))
		}
		if len(t.left) > 0 {
			assume("functions that %s is given are not tried to call %s", names, strings.Join(t.left, ", "))
		}
		if len(so) == 0 {
			if documentedRoles(c) && len(list) > 0 {
				assume("functions that %s is given do not call %s, whose use is restricted", names, strings.Join(list, ", "))
			}
			return c
		}
		var own []string                 // what an operation that executes its function under its lock must not be called back by
		var tried, failed, open []string // the others, by their answers
		for i := range so {
			switch t.waits(&so[i]) {
			case forOthers:
				switch v := so[i].Verdict.Violation; {
				case v != nil && v.Class == "infinite" && slices.Contains(of, list[i]): // with functions within functions without end, which only we give
				case v != nil:
					failed = append(failed, fmt.Sprintf("%s (%s)", list[i], v.Class))
				case so[i].Agrees():
					tried = append(tried, list[i])
				default:
					open = append(open, list[i])
				}
			case ownFunction:
				own = append(own, list[i])
			case keptFunction:
				if d, forbidden := c.Reading.ForbidsBack(of); forbidden {
					assume("functions that %s is given do not call %s: as its documentation says (%s): %s", names, list[i], d.At, d.Sentence)
					return c
				}
				c.accept(so[i])
				return advise(c, nil, fmt.Sprintf("holds if no function that %s is given calls %s", names, list[i]))
			}
		}
		if len(own) > 0 {
			assume("functions that %s is given do not call %s, which would wait for a lock that the thread holds", names, strings.Join(own, ", "))
		}
		if len(failed) > 0 {
			assume("functions that %s is given do not call %s: what one thread then meets may be their own fault, and is not judged", names, strings.Join(failed, ", "))
		}
		if len(open) > 0 {
			assume("functions that %s is given do not call %s: the search for it was not finished, so that it is not judged", names, strings.Join(open, ", "))
		}
		if len(tried) > 0 {
			assume("functions that %s is given call back in clients of one thread only, each once: %s", names, strings.Join(tried, ", "))
		}
		return c
	},
}

// documentedRoles reports whether the type is right as its documentation restricts its use (rule Documented): then a call from within
// another one may break that, and what comes of it tells nothing.
func documentedRoles(c Case) bool { return c.Reading.roles != c.Reading.terms.Bounds.Roles }

// mostBack limits the operations that functions call back, mostCalledBack the states of each question.
const (
	mostBack       = 6
	mostCalledBack = 1 << 12
)

// waiting tells whether a thread waits for a lock that it holds itself.
type waiting int

const (
	forOthers    waiting = iota // it does not
	ownFunction                 // in an operation that was given a function, or calls one that computes something
	keptFunction                // in an operation that calls a handler which another one was given
)

// taken are the operations of a type about functions.
type taken struct {
	of       []string // operations that are given functions
	handlers []string // those of them whose functions return nothing, or an error: what handles an event does something, what gives a value (less, hash, format) computes it
	back     []string // operations that functions are made to call, mostBack at most
	left     []string // operations that they are not made to call, because they need what a thread keeps, or because there are more than mostBack

	whole *collection.Collection
}

// callers lists the operations that are given functions which can call another one, t.back.
func (t *taken) callers(back string) (names []string) {
	o := t.whole.Operations
	at := func(name string) int {
		return slices.IndexFunc(o, func(x collection.Operation) bool { return x.Name == name })
	}
	for _, name := range t.of {
		if t.whole.CanCallBack(&o[at(name)], &o[at(back)]) {
			names = append(names, name)
		}
	}
	return names
}

func (t *taken) waits(a *Answer) waiting {
	v := a.Verdict.Violation
	if v == nil || v.Class != "deadlock" || v.Execution == nil {
		return forOthers
	}
	for _, s := range v.Execution.Waiting {
		if slices.Contains(s.HeldBy, s.Thread) {
			given := func(name string) bool { return callsOf(v.Execution, name) > 0 }
			if slices.Contains(t.of, s.Operation) || !slices.ContainsFunc(t.handlers, given) {
				return ownFunction
			}
			return keptFunction
		}
	}
	return forOthers
}

// takers lists the operations of the whole type that are given functions, and the operations that these can call.
func takers(c Case) (t taken) {
	r, err := c.Reading.withAll(c)
	if err != nil {
		return taken{}
	}
	t.whole = r.Found
	for i := range r.Found.Operations {
		o := &r.Found.Operations[i]
		if o.Call.Called || slices.ContainsFunc(o.Call.Params, (*collection.Codec).HasStandIn) {
			t.of = append(t.of, o.Name)
			if slices.ContainsFunc(o.Call.Params, handles) {
				t.handlers = append(t.handlers, o.Name)
			}
		}
	}
	if len(t.of) == 0 {
		return taken{}
	}
	// Handles are used first, for what gives one is called together with what ends it.
	list := slices.Clone(r.Found.Operations)
	slices.SortStableFunc(list, func(a, b collection.Operation) int { return cmp.Compare(needsHandles(&a), needsHandles(&b)) })
	for i := range list {
		switch o := &list[i]; {
		case o.Call.Section != nil:
		case len(t.back) < mostBack && len(t.callers(o.Name)) > 0:
			t.back = append(t.back, o.Name)
		default:
			t.left = append(t.left, o.Name)
		}
	}
	return t
}

// needsHandles is 0 for an operation that needs nothing which a thread keeps, 1 for one that uses a handle, and 2 for others.
func needsHandles(o *collection.Operation) int {
	switch {
	case o.Call.Use != nil:
		return 1
	case o.KeepsHandles():
		return 2
	}
	return 0
}

// handles reports whether an argument is a function, or several, that returns nothing but an error, or a stand-in all of whose methods are such functions.
func handles(c *collection.Codec) bool {
	for ; c != nil; c = c.Elem {
		switch {
		case c.Shape == collection.AsFunc:
			return !slices.ContainsFunc(c.Gives, func(r *collection.Codec) bool { return !types.Identical(r.Type, types.Universe.Lookup("error").Type()) })
		case c.IsStandIn():
			return !slices.ContainsFunc(c.Parts, func(p collection.Part) bool { return !handles(p.Codec) })
		}
	}
	return false
}

// withAll is the reading with all operations, which the code itself judges.
func (r *Reading) withAll(c Case) (*Reading, error) {
	if r.itself() || len(r.Found.More) == 0 {
		return r, nil
	}
	return r.whole(c)
}

// callingBack returns the reading whose operations are given functions that call another operation.
func (r *Reading) callingBack(c Case, of []string, back string) (*Reading, error) {
	all, err := r.withAll(c)
	if err != nil {
		return nil, err
	}
	return all.found("calling back "+back, func() (*find.Target, error) { return all.Target.CallingBack(c.ctx, of, back) })
}
