// SPDX-License-Identifier: BSD-3-Clause

package labelling

import "slices"

// trial is the best of the ways to order a part that have been tried.
type trial struct {
	order []int32
	words []uint64
	trace uint64
}

// individualise orders a part of the graph, at positions c to b-1, in which no node is told apart. It
// tells one ordered node of the smallest cell apart from the others, and orders what then is left. Of the nodes of the cell
// it tries each that may lead to another order: one that an automorphism takes to one that has been tried does not. Two
// orders with the same certificate are such an automorphism. Which is best depends on the graph alone: the least
// trace, and among those the least certificate.
func (l *Labeller) individualise(c, b int32, depth int) {
	cell := l.smallest(c, b)
	list := slices.Clone(l.nodes[cell : cell+l.length[cell]])
	nodes := slices.Clone(l.nodes[c:b])
	cells := make([]int32, len(nodes))
	alike := make([]int32, len(nodes)) // by place in the part, as a union-find structure
	for i, v := range nodes {
		cells[i], alike[i] = l.cell[v], int32(i)
	}
	var best trial
	tried := list[:0:0]
	for _, v := range list {
		same := func(w int32) bool { return root(alike, l.place[w]-c) == root(alike, l.place[v]-c) }
		if len(tried) > 0 && (l.tries >= maxTries || slices.ContainsFunc(tried, same)) {
			continue
		}
		l.tries++
		tried = append(tried, v)
		try, ok := l.try(v, [2]int32{c, b}, depth, best)
		l.restore(nodes, cells, c)
		if !ok {
			continue
		}
		switch order := slices.Compare(try.words, best.words); {
		case best.order == nil || try.trace < best.trace || order < 0:
			best = try
		case order == 0:
			for k, v := range try.order {
				join(alike, l.place[best.order[k]]-c, l.place[v]-c)
				join(l.alike, best.order[k], v)
			}
		}
	}
	l.out = append(l.out, best.order...)
}

// smallest is the first position of the smallest cell of ordered nodes.
func (l *Labeller) smallest(c, b int32) int32 {
	cell := int32(-1)
	for at := c; at < b; at += l.length[at] {
		if int(l.nodes[at]) < l.g.Ordered && (cell < 0 || l.length[at] < l.length[cell]) {
			cell = at
		}
	}
	return cell
}

// try tells a node apart and orders the part; false if the best is better by what refining it has shown.
func (l *Labeller) try(v int32, part [2]int32, depth int, best trial) (trial, bool) {
	c, b := part[0], part[1]
	cell := l.cell[v]
	size := l.length[cell]
	l.move(v, cell)
	l.length[cell], l.length[cell+1] = 1, size-1
	for _, w := range l.nodes[cell+1 : cell+size] {
		l.cell[w] = cell + 1
	}
	l.enqueue(cell)
	trace := l.refine(c)
	if best.order != nil && trace > best.trace {
		return trial{}, false
	}
	from, words := len(l.out), len(l.words)
	l.solve(c, b, depth+1)
	span := l.certify(l.out[from:])
	t := trial{slices.Clone(l.out[from:]), slices.Clone(l.words[span[0]:span[1]]), trace}
	l.out, l.words = l.out[:from], l.words[:words]
	return t, true
}

// restore brings a part back to how it was before a try.
func (l *Labeller) restore(nodes, cells []int32, c int32) {
	copy(l.nodes[c:], nodes)
	first := c
	for i, v := range nodes {
		at := c + int32(i)
		if cells[i] == at {
			first = at
		}
		l.place[v], l.cell[v] = at, first
		l.length[first] = at - first + 1
	}
}
