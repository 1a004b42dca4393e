// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
)

// Values, paths, functions and classes of words, by hand-made types.

func TestValue_Join(t *testing.T) {
	at := value{may: shared, at: path{is: true, words: "6", off: 2}}
	for _, c := range []struct {
		v, w value
		want string
	}{
		{value{}, value{}, ""},
		{at, value{}, "s path 6+2"},
		{value{}, at, "s path 6+2"},
		{at, at, "s path 6+2"},
		{at, value{may: shared, at: path{is: true, words: "6", off: 3}}, "s"},
		{at, plain(own), "os"},
		{plain(foreign), plain(own), "of"},
		{value{may: own, hint: hint{sort: isElem, typ: &ir.Type{ID: 5}}}, value{}, "o elem 5"},
	} {
		if got := c.v.join(c.w).String(); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.v, c.w, got, c.want)
		}
	}
}

// A function keeps what it has captured, and is no other function behind a join, nor nil.
func TestClosures_AreOneForEachContent(t *testing.T) {
	all := closures{}
	f, g := &ir.Func{ID: 1}, &ir.Func{ID: 2}
	a, b := all.of(f, []value{plain(own)}), all.of(f, []value{plain(own)})
	if a != b || a.String() != "of func 1(o)" {
		t.Errorf("%q and %q", a, b)
	}
	if got := a.join(all.of(g, nil)); got.fn != nil || got.may != own|foreign {
		t.Errorf("one of two functions is %q", got)
	}
	if got := all.published(a).String(); got != "fs func 1(s)" {
		t.Errorf("published it is %q", got)
	}
	deep := all.of(f, nil)
	for range 10 {
		deep = all.of(f, []value{deep})
	}
	if deep.fn != nil && deep.fn.deep > mostDeep {
		t.Errorf("%q is too deep", deep)
	}
}

func TestPath_Step(t *testing.T) {
	p := path{is: true}
	for range mostSteps {
		if p = p.step(3); !p.is {
			t.Fatal("a short path is lost")
		}
	}
	if p.words != "3,3,3,3" || p.off != 0 {
		t.Errorf("the path is %q", p)
	}
	if p.step(3).is || (path{}).step(3).is {
		t.Error("a path that is too long, or none, leads on")
	}
}

// structs for tests: inner { a int; p *int }, outer { x int; in inner; list [2]int; s []int }.
var (
	intType   = &ir.Type{ID: 1, Name: "int", Class: ir.Int, Named: true, Size: 1}
	ptrType   = &ir.Type{ID: 2, Name: "*int", Class: ir.PointerClass, Elem: intType, Size: 1}
	innerType = &ir.Type{ID: 3, Name: "t.inner", Class: ir.Struct, Named: true, Size: 2, Fields: []ir.Field{{Name: "a", Type: intType}, {Name: "p", Type: ptrType, Offset: 1}}}
	arrayType = &ir.Type{ID: 4, Name: "[2]int", Class: ir.Array, Elem: intType, Len: 2, Size: 2}
	sliceType = &ir.Type{ID: 5, Name: "[]int", Class: ir.Slice, Elem: intType, Size: 3}
	outerType = &ir.Type{ID: 6, Name: "t.outer", Class: ir.Struct, Named: true, Size: 8, Fields: []ir.Field{
		{Name: "x", Type: intType}, {Name: "in", Type: innerType, Offset: 1}, {Name: "list", Type: arrayType, Offset: 3}, {Name: "s", Type: sliceType, Offset: 5}}}
	twinType = &ir.Type{ID: 7, Name: "t.twin", Class: ir.Struct, Named: true, Size: 2, Fields: innerType.Fields}
	lifeType = &ir.Type{ID: 8, Name: "t.life", Class: ir.Int, Named: true, Size: 1}
)

func TestClasses_Inner(t *testing.T) {
	c := classes{}
	for i, want := range []string{"is 6+0", "is 3+0", "is 3+1", "", "", "is 6+5 is 6+6 is 6+7", "is 6+5 is 6+6 is 6+7", "is 6+5 is 6+6 is 6+7"} {
		if got := strings.Join(c.inner(outerType, i).texts(), " "); got != want {
			t.Errorf("word %d is %q, want %q", i, got, want)
		}
	}
	if got := c.inner(arrayType, 1).texts(); !slices.Equal(got, []string{"elem 1"}) {
		t.Errorf("a word of an array is %q", got)
	}
}

// Two classes conflict if by their types accesses may be to one word.
func TestClass_Conflicts(t *testing.T) {
	c := classes{}
	a := c.accessed(intType, hint{sort: isField, typ: innerType})[0]
	twin := c.accessed(intType, hint{sort: isField, typ: twinType})[0]
	x := c.accessed(intType, hint{sort: isField, typ: outerType})[0]
	element := c.accessed(intType, elemOf(intType))[0]
	life := c.accessed(lifeType, elemOf(lifeType))[0]
	any := c.accessed(intType, hint{})[0]
	pointer := c.accessed(ptrType, hint{sort: isField, typ: innerType, n: 1})[0]
	list := c.inner(outerType, 3)
	for _, p := range []struct {
		a, b class
		want bool
	}{
		{a, a, true}, {a, twin, true}, {a, x, false}, {a, element, false}, {a, any, true}, {a, pointer, false}, {any, pointer, false},
		{element, any, true}, {element, life, true}, {list, element, true}, {list, a, true}, {list, pointer, false},
		{c.entriesOf(&ir.Type{Class: ir.Map, Key: intType, Elem: intType}), any, false}, {class{sort: anything}, pointer, true},
	} {
		if got := p.a.conflicts(p.b); got != p.want || p.b.conflicts(p.a) != got {
			t.Errorf("%v and %v conflict: %v, want %v", p.a, p.b, got, p.want)
		}
	}
}
