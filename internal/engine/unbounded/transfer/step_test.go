// SPDX-License-Identifier: BSD-3-Clause

package transfer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// Steps of programs in which every instruction is seen, on memories that are drawn in the test.

// machine executes a program whose collection nobody judges.
func machine(p *assembler.Program, ordered bool) *Machine {
	return New(shape.NewDomain(p.Program, ordered), nil, Coverage{})
}

// lab executes steps of one program. A step by which something is learned of the program's words is made once more; if that
// is that a word is read which its view has forgotten, it has no result.
type lab struct {
	*assembler.Program
	d *shape.Domain
	p *content.Property
}

func (l *lab) do(step func(*Machine) *Result) *Result {
	for range 4 {
		m := New(l.d, l.p, Coverage{})
		if r := step(m); !m.Grew {
			return r
		}
	}
	return &Result{}
}

// call lets an idle thread call an operation.
func (l *lab) call(v *shape.View, name string, param shape.Class) *Result {
	op := slices.IndexFunc(l.p.Ops, func(o content.Operation) bool { return o.Name == name })
	return l.do(func(m *Machine) *Result { return m.Call(v, op, l.Func(name), param) })
}

func (l *lab) step(v *shape.View) *Result { return l.do(func(m *Machine) *Result { return m.Step(v) }) }

// stack is the stack, of which is known that top is written, from any value to any.
func stack() *lab {
	p := assembler.Parse(assembler.Treiber)
	d := shape.NewDomain(p.Program, false)
	d.SetMutable(p.Type("Stack").ID, 0)
	d.SetData(p.Type("cell").ID, p.Field("cell", "item"))
	x := holding(p, shape.Above)
	x.Put(0, 0, shape.Top)
	d.SetReplaced(&x.Heap, 0, 0, shape.Ref(1, 0))
	ops := []content.Operation{{Name: "Push", Role: oracle.Put, Param: true, Item: -1, OK: -1}, {Name: "Pop", Role: oracle.Take, Item: 0, OK: 1}}
	return &lab{p, d, content.New(d, content.Map{}, oracle.Stack, ops)}
}

// holding is an idle view of a stack that holds items, the top one first.
func holding(p *assembler.Program, items ...shape.Class) *shape.View {
	v := &shape.View{}
	h := &v.Heap
	h.New(p.Type("Stack").ID, 1)
	for i, c := range items {
		n := h.New(p.Type("cell").ID, 2)
		h.Put(n, 0, shape.Data(c))
		if i == 0 {
			h.Put(0, 0, shape.Ref(n, 0))
		} else {
			h.Put(n-1, 1, shape.Ref(n, 0))
		}
	}
	for n := range h.Nodes {
		h.Nodes[n].Shared = true
	}
	if len(items) > 0 {
		h.Put(len(items), 1, shape.Ref(h.Add(shape.Node{Class: shape.Above, Opt: true}), 0))
	}
	return v
}

// text draws a view: where the thread stands, and the nodes. A private one has a stroke; chains that are folded are in brackets, with what
// is known of how many cells they have; where it is certain that no cell is hidden nothing is drawn.
func text(p *assembler.Program, v *shape.View) string {
	out := "idle:"
	if !v.Idle() {
		f := v.Frames[len(v.Frames)-1]
		out = fmt.Sprintf("%s %d:", p.Funcs[f.Func].Name, f.PC)
	}
	for n := range v.Nodes {
		switch d := &v.Nodes[n]; {
		case d.Empty():
			out += fmt.Sprintf(" %d[]%s", n, d.Next)
		case d.Summary && d.Opt:
			out += fmt.Sprintf(" %d[*]%s", n, d.Next)
		case d.Summary:
			out += fmt.Sprintf(" %d[+]%s", n, d.Next)
		default:
			private := ""
			if !d.Shared {
				private = "'"
			}
			out += fmt.Sprintf(" %d%s%v", n, private, v.Of(n))
		}
	}
	return out
}

// texts draws the views of a result, in order of their texts.
func texts(p *assembler.Program, r *Result) []string {
	var out []string
	for _, v := range r.Views {
		out = append(out, text(p, v))
	}
	slices.Sort(out)
	return out
}

// expect compares what a step leads to.
func expect(t *testing.T, p *assembler.Program, r *Result, want ...string) {
	t.Helper()
	if r.Alarm != nil {
		t.Fatalf("alarm: %s", r.Alarm.Message)
	}
	slices.Sort(want)
	if got := texts(p, r); !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// at writes where a thread stands: "Push 6:".
func (l *lab) at(function, label string) string {
	return fmt.Sprintf("%s %d:", function, l.Label(function, label))
}

func TestCall_GoesUpToTheFirstSharedAccess(t *testing.T) {
	l := stack()
	r := l.call(holding(l.Program), "Push", shape.Equal)
	expect(t, l.Program, r, l.at("Push", "load")+" 0[0] 1'[=k _]")
	if len(r.Writes) != 0 {
		t.Error("writes to its own cell are nobody's business")
	}
}

func TestStep_EndsAtTheNextSharedAccess(t *testing.T) {
	l := stack()
	v := l.call(holding(l.Program, shape.Above), "Push", shape.Equal).Views[0]
	r := l.step(v) // the load, and the store into its own cell
	expect(t, l.Program, r, l.at("Push", "swap")+" 0[@1] 1[>k @2] 2[]0 3'[=k _]")
	l.step(r.Views[0]) // now it is known that next of its own cell is read behind the swap
	r = l.step(v)
	expect(t, l.Program, r, l.at("Push", "swap")+" 0[@1] 1[>k @2] 2[]0 3'[=k @1]")
	r = l.step(r.Views[0]) // the compare-and-swap, with which it returns
	expect(t, l.Program, r, "idle: 0[@1] 1[=k @2] 2[+]0")
	if len(r.Writes) != 1 || r.Writes[0].Plain || len(r.Writes[0].Words) != 1 || r.Writes[0].Target != shape.Ref(0, 0) {
		t.Errorf("writes: %+v", r.Writes)
	}
}

func TestStep_FailsToSwapWhatHasChanged(t *testing.T) {
	l := stack()
	v := l.step(l.call(holding(l.Program), "Push", shape.Equal).Views[0]).Views[0]
	n := v.New(l.Type("cell").ID, 2) // somebody else puts an item
	v.Put(n, 0, shape.Data(shape.Above))
	v.Nodes[n].Shared = true
	v.Put(0, 0, shape.Ref(n, 0))
	r := l.step(v)
	expect(t, l.Program, r, l.at("Push", "load")+" 0[@1] 1[>k @2] 2[]0 3'[=k _]")
	if len(r.Writes) != 0 {
		t.Error("nothing was written")
	}
}

// Behind the first cell is no cell, or one of two kinds: three ways to go on.
func TestStep_FollowsEachCaseOfASummary(t *testing.T) {
	l := stack()
	var kinds shape.Set
	for _, c := range []shape.Class{shape.Equal, shape.Above} {
		x := holding(l.Program, shape.Above, c)
		kinds |= shape.NewCanonizer(l.d).Run(&x.Heap, nil, nil).Nodes[2].Kinds
	}
	v := holding(l.Program, shape.Equal)
	v.Nodes[2] = shape.Node{Summary: true, Shared: true, Class: shape.Above, Opt: true, Kinds: kinds, First: kinds, Last: kinds}
	v = l.call(v, "Pop", 0).Views[0]
	expect(t, l.Program, l.step(v),
		l.at("Pop", "swap")+" 0[@1] 1[=k @2] 2[]0",
		l.at("Pop", "swap")+" 0[@1] 1[=k @2] 2[]@3 3[>k @4] 4[*]0",
		l.at("Pop", "swap")+" 0[@1] 1[=k @2] 2[]@3 3[=k @4] 4[*]0")
}
