// SPDX-License-Identifier: BSD-3-Clause

package shape

import "testing"

// The domain of these tests has lists of nodes (type 1: a link, by which a pair follows) and pairs (type 2: a
// link, by which a node follows, and a mark).
const (
	nodeType = 1
	pairType = 2
)

func pairs() *Domain {
	d := &Domain{types: make([]typeInfo, 3), known: map[string]Kind{}, returning: map[Site]bool{}, losses: map[loss]int{}}
	for t, size := range []int{1, 1, 2} {
		d.types[t] = typeInfo{link: 0, to: 3 - t, mutable: make([]bool, size), data: make([]bool, size), plain: make([]bool, size),
			scalar: make([]bool, size), address: make([]bool, size), writes: make([]writes, size)}
		d.types[t].address[0] = true
	}
	d.types[0].link = -1
	d.types[nodeType].mutable[0] = true
	d.types[pairType].scalar[1] = true
	return d
}

// heap is the collection, a node whose word is w, and a pair with a mark.
func heap(d *Domain, w, mark Word) (h Heap, node, pair int) {
	h.New(0, 1)
	node, pair = h.New(nodeType, 1), h.New(pairType, 2)
	for i := range h.Nodes {
		h.Nodes[i].Shared = true
	}
	h.Put(0, 0, Ref(node, 0))
	h.Put(node, 0, w)
	h.Put(pair, 1, mark)
	return h, node, pair
}

// chain is a summary of pairs with some marks in front of w.
func chain(d *Domain, h *Heap, w Word, opt bool, marks ...Word) Word {
	var set Set
	for _, m := range marks {
		_, _, pair := heap(d, Nil, m)
		x, _, _ := heap(d, Nil, m)
		k, _ := d.kindOf(&x, pair)
		set = set.With(k)
	}
	return Ref(h.Add(Node{Class: Above, Opt: opt, Kinds: set, First: set, Last: set, Next: w}), 0)
}

func TestFinal_IsWhatNoWriteReplaces(t *testing.T) {
	one := Const(1)
	for _, c := range []struct {
		name     string
		replaced []Word // marks of pairs, or numbers if plain
		plain    bool
		now      func(d *Domain, h *Heap, pair int) Word
		want     bool
	}{
		{"a pair like one that is replaced", []Word{Nil}, false, func(d *Domain, h *Heap, pair int) Word { h.Put(pair, 1, Nil); return Ref(pair, 0) }, false},
		{"a pair with another mark", []Word{Nil}, false, func(d *Domain, h *Heap, pair int) Word { return Ref(pair, 0) }, true},
		{"both are replaced", []Word{Nil, one}, false, func(d *Domain, h *Heap, pair int) Word { return Ref(pair, 0) }, false},
		{"a pair whose mark is not known", []Word{Nil}, false, func(d *Domain, h *Heap, pair int) Word { h.Put(pair, 1, Top); return Ref(pair, 0) }, false},
		{"nil, and a pair is replaced", []Word{Nil}, false, func(*Domain, *Heap, int) Word { return Nil }, true},
		{"nil is replaced", []Word{Nil}, true, func(*Domain, *Heap, int) Word { return Nil }, false},
		{"nil is replaced, and a pair is there", []Word{Nil}, true, func(d *Domain, h *Heap, pair int) Word { return Ref(pair, 0) }, true},
		{"a number that is not known", []Word{Nil}, true, func(*Domain, *Heap, int) Word { return Top }, false},
		{"a word within a pair", []Word{Nil}, false, func(d *Domain, h *Heap, pair int) Word { return Ref(pair, 1) }, false},
		{"a chain that begins with marked pairs", []Word{Nil}, false, func(d *Domain, h *Heap, _ int) Word { return chain(d, h, Nil, false, one) }, true},
		{"a chain that may begin with others", []Word{Nil}, false, func(d *Domain, h *Heap, _ int) Word { return chain(d, h, Nil, false, one, Nil) }, false},
		{"a chain that may be empty, in front of nil", []Word{Nil}, true, func(d *Domain, h *Heap, _ int) Word { return chain(d, h, Nil, true, one) }, false},
		{"a chain that is not empty, in front of nil", []Word{Nil}, true, func(d *Domain, h *Heap, _ int) Word { return chain(d, h, Nil, false, one) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := pairs()
			for _, old := range c.replaced {
				h, node, pair := heap(d, Nil, old)
				if !c.plain {
					h.Put(node, 0, Ref(pair, 0))
				} else {
					h.Put(node, 0, old)
				}
				if !d.SetReplaced(&h, node, 0, Nil) || d.SetReplaced(&h, node, 0, Nil) {
					t.Error("what is replaced is new once")
				}
			}
			h, node, pair := heap(d, Nil, one)
			h.Put(node, 0, c.now(d, &h, pair))
			if got := d.Final(&h, node, 0); got != c.want {
				t.Errorf("final %t, want %t", got, c.want)
			}
		})
	}
}

func TestFinal_DoesNotRestOnWordsThatChange(t *testing.T) {
	d := pairs()
	h, node, pair := heap(d, Nil, Nil)
	h.Put(node, 0, Ref(pair, 0))
	d.SetReplaced(&h, node, 0, Nil)
	h.Put(pair, 1, Const(1))
	if !d.Final(&h, node, 0) {
		t.Error("the mark is another one")
	}
	d.SetMutable(pairType, 1)
	if d.Final(&h, node, 0) {
		t.Error("the mark may become the one that is replaced")
	}
}

func TestGone_IsWhatNeverComesBack(t *testing.T) {
	d := pairs()
	h, node, pair := heap(d, Nil, Nil)
	other := h.New(pairType, 2)
	h.Nodes[other].Shared = true
	h.Put(node, 0, Ref(pair, 0))
	d.SetReplaced(&h, node, 0, Nil)
	for _, c := range []struct {
		name string
		w    Word
		want bool
	}{{"what is there", Ref(pair, 0), false}, {"another pair", Ref(other, 0), true}, {"nil", Nil, false}} {
		if got := d.Gone(&h, node, 0, c.w); got != c.want {
			t.Errorf("%s: gone %t, want %t", c.name, got, c.want)
		}
	}
	h.Nodes[other].Shared = false
	if d.Gone(&h, node, 0, Ref(other, 0)) {
		t.Error("a private pair may be written there")
	}
	h.Nodes[other].Shared = true
	if !d.SetReplaced(&h, node, 0, Ref(pair, 0)) || d.Gone(&h, node, 0, Ref(other, 0)) {
		t.Error("pairs that others have seen are written there")
	}
	h.Put(node, 0, chain(d, &h, Nil, true, Nil))
	if d.Gone(&h, node, 0, Nil) {
		t.Error("the chain may be empty")
	}
}

func TestBury_ForgetsUntilItIsNeeded(t *testing.T) {
	d := pairs()
	h, node, pair := heap(d, Nil, Nil)
	private := h.New(pairType, 2)
	h.Put(private, 0, Ref(node, 0))
	h.Put(pair, 0, Ref(node, 0))
	here, there := Site{Func: 1, PC: 2}, Site{Func: 1, PC: 3}
	d.Bury(&h, here)
	w, some := h.DeadIn(Ref(private, 0))
	if !some || h.Get(pair, 0).IsDead() {
		t.Fatal("an address in a private cell is forgotten, and none in a shared one")
	}
	d.Need(w)
	h.Put(private, 0, Ref(node, 0))
	if d.Bury(&h, here); h.Get(private, 0).IsDead() {
		t.Error("it is needed here")
	}
	if d.Bury(&h, there); !h.Get(private, 0).IsDead() {
		t.Error("it is not known to be needed there")
	}
}
