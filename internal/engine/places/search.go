// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/oracle"
)

// table holds, for each state of what all threads know, what a thread may know beside it. Any number of threads are in a state
// of the collection if what each of them knows is listed there.
type table struct {
	p      *program
	shared []shared
	locals []local
	rows   []row // by shared

	sharedIDs map[shared]int
	localIDs  map[string]int
	views     int
	work      [][2]int // shared and local that have not made their step
}

// row is what the table has for one state of what all know.
type row struct {
	has     map[int]bool
	list    []int // locals, in the order in which they were found
	effects []effect
}

// effect is a step of another thread, which leads to another state of what all know.
type effect struct {
	to  int
	who label // the acting Put, if its item is followed: no other thread has it
}

// labels lists those that calls of an operation may have.
func labels(r oracle.Role) []label {
	if r == oracle.Put {
		return []label{first, second, other}
	}
	return []label{none}
}

// search fills the table until it is closed. The error is an *engine.Alarm, an *engine.ViewsError, or the context's.
func search(ctx context.Context, m *machine, most int) (*table, error) {
	t := &table{p: m.p, sharedIDs: map[shared]int{}, localIDs: map[string]int{}}
	for _, s := range initial(m.p) {
		t.add(t.sharedID(s), t.localID(&local{}))
	}
	for n := 0; len(t.work) > 0; n++ {
		at := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		if n%64 == 0 && ctx.Err() != nil {
			return t, ctx.Err()
		}
		if t.views > most {
			return t, &engine.ViewsError{Views: most}
		}
		s, l := t.shared[at[0]], t.locals[at[1]]
		if l.idle() {
			for op := range m.p.ops {
				for _, label := range labels(m.p.ops[op].role) {
					t.lead(at[0], label, m.call(s, op, label))
				}
			}
		} else {
			t.lead(at[0], l.label, m.step(s, &l))
		}
		if m.alarm != nil {
			return t, m.alarm
		}
	}
	return t, nil
}

// initial lists what all threads may know of a new collection.
func initial(p *program) []shared {
	out := []shared{{}}
	for i := range p.counters {
		var next []shared
		for _, s := range out {
			for _, c := range []class{below, lower} { // 0
				s.counters[i] = c
				next = append(next, s)
			}
		}
		out = next
	}
	return out
}

// lead adds what a step leads to from a state.
func (t *table) lead(from int, who label, list []outcome) {
	if !who.followed() {
		who = none
	}
	for i := range list {
		to := t.sharedID(list[i].shared)
		if t.add(to, t.localID(&list[i].local)); to != from {
			t.affect(from, effect{to, who})
		}
	}
}

func (t *table) affect(from int, e effect) {
	r := &t.rows[from]
	for _, known := range r.effects {
		if known == e {
			return
		}
	}
	r.effects = append(r.effects, e)
	for i := 0; i < len(t.rows[from].list); i++ {
		t.meet(e, t.rows[from].list[i])
	}
}

// meet applies an effect to what another thread knows.
func (t *table) meet(e effect, l int) {
	if e.who == none || t.locals[l].label != e.who {
		t.add(e.to, l)
	}
}

func (t *table) add(s, l int) {
	if t.rows[s].has[l] {
		return
	}
	t.rows[s].has[l] = true
	t.rows[s].list = append(t.rows[s].list, l)
	t.views++
	t.work = append(t.work, [2]int{s, l})
	for i := 0; i < len(t.rows[s].effects); i++ {
		t.meet(t.rows[s].effects[i], l)
	}
}

func (t *table) sharedID(s shared) int {
	id, known := t.sharedIDs[s]
	if !known {
		id = len(t.shared)
		t.sharedIDs[s] = id
		t.shared = append(t.shared, s)
		t.rows = append(t.rows, row{has: map[int]bool{}})
	}
	return id
}

func (t *table) localID(l *local) int {
	key := l.key()
	id, known := t.localIDs[key]
	if !known {
		id = len(t.locals)
		t.localIDs[key] = id
		t.locals = append(t.locals, *l)
	}
	return id
}
