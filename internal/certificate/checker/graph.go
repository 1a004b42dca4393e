// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
)

// A memory as far as it is known; and how a chain is replaced by its first cell and the rest when more becomes known.

type word = certificate.Word

// lost is the value of a register, or of a word of a private cell, about which the certificate says nothing.
var lost = word{Form: certificate.Dead}

var zero = word{}

func number(n int32) word { return word{N: n} }

func ref(n, off int) word { return word{Form: certificate.Ref, N: int32(n), Off: int32(off)} }

// known reports whether a word is one certain number.
func known(w word) bool { return w.Form == certificate.Const }

// The words of a lock: free, held by the thread whose view it is, or by another one, which is known only of the collection's own locks.
var (
	free   = zero
	mine   = number(1)
	others = number(2)
)

// set is a set of kinds.
type set uint64

func (s set) has(k int) bool { return s>>k&1 != 0 }

// cell is a node of a graph: a cell of memory, or a chain of cells.
type cell struct {
	typ     int
	private bool
	words   []word // shared with other graphs, so never changed in place
	offer   offer
	// a chain, which is never private; opt: it may have no cell
	chain, opt       bool
	all, first, last set  // kinds of any of its cells, of the first and of the last one
	next             word // the word of the last cell that links it to what follows
}

// graph is a memory. Node 0 is the collection. Exactly one word leads to each chain.
type graph []cell

func (g graph) get(n, off int) word {
	if g[n].chain {
		return g[n].next
	}
	return g[n].words[off]
}

func (g graph) put(n, off int, w word) {
	c := &g[n]
	if c.chain {
		c.next = w
		return
	}
	c.words = slices.Clone(c.words)
	c.words[off] = w
}

// isChain reports whether a word leads to a chain.
func (g graph) isChain(w word) bool { return w.IsRef() && g[w.N].chain }

// publish marks the cells to which a word leads as shared.
func (g graph) publish(w word) {
	if !w.IsRef() || !g[w.N].private {
		return
	}
	g[w.N].private = false
	for _, x := range g[w.N].words {
		g.publish(x)
	}
}

// reached reports for each node whether it can be reached from some nodes.
func (g graph) reached(from ...int) []bool {
	seen := make([]bool, len(g))
	visit := func(n int) {
		if !seen[n] {
			seen[n] = true
			from = append(from, n)
		}
	}
	first := from
	from = nil
	for _, n := range first {
		visit(n)
	}
	for i := 0; i < len(from); i++ {
		c := &g[from[i]]
		if c.chain {
			if c.next.IsRef() {
				visit(int(c.next.N))
			}
			continue
		}
		for _, w := range c.words {
			if w.IsRef() {
				visit(int(w.N))
			}
		}
	}
	return seen
}

// layout contains the certificate's facts about the words of a type.
type layout struct {
	typ  *ir.Type
	link int // the word that forms chains; -1: none
	// by word: see Mutable, Plain and Items of certificate.Head; mutex: a sync.Mutex begins there
	mutable, plain, item, mutex []bool
	replaced                    [][]certificate.Replaced // by word
	returning                   []bool
}

// kind is a kind of cells in chains: a type with known words.
type kind struct {
	typ   int
	words []word // the word of the link is ignored
	equal bool   // one of its words is k
}

// target is the type of the cells to which a word of node n leads; -1 if it is not known.
func (c *Checker) target(g graph, n, off int) int {
	if !g[n].chain {
		return c.leads(g[n].typ, off)
	}
	to := -1
	for k := range c.kinds {
		if g[n].last.has(k) {
			t := c.leads(c.kinds[k].typ, c.types[c.kinds[k].typ].link)
			if t < 0 || to >= 0 && t != to {
				return -1
			}
			to = t
		}
	}
	return to
}

// leads is the type to which a word of a type points; -1 if it is not known.
func (c *Checker) leads(typ, off int) int {
	if t := c.types[typ].typ.PointeeAt(off); t != nil {
		return t.ID
	}
	return -1
}

// begin replaces the chain to which a word of node n leads by a cell of kind k and the rest of the chain, in place. It returns false, and
// changes nothing, if the chain cannot begin with such a cell.
func (c *Checker) begin(g *graph, n, off, k int) bool {
	at := (*g).get(n, off)
	old := (*g)[at.N]
	d := &c.kinds[k]
	if t := c.target(*g, n, off); !old.first.has(k) || t >= 0 && t != d.typ {
		return false
	}
	link := c.types[d.typ].link
	behind := c.leads(d.typ, link)
	rest := old
	rest.first, rest.opt = 0, false
	for i := range c.kinds {
		if old.all.has(i) && (behind < 0 || c.kinds[i].typ == behind) {
			rest.first |= 1 << i
		}
	}
	mayEnd := old.last.has(k) && (behind < 0 || !old.next.IsRef() || (*g)[old.next.N].chain || (*g)[old.next.N].typ == behind)
	next := old.next
	switch {
	case rest.first == 0 && !mayEnd:
		return false
	case rest.first != 0:
		rest.opt = mayEnd
		*g = append(*g, rest)
		next = ref(len(*g)-1, 0)
	}
	words := slices.Clone(d.words)
	words[link] = next
	*g = append(*g, cell{typ: d.typ, words: words})
	(*g).put(n, off, ref(len(*g)-1, 0))
	return true
}

// cases lists the graphs for which g stands once it is known whether the chain after a word of node n has a cell, and of which kind the
// first one is.
func (c *Checker) cases(g graph, n, off int) []graph {
	var out []graph
	s := g[g.get(n, off).N]
	if s.opt {
		e := slices.Clone(g)
		e.put(n, off, s.next)
		out = append(out, e)
	}
	for k := range c.kinds {
		if !s.first.has(k) {
			continue
		}
		if e := append(make(graph, 0, len(g)+2), g...); c.begin(&e, n, off, k) {
			out = append(out, e)
		}
	}
	return out
}
