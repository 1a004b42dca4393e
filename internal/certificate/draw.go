// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Draw writes the views for people: for each place in the code what a thread may see there, and the writes of other threads.
func (c *Certificate) Draw(out io.Writer, p *ir.Program) error {
	w := &drawing{Writer: bufio.NewWriter(out), c: c, p: p}
	for _, at := range c.Places(p, len(c.Views)) {
		fmt.Fprintf(w, "%s: %d\n", at.At, at.Count)
		for _, v := range at.Views {
			fmt.Fprintf(w, "  %s\n", strings.Join(v.Facts, ", "))
			w.heap(v.Cells)
		}
	}
	fmt.Fprintf(w, "writes of other threads: %d\n", len(c.Effects))
	for i := range c.Effects {
		w.effect(&c.Effects[i])
	}
	return w.Flush()
}

// Places lists the views by the places in the code that a thread may have reached, at most so many for each place.
func (c *Certificate) Places(p *ir.Program, most int) []verdict.SeenAt {
	w := &drawing{c: c, p: p}
	number := map[string]int{}
	var out []verdict.SeenAt
	for i := range c.Views {
		v := &c.Views[i]
		at := w.place(v)
		k, old := number[at]
		if !old {
			k = len(out)
			number[at] = k
			out = append(out, verdict.SeenAt{At: at})
		}
		if out[k].Count++; out[k].Count <= most {
			out[k].Views = append(out[k].Views, verdict.Seen{Facts: w.facts(v), Cells: w.cells(v.Heap)})
		}
	}
	slices.SortFunc(out, func(a, b verdict.SeenAt) int { return strings.Compare(a.At, b.At) })
	return out
}

// drawing is a drawing in progress.
type drawing struct {
	*bufio.Writer
	c *Certificate
	p *ir.Program
}

// place is the place that a thread has reached in its innermost call.
func (w *drawing) place(v *View) string {
	if len(v.Calls) == 0 {
		return "between calls"
	}
	top := v.Calls[len(v.Calls)-1]
	f := w.p.Funcs[top.Func]
	return fmt.Sprintf("%s in %s before %s", w.p.Position(f.Pos[top.PC]), f.Short, w.p.Instr(f, top.PC))
}

// facts lists what a view says besides the memory.
func (w *drawing) facts(v *View) []string {
	var facts []string
	if len(v.Calls) == 0 {
		facts = append(facts, "it calls nothing")
	}
	switch o := w.c.Head.Object; {
	case v.Arg.Form == Item:
		facts = append(facts, "argument "+v.Arg.String())
	case o != nil && len(v.Calls) > 0 && v.Op < len(o.Rules):
		for i, holds := range o.Rules[v.Op].Args {
			facts = append(facts, "argument "+holds.text(v.Arg.N>>i&1 == 0))
		}
	}
	if v.Mine != nil {
		facts = append(facts, "its descriptor is at "+v.Mine.String())
	}
	for _, s := range v.Saw {
		facts = append(facts, string(s))
	}
	if v.Taken != (Word{}) {
		facts = append(facts, "taken "+v.Taken.String())
	}
	for i := range v.Calls {
		f := w.p.Funcs[v.Calls[i].Func]
		for _, r := range v.Calls[i].Regs {
			name := fmt.Sprintf("r%d", r.Reg)
			if n, off := f.NameOf(ir.Reg(r.Reg)); n != nil {
				if name = n.Name; n.Type.Size > 1 {
					name += n.Type.FieldPath(off)
				}
			}
			facts = append(facts, name+" = "+r.Word.String())
		}
	}
	return facts
}

func (w *drawing) effect(e *Effect) {
	words := make([]string, len(e.Words))
	for i, x := range e.Words {
		words[i] = x.String()
	}
	text := "  " + w.field(e.Heap, e.At) + " = " + strings.Join(words, " ")
	if e.Lock != "" {
		text = "  " + e.Lock + " " + w.field(e.Heap, e.At)
	}
	fmt.Fprintln(w, text)
	w.heap(w.cells(e.Heap))
}

// field names a word of a node.
func (w *drawing) field(heap []Node, at Word) string {
	n := &heap[at.N]
	if n.Chain {
		return at.String()
	}
	return fmt.Sprintf("@%d%s", at.N, w.p.Types[n.Type].FieldPath(int(at.Off)))
}

// heap draws a memory: cells with their fields, and chains as [kinds], followed by * if they may be empty and by + if not.
func (w *drawing) heap(cells []verdict.AbstractCell) {
	for i := range cells {
		c := &cells[i]
		switch {
		case c.Chain && c.MayBeEmpty:
			fmt.Fprintf(w, "    %s [%s]* -> %s\n", c.Name, strings.Join(c.Kinds, " | "), c.Fields[0].Value)
		case c.Chain:
			fmt.Fprintf(w, "    %s [%s]+ -> %s\n", c.Name, strings.Join(c.Kinds, " | "), c.Fields[0].Value)
		case c.Private:
			fmt.Fprintf(w, "    %s %s (its own)\n", c.Name, written(c))
		default:
			fmt.Fprintf(w, "    %s %s\n", c.Name, written(c))
		}
	}
}

// written is a cell in Go's syntax.
func written(c *verdict.AbstractCell) string {
	var fields []string
	for _, f := range c.Fields {
		fields = append(fields, f.Name+": "+f.Value)
	}
	return c.Type + "{" + strings.Join(fields, ", ") + "}"
}

// cells converts a memory to the form of verdicts.
func (w *drawing) cells(heap []Node) []verdict.AbstractCell {
	var out []verdict.AbstractCell
	for i := range heap {
		n := &heap[i]
		c := verdict.AbstractCell{Name: fmt.Sprintf("@%d", i), Private: n.Private, Chain: n.Chain, MayBeEmpty: n.MayBeEmpty}
		if n.Chain {
			for _, k := range n.All {
				one := w.cell(&Node{Type: w.c.Kinds[k].Type, Words: w.c.Kinds[k].Words}, true)
				c.Kinds = append(c.Kinds, written(&one))
			}
			c.Fields = []verdict.Field{{Value: n.Next.String()}}
		} else {
			one := w.cell(n, false)
			c.Type, c.Fields = one.Type, one.Fields
			if n.Offer != (Offer{}) {
				c.Fields = append(c.Fields, verdict.Field{Name: "offer", Value: n.Offer.String()[1:]})
			}
		}
		for k := range c.Fields {
			if to, _, _ := strings.Cut(c.Fields[k].Value, "+"); strings.HasPrefix(to, "@") {
				c.Fields[k].To = to
			}
		}
		out = append(out, c)
	}
	return out
}

// cell lists the fields of a cell, without its link if it is hidden in a chain, and without free locks.
func (w *drawing) cell(n *Node, hidden bool) verdict.AbstractCell {
	t := w.p.Types[n.Type]
	c := verdict.AbstractCell{Type: t.Name}
	for off, x := range n.Words {
		leaf, at := t.LeafAt(off)
		if hidden && slices.Contains(w.c.Head.Links, Place{n.Type, off}) || leaf.Name == "sync.Mutex" && (at > 0 || x == (Word{})) {
			continue
		}
		text := x.String()
		if kind := t.Layout()[off]; x == (Word{}) && (kind == ir.Pointer || kind == ir.Unsafe) {
			text = "nil"
		}
		c.Fields = append(c.Fields, verdict.Field{Name: strings.TrimPrefix(t.FieldPath(off), "."), Value: text})
	}
	return c
}
