// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"maps"
	"slices"

	"pangolin/internal/collection"
	"pangolin/verdict"
)

// StandIns leaves out the operations that are given implementations of interfaces which were made up, where nothing comes of the type with them.
//
// Of Run(t Task), which runs a task until it succeeds, nobody can say what a task does. One that was made up and always fails lets it run for ever, also when one
// thread is all there is. What is said of the other operations is true of every client that does not call it.
var StandIns = Rule{
	Name: "stand-ins",
	Doc: "The type is unknown, or a call goes on for ever of an operation that is given an implementation of an interface which was made up, Run(t Task). The type is verified without all operations that are given such implementations; the verdict, if there is one, lists them as left out. " +
		"Operations that the user has named (-ops) are not left out.",
	When: func(c Case) bool {
		return c.Err == nil && len(givenStandIns(c.Reading)) > 0 && (c.Verdict.Status == verdict.Unknown || goesOn(c.Verdict.Violation, givenStandIns(c.Reading)))
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		names := givenStandIns(c.Reading)
		if len(so) > 0 || len(names) == len(c.Reading.Found.Operations) {
			return Question{}, false
		}
		out := maps.Clone(c.Reading.Overrides.Without)
		if out == nil {
			out = map[string]string{}
		}
		why := "nothing was found out with it: " + firstLine(c.Verdict.Reason)
		if c.Verdict.Violation != nil {
			why = "with it a call may go on for ever"
		}
		for _, name := range names {
			out[name] = "is given an implementation of an interface that is made up, and " + why
		}
		r, err := c.Reading.without(c, out)
		if err != nil {
			return Question{}, false
		}
		return Question{Reading: r, Scope: r.Scopes, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) > 0 && so[0].Err == nil && so[0].Verdict.Status != verdict.Unknown && !(c.Reading.tells() && hollow(&so[0].Verdict)) {
			c.accept(so[0])
		}
		return c
	},
}

// goesOn reports whether a violation is a call of one of some operations that neither waits nor returns.
func goesOn(v *verdict.Violation, names []string) bool {
	if v == nil || v.Execution == nil || v.Class != "livelock" && v.Class != "nontermination" && v.Class != "infinite" {
		return false
	}
	return slices.ContainsFunc(v.Execution.Waiting, func(s verdict.Situation) bool { return slices.Contains(names, s.Operation) })
}

// givenStandIns lists the operations that are given stand-ins, and that the user has not named.
func givenStandIns(r *Reading) (names []string) {
	for i := range r.Found.Operations {
		o := &r.Found.Operations[i]
		if slices.ContainsFunc(o.Call.Params, (*collection.Codec).HasStandIn) && !slices.Contains(r.Overrides.Ops, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

// asksStandIns reports whether operations are given stand-ins with a method that checks something, Validate(n int) error, and what they are asked is compared.
func (r *Reading) asksStandIns() bool {
	asks, observed := false, false
	for i := range r.Found.Operations {
		call := &r.Found.Operations[i].Call
		observed = observed || call.Observed
		for _, p := range call.Params {
			for _, s := range p.StandIns() {
				asks = asks || slices.ContainsFunc(s.Parts, func(m collection.Part) bool { return m.Asks() })
			}
		}
	}
	return asks && observed
}
