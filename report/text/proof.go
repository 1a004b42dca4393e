// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// proof prints what an engine found that looks for an invariant.
func (p *Printer) proof(v *verdict.Verdict) {
	f := v.Proof
	if f == nil {
		return
	}
	if f.Beside() && p.options.All {
		p.wrap("    proved    ", "              ", fmt.Sprintf("by %s, %s: %d views, %d effects%s; held are %s", f.By, f.For, f.Views, f.Effects, certified(f), f.Content))
	}
	if f.Alarm == nil && v.Status == verdict.Proved {
		text := v.Scope.Extent()
		if f.OneMoment() {
			text = "each call takes effect at one moment, " + text
		}
		if !p.options.Brief { // the rest is for who looks at one type
			text = fmt.Sprintf("%s: %d views, %d effects%s; held are %s", text, f.Views, f.Effects, certified(f), f.Content)
		}
		p.wrap("    ", "    ", text)
		if len(f.Progress) > 0 {
			p.wrap("    ", "      ", "calls return: "+strings.Join(f.Progress, "; "))
		}
		if len(f.Unreached) > 0 {
			p.wrap("    ", "      ", "but never reached: "+strings.Join(f.Unreached, "; "))
		}
		p.lemmas(f.Lemmas)
		return
	}
	if f.Alarm == nil || len(f.Alarm.Trace) == 0 || p.options.Brief || v.Violation != nil && !p.options.All { // an execution says more
		return
	}
	p.line("    on the way there, as the abstraction has it:")
	for i := range f.Alarm.Trace {
		s := &f.Alarm.Trace[i]
		text := s.Text
		if s.At != "" {
			text += " at " + s.At
		}
		p.line("    %3d %s", i+1, text)
		if s.Sees != "" {
			p.wrap("        ", "        ", s.Sees)
		}
	}
}

// beyond says what is proved of types that are verified in a scope.
func (p *Printer) beyond() {
	p.grouped("proved", func(v verdict.Verdict) []string {
		if !v.Proof.Beside() {
			return nil
		}
		return []string{v.Proof.Says()}
	})
}

// proved says in one sentence what is proved of types that are verified in a scope; "" if nothing is.
func (p *Printer) proved() (text string) {
	for i := range p.seen {
		switch v := &p.seen[i]; {
		case !v.Proof.Beside() || text == v.Proof.Says():
		case text == "":
			text = v.Proof.Says()
		default:
			return "results, panics, races, for any number of threads (-v)"
		}
	}
	return text
}

// certified says whether the proof was checked.
func certified(f *verdict.Proof) string {
	if f.Checked {
		return ", certificate checked"
	}
	return ""
}

// lemmas prints what a proof needs of other threads.
func (p *Printer) lemmas(l *verdict.Lemmas) {
	if l == nil {
		return
	}
	text := fmt.Sprintf("lemmas: %d facts mined, %d true of any number of threads, %d of them needed", l.Mined, l.True, l.Count())
	switch {
	case l.Given:
		text = fmt.Sprintf("lemmas: of those given (%s) all are true of any number of threads, and they are enough", plural(l.True, "fact"))
		if l.Minimal {
			text += fmt.Sprintf("; %d of them are needed", l.Count())
		}
	case l.Unfinished:
		text = "lemmas: the time was up before it was known which the proof needs"
	case !l.Sufficient:
		text = fmt.Sprintf("lemmas: %d facts mined, %d true of any number of threads, and as lemmas alone they would not be enough", l.Mined, l.True)
	case l.Count() == 0:
		text = fmt.Sprintf("lemmas: %d facts mined, %d true of any number of threads, none of them needed", l.Mined, l.True)
	case !l.Minimal:
		text += " (or fewer: not all was tried)"
	}
	p.wrap("    ", "      ", text)
	for i := range l.Needed {
		x := &l.Needed[i]
		p.wrap("      ", "        ", fmt.Sprintf("at %s (%s): %s", x.At, x.Does, strings.Join(x.Facts, " && ")))
	}
}
