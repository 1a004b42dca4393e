package lts

// InternalComponents numbers the strongly connected components of the internal steps, and says
// which of them have a cycle. A component has a smaller number than those that lead into
// it.
func (s *System) InternalComponents() (of []State, count int, cyclic []bool) {
	n := s.States()
	of = make([]State, n)
	low := make([]int32, n) // 0: not seen; otherwise one more than the number
	for i := range of {
		of[i] = -1
	}
	type frame struct {
		at   State
		next int32
	}
	var calls []frame
	var stack []State
	seen := int32(0)
	begin := func(at State) {
		seen++
		low[at] = seen
		stack = append(stack, at)
		calls = append(calls, frame{at, s.first[at]})
	}
	index := make([]int32, n)
	for root := range n {
		if low[root] != 0 {
			continue
		}
		begin(State(root))
		index[root] = seen
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if f.next < s.first[f.at+1] && s.edges[f.next].Label == Tau {
				to := s.edges[f.next].To
				f.next++
				switch {
				case low[to] == 0:
					begin(to)
					index[to] = seen
				case of[to] < 0:
					low[f.at] = min(low[f.at], index[to])
				}
				continue
			}
			at := f.at
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].at
				low[up] = min(low[up], low[at])
			}
			if low[at] != index[at] {
				continue
			}
			for size := 1; ; size++ {
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				of[top] = State(count)
				if top == at {
					cyclic = append(cyclic, size > 1)
					break
				}
			}
			count++
		}
	}
	for i := range n {
		for _, e := range s.Edges(State(i)) {
			if e.Label != Tau {
				break
			}
			if int(e.To) == i {
				cyclic[of[i]] = true
			}
		}
	}
	return of, count, cyclic
}

// contracted is the system with each component of internal steps made one state, in which
// no internal cycle is left. If divergence is a label, the states made from components
// with a cycle have a loop with it.
func (s *System) contracted(divergence Label) (*System, []State) {
	of, count, cyclic := s.InternalComponents()
	from := make([]State, 0, len(s.edges))
	edges := make([]Edge, 0, len(s.edges))
	for i := range s.States() {
		for _, e := range s.Edges(State(i)) {
			if e.Label == Tau && of[e.To] == of[i] {
				continue
			}
			from = append(from, of[i])
			edges = append(edges, Edge{e.Label, of[e.To]})
		}
	}
	for c, is := range cyclic {
		if is && divergence != Tau {
			from = append(from, State(c))
			edges = append(edges, Edge{divergence, State(c)})
		}
	}
	out := &System{initial: of[s.initial], labels: s.labels}
	out.first, out.edges = bySource(count, from, edges)
	out.normalise()
	return out, of
}
