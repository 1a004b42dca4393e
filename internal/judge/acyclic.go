// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"container/heap"
	"slices"
)

// dag is a graph without cycles to which arcs are added and taken back, with a numbering of its nodes in which each arc leads
// upwards: Pearce and Kelly, A dynamic topological sort algorithm for directed acyclic graphs (2006).
type dag struct {
	arcs    []arc
	out, in [][]int32 // by node: numbers of arcs
	place   []int32   // by node: its number in the order
	seen    []int32   // by node: the search that has met it last
	from    []int32   // by node: the arc by which it was met
	search  int32
}

// arc says that one node comes before another one.
type arc struct {
	from, to int32
	level    int32 // the decision that it belongs to; 0: none
	why      why
	key      Value
}

// why is the reason of an arc.
type why uint8

const (
	byTime   why = iota // the one returned before the other one began
	byClient            // the client's order
	wr                  // the one wrote what the other one read
	ww                  // the one wrote what the other one overwrote
	rw                  // the one read what the other one overwrote
	decided             // an order of two writes that was tried
)

func newDag(nodes int) *dag {
	return &dag{out: make([][]int32, nodes), in: make([][]int32, nodes)}
}

// node adds a node that stands for no transaction.
func (d *dag) node() int32 {
	d.out, d.in = append(d.out, nil), append(d.in, nil)
	return int32(len(d.out) - 1)
}

// put adds an arc without looking for a cycle.
func (d *dag) put(a arc) {
	n := int32(len(d.arcs))
	d.arcs = append(d.arcs, a)
	d.out[a.from] = append(d.out[a.from], n)
	d.in[a.to] = append(d.in[a.to], n)
}

// cut takes back all arcs from a number on.
func (d *dag) cut(arcs int) {
	for n := len(d.arcs) - 1; n >= arcs; n-- {
		a := &d.arcs[n]
		d.out[a.from] = d.out[a.from][:len(d.out[a.from])-1]
		d.in[a.to] = d.in[a.to][:len(d.in[a.to])-1]
	}
	d.arcs = d.arcs[:arcs]
}

// sort numbers the nodes; of those that may come next the one with the least rank does. It is false if there is a cycle.
func (d *dag) sort(rank []int32) bool {
	n := len(d.out)
	waits := make([]int32, n)
	for _, a := range d.arcs {
		waits[a.to]++
	}
	ready := &byRank{rank: rank}
	for i := range waits {
		if waits[i] == 0 {
			heap.Push(ready, int32(i))
		}
	}
	d.place = make([]int32, n)
	done := int32(0)
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int32)
		d.place[i] = done
		done++
		for _, k := range d.out[i] {
			if to := d.arcs[k].to; waits[to] == 1 {
				heap.Push(ready, to)
			} else {
				waits[to]--
			}
		}
	}
	d.seen, d.from, d.search = make([]int32, n), make([]int32, n), 0
	return int(done) == n
}

// byRank is a heap of nodes. A node beyond the ranks, which stands for no transaction, comes first.
type byRank struct {
	rank  []int32
	nodes []int32
}

func (h *byRank) of(i int) int32 {
	if n := h.nodes[i]; int(n) < len(h.rank) {
		return h.rank[n]
	}
	return -1
}
func (h *byRank) Len() int { return len(h.nodes) }
func (h *byRank) Less(i, k int) bool {
	return h.of(i) < h.of(k) || h.of(i) == h.of(k) && h.nodes[i] < h.nodes[k]
}
func (h *byRank) Swap(i, k int) { h.nodes[i], h.nodes[k] = h.nodes[k], h.nodes[i] }
func (h *byRank) Push(x any)    { h.nodes = append(h.nodes, x.(int32)) }
func (h *byRank) Pop() any {
	x := h.nodes[len(h.nodes)-1]
	h.nodes = h.nodes[:len(h.nodes)-1]
	return x
}

// add adds an arc to a sorted graph. If that makes a cycle, it adds nothing and gives the arcs of the cycle but the new one.
func (d *dag) add(a arc) (cycle []int32, ok bool) {
	if a.from == a.to {
		return nil, false
	}
	low, high := d.place[a.to], d.place[a.from]
	if low > high {
		d.put(a)
		return nil, true
	}
	d.search++
	ahead := []int32{a.to}
	d.seen[a.to], d.from[a.to] = d.search, -1
	for i := 0; i < len(ahead); i++ {
		for _, k := range d.out[ahead[i]] {
			to := d.arcs[k].to
			if d.seen[to] == d.search || d.place[to] > high {
				continue
			}
			d.seen[to], d.from[to] = d.search, k
			if to == a.from {
				for ; k >= 0; k = d.from[d.arcs[k].from] {
					cycle = append(cycle, k)
				}
				slices.Reverse(cycle)
				return cycle, false
			}
			ahead = append(ahead, to)
		}
	}
	d.search++
	behind := []int32{a.from}
	d.seen[a.from] = d.search
	for i := 0; i < len(behind); i++ {
		for _, k := range d.in[behind[i]] {
			from := d.arcs[k].from
			if d.seen[from] != d.search && d.place[from] > low {
				d.seen[from] = d.search
				behind = append(behind, from)
			}
		}
	}
	d.shift(behind, ahead)
	d.put(a)
	return nil, true
}

// shift gives the places of both lists to the nodes of the first list, in their order, and then to those of the second.
func (d *dag) shift(behind, ahead []int32) {
	byPlace := func(a, b int32) int { return cmp.Compare(d.place[a], d.place[b]) }
	slices.SortFunc(behind, byPlace)
	slices.SortFunc(ahead, byPlace)
	all := append(behind, ahead...)
	places := make([]int32, len(all))
	for i, n := range all {
		places[i] = d.place[n]
	}
	slices.Sort(places)
	for i, n := range all {
		d.place[n] = places[i]
	}
}

// mostTries is how many arcs a short cycle is looked for through.
const mostTries = 100

// cycle is a short cycle of a graph that has one, as numbers of arcs: one with few of the first nodes, which are transactions by their begin. Each cycle has an arc
// that leads backwards, so those that lead back farthest are tried.
func (d *dag) cycle(first int) (least []int32) {
	var back []int32
	for n, a := range d.arcs {
		if a.from > a.to && int(a.from) < first {
			back = append(back, int32(n))
		}
	}
	far := func(n int32) int32 { return d.arcs[n].to - d.arcs[n].from }
	slices.SortFunc(back, func(a, b int32) int { return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a, b)) })
	cost := 0
	d.seen, d.from = make([]int32, len(d.out)), make([]int32, len(d.out))
	for try, n := range back[:min(len(back), mostTries)] {
		if c := d.way(d.arcs[n].to, d.arcs[n].from, first, int32(try)+1); c != nil {
			c = append(c, n)
			if now := d.count(c, first); least == nil || now < cost {
				least, cost = c, now
			}
		}
	}
	if least != nil {
		return least
	}
	return d.walk()
}

// count is how many of the first nodes a cycle goes through.
func (d *dag) count(cycle []int32, first int) (n int) {
	for _, k := range cycle {
		if int(d.arcs[k].from) < first {
			n++
		}
	}
	return n
}

// way is a way through as few of the first nodes as possible; nil if there is none.
func (d *dag) way(from, to int32, first int, search int32) []int32 {
	now, next := []int32{from}, []int32(nil)
	d.seen[from], d.from[from] = search, -1
	for len(now) > 0 {
		for i := 0; i < len(now); i++ {
			for _, k := range d.out[now[i]] {
				n := d.arcs[k].to
				switch {
				case d.seen[n] == search:
					continue
				case n == to:
					way := []int32{k}
					for at := d.from[now[i]]; at >= 0; at = d.from[d.arcs[at].from] {
						way = append(way, at)
					}
					slices.Reverse(way)
					return way
				}
				d.seen[n], d.from[n] = search, k
				if int(n) < first {
					next = append(next, n)
				} else {
					now = append(now, n)
				}
			}
		}
		now, next = next, now[:0]
	}
	return nil
}

// walk finds any cycle: it goes backwards among nodes that are on cycles or behind them until it meets one again.
func (d *dag) walk() []int32 {
	waits := make([]int32, len(d.out))
	for _, a := range d.arcs {
		waits[a.to]++
	}
	var ready []int32
	for i := range waits {
		if waits[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, k := range d.out[i] {
			to := d.arcs[k].to
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	n := int32(slices.IndexFunc(waits, func(w int32) bool { return w > 0 }))
	at := map[int32]int{}
	var way []int32
	for {
		if from, ok := at[n]; ok {
			way = way[from:]
			slices.Reverse(way)
			return way
		}
		at[n] = len(way)
		for _, k := range d.in[n] {
			if waits[d.arcs[k].from] > 0 {
				way = append(way, k)
				n = d.arcs[k].from
				break
			}
		}
	}
}
