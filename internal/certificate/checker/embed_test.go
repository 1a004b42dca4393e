// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/test/level"
)

// A collection is type 1, with one word that leads to a list of cells of type 2, which have an item and a link. A cell is of
// kind a if its item differs from k, and of kind b if it is k.
const (
	collectionType = 1
	cellType       = 2
)

func lists() *Checker {
	return &Checker{types: []layout{{link: -1}, {link: -1}, {link: 1}}, kinds: []kind{
		{typ: cellType, words: []word{item(certificate.Above), zero}},
		{typ: cellType, words: []word{item(certificate.Equal), zero}, equal: true},
	}}
}

const (
	onlyA set = 1 << iota
	onlyB
)

func node(letter byte, next word) cell {
	return cell{typ: cellType, words: []word{item(map[byte]certificate.Class{'a': certificate.Above, 'b': certificate.Equal}[letter]), next}}
}

// memory is the graph of a collection with a list of cells, such as "aba".
func memory(letters string) graph {
	g := graph{{typ: collectionType, words: []word{zero}}}
	for i := range letters {
		next := zero
		if i+1 < len(letters) {
			next = ref(i+2, 0)
		}
		g = append(g, node(letters[i], next))
	}
	if len(letters) > 0 {
		g[0].words = []word{ref(1, 0)}
	}
	return g
}

func chain(all, first, last set, opt bool) cell {
	return cell{chain: true, all: all, first: first, last: last, opt: opt}
}

// claimOf is the graph of a collection with a list of cells and chains.
func claimOf(parts ...cell) graph {
	g := graph{{typ: collectionType, words: []word{zero}}}
	link := func(n int, w word) {
		switch {
		case n == 0:
			g[0].words = []word{w}
		case g[n].chain:
			g[n].next = w
		default:
			g[n].words = []word{g[n].words[0], w}
		}
	}
	for i, p := range parts {
		g = append(g, p)
		link(i, ref(i+1, 0))
	}
	return g
}

func TestCovers_ComparesListsWithChains(t *testing.T) {
	both := onlyA | onlyB
	any := chain(both, both, both, false)
	for _, x := range []struct {
		what  string
		claim graph
		real  graph
		fits  certificate.Fits // how many nodes each chain stands for
		want  bool
	}{
		{"the same cells", claimOf(node('a', zero), node('b', zero)), memory("ab"), nil, true},
		{"one cell more", claimOf(node('a', zero)), memory("ab"), nil, false},
		{"another item", claimOf(node('b', zero)), memory("a"), nil, false},
		{"a chain of three", claimOf(any), memory("aba"), certificate.Fits{3}, true},
		{"a chain that ends too early", claimOf(any), memory("aba"), certificate.Fits{2}, false},
		{"a chain beyond the end", claimOf(any), memory("aba"), certificate.Fits{4}, false},
		{"no number", claimOf(any), memory("aba"), nil, false},
		{"a chain with a cell of another kind", claimOf(chain(onlyA, onlyA, onlyA, false)), memory("aba"), certificate.Fits{3}, false},
		{"a chain that begins with another kind", claimOf(chain(both, onlyB, both, false)), memory("ab"), certificate.Fits{2}, false},
		{"a chain that ends with another kind", claimOf(chain(both, both, onlyA, false)), memory("ab"), certificate.Fits{2}, false},
		{"a chain that may be empty", claimOf(chain(both, both, both, true)), memory(""), certificate.Fits{0}, true},
		{"a chain that may not", claimOf(any), memory(""), certificate.Fits{0}, false},
		// The row compared last is the one met first.
		{"k between two chains", claimOf(chain(onlyA, onlyA, onlyA, false), node('b', zero), chain(onlyA, onlyA, onlyA, false)), memory("aabaaa"), certificate.Fits{2, 3}, true},
	} {
		c := lists()
		c.fit = fits{list: x.fits}
		if got := c.covers(x.claim, x.real, nil); got != x.want {
			t.Errorf("%s: covered is %v", x.what, got)
		}
	}
}

// Nothing but its neighbours leads to the cells of a chain, and none of them is private.
func TestCovers_OfWordsBesideTheList(t *testing.T) {
	both := onlyA | onlyB
	// Nodes 2 and 3, which registers lead to, say nothing of their links.
	claim := append(claimOf(chain(both, both, both, false)), node('b', lost), node('b', lost))
	for _, x := range []struct {
		what  string
		pairs []goal
		want  bool
	}{
		{"no register", nil, true},
		{"a register of the chain's beginning", []goal{{ref(1, 0), ref(1, 0)}}, true},
		{"a register of its middle, claimed to be the beginning", []goal{{ref(1, 0), ref(2, 0)}}, false},
		{"a register of its middle, claimed to be another cell", []goal{{ref(2, 0), ref(2, 0)}}, false},
		{"two registers of one cell, claimed to be two", []goal{{ref(2, 0), ref(4, 0)}, {ref(3, 0), ref(4, 0)}}, false},
		{"two registers of one cell", []goal{{ref(2, 0), ref(4, 0)}, {ref(2, 0), ref(4, 0)}}, true},
		{"a number in place of an address", []goal{{ref(1, 0), zero}}, false},
		{"an address in place of any number", []goal{{top, ref(1, 0)}}, false},
		{"a number in place of any number", []goal{{top, number(7)}}, true},
		{"any number in place of a number", []goal{{number(7), top}}, false},
	} {
		c := lists()
		c.fit = fits{list: certificate.Fits{3}}
		// Node 4 is a cell that only registers lead to.
		if got := c.covers(claim, append(memory("aba"), node('b', zero)), x.pairs); got != x.want {
			t.Errorf("%s: covered is %v", x.what, got)
		}
	}
	c, g := lists(), memory("aba")
	g[2].private = true
	c.fit = fits{list: certificate.Fits{3}}
	if c.covers(claim, g, nil) {
		t.Error("a private cell counts as one of a chain's")
	}
}

// A claim about a list is a regular expression over the kinds of its cells: package regexp decides the same on drawn lists and claims.
func TestCovers_AgreesWithRegularExpressions(t *testing.T) {
	n := 20_000
	if level.Short() {
		n = 2_000
	}
	matches := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(3, uint64(seed)))
		some := func(of set) set {
			for {
				if s := set(r.IntN(4)) & of; s != 0 {
					return s
				}
			}
		}
		letters := func(s set) string { return "[" + map[set]string{onlyA: "a", onlyB: "b", onlyA | onlyB: "ab"}[s] + "]" }
		var parts []cell
		pattern := ""
		for range r.IntN(4) {
			if r.IntN(2) == 0 {
				l := "ab"[r.IntN(2)]
				parts, pattern = append(parts, node(l, zero)), pattern+string(l)
				continue
			}
			all := some(onlyA | onlyB)
			d := chain(all, some(all), some(all), r.IntN(2) == 0)
			one, more := d.first&d.last, letters(d.first)+letters(all)+"*"+letters(d.last)
			form := more
			if one != 0 {
				form = letters(one) + "|" + more
			}
			if form = "(" + form + ")"; d.opt {
				form += "?"
			}
			parts, pattern = append(parts, d), pattern+form
		}
		var text strings.Builder
		for range r.IntN(6) {
			text.WriteByte("ab"[r.IntN(2)])
		}
		want := regexp.MustCompile("^" + pattern + "$").MatchString(text.String())
		c, claim, g := lists(), claimOf(parts...), memory(text.String())
		c.fit = fits{writing: true}
		if got := c.covers(claim, g, nil); got != want {
			t.Fatalf("seed %d: %q is a list of %s: the search says %v", seed, text.String(), pattern, got)
		}
		if !want {
			// Whatever a certificate says, it is not covered.
			c.fit = fits{list: certificate.Fits{int32(r.IntN(4)), int32(r.IntN(4)), int32(r.IntN(4))}}
			if c.covers(claim, g, nil) {
				t.Fatalf("seed %d: %q is no list of %s, and covered with %v", seed, text.String(), pattern, c.fit.list)
			}
			continue
		}
		matches++
		c.fit = fits{list: slices.Clone(c.fit.list)}
		if !c.covers(claim, g, nil) {
			t.Fatalf("seed %d: %q is a list of %s, and not covered with what the search has found, %v", seed, text.String(), pattern, c.fit.list)
		}
	}
	if matches < n/20 {
		t.Errorf("only %d of %d claims hold", matches, n)
	}
}

func TestGraph_FollowsWords(t *testing.T) {
	g := memory("ab")
	g = append(g, node('a', ref(4, 0)), node('b', zero)) // 3 and 4: a thread's own
	g[3].private, g[4].private = true, true
	if got, want := g.reached(0), []bool{true, true, true, false, false}; !slices.Equal(got, want) {
		t.Errorf("the collection leads to %v", got)
	}
	if got, want := g.reached(3), []bool{false, false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("the thread's cell leads to %v", got)
	}
	before := g[2].words
	g.put(2, 1, ref(3, 0))
	g.publish(ref(3, 0))
	if g[3].private || g[4].private {
		t.Error("what a shared cell leads to is still private")
	}
	if before[1] != zero || g.get(2, 1) != ref(3, 0) {
		t.Error("a write has changed the words that other graphs share")
	}
}
