// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"reflect"

	"pangolin/internal/engine"
	"pangolin/internal/inquiry"
	"pangolin/internal/subject"
)

// Original is the code without a fault, compiled, with all else that its mutants have in common. The zero value is that of no collection.
// Judging a mutant changes nothing in it: doc/soundness.md, "Tasks that share a process".
type Original struct {
	text    []byte // of the task for which it was compiled
	order   *subject.Order
	subject *subject.Subject
	engine  engine.Engine
	notes   []string // told while it was compiled
}

// Alike reports whether two tasks are about mutants, and differ in nothing but the mutant. Neither has been done.
func (t *Task) Alike(other *Task) bool {
	if t.Mutant == nil || other.Mutant == nil {
		return false
	}
	a, b := *t, *other
	a.Mutant, a.local, b.Mutant, b.local = nil, local{}, nil, local{}
	return reflect.DeepEqual(&a, &b)
}

// serves reports whether the code was compiled for a task like this one. The task for which it was compiled is decoded again, since doing it may
// have changed the values that it refers to.
func (o *Original) serves(t *Task) bool {
	if o.text == nil {
		return false
	}
	before, err := Parse(o.text)
	return err == nil && before.Alike(t)
}

// original compiles the code without the fault, unless it is kept.
func (t *Task) original(ctx context.Context, h *Here) (*Original, error) {
	if h.Original != nil && h.Original.serves(t) {
		for _, text := range h.Original.notes {
			h.tell(text)
		}
		return h.Original, nil
	}
	o := &Original{text: t.local.text}
	heard := *h
	heard.Note = func(text string) {
		o.notes = append(o.notes, text)
		h.tell(text)
	}
	if err := t.found(ctx, &heard); err != nil {
		return nil, err
	}
	var err error
	if o.engine, err = t.Terms.Named(); err != nil {
		return nil, err
	}
	q, err := t.local.inquiry.Held(ctx, inquiry.Engines{Events: h.Events})
	if err != nil {
		return nil, err
	}
	if o.order, err = q.Reading.Order(); err != nil {
		return nil, err
	}
	if o.subject, err = o.order.Load(ctx); err != nil {
		return nil, err
	}
	if h.Original != nil {
		*h.Original = *o
	}
	return o, nil
}
