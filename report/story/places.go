// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"cmp"
	"slices"

	"pangolin/verdict"
)

// Spot is a place in the source, with what happens there.
type Spot struct {
	verdict.Place
	Text string
}

// Spots are the places that the sentence about an execution speaks of, the most important one first: where an operation whose result is wrong
// looks last, or calls what does it; each side of a race, where goroutines wait, where a panic begins; behind them the step that does the damage, and at the end the last
// steps of the execution. Places that are not known are left out.
func Spots(w *verdict.Witness) (list []Spot) {
	add := func(p verdict.Place, text string) {
		if p.Line > 0 && !slices.ContainsFunc(list, func(s Spot) bool { return s.File == p.File && s.Line == p.Line }) {
			list = append(list, Spot{p, text})
		}
	}
	for _, call := range wrongCalls(w) {
		for _, p := range within(w, call) {
			add(p, w.History[call-1].String())
		}
	}
	for i := range w.Race {
		text := "reads"
		if w.Race[i].Write {
			text = "writes"
		}
		add(w.Race[i].Place, callOf(w, w.Race[i].Thread)+" "+text)
	}
	if w.Crash != nil {
		for _, f := range w.Stack(w.Crash.Frame) {
			if !f.Library {
				add(f.Place, "panics here")
			}
		}
	}
	circle := circleOf(w)
	for _, s := range circle {
		add(outermost(w, s.Frame), w.Doing(s))
		add(s.Place, w.Doing(s))
	}
	for i := range w.Waiting {
		s := &w.Waiting[i]
		add(outermost(w, s.Frame), w.Doing(s))
		add(s.Place, w.Doing(s))
		if s.Started != nil {
			add(s.Started.Place, "the goroutine is started here")
		}
		if s.Abandoned != nil {
			add(s.Abandoned.Place, "from here on nobody can reach what it waits for")
		}
	}
	if w.Damage > 0 {
		add(w.Steps[w.Damage-1].Place, "from here on the execution cannot succeed")
	}
	for i := len(w.Steps) - 1; i >= 0; i-- {
		add(w.Steps[i].Place, cmp.Or(w.Steps[i].Operation, "a step of the execution"))
	}
	return list
}

// within is the last place of a call, counted from 1: in the operation itself, and then in what it has called there.
func within(w *verdict.Witness, call int) []verdict.Place {
	e := &w.History[call-1]
	last := (*verdict.Step)(nil)
	for i := e.Invoked; i <= len(w.Steps) && (e.Responded == 0 || i <= e.Responded); i++ {
		if s := &w.Steps[i-1]; s.Thread == e.Thread && s.Line > 0 {
			last = s
		}
	}
	if last == nil {
		return nil
	}
	return []verdict.Place{outermost(w, last.Frame), last.Place}
}

// outermost is where the user's code that a call executes stands, on the way to a frame: in the operation itself, or in the function of a goroutine.
func outermost(w *verdict.Witness, frame int) verdict.Place {
	for _, f := range slices.Backward(w.Stack(frame)) {
		if !f.Library && f.Line > 0 {
			return f.Place
		}
	}
	return verdict.Place{}
}
