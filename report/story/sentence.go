// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// Sentence says in one sentence what is wrong.
func Sentence(w *verdict.Witness) string {
	text := ""
	switch w.Class {
	case "history":
		text = wrongResult(w)
	case "deadlock":
		text = waiting(w)
	case "livelock", "nontermination":
		text = running(w)
	case "race":
		text = racing(w)
	case "panic":
		text = panicking(w)
	case "endless":
		text = endless(w)
	case "leak":
		text = leaking(w)
	}
	if text == "" {
		text = w.Message
	}
	if weaker := verdict.Property(w.Subject.Property).Weaker(); w.Class == "history" && len(weaker) > 0 {
		text += " (where " + strings.Join(weaker, ", and ") + ")"
	}
	return text
}

// wrongCalls are the calls that are rejected, one in each order; nil if several are in one.
func wrongCalls(w *verdict.Witness) (wrong []int) {
	x := w.Explanation
	if x == nil || x.Kind != verdict.NoOrder || len(x.Stuck) > 0 {
		return nil
	}
	for _, o := range x.Tried {
		if len(o.Rejected) != 1 {
			return nil
		}
		if c := o.Rejected[0].Call; !slices.Contains(wrong, c) {
			wrong = append(wrong, c)
		}
	}
	slices.Sort(wrong)
	return wrong
}

// wrongResult names the call whose result no order gives, and what it would be.
func wrongResult(w *verdict.Witness) string {
	wrong := wrongCalls(w)
	if len(wrong) == 1 {
		return oneWrong(w, wrong[0])
	}
	if len(wrong) > 1 {
		return alike(w, wrong)
	}
	return ""
}

// alike says that no order explains the calls that are rejected, with their results, equal ones counted, and with them the calls that are equal to one of
// these, although every order accepts them: of two tokens no two Allow() are too many, but three.
func alike(w *verdict.Witness, wrong []int) string {
	rejected := map[string]bool{}
	for _, c := range wrong {
		rejected[w.History[c-1].String()] = true
	}
	var texts []string
	for _, c := range w.Explanation.Calls {
		if text := w.History[c-1].String(); rejected[text] {
			texts = append(texts, text)
		}
	}
	all := "them all"
	if len(texts) == 2 {
		all = "both"
	}
	return and(merged(texts)) + ": no order of the calls explains " + all
}

// oneWrong is about the only call that does not fit.
func oneWrong(w *verdict.Witness, call int) string {
	e := &w.History[call-1]
	var results []string
	before, same := "", true
	for i, o := range w.Explanation.Tried {
		for _, r := range o.Rejected[0].Allowed {
			text := strings.Join(r.Results, ", ")
			if r.Panicked {
				text = "a panic"
			}
			if text == "" {
				text = "to return"
			}
			if !slices.Contains(results, text) {
				results = append(results, text)
			}
		}
		if here := counted(w, o.Calls); i == 0 {
			before = here
		} else {
			same = same && here == before
		}
	}
	text := e.String()
	if same && before != "" && len(w.Explanation.Tried[0].Calls) <= 4 {
		text += " after " + before
	}
	switch {
	case len(results) == 0:
		return text + ": in no order of the calls it can return"
	case last(w, call) && same:
		return text + "; in every order it is " + strings.Join(results, " or ")
	}
	return text + ": no order of the calls explains it, it would be " + strings.Join(results, " or ")
}

// last says that a call began when all others had returned.
func last(w *verdict.Witness, call int) bool {
	for i := range w.History {
		if e := &w.History[i]; i+1 != call && (e.Responded == 0 || e.Responded > w.History[call-1].Invoked) {
			return false
		}
	}
	return true
}

// counted lists calls, equal ones counted: "two Inc() and Add(1)".
func counted(w *verdict.Witness, calls []int) string {
	var texts []string
	for _, c := range calls {
		texts = append(texts, w.History[c-1].CallText())
	}
	slices.Sort(texts)
	return and(merged(texts))
}

// merged has each text once, where it comes first, with how often it comes: "two Inc()".
func merged(texts []string) (once []string) {
	count := map[string]int{}
	for _, text := range texts {
		if count[text]++; count[text] == 1 {
			once = append(once, text)
		}
	}
	for i, text := range once {
		if n := count[text]; n > 1 {
			once[i] = number(n) + " " + text
		}
	}
	return once
}

func number(n int) string {
	words := [...]string{"no", "one", "two", "three", "four", "five"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}

// and joins texts: "a, b and c".
func and(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	n := len(texts) - 1
	return strings.Join(texts[:n], ", ") + " and " + texts[n]
}

// stuckCalls lists the calls that threads are stuck in, "Push(1) of thread 1".
func stuckCalls(w *verdict.Witness, only func(*verdict.Situation) bool) []string {
	var list []string
	for i := range w.Waiting {
		if s := &w.Waiting[i]; only(s) {
			list = append(list, of(w, s.Thread))
		}
	}
	return list
}

// of is a thread with its call: "Push(1) of thread 1"; of a program the goroutine.
func of(w *verdict.Witness, thread int) string {
	if w.Source.Program {
		return goroutine(w, thread)
	}
	return callOf(w, thread) + " of " + w.Who(thread)
}

// Thread is a thread's name: "thread 1", of a program "goroutine 1 (main.func1)".
func Thread(w *verdict.Witness, thread int) string { return goroutine(w, thread) }

// goroutine is a goroutine of a program with the function it began with: "goroutine 1
// (main.func1)".
func goroutine(w *verdict.Witness, thread int) string {
	who := w.Who(thread)
	if thread > 1 && thread <= len(w.Goroutines) && w.Goroutines[thread-1] != "" {
		who += " (" + w.Goroutines[thread-1] + ")"
	}
	return who
}

// callOf is the call that a thread has not returned from.
func callOf(w *verdict.Witness, thread int) string {
	if w.Source.Program {
		return goroutine(w, thread)
	}
	for i := range w.History {
		if e := &w.History[i]; e.Thread == thread && e.Responded == 0 {
			return e.CallText()
		}
	}
	return "a goroutine"
}

// waiting says who waits for ever: for each other, if locks say so.
func waiting(w *verdict.Witness) string {
	circle := circleOf(w)
	if len(circle) == 1 {
		s := circle[0]
		return fmt.Sprintf("%s waits for ever for %s, which it holds itself", of(w, s.Thread), s.At)
	}
	if len(circle) > 1 {
		var who, what []string
		for _, s := range circle {
			who = append(who, callOf(w, s.Thread))
			what = append(what, fmt.Sprintf("%s waits for %s, which %s holds", w.Who(s.Thread), s.At, w.Who(s.HeldBy[0])))
		}
		return and(who) + " wait for each other for ever: " + strings.Join(what, ", and ")
	}
	list := stuckCalls(w, func(s *verdict.Situation) bool { return s.Waits })
	if w.Explanation != nil && w.Explanation.Kind == verdict.Partners && len(list) > 1 {
		return and(list) + " wait for ever, although they serve each other"
	}
	if len(list) == 0 {
		return ""
	}
	verb := " waits"
	if len(list) > 1 {
		verb = " wait"
	}
	return and(list) + verb + " for ever, and nothing is left that could wake anybody"
}

// circleOf are the threads that wait for locks of each other, in a circle; nil: there is none.
func circleOf(w *verdict.Witness) []*verdict.Situation {
	by := map[int]*verdict.Situation{}
	for i := range w.Waiting {
		by[w.Waiting[i].Thread] = &w.Waiting[i]
	}
	for i := range w.Waiting {
		var path []*verdict.Situation
		for s := &w.Waiting[i]; s != nil && len(s.HeldBy) == 1; s = by[s.HeldBy[0]] {
			if at := slices.Index(path, s); at >= 0 {
				return path[at:]
			}
			path = append(path, s)
		}
	}
	return nil
}

// running says who goes round for ever.
func running(w *verdict.Witness) string {
	moves := stuckCalls(w, func(s *verdict.Situation) bool { return true })
	if len(moves) == 0 {
		return ""
	}
	text := and(moves)
	switch {
	case w.Class == "livelock" && len(moves) > 1:
		return text + " go on for ever, and nothing can make them return"
	case w.Class == "livelock":
		return text + " goes on for ever, and nothing can make it return"
	case len(moves) > 1:
		return text + " can go on for ever without one of them returning"
	}
	return text + " can go on for ever without returning"
}

// endless says which goroutines of a program go on for ever.
func endless(w *verdict.Witness) string {
	var names []string
	for i := range w.Ending.Involved {
		names = append(names, w.Ending.Involved[i].String())
	}
	return and(names) + " can go on for ever, and the program never ends"
}

// leaking says which goroutine of a collection waits for ever, who started it, and who was the last that could reach what it waits for.
func leaking(w *verdict.Witness) string {
	if len(w.Waiting) == 0 || w.Source.Program {
		return ""
	}
	s := &w.Waiting[0]
	text := "a goroutine"
	if s.Started != nil {
		text = "the goroutine that " + w.By(s.Started) + " starts at " + s.Started.Base()
	}
	text += fmt.Sprintf(" waits for ever: %s at %s", s.For, s.Base())
	if s.Owner != "" {
		text += ", of " + s.Owner
	}
	switch by := s.Abandoned; {
	case by != nil && by.Line > 0:
		text += fmt.Sprintf("; since the %s at %s, in %s, nobody can reach what it waits for", by.Does, by.Base(), w.By(by))
	case by != nil:
		text += "; since " + w.By(by) + " nobody can reach what it waits for"
	case s.At != "":
		text += "; nobody else can reach what it waits for"
	}
	if n := len(w.Waiting) - 1; n > 0 {
		text += fmt.Sprintf(" (and %s more)", number(n))
	}
	return text
}

// racing says which calls race for what.
func racing(w *verdict.Witness) string {
	if len(w.Race) != 2 {
		return ""
	}
	var sides []string
	between, end := " while ", ""
	for i := range w.Race {
		c := &w.Race[i]
		what := "reads"
		if c.Write {
			what = "writes"
		}
		who := "a goroutine"
		if c.Thread > 0 {
			who = callOf(w, c.Thread)
			if who == "a goroutine" && c.Line == 0 && c.Function != "" {
				who = c.Function
			}
		}
		if c.Step > 0 {
			who, between, end = madeBy(w, c), ", and later ", "; nothing orders the two"
		}
		at := c.Base()
		if c.Line == 0 {
			at = c.Function
		}
		sides = append(sides, fmt.Sprintf("%s %s at %s", who, what, at))
	}
	object := w.Race[0].Object
	if object == "" {
		object = "the same memory"
	}
	return "data race: " + sides[0] + between + sides[1] + ", both access " + object + end
}

// madeBy is who has made an access of a race: the call that it was part of.
func madeBy(w *verdict.Witness, c *verdict.Conflict) string {
	if w.Source.Program {
		return goroutine(w, c.Thread)
	}
	for i := range w.History {
		if e := &w.History[i]; e.Thread == c.Thread && e.Invoked <= c.Step && (e.Responded == 0 || c.Step <= e.Responded) {
			return e.CallText()
		}
	}
	return "a goroutine"
}

// panicking says which call panics, with what.
func panicking(w *verdict.Witness) string {
	if w.Crash == nil {
		return ""
	}
	text, _, _ := strings.Cut(w.Crash.Text, "\n")
	who := ""
	if w.Source.Program {
		who = goroutine(w, w.Crash.Thread)
	}
	for i := range w.History {
		if e := &w.History[i]; e.Thread == w.Crash.Thread && (e.Panicked || e.Responded == 0) {
			who = e.CallText()
		}
	}
	if who == "" {
		return text
	}
	at := ""
	for _, f := range w.Stack(w.Crash.Frame) {
		if !f.Library {
			at = " at " + f.Base()
			break
		}
	}
	if strings.HasPrefix(text, "fatal error: ") {
		return who + " ends the program" + at + ": " + text
	}
	return who + " panics" + at + ": " + strings.TrimPrefix(text, "panic: ")
}
