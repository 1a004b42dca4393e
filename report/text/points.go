// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Points prints where operations take effect: a paragraph for each outcome, with the lines of
// source.
func (p *Printer) Points(r verdict.Points) {
	p.wrap("", "    ", fmt.Sprintf("%s %s: where operations take effect (%d searches, %d states, %.1fs)", r.Collection, r.Kind, r.Searches, r.States, r.Seconds))
	p.line("")
	if r.Verdict != nil {
		p.Verdict(*r.Verdict)
		return
	}
	for i := range r.Outcomes {
		p.pointsOf(&r.Outcomes[i])
	}
	for _, d := range r.Written {
		p.line("written  %s: %s", d.Base(), d.Text)
	}
	for _, o := range r.Left {
		p.line("left     %s has no point that is fixed: a rule for it has to be written", o)
	}
	if len(r.Written)+len(r.Left) > 0 {
		p.line("")
	}
	p.wrap("scope    ", "         ", r.Scope.Text())
	p.line("")
}

func (p *Printer) pointsOf(o *verdict.PointOf) {
	p.wrap("", "    ", o.Title())
	for _, pt := range o.Points {
		p.point("at", pt)
	}
	for _, pt := range o.Alternatives {
		p.point("or at", pt)
	}
	for i, w := range o.Reasons {
		p.line("    why, %d: %s", i+1, [2]string{"no step of the call's own will do here", "and no step of another's here"}[i])
		for _, l := range story.Of(w, false).Lines {
			margin := fmt.Sprintf("      %3d  %s  ", l.Step, strings.Repeat("      ", l.Thread-1)+itoa(l.Thread))
			p.wrap(margin, strings.Repeat(" ", len(margin)+2), reasonText(&l))
		}
	}
	p.line("")
}

// reasonText is a step of an execution that shows why: what is done, whether the call ends with it, and where.
func reasonText(l *story.Line) string {
	text := l.Text
	switch end := strings.TrimSpace(l.Ends); {
	case end == "done":
		text += ", returns"
	case strings.HasPrefix(end, "= "):
		text += ", returns " + end[len("= "):]
	case end != "":
		text += ", " + end
	}
	if l.At != "" {
		text += " (" + l.At + ")"
	}
	return text
}

// point prints a statement.
func (p *Printer) point(word string, pt verdict.Point) {
	where := fmt.Sprintf("%s:%d", pt.Base(), pt.Column)
	if pt.By != "" {
		where += " in another thread's " + pt.By
	}
	if text := conditions[pt.When]; text != "" {
		where += ", " + text
	}
	p.wrap(fmt.Sprintf("    %-5s ", word), "              ", where)
	p.line("          %s", strings.TrimSpace(pt.Source))
}

// conditions are what an access must come to, in words.
var conditions = map[string]string{"zero": "if it reads nil, false or 0", "not zero": "if it reads neither nil, false nor 0",
	"swapped": "if the compare-and-swap is done", "not swapped": "if the compare-and-swap fails"}
