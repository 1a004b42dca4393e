// SPDX-License-Identifier: BSD-3-Clause

package ranking

import (
	"math/bits"
	"slices"

	"pangolin/internal/component"
	"pangolin/verdict"
)

// Find looks for a ranking that shows a property. The error says why there is none; with some views split, which are stuck, there may be one.
//
// Views are stuck if going round between them, or writing there, is all that is left to be ranked.
func Find(g *Graph, property verdict.Property) (r *Ranking, stuck []int, err error) {
	r = &Ranking{Property: property, Locks: []Word{}, Words: []int{}, Places: make([]Level, len(g.Places)), Ranks: make([][]int, len(g.View))}
	for i := range r.Ranks {
		r.Ranks[i] = []int{}
	}
	if g.Refused != "" {
		return nil, nil, r.Check(g)
	}
	r.sortLocks(g)
	r.numberPlaces(g)
	r.orderCells(g)
	r.findBusy(g)
	s := search{r: r, g: g, stuck: r.chooseWords(g)}
	var all, edges []int
	for v := range g.View {
		all = append(all, v)
	}
	for i := range g.Edges {
		if s.repeats(&g.Edges[i]) {
			edges = append(edges, i)
		}
	}
	s.findRound(all, edges)
	s.rank(all, edges)
	if err := r.Check(g); err != nil {
		slices.Sort(s.stuck)
		return nil, slices.Compact(s.stuck), err
	}
	return r, nil, nil
}

// components numbers the strongly connected components of a graph so that no arrow leads to a greater number.
func components(nodes int, arrows [][2]int) []int {
	next := make([][]int, nodes)
	for _, a := range arrows {
		next[a[0]] = append(next[a[0]], a[1])
	}
	of, number := make([]int, nodes), make([]int, nodes) // number: when a node was discovered, counted from 1; 0: not yet
	var order []int                                      // nodes as they were discovered
	var f component.Finder[int]                          // with the count of arrows followed
	count := 0
	open := func(n int) {
		order = append(order, n)
		number[n] = len(order)
		f.Discover(uint32(number[n] - 1))
		f.Open(uint32(number[n] - 1))
	}
	for n := range nodes {
		if number[n] > 0 {
			continue
		}
		for open(n); f.Top() != nil; {
			at := order[f.Members()[0]]
			switch followed := f.Top(); {
			case *followed == len(next[at]):
				if f.AtRoot() {
					for _, m := range f.Members() {
						of[order[m]] = count
					}
					count++
				}
				f.Close()
			case number[next[at][*followed]] == 0:
				*followed++
				open(next[at][*followed-1])
			default:
				f.Edge(uint32(number[next[at][*followed]] - 1))
				*followed++
			}
		}
	}
	return of
}

// sortLocks puts sorts of locks into an order in which none is taken before one that is held.
func (r *Ranking) sortLocks(g *Graph) {
	var words []Word
	number := func(w Word) int {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
		return slices.Index(words, w)
	}
	var arrows [][2]int
	for i := range g.Locks {
		l := &g.Locks[i]
		to := number(l.Takes)
		if l.Held && l.Holds != l.Takes {
			arrows = append(arrows, [2]int{number(l.Holds), to})
		}
	}
	of := components(len(words), arrows)
	index := map[Word]int{}
	for i, w := range words {
		index[w] = of[i]
	}
	slices.SortStableFunc(words, func(a, b Word) int { return index[b] - index[a] })
	r.Locks = append(r.Locks, words...)
}

// inside reports whether a step leads from one place within a call to another one.
func (g *Graph) inside(e *Edge) bool {
	return !g.Places[g.View[e.From]].Idle && !g.Places[g.View[e.To]].Idle
}

// numberPlaces numbers places so that no step leads to a greater number, with as many numbers as possible.
func (r *Ranking) numberPlaces(g *Graph) {
	var arrows [][2]int
	for i := range g.Edges {
		if e := &g.Edges[i]; g.inside(e) {
			arrows = append(arrows, [2]int{g.View[e.From], g.View[e.To]})
		}
	}
	of := components(len(g.Places), arrows)
	for p := range r.Places {
		r.Places[p].Number = of[p]
	}
}

// findBusy finds the variables of cells that calls have made busy, if that helps: if some step takes the lock of a busy cell.
func (r *Ranking) findBusy(g *Graph) {
	if !slices.ContainsFunc(g.Edges, func(e Edge) bool { return e.Awaits }) {
		return
	}
	r.Busy = true
	for added := true; added; {
		added = false
		for i := range g.Edges {
			l := &r.Places[g.View[g.Edges[i].To]]
			r.owns(g, &g.Edges[i], func(b int) bool { l.Own = append(l.Own, b); added = true; return true })
		}
	}
	if r.keepsBusy(g) == nil {
		return
	}
	r.Busy = false
	for p := range r.Places {
		r.Places[p].Own = nil
	}
}

// orderCells finds all pairs of variables that are always in order, and keeps those that the order of locks needs.
func (r *Ranking) orderCells(g *Graph) {
	for p := range r.Places {
		if g.Places[p].Idle {
			continue
		}
		for a := range g.Places[p].Vars {
			for b := range g.Places[p].Vars {
				if a != b {
					r.Places[p].Order = append(r.Places[p].Order, [2]int{a, b})
					r.Places[p].Apart = append(r.Places[p].Apart, [2]int{a, b})
				}
			}
		}
	}
	into := make([][]*Edge, len(g.Places)) // by place at which they end
	for i := range g.Edges {
		if to := g.View[g.Edges[i].To]; !g.Places[to].Idle {
			into[to] = append(into[to], &g.Edges[i])
		}
	}
	for dropped := true; dropped; {
		dropped = false
		for p := range r.Places {
			l := &r.Places[p]
			n := len(l.Order) + len(l.Apart)
			l.Order = slices.DeleteFunc(l.Order, func(o [2]int) bool {
				return slices.ContainsFunc(into[p], func(e *Edge) bool { return !r.carried(g, e, o) })
			})
			l.Apart = slices.DeleteFunc(l.Apart, func(o [2]int) bool {
				return slices.ContainsFunc(into[p], func(e *Edge) bool { return !r.staysApart(g, e, o) })
			})
			dropped = dropped || len(l.Order)+len(l.Apart) < n
		}
	}
	r.keepApart(g)
	if !slices.ContainsFunc(g.Locks, func(l Locking) bool { return l.Held && l.Holds == l.Takes && !l.Ahead }) {
		for p := range r.Places {
			r.Places[p].Order = nil
		}
	}
}

// keepApart keeps those pairs of variables that are apart which contradict a step, and what these pairs rest on.
func (r *Ranking) keepApart(g *Graph) {
	type at struct {
		place int
		pair  [2]int
	}
	var needed []at
	need := func(p int, o [2]int) {
		if x := (at{p, o}); slices.Contains(r.Places[p].Apart, o) && !slices.Contains(needed, x) {
			needed = append(needed, x)
		}
	}
	into := map[int][]*Edge{}
	for i := range g.Edges {
		e := &g.Edges[i]
		into[g.View[e.To]] = append(into[g.View[e.To]], e)
		for _, l := range e.Linked {
			need(g.View[e.From], [2]int{int(l.A), int(l.B)})
		}
	}
	for i := 0; i < len(needed); i++ {
		x := needed[i]
		for _, e := range into[x.place] {
			if !e.Apart.Has(uint8(x.pair[0]), uint8(x.pair[1])) {
				kept(e, x.pair, func(a, b int) bool { need(g.View[e.From], [2]int{a, b}); return false })
			}
		}
	}
	for p := range r.Places {
		r.Places[p].Apart = slices.DeleteFunc(r.Places[p].Apart, func(o [2]int) bool { return !slices.Contains(needed, at{p, o}) })
	}
}

// chooseWords finds words of the collection by which writes shrink that are neither effects nor made once. It returns the views with writes of which
// that is not certain for the word by which most do.
func (r *Ranking) chooseWords(g *Graph) (stuck []int) {
	var left []*Edge
	for i := range g.Edges {
		e := &g.Edges[i]
		if e.Writes && !e.Changes && !e.Driven && g.inside(e) && !r.contradicts(g, e) && r.Places[g.View[e.To]].Number == r.Places[g.View[e.From]].Number {
			left = append(left, e)
		}
	}
	for w := 0; w < 64 && len(left) > 0; w++ {
		fewer := 0
		usable := !slices.Contains(r.Words, w)
		for _, e := range left {
			usable = usable && (e.Fewer|e.Same)>>w&1 != 0
			fewer += int(e.Fewer >> w & 1)
		}
		if !usable || fewer == 0 {
			continue
		}
		r.Words = append(r.Words, w)
		left = slices.DeleteFunc(left, func(e *Edge) bool { return e.Fewer>>w&1 != 0 })
		w = -1 // one in front may be usable now
	}
	most, best := 0, 0
	for w := range 64 {
		fewer := 0
		for _, e := range left {
			fewer += int(e.Fewer >> w & 1)
		}
		if fewer > most {
			most, best = fewer, w
		}
	}
	if most == 0 {
		return nil
	}
	for _, e := range left {
		if (e.Fewer|e.Same)>>best&1 == 0 && !slices.Contains(stuck, e.From) {
			stuck = append(stuck, e.From)
		}
	}
	return stuck
}

// search is the search for ranks.
type search struct {
	r     *Ranking
	g     *Graph
	stuck []int  // views between which steps lead round, and nothing is known that falls
	round []bool // by view: steps lead from it round to itself
}

// findRound finds the views from which some edges lead round.
func (s *search) findRound(views, edges []int) {
	var arrows [][2]int
	for _, i := range edges {
		arrows = append(arrows, [2]int{s.g.Edges[i].From, s.g.Edges[i].To})
	}
	of := components(len(views), arrows)
	s.round = make([]bool, len(views))
	for _, a := range arrows {
		if of[a[0]] == of[a[1]] {
			s.round[a[0]] = true
		}
	}
}

// repeats reports whether a step may be made when nothing is written any more.
func (s *search) repeats(e *Edge) bool {
	return s.g.inside(e) && !e.Driven && !e.Writes && !e.Takes && !s.r.contradicts(s.g, e)
}

// rank adds levels to the ranks of some views, and where they are not enough a variable that moves and further levels; edges are the steps
// between these views by which no rank falls so far.
func (s *search) rank(views, edges []int) {
	index := map[int]int{}
	for i, v := range views {
		index[v] = i
	}
	var arrows [][2]int
	for _, i := range edges {
		arrows = append(arrows, [2]int{index[s.g.Edges[i].From], index[s.g.Edges[i].To]})
	}
	of := components(len(views), arrows)
	members, within := map[int][]int{}, map[int][]int{}
	for i, v := range views {
		s.r.Ranks[v] = append(s.r.Ranks[v], of[i])
		members[of[i]] = append(members[of[i]], v)
	}
	for k, i := range edges {
		if c := of[arrows[k][0]]; c == of[arrows[k][1]] {
			within[c] = append(within[c], i)
		}
	}
	for c := range len(views) {
		if len(within[c]) > 0 {
			s.move(members[c], within[c])
		}
	}
}

// move finds for each place of some views a variable so that in no step between them the cell of the variable moves back, and in some it
// moves along the chain; those that are left are ranked further.
func (s *search) move(views, edges []int) {
	chosen := map[int]int{} // by place
	tries := 0
	var ok func() bool
	ok = func() bool {
		if tries++; tries > 2000 {
			return false
		}
		for _, i := range edges {
			e := &s.g.Edges[i]
			from, to := s.g.View[e.From], s.g.View[e.To]
			a, has := chosen[from]
			b, hasTo := chosen[to]
			switch {
			case !has:
			case hasTo:
				if !e.Stays.Has(uint8(a), uint8(b)) && !e.Moves.Has(uint8(a), uint8(b)) {
					return false
				}
			default:
				for b := range s.g.Places[to].Vars {
					chosen[to] = b
					if (e.Stays.Has(uint8(a), uint8(b)) || e.Moves.Has(uint8(a), uint8(b))) && ok() {
						return true
					}
				}
				delete(chosen, to)
				return false
			}
		}
		return s.some(edges, chosen)
	}
	start := s.g.View[views[0]]
	for a := range s.g.Places[start].Vars {
		clear(chosen)
		chosen[start] = a
		if !ok() {
			continue
		}
		for _, v := range views {
			s.r.Ranks[v] = append(s.r.Ranks[v], chosen[s.g.View[v]])
		}
		s.rank(views, slices.DeleteFunc(slices.Clone(edges), func(i int) bool { return s.moves(i, chosen) }))
		return
	}
	if !s.comeBack(views, edges) {
		s.stuck = append(s.stuck, views...)
	}
}

// comeBack looks for a place among views to which no call comes back for ever with a cell that has k, and ranks the views without the steps from there.
func (s *search) comeBack(views, edges []int) bool {
	for _, i := range edges {
		p := s.g.View[s.g.Edges[i].From]
		if s.r.Places[p].Returning == nil {
			variable := bits.TrailingZeros16(s.others(p))
			if variable == 16 {
				continue
			}
			s.r.Places[p].Returning = &variable
		}
		for _, v := range views {
			s.r.Ranks[v] = append(s.r.Ranks[v], none)
		}
		s.rank(views, slices.DeleteFunc(slices.Clone(edges), func(i int) bool { return s.g.View[s.g.Edges[i].From] == p }))
		return true
	}
	return false
}

// others has bits of the variables of a place whose cell has certainly not k in any view there from which steps lead round.
func (s *search) others(place int) uint16 {
	all := ^uint16(0)
	for v, at := range s.g.View {
		if at == place && s.round[v] {
			all &= s.g.Other[v]
		}
	}
	return all
}

func (s *search) moves(i int, chosen map[int]int) bool {
	e := &s.g.Edges[i]
	return e.Moves.Has(uint8(chosen[s.g.View[e.From]]), uint8(chosen[s.g.View[e.To]]))
}

func (s *search) some(edges []int, chosen map[int]int) bool {
	return slices.ContainsFunc(edges, func(i int) bool { return s.moves(i, chosen) })
}
