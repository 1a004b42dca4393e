package outcomes

// components lists the strongly connected components of the given states and the
// edges between them, those of a single state included (R. Tarjan, Depth-first search
// and linear graph algorithms, SIAM J. Comput. 1(2), 1972).
func (g *graph) components(nodes []int) [][]int {
	t := &tarjan{g: g, inside: g.set(nodes), index: make([]int, len(g.states)), low: make([]int, len(g.states)),
		onStack: make([]bool, len(g.states))}
	for _, i := range nodes {
		if t.index[i] == 0 {
			t.visit(i)
		}
	}
	return t.found
}

type tarjan struct {
	g          *graph
	inside     []bool
	index, low []int // from 1
	stack      []int
	onStack    []bool
	next       int
	found      [][]int
}

func (t *tarjan) visit(i int) {
	t.next++
	t.index[i], t.low[i] = t.next, t.next
	t.stack, t.onStack[i] = append(t.stack, i), true
	for _, e := range t.g.edges[i] {
		switch {
		case !t.inside[e.to]:
		case t.index[e.to] == 0:
			t.visit(e.to)
			t.low[i] = min(t.low[i], t.low[e.to])
		case t.onStack[e.to]:
			t.low[i] = min(t.low[i], t.index[e.to])
		}
	}
	if t.low[i] != t.index[i] {
		return
	}
	var part []int
	for {
		n := len(t.stack) - 1
		j := t.stack[n]
		t.stack, t.onStack[j] = t.stack[:n], false
		part = append(part, j)
		if j == i {
			break
		}
	}
	t.found = append(t.found, part)
}
