// SPDX-License-Identifier: BSD-3-Clause

package svg

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"

	"pangolin/internal/lts"
)

// arranged gives the rows of a picture: states by their depth, and within a row in the order in which the library's layout has them from side to side.
func arranged(s *lts.System) [][]lts.State {
	depth := depths(s)
	var rows [][]lts.State
	for i, d := range depth {
		for len(rows) <= d {
			rows = append(rows, nil)
		}
		rows[d] = append(rows[d], lts.State(i))
	}
	side := sides(s, depth)
	for sweep := range sweeps {
		for k := range rows {
			if sweep > 0 {
				pull(s, rows[k], side, depth)
			}
			slices.SortStableFunc(rows[k], func(a, b lts.State) int { return cmp.Compare(side[a], side[b]) })
			if sweep > 0 {
				spread(rows[k], side)
			}
		}
	}
	return rows
}

// sweeps is how often states are moved to the middle of their neighbours, which straightens
// what is left crooked by taking one coordinate alone.
const sweeps = 8

// pull moves the states of a row to the mean of their neighbours in other rows.
func pull(s *lts.System, row []lts.State, side []float64, depth []int) {
	sum, n := make(map[lts.State]float64), make(map[lts.State]int)
	note := func(a, b lts.State) {
		if depth[a] == depth[row[0]] && depth[b] != depth[a] {
			sum[a] += side[b]
			n[a]++
		}
	}
	for i := range s.States() {
		for _, e := range s.Edges(lts.State(i)) {
			note(lts.State(i), e.To)
			note(e.To, lts.State(i))
		}
	}
	for _, a := range row {
		if n[a] > 0 {
			side[a] = sum[a] / float64(n[a])
		}
	}
}

// spread gives the states of a row, in their order, equal distances around the middle.
func spread(row []lts.State, side []float64) {
	for k, a := range row {
		side[a] = float64(k) - float64(len(row)-1)/2
	}
}

// depths are the lengths of the longest ways from the initial state that take no arrow back, so that
// arrows lead down wherever they can.
func depths(s *lts.System) []int {
	place := make([]int, s.States()) // in the order in which a depth-first walk leaves states, from the last
	order := make([]lts.State, s.States())
	met, next := make([]bool, s.States()), s.States()
	var walk func(lts.State)
	walk = func(at lts.State) {
		met[at] = true
		for _, e := range s.Edges(at) {
			if !met[e.To] {
				walk(e.To)
			}
		}
		next--
		place[at], order[next] = next, at
	}
	walk(s.Initial())
	depth := make([]int, s.States())
	for _, at := range order {
		for _, e := range s.Edges(at) {
			if place[e.To] > place[at] {
				depth[e.To] = max(depth[e.To], depth[at]+1)
			}
		}
	}
	return depth
}

// sides lays the system out in the plane by distances (multidimensional scaling), and gives the coordinate
// that says less about the depth.
func sides(s *lts.System, depth []int) []float64 {
	side := make([]float64, s.States())
	g := plane(s)
	o := layout.NewOptimizerR2(g, layout.IsomapR2{}.Update)
	o.Update()
	var with [2]float64 // covariance with the depth
	var xs, ys []float64
	for i := range s.States() {
		v := o.Coord2(int64(i))
		xs, ys = append(xs, v.X), append(ys, v.Y)
		with[0] += v.X * float64(depth[i])
		with[1] += v.Y * float64(depth[i])
	}
	if with[0]*with[0] <= with[1]*with[1] {
		copy(side, xs)
	} else {
		copy(side, ys)
	}
	return side
}

// neighbours is a system as the library wants to see it: who stands beside whom, in both directions and in
// an order of its own (the library's graphs are maps, which have none).
type neighbours [][]graph.Node

func plane(s *lts.System) neighbours {
	g := make(neighbours, s.States())
	join := func(a, b int) {
		if !g.HasEdgeBetween(int64(a), int64(b)) {
			g[a] = append(g[a], simple.Node(b))
		}
	}
	for i := range s.States() {
		for _, e := range s.Edges(lts.State(i)) {
			if to := int(e.To); to != i {
				join(i, to)
				join(to, i)
			}
		}
	}
	return g
}

// Node is the node with a number.
func (g neighbours) Node(id int64) graph.Node { return simple.Node(id) }

// Nodes are all nodes, by number.
func (g neighbours) Nodes() graph.Nodes {
	list := make([]graph.Node, len(g))
	for i := range list {
		list[i] = simple.Node(i)
	}
	return iterator.NewOrderedNodes(list)
}

// From are the nodes beside a node.
func (g neighbours) From(id int64) graph.Nodes { return iterator.NewOrderedNodes(g[id]) }

// HasEdgeBetween says whether two nodes are beside each other.
func (g neighbours) HasEdgeBetween(a, b int64) bool {
	return slices.Contains(g[a], graph.Node(simple.Node(b)))
}

// Edge is the edge between two nodes; nil if there is none.
func (g neighbours) Edge(a, b int64) graph.Edge {
	if !g.HasEdgeBetween(a, b) {
		return nil
	}
	return simple.Edge{F: simple.Node(a), T: simple.Node(b)}
}
