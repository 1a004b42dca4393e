// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"context"

	"pangolin/internal/engine"
)

// table holds what threads may know. Any number of threads are in a state of the collection if what each of them knows is listed there, for what all
// know is nothing but the bounds of shared variables.
type table struct {
	m       *machine
	list    []*entry
	entries map[string]*entry
	work    []*entry
	first   *engine.Alarm // the first one; nil: there was none
}

// entry is what a thread may know.
type entry struct {
	local local
	zone  zone
	waits bool // it is in the work that is left
}

// search fills the table until it is closed, with the chain that a word of the collection leads to as its front. The error is an *engine.Alarm, an *engine.ViewsError,
// or the context's.
func search(ctx context.Context, p *program, front, most int) (*table, error) {
	n := &knowledge{atomic: map[int32]bool{}, plain: map[int32]bool{}}
	for {
		n.grew = false
		t := &table{m: newMachine(p, n, front), entries: map[string]*entry{}}
		if err := t.fill(ctx, most); err != nil || !n.grew {
			return t, err
		}
	}
}

func (t *table) fill(ctx context.Context, most int) error {
	if a := t.m.construct(); a != nil {
		return a
	}
	for op := range t.m.p.ops {
		if done, err := t.lead(t.m.call(op)); done {
			return err
		}
	}
	for n := 0; len(t.work) > 0; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(t.list) > most {
			return &engine.ViewsError{Views: most}
		}
		e := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		e.waits = false
		if done, err := t.lead(t.m.step(&e.local, &e.zone)); done {
			return err
		}
	}
	if t.first != nil {
		return t.first
	}
	return nil
}

// lead adds what a step leads to. Nothing is to be gained by going on if what is known of all states has grown, or there is an alarm; but what cells of the chain hold is not known before
// one is linked in: until then an alarm is kept, and what other threads do is looked at first.
func (t *table) lead(list []outcome) (done bool, err error) {
	a := t.m.alarm
	t.m.alarm = nil
	switch {
	case t.m.grew:
		return true, nil
	case a == nil:
		t.add(list)
	case t.first == nil:
		t.first = a
	}
	if t.first != nil && !t.m.opens() {
		return true, t.first
	}
	return false, nil
}

func (t *table) add(list []outcome) {
	for i := range list {
		o := &list[i]
		if o.local.empty { // who knows less, and is in the table, stands for this one
			less := o.local
			less.empty = false
			if e := t.entries[less.key()]; e != nil && e.zone.contains(&o.zone) {
				continue
			}
		}
		key := o.local.key()
		e := t.entries[key]
		if e == nil {
			e = &entry{local: o.local, zone: o.zone}
			t.entries[key] = e
			t.list = append(t.list, e)
		} else if !e.zone.join(&o.zone) {
			continue
		}
		if !e.waits {
			e.waits = true
			t.work = append(t.work, e)
		}
	}
}
