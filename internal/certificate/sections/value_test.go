// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"testing"

	"pangolin/internal/ir"
)

// The values of the tests of texts and of coverage are of this program: type 1 is int, 2 a struct of it, function 0 captures nothing, function 1 two words.
func smallProgram() *ir.Program {
	number := &ir.Type{ID: 1, Name: "int", Class: ir.Int, Named: true, Size: 1}
	pair := &ir.Type{ID: 2, Name: "pair", Class: ir.Struct, Named: true, Size: 2, Fields: []ir.Field{{Name: "a", Type: number}, {Name: "b", Type: number, Offset: 1}}}
	pointer := &ir.Type{ID: 3, Name: "*pair", Class: ir.PointerClass, Elem: pair, Size: 1}
	fn := &ir.Type{ID: 4, Name: "func()", Class: ir.FuncClass, Size: 1}
	return &ir.Program{
		Types:   []*ir.Type{nil, number, pair, pointer, fn},
		Globals: []*ir.Global{{Name: "g", Type: pair}},
		Funcs:   []*ir.Func{{ID: 0, Name: "plain"}, {ID: 1, Name: "closure", Free: []*ir.Type{pointer, fn}}},
	}
}

func smallParser() parser {
	p := smallProgram()
	return parser{p, newTypes(p)}
}

// parsed is the value of a text in a word that may be a function.
func parsed(t *testing.T, text string) value {
	t.Helper()
	v, ok := smallParser().value(text, ir.Code)
	if !ok {
		t.Fatalf("%q is no value", text)
	}
	return v
}

// What is printed is what was parsed.
func TestText_IsThatOfOneValue(t *testing.T) {
	for _, text := range []string{"", "o", "f", "s", "of", "os", "fs", "ofs", "s path +0", "s path +3", "s path 6+0", "s path 6,0+3", "s path 1,2,3,4+5", "s path 6+1 is 2+1", "o is 2+0", "o is 2+1", "os elem 1", "f global 0+1",
		"f func 0()", "of func 0()", "of func 1(;)", "ofs func 1(s;o)", "ofs func 1(s path 6+0;of func 1(o is 2+1;f func 0()))", "fs is 2+1 func 1(;f)"} {
		if v := parsed(t, text); v.String() != text {
			t.Errorf("%q is printed as %q", text, v)
		}
	}
}

// Nothing else is a value.
func TestText_RefusesAllOther(t *testing.T) {
	for _, text := range []string{" ", "x", "so", "oo", "o ", " o", "o  is 2+0", "s path", "s path ", "s path 6", "s path +", "s path +-1", "s path +01", "s path 1,2,3,4,5+0", "s path ,+0", "s path 6,+0", "o path +0", "os path +0", "path +0",
		"s path +0 path +0", "s is 2+0 path +0", "s is 2+0 is 2+0", "o is 2", "o is 2+3", "o is 1+0", "o is 9+0", "o is 0+0", "o is -2+0", "o elem 2", "o elem 9", "o elem", "o elem 1+0", "f global 1+0", "o global 0+0", "fs global 0+0", "f global 0",
		"func 0()", "o func 0()", "os func 1(s;o)", "f func", "f func 0", "f func 0(", "f func 0)", "f func 2()", "f func -1()", "f func 0(;)", "f func 0(o)", "f func 1()", "f func 1(o)", "f func 1(o;o;o)", "f func 1(x;o)", "f func 0()x", "of func 1(o;o))", "of func 1((;o)", "ffunc 0()", " func 0()", "f  func 0()",
		"of func 1(;f func 1(;f func 1(;f func 1(;))))", "s path +99999999999999999999", "s path +67108865", "o is 2+99999999999999999999"} {
		if v, ok := smallParser().value(text, ir.Code); ok {
			t.Errorf("%q is parsed as %q", text, v)
		}
	}
	for _, k := range []ir.Kind{ir.Scalar, ir.String, ir.IfaceType} {
		for _, text := range []string{"o", "s path +0", "f func 0()"} {
			if _, ok := smallParser().value(text, k); ok {
				t.Errorf("a word of kind %d is %q", k, text)
			}
		}
	}
	if _, ok := smallParser().value("f func 0()", ir.Pointer); ok {
		t.Error("a pointer is a function")
	}
}

// covering lists values that cover the first one, and others that do not.
var covering = []struct {
	of       string
	yes, not []string
}{
	{"", []string{"", "o", "s", "s path +0", "f global 0+0", "o is 2+0", "f func 0()", "of func 1(;)"}, nil},
	{"o", []string{"o", "os", "ofs"}, []string{"", "s", "fs", "o is 2+0", "o elem 1", "of func 1(;)"}},
	{"os", []string{"os", "ofs"}, []string{"o", "s", ""}},
	{"s path 6+1 is 2+1", []string{"s", "s path 6+1", "s is 2+1", "os", "s path 6+1 is 2+1"}, []string{"s path 6+0", "s path +1", "s is 2+0", "s elem 1", "f"}},
	{"s", []string{"s"}, []string{"s path +0"}},
	{"f func 0()", []string{"f func 0()", "f", "ofs", "of func 0()"}, []string{"", "f func 1(;)", "s path +0", "o is 2+0"}},
	{"of func 1(o;)", []string{"of func 1(o;)", "of func 1(os;f)", "of", "ofs"}, []string{"of func 1(s;)", "of func 1(;)", "of func 0()", "f func 1(o;)", "o", ""}},
	{"of func 1(o;f func 0())", []string{"of func 1(o;f)"}, []string{"of func 1(o;)"}},
}

func TestCovers(t *testing.T) {
	for _, c := range covering {
		v := parsed(t, c.of)
		for _, text := range c.yes {
			if w := parsed(t, text); !w.covers(&v) {
				t.Errorf("%q does not cover %q", text, c.of)
			}
		}
		for _, text := range c.not {
			if w := parsed(t, text); w.covers(&v) {
				t.Errorf("%q covers %q", text, c.of)
			}
		}
	}
}

// What is published is shared, wherever it was captured, and nothing else changes.
func TestPublish(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"o", "s"}, {"f", "f"}, {"of", "fs"}, {"s path +0", "s path +0"}, {"o is 2+1", "s is 2+1"}, {"of func 1(os;of func 1(o;f func 0()))", "fs func 1(s;fs func 1(s;f func 0()))"}} {
		v := parsed(t, c[0])
		old := v
		if v.publish(); v.String() != c[1] {
			t.Errorf("%q is published as %q, not %q", c[0], v, c[1])
		}
		if old.String() != c[0] {
			t.Errorf("the value %q is changed where it is as well", c[0])
		}
	}
}

// A function that leads to nothing may still be called when it is one of several, or a part of something.
func TestJoin_KeepsFunctions(t *testing.T) {
	for _, c := range []struct {
		of   []string
		want string
	}{{nil, ""}, {[]string{"o", "o"}, "o"}, {[]string{"o", "s"}, "os"}, {[]string{"f func 0()", "f func 0()"}, "f func 0()"}, {[]string{"f func 0()", ""}, "f"}, {[]string{"f func 0()", "o"}, "of"}, {[]string{"s path +0", "s path +1"}, "s"}} {
		var list []value
		for _, text := range c.of {
			list = append(list, parsed(t, text))
		}
		if v := join(list); v.String() != c.want {
			t.Errorf("%q are together %q, not %q", c.of, v, c.want)
		}
	}
	if v := boxed([]value{parsed(t, "f func 0()"), {}}); v.set == 0 {
		t.Error("a function in an interface value is nil")
	}
	deep := parsed(t, "of func 1(;f func 0())")
	if v := deep.shallow(1); v.String() != "of func 1(;f)" {
		t.Errorf("without nested functions it is %q", v)
	}
}

// Paths are followed and go on in one object.
func TestPlace(t *testing.T) {
	p := place{set: true}
	for range mostWords {
		p = p.plus(2).from()
	}
	if p.String() != "2,2,2,2+0" || p.plus(1).String() != "2,2,2,2+1" {
		t.Error(p)
	}
	if p.from().set || p.plus(mostOffset+1).set || (place{}).from().set || (place{}).plus(1).set {
		t.Error("a place that is none has become one")
	}
}

// The state that covers another one has the same phase, the same deferred calls, and has published the same.
func TestCovers_States(t *testing.T) {
	fresh := func() *state {
		return &state{phase: writing, holds: shared, deferred: []deferred{{1, []value{only(own)}}}, regs: []value{only(own), {}}}
	}
	for i, change := range []func(s, t *state){
		func(s, _ *state) { s.phase = reading },
		func(s, _ *state) { s.published = true },
		func(_, t *state) { t.published = true },
		func(_, t *state) { t.holds |= foreign },
		func(_, t *state) { t.deferred = nil },
		func(s, _ *state) { s.deferred = nil },
		func(s, _ *state) { s.deferred[0].call = 2 },
		func(s, _ *state) { s.deferred[0].words[0] = value{} },
		func(_, t *state) { t.regs[1] = only(own) },
	} {
		s, u := fresh(), fresh()
		if !s.covers(u) {
			t.Fatal("a state does not cover itself")
		}
		if change(s, u); s.covers(u) {
			t.Errorf("change %d: it is covered", i)
		}
	}
	s := fresh()
	s.publish()
	if u := (&state{writing, 0, true, []deferred{{1, []value{only(shared)}}}, []value{only(shared), {}}}); !s.covers(u) || !u.covers(s) {
		t.Error(s)
	}
	whole := fresh()
	c := whole.clone()
	if c.deferred[0].words[0], c.regs[0] = (value{}), (value{}); whole.deferred[0].words[0].set == 0 || whole.regs[0].set == 0 {
		t.Error("a copy of a state is not one")
	}
}
