// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"cmp"
	"fmt"
	"strings"

	"pangolin/verdict"
)

// system prints the size of a transition system.
func (p *Printer) system(s verdict.System) {
	what := s.Of
	if s.Side != "" {
		what += ", " + s.Side
	}
	p.wrap("", "    ", fmt.Sprintf("%s: %s, %s, %s, %.2fs", what, number(s.States, "state"),
		number(s.Transitions, "transition"), number(s.Labels, "visible label"), s.Seconds))
	if s.File != "" {
		p.line("  written to %s", s.File)
	}
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// comparison prints whether two systems are equivalent, and why not.
func (p *Printer) comparison(c verdict.Comparison) {
	names := map[string]string{"strong": "strongly bisimilar", "branching": "branching bisimilar",
		"dp-branching": "divergence-preserving branching bisimilar", "weak": "weakly bisimilar",
		"trace": "trace equivalent", "weak-trace": "weak trace equivalent"}
	name := cmp.Or(names[c.Equivalence], c.Equivalence+" equivalent")
	text := p.ink.status(verdict.Verified, name)
	switch {
	case c.Preorder && c.Holds:
		text = p.ink.status(verdict.Verified, "included: every trace of the first is one of the second")
	case c.Preorder:
		text = p.ink.status(verdict.Violated, "not included")
	case !c.Holds:
		text = p.ink.status(verdict.Violated, "not "+name)
	}
	p.line("%s", text)
	switch {
	case c.Holds:
	case c.Formula != "":
		p.wrap("  holds of ", "    ", fmt.Sprintf("%s, not of %s: %s", c.Left, c.Right, c.Formula))
		p.wrap("  in words: it ", "    ", c.Words)
		if c.SameTraces {
			p.line("  they have the same weak traces")
		}
	case len(c.Trace) == 0:
		p.line("  only %s can do anything", c.Has)
	default:
		other := c.Left
		if c.Has == c.Left {
			other = c.Right
		}
		p.wrap("  ", "    ", fmt.Sprintf("a shortest trace that %s has and %s has not:", c.Has, other))
		for _, l := range c.Trace {
			p.line("    %s", strings.TrimSpace(l))
		}
	}
}
