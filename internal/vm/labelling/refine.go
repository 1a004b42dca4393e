// SPDX-License-Identifier: BSD-3-Clause

package labelling

import (
	"cmp"
	"slices"
)

// partition is an ordered partition of the nodes: those of a cell stand one behind the other.
type partition struct {
	nodes  []int32 // by position
	place  []int32 // by node: its position
	cell   []int32 // by node: the first position of its cell
	length []int32 // by first position: how many nodes the cell has
}

func (p *partition) reset(n int) {
	p.nodes, p.place = zeroed(p.nodes, n), zeroed(p.place, n)
	p.cell, p.length = zeroed(p.cell, n), zeroed(p.length, n)
	for v := range p.nodes {
		p.nodes[v] = int32(v)
	}
}

// divide makes cells of the nodes at positions a to b-1: neighbours of which values has the same number are in one.
func (p *partition) divide(a, b int32, values []int32) {
	first, last := a, int32(0)
	for at := a; at < b; at++ {
		v := p.nodes[at]
		if at > a && values[v] != last {
			first = at
		}
		last = values[v] // values may be p.cell
		p.place[v], p.cell[v] = at, first
		p.length[first] = at - first + 1
	}
}

// move exchanges the node v with that at a position, in the same cell.
func (p *partition) move(v, to int32) {
	at, w := p.place[v], p.nodes[to]
	p.nodes[at], p.nodes[to] = w, v
	p.place[v], p.place[w] = to, at
}

// refinement is the scratch of refine.
type refinement struct {
	queue   []int32  // cells that have to be looked at
	waits   []bool   // by first position: it is in the queue
	sums    []uint64 // by node: what its edges with the present cell amount to
	touched []int32  // nodes that have such edges
	trace   uint64
}

func (r *refinement) reset(n int) {
	r.waits, r.sums = zeroed(r.waits, n), zeroed(r.sums, n)
	r.queue, r.touched = r.queue[:0], r.touched[:0]
}

func (r *refinement) enqueue(cell int32) {
	r.queue, r.waits[cell] = append(r.queue, cell), true
}

// refine splits cells until the nodes of each have the same edges, from and to every cell, as far as the cells in the queue can
// tell. base is the first position of the part that the cells belong to. It returns a number that depends
// on the graph alone and not on the numbers of nodes, as does the partition. Edges are
// counted by sums of hashes: where two are the same by chance, nodes stay in one cell that could be told apart, which
// costs time and is no error.
func (l *Labeller) refine(base int32) uint64 {
	l.trace = 0
	for head := 0; head < len(l.queue); head++ {
		at := l.queue[head]
		l.waits[at] = false
		for _, v := range l.nodes[at : at+l.length[at]] {
			for k := l.g.Begin[v]; k < l.g.Begin[v+1]; k++ {
				l.touch(l.g.To[k], mix(uint64(l.g.Labels[k])<<33|uint64(at-base)<<1))
			}
			for k := l.inBegin[v]; k < l.inBegin[v+1]; k++ {
				l.touch(l.from[k], mix(uint64(l.inLabels[k])<<33|uint64(at-base)<<1|1))
			}
		}
		slices.SortFunc(l.touched, func(v, w int32) int {
			return cmp.Or(cmp.Compare(l.cell[v], l.cell[w]), cmp.Compare(l.sums[v], l.sums[w]))
		})
		for first := 0; first < len(l.touched); {
			end := first + 1
			for end < len(l.touched) && l.cell[l.touched[end]] == l.cell[l.touched[first]] {
				end++
			}
			l.split(base, l.touched[first:end])
			first = end
		}
		for _, v := range l.touched {
			l.sums[v] = 0
		}
		l.touched = l.touched[:0]
	}
	l.queue = l.queue[:0]
	return l.trace
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30 ^ 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31 | 1
}

// touch notes an edge between the present cell and a node. A node that is alone in its cell is told apart as it is.
func (l *Labeller) touch(v int32, hash uint64) {
	if l.length[l.cell[v]] == 1 {
		return
	}
	if l.sums[v] == 0 {
		l.touched = append(l.touched, v)
	}
	l.sums[v] += hash
	if l.sums[v] == 0 { // it would be listed twice
		l.sums[v] = 1
	}
}

// split splits a cell by the sums of its nodes. The list has those of which it is not 0, in order.
func (l *Labeller) split(base int32, list []int32) {
	at := l.cell[list[0]]
	size := l.length[at]
	rest := size - int32(len(list))
	l.note(uint64(at-base)<<32 | uint64(len(list)))
	l.note(l.sums[list[0]])
	if rest == 0 && l.sums[list[0]] == l.sums[list[len(list)-1]] {
		return
	}
	for i := len(list) - 1; i >= 0; i-- {
		l.move(list[i], at+rest+int32(i))
	}
	waited, largest := l.waits[at], at
	if l.length[at] = rest; rest == 0 {
		l.length[at] = size
	}
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && l.sums[list[end]] == l.sums[list[i]] {
			end++
		}
		first := at + rest + int32(i)
		l.length[first] = int32(end - i)
		for _, v := range list[i:end] {
			l.cell[v] = first
		}
		l.note(uint64(end-i) ^ l.sums[list[i]])
		if l.length[first] > l.length[largest] {
			largest = first
		}
		if waited && first != at {
			l.enqueue(first)
		}
		i = end
	}
	if waited {
		return
	}
	for first := at; first < at+size; first += l.length[first] {
		if first != largest {
			l.enqueue(first)
		}
	}
}

// note makes the trace depend on a number.
func (l *Labeller) note(x uint64) { l.trace = mix(l.trace ^ x*0x9e3779b97f4a7c15) }
