// SPDX-License-Identifier: BSD-3-Clause

package labelling_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/vm/labelling"
)

// plain is a graph as a table: of node v the colour, and where its edges 0, 1, … lead to.
type plain struct {
	ordered int
	colours []int32
	to      [][]int32
}

func (p *plain) graph() *labelling.Graph {
	g := &labelling.Graph{Ordered: p.ordered, Colours: p.colours, Begin: []int32{0}}
	for _, list := range p.to {
		for k, u := range list {
			g.To, g.Labels = append(g.To, u), append(g.Labels, int32(k))
		}
		g.Begin = append(g.Begin, int32(len(g.To)))
	}
	return g
}

// renamed is the graph with other numbers: node v is to[v].
func (p *plain) renamed(to []int32) *plain {
	q := &plain{p.ordered, make([]int32, len(p.colours)), make([][]int32, len(p.to))}
	for v, u := range to {
		q.colours[u] = p.colours[v]
		for _, w := range p.to[v] {
			q.to[u] = append(q.to[u], to[w])
		}
	}
	return q
}

// shuffle is a way to give other numbers to the nodes of a graph, those that are ordered among themselves.
func (p *plain) shuffle(r *rand.Rand) []int32 {
	to := make([]int32, 0, len(p.colours))
	for _, v := range r.Perm(p.ordered) {
		to = append(to, int32(v))
	}
	for _, v := range r.Perm(len(p.colours) - p.ordered) {
		to = append(to, int32(v+p.ordered))
	}
	return to
}

// form is the graph in words, the ordered nodes in an order and the others as they are met.
func (p *plain) form(order []int32) string {
	number := map[int32]int{}
	list := slices.Clone(order)
	text := ""
	for i := 0; i < len(list); i++ {
		text += fmt.Sprintf("%d(", p.colours[list[i]])
		for _, u := range p.to[list[i]] {
			if _, ok := number[u]; !ok {
				number[u] = len(number)
				list = append(list, u)
			}
			text += fmt.Sprintf("%d ", number[u])
		}
		text += ")"
	}
	return text
}

// least is the least form under all orders: the slow, obvious way.
func (p *plain) least() string {
	best := ""
	order := make([]int32, p.ordered)
	for v := range order {
		order[v] = int32(v)
	}
	var permute func(i int)
	permute = func(i int) {
		if i == len(order) {
			if f := p.form(order); best == "" || f < best {
				best = f
			}
			return
		}
		for j := i; j < len(order); j++ {
			order[i], order[j] = order[j], order[i]
			permute(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	permute(0)
	return best
}

// random is a graph of n ordered nodes. Of the shapes, some have nothing that refinement could begin with.
func random(r *rand.Rand, n int) *plain {
	p := &plain{ordered: n}
	shape, degree := r.IntN(5), 1+r.IntN(2)
	others := n
	switch shape {
	case 1:
		others = 1 + r.IntN(n)
	case 2:
		others = 2 * n
	}
	for v := range n + others {
		colour, list := int32(0), []int32(nil)
		if v >= n {
			colour = 10
		}
		if shape == 3 && r.IntN(3) == 0 {
			colour++
		}
		if v < n {
			for range degree {
				list = append(list, int32(n+r.IntN(others)))
			}
		}
		p.colours, p.to = append(p.colours, colour), append(p.to, list)
	}
	switch shape {
	case 0, 3: // each slot is a permutation: all nodes have the same degrees
		for k := range degree {
			for v, u := range r.Perm(n) {
				p.to[v][k] = int32(n + u)
			}
		}
	case 2: // nodes that lead on to others
		for v := range n {
			for k := range p.to[v] {
				p.to[v][k] = int32(n + r.IntN(n))
			}
		}
		for v := n; v < 2*n; v++ {
			p.to[v], p.colours[v] = []int32{int32(n + r.IntN(2*n))}, 11
		}
		for v := 2 * n; v < 3*n; v++ {
			p.colours[v] = 12
		}
	}
	return p
}

// reached says that an ordered node leads to every other one, as it has to.
func (p *plain) trimmed() *plain {
	seen := map[int32]bool{}
	var list []int32
	for v := range int32(p.ordered) {
		list = append(list, v)
		seen[v] = true
	}
	for i := 0; i < len(list); i++ {
		for _, u := range p.to[list[i]] {
			if !seen[u] {
				seen[u] = true
				list = append(list, u)
			}
		}
	}
	slices.Sort(list)
	to := make([]int32, len(p.colours))
	q := &plain{ordered: p.ordered}
	for i, v := range list {
		to[v] = int32(i)
	}
	for _, v := range list {
		var edges []int32
		for _, u := range p.to[v] {
			edges = append(edges, to[u])
		}
		q.colours, q.to = append(q.colours, p.colours[v]), append(q.to, edges)
	}
	return q
}

// Two graphs have the same form if, and only if, all permutations say that they are the same but for names.
func TestOrder_GraphsHaveOneFormIffTheyAreTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var l labelling.Labeller
	fast, slow := map[string]string{}, map[string]string{}
	for range 4000 {
		p := random(r, 2+r.IntN(4)).trimmed()
		form, least := p.form(l.Order(p.graph())), fmt.Sprint(p.ordered, p.least())
		form = fmt.Sprint(p.ordered, form)
		if other, ok := slow[form]; ok && other != least {
			t.Fatalf("two graphs have one form %s: %s and %s", form, other, least)
		}
		if other, ok := fast[least]; ok && other != form {
			t.Fatalf("a graph %s has two forms: %s and %s", least, form, other)
		}
		slow[form], fast[least] = least, form
	}
	t.Logf("%d different graphs", len(fast))
}

// Larger graphs keep their form when their nodes get other numbers.
func TestOrder_DoesNotDependOnNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var l labelling.Labeller
	check := func(name string, p *plain) {
		want := p.form(l.Order(p.graph()))
		for range 6 {
			q := p.renamed(p.shuffle(r))
			if got := q.form(l.Order(q.graph())); got != want {
				t.Fatalf("%s: two forms:\n%s\n%s", name, want, got)
			}
		}
	}
	for i := range 300 {
		check(fmt.Sprint("random ", i), random(r, 5+r.IntN(20)).trimmed())
	}
	for _, sizes := range [][]int{{6}, {3, 3}, {5, 7, 5}, {12, 12, 12}, {40}, {1, 1, 1, 2, 2, 9}} {
		check(fmt.Sprint("rings ", sizes), rings(sizes...))
	}
	check("tree", tree(4))
}

// rings are nodes that each share something with the next one, in circles.
func rings(sizes ...int) *plain {
	p := &plain{}
	for _, n := range sizes {
		p.ordered += n
	}
	first := 0
	for _, n := range sizes {
		for i := range n {
			p.to = append(p.to, []int32{int32(p.ordered + first + i), int32(p.ordered + first + (i+1)%n)})
		}
		first += n
	}
	p.colours = make([]int32, 2*p.ordered)
	for v := p.ordered; v < 2*p.ordered; v++ {
		p.colours[v], p.to = 1, append(p.to, nil)
	}
	return p
}

// tree is a binary tree: each node shares something with its parent.
func tree(depth int) *plain {
	n := 1<<depth - 1
	p := &plain{ordered: n, colours: make([]int32, 2*n), to: make([][]int32, 2*n)}
	for v := range n {
		p.to[v] = []int32{int32(n + v), int32(n + max(v-1, 0)/2)}
		p.colours[n+v] = 1
	}
	return p
}

// Nodes that an automorphism exchanges are found to be alike, and no others.
func TestAlike_NamesNodesThatCanBeExchanged(t *testing.T) {
	var l labelling.Labeller
	classes := func(p *plain) int {
		l.Order(p.graph())
		seen := map[int32]bool{}
		for v := range int32(p.ordered) {
			seen[l.Alike(v)] = true
		}
		return len(seen)
	}
	for name, c := range map[string]struct {
		p    *plain
		want int
	}{
		"a ring": {rings(12), 1}, "two like rings": {rings(5, 5), 1}, "rings of two lengths": {rings(3, 4, 3), 2}, "a tree": {tree(4), 4},
	} {
		if got := classes(c.p); got != c.want {
			t.Errorf("%s: %d classes, not %d", name, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		p := random(r, 2+r.IntN(4)).trimmed()
		l.Order(p.graph())
		for v := range int32(p.ordered) {
			if w := l.Alike(v); !p.exchangeable(v, w) {
				t.Fatalf("nodes %d and %d of %v are not alike", v, w, p)
			}
		}
	}
}

// exchangeable says that some order in which w stands in the place of v gives the same form.
func (p *plain) exchangeable(v, w int32) bool {
	order := make([]int32, p.ordered)
	for u := range order {
		order[u] = int32(u)
	}
	want := p.form(order)
	found := false
	var permute func(i int)
	permute = func(i int) {
		if i == len(order) {
			found = found || order[v] == w && p.form(order) == want
			return
		}
		for j := i; j < len(order) && !found; j++ {
			order[i], order[j] = order[j], order[i]
			permute(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	permute(0)
	return found
}

// A thousand parts that are alike, and a circle of a hundred, are ordered in few steps: the test would not end otherwise.
func TestOrder_TakesFewStepsWhereNodesAreAlike(t *testing.T) {
	var l labelling.Labeller
	sizes := slices.Repeat([]int{2}, 1000)
	for _, p := range []*plain{rings(sizes...), rings(100), rings(slices.Repeat([]int{7}, 100)...), tree(9)} {
		if got := len(l.Order(p.graph())); got != p.ordered {
			t.Errorf("%d of %d nodes are ordered", got, p.ordered)
		}
	}
}
