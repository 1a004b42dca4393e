// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

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

// byOneThread is the question about a reading for clients of one thread.
func (r *Reading) byOneThread(p verdict.Property, shortest bool) Question {
	return Question{Reading: r, Scope: r.Scopes, Property: p, Limit: Limit{OneThread: true, Shortest: shortest, States: aloneStates}}
}

// once asks one question.
func once(q func(c Case) Question) func(Case, []Answer) (Question, bool) {
	return func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		return q(c), true
	}
}

// aboutOneThread asks once whether clients of one thread are linearizable; shortest asks for a shortest violation.
func aboutOneThread(shortest bool) func(Case, []Answer) (Question, bool) {
	return once(func(c Case) Question { return c.Reading.byOneThread(verdict.Linear, shortest) })
}

// disagrees says that results are not what the oracle allows; a crash, a runtime error or
// a call that does not return says nothing about the kind. It returns what shows it.
func disagrees(v *verdict.Verdict) (how string, yes bool) {
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
func contradicts(r *Reading, v *verdict.Verdict) string {
	if v.Violation == nil || v.Violation.Class != "history" || v.Violation.Execution == nil {
		return ""
	}
	calls := v.Violation.Execution.History
	if last := len(calls) - 1; last >= 0 && r.Tells(calls[last].Operation) {
		return calls[last].Operation
	}
	return ""
}

// wrongAlone says that one thread has shown results that the kind's oracle does not allow, of a kind that is a guess.
func wrongAlone(c Case) bool {
	if c.One == nil || !c.Reading.Guessed() {
		return false
	}
	_, yes := disagrees(&c.One.Verdict)
	return yes
}

// kept keeps what one thread has shown.
func kept(c Case, so []Answer) Case {
	if len(so) == 1 && so[0].Err == nil {
		c.One = &so[0]
	}
	return c
}

// OneThread asks what one thread sees, where names leave the kind open.
var OneThread = Rule{
	Name: "one thread",
	Doc: "Before the search: names such as Push and Pop, or Inc and Get, leave the kind open. Clients of one thread are held against the " +
		"oracle of the kind that was guessed; what they show is for the rules behind this one.",
	Before: true, First: true,
	When: func(c Case) bool { return c.open() && c.Reading.Open() && c.Reading.Guessed() },
	Ask:  aboutOneThread(false), Conclude: kept,
}

// Contradicted asks whether one thread is enough for a violation.
var Contradicted = Rule{
	Name: "one thread contradicts",
	Doc: "Results that the oracle does not allow, in clients of several threads: is one thread wrong already? Then the kind may be another one, " +
		"or the type breaks what it is called.",
	When: func(c Case) bool {
		_, yes := disagrees(&c.Verdict)
		return yes && c.Reading.Ops.ForOneThread() && !c.Reading.itself()
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		s := c.Verdict.Scope
		if len(so) > 0 || s.Bounds != nil && s.Threads[1] == 1 {
			return Question{}, false
		}
		return c.Reading.byOneThread(c.Property, false), true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 {
			one := c.Answer
			c.One = &one
			return c
		}
		return kept(c, so)
	},
}

// itself says that the code itself is the oracle.
func (r *Reading) itself() bool { return r.Found.Oracle.IsSelf() }

// mostHeld is the greatest capacity that is tried: clients of one thread make no more calls.
const mostHeld = 8

// firstAgreeing asks one reading after the other, those that there are, until one thread agrees with one.
func firstAgreeing(readings func(c Case) []*Reading) func(Case, []Answer) (Question, bool) {
	return func(c Case, so []Answer) (Question, bool) {
		n := len(so)
		if n > 0 && so[n-1].Agrees() {
			return Question{}, false
		}
		list := readings(c)
		if n >= len(list) {
			return Question{}, false
		}
		return list[n].byOneThread(verdict.Linear, false), true
	}
}

// agreed is the last reading that was tried, if one thread agrees with it.
func agreed(so []Answer) (*Reading, bool) {
	if len(so) == 0 || !so[len(so)-1].Agrees() {
		return nil, false
	}
	return so[len(so)-1].Reading, true
}

// taking takes the reading that one thread agrees with, if there is one. The function gives it as it is taken, and why, with the client of one
// thread that contradicts the case's own reading.
func taking(as func(c Case, r *Reading, client string) (*Reading, string)) func(Case, []Answer) Case {
	return func(c Case, so []Answer) Case {
		if r, ok := agreed(so); ok {
			return c.take(as(c, r, c.One.Verdict.Violation.Client))
		}
		return c
	}
}

// Capacity tries whether the collection is one that is full at some time.
var Capacity = Rule{
	Name: "capacity",
	Doc: "One thread contradicts a queue, a stack, a deque or a priority queue: nothing but its calls tells that it is ever full. So 1 to 8 items at " +
		"most are tried, and the first number that one thread agrees with is taken.",
	When: func(c Case) bool {
		holds := slices.Contains([]oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue}, c.Reading.Found.Kind)
		return wrongAlone(c) && holds && c.Reading.Overrides.Protocol == nil && c.Reading.Found.Protocol.Kind != oracle.Bounded
	},
	Ask: firstAgreeing(func(c Case) (list []*Reading) {
		for n := 1; n <= mostHeld; n++ {
			r, err := c.Reading.underProtocol(c.ctx, oracle.Protocol{Kind: oracle.Bounded, Capacity: n})
			if err != nil || r.Found.Oracle != c.Reading.Found.Oracle {
				break
			}
			list = append(list, r)
		}
		return list
	}),
	Conclude: taking(func(c Case, r *Reading, client string) (*Reading, string) {
		return r, fmt.Sprintf("it holds %d items at most, as one thread sees (%s)", r.Found.Protocol.Capacity, client)
	}),
}

// tried are the kinds that are tried where one thread contradicts another, in this order.
var tried = []oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue, oracle.Set, oracle.Map, oracle.Register, oracle.Counter}

// Kind tries other kinds.
var Kind = Rule{
	Name: "kind",
	Doc: "One thread contradicts the kind that names tell. The other kinds whose operations the type has are tried, of a type that is called a queue " +
		"those that may be called so, and the first that one thread agrees with is taken.",
	When: wrongAlone,
	Ask: firstAgreeing(func(c Case) (list []*Reading) {
		called := c.Reading.Called()
		for _, kind := range tried {
			if kind == c.Reading.Found.Kind || called != nil && !slices.Contains(called, kind) {
				continue
			}
			if r, err := c.Reading.asKind(c.ctx, kind); err == nil {
				list = append(list, r)
			}
		}
		return list
	}),
	Conclude: taking(func(c Case, r *Reading, client string) (*Reading, string) {
		was := c.Reading.Found.Kind
		return r.unlike(was), fmt.Sprintf("it is no %s, by whose oracle one thread is wrong (%s), but agrees with a %s", was, client, r.Found.Kind)
	}),
}

// ByItself leaves a type to its own code that no kind agrees with.
var ByItself = Rule{
	Name: "itself",
	Doc: "One thread contradicts every kind that the type could be, and it is not called one of them, nor does the name of an operation tell what it has to give (DeleteMin): its own code, run sequentially, is the oracle. That finds " +
		"what goes wrong between threads, and no fault that one thread sees; so the headline says \"not a stack\".",
	When: func(c Case) bool {
		return wrongAlone(c) && contradicts(c.Reading, &c.One.Verdict) == "" && c.Reading.Called() == nil
	},
	Conclude: func(c Case, _ []Answer) Case {
		r, err := c.Reading.asItself(c.ctx)
		if err != nil {
			return c
		}
		was := c.Reading.Found.Kind
		return c.take(r.unlike(was), fmt.Sprintf("no kind agrees with what one thread sees (no %s: %s), so only the code itself judges it", was, c.One.Verdict.Violation.Client))
	},
}

// Blame gives the violation that one thread shows.
var Blame = Rule{
	Name: "blame",
	Doc: "One thread contradicts what the type or an operation is called, or what the user names: the violation is that of one thread, which is the " +
		"shorter one to understand.",
	When: func(c Case) bool {
		if c.One == nil {
			return false
		}
		_, wrong := disagrees(&c.Verdict)
		_, alone := disagrees(&c.One.Verdict)
		return wrong && alone
	},
	Conclude: func(c Case, _ []Answer) Case {
		one, said := &c.One.Verdict, ""
		if c.Reading.Guessed() {
			said = ", which it is called"
			if name := contradicts(c.Reading, one); name != "" {
				said = ", as the name " + name + " tells"
			}
		}
		v := c.Verdict
		shown := *one.Violation
		v.Violation = &shown
		v.Reason = fmt.Sprintf("one thread alone is wrong by the oracle %s%s: %s", c.Reading.Found.Oracle, said, one.Reason)
		shown.Summary = v.Reason
		c.Verdict = v
		return c
	},
}
