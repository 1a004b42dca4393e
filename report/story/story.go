// SPDX-License-Identifier: BSD-3-Clause

// Package story arranges an execution for readers: which steps matter and which are folded
// into them, in a few words each, and one sentence that says what is wrong.
//
// It takes the facts of a witness (package verdict) and gives lines without a form: every
// renderer draws the same ones. It does not know how wide a line may be, what a colour is,
// nor source files.
package story

import (
	"fmt"
	"path"
	"strings"

	"pangolin/verdict"
)

// Story is an execution as it is told.
type Story struct {
	Lines   []Line
	Threads int    // the greatest number of a thread in Lines
	File    string // the file most steps are in: positions in it are told without its name
	Folded  Folded
	// Of a whole program: the names of its goroutines. Its main has the number 0, which First
	// takes off the numbers of threads.
	Names []string
	First int
}

// Number is how a thread is called in brief.
func (s *Story) Number(thread int) string { return fmt.Sprint(thread + s.First) }

// Name is how a thread is called.
func (s *Story) Name(thread int) string {
	if thread <= len(s.Names) && s.Names[thread-1] != "" {
		if thread == 1 {
			return s.Names[0]
		}
		return s.Number(thread) + " " + s.Names[thread-1]
	}
	return "thread " + s.Number(thread)
}

// Folded counts the steps that are not told, by the reason.
type Folded struct {
	Reads   int // of what nobody else has changed since
	Retries int // that came to nothing, and were made again
	Library int // behind the first one of a call of the library
}

// Sum is how many steps are not told.
func (f Folded) Sum() int { return f.Reads + f.Retries + f.Library }

// Line is what is told of a step, and of those folded into it.
type Line struct {
	Step   int    // its number, counted from 1
	Thread int    // counted from 1
	Call   bool   // a call begins, or ends
	Text   string // "Inc()", "n.Store(1), was 1"
	Ends   string // the call ends with this step: "done", "= true"; else ""
	At     string // ":8", "file.go:8"; "" if it has no place
	Source string // of the place
	Folded int    // steps that are folded into it
	Loops  bool   // it is part of what repeats for ever
	Damage bool   // behind it every way to go on is wrong
}

// Of tells an execution; all tells every step.
func Of(w *verdict.Witness, all bool) *Story {
	t := &teller{w: w, names: namesOf(w), last: map[int]int{}, story: &Story{File: mainFile(w), Names: w.Goroutines}}
	if w.Source.Program {
		t.story.First = -1
	}
	why := make([]fold, len(w.Steps))
	if !all {
		why = folds(w)
	}
	for i := range w.Steps {
		t.step(i, why)
	}
	return t.story
}

// teller tells one execution.
type teller struct {
	w     *verdict.Witness
	names names
	last  map[int]int // by thread: its last line, counted from 1
	story *Story
}

func (t *teller) step(i int, why []fold) {
	s := &t.w.Steps[i]
	t.story.Threads = max(t.story.Threads, s.Thread)
	if why[i] != told {
		t.fold(s, why[i], i)
		return
	}
	l := Line{Step: i + 1, Thread: s.Thread, Loops: t.w.Loop > 0 && i+1 >= t.w.Loop, Damage: t.w.Damage == i+1}
	switch s.Phase {
	case verdict.Invoke:
		l.Call, l.Text = true, t.w.History[s.Call-1].CallText()
	case verdict.Announce:
		l.Text, l.At = "announces "+s.Announced, t.at(s.Place)
	case verdict.Respond:
		t.respond(l, &t.w.History[s.Call-1])
		return
	default:
		l.Text, l.At, l.Source = t.names.access(t.w, s), t.at(s.Place), s.Source
	}
	t.add(l)
}

func (t *teller) add(l Line) {
	t.story.Lines = append(t.story.Lines, l)
	t.last[l.Thread] = len(t.story.Lines)
}

// respond tells the end of a call: beside the thread's last step, if nothing was told since.
func (t *teller) respond(l Line, e *verdict.Event) {
	if n := t.last[l.Thread]; n == len(t.story.Lines) && n > 0 {
		last := &t.story.Lines[n-1]
		if last.Call && last.Ends == "" && last.Step == e.Invoked {
			last.Text, last.Ends = e.String(), "done"
			if len(e.Results) > 0 || e.Panicked {
				last.Ends = " " // it is said already
			}
			return
		}
		if !last.Call && last.Ends == "" {
			last.Ends = Ending(e)
			return
		}
	}
	l.Call, l.Text = true, e.String()
	if len(e.Results) == 0 && !e.Panicked {
		l.Text += " done"
	}
	l.Ends = " "
	t.add(l)
}

// Ending says how a call ends: "done", "= 1, true", "panics".
func Ending(e *verdict.Event) string {
	switch {
	case e.Panicked:
		return "panics"
	case len(e.Results) == 0:
		return "done"
	}
	return "= " + strings.Join(e.Results, ", ")
}

// fold counts a step that is not told with the last line of its thread.
func (t *teller) fold(s *verdict.Step, why fold, i int) {
	switch why {
	case reads:
		t.story.Folded.Reads++
	case retries:
		t.story.Folded.Retries++
	case library:
		t.story.Folded.Library++
	}
	n := t.last[s.Thread]
	if n == 0 {
		t.add(Line{Step: i + 1, Thread: s.Thread, Text: "(started)", At: t.at(s.Place), Source: s.Source})
		n = len(t.story.Lines)
	}
	l := &t.story.Lines[n-1]
	l.Folded++
	if l.At == "" && l.Call && l.Ends == "" {
		l.At, l.Source = t.at(s.Place), s.Source
	}
}

// at is a position in brief.
func (t *teller) at(p verdict.Place) string { return t.story.Position(p) }

// Position is a position in brief: without the file if that is the story's.
func (s *Story) Position(p verdict.Place) string {
	switch {
	case p.Line == 0:
		return ""
	case p.File == s.File:
		return fmt.Sprintf(":%d", p.Line)
	}
	return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line)
}

// mainFile is the file that most steps are in, by the operation that makes them; of several
// the first.
func mainFile(w *verdict.Witness) string {
	var files []string
	for i := range w.Steps {
		file := w.Steps[i].File
		for _, f := range w.Stack(w.Steps[i].Frame) {
			if !f.Library {
				file = f.File
			}
		}
		files = append(files, file)
	}
	return mostFrequent(files)
}

func mostFrequent(files []string) string {
	count, best := map[string]int{}, ""
	for _, f := range files {
		count[f]++
	}
	for _, f := range files {
		if f != "" && (best == "" || count[f] > count[best]) {
			best = f
		}
	}
	return best
}

// Text is all that a line says, without its place.
func Text(l *Line) string {
	text := l.Text
	if end := strings.TrimSpace(l.Ends); end != "" {
		text += "  " + end
	}
	return text
}

// Steps says what each step does, in a few words, and which steps are told.
func Steps(w *verdict.Witness) (texts []string, tells []bool) {
	n, why := namesOf(w), folds(w)
	for i := range w.Steps {
		s := &w.Steps[i]
		switch s.Phase {
		case verdict.Invoke:
			texts = append(texts, w.History[s.Call-1].CallText())
		case verdict.Announce:
			texts = append(texts, "announces "+s.Announced)
		case verdict.Respond:
			e := &w.History[s.Call-1]
			texts = append(texts, s.Operation+" "+Ending(e))
		default:
			texts = append(texts, n.access(w, s))
		}
		tells = append(tells, why[i] == told)
	}
	return texts, tells
}
