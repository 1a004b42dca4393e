package certificate

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// Draw writes the views for people: for each place in the code at which a thread may stand,
// what it may see there.
func (c *Certificate) Draw(out io.Writer, p *ir.Program) error {
	w := &drawing{Writer: bufio.NewWriter(out), c: c, p: p}
	places := map[string][]*View{}
	var order []string
	for i := range c.Views {
		v := &c.Views[i]
		at := w.place(v)
		if places[at] == nil {
			order = append(order, at)
		}
		places[at] = append(places[at], v)
	}
	slices.Sort(order)
	for _, at := range order {
		fmt.Fprintf(w, "%s: %d\n", at, len(places[at]))
		for _, v := range places[at] {
			w.view(v)
		}
	}
	fmt.Fprintf(w, "writes of other threads: %d\n", len(c.Effects))
	for i := range c.Effects {
		w.effect(&c.Effects[i])
	}
	return w.Flush()
}

// drawing is a drawing in progress.
type drawing struct {
	*bufio.Writer
	c *Certificate
	p *ir.Program
}

// place is where a thread stands, from the innermost call that is not the driver's.
func (w *drawing) place(v *View) string {
	if len(v.Calls) == 0 {
		return "between calls"
	}
	top := v.Calls[len(v.Calls)-1]
	f := w.p.Funcs[top.Func]
	return fmt.Sprintf("%s in %s before %s", w.p.Position(f.Pos[top.PC]), f.Short, w.p.Instr(f, top.PC))
}

func (w *drawing) view(v *View) {
	var facts []string
	if len(v.Calls) == 0 {
		facts = append(facts, "it calls nothing")
	}
	if v.Arg.Form == Item {
		facts = append(facts, "argument "+v.Arg.String())
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
	fmt.Fprintf(w, "  %s\n", strings.Join(facts, ", "))
	w.heap(v.Heap)
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
	w.heap(e.Heap)
}

// field names a word of a node.
func (w *drawing) field(heap []Node, at Word) string {
	n := &heap[at.N]
	if n.Chain {
		return at.String()
	}
	return fmt.Sprintf("@%d%s", at.N, w.p.Types[n.Type].FieldPath(int(at.Off)))
}

// heap draws a memory: cells with their fields, chains as [...], with * if there may be no
// cell, and what they consist of.
func (w *drawing) heap(heap []Node) {
	for i := range heap {
		n := &heap[i]
		if n.Chain {
			var kinds []string
			for _, k := range n.All {
				kinds = append(kinds, w.cell(&Node{Type: w.c.Kinds[k].Type, Words: w.c.Kinds[k].Words}, true))
			}
			end := "+"
			if n.MayBeEmpty {
				end = "*"
			}
			fmt.Fprintf(w, "    @%d [%s]%s -> %s\n", i, strings.Join(kinds, " | "), end, n.Next)
			continue
		}
		own := ""
		if n.Private {
			own = " (its own)"
		}
		fmt.Fprintf(w, "    @%d %s%s\n", i, w.cell(n, false), own)
	}
}

// cell writes the fields of a cell, without its link if it is hidden in a chain, and without
// locks that are free.
func (w *drawing) cell(n *Node, hidden bool) string {
	t := w.p.Types[n.Type]
	var fields []string
	for off, x := range n.Words {
		leaf, at := t.LeafAt(off)
		if hidden && slices.Contains(w.c.Head.Links, Place{n.Type, off}) || leaf.Name == "sync.Mutex" && (at > 0 || x == (Word{})) {
			continue
		}
		text := x.String()
		if kind := t.Layout()[off]; x == (Word{}) && (kind == ir.Pointer || kind == ir.Unsafe) {
			text = "nil"
		}
		fields = append(fields, strings.TrimPrefix(t.FieldPath(off), ".")+": "+text)
	}
	return t.Name + "{" + strings.Join(fields, ", ") + "}"
}
