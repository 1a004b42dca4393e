// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// A collection may be right for less than was asked of it: a ring for one producer and one consumer is wrong as soon as two threads
// push, and only its documentation says so. So after a violation weaker claims are tried, each by a rule of its own, and those that
// hold become hints. A claim must hold in the whole scope in which the violation was found; one that would take too many states is
// dropped.

// Limits of all that is tried after one violation, in states and not in time, so that the same hints are found on every
// machine.
const (
	hintsPerState = 4 // states for hints, for each state of the search that found the violation
	fewestHinted  = 1 << 14
	mostHinted    = 1 << 16
	hintWork      = 3_000_000 // units of vm.Meter for one question: a tenth of a second where the code itself judges
	mostAlone     = 3         // operations that FewerCallers restricts to one thread each
)

// hintable is the number of states that may be searched for hints after a violation that was found in the given number of
// states.
func hintable(states uint64) uint64 { return min(max(hintsPerState*states, fewestHinted), mostHinted) }

// wrong reports whether weaker claims are worth trying: the case is violated, and the documentation does not say that the type is for one goroutine.
func wrong(c Case) bool { return violated(c) && c.Reading.Unshared() == "" }

// violated reports whether the case is a violation with a witness, of a property other than progress, that the user did not expect, and it has no hint yet.
func violated(c Case) bool {
	v := &c.Verdict
	return v.Violation != nil && v.Violation.Execution != nil && len(v.Hints) == 0 && c.Reading.terms.Expected[c.Property] != verdict.Violated && !c.Property.IsProgress()
}

// callable reports whether a hint may restrict which thread calls what: the user has given no roles, and no such hint was
// found.
func callable(c Case) bool {
	advised := slices.ContainsFunc(c.Hinted, func(h string) bool { return strings.HasPrefix(h, "holds with Request.Roles") })
	return wrong(c) && c.Reading.roles == "" && !advised
}

// searched adds up the states of the answers, for one that has reached a limit half of its limit on states at least.
func searched(so []Answer) (n uint64) {
	for i := range so {
		spent := so[i].Verdict.Searched()
		if so[i].Verdict.Cause == verdict.Limited { // it may have taken much work for few states
			spent = max(spent, so[i].States/2)
		}
		n += spent
	}
	return n
}

// claim is what is tried after a violation: a property of a reading, in the scope of the violation or in a change of it.
type claim struct {
	reading  *Reading
	property verdict.Property
	change   func(*engine.Scope) // applied to each part of the scope; nil: no change
}

// less returns the question whether a claim holds. It covers every part of the violation's scope whole, since what counts is that
// nothing is wrong in all of it, and then the parts that are searched beside the usual scope. It returns false if no states are left
// for it.
func less(c Case, so []Answer, of claim) (Question, bool) {
	r := of.reading
	left := hintable(c.Verdict.States)
	if most := r.terms.Search.MaxStates; most > 0 {
		left = min(left, most)
	}
	spent := c.Spent + searched(so)
	if spent >= left {
		return Question{}, false
	}
	u, err := engine.Again(c.Verdict.Scope)
	if err != nil {
		return Question{}, false
	}
	for i := range u {
		u[i].Roles = r.roles
		if r.Found.Protocol.Kind == oracle.Synchronous { // its scopes have no pre-adds, see client.NewPreset
			c := &u[i].Clients
			c.Steps.To, c.PreAdds.To = c.Steps.To+c.PreAdds.To, 0
		}
	}
	usual := slices.Clone(r.Scopes)
	if slices.Equal(c.Scope, c.Reading.Scopes) && u != nil { // else the violation is in a smaller scope, see Scout
		usual = slices.DeleteFunc(usual, func(s engine.Scope) bool { return !s.Extra })
	}
	if of.change != nil {
		for i := range u {
			of.change(&u[i])
		}
		for i := range usual {
			of.change(&usual[i])
		}
	}
	return Question{Reading: r, Scope: u.Beyond(usual), Property: of.property, Limit: Limit{States: left - spent, Work: hintWork}}, true
}

// advise counts the states of the answers as spent, and adds the hint if its text is not "".
func advise(c Case, so []Answer, text string) Case {
	c.Spent += searched(so)
	if text != "" {
		c.Hinted = append(c.Hinted[:len(c.Hinted):len(c.Hinted)], text)
	}
	return c
}

// holds reports whether there are answers and the last one is that nothing is wrong.
func holds(so []Answer) bool { return len(so) > 0 && so[len(so)-1].Agrees() }

// callsOf counts the calls of an operation in a witness.
func callsOf(w *verdict.Witness, name string) (n int) {
	for i := range w.History {
		if w.History[i].Operation == name {
			n++
		}
	}
	return n
}
