// SPDX-License-Identifier: BSD-3-Clause

package content

import (
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// An object with two registers: flag, a truth value, and value, an item in a cell of its own. Its operations are
//
//	Set(a)      flag becomes a
//	Swap(a, b)  value becomes b if flag is 1 and value is a; what value held is returned
//	Value()     what value held is returned

const registers = `
type box { item int }
type C { flag bool; value *box }
func New() *C
    c = new C
    b = new box
    p = field c value
    store p b
    return c
`

func object() (*assembler.Program, *Property) {
	p := assembler.Parse(registers)
	d := shape.NewDomain(p.Program, false)
	d.SetData(p.Type("box").ID, 0)
	o := &certificate.Object{
		Registers: []certificate.Register{{Word: 0}, {Word: 1, Cell: p.Type("box").ID, Holds: certificate.OfK}},
		Rules: []certificate.Rule{
			{Args: []certificate.Value{certificate.Number}, Assigns: 0, Returns: -1},
			{Args: []certificate.Value{certificate.OfK, certificate.OfK}, Assigns: 1, From: 1, Returns: 1,
				Guards: []certificate.Guard{{Register: 0, Arg: -1, Number: 1}, {Register: 1, Arg: 0}}},
			{Assigns: -1, Returns: 1},
		},
	}
	ops := []Operation{{Name: "Set", Item: -1, OK: -1}, {Name: "Swap", Item: -1, OK: -1}, {Name: "Value", Item: -1, OK: -1}}
	return p, New(d, Map{Object: o}, oracle.Kind("object"), ops)
}

const (
	opSet = iota
	opSwap
	opValue
)

// The choices of Swap's arguments: a bit is set for an argument that is not k.
const (
	kToK shape.Class = iota
	otherToK
	kToOther
	otherToOther
)

// memory is an object whose registers hold something, and a private box with another item, which is node 2.
func memory(p *assembler.Program, flag uint64, value, next shape.Word) *shape.Heap {
	h := &shape.Heap{}
	h.New(p.Type("C").ID, 2)
	for _, item := range []shape.Word{value, next} {
		h.Put(h.New(p.Type("box").ID, 1), 0, item)
	}
	h.Put(0, 0, shape.Const(flag))
	h.Put(0, 1, shape.Ref(1, 0))
	h.Nodes[0].Shared, h.Nodes[1].Shared = true, true
	return h
}

func TestStepObject_FollowsTheRules(t *testing.T) {
	toFlag, toValue := 0, 1
	for _, c := range []struct {
		name        string
		op          uint8
		param       shape.Class
		flag        uint64
		value, next shape.Word
		word        int
		want        string
	}{
		{"Set(1)", opSet, 1, 0, itemK, itemK, toFlag, ""},
		{"Set(0) that writes 1", opSet, 0, 0, itemK, itemK, toFlag, "changes flag as it should not"},
		{"Swap(k, other)", opSwap, kToOther, 1, itemK, other, toValue, ""},
		{"Swap(k, k)", opSwap, kToK, 1, itemK, itemK, toValue, ""},
		{"Swap(other, k) of an item that may be the other", opSwap, otherToK, 1, other, itemK, toValue, ""},
		{"Swap(k, other) that writes k", opSwap, kToOther, 1, itemK, itemK, toValue, "changes value as it should not"},
		{"Swap(other, k) where k is held", opSwap, otherToK, 1, itemK, itemK, toValue, ""}, // it keeps what is there
		{"Swap(other, other) where k is held", opSwap, otherToOther, 1, itemK, other, toValue, "changes value as it should not"},
		{"Swap(k, other), the flag being 0", opSwap, kToOther, 0, itemK, other, toValue, "changes value as it should not"},
		{"Value that writes", opValue, 0, 1, itemK, other, toValue, "changes value as it should not"},
	} {
		p, prop := object()
		h := memory(p, c.flag, c.value, c.next)
		after := h.Clone()
		if c.word == toFlag {
			after.Put(0, 0, shape.Const(1))
		} else {
			after.Put(0, 1, shape.Ref(2, 0))
			after.Nodes[2].Shared = true
		}
		v := &shape.View{Op: c.op, Param: c.param}
		said(t, c.name, prop.Step(&Write{Before: h, After: &after, At: shape.Ref(0, c.word), N: 1}, v), c.want)
		if c.want != "" {
			continue
		}
		if c.op == opSwap && v.Taken != c.value {
			t.Errorf("%s returns %s, not %s", c.name, v.Taken, c.value)
		}
		said(t, c.name+" twice", prop.Step(&Write{Before: h, After: &after, At: shape.Ref(0, c.word), N: 1}, v), "a second time")
	}
}

func TestStepObject_RefusesWritesIntoCells(t *testing.T) {
	p, prop := object()
	h := memory(p, 1, itemK, other)
	after := h.Clone()
	after.Put(1, 0, other)
	said(t, "the box", prop.Step(&Write{Before: h, After: &after, At: shape.Ref(1, 0), N: 1}, &shape.View{Op: opSwap}), "is written while others may see it")
	said(t, "both registers", prop.Step(&Write{Before: h, After: h, At: shape.Ref(0, 0), N: 2}, &shape.View{Op: opSwap}), "together with something else")
}

// An operation that changes nothing returns what a register held at a moment at which it had nothing to change.
func TestObserve_SeesWhenNothingIsToBeChanged(t *testing.T) {
	for _, c := range []struct {
		name  string
		op    uint8
		param shape.Class
		flag  uint64
		value shape.Word
		want  bool
	}{
		{"Value of k", opValue, 0, 0, itemK, true},
		{"Value of another", opValue, 0, 0, other, false}, // nobody asks: its class is right whenever it is
		{"Swap(other, k) of k", opSwap, otherToK, 1, itemK, true},
		{"Swap(k, other) of k", opSwap, kToOther, 1, itemK, false},
		{"Swap(k, other) of k, the flag being 0", opSwap, kToOther, 0, itemK, true},
		{"Swap(k, k) of k", opSwap, kToK, 1, itemK, true},
	} {
		p, prop := object()
		v := &shape.View{Heap: *memory(p, c.flag, c.value, other), Op: c.op, Param: c.param}
		prop.Observe(v, false)
		if got := v.Flags&shape.SawRight != 0; got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

func TestReturnObject_IsWhatItTook(t *testing.T) {
	for _, c := range []struct {
		name   string
		v      shape.View
		result shape.Word
		want   string
	}{
		{"what there was", shape.View{Op: opSwap, Flags: shape.Linearized, Taken: itemK}, itemK, ""},
		{"another value", shape.View{Op: opSwap, Flags: shape.Linearized, Taken: itemK}, other, "another value than there was"},
		{"k, which it has seen", shape.View{Op: opValue, Flags: shape.SawRight}, itemK, ""},
		{"k, which it has not seen", shape.View{Op: opValue}, itemK, "at no moment since its call"},
		{"no item", shape.View{Op: opValue, Flags: shape.SawRight}, shape.Top, "cannot be told"},
		{"Set without effect", shape.View{Op: opSet}, 0, "has not taken effect"},
	} {
		_, prop := object()
		said(t, c.name, prop.Return(&c.v, []shape.Word{c.result}), c.want)
	}
}

// A new object holds k, or something else.
func TestStarts_LeaveOpenWhatIsHeld(t *testing.T) {
	p, prop := object()
	h := memory(p, 0, shape.Nil, shape.Nil)
	heaps, err := prop.Starts(h)
	if err != nil || len(heaps) != 2 || heaps[0].Get(1, 0) != itemK || heaps[1].Get(1, 0) != other {
		t.Errorf("%v, %v", heaps, err)
	}
	if h.Put(0, 1, shape.Nil); true {
		_, err = prop.Starts(h)
		said(t, "no box", err, "cannot be told")
	}
}

func TestExact_RefusesTwoRegistersOfOneKind(t *testing.T) {
	_, prop := object()
	o := prop.Map.Object
	if err := Exact(o); err != nil {
		t.Fatal(err)
	}
	o.Registers = append(o.Registers, certificate.Register{Word: 2, Holds: certificate.OfK})
	o.Rules[1].Guards = append(o.Rules[1].Guards, certificate.Guard{Register: 2, Arg: 0})
	said(t, "two registers", Exact(o), "compares two registers")
	_, prop = object()
	prop.Map.Object.Rules[0].Returns = 0
	said(t, "a flag", Exact(prop.Map.Object), "returns a truth value")
}
