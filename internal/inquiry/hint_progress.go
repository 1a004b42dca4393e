// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"strings"

	"pangolin/internal/collection"
	"pangolin/verdict"
)

// InProgress tries whether the type holds without an operation that tells of others' calls in progress.
//
// InFlight is 1 while a Do executes its function, and 0 by the same code run by one thread, whatever it has called before: linearizability knows no such result, and so no
// order of the calls explains it. Mostly it is meant, and all else is right.
var InProgress = Rule{
	Name: "tells of calls in progress",
	Doc: "A type that its own code judges is not linearizable, and an operation takes part that is given nothing and returns a number or whether something is so, such as InFlight(), while another thread's call is in progress. No other hint was found. " +
		"Does the type hold without that operation? Then the hint asks whether it tells of calls in progress.",
	When: func(c Case) bool { return wrong(c) && orderOfOwn(c) && len(c.Hinted) == 0 && teller(c) != "" },
	Ask: func(c Case, so []Answer) (Question, bool) {
		name := teller(c)
		r, err := c.Reading.without(c, map[string]string{name: "tells of calls in progress"})
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		return less(c, so, claim{reading: r, property: c.Property})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		left := so[len(so)-1].Reading.Found.Operations
		names := make([]string, len(left))
		for i := range left {
			names[i] = left[i].Name
		}
		return advise(c, so, fmt.Sprintf("holds without %s (Request.Ops %s), in this scope: does %[1]s tell of calls in progress? No order of the calls explains that", teller(c), strings.Join(names, ",")))
	},
}

// teller is the one operation of a violation that could tell of calls in progress: it is given nothing, has an int or a bool for its result, and each of its calls has another thread's in progress. It is "" if there
// is none, or more than one, or no other operation.
func teller(c Case) (name string) {
	h := c.Verdict.Violation.Execution.History
	for i := range c.Reading.Found.Operations {
		o := &c.Reading.Found.Operations[i]
		if len(o.Params) > 0 || len(o.Results) != 1 || o.Results[0].Codec == nil || o.Results[0].Codec.Shape != collection.AsInt && o.Results[0].Codec.Shape != collection.AsBool {
			continue
		}
		called, beside := 0, 0
		for k := range h {
			if h[k].Operation != o.Name {
				continue
			}
			if called++; besideAnother(h, k) {
				beside++
			}
		}
		if called == 0 || beside < called {
			continue
		}
		if name != "" {
			return ""
		}
		name = o.Name
	}
	return name
}

// besideAnother reports whether a call of another operation, by another thread, is in progress when one is made.
func besideAnother(h []verdict.Event, k int) bool {
	for i := range h {
		if h[i].Thread != h[k].Thread && h[i].Operation != h[k].Operation && h[i].Invoked < h[k].Invoked && (h[i].Responded == 0 || h[i].Responded > h[k].Invoked) {
			return true
		}
	}
	return false
}
