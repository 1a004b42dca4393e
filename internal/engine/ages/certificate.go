// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"pangolin/internal/certificate/ages"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// certify writes the table as the text of a certificate.
func (t *table) certify(s *subject.Subject) ([]byte, error) {
	m := t.m
	x := &ages.Certificate{Head: ages.NewHead(s.Source, s.Prog), Kinds: []ages.Kind{}, Kept: []ages.Kept{}, Threads: []ages.Thread{}, Rows: []ages.Row{}}
	x.Head.Dead, x.Head.Ends = int(m.dead), m.ends
	for _, state := range m.held {
		x.Head.Held = append(x.Head.Held, int(state))
	}
	if w := m.words; w != nil {
		x.Head.Item, x.Head.State, x.Head.Link = w.item, w.state, w.link
	}
	for i, k := range m.kinds {
		x.Kinds = append(x.Kinds, ages.Kind{Op: m.p.ops[k.op].name, Found: k.found, Done: k.done, State: int(k.state), Below: t.kinds(m.below[i])})
	}
	kept := map[engine.Site]bool{}
	for _, first := range slices.Sorted(maps.Keys(t.rows)) {
		r := ages.Row{First: first, Threads: []int{}}
		for _, e := range t.rows[first].list {
			r.Threads = append(r.Threads, len(x.Threads))
			x.Threads = append(x.Threads, t.thread(first, &e.local))
			for k := range e.local.frames {
				f := &e.local.frames[k]
				at := engine.Site{Fn: f.Fn, PC: f.PC, Calling: k < len(e.local.frames)-1}
				if kept[at] {
					continue
				}
				kept[at] = true
				one := ages.Kept{Func: f.Fn.ID, PC: f.PC, Calling: at.Calling, Regs: []int{}}
				for _, r := range m.live.Registers(f.Fn, f.PC, at.Calling) {
					one.Regs = append(one.Regs, int(r))
				}
				x.Kept = append(x.Kept, one)
			}
		}
		x.Rows = append(x.Rows, r)
	}
	slices.SortFunc(x.Kept, func(a, b ages.Kept) int { return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.PC, b.PC)) })
	var text bytes.Buffer
	err := x.Write(&text)
	return text.Bytes(), err
}

// kinds lists a set of kinds as certificates do.
func (t *table) kinds(s set) []int {
	out := []int{}
	for _, k := range s.all() {
		if k < len(t.m.kinds) {
			out = append(out, k)
		}
	}
	return out
}

// String is the value as certificates write it.
func (v value) String() string {
	switch v.form {
	case constant:
		return fmt.Sprint(v.x)
	case item:
		return []string{"item other", "item k"}[v.x]
	case root:
		return "word"
	case linked:
		return fmt.Sprintf("cell %d.%d", v.x>>8, v.x&255)
	case private:
		return fmt.Sprintf("private %d.%d", v.x>>8, v.x&255)
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

// thread writes what a thread knows.
func (t *table) thread(first int, l *local) ages.Thread {
	sharp := l.chain.clone()
	t.m.sharpen(first, &sharp)
	x := ages.Thread{Op: t.m.p.ops[l.op].name, Is: l.is, Changed: l.changed, Present: l.present, Absent: l.absent, Empty: l.empty,
		Gaps: []ages.Gap{}, Cells: []ages.Cell{}, Private: [][]string{}, Calls: []ages.Call{}}
	for _, g := range sharp.gaps {
		x.Gaps = append(x.Gaps, ages.Gap{Kinds: t.kinds(g.kinds &^ noneBit), Below: t.kinds(g.below)})
	}
	for _, c := range l.cells {
		x.Cells = append(x.Cells, ages.Cell{Is: c.is, Kind: c.kind, Own: c.own})
	}
	for _, s := range l.private {
		x.Private = append(x.Private, texts(s.words))
	}
	for i := range l.frames {
		f := &l.frames[i]
		x.Calls = append(x.Calls, ages.Call{Func: f.Fn.ID, PC: f.PC, Values: texts(f.Regs)})
	}
	return x
}

// unreached lists what no thread of the table does, of which a proof says nothing: beside what is not executed, taking effect and returning one way.
func (t *table) unreached() []string {
	out := t.m.covered.Unreached(t.m.p.prog)
	for op, o := range t.m.p.ops {
		if o.role != oracle.Contains && !t.m.did[deed{op, effectOf}] {
			out = append(out, o.name+" taking effect")
		}
		for _, done := range []bool{true, false} {
			if !t.m.did[deed{op, resultOf(done)}] {
				out = append(out, fmt.Sprintf("%s returning, done %t", o.name, done))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// effectOf and resultOf are deeds.
const effectOf = "an effect"

func resultOf(done bool) string { return fmt.Sprintf("a result that says done: %t", done) }
