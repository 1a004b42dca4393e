// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"testing"

	"pangolin/internal/certificate"
)

// What the checker compares, piece by piece: memories with claims, locks, offers. The memories are stacks: object 0 leads to cells
// of an item and a link.

// words and memories from what a certificate would say of them.
func wordOf(t *testing.T, text string) (w word) {
	t.Helper()
	if err := w.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return w
}

func drawn(t *testing.T, nodes ...string) (g graph) {
	t.Helper()
	bits := func(list []int) (s set) {
		for _, k := range list {
			s |= 1 << k
		}
		return s
	}
	for _, text := range nodes {
		var n certificate.Node
		if err := n.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		g = append(g, cell{typ: n.Type, private: n.Private, words: n.Words, offer: n.Offer, chain: n.Chain, opt: n.MayBeEmpty,
			all: bits(n.All), first: bits(n.First), last: bits(n.Last), next: n.Next})
	}
	return g
}

func TestCovers_ComparesCellsAndChains(t *testing.T) {
	c := &Checker{types: []layout{{link: -1}, {link: 1}}, kinds: []kind{
		{typ: 1, words: []word{{Form: certificate.Item, N: certificate.Above}, {}}},
		{typ: 1, words: []word{{Form: certificate.Item, N: certificate.Equal}, {}}},
	}}
	list := func(texts ...string) []string { return texts }
	for _, x := range []struct {
		what        string
		claim, real []string
		pairs       []string // words of the claim and of the memory, in turns
		want        bool
	}{
		{"the same", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{=k 0}"), nil, true},
		{"another item", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{>k 0}"), nil, false},
		{"any item", list("0{@1}", "1{? 0}"), list("0{@1}", "1{>k 0}"), nil, true},
		{"any number is no item", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{? 0}"), nil, false},
		{"what is not told", list("0{@1}", "1{_ 0}"), list("0{@1}", "1{@0 0}"), nil, true},
		{"nothing where there is a cell", list("0{0}"), list("0{@1}", "1{=k 0}"), nil, false},
		{"a cell where there is nothing", list("0{@1}", "1{=k 0}"), list("0{0}"), nil, false},
		{"a private cell", list("0{@1}", "1{=k 0}"), list("0{@1}", "'1{=k 0}"), nil, false},
		{"another type", list("0{@1}", "1{=k 0}"), list("0{@1}", "2{=k 0}"), nil, false},
		{"an offer", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{=k 0}!mine,open,put,=k"), nil, false},
		{"other numbers of cells", list("0{@2}", "1{=k 0}", "1{>k @1}"), list("0{@1}", "1{>k @2}", "1{=k 0}"), nil, true},
		{"a ring", list("0{@1}", "1{=k @1}"), list("0{@1}", "1{=k @1}"), nil, true},
		{"a ring of two", list("0{@1}", "1{=k @1}"), list("0{@1}", "1{=k @2}", "1{=k @1}"), nil, false},
		{"a register", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{=k 0}"), list("@1", "@1", "=k", "=k"), true},
		{"a register with another item", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{=k 0}"), list("=k", ">k"), false},
		{"a register into a cell", list("0{@1}", "1{=k 0}"), list("0{@1}", "1{=k 0}"), list("@1+1", "@1"), false},
		{"two registers with one cell, where there are two", list("0{0}", "1{=k 0}"), list("0{0}", "1{=k 0}", "1{=k 0}"), list("@1", "@1", "@1", "@2"), false},
		{"two registers with two cells, where there is one", list("0{0}", "1{=k 0}", "1{=k 0}"), list("0{0}", "1{=k 0}"), list("@1", "@1", "@2", "@1"), false},
		{"two registers with two cells", list("0{0}", "1{=k 0}", "1{=k 0}"), list("0{0}", "1{=k 0}", "1{=k 0}"), list("@1", "@1", "@2", "@2"), true},
		{"an empty chain", list("0{@1}", "[0|0|0]*->0"), list("0{0}"), nil, true},
		{"an empty chain where there is a cell at least", list("0{@1}", "[0|0|0]->0"), list("0{0}"), nil, false},
		{"a chain of one", list("0{@1}", "[0|0|0]*->0"), list("0{@1}", "1{>k 0}"), nil, true},
		{"a chain of two", list("0{@1}", "[0|0|0]->0"), list("0{@1}", "1{>k @2}", "1{>k 0}"), nil, true},
		{"a chain of another kind", list("0{@1}", "[0|0|0]*->0"), list("0{@1}", "1{=k 0}"), nil, false},
		{"a chain of two kinds", list("0{@1}", "[0 1|0|1]*->0"), list("0{@1}", "1{>k @2}", "1{=k 0}"), nil, true},
		{"a chain of two kinds in another order", list("0{@1}", "[0 1|0|1]*->0"), list("0{@1}", "1{=k @2}", "1{>k 0}"), nil, false},
		{"a chain that ends with another kind", list("0{@1}", "[0 1|0 1|0]*->0"), list("0{@1}", "1{=k 0}"), nil, false},
		{"a chain of a chain", list("0{@1}", "[0 1|0|0]*->0"), list("0{@1}", "[0|0|0]*->0"), nil, true},
		{"a chain of a cell and a chain", list("0{@1}", "[0 1|0 1|0 1]->0"), list("0{@1}", "1{=k @2}", "[0|0|0]*->0"), nil, true},
		{"a chain that has a cell, of one that may be empty", list("0{@1}", "[0|0|0]->0"), list("0{@1}", "[0|0|0]*->0"), nil, false},
		{"a chain with a private cell", list("0{@1}", "[0|0|0]*->0"), list("0{@1}", "'1{>k 0}"), nil, false},
		{"a chain in front of a cell", list("0{@1}", "[0|0|0]*->@2", "1{=k 0}"), list("0{@1}", "1{>k @2}", "1{=k 0}"), nil, true},
		{"a chain in front of a cell that is elsewhere", list("0{@1}", "[0|0|0]*->@2", "1{=k 0}"), list("0{@1}", "1{>k @2}", "1{=k 0}", "1{=k 0}"), list("@2", "@3"), false},
		{"a cell within a chain that a register knows", list("0{@1}", "[0|0|0]*->0", "1{>k @1}"), list("0{@1}", "1{>k @2}", "1{>k 0}"), list("@2", "@2"), false},
		{"a register that leads to the chain as well", list("0{@1}", "[0|0|0]*->0"), list("0{@1}", "1{>k 0}"), list("@1", "@1"), true},
		{"a register that leads elsewhere", list("0{@1}", "[0|0|0]*->0"), list("0{@1}", "1{>k 0}", "1{>k 0}"), list("@1", "@2"), false},
	} {
		var pairs []goal
		for i := 0; i < len(x.pairs); i += 2 {
			pairs = append(pairs, goal{wordOf(t, x.pairs[i]), wordOf(t, x.pairs[i+1])})
		}
		c.fit = fits{writing: true}
		claim, real := drawn(t, x.claim...), drawn(t, x.real...)
		if got := c.covers(claim, real, pairs); got != x.want {
			t.Errorf("%s: %t\n%q covers %q", x.what, got, x.claim, x.real)
			continue
		}
		if !x.want {
			continue
		}
		// The numbers that were found are compared, and no others.
		found := c.fit.list
		c.fit = fits{list: found}
		if !c.covers(claim, real, pairs) {
			t.Errorf("%s: not with the numbers %v", x.what, found)
		}
		for i := range found {
			for _, n := range []int32{found[i] - 1, found[i] + 1, -1} {
				other := append(certificate.Fits{}, found...)
				other[i] = n
				if c.fit = (fits{list: other}); c.covers(claim, real, pairs) && n >= 0 && n < found[i] {
					t.Errorf("%s: with the numbers %v, which are not those of the memory", x.what, other)
				}
			}
		}
	}
}

// What one thread knows of a lock, and what another one knows of it in the same state.
func TestLockedSo_LetsOneThreadHoldALock(t *testing.T) {
	for _, x := range []struct {
		x, y word
		own  bool // it is a lock of the collection itself
		want bool
	}{
		{free, free, true, true}, {mine, mine, true, false}, {mine, others, true, true}, {others, mine, true, true}, {mine, free, true, false},
		{free, mine, true, false}, {others, others, true, true}, {others, free, true, false}, {free, others, true, false},
		{free, free, false, true}, {mine, mine, false, false}, {mine, free, false, true}, {free, mine, false, true},
	} {
		if got := lockedSo(x.x, x.y, x.own); got != x.want {
			t.Errorf("%s and %s, of the collection %t: %t", x.x, x.y, x.own, got)
		}
	}
}

// A write that puts an offer where another one was: the new one is another's from now on, the old one is nobody's.
func TestHandOver_MovesOffers(t *testing.T) {
	for _, x := range []struct {
		what   string
		before []string
		write  write
		want   []string // the offers behind it, by node
	}{
		{"one's own offer", []string{"0{0}", "'1{=k 0}!mine,open,put,=k"}, write{at: ref(0, 0), words: []word{ref(1, 0)}}, []string{"", "!others,open,put,=k"}},
		{"an answer to mine", []string{"0{@1}", "1{=k 0}!mine,open,put,=k", "'1{=k 0}!others,met,take,=k"}, write{at: ref(0, 0), words: []word{ref(2, 0)}}, []string{"", "", "!mine,met,take,=k"}},
		{"an answer to nobody", []string{"0{0}", "'1{=k 0}!others,met,take,=k"}, write{at: ref(0, 0), words: []word{ref(1, 0)}}, []string{"", ""}},
		{"nothing where an offer was", []string{"0{@1}", "1{=k 0}!others,open,put,>k"}, write{at: ref(0, 0), words: []word{zero}}, []string{"", ""}},
		{"a number, and then one's own offer", []string{"0{0 0}", "'1{=k 0}!mine,open,put,=k"}, write{at: ref(0, 0), words: []word{number(1), ref(1, 0)}}, []string{"", "!others,open,put,=k"}},
		{"a shared cell", []string{"0{0}", "1{=k 0}!mine,open,put,=k"}, write{at: ref(0, 0), words: []word{ref(1, 0)}}, []string{"", "!mine,open,put,=k"}},
	} {
		g := drawn(t, x.before...)
		g.handOver(&x.write)
		for i, want := range x.want {
			if got := g[i].offer.String(); got != want {
				t.Errorf("%s: node %d has the offer %q, want %q", x.what, i, got, want)
			}
		}
	}
}
