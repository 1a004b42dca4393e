// SPDX-License-Identifier: BSD-3-Clause

package text

import "pangolin/verdict"

func (p *Printer) baseline(v *verdict.Verdict) {
	p.line("%s %s %s: %s, %d states", v.Collection, v.Property, v.Scope.Text(), v.Status, v.States)
}

// mutant prints what became of a mutant, and how it differs from the original.
func (p *Printer) mutant(m *verdict.Mutant) {
	p.line("\n%d %s %s:%d %s%s", m.ID, m.Outcome, m.File, m.Line, m.Operator, because(m))
	_, _ = p.out.Write([]byte(m.Diff)) // p.out keeps its error
}

// because says why a mutant has its outcome.
func because(m *verdict.Mutant) string {
	text := ""
	for _, s := range []string{m.Class, m.Reason, m.Client} {
		if s != "" {
			text += "; " + s
		}
	}
	if m.Cached {
		text += "; cached"
	}
	if text == "" {
		return ""
	}
	return ":" + text[1:]
}

func (p *Printer) mutation(s *verdict.MutationSummary) {
	p.line("\n%s %s: %s: %d killed, %d survived, %d unknown, %d invalid; %d the same code as another",
		s.Collection, s.Property, plural(s.Mutants, "mutant"), s.Killed, s.Survived, s.Unknown, s.Invalid, s.Same)
}
