// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// Expectation says why a verdict is as expected; "" if it is not.
func Expectation(v *verdict.Verdict) string {
	switch {
	case v.Expected != "" && v.Expected == v.Status:
		return "expected: the source declares it"
	case v.AsExpected():
		return "known: the baseline lists this violation"
	}
	return ""
}

// Gone says which violation of a baseline is not there any more.
func Gone(g *verdict.Gone) string {
	text := fmt.Sprintf("%s %s: %s", g.Collection, g.Property, g.Class)
	if len(g.Operations) > 0 {
		text += " of " + strings.Join(g.Operations, ", ")
	}
	if g.Now == verdict.Violated {
		return text + " (now violated otherwise)"
	}
	return text + " (now " + string(g.Now) + ")"
}
