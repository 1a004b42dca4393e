// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Refused asks whether a violation is one of a call that was refused because of another one, which its documentation allows, or that gave
// up because the caller had cancelled its context.
//
// TryRead returns ErrAcquireLock, as documented, if it cannot have the lock. By its own code, run by one thread, it always can, so each
// such result would be a violation. The oracle has it as one that a call may return if another call is in progress at some moment while
// it is, and that changes nothing: a TryRead that is refused where nobody else is at work, or that takes a byte and is refused all the same, is
// a violation as before. Acquire(ctx) that waits, and gives back what it is given at the moment at which its context ends, may have
// been refused while the unit was free; who has cancelled the context has asked for that.
var Refused = Rule{
	Name:    "refused",
	Excuses: true,
	Doc: "A violation with an operation that its documentation allows to fail, with an error that it names, if a lock cannot be had or another call is in progress; or with a call whose context is cancelled. The same scope is searched with that result, " +
		"or context.Canceled, allowed while another call is in progress, if it changes nothing. What comes of that is the verdict, with the sentence among its assumptions. With -contracts=false nothing is asked.",
	When: func(c Case) bool {
		v := c.Verdict.Violation
		if v == nil || v.Execution == nil || c.Property != verdict.Linear || !c.Reading.itself() || c.Reading.terms.Strict || len(c.Reading.Overrides.MayFail) > 0 || c.Reading.Overrides.Cancelled {
			return false
		}
		list, _ := c.Reading.MayFail()
		return givesUp(v.Execution) || slices.ContainsFunc(list, func(d find.Contract) bool { return callsOf(v.Execution, d.Operation) > 0 })
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		list, variable := c.Reading.MayFail()
		cancelled := c.Reading.Found.Cancels()
		r, err := c.Reading.found("refused", func() (*find.Target, error) { return c.Reading.Failing(c.ctx, variable, cancelled) })
		if err != nil {
			return Question{}, false
		}
		for _, d := range list {
			r = r.quietly(fmt.Sprintf("%s may return %s while another call is in progress: its documentation says (%s): %s", d.Operation, variable[d.Operation], d.At, d.Sentence))
		}
		if cancelled {
			r = r.quietly("a call whose context is cancelled may return context.Canceled while another call is in progress, if it changes nothing (-contracts=false: only where it would alone)")
		}
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) > 0 && so[0].Err == nil && c.excused(&so[0]) {
			c.accept(so[0])
		}
		return c
	},
}

// givesUp reports whether a call of the violation was given a context that is cancelled.
func givesUp(w *verdict.Witness) bool {
	return slices.ContainsFunc(w.History, func(e verdict.Event) bool { return slices.Contains(e.Args, collection.CancelledContext) })
}
