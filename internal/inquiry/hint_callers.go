// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// FewerCallers restricts an operation that two threads call at the same time to one thread, then a second and a third operation, until
// nothing is wrong any more.
var FewerCallers = Rule{
	Name: "fewer callers",
	Doc: "A violation in which two threads call the same operation at the same time. Does the type hold if one thread calls it? If another operation is " +
		"called by two threads in what is wrong then, that is left to another thread, up to three.",
	When: callable,
	Ask: func(c Case, so []Answer) (Question, bool) {
		names, done := callers(c, so)
		if done || len(names) == len(so) {
			return Question{}, false
		}
		r, err := c.Reading.calledBy(oneEach(names))
		if err != nil {
			return Question{}, false
		}
		return less(c, so, claim{reading: r, property: c.Property})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		names, _ := callers(c, so)
		return advise(c, so, fmt.Sprintf("holds with Request.Roles '%s', in this scope: is it for one thread that calls %s?", oneEach(names), strings.Join(names, ", and one that calls ")))
	},
}

// callers lists the operations that are restricted to one thread each: those asked about so far and the next one, if there is one. done
// means that there is none to try.
func callers(c Case, so []Answer) (names []string, done bool) {
	w := c.Verdict.Violation.Execution
	for k := 0; ; k++ {
		if k == mostAlone {
			return names, true
		}
		name := shared(w, names)
		if name == "" {
			return names, true
		}
		names = append(names, name)
		if k == len(so) {
			return names, false
		}
		v := &so[k].Verdict
		if so[k].Err != nil || v.Violation == nil || v.Violation.Execution == nil {
			return names, true
		}
		w = v.Violation.Execution
	}
}

// oneEach restricts each operation to a thread of its own, in the form of Request.Roles: "Push:1,Pop:2".
func oneEach(names []string) string {
	var roles []string
	for i, name := range names {
		roles = append(roles, fmt.Sprintf("%s:%d", name, i+1))
	}
	return strings.Join(roles, ",")
}

// shared finds an operation that is not in known and of which two calls of different threads overlap in the witness; "" if
// there is none.
func shared(w *verdict.Witness, known []string) string {
	for i := range w.History {
		a := &w.History[i]
		for k := range w.History[:i] {
			b := &w.History[k]
			if a.Operation == b.Operation && a.Thread != b.Thread && (b.Responded == 0 || b.Responded > a.Invoked) && !slices.Contains(known, a.Operation) {
				return a.Operation
			}
		}
	}
	return ""
}
