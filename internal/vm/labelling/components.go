// SPDX-License-Identifier: BSD-3-Clause

package labelling

import (
	"cmp"
	"slices"
)

// solve orders the ordered nodes at positions a to b-1, and appends them to the order. They are a part of the graph: all edges between
// one of them and another node lead to nodes that have names, and the partition of the part is refined. depth tells
// the names that are given here from those given around it.
func (l *Labeller) solve(a, b int32, depth int) {
	open := false
	for at := a; at < b; at += l.length[at] {
		v := l.nodes[at]
		ordered := int(v) < l.g.Ordered
		if l.length[at] > 1 {
			open = open || ordered
			continue
		}
		l.names[v] = uint64(depth)<<32 | uint64(at-a+1)
		if ordered {
			l.out = append(l.out, v)
		}
	}
	if open {
		l.separate(a, b, depth)
	}
	for _, v := range l.nodes[a:b] {
		l.names[v] = 0
	}
}

// separate orders the nodes at positions a to b-1 that have no names: each part by itself, if they are several.
func (l *Labeller) separate(a, b int32, depth int) {
	first, sizes := l.arrange(a, b)
	if len(sizes) == 1 {
		l.individualise(first, first+sizes[0], depth)
		return
	}
	out, words := len(l.out), len(l.words)
	list := make([]component, len(sizes))
	for i, size := range sizes {
		from := len(l.out)
		l.solve(first, first+size, depth+1)
		list[i].order = [2]int{from, len(l.out)}
		list[i].words = l.certify(l.out[from:])
		first += size
	}
	l.sortComponents(list, out)
	l.words = l.words[:words]
}

// component is a part of the graph that has been ordered.
type component struct {
	order [2]int // from where to where its nodes stand in out
	words [2]int // likewise its certificate in words
}

// sortComponents sorts parts by their certificates, and what stands in out from an index on accordingly.
func (l *Labeller) sortComponents(list []component, from int) {
	compare := func(c, d component) int {
		return slices.Compare(l.words[c.words[0]:c.words[1]], l.words[d.words[0]:d.words[1]])
	}
	slices.SortStableFunc(list, compare)
	l.shuffled = append(l.shuffled[:0], l.out[from:]...)
	out := l.out[:from]
	for i, c := range list {
		nodes := l.shuffled[c.order[0]-from : c.order[1]-from]
		if i > 0 && compare(list[i-1], c) == 0 {
			for k, v := range out[len(out)-len(nodes):] {
				join(l.alike, v, nodes[k])
			}
		}
		out = append(out, nodes...)
	}
	l.out = out
}

// arrange puts the nodes at positions a to b-1 that have no names behind those that have, those of each part together and in the order in which they stand. It
// returns where the first part begins and how many nodes each has. Nodes to which no ordered
// node without a name leads belong to no part: what leads to them tells them apart.
func (l *Labeller) arrange(a, b int32) (first int32, sizes []int32) {
	for _, v := range l.nodes[a:b] {
		if int(v) < l.g.Ordered && l.names[v] == 0 && l.parts[v] == 0 {
			sizes = append(sizes, l.spread(v, int32(len(sizes)+1)))
		}
	}
	ends := make([]int32, len(sizes)+1) // by part: where its next node goes to
	first = b
	for i := len(sizes) - 1; i >= 0; i-- {
		first -= sizes[i]
		ends[i+1] = first
	}
	ends[0] = a
	old := slices.Clone(l.nodes[a:b])
	for _, v := range old {
		at := &ends[l.parts[v]]
		l.nodes[*at] = v
		*at++
	}
	at := first
	for _, size := range sizes {
		l.divide(at, at+size, l.cell)
		at += size
	}
	for at := a; at < first; at++ {
		v := l.nodes[at]
		l.place[v], l.cell[v], l.length[at] = at, at, 1
	}
	for _, v := range old {
		l.parts[v] = 0
	}
	return first, sizes
}

// spread notes which part an ordered node belongs to, and all that is connected with it by nodes without names, and counts them.
func (l *Labeller) spread(v, part int32) (count int32) {
	l.found = append(l.found[:0], v)
	l.parts[v] = part
	visit := func(u int32) {
		if l.names[u] == 0 && l.parts[u] == 0 {
			l.parts[u] = part
			l.found = append(l.found, u)
		}
	}
	for ; int(count) < len(l.found); count++ {
		v := l.found[count]
		for _, u := range l.g.To[l.g.Begin[v]:l.g.Begin[v+1]] {
			visit(u)
		}
		for _, u := range l.from[l.inBegin[v]:l.inBegin[v+1]] {
			visit(u)
		}
	}
	return count
}

// certify appends words that describe a part of the graph whose ordered nodes stand in the given order: two parts with the same
// words are the same but for the numbers of their nodes, and lead to the same nodes that have names. It returns where the words stand.
func (l *Labeller) certify(order []int32) [2]int {
	from := len(l.words)
	l.found = l.found[:0]
	for _, v := range order {
		l.describe(v)
	}
	for i := 0; i < len(l.found); i++ {
		l.describe(l.found[i])
	}
	for _, v := range l.found {
		l.numbers[v] = 0
	}
	return [2]int{from, len(l.words)}
}

// describe appends the colour of a node and where its edges lead to.
func (l *Labeller) describe(v int32) {
	l.words = append(l.words, uint64(l.g.Colours[v]))
	begin, end := l.g.Begin[v], l.g.Begin[v+1]
	for k := begin; k < end; {
		from, label := len(l.words), l.g.Labels[k]
		for ; k < end && l.g.Labels[k] == label; k++ {
			l.words = append(l.words, l.name(l.g.To[k]))
		}
		slices.SortFunc(l.words[from:], cmp.Compare)
	}
}

// name is what a certificate calls a node: its name, or else the next number.
func (l *Labeller) name(v int32) uint64 {
	if l.names[v] != 0 {
		return l.names[v]
	}
	if l.numbers[v] == 0 {
		l.found = append(l.found, v)
		l.numbers[v] = int32(len(l.found))
	}
	return 1<<63 | uint64(l.numbers[v])
}
