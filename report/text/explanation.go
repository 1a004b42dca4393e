// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"strings"

	"pangolin/verdict"
)

// explanation says in a few lines why no order of the calls fits.
func explanation(w *verdict.Witness) []string {
	x := w.Explanation
	if x == nil {
		return nil
	}
	e := explainer{w.History, x.Unfinished}
	if x.Kind == verdict.Partners {
		return []string{e.stuck(x.Stuck[0]) + " and " + e.stuck(x.Stuck[1]) + ", although they serve each other"}
	}
	lines := []string{opening(x)}
	for i := range x.Tried {
		lines = append(lines, e.order(&x.Tried[i])...)
	}
	return lines
}

// opening says what no order does.
func opening(x *verdict.Explanation) string {
	text := "no order of the operations that " + map[string]string{
		"linear":    "puts each call before those that began after its return",
		"sc":        "keeps each thread's own order",
		"quiescent": "keeps the order of calls that a moment without calls separates",
	}[string(verdict.Property(x.Property).Base())]
	for _, sentence := range verdict.Property(x.Property).Weaker() {
		text += ", where " + sentence + ","
	}
	if len(x.Stuck) > 0 {
		text += " lets thread " + itoa(x.Stuck[0]) + " stay stuck."
	} else {
		text += " explains the results."
	}
	return text + " The longest that the oracle follows:"
}

// explainer names calls by their numbers.
type explainer struct {
	history    []verdict.Event
	unfinished bool
}

// order is an order of calls, and why it cannot go on.
func (e explainer) order(o *verdict.Order) []string {
	parts := make([]string, len(o.Calls))
	for i, call := range o.Calls {
		parts[i] = e.call(call)
	}
	if len(parts) == 0 {
		parts = []string{"(none)"}
	}
	lines := []string{"  " + strings.Join(parts, ", ")}
	if len(o.Rejected) == 0 {
		lines = append(lines, "    and a history may not end there")
	}
	for _, r := range o.Rejected {
		lines = append(lines, "    then "+e.rejection(&r))
	}
	return lines
}

func (e explainer) call(n int) string {
	c := &e.history[n-1]
	if e.unfinished && c.Responded == 0 {
		return itoa(c.Thread) + ":" + c.CallText() + " (in progress)"
	}
	return itoa(c.Thread) + ":" + c.String()
}

// stuck is the call of a thread that never returned.
func (e explainer) stuck(thread int) string {
	for i := range e.history {
		if c := &e.history[i]; c.Thread == thread && c.Responded == 0 {
			return e.call(i + 1)
		}
	}
	return "thread " + itoa(thread)
}

func (e explainer) rejection(r *verdict.Rejection) string {
	c := &e.history[r.Call-1]
	returned := c.Responded > 0
	switch {
	case len(r.Allowed) == 0 && returned:
		return e.call(r.Call) + ": but here it cannot return"
	case len(r.Allowed) == 0:
		return e.call(r.Call) + ": but the protocol does not let it block here"
	}
	allowed := make([]string, len(r.Allowed))
	for i, how := range r.Allowed {
		allowed[i] = c.Returning(how)
	}
	if !returned {
		return e.call(r.Call) + ": but here it can return, " + strings.Join(allowed, " or ")
	}
	return e.call(r.Call) + ": but here " + strings.Join(allowed, " or ")
}
