package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// totals sums up several verdicts: how many came to what, which of them are as the code's
// author says, and which are not.
func (p *Printer) totals() {
	if len(p.seen) < 2 {
		return
	}
	count := map[verdict.Status]int{}
	expected := 0
	var surprises []string
	took := 0.0
	for i := range p.seen {
		v := &p.seen[i]
		count[v.Status]++
		took += v.Seconds
		switch {
		case v.Expected == v.Status && v.Status == verdict.Violated:
			expected++
		case v.Expected != "" && v.Expected != v.Status || v.Expected == "" && v.Status == verdict.Violated:
			surprises = append(surprises, surprise(v))
		}
	}
	var parts []string
	for _, s := range []verdict.Status{verdict.Verified, verdict.Violated, verdict.Unknown} {
		if count[s] == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", count[s], s)
		if s == verdict.Violated && expected > 0 {
			text += fmt.Sprintf(" (%d of them expected)", expected)
		}
		parts = append(parts, text)
	}
	text := fmt.Sprintf("%d verdicts: %s, in %.1fs.", len(p.seen), strings.Join(parts, ", "), took)
	if len(surprises) > 0 {
		text += " Not expected: " + strings.Join(surprises, ", ") + "."
	}
	p.wrap("total    ", "         ", text)
}

// surprise names a verdict that nobody expected.
func surprise(v *verdict.Verdict) string {
	text := v.Collection
	if v.Property != string(verdict.Linear) {
		text += " " + v.Property
	}
	if v.Expected == "" {
		return text
	}
	return fmt.Sprintf("%s (%s, not %s)", text, v.Status, v.Expected)
}
