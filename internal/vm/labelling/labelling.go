// SPDX-License-Identifier: BSD-3-Clause

// Package labelling finds a canonical order of some nodes of a coloured directed graph: of two graphs
// that differ in the numbers of their nodes alone, the nodes stand in orders that correspond.
//
// It takes a Graph, and gives the order, and which of the nodes it has found to be alike: an
// automorphism of the graph takes one to the other. It knows nothing of threads, objects or states:
// package state makes the graph, and numbers its threads as the order says.
//
// The way is that of nauty (McKay and Piperno, Practical graph isomorphism II, 2014): the partition of the nodes by colour
// is refined until the nodes of a cell have the same edges to the nodes of every cell (refine.go); if nodes are
// left that nothing tells apart, one of them is individualised, the partition is refined again, and of all choices that give other
// graphs the least is taken (search.go). Two things are different. Parts of the graph between which all ways
// lead over nodes that are told apart are ordered each by itself, and sorted then (components.go), so that a hundred parts that are alike
// take a hundred times what one takes; and only nodes that are asked for are individualised, since the edges of a node
// have an order, by which the others follow.
package labelling

import (
	"cmp"
	"slices"
)

// Graph is a directed graph of which the first nodes are to be ordered.
type Graph struct {
	// Ordered is how many nodes are ordered: 0 to Ordered-1. No edge leads to them, and every other node is reached from one.
	Ordered int
	// Colours are those of the nodes. Nodes of one colour have edges with the same labels, and are either all ordered or none.
	Colours []int32
	// The edges of node v are those with the indices Begin[v] to Begin[v+1]-1.
	Begin []int32
	To    []int32
	// Labels tell the edges of a node apart. Two edges may have the same label only if other edges
	// of the node, which stand in front of them, lead to the same nodes.
	Labels []int32
}

// Labeller orders the nodes of graphs. Its buffers serve one graph after another; the zero value is ready.
type Labeller struct {
	g *Graph
	// edges that lead to a node: of node v those from inBegin[v] to inBegin[v+1]-1
	inBegin, from, inLabels []int32

	partition
	refinement
	names    []uint64 // of the nodes that are told apart for good, while a part is ordered that leads to them; 0: none
	numbers  []int32  // of nodes in a certificate
	found    []int32  // nodes in the order of their numbers
	parts    []int32  // by node: the part that it belongs to
	out      []int32  // the order so far
	words    []uint64 // certificates
	alike    []int32  // by ordered node: another one that is alike, as in a union-find structure
	tries    int
	shuffled []int32
}

// maxTries bounds how many nodes are individualised for one graph. Beyond, the order may depend on the numbers of the nodes.
const maxTries = 1 << 17

// Order returns the ordered nodes in canonical order. The slice is valid until the next call.
func (l *Labeller) Order(g *Graph) []int32 {
	l.g, l.tries = g, 0
	n := len(g.Colours)
	l.invert()
	l.names = zeroed(l.names, n)
	l.numbers = zeroed(l.numbers, n)
	l.parts = zeroed(l.parts, n)
	l.alike = zeroed(l.alike, g.Ordered)
	for v := range l.alike {
		l.alike[v] = int32(v)
	}
	l.out, l.words = l.out[:0], l.words[:0]
	l.partition.reset(n)
	l.refinement.reset(n)
	slices.SortFunc(l.nodes, func(a, b int32) int { return cmp.Compare(g.Colours[a], g.Colours[b]) })
	l.divide(0, int32(n), g.Colours)
	for at := int32(0); at < int32(n); at += l.length[at] {
		l.enqueue(at)
	}
	l.refine(0)
	l.solve(0, int32(n), 0)
	return l.out
}

// Alike returns a node that stands for those like v: the same one for nodes that have been found to be alike when the graph was ordered.
func (l *Labeller) Alike(v int32) int32 { return root(l.alike, v) }

func root(parent []int32, v int32) int32 {
	for parent[v] != v {
		parent[v] = parent[parent[v]]
		v = parent[v]
	}
	return v
}

func join(parent []int32, v, w int32) {
	v, w = root(parent, v), root(parent, w)
	parent[max(v, w)] = min(v, w)
}

// invert lists the edges by where they lead to.
func (l *Labeller) invert() {
	g := l.g
	n := len(g.Colours)
	l.inBegin = zeroed(l.inBegin, n+2)
	l.from, l.inLabels = zeroed(l.from, len(g.To)), zeroed(l.inLabels, len(g.To))
	for _, u := range g.To {
		l.inBegin[u+2]++
	}
	for v := range n {
		l.inBegin[v+2] += l.inBegin[v+1]
	}
	for v := range int32(n) {
		for k := g.Begin[v]; k < g.Begin[v+1]; k++ {
			at := &l.inBegin[g.To[k]+1]
			l.from[*at], l.inLabels[*at] = v, g.Labels[k]
			*at++
		}
	}
}

// zeroed returns a slice of n zeroes, which reuses s.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	s = s[:n]
	clear(s)
	return s
}
