// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"bytes"
	"fmt"
	"slices"

	"pangolin/internal/certificate/zones"
	"pangolin/internal/engine"
	"pangolin/oracle"
)

// certify writes the table as the text of a certificate.
func (t *table) certify(j *engine.Job) ([]byte, error) {
	m := t.m
	x := &zones.Certificate{Head: zones.NewHead(j.Subject.Source, j.Subject.Prog), Threads: []zones.Thread{}}
	h := &x.Head
	for _, off := range m.fingers {
		h.Fingers = append(h.Fingers, int(off))
	}
	for i, p := range m.words {
		switch guessed := p.claim == open && m.guess(i); { // no cell is ever linked in: what was guessed is true of the first one, the only one
		case p.claim == link:
			h.Next = i
			h.Words = append(h.Words, "next")
		case p.claim == position || guessed:
			h.Words = append(h.Words, "number")
		default:
			h.Words = append(h.Words, p.String())
		}
	}
	for _, p := range m.slots {
		h.Slots = append(h.Slots, zones.Slot{Word: int(p.word), Index: int(p.index)})
	}
	for _, c := range m.offers {
		words := []string{}
		for _, p := range c {
			words = append(words, p.String())
		}
		h.Offers = append(h.Offers, words)
	}
	h.Left = texts(m.left)
	h.Bounds = bounds(&m.bounds)
	if m.lent {
		h.Offered = bounds(&m.lend)
	}
	for _, e := range t.list {
		x.Threads = append(x.Threads, t.thread(e))
	}
	var text bytes.Buffer
	err := x.Write(&text)
	return text.Bytes(), err
}

func bounds(z *zone) []zones.Bound {
	out := []zones.Bound{}
	for _, b := range z.bounds() {
		out = append(out, zones.Bound(b))
	}
	return out
}

// String is what certificates write of a part of an offer.
func (p part) String() string {
	switch p.claim {
	case item:
		return fmt.Sprintf("item %d", p.n)
	case position:
		return fmt.Sprintf("number %d", p.n)
	case link:
		return fmt.Sprintf("cell %d", p.n)
	}
	return "?"
}

// String is the value as certificates write it.
func (v value) String() string {
	switch v.form {
	case constant:
		return fmt.Sprint(v.x)
	case number:
		return fmt.Sprintf("number %d%+d", v.v, v.x)
	case itemOwn:
		return fmt.Sprintf("item own %d", v.x)
	case itemCell:
		return fmt.Sprintf("item cell %d.%d", v.v, v.x)
	case itemOffer:
		return fmt.Sprintf("item offer %d.%d", v.v, v.x)
	case root:
		return fmt.Sprintf("word %d", v.x)
	case slice:
		return fmt.Sprintf("slice %d", v.x)
	case slot:
		return fmt.Sprintf("slot %d", v.x)
	case fixed:
		return fmt.Sprintf("constant %d", v.x)
	case cell:
		return fmt.Sprintf("cell %d.%d", v.v, v.x)
	case offer:
		return fmt.Sprintf("offer %d.%d.%d", v.v, v.c, v.x)
	case private:
		return fmt.Sprintf("private %d.%d", v.v, v.x)
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
func (t *table) thread(e *entry) zones.Thread {
	l := &e.local
	z := e.zone.clone()
	z.close()
	x := zones.Thread{Op: t.m.p.ops[l.op].name, Did: l.deed(), Empty: l.empty, Vars: l.vars, Since: l.since, Offers: [][]int{}, Offered: l.offered, Slot: l.slot, Met: l.met,
		Private: [][]string{}, Shown: []bool{}, Bounds: bounds(&z), Calls: []zones.Call{}}
	for _, o := range l.offers {
		x.Offers = append(x.Offers, slices.Clone(o))
	}
	for i := range l.private {
		x.Private = append(x.Private, texts(l.private[i].words))
		x.Shown = append(x.Shown, l.private[i].shown > 0)
	}
	for i := range l.frames {
		f := &l.frames[i]
		c := zones.Call{Func: f.Fn.ID, PC: f.PC, Regs: []int{}, Values: texts(f.Regs)}
		for _, r := range t.m.live.Registers(f.Fn, f.PC, i < len(l.frames)-1) {
			c.Regs = append(c.Regs, int(r))
		}
		x.Calls = append(x.Calls, c)
	}
	return x
}

// deed is what a thread did, as certificates write it.
func (l *local) deed() string {
	switch l.did {
	case linked:
		return fmt.Sprintf("linked %d", l.what)
	case handed:
		return "handed"
	case tookCell:
		return fmt.Sprintf("took cell %d", l.what)
	case tookOffer:
		return fmt.Sprintf("took offer %d", l.what)
	}
	return ""
}

// content says what a proof is about.
func (t *table) content() string {
	text := "the items from the cell behind the front"
	if t.m.lent {
		text += ", and those that are handed over"
	}
	return text
}

// unreached lists what no thread of the table does, of which a proof says nothing. Harnesses are not executed.
func (t *table) unreached() []string {
	for _, f := range t.m.p.prog.Funcs {
		for pc := range f.Code {
			if f.Harness {
				t.m.covered.Note(f, pc, engine.Executed|engine.Succeeds|engine.Fails)
			}
		}
	}
	out := t.m.covered.Unreached(t.m.p.prog)
	for _, o := range t.m.p.ops {
		deeds := []string{"put an item into the chain"}
		if o.role == oracle.Take {
			deeds = []string{"take an item out of the chain"}
			if o.ok >= 0 || o.orNil {
				deeds = append(deeds, "find nothing")
			}
		}
		for _, what := range deeds {
			if !t.m.did[o.name+" ... "+what] {
				out = append(out, o.name+" that would "+what)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
