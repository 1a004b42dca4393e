// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"

	"pangolin/verdict"
)

// CalledOnce tries whether the type holds if an operation is called only once, such as Close. It considers operations without
// parameters that no kind's oracle knows and that the witness calls twice or more.
var CalledOnce = Rule{
	Name:     "called once",
	Doc:      "A violation in which an operation such as Close, which takes nothing and no oracle of a kind knows, is called more than once. Does the type hold if it is called once?",
	When:     callable,
	Ask:      eachRole(":once", onceOnly),
	Conclude: adviseRole(":once", onceOnly, "called once?"),
}

// onceOnly lists the operations that CalledOnce tries.
func onceOnly(c Case) (names []string) {
	for _, o := range c.Reading.Found.Operations {
		if o.Op.Role == "" && len(o.Call.Params) == 0 && callsOf(c.Verdict.Violation.Execution, o.Name) >= 2 {
			names = append(names, o.Name)
		}
	}
	return names
}

// CalledLast tries whether the type holds if an operation is called last, such as Close. It considers operations without parameters
// that return at most an error, that no kind's oracle knows, and that the witness calls beside or before others.
var CalledLast = Rule{
	Name:     "called last",
	Doc:      "A violation in which an operation such as Close, which takes nothing and gives an error at most, is called beside others or before them. Does the type hold if it is called last?",
	When:     callable,
	Ask:      eachRole(":last", lastOnly),
	Conclude: adviseRole(":last", lastOnly, "called when all other calls have returned, and none follows?"),
}

// lastOnly lists the operations that CalledLast tries.
func lastOnly(c Case) (names []string) {
	for _, o := range c.Reading.Found.Operations {
		if o.Op.Role == "" && len(o.Call.Params) == 0 && o.Silent() && beforeOthers(c.Verdict.Violation.Execution, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

// eachRole asks whether the type holds if one of the named operations has the role, such as ":once": one operation after the
// other, until it holds.
func eachRole(role string, names func(Case) []string) func(Case, []Answer) (Question, bool) {
	return func(c Case, so []Answer) (Question, bool) {
		list := names(c)
		if holds(so) || len(so) == len(list) {
			return Question{}, false
		}
		r, err := c.Reading.calledBy(list[len(so)] + role)
		if err != nil {
			return Question{}, false
		}
		return less(c, so, claim{reading: r, property: c.Property})
	}
}

// adviseRole gives the hint that the type holds with the role that eachRole asked about last, and asks the user whether the operation is used so.
func adviseRole(role string, names func(Case) []string, used string) func(Case, []Answer) Case {
	return func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		name := names(c)[len(so)-1]
		return advise(c, so, fmt.Sprintf("holds with Request.Roles '%s%s', in this scope: is %s %s", name, role, name, used))
	}
}

// beforeOthers reports whether a call of the operation begins in the witness before some other call has returned.
func beforeOthers(w *verdict.Witness, name string) bool {
	for i := range w.History {
		for k := range w.History {
			a, b := &w.History[i], &w.History[k]
			if i != k && a.Operation == name && (b.Responded == 0 || b.Responded > a.Invoked) {
				return true
			}
		}
	}
	return false
}
