// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Documented asks whether a violation is one of a use that the documentation forbids.
//
// The documentation of a method may restrict its use: "The limit must not be modified while any goroutines in the group are active." So
// each operation of the witness of which it says so gets a role that may be meant, the weakest first, and the question is asked again in
// the whole scope. Only if that is verified the verdict is, with the sentence among its assumptions. A sentence that is
// misread, or a restriction that does not help, leaves the violation as it is: the sentence is quoted beside it.
var Documented = Rule{
	Name:    "documented",
	Excuses: true,
	Doc: "A violation with operations whose documentation restricts their use: to be called before all others or behind them, while no other call, or none of another operation, is in progress, by one goroutine, once; of a container also the type's: for one producer, for one consumer; or a panic of a sync.WaitGroup to which one operation adds while another one waits for it, which the documentation of sync.WaitGroup forbids. " +
		"The same scope is searched with the roles that this means, the weakest first (-roles X:not-Y, X:alone, X:first, X:last, X:1, X:once), operation by operation. If it is not known whether other calls would let one return that waits alone, it is searched once more, and such a call may wait, which the verdict says. If that is verified, so is the type, " +
		"with the sentence among the assumptions, and what a use that breaks it does in one line; if not, the violation stays, and the sentence is quoted beside it. With -contracts=false nothing is asked.",
	When: func(c Case) bool { return callable(c) && !c.Reading.terms.Strict && len(quoted(c)) > 0 },
	Ask: func(c Case, so []Answer) (Question, bool) {
		asked := restrictions(c, withoutUnsettled(so))
		if asked == nil || holds(so) || len(so) > 0 && so[len(so)-1].Err != nil {
			return Question{}, false
		}
		r, err := c.Reading.documented(asked)
		if n := len(so); n > 0 && err == nil && unsettled(&so[n-1]) {
			r, err = r.anyWait(c)
		}
		if err != nil {
			return Question{}, false
		}
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property, Limit: Limit{States: mostDocumented}}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) || !c.excused(&so[len(so)-1]) {
			for _, d := range quoted(c) {
				c = advise(c, nil, fmt.Sprintf("its documentation says (%s): %s", d.At, d.Sentence))
			}
			c.Spent += searched(so)
			return c
		}
		first := c.Answer
		asked := restrictions(c, withoutUnsettled(so[:len(so)-1]))
		last := so[len(so)-1]
		c.accept(last)
		v := &c.Verdict
		v.Contracts = nil
		for _, d := range asked {
			broken := first.Verdict.Violation
			for i := range so { // what led to the role is the last that calls the operation
				if w := so[i].Verdict.Violation; w != nil && w.Execution != nil && callsOf(w.Execution, d.Operation) > 0 {
					broken = w
				}
			}
			v.Contracts = append(v.Contracts, verdict.Contract{Operation: d.Operation, Role: d.Roles[0], Sentence: d.Sentence, At: d.At, Broken: broken.Class + ", " + broken.Client})
		}
		return c
	},
}

// unsettled reports whether an answer is open because it is not known whether other calls would let one return that waits alone, and nobody has let it wait yet.
func unsettled(a *Answer) bool {
	return a.Err == nil && a.Verdict.Status == verdict.Unknown && !a.Reading.Overrides.AnyWait && strings.HasSuffix(a.Verdict.Reason, subject.NotSettled)
}

// withoutUnsettled are the answers that do not lead to the same question once more.
func withoutUnsettled(so []Answer) []Answer {
	return slices.DeleteFunc(slices.Clone(so), func(a Answer) bool { return unsettled(&a) })
}

// anyWait is the reading by which a call may wait wherever it waits alone.
func (r *Reading) anyWait(c Case) (*Reading, error) {
	return r.found("any wait", func() (*find.Target, error) { return r.Target.AnyWait(c.ctx) })
}

// mostDocumented limits the states of one question.
const mostDocumented = 1 << 18

// mostRestricted limits the sentences by which operations are restricted together.
const mostRestricted = 3

// notBeside begins the role of an operation of which no call is in progress while one of another is.
const notBeside = "not-"

// quoted lists the sentences that restrict operations of the witness, or the whole type.
func quoted(c Case) (list []find.Contract) {
	w := c.Verdict.Violation.Execution
	for _, d := range append(c.Reading.Contracts(), c.Reading.waited(w)...) {
		if d.Operation == "" || callsOf(w, d.Operation) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// misused is the panic of a sync.WaitGroup to which a call adds while another one waits for it.
const misused = "sync: WaitGroup misuse: Add called concurrently with Wait"

// waited are the restrictions that the documentation of sync.WaitGroup has for a call that panics so, of a type that need not say that it has one: its callers
// would have to know.
func (r *Reading) waited(w *verdict.Witness) (list []find.Contract) {
	if w.Crash == nil || !strings.Contains(w.Crash.Text, misused) {
		return nil
	}
	at := slices.IndexFunc(w.History, func(e verdict.Event) bool { return e.Panicked && e.Thread == w.Crash.Thread })
	if at < 0 {
		return nil
	}
	adds := &w.History[at]
	for i := range w.History {
		e := &w.History[i]
		if e.Operation != adds.Operation && e.Invoked < adds.Invoked && (e.Responded == 0 || e.Responded > adds.Invoked) {
			list = append(list, r.Waited(adds.Operation, e.Operation)...)
		}
	}
	return list
}

// restrictions lists the restrictions that are tried next, each with one role, given the answers so far; nil if there are none left. Each try
// that is violated gives the operation that was restricted last its next role; when it has no other, the first operation of
// the new witness that is not restricted yet is restricted as well.
func restrictions(c Case, so []Answer) (asked []find.Contract) {
	all := slices.DeleteFunc(c.Reading.Contracts(), func(d find.Contract) bool { return len(d.Roles) == 0 })
	next := func(w *verdict.Witness) bool {
		for _, d := range append(slices.Clip(all), c.Reading.waited(w)...) {
			if d.Elsewhere && w.Class != "panic" {
				continue // the documentation of another type excuses what that type does to those who break it, not a wrong result
			}
			if also := slices.IndexFunc(asked, func(a find.Contract) bool {
				return a.Operation == d.Operation && strings.HasPrefix(a.Roles[0], notBeside) && strings.HasPrefix(d.Roles[0], notBeside)
			}); also >= 0 { // it is kept away from one more: "not-Wait+Stop"
				known := strings.Split(strings.TrimPrefix(asked[also].Roles[0], notBeside), "+")
				if more := strings.TrimPrefix(d.Roles[0], notBeside); !slices.Contains(known, more) {
					asked[also].Roles = []string{asked[also].Roles[0] + "+" + more}
					return true
				}
				continue
			}
			known := func(of find.Contract) bool {
				return slices.ContainsFunc(asked, func(a find.Contract) bool { return a.Operation == of.Operation })
			}
			once := d.Once() && slices.ContainsFunc(asked, func(a find.Contract) bool { return a.Once() }) // client.SetRoles refuses two
			if known(d) || once || callsOf(w, d.Operation) == 0 {
				continue
			}
			if d.Roles[0] == "1" && !d.Party && !d.Shares() {
				d.Roles[0] = unused(asked)
			}
			asked = append(asked, d)
			for _, also := range all { // the producer has one thread, whatever it calls
				if d.Party && also.Party && also.Roles[0] == d.Roles[0] && !known(also) {
					asked = append(asked, also)
				}
			}
			return true
		}
		return false
	}
	if !next(c.Verdict.Violation.Execution) {
		return nil
	}
	tried := 1
	for i := range so {
		v := &so[i].Verdict
		if v.Violation == nil || v.Violation.Execution == nil {
			return nil
		}
		last := &asked[len(asked)-1]
		if len(last.Roles) > 1 {
			last.Roles = last.Roles[1:]
			continue
		}
		if tried++; tried > mostRestricted || !next(v.Violation.Execution) {
			return nil
		}
	}
	if len(asked) >= len(c.Reading.Found.Operations) && !meeting(asked) { // nothing would be left that runs beside anything
		return nil
	}
	return asked
}

// unused is the role of a thread that no operation has been given yet: two operations of which each is for one thread need not be called by the
// same one.
func unused(asked []find.Contract) string {
	thread := 1
	for slices.ContainsFunc(asked, func(a find.Contract) bool { return a.Roles[0] == strconv.Itoa(thread) }) {
		thread++
	}
	return strconv.Itoa(thread)
}

// meeting reports whether some operations are for one thread, and others for another one.
func meeting(asked []find.Contract) bool {
	threads := map[string]bool{}
	for _, a := range asked {
		if _, err := strconv.Atoi(a.Roles[0]); err == nil {
			threads[a.Roles[0]] = true
		}
	}
	return len(threads) > 1
}

// documented returns the reading with the first role of each of the restrictions, and says so among its assumptions.
func (r *Reading) documented(asked []find.Contract) (*Reading, error) {
	var roles []string
	for _, d := range asked {
		roles = append(roles, d.Operation+":"+d.Roles[0])
	}
	o, err := r.calledBy(strings.Join(roles, ","))
	if err != nil {
		return nil, err
	}
	for _, d := range asked {
		o = o.quietly(fmt.Sprintf("%s: as its documentation says (%s): %s", d.Operation, d.At, d.Sentence))
	}
	return o, nil
}
