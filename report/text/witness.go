// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"strconv"
	"strings"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Witness prints an execution and what is wrong with it.
func (p *Printer) Witness(w *verdict.Witness) {
	p.opening(w)
	p.story(w, p.options.All, func() bool { return true })
	p.closing(w)
}

// Step prints an execution step by step: after each step it calls wait, and ends if
// that returns false.
func (p *Printer) Step(w *verdict.Witness, wait func() bool) {
	p.title(w)
	p.opening(w)
	if p.story(w, true, wait) {
		p.closing(w)
	}
}

// title says what the execution is about.
func (p *Printer) title(w *verdict.Witness) {
	p.line("%s\n", w.Title())
}

func (p *Printer) opening(w *verdict.Witness) {
	sentence, class := story.Sentence(w), w.Class
	if rest, said := strings.CutPrefix(sentence, "data race: "); said {
		class, sentence = "data race", rest
	}
	p.wrap("  "+p.ink.strong(class)+": ", "    ", sentence)
	p.line("")
	if w.Client != "" {
		p.wrap("  client  ", "          ", w.Client)
		p.line("")
	}
}

func (p *Printer) closing(w *verdict.Witness) {
	p.line("")
	p.history(w)
	p.details(w)
	p.section("why", explanation(w))
	if w.Ending != nil && w.Ending.Stdout+w.Ending.Stderr != "" {
		p.line("  %s", p.ink.strong("output"))
		p.marked("stdout", w.Ending.Stdout)
		p.marked("stderr", w.Ending.Stderr)
	}
}

// details say who waits for what, what races, where it panics.
func (p *Printer) details(w *verdict.Witness) {
	p.section("waiting", p.waiting(w))
	p.section("both sides", p.sides(w))
	if w.Crash != nil {
		p.section("stack of "+w.Who(w.Crash.Thread), append(p.crash(w), p.stack(w, w.Crash.Frame)...))
	}
}

func (p *Printer) history(w *verdict.Witness) {
	lines := timeline(w.History, p.width-4)
	if len(lines) == 0 {
		return
	}
	p.line("  %s", p.ink.strong("history"))
	for _, l := range lines {
		p.line("    %s", l)
	}
	p.line("")
}

// waiting says of each thread that is stuck where, for what, and what it holds itself.
func (p *Printer) waiting(w *verdict.Witness) []string {
	var lines []string
	for _, s := range w.Waiting {
		lines = append(lines, w.Doing(&s))
		if s.At != "" && len(s.HeldBy) > 0 {
			var by []string
			for _, t := range s.HeldBy {
				by = append(by, w.Who(t))
			}
			lines = append(lines, "  waits for "+s.At+", held by "+strings.Join(by, ", "))
		}
		if len(s.Holds) > 0 {
			lines = append(lines, "  holds "+strings.Join(s.Holds, ", "))
		}
		for _, text := range w.Origins(&s) {
			lines = append(lines, "  "+text)
		}
	}
	return lines
}

// sides are the two accesses of a race, with their stacks and the locks held.
func (p *Printer) sides(w *verdict.Witness) []string {
	var lines []string
	for _, c := range w.Race {
		who := ""
		if c.Thread > 0 {
			who = w.Who(c.Thread) + ": "
		}
		lines = append(lines, who+c.String())
		if c.Line > 0 {
			lines = append(lines, p.stack(w, c.Frame)...)
		}
		held := "no lock"
		if len(c.Holds) > 0 {
			held = strings.Join(c.Holds, ", ")
		}
		if c.Thread > 0 {
			lines = append(lines, "  holds "+held)
		}
	}
	return lines
}

// crash is a panic's text.
func (p *Printer) crash(w *verdict.Witness) []string {
	return strings.Split(strings.TrimSpace(w.Crash.Text), "\n")
}

// stack lists the calls in progress; the innermost that is the user's own is marked.
func (p *Printer) stack(w *verdict.Witness, frame int) []string {
	var lines []string
	marked := false
	list := w.Stack(frame)
	for n := len(list); n > 0 && list[n-1].Model; n-- { // what starts a goroutine for the library
		list = list[:n-1]
	}
	for _, f := range list {
		mark := "  "
		if !marked && !f.Library {
			mark, marked = "> ", true
		}
		if f.Model || f.Line == 0 {
			lines = append(lines, "  "+mark+f.Function)
			continue
		}
		lines = append(lines, "  "+mark+f.Place.String())
	}
	return lines
}

// texts writes each fact of a list.
func texts[T any](list []T, text func(T) string) []string {
	var lines []string
	for _, fact := range list {
		lines = append(lines, text(fact))
	}
	return lines
}

// section prints lines under a title; lines that are too long are broken.
func (p *Printer) section(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.line("  %s", p.ink.strong(title))
	for _, l := range lines {
		indent := "    " + l[:len(l)-len(strings.TrimLeft(l, " "))]
		p.wrap(indent, indent+"    ", l)
	}
	p.line("")
}

func itoa(n int) string { return strconv.Itoa(n) }
