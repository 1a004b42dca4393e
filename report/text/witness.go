package text

import (
	"fmt"
	"strconv"
	"strings"

	"pangolin/verdict"
)

// Witness prints an execution and what is wrong with it.
func (p *Printer) Witness(w *verdict.Witness) {
	p.opening(w)
	for _, r := range rows(w, true) {
		p.row(r)
	}
	p.closing(w)
}

// Step prints an execution step by step: after each step it calls wait, and ends if
// that returns false.
func (p *Printer) Step(w *verdict.Witness, wait func() bool) {
	p.line("%s, %s\n", w.Subject.Collection, w.Subject.Property)
	p.opening(w)
	for _, r := range rows(w, false) {
		p.row(r)
		if r.step && !wait() {
			return
		}
	}
	p.closing(w)
}

func (p *Printer) opening(w *verdict.Witness) {
	p.wrap("  "+p.ink.strong(w.Class)+": ", "    ", w.Message)
	p.line("")
	p.wrap("  client  ", "          ", w.Client)
	p.line("")
}

func (p *Printer) closing(w *verdict.Witness) {
	p.line("")
	p.section("history", timeline(w.History))
	p.section("waiting", texts(w.Waiting, verdict.Situation.Of))
	p.section("accesses", texts(w.Race, verdict.Conflict.String))
	p.section("why", explanation(w))
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
		if len(l)+4 <= Width || title == "history" {
			p.line("    %s", l)
			continue
		}
		indent := "    " + l[:len(l)-len(strings.TrimLeft(l, " "))]
		p.wrap(indent, indent+"    ", l)
	}
	p.line("")
}

// row is a few lines that belong together.
type row struct {
	thread int // whose colour the first line has; 0: none
	lines  []string
	step   bool
	loops  bool // part of what repeats
}

func (p *Printer) row(r row) {
	margin := "  "
	if r.loops {
		margin = " |"
	}
	for i, l := range r.lines {
		if i == 0 && r.thread > 0 {
			l = p.ink.thread(r.thread, l)
		}
		p.line("%s%s", margin, l)
	}
}

// rows arranges an execution: a heading wherever another thread goes on, and two lines
// for each step. With fold, long runs of reads by one thread are left out.
func rows(w *verdict.Witness, fold bool) []row {
	var out []row
	last, doing, hide := 0, map[int]string{}, folded(w)
	for i := 0; i < len(w.Steps); i++ {
		s := &w.Steps[i]
		loops := w.Loop > 0 && i+1 >= w.Loop
		if i+1 == w.Loop {
			out = append(out, row{lines: []string{fmt.Sprintf("---- from here on (step %d) the execution repeats for ever ----", w.Loop)}})
			last = 0
		}
		if s.Thread != last {
			out = append(out, row{thread: s.Thread, lines: []string{heading(s, doing[s.Thread])}, loops: loops})
			last = s.Thread
		}
		switch s.Phase {
		case verdict.Invoke:
			doing[s.Thread] = w.History[s.Call-1].CallText()
		case verdict.Respond:
			delete(doing, s.Thread)
		}
		if fold && hide[i] {
			first := i
			for i+1 < len(hide) && hide[i+1] {
				i++
			}
			out = append(out, row{lines: []string{fmt.Sprintf("         ... steps %d to %d only read ...", first+1, i+1)}, loops: loops})
			continue
		}
		out = append(out, row{lines: stepLines(w, i+1), step: true, loops: loops})
	}
	if w.Loop > 0 {
		out = append(out, row{lines: []string{fmt.Sprintf("---- and again from step %d ----", w.Loop)}})
	}
	return out
}

// heading announces that a thread goes on.
func heading(s *verdict.Step, doing string) string {
	text := fmt.Sprintf("-- thread %d", s.Thread)
	if doing != "" {
		text += ", in " + doing
	} else if s.Phase != verdict.Invoke && s.Operation == "" {
		text += " (started by an operation)"
	}
	return text + " " + strings.Repeat("-", max(2, 60-len(text)))
}

// stepLines are step n: number, thread, place and source, and what happens.
func stepLines(w *verdict.Witness, n int) []string {
	s := &w.Steps[n-1]
	head := fmt.Sprintf("%4d  %d  ", n, s.Thread)
	switch s.Phase {
	case verdict.Invoke:
		return []string{head + "calls " + w.History[s.Call-1].CallText()}
	case verdict.Respond:
		return []string{head + s.Operation + returning(&w.History[s.Call-1])}
	}
	lines := []string{clip(fmt.Sprintf("%s%-16s  %s", head, s.Place.Base(), s.Source), Width-2)}
	return append(lines, wrap("         ", "             ", s.Access.String())...)
}

// returning says how a call ends.
func returning(e *verdict.Event) string {
	switch {
	case e.Panicked:
		return " panics"
	case len(e.Results) == 0:
		return " returns"
	}
	return " returns " + strings.Join(e.Results, ", ")
}

// clip shortens a line of source text.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:n-3] + "..."
}

// Of a run of reads by one thread that is longer than foldFrom, only the first and
// the last foldKeep are shown.
const (
	foldFrom = 8
	foldKeep = 2
)

// folded marks the steps that are left out.
func folded(w *verdict.Witness) []bool {
	hide := make([]bool, len(w.Steps))
	for i := 0; i < len(w.Steps); {
		n := 0
		for i+n < len(w.Steps) && w.Steps[i+n].Access.ReadsOnly() && w.Steps[i+n].Thread == w.Steps[i].Thread &&
			(n == 0 || i+n+1 != w.Loop) {
			n++
		}
		for k := i + foldKeep; n > foldFrom && k < i+n-foldKeep; k++ {
			hide[k] = true
		}
		i += max(1, n)
	}
	return hide
}

func itoa(n int) string { return strconv.Itoa(n) }
