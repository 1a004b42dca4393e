// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"bytes"
	"testing"

	"pangolin/internal/ir"
)

// A stack of cells, drawn: what a thread sees between calls, and in front of the swap with which it pushes.
func TestDraw_ShowsWhatAThreadSees(t *testing.T) {
	word := &ir.Type{Name: "int", Class: ir.Int, Size: 1}
	pointer := &ir.Type{Name: "*cell", Class: ir.PointerClass, Size: 1}
	stack := &ir.Type{ID: 0, Name: "Stack", Class: ir.Struct, Size: 1, Fields: []ir.Field{{Name: "top", Type: pointer}}}
	cell := &ir.Type{ID: 1, Name: "cell", Class: ir.Struct, Size: 2, Fields: []ir.Field{{Name: "item", Type: word}, {Name: "next", Type: pointer, Offset: 1}}}
	push := &ir.Func{Short: "(*Stack).Push", Code: make([]ir.Instr, 1), Pos: []ir.Pos{{Line: 12}}, Names: []ir.Name{{Reg: 2, Name: "c", Type: pointer}}}
	p := &ir.Program{Types: []*ir.Type{stack, cell}, Funcs: []*ir.Func{push}, Files: []string{"stack.go"}}
	k, ref := Word{Form: Item, N: Equal}, func(n int32) Word { return Word{Form: Ref, N: n} }
	chain := Node{Chain: true, MayBeEmpty: true, All: []int{0}, First: []int{0}, Last: []int{0}}
	c := &Certificate{
		Head:  Head{Links: []Place{{Type: 1, Off: 1}}},
		Kinds: []Kind{{Type: 1, Words: []Word{{Form: Item, N: Above}, {}}}},
		Views: []View{
			{Heap: []Node{{Type: 0, Words: []Word{ref(1)}}, chain}},
			{Calls: []Call{{Regs: []Reg{{Reg: 2, Word: ref(2)}, {Reg: 5, Word: Word{N: 1}}}}}, Arg: k, Saw: []Seen{Empty}, Taken: k,
				Heap: []Node{{Type: 0, Words: []Word{ref(1)}}, chain, {Type: 1, Private: true, Words: []Word{k, {}}}}},
		},
		Effects: []Effect{
			{Heap: []Node{{Type: 0, Words: []Word{ref(1)}}, chain, {Type: 1, Words: []Word{k, ref(1)}}}, At: ref(0), Words: []Word{ref(2)}},
			{Heap: []Node{{Type: 0, Words: []Word{{}}}}, At: ref(0), Lock: Take},
		},
	}
	var out bytes.Buffer
	if err := c.Draw(&out, p); err != nil {
		t.Fatal(err)
	}
	const want = `between calls: 1
  it calls nothing
    @0 Stack{top: @1}
    @1 [cell{item: >k}]* -> 0
stack.go:12 in (*Stack).Push before nop: 1
  argument =k, empty, taken =k, c = @2, r5 = 1
    @0 Stack{top: @1}
    @1 [cell{item: >k}]* -> 0
    @2 cell{item: =k, next: nil} (its own)
writes of other threads: 2
  @0.top = @2
    @0 Stack{top: @1}
    @1 [cell{item: >k}]* -> 0
    @2 cell{item: =k, next: @1}
  take @0.top
    @0 Stack{top: nil}
`
	if out.String() != want {
		t.Errorf("it is drawn as\n%s", out.String())
	}
	if few := c.Places(p, 0); len(few) != 2 || few[0].Count != 1 || len(few[0].Views) != 0 {
		t.Errorf("without views: %v", few)
	}
}
