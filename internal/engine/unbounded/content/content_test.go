// SPDX-License-Identifier: BSD-3-Clause

package content

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// What collections of a few cells hold, and what operations may do to it. The cells are drawn as lists: Above, Equal
// is a chain of a cell whose item differs from k and one whose item is k.

const types = `
type cell { item int; mark bool; next *cell }
type pair { left int; right int; next *pair }
type C { first *cell; last *cell; both *pair; n int }
func New() *C
    c = new C
    return c
`

var (
	other, itemK, below = shape.Data(shape.Above), shape.Data(shape.Equal), shape.Data(shape.Below)
	set                 = shape.Const(1)
)

// bench is a property of the chain from first, of cells whose items are known to be items.
func bench(kind oracle.Kind, m Map, ops ...Operation) (*assembler.Program, *Property) {
	p := assembler.Parse(types)
	d := shape.NewDomain(p.Program, kind == oracle.Set)
	for _, at := range [][2]string{{"cell", "item"}, {"pair", "left"}, {"pair", "right"}} {
		d.SetData(p.Type(at[0]).ID, p.Field(at[0], at[1]))
	}
	return p, New(d, m, kind, ops)
}

// chain is a collection whose word first leads to cells with items; a nil in the list is a cell with what nobody knows behind: no
// cell or several.
func chain(p *assembler.Program, items ...shape.Word) *shape.Heap {
	h := &shape.Heap{}
	h.New(p.Type("C").ID, p.Type("C").Size)
	n, off := 0, p.Field("C", "first")
	for _, item := range items {
		next := h.New(p.Type("cell").ID, 3)
		h.Put(next, 0, item)
		h.Put(n, off, shape.Ref(next, 0))
		n, off = next, p.Field("cell", "next")
	}
	for i := range h.Nodes {
		h.Nodes[i].Shared = true
	}
	return h
}

// hide puts a chain of which nothing is known behind the last cell.
func hide(p *assembler.Program, h *shape.Heap) *shape.Heap {
	last := len(h.Nodes) - 1
	h.Put(last, p.Field("cell", "next"), shape.Ref(h.Add(shape.Node{Class: shape.Above, Opt: true, Kinds: 1, First: 1, Last: 1}), 0))
	return h
}

func TestCertain_SaysWhatASetHolds(t *testing.T) {
	p, _ := bench(oracle.Set, Map{})
	mark := Map{Mark: p.Field("cell", "mark"), MarkType: p.Type("cell").ID}
	marked := func(w shape.Word, items ...shape.Word) *shape.Heap {
		h := chain(p, items...)
		h.Put(1, p.Field("cell", "mark"), w)
		return h
	}
	private := chain(p, itemK)
	private.Nodes[1].Shared = false
	ring := chain(p, below, other)
	ring.Put(2, p.Field("cell", "next"), shape.Ref(1, 0))
	for _, c := range []struct {
		name string
		m    Map
		h    *shape.Heap
		want shape.Flags
	}{
		{"no cell", Map{}, chain(p), shape.SawAbsent},
		{"other items", Map{}, chain(p, below, other), shape.SawAbsent},
		{"k", Map{}, chain(p, below, itemK, other), shape.SawPresent},
		{"others, and a chain that cannot have k", Map{}, hide(p, chain(p, below)), shape.SawAbsent},
		{"a sentinel", Map{}, chain(p, shape.Const(0), itemK), shape.SawPresent},
		{"k with a mark", mark, marked(set, itemK), shape.SawAbsent},
		{"k without a mark", mark, marked(shape.Nil, itemK), shape.SawPresent},
		{"k, and it is not known whether with a mark", mark, marked(shape.Top, itemK), 0},
		{"k with a mark, and k without", mark, marked(set, itemK, itemK), shape.SawPresent},
		{"a mark that is not asked for", Map{}, marked(set, itemK), shape.SawPresent},
		{"a cell that nobody shares", Map{}, private, 0},
		{"a ring", Map{}, ring, 0},
	} {
		_, prop := bench(oracle.Set, c.m)
		if got := prop.Certain(c.h); got != c.want {
			t.Errorf("%s: %b, want %b", c.name, got, c.want)
		}
	}
}

func TestCertain_SaysWhetherAQueueIsEmpty(t *testing.T) {
	p, plain := bench(oracle.Queue, Map{})
	_, dummy := bench(oracle.Queue, Map{Skip: 1})
	for _, c := range []struct {
		name string
		p    *Property
		h    *shape.Heap
		want bool
	}{
		{"no cell", plain, chain(p), true},
		{"a cell", plain, chain(p, other), false},
		{"no cell behind the first", dummy, chain(p, other), true},
		{"a cell behind the first", dummy, chain(p, other, other), false},
		{"the first one is missing", dummy, chain(p), false},
		{"perhaps cells behind the first", dummy, hide(p, chain(p, other)), false},
	} {
		if got := c.p.Certain(c.h) == shape.SawEmpty; got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

var (
	put    = Operation{Name: "Put", Role: oracle.Put, Param: true, Item: -1, OK: -1}
	take   = Operation{Name: "Take", Role: oracle.Take, Item: 0, OK: 1}
	add    = Operation{Name: "Add", Role: oracle.Add, Param: true, Item: -1, OK: 0}
	remove = Operation{Name: "Remove", Role: oracle.Remove, Param: true, Item: -1, OK: 0}
	has    = Operation{Name: "Has", Role: oracle.Contains, Param: true, Item: -1, OK: 0}
)

// write is what a write to the word first or next of a cell does, which is judged then.
func write(p *assembler.Program, prop *Property, h *shape.Heap, n int, to shape.Word, v *shape.View) error {
	off := p.Field("C", "first")
	if n > 0 {
		off = p.Field("cell", "next")
	}
	after := h.Clone()
	after.Put(n, off, to)
	after.Publish(to)
	return prop.Step(&Write{Before: h, After: &after, At: shape.Ref(n, off), N: 1}, v)
}

func TestStep_AcceptsAPutAtItsEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		kind oracle.Kind
		at   int // the cell whose link is written; 0: the collection
		next int // what the new cell links
		want string
	}{
		{"a stack's first cell", oracle.Stack, 0, 1, ""},
		{"a stack's last cell", oracle.Stack, 2, 0, "in a way that it should not"},
		{"a queue's last cell", oracle.Queue, 2, 0, ""},
		{"a queue's first cell", oracle.Queue, 0, 1, "in a way that it should not"},
		{"in the middle", oracle.Queue, 1, 2, "in a way that it should not"},
		{"in place of another", oracle.Stack, 0, 2, "in a way that it should not"},
	} {
		p, prop := bench(c.kind, Map{}, put)
		h := chain(p, other, itemK)
		cell := h.New(p.Type("cell").ID, 3)
		h.Put(cell, 0, other)
		if c.next > 0 {
			h.Put(cell, p.Field("cell", "next"), shape.Ref(c.next, 0))
		}
		v := &shape.View{Param: shape.Above}
		said(t, c.name, write(p, prop, h, c.at, shape.Ref(cell, 0), v), c.want)
		if done := v.Flags&shape.Linearized != 0; done != (c.want == "") {
			t.Errorf("%s: it has taken effect: %t", c.name, done)
		}
	}
}

// said compares an error with a part of its text; "" is none.
func said(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want == "", err != nil && want != "" && strings.Contains(err.Error(), want):
	default:
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

func TestStep_RefusesAnotherItem(t *testing.T) {
	p, prop := bench(oracle.Stack, Map{}, put)
	h := chain(p)
	cell := h.New(p.Type("cell").ID, 3)
	h.Put(cell, 0, itemK)
	said(t, "another item", write(p, prop, h, 0, shape.Ref(cell, 0), &shape.View{Param: shape.Above}), "another item than its argument")
}

func TestStep_RefusesCellsThatNobodyShares(t *testing.T) {
	p, prop := bench(oracle.Stack, Map{}, take)
	h := chain(p, itemK)
	h.Nodes[1].Shared = false
	said(t, "a private cell", write(p, prop, h, 0, shape.Nil, &shape.View{}), "it cannot be told what is held")
}

func TestStep_RefusesASecondEffect(t *testing.T) {
	p, prop := bench(oracle.Stack, Map{}, take)
	v := &shape.View{}
	said(t, "the first", write(p, prop, chain(p, itemK, other), 0, shape.Ref(2, 0), v), "")
	if v.Taken != itemK {
		t.Errorf("taken: %s", v.Taken)
	}
	said(t, "the second", write(p, prop, chain(p, other), 0, shape.Nil, v), "a second time")
}

func TestStep_TakesFromTheFront(t *testing.T) {
	for name, c := range map[string]struct {
		at   int
		to   shape.Word
		want string
	}{
		"the first":       {0, shape.Ref(2, 0), ""},
		"the last":        {2, shape.Nil, "in a way that it should not"},
		"two":             {0, shape.Ref(3, 0), "in a way that it should not"},
		"one in between":  {1, shape.Ref(3, 0), "in a way that it should not"},
		"nothing at all":  {0, shape.Ref(1, 0), ""},
		"by a put (Role)": {0, shape.Ref(2, 0), "in a way that it should not"},
	} {
		p, prop := bench(oracle.Queue, Map{}, take)
		if strings.HasPrefix(name, "by a put") {
			p, prop = bench(oracle.Queue, Map{}, put)
		}
		said(t, name, write(p, prop, chain(p, other, itemK, other), c.at, c.to, &shape.View{}), c.want)
	}
}

// Of a cell with two items it is not known which one is held.
func TestStep_RefusesCellsWithTwoItems(t *testing.T) {
	p := assembler.Parse(types)
	d := shape.NewDomain(p.Program, false)
	d.SetData(p.Type("pair").ID, 0)
	d.SetData(p.Type("pair").ID, 1)
	prop := New(d, Map{Word: p.Field("C", "both")}, oracle.Stack, []Operation{take})
	h := chain(p)
	n := h.New(p.Type("pair").ID, 3)
	h.Nodes[n].Shared = true
	h.Put(n, 0, itemK)
	h.Put(n, 1, other)
	h.Put(0, p.Field("C", "both"), shape.Ref(n, 0))
	after := h.Clone()
	after.Put(0, p.Field("C", "both"), shape.Nil)
	said(t, "a pair", prop.Step(&Write{Before: h, After: &after, At: shape.Ref(0, p.Field("C", "both")), N: 1}, &shape.View{}), "takes something that is no item")
}

func TestStep_LetsASetChangeByItsArgument(t *testing.T) {
	without, with := []shape.Word{below, other}, []shape.Word{below, itemK, other}
	for _, c := range []struct {
		name    string
		op      Operation
		param   shape.Class
		flags   shape.Flags
		removes bool
		want    string
	}{
		{"adding k", add, shape.Equal, 0, false, ""},
		{"removing k", remove, shape.Equal, 0, true, ""},
		{"k again", add, shape.Equal, shape.Linearized, false, "a second time"},
		{"adding another", add, shape.Above, 0, false, "another value than its argument"},
		{"a Remove that adds", remove, shape.Equal, 0, false, "Remove adds its argument"},
		{"an Add that removes", add, shape.Equal, 0, true, "Add removes its argument"},
		{"a Has that removes", has, shape.Equal, 0, true, "Has removes its argument"},
	} {
		p, prop := bench(oracle.Set, Map{}, c.op)
		// The cell with k is there in both; what is written is whether the one before it leads to it.
		h := chain(p, with...)
		to := shape.Ref(2, 0)
		if !c.removes {
			h.Put(1, p.Field("cell", "next"), shape.Ref(3, 0))
		} else {
			to = shape.Ref(3, 0)
		}
		said(t, c.name, write(p, prop, h, 1, to, &shape.View{Param: c.param, Flags: c.flags}), c.want)
	}
	p, prop := bench(oracle.Set, Map{}, remove)
	said(t, "another value", write(p, prop, chain(p, without...), 1, shape.Nil, &shape.View{Param: shape.Above}), "")
}

func TestReturn_OfASetMustHaveBeenRight(t *testing.T) {
	for _, c := range []struct {
		op    Operation
		done  bool
		flags shape.Flags // a comma between what it has seen
		right bool
	}{
		{add, true, shape.Linearized, true},
		{add, true, shape.SawAbsent, false}, // it has added nothing
		{add, false, shape.SawPresent, true},
		{add, false, shape.SawAbsent, false},
		{add, false, 0, false},
		{add, false, shape.Linearized | shape.SawPresent, false}, // it has added k
		{remove, true, shape.Linearized, true},
		{remove, true, shape.SawPresent, false},
		{remove, false, shape.SawAbsent, true},
		{remove, false, shape.SawPresent, false},
		{has, true, shape.SawPresent, true},
		{has, true, shape.SawAbsent, false},
		{has, false, shape.SawAbsent, true},
		{has, false, shape.SawPresent, false},
	} {
		_, prop := bench(oracle.Set, Map{}, c.op)
		result := shape.Nil
		if c.done {
			result = shape.Const(1)
		}
		v := &shape.View{Param: shape.Equal, Flags: c.flags}
		if err := prop.Return(v, []shape.Word{result}); (err == nil) != c.right {
			t.Errorf("%s = %t after %b: %v", c.op.Name, c.done, c.flags, err)
		}
		if err := prop.Return(v, []shape.Word{shape.Top}); err == nil {
			t.Errorf("%s returns what nobody knows", c.op.Name)
		}
		not := c.op
		not.Not = true // the result says that it was not done
		_, prop = bench(oracle.Set, Map{}, not)
		if err := prop.Return(v, []shape.Word{shape.Const(1 - result.Value())}); (err == nil) != c.right {
			t.Errorf("%s (inverted): %v", c.op.Name, err)
		}
	}
}

func TestReturn_OfATakeIsWhatItHasTaken(t *testing.T) {
	yes, no := shape.Const(1), shape.Nil
	for _, c := range []struct {
		name    string
		v       shape.View
		results []shape.Word
		want    string
	}{
		{"what was taken", shape.View{Flags: shape.Linearized, Taken: itemK}, []shape.Word{itemK, yes}, ""},
		{"something else", shape.View{Flags: shape.Linearized, Taken: itemK}, []shape.Word{other, yes}, "another item"},
		{"a number", shape.View{Flags: shape.Linearized, Taken: itemK}, []shape.Word{shape.Top, yes}, "another item"},
		{"nothing taken", shape.View{}, []shape.Word{itemK, yes}, "nothing has been taken"},
		{"empty", shape.View{Flags: shape.SawEmpty}, []shape.Word{shape.Nil, no}, ""},
		{"empty, never seen", shape.View{}, []shape.Word{shape.Nil, no}, "at no moment"},
		{"empty, and taken", shape.View{Flags: shape.Linearized | shape.SawEmpty, Taken: itemK}, []shape.Word{shape.Nil, no}, "has taken an item"},
		{"empty, with an item", shape.View{Flags: shape.SawEmpty}, []shape.Word{itemK, no}, "returns something"},
		{"with an offer", shape.View{Flags: shape.SawEmpty | shape.Offering}, []shape.Word{shape.Nil, no}, "has an offer"},
	} {
		_, prop := bench(oracle.Queue, Map{}, take)
		said(t, c.name, prop.Return(&c.v, c.results), c.want)
	}
	_, prop := bench(oracle.Queue, Map{}, put)
	said(t, "a put that did nothing", prop.Return(&shape.View{}, nil), "nothing has been added")
}

func TestInitial_HoldsNothing(t *testing.T) {
	for _, kind := range []oracle.Kind{oracle.Set, oracle.Queue, oracle.Stack} {
		p, prop := bench(kind, Map{})
		said(t, string(kind), prop.Initial(chain(p)), "")
		said(t, string(kind), prop.Initial(chain(p, itemK)), "not certain")
	}
}

// Random chains before and after a random write are read by an obvious list of items, too. Shared with the code is the heap only.
func TestStep_AgreesWithLists(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	count := map[string]int{}
	for range 10_000 {
		kind := []oracle.Kind{oracle.Queue, oracle.Stack}[r.IntN(2)]
		op := []Operation{put, take}[r.IntN(2)]
		p, prop := bench(kind, Map{}, op)
		var items []shape.Word
		for range r.IntN(4) {
			items = append(items, []shape.Word{other, itemK}[r.IntN(2)])
		}
		h := chain(p, items...)
		cell := h.New(p.Type("cell").ID, 3)
		param := []shape.Class{shape.Above, shape.Equal}[r.IntN(2)]
		h.Put(cell, 0, shape.Data([]shape.Class{shape.Above, shape.Equal}[r.IntN(2)]))
		h.Put(cell, p.Field("cell", "next"), somewhere(r, len(items)))
		at, to := r.IntN(len(items)+1), somewhere(r, cell)
		after := h.Clone()
		off := p.Field("C", "first")
		if at > 0 {
			off = p.Field("cell", "next")
		}
		after.Put(at, off, to)
		after.Publish(to)
		old, _ := listed(p, h)
		now, ok := listed(p, &after)
		v := &shape.View{Param: param}
		err := prop.Step(&Write{Before: h, After: &after, At: shape.Ref(at, off), N: 1}, v)
		want, effect := ok, false // whether it is right
		switch {
		case !ok || slices.Equal(old, now):
		case op.Role == oracle.Put && kind == oracle.Queue:
			want, effect = len(now) > 0 && slices.Equal(now[:len(now)-1], old) && now[len(now)-1] == cell, true
		case op.Role == oracle.Put:
			want, effect = len(now) > 0 && slices.Equal(now[1:], old) && now[0] == cell, true
		default:
			want, effect = len(old) > 0 && slices.Equal(old[1:], now), true
		}
		if want && effect && op.Role == oracle.Put {
			want = h.Get(cell, 0) == shape.Data(param)
		}
		if (err == nil) != want || want && (v.Flags&shape.Linearized != 0) != effect {
			t.Fatalf("%s of a %s, %v becomes %v: %v", op.Name, kind, old, now, err)
		}
		if want && effect && op.Role == oracle.Take && v.Taken != h.Get(old[0], 0) {
			t.Fatalf("taken: %s", v.Taken)
		}
		count[fmt.Sprintf("%s%t%t", op.Name, want, effect)]++
	}
	for _, what := range []string{"Puttruetrue", "Puttruefalse", "Putfalsetrue", "Taketruetrue", "Taketruefalse", "Takefalsetrue"} {
		if count[what] < 20 {
			t.Errorf("%s: %d times only", what, count[what])
		}
	}
}

// somewhere is one of the nodes from 1 to n, or nil.
func somewhere(r *rand.Rand, n int) shape.Word {
	if i := r.IntN(n + 1); i > 0 {
		return shape.Ref(i, 0)
	}
	return shape.Nil
}

// listed are the cells of a chain; false if it goes round.
func listed(p *assembler.Program, h *shape.Heap) (cells []int, ok bool) {
	w := h.Get(0, p.Field("C", "first"))
	for w != shape.Nil {
		if slices.Contains(cells, w.Node()) {
			return nil, false
		}
		cells = append(cells, w.Node())
		w = h.Get(w.Node(), p.Field("cell", "next"))
	}
	return cells, true
}

func TestCandidates_AreTheChainsOfTheCollection(t *testing.T) {
	p := assembler.Parse(types)
	for _, c := range []struct {
		kind    oracle.Kind
		ordered bool
		want    []string
	}{
		{oracle.Queue, false, []string{"the cells from first", "the cells from first but for the first", "the cells from last", "the cells from last but for the first", "the cells from both", "the cells from both but for the first"}},
		{oracle.Set, true, []string{"the cells from first whose mark is not set", "the cells from first", "the cells from last whose mark is not set", "the cells from last", "the cells from both"}},
	} {
		d := shape.NewDomain(p.Program, c.ordered)
		var got []string
		for _, m := range Candidates(d, p.Type("C"), c.kind) {
			got = append(got, m.Describe(p.Program, p.Type("C")))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.kind, got, c.want)
		}
	}
}
