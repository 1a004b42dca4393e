// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// A collection may be right for less than was asked of it: a ring for one producer and one consumer is
// wrong as soon as two threads push, and says so in its documentation, which nobody executes. So behind a
// violation weaker claims are tried, each by a rule of its own, and those that hold are told. Each has been verified
// in all of the scope in which the violation is; what takes too long for that is not told.

// Limits of all that is tried behind one violation. States and no time, so that the same hints are found each time.
const (
	hintsPerState = 4 // of the search that has found the violation
	fewestHinted  = 1 << 14
	mostHinted    = 1 << 16
	mostAlone     = 3 // operations that are left to one thread each
)

// hintable is how many states are searched for hints behind a violation that was found in so many.
func hintable(states uint64) uint64 { return min(max(hintsPerState*states, fewestHinted), mostHinted) }

// wrong says that a case is a violation that nobody expected, of which nothing has been said yet that holds.
func wrong(c Case) bool {
	v := &c.Verdict
	return v.Violation != nil && v.Violation.Execution != nil && len(v.Hints) == 0 && c.Reading.terms.Expected[c.Property] != verdict.Violated && !c.Property.IsProgress()
}

// callable says of a case that advice may limit who calls what: nobody has said so, and no such advice was found.
func callable(c Case) bool {
	advised := slices.ContainsFunc(c.Hinted, func(h string) bool { return strings.HasPrefix(h, "holds with Request.Roles") })
	return wrong(c) && c.Reading.roles == "" && !advised
}

// searched is how many states answers took.
func searched(so []Answer) (n uint64) {
	for i := range so {
		n += so[i].Verdict.Searched()
	}
	return n
}

// claim is what is claimed behind a violation: a property of a reading, in the scope of the violation as change has it.
type claim struct {
	reading  *Reading
	property verdict.Property
	change   func(*engine.Scope) // nil: as it is
}

// less is the question whether a claim holds. All of its scope is asked for, so that what holds has been
// searched in each part, whole. What nobody asked for is searched behind it, as usual. False if no states are left.
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
		if r.Found.Protocol.Kind == oracle.Synchronous { // whose scopes have no pre-adds, see client.NewPreset
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
	return Question{Reading: r, Scope: u.Beyond(usual), Property: of.property, Limit: Limit{States: left - spent}}, true
}

// advise adds a hint, if there is one.
func advise(c Case, so []Answer, text string) Case {
	c.Spent += searched(so)
	if text != "" {
		c.Hinted = append(c.Hinted[:len(c.Hinted):len(c.Hinted)], text)
	}
	return c
}

// holds says that the last of some answers is that nothing is wrong.
func holds(so []Answer) bool { return len(so) > 0 && so[len(so)-1].Agrees() }

// callsOf is how often a witness calls an operation.
func callsOf(w *verdict.Witness, name string) (n int) {
	for i := range w.History {
		if w.History[i].Operation == name {
			n++
		}
	}
	return n
}
