// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Where there is room each thread has a column of its own, so that time runs downwards and
// a glance shows who did what between two steps of another:
//
//	     thread 1                  thread 2
//	  1  Inc()
//	  2  · n.Load() = 0  :8
//	  3                            Inc()
//
// Elsewhere a line has the thread's number, and what is left of it the source. In both a
// line is a step, and nothing wraps: what is too long is cut at its end.

const (
	numberWidth = 6  // of a step's number and the gap behind it
	laneWidth   = 30 // of a thread's column, at least
	lanesFrom   = 100
)

// story draws an execution; after each line that is a step it calls wait. It says false if
// that ended it.
func (p *Printer) story(w *verdict.Witness, all bool, wait func() bool) bool {
	s := story.Of(w, all)
	d := p.drawing(s)
	d.heads()
	for i := range s.Lines {
		l := &s.Lines[i]
		if l.Loops && (i == 0 || !s.Lines[i-1].Loops) {
			p.remark("from here on it repeats for ever", w.Loop)
		}
		p.line("%s", d.line(l))
		if l.Damage {
			p.remark(damage(w.Class), 0)
		}
		if !wait() {
			return false
		}
	}
	if w.Loop > 0 {
		p.remark("and again from step "+itoa(w.Loop), 0)
	}
	if w.Unseen() {
		p.remark("and so on for ever, of which others see nothing", 0)
	}
	p.folded(s)
	return true
}

// damage says what it means that every way to go on is wrong.
func damage(class string) string {
	switch class {
	case "deadlock", "livelock":
		return "from here on no way leads out"
	case "panic", "leak", "invariant":
		return "from here on no way avoids it"
	}
	return "from here on no order fits"
}

func (p *Printer) remark(text string, step int) {
	if step > 0 {
		text = fmt.Sprintf("%s (step %d)", text, step)
	}
	mark := "  ──── "
	if step == 0 {
		mark = "   ↑ "
	}
	p.line("%s", p.ink.alarm(clip(mark+text, p.width)))
}

// folded says what the numbers behind a plus sign are.
func (p *Printer) folded(s *story.Story) {
	if s.Folded.Sum() == 0 {
		return
	}
	var parts []string
	for _, f := range []struct {
		n    int
		what string
	}{{s.Folded.Reads, noun(s.Folded.Reads, "read") + " of what nobody else changes"}, {s.Folded.Retries, "in attempts made again"}, {s.Folded.Library, "inside the library"}} {
		if f.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", f.n, f.what))
		}
	}
	p.line("")
	p.wrap("  ", "  ", fmt.Sprintf("+n: n steps are left out (%s); -v shows them. Positions are in %s.", strings.Join(parts, ", "), s.File))
}

// noun is a word for so many.
func noun(n int, one string) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

// drawing is how the lines of one execution are laid out.
type drawing struct {
	p     *Printer
	story *story.Story
	width int  // of a lane, or of what is done
	at    int  // of positions
	lanes bool // a column for each thread
}

func (p *Printer) drawing(s *story.Story) *drawing {
	d := &drawing{p: p, story: s}
	if n := (p.width - numberWidth) / max(1, s.Threads); p.width >= lanesFrom && n >= laneWidth {
		d.lanes, d.width = true, min(n, 60)
		return d
	}
	for i := range s.Lines {
		l := &s.Lines[i]
		d.width, d.at = max(d.width, ansi.StringWidth(d.body(l))), max(d.at, ansi.StringWidth(l.At))
	}
	room := p.width - numberWidth - 3
	d.at = min(d.at, room/3)
	d.width = min(d.width, room-d.at-2)
	return d
}

// heads names the threads above their columns, or those of a program in a line.
func (d *drawing) heads() {
	line := strings.Repeat(" ", numberWidth)
	for t := 1; t <= d.story.Threads && d.lanes; t++ {
		name := clip(d.story.Name(t), d.width-1)
		line += d.p.ink.thread(t, name)
		if t < d.story.Threads {
			line += pad(name, d.width)[len(name):]
		}
	}
	if d.lanes {
		d.p.line("%s", line)
		return
	}
	var names []string
	for t := 1; t <= len(d.story.Names); t++ {
		if d.story.Names[t-1] != "" {
			names = append(names, d.story.Number(t)+" "+d.story.Names[t-1])
		}
	}
	if len(names) > 0 {
		d.p.wrap("      ", "      ", strings.Join(names, ", "))
	}
}

// body is what is done, without its place.
func (d *drawing) body(l *story.Line) string {
	text := l.Text
	if !l.Call {
		text = "· " + text
	}
	if l.Folded > 0 {
		text += fmt.Sprintf(" +%d", l.Folded)
	}
	if end := strings.TrimSpace(l.Ends); end != "" {
		text += "   " + end
	}
	return text
}

// line draws one line.
func (d *drawing) line(l *story.Line) string {
	number := fmt.Sprintf("%4d", l.Step)
	bar := "  "
	if l.Loops {
		bar = "│ "
	}
	if d.lanes {
		room := d.width - 2
		if l.At != "" {
			room -= ansi.StringWidth(l.At) + 2
		}
		text := d.cut(l, room)
		if l.At != "" {
			text += "  " + d.p.ink.dim(l.At)
		}
		return number + bar + strings.Repeat(" ", d.width*(l.Thread-1)) + text
	}
	text := d.cut(l, d.width)
	line := fmt.Sprintf("%s%s%s %s", number, bar, d.p.ink.thread(l.Thread, d.story.Number(l.Thread)), text)
	if l.At == "" {
		return line
	}
	line = pad(line, numberWidth+2+d.width) + "  " + pad(clip(l.At, d.at), d.at)
	if room := d.p.width - ansi.StringWidth(line) - 2; room >= 16 && l.Source != "" {
		line += "  " + d.p.ink.dim(clip(l.Source, room))
	}
	return line
}

// cut is the body in so many columns: of what is too long the middle is cut, for its end says
// what came of it.
func (d *drawing) cut(l *story.Line, room int) string {
	whole := d.body(l)
	n := ansi.StringWidth(whole)
	if n > room {
		left := room * 2 / 5
		whole = ansi.Truncate(whole, left, "") + "…" + ansi.TruncateLeft(whole, n-(room-left-1), "")
	}
	return d.p.ink.thread(l.Thread, whole)
}
