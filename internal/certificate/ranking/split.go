// SPDX-License-Identifier: BSD-3-Clause

package ranking

// Case is a view with some of its chains empty and the others not.
type Case struct {
	View, Node int    // Node is the number of the case, counted on from the views
	Empty      uint16 // bits of the chains that are empty
}

// Split adds the cases of views, each of which has so many chains that may be empty or not. Steps that begin at a view that is split count for
// places and the order of cells from then on: the steps of the cases are to be added, and then Join is to be called.
func (g *Graph) Split(views, chains []int) []Case {
	isSplit := map[int]bool{}
	for i, v := range views {
		isSplit[v] = true
		for bits := range 1 << chains[i] {
			g.cases = append(g.cases, Case{v, len(g.View), uint16(bits)})
			g.View = append(g.View, g.View[v])
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
		all := uint16(len(cases) - 1)
		for _, x := range cases {
			if x.Empty&^e.Empty == 0 && all&^x.Empty&^e.Full == 0 {
				e.To = x.Node
				edges = append(edges, e)
			}
		}
	}
	g.Edges = edges
}
