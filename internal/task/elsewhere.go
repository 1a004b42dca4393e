// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"pangolin/internal/cache"
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// Tasks that are done on other machines. Who wants results calls Run as always, with Here.Elsewhere;
// the other machine calls Answer with the task's text.

// Elsewhere has a task done on another machine. The error is ErrOnlyHere if this task can only be done
// where its sources are.
type Elsewhere func(ctx context.Context, a *Away) (Sent, error)

// Away is a task that is done elsewhere.
type Away struct {
	Task *Task
	// Origin is noted in the history there; nil: the result is not.
	Origin *Origin
	// Progress is called with the number of states that the searches have visited so far.
	Progress func(states uint64)
}

// Sent is what another machine has sent.
type Sent struct {
	Text    []byte // a result as JSON
	Lasting bool   // it would be the same in each run
	By      string // who has computed it, for people; "": nobody has
}

// ErrOnlyHere says that a task cannot be done elsewhere.
var ErrOnlyHere = errors.New("the task can only be done here")

// ErrUnclear says that the evidence for a verdict cannot be checked without doing the task.
var ErrUnclear = errors.New("the farm's evidence is about another reading of the type, so it is verified here")

// mostElsewhere is how many tasks are elsewhere at the same time. Each costs a goroutine here.
const mostElsewhere = 2048

// sent has a task done elsewhere. ok is false if it can only be done here.
func (h *Here) sent(ctx context.Context, t *Task) (r Result, ok bool) {
	property := ""
	if len(t.Properties) > 0 {
		property = string(t.Properties[0])
	}
	var tell func(engine.Progress)
	if h.Events != nil {
		tell = h.Events(t.Package+"."+t.Wishes.Type, property).Progress
	}
	var origin *Origin
	if h.Kept != nil && t.Mutant == nil { // else there is no line about it in the log here either
		origin = h.Kept.origin(t.Package)
	}
	sent, err := h.Elsewhere(ctx, &Away{Task: t.certified(), Origin: origin, Progress: func(states uint64) {
		if tell != nil {
			tell(engine.Progress{States: states})
		}
	}})
	if err == nil {
		err = r.UnmarshalJSON(sent.Text)
	}
	if err == nil && r.Err == nil && sent.By != "" {
		h.alone.Lock() // loading takes memory
		err = h.believe(ctx, t, &r)
		h.alone.Unlock()
		if err != nil && ctx.Err() == nil && !errors.Is(err, ErrUnclear) {
			err = fmt.Errorf("the result of the farm's worker %s is wrong, and is not used: %w", sent.By, err)
		}
	}
	if errors.Is(err, ErrOnlyHere) || errors.Is(err, ErrUnclear) {
		h.tell(fmt.Sprintf("%s.%s: %v", t.Package, t.Wishes.Type, err))
		return Result{}, false
	}
	if err != nil {
		return Result{Err: err, unlike: true}, true
	}
	r.unlike = !sent.Lasting
	return r, true
}

// certified is the task with certificates of proofs, whether or not they were asked for.
func (t *Task) certified() *Task {
	if t.Mutant != nil { // what is told of one has no certificate
		return t
	}
	one, terms := *t, *t.Terms
	terms.Search.Certify, one.Terms = true, &terms
	return &one
}

// believe checks what can be checked of a result that another machine has computed: that it answers the task, that violations show, and
// that certificates of proofs hold. It removes certificates that were not asked for.
func (h *Here) believe(ctx context.Context, t *Task, r *Result) error {
	if t.Mutant != nil {
		return t.sameMutant(r)
	}
	if err := t.answered(r); err != nil {
		return err
	}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if h.Holds != nil {
			if err := h.Holds(ctx, t, v); errors.Is(err, ErrUnclear) {
				return ErrUnclear
			} else if err != nil {
				return fmt.Errorf("of the verdict on %s: %w", v.Property, err)
			}
		}
		if v.Proof != nil && !t.Terms.Search.Certify {
			v.Proof.Text = nil
		}
	}
	return nil
}

// sameMutant returns an error if a result is not about the task's mutant.
func (t *Task) sameMutant(r *Result) error {
	if r.Mutant == nil {
		return errors.New("it tells nothing of the mutant")
	}
	asked, got := t.Mutant.Fault, *r.Mutant
	got.Outcome, got.Class, got.Reason, got.Client, got.States, got.Seconds = asked.Outcome, asked.Class, asked.Reason, asked.Client, asked.States, asked.Seconds
	if got != asked {
		return fmt.Errorf("it is about the mutant %d at %s:%d, and %d at %s:%d was asked", got.ID, got.File, got.Line, asked.ID, asked.File, asked.Line)
	}
	return nil
}

// answered returns an error if the verdicts are not about the properties and the collection of the task.
func (t *Task) answered(r *Result) error {
	missing := fmt.Errorf("it has %d verdicts, and %d properties were asked", len(r.Verdicts), len(t.Properties))
	if len(r.Verdicts) == 0 || len(r.Verdicts) < len(t.Properties) && !t.Strongest {
		return missing
	}
	name := t.local.inquiry.Found.Name()
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Collection != name || v.Package != t.Package {
			return fmt.Errorf("it is about %s of %s, and %s of %s was asked", v.Collection, v.Package, name, t.Package)
		}
		if !t.Strongest && (i >= len(t.Properties) || v.Property != string(t.Properties[i])) {
			return fmt.Errorf("its verdict %d is about %s, which was not asked", i+1, v.Property)
		}
	}
	first := &r.Verdicts[0]
	if first.Property != string(t.Properties[0]) {
		return fmt.Errorf("its first verdict is about %s, and %s was asked", first.Property, t.Properties[0])
	}
	if stops := t.Properties[0] == verdict.Linear && first.Status != verdict.Violated; len(r.Verdicts) < len(t.Properties) && !stops {
		return missing
	}
	return nil
}

// GivenUp is the result, as text, of a task that was made in this process and that nobody can do.
func (t *Task) GivenUp(why string) ([]byte, error) {
	r := &Result{}
	if t.Mutant != nil {
		m := t.Mutant.Fault
		m.Outcome, m.Reason = verdict.Undecided, why
		r.Mutant = &m
	} else {
		for _, p := range t.Properties {
			r.Verdicts = append(r.Verdicts, t.local.inquiry.GivenUp(p, why))
		}
	}
	return json.Marshal(r)
}

// Parse decodes a task that came as text. The error says that it is none.
func Parse(text []byte) (*Task, error) {
	t := &Task{local: local{text: text}}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("this is no task: %w", err)
	}
	if t.Terms == nil || len(t.Properties) == 0 {
		return nil, errors.New("this is no task: its terms or properties are missing")
	}
	return t, nil
}

// Answer does a task that came as text, in the directory of its sources. The entry has the result's
// text without names of files on this machine, and what equal results have in common. The error says that the
// text is no task.
func (h *Here) Answer(ctx context.Context, text []byte) (e cache.Entry, lasting bool, err error) {
	t, err := Parse(text)
	if err != nil {
		return e, false, err
	}
	for _, r := range h.Run(ctx, func(yield func(*Task) bool) { yield(t) }) {
		lasting = t.Lasting(&r) && ctx.Err() == nil
		if h.Original != nil && r.unlike { // it may have been compiled under a limit on time or memory that the next task does not meet
			*h.Original = Original{}
		}
		if r.Err != nil {
			e.Text, err = json.Marshal(&Result{Err: r.Err, Notes: r.Notes})
			return e, false, err
		}
		if e.Text, e.Same, err = r.Portable(); errors.Is(err, errFailed) {
			lasting, err = false, nil
		}
	}
	return e, lasting, err
}
