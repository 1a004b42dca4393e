// SPDX-License-Identifier: BSD-3-Clause

package ranking

import "slices"

// Case is a view some of whose chains have known sizes.
type Case struct {
	View, Node int    // Node is the number of the case, counted on from the views
	Sizes      []Size // by chain
}

// Size says how many cells a chain has: none, one or several, which is 2; and of which kind the first one is.
type Size struct{ Cells, First int }

// Sizes is a set of sizes: a word for each number of cells, with bits by kind.
type Sizes [3]uint64

// Clone returns a copy of which views can be split.
func (g *Graph) Clone() *Graph {
	c := *g
	c.View, c.Other, c.Edges, c.Locks, c.cases = slices.Clone(g.View), slices.Clone(g.Other), slices.Clone(g.Edges), slices.Clone(g.Locks), slices.Clone(g.cases)
	return &c
}

// Split adds the cases of views; sizes are by view and by chain. Steps that begin at a view that is split count for places and the order of cells
// from then on: the steps of the cases are to be added, and then Join is to be called.
func (g *Graph) Split(views []int, sizes [][][]Size) []Case {
	isSplit := map[int]bool{}
	for i, v := range views {
		isSplit[v] = true
		list := [][]Size{{}}
		for _, chain := range sizes[i] {
			var longer [][]Size
			for _, one := range list {
				for _, size := range chain {
					longer = append(longer, append(one[:len(one):len(one)], size))
				}
			}
			list = longer
		}
		for _, one := range list {
			g.cases = append(g.cases, Case{v, len(g.View), one})
			g.View, g.Other = append(g.View, g.View[v]), append(g.Other, g.Other[v])
		}
	}
	for i := range g.Edges {
		if e := &g.Edges[i]; isSplit[e.From] {
			e.Driven = true
		}
	}
	return g.cases
}

// Join makes steps to views that are split lead to each of the cases to which they may lead.
func (g *Graph) Join() {
	of := map[int][]Case{}
	for _, x := range g.cases {
		of[x.View] = append(of[x.View], x)
	}
	var edges []Edge
	for _, e := range g.Edges {
		cases := of[e.To]
		if len(cases) == 0 || e.Driven {
			edges = append(edges, e)
			continue
		}
		for _, x := range cases {
			fits := true
			for i, size := range x.Sizes {
				fits = fits && e.Sizes[i][size.Cells]>>size.First&1 != 0
			}
			if fits {
				e.To = x.Node
				edges = append(edges, e)
			}
		}
	}
	g.Edges = edges
}
