// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"pangolin/internal/certificate/places"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// certify writes the table as the text of a certificate.
func (t *table) certify(m *machine, s *subject.Subject) ([]byte, error) {
	x := &places.Certificate{Head: places.NewHead(s.Source, s.Prog)}
	x.Head.Places, x.Head.Slice = int(t.p.length), int(t.p.slice)
	for _, off := range t.p.counters {
		x.Head.Counters = append(x.Head.Counters, int(off))
	}
	for _, s := range t.shared {
		x.Common = append(x.Common, t.common(&s))
	}
	kept := map[[2]int]map[bool]bool{}
	for i := range t.locals {
		l := &t.locals[i]
		x.Threads = append(x.Threads, t.thread(l))
		for k := range l.frames {
			f, calling := &l.frames[k], k < len(l.frames)-1
			at := [2]int{f.Fn.ID, f.PC}
			if kept[at][calling] {
				continue
			}
			if kept[at] == nil {
				kept[at] = map[bool]bool{}
			}
			kept[at][calling] = true
			one := places.Kept{Func: f.Fn.ID, PC: f.PC, Calling: calling, Regs: []int{}}
			for _, r := range m.live.Registers(f.Fn, f.PC, calling) {
				one.Regs = append(one.Regs, int(r))
			}
			x.Kept = append(x.Kept, one)
		}
	}
	slices.SortFunc(x.Kept, func(a, b places.Kept) int { return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.PC, b.PC)) })
	for i := range t.rows {
		x.Rows = append(x.Rows, places.Row{Common: i, Threads: slices.Sorted(slices.Values(t.rows[i].list))})
	}
	var text bytes.Buffer
	err := x.Write(&text)
	return text.Bytes(), err
}

func (l label) String() string { return []string{"", "first", "second", "other"}[l] }

func (c class) String() string {
	return []string{"negative", "below", "lower", "between", "higher", "above"}[c]
}

// String is the value as certificates write it.
func (v value) String() string {
	switch v.kind {
	case constant:
		return fmt.Sprint(v.x)
	case number:
		return class(v.x).String() + []string{"", "<=", "<"}[v.b]
	case next:
		return class(v.x).String() + "+1"
	case item:
		return "item " + label(v.x).String()
	case box:
		return "at " + label(v.x).String()
	case root:
		return fmt.Sprintf("word %d", v.x)
	case array:
		return "slice"
	case elem:
		return "place " + class(v.x).String()
	case cell:
		return fmt.Sprintf("own %d.%d", v.x>>8, v.x&255)
	}
	return "?"
}

func texts(list []value) []string {
	out := []string{}
	for _, v := range list {
		out = append(out, v.String())
	}
	return out
}

// common writes what all threads know.
func (t *table) common(s *shared) places.Common {
	k := places.Common{Counters: []string{}, Claimed: [][2]string{}, Before: s.before.String()}
	for i := range t.p.counters {
		k.Counters = append(k.Counters, s.counters[i].String())
		k.Claimed = append(k.Claimed, [2]string{s.claimed[i][0].String(), s.claimed[i][1].String()})
	}
	for i := range s.held {
		k.Held[i], k.Puts[i] = s.held[i].String(), []string{}
		for bit, what := range []string{"called", "stored", "returned", "taken"} {
			if s.puts[i]>>bit&1 != 0 {
				k.Puts[i] = append(k.Puts[i], what)
			}
		}
	}
	return k
}

// thread writes what a thread knows.
func (t *table) thread(l *local) places.Thread {
	x := places.Thread{Of: l.label.String(), Got: l.got.String(), Stored: l.stored, Positive: l.positive, Added: []int{}, Calls: []places.Call{}, Cells: [][]string{}}
	if !l.idle() {
		x.Op = t.p.ops[l.op-1].name
	}
	for i := range t.p.counters {
		if l.added>>i&1 != 0 {
			x.Added = append(x.Added, i)
		}
	}
	for i := range l.frames {
		f := &l.frames[i]
		x.Calls = append(x.Calls, places.Call{Func: f.Fn.ID, PC: f.PC, Values: texts(f.Regs)})
	}
	for _, c := range l.cells {
		x.Cells = append(x.Cells, texts(c))
	}
	return x
}

// unreached lists what no thread of the table does, of which a proof says nothing: beside what is not executed, taking effect on one of the two items.
func (t *table) unreached(m *machine) []string {
	out := m.covered.Unreached(t.p.prog)
	for _, o := range t.p.ops {
		what := stored
		if o.role == oracle.Take {
			what = taken
		}
		for i, l := range []label{first, second} {
			if !slices.ContainsFunc(t.shared, func(s shared) bool { return s.puts[i]&what != 0 }) {
				out = append(out, fmt.Sprintf("%s taking effect on the %s item", o.name, l))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
