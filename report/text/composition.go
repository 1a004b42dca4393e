// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// composition prints a collection beside its concurrent specification.
func (p *Printer) composition(c *verdict.Composition) {
	p.line("%s %s in step with a concurrent specification", c.Collection, c.Kind)
	p.line("")
	if c.Verdict.Status != verdict.Verified {
		p.Verdict(c.Verdict)
		return
	}
	if c.Synchronous {
		p.wrap("  steps         ", "                ", "synchronous: at most one of the specification goes with one of the code, of the same thread")
	} else {
		p.wrap("  steps         ", "                ", fmt.Sprintf("asynchronous: up to %d of the specification with one of the code", c.Most))
	}
	for _, h := range c.Helped {
		p.wrap("  helped        ", "                ", h.Operation+" takes effect in a step of another thread's "+h.In)
	}
	if len(c.Candidates) > 0 {
		p.wrap("  candidates    ", "                ", list(c.Candidates)+": one of several steps, and a later one shows which")
	}
	if len(c.Anywhere) > 0 {
		p.wrap("  anywhere      ", "                ", list(c.Anywhere)+": announced nowhere; one of all moments of the call")
	}
	if i := c.Intermediate; i != nil {
		what := map[verdict.Status]string{verdict.Verified: "linearizable", verdict.Violated: "NOT LINEARIZABLE: this is a fault of Pangolin",
			verdict.Unknown: "not seen to be linearizable: there are more"}[i.Status]
		p.wrap("  intermediate  ", "                ", fmt.Sprintf("%s (%d states, without the code)", what, i.States))
	} else {
		p.wrap("  intermediate  ", "                ", "none is needed: the specification itself makes every step")
	}
	p.line("  verdict       %s (%d states, %.1fs)", c.Verdict.Status, c.Verdict.States, c.Verdict.Seconds)
	p.line("")
	p.wrap("scope    ", "         ", c.Scope.Text())
	p.line("")
}

func list(outcomes []verdict.OutcomeOf) string {
	var texts []string
	for _, o := range outcomes {
		texts = append(texts, o.String())
	}
	return strings.Join(texts, "; ")
}
