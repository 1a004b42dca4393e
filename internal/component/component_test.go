// SPDX-License-Identifier: BSD-3-Clause

package component

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn is a graph by its edges; nodes in pruned are not expanded.
type drawn struct {
	edges  [][]int
	pruned []bool
}

// search goes through a graph from its nodes in order, and gives its components as they are
// completed, each sorted.
func (d *drawn) search(t *testing.T) (found [][]int) {
	type place struct{ at, next int }
	var f Finder[place]
	number := make([]int, len(d.edges))
	for i := range number {
		number[i] = -1
	}
	var order []int
	meet := func(at int) {
		n := uint32(len(order))
		number[at] = len(order)
		order = append(order, at)
		f.Discover(n)
		if d.pruned[at] {
			f.Leave(n)
			found = append(found, []int{at})
			return
		}
		f.Open(n).at = at
	}
	for root := range d.edges {
		if number[root] < 0 {
			meet(root)
		}
		for p := f.Top(); p != nil; p = f.Top() {
			if p.next < len(d.edges[p.at]) {
				to := d.edges[p.at][p.next]
				p.next++
				if number[to] < 0 {
					meet(to)
				} else {
					f.Edge(uint32(number[to]))
				}
				continue
			}
			if f.AtRoot() {
				var members []int
				for _, n := range f.Members() {
					members = append(members, order[n])
				}
				if members[0] != p.at {
					t.Fatalf("the root is %d, the first member %d", p.at, members[0])
				}
				slices.Sort(members)
				found = append(found, members)
			}
			f.Close()
		}
	}
	for n := range order {
		if !f.Complete(uint32(n)) {
			t.Fatalf("node %d is in no component", order[n])
		}
	}
	return found
}

// reach says which nodes lead to which, by the definition: a fixed point.
func (d *drawn) reach() [][]bool {
	n := len(d.edges)
	r := make([][]bool, n)
	for i := range r {
		r[i] = make([]bool, n)
		r[i][i] = true
	}
	for changed := true; changed; {
		changed = false
		for i := range n {
			for j := range n {
				if !r[i][j] || d.pruned[j] {
					continue
				}
				for _, k := range d.edges[j] {
					changed = changed || !r[i][k]
					r[i][k] = true
				}
			}
		}
	}
	return r
}

func TestFinder_FindsTheComponentsOfTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for round := range 3000 {
		n := 1 + rng.IntN(9)
		d := drawn{edges: make([][]int, n), pruned: make([]bool, n)}
		for i := range n {
			d.pruned[i] = rng.IntN(12) == 0
			for range rng.IntN(4) {
				d.edges[i] = append(d.edges[i], rng.IntN(n))
			}
		}
		reach := d.reach()
		var seen []int
		for k, c := range d.search(t) {
			for i := range n {
				if both := reach[c[0]][i] && reach[i][c[0]]; both != slices.Contains(c, i) {
					t.Fatalf("round %d: edges %v, pruned %v: component %v, but that %d belongs to it is %v", round, d.edges, d.pruned, c, i, both)
				}
			}
			for _, i := range seen {
				if reach[i][c[0]] {
					t.Fatalf("round %d: edges %v: component %d, %v, came after one that leads to it", round, d.edges, k, c)
				}
			}
			seen = append(seen, c...)
		}
		if slices.Sort(seen); len(seen) != n || len(slices.Compact(seen)) != n {
			t.Fatalf("round %d: edges %v: components hold %v", round, d.edges, seen)
		}
	}
}

// The graph of Tarjan's own sort: an edge into a complete component tells nothing of the cycle
// beside it.
func ExampleFinder() {
	d := drawn{edges: [][]int{{1}, {2, 4}, {0, 3}, {4}, {3}, {0}}, pruned: make([]bool, 6)}
	fmt.Println(d.search(nil))
	// Output: [[3 4] [0 1 2] [5]]
}
