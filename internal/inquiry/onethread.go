// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/oracle"
	"pangolin/verdict"
)

// The names of methods suggest what a collection is; its behaviour under one thread is evidence. So the guess is compared
// with the clients of the scope that have one thread: before the search where names leave the kind open, after it where they
// tell it (a collection that is verified agrees). If the code contradicts the oracle of its kind, other kinds are tried, and
// the first one that agrees is taken; if none agrees, the code is its own oracle. The verdict says so, with the calls that
// show it.
//
// Some claims are not guesses, and a contradiction to them is a violation: a kind or an oracle that the user names, a type that is
// called queue or stack, and an operation whose name says what it returns (DeleteMin). If such a type were its own oracle, a broken
// queue would be verified.

// aloneStates limits the search of clients of one thread. Most take a few hundred states; what takes more than this is
// left to the main search.
const aloneStates = 20_000

// byOneThread returns the question about a reading for clients of one thread.
func (r *Reading) byOneThread(p verdict.Property, shortest bool) Question {
	return Question{Reading: r, Scope: r.Scopes, Property: p, Limit: Limit{OneThread: true, Shortest: shortest, States: aloneStates}}
}

// once makes the Ask function of a rule that has a single question.
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

// disagrees reports whether a violation contradicts the oracle by what calls return, or by an explicit panic, and returns the client
// that shows it. A runtime error, a race or a call that does not return says nothing about the kind.
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

// contradicts returns the operation whose name says what it returns (DeleteMin) and that returned something else in a violation by one
// thread; "" if there is none. With one thread, what no order explains is the result of the last call.
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

// wrongAlone reports whether one thread has shown results that the oracle of a guessed kind does not allow.
func wrongAlone(c Case) bool {
	if c.One == nil || !c.Reading.Guessed() {
		return false
	}
	_, yes := disagrees(&c.One.Verdict)
	return yes
}

// kept is the Conclude function of rules that only record the answer about one thread, for the rules behind them.
func kept(c Case, so []Answer) Case {
	if len(so) == 1 && so[0].Err == nil {
		c.One = &so[0]
	}
	return c
}

// OneThread asks what one thread sees, where names leave the kind open (Push and Pop: a stack or a queue?).
var OneThread = Rule{
	Name: "one thread",
	Doc: "Before the search: names such as Push and Pop, or Inc and Get, leave the kind open. Clients of one thread are held against the " +
		"oracle of the kind that was guessed; what they show is for the rules behind this one.",
	Before: true, First: true,
	When: func(c Case) bool { return c.open() && c.Reading.Open() && c.Reading.Guessed() },
	Ask:  aboutOneThread(false), Conclude: kept,
}

// Contradicted asks whether the violation shows with one thread already.
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

// itself reports whether the type's own code, run sequentially, is the oracle.
func (r *Reading) itself() bool { return r.Found.Oracle.IsSelf() }

// mostHeld is the greatest capacity that is tried. Clients of one thread make at most so many calls, so a larger one would
// not show.
const mostHeld = 8

// firstAgreeing makes the Ask function that tries one reading after the other until one thread agrees with one of them.
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

// agreed returns the reading that was tried last, if one thread agrees with it.
func agreed(so []Answer) (*Reading, bool) {
	if len(so) == 0 || !so[len(so)-1].Agrees() {
		return nil, false
	}
	return so[len(so)-1].Reading, true
}

// taking makes the Conclude function that takes the reading with which one thread agrees, if there is one. as returns the reading in
// its final form, and the reason, which quotes the client that contradicts the previous reading.
func taking(as func(c Case, r *Reading, client string) (*Reading, string)) func(Case, []Answer) Case {
	return func(c Case, so []Answer) Case {
		if r, ok := agreed(so); ok {
			return c.take(as(c, r, c.One.Verdict.Violation.Client))
		}
		return c
	}
}

// Capacity tries whether the collection holds a limited number of items.
var Capacity = Rule{
	Name: "capacity",
	Doc: "One thread contradicts a queue, a stack, a deque or a priority queue: nothing but its calls tells that it is ever full. So 1 to 8 items at " +
		"most are tried, and the first number that one thread agrees with is taken. Not if what is contradicted returns a bool that tells something else than whether there was room.",
	When: func(c Case) bool {
		holds := slices.Contains([]oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue}, c.Reading.Found.Kind)
		return wrongAlone(c) && holds && c.Reading.Overrides.Protocol == nil && c.Reading.Found.Protocol.Kind != oracle.Bounded && !tellsElse(c)
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

// Kind tries the other kinds that the type's operations allow.
var Kind = Rule{
	Name: "kind",
	Doc: "One thread contradicts the kind that names tell. The other kinds whose operations the type has are tried, of a type that is called a queue " +
		"those that may be called so, and the first that one thread agrees with is taken; a map, a set and a priority queue also with fields that vary together, see \"some fields alone\".",
	When: wrongAlone,
	Ask: firstAgreeing(func(c Case) (list []*Reading) {
		called := c.Reading.Called()
		for _, kind := range tried {
			if kind == c.Reading.Found.Kind || called != nil && !slices.Contains(called, kind) {
				continue
			}
			if r, err := c.Reading.asKind(c.ctx, kind); err == nil {
				list = append(append(list, r), r.together(c)...)
			}
		}
		return list
	}),
	Conclude: taking(func(c Case, r *Reading, client string) (*Reading, string) {
		was := c.Reading.Found.Kind
		why := fmt.Sprintf("it is no %s, by whose oracle one thread is wrong (%s), but agrees with a %s", was, client, r.Found.Kind)
		if r.Overrides.Together {
			why += ", where " + r.counted(c.Reading.varying(), client)
		}
		return r.settled(c).unlike(was), why
	}),
}

// ByItself makes the code its own oracle if it agrees with no kind.
var ByItself = Rule{
	Name: "itself",
	Doc: "One thread contradicts every kind that the type could be, and it is not called one of them, nor does the name of an operation tell what it has to give (DeleteMin); or what is contradicted returns a bool that by its documentation or name tells something else, such as whether the queue is full now: its own code, run sequentially, is the oracle. That finds " +
		"what goes wrong between threads, and no fault that one thread sees; so the headline says \"not a stack\".",
	When: func(c Case) bool {
		return wrongAlone(c) && contradicts(c.Reading, &c.One.Verdict) == "" && (c.Reading.Called() == nil || tellsElse(c))
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

// Blame reports the violation by one thread instead of that by several.
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
		v := c.Verdict
		shown := *c.One.Verdict.Violation
		v.Violation = &shown
		v.Reason = c.Reading.Blames(&c.One.Verdict, c.One.Verdict.Reason)
		shown.Summary = v.Reason
		c.Verdict = v
		return advise(c, nil, c.Reading.meansElse(&c.One.Verdict))
	},
}

// Blames is the summary by the rule blame of a violation by one thread, which is wrong for a reason.
func (r *Reading) Blames(one *verdict.Verdict, reason string) string {
	said := ""
	if r.Guessed() {
		said = ", which it is called"
		if name := contradicts(r, one); name != "" {
			said = ", as the name " + name + " tells"
		}
	}
	return fmt.Sprintf("one thread alone is wrong by the oracle %s%s: %s", r.Found.Oracle, said, reason)
}
