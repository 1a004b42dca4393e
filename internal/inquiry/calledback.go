// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
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
// (With(f)) is meant to: for these the verdict says that functions do not call back.
var CalledBack = Rule{
	Name: "called back",
	Doc: "A type that is verified, with operations that are given functions: functions that call an operation of the same object, one after the other, by one thread. " +
		"If the thread then waits, in an operation that calls a function given to another one before, for a lock that it holds itself, the type is violated, unless its documentation says that functions may not call back.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && c.Property == verdict.Linear && len(c.Reading.Overrides.Given) == 0 && !c.Reading.terms.Strict
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		of, list := takers(c)
		if len(so) == min(len(list), mostBack) || len(so) > 0 && waitsForItself(&so[len(so)-1], of) == keptFunction {
			return Question{}, false
		}
		r, err := c.Reading.callingBack(c, of, list[len(so)])
		if err != nil {
			return Question{}, false
		}
		q := r.byOneThread(verdict.Linear, true)
		q.States = mostCalledBack
		return q, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 {
			return c
		}
		of, list := takers(c)
		names := strings.Join(of, ", ")
		assume := func(format string, args ...any) {
			c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), fmt.Sprintf(format, args...))
		}
		var own []string                 // what an operation that executes its function under its lock must not be called back by
		var tried, failed, open []string // the others, by their answers
		for i := range so {
			switch waitsForItself(&so[i], of) {
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
				c.Answer, c.Facts, c.One = so[i], nil, nil
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

// mostBack limits the operations that functions call back, mostCalledBack the states of each question.
const (
	mostBack       = 6
	mostCalledBack = 1 << 14
)

// waiting tells whether a thread waits for a lock that it holds itself.
type waiting int

const (
	forOthers    waiting = iota // it does not
	ownFunction                 // in an operation that was given a function
	keptFunction                // in an operation that calls a function which another one was given
)

func waitsForItself(a *Answer, of []string) waiting {
	v := a.Verdict.Violation
	if v == nil || v.Class != "deadlock" || v.Execution == nil {
		return forOthers
	}
	for _, s := range v.Execution.Waiting {
		if slices.Contains(s.HeldBy, s.Thread) {
			if slices.Contains(of, s.Operation) {
				return ownFunction
			}
			return keptFunction
		}
	}
	return forOthers
}

// takers lists the operations of the whole type that are given functions, and the operations that these can call.
func takers(c Case) (of, back []string) {
	r, err := c.Reading.withAll(c)
	if err != nil {
		return nil, nil
	}
	for i := range r.Found.Operations {
		o := &r.Found.Operations[i]
		if o.Call.Called {
			of = append(of, o.Name)
		}
		if o.Call.Use == nil && o.Call.Section == nil && !keeps(o) {
			back = append(back, o.Name)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	return of, back
}

// keeps reports whether an operation gives or takes what a thread keeps, so that it has to know the thread.
func keeps(o *collection.Operation) bool {
	return slices.ContainsFunc(o.Params, func(p collection.Param) bool { return p.Codec != nil && p.Codec.Shape == collection.AsThread })
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
