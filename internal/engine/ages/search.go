// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"context"
	"maps"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// table holds, for each kind of the youngest cell that counts, what a thread may know beside it, and what steps do to others. Any number
// of threads are in a state of the collection if what each of them knows is listed there.
type table struct {
	m     *machine
	rows  map[int]*row // by the kind of the youngest cell that counts
	views int
	work  []*entry
}

// row is what the table has for one kind.
type row struct {
	first   int
	list    []*entry
	entries map[string]*entry
	effects []*spread
	known   map[effect]*spread // by key
}

// entry is what a thread may know.
type entry struct {
	row   *row
	local local
	exact string // local.exact(); "": it was not computed since the chain has grown
	waits bool   // it is in the work that is left
}

// spread is an effect, with what it does to chains.
type spread struct {
	effect
	does map[string][]chain // what it leads to from a chain, by chain.exact; nothing is remembered when effect.below grows
}

// search fills the table until it is closed. The error is an *engine.Alarm, an *engine.ViewsError, or the context's.
func search(ctx context.Context, p *program, c counting, most int) (*table, error) {
	n := newKnowledge(c)
	for {
		n.grew = false
		t := &table{m: newMachine(p, n), rows: map[int]*row{}}
		if err := t.fill(ctx, most); err != nil || !n.grew {
			return t, err
		}
	}
}

func (t *table) fill(ctx context.Context, most int) error {
	if a := t.m.construct(); a != nil {
		return a
	}
	t.row(none)
	for n := 0; len(t.work) > 0 && t.m.alarm == nil; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if t.views > most {
			return &engine.ViewsError{Views: most}
		}
		e := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		e.waits = false
		t.lead(e.row, t.m.step(e.row.first, &e.local))
		for i := 0; i < len(e.row.effects); i++ {
			t.meet(e, e.row.effects[i])
		}
	}
	if t.m.alarm != nil {
		return t.m.alarm
	}
	return nil
}

// row is that of a kind; if it is new all calls are begun there.
func (t *table) row(first int) *row {
	r := t.rows[first]
	if r == nil {
		r = &row{first: first, entries: map[string]*entry{}, known: map[effect]*spread{}}
		t.rows[first] = r
		for op := range t.m.p.ops {
			for _, is := range []bool{true, false} {
				t.lead(r, t.m.call(first, op, is))
			}
		}
	}
	return r
}

// lead adds what a step leads to from a row.
func (t *table) lead(from *row, list []outcome) {
	for i := range list {
		o := &list[i]
		to := t.row(o.first)
		if !o.idle {
			t.add(to, &o.local)
		}
		if o.effect != nil {
			t.affect(from, o.effect)
		}
	}
}

func (t *table) add(r *row, l *local) {
	key := l.key()
	e := r.entries[key]
	if e == nil {
		e = &entry{row: r, local: l.clone()}
		r.entries[key] = e
		r.list = append(r.list, e)
		t.views++
	} else if !e.local.join(&l.chain) {
		return
	}
	e.exact = ""
	if !e.waits {
		e.waits = true
		t.work = append(t.work, e)
	}
}

// affect adds an effect to those of a row, and applies it to what other threads may know there.
func (t *table) affect(r *row, e *effect) {
	s := r.known[e.key()]
	switch {
	case s == nil:
		s = &spread{effect: *e, does: map[string][]chain{}}
		r.known[e.key()] = s
		r.effects = append(r.effects, s)
	case e.below&^s.below == 0:
		return
	default:
		s.below |= e.below
		clear(s.does)
	}
	for i := 0; i < len(r.list); i++ {
		if !r.list[i].waits {
			t.meet(r.list[i], s)
		}
	}
}

// meet applies an effect to what another thread may know.
func (t *table) meet(v *entry, s *spread) {
	if v.exact == "" {
		v.exact = v.local.exact()
	}
	list, known := s.does[v.exact]
	if !known {
		list = t.m.meet(v.row.first, &s.effect, &v.local.chain)
		s.does[v.exact] = list
	}
	if len(list) == 0 {
		return
	}
	to, held := t.row(s.to), t.m.isHeld(s.to)
	for i := range list {
		l := v.local
		l.chain = list[i] // it is not changed: what is kept is a copy
		l.see(held)
		t.add(to, &l)
	}
}

// effects is the number of steps that others see.
func (t *table) effects() (n int) {
	for _, r := range t.rows {
		n += len(r.effects)
	}
	return n
}

// candidates lists each choice of a state for cells that do not count, and of states that say that k is held, among the small constants in the collection's code.
func candidates(p *program) (list []counting) {
	seen := map[int32]bool{}
	for _, f := range p.prog.Funcs {
		if f.Library() || f.Harness {
			continue
		}
		for i := range f.Code {
			in := &f.Code[i]
			for _, r := range []ir.Reg{in.A, in.B, in.C} {
				if r >= 0 || r == ir.NoReg || int(^r) >= len(p.prog.Consts) || p.prog.ConstKinds[^r] != ir.Scalar {
					continue
				}
				if x := p.prog.Consts[^r]; x <= largest {
					seen[int32(x)] = true
				}
			}
		}
	}
	numbers := slices.Sorted(maps.Keys(seen))
	for _, dead := range numbers {
		var others []int32
		for _, x := range numbers {
			if x != dead {
				others = append(others, x)
			}
		}
		for some := 1; some < 1<<len(others); some++ {
			c := counting{dead: dead}
			for i, x := range others {
				if some>>i&1 != 0 {
					c.held = append(c.held, x)
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// largest is up to which numbers of a program are taken for states.
const largest = 5
