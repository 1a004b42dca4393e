// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"cmp"
	"slices"

	"pangolin/internal/vm/labelling"
)

// The order of the goroutines of a whole program in a saved state. They are the nodes of a graph,
// together with the objects that several of them lead to; what belongs to one of them alone, or to
// all (base objects, and what main leads to), is part of a node's colour. Package labelling finds a
// canonical order of such a graph.
//
//	goroutines 1, 2   for { mu.Lock() … }     mu is reached by both: a node, to which an edge of each leads
//	their buffers     one each                words of the goroutine's colour
//
// The clients of a collection are ordered by other means (symmetry.go): they are few, and the
// monitor tells them apart.

// survey is the graph of the goroutines, with buffers.
type survey struct {
	on       bool // references to shared objects are edges
	graph    labelling.Graph
	labeller labelling.Labeller
	shared   []uint32 // the objects that are nodes
	words    []uint64 // the contents of the nodes
	ends     []int    // by node: where its words end
	nodes    []int32  // the nodes sorted by contents
	tie      bool     // two goroutines have the same contents
	reached  []uint32 // scratch of findShared
	locks    []uint64 // scratch of sortedHeld
	alike    []int32  // by goroutine: the first one that it can be exchanged with
}

// held is the label of an edge to a lock that a goroutine holds, minus the lock's place in its
// object. Such edges have no order.
const held = 1 << 30

// ordersAlike reports whether the state's threads are ordered in this file.
func (m *State) ordersAlike() bool {
	return m.WholeProgram && m.TieNumber == nil && !m.Items && !m.Numbers && m.symmetricFrom() < len(m.Thread)
}

// saveAlike encodes the threads and all objects: first the threads with fixed places, then the
// others in canonical order.
func (m *State) saveAlike(dst []uint64) []uint64 {
	e := &m.enc
	e.identity(len(m.Thread))
	first := m.symmetricFrom()
	dst = m.placeThreads(dst, e.perm[:first])
	rest := e.perm[first:]
	if len(rest) > 1 {
		m.survey(rest)
	}
	return m.placeObjects(m.placeThreads(dst, rest))
}

// Alike returns, by thread of the loaded state, the first thread that can take its place:
// exchanging the two gives the same state. It is the thread itself if no other is known. The slice
// is valid until the state is saved or loaded.
func (m *State) Alike() []int32 {
	e, s := &m.enc, &m.crowd
	s.alike = s.alike[:0]
	for i := range m.Thread {
		s.alike = append(s.alike, int32(i))
	}
	if !m.ordersAlike() || !m.resemble() {
		return s.alike
	}
	e.reset(len(m.Objs))
	e.global = uint32(m.img.BaseCount())
	e.try = m.saveFront(m.saveHead(e.try[:0]))
	m.scan(0)
	e.global += uint32(len(e.order))
	e.rooted = e.global
	e.identity(len(m.Thread))
	first := m.symmetricFrom()
	e.try = m.placeThreads(e.try[:0], e.perm[:first])
	m.survey(e.perm[first:])
	representatives := map[int32]int32{}
	for v := range int32(len(m.Thread) - first) {
		class := s.graph.Colours[v]
		if s.tie && len(s.shared) > 0 {
			class = s.labeller.Alike(v)
		}
		if _, ok := representatives[class]; !ok {
			representatives[class] = v + int32(first)
		}
		s.alike[v+int32(first)] = representatives[class]
	}
	return s.alike
}

// resemble reports whether two threads that could be alike are at the same instruction.
func (m *State) resemble() bool {
	s := &m.crowd
	s.words = s.words[:0]
	for _, t := range m.Thread[m.symmetricFrom():] {
		h := uint64(len(t.Frames))
		for i := range t.Frames {
			f := &t.Frames[i]
			h = (h^uint64(f.Code.Func.ID)<<32^uint64(f.PC))*0x9e3779b97f4a7c15 + h>>29
		}
		s.words = append(s.words, h)
	}
	slices.Sort(s.words)
	for i := 1; i < len(s.words); i++ {
		if s.words[i] == s.words[i-1] {
			return true
		}
	}
	return false
}

// survey makes the graph of some threads and sorts them by contents.
func (m *State) survey(threads []int) {
	e, s := &m.enc, &m.crowd
	global := e.global
	e.global, e.fresh = uint32(m.img.BaseCount()+len(e.order)), 0
	e.relative, s.on = true, true
	m.findShared(threads)
	m.describeNodes(threads)
	e.relative, s.on, e.global = false, false, global
	for _, id := range s.shared {
		e.renum[id] = 0
	}
	order := s.colour(len(threads))
	if s.tie && len(s.shared) > 0 {
		order = s.labeller.Order(&s.graph)
	}
	e.tied = append(e.tied[:0], threads...)
	for i, v := range order {
		threads[i] = e.tied[v]
	}
}

// findShared makes nodes of the objects without numbers that several of the threads lead to. An
// object belongs to the first thread that reaches it; if another thread reaches it too, it is
// shared, and so is everything that it leads to.
func (m *State) findShared(threads []int) {
	e, s := &m.enc, &m.crowd
	s.shared = s.shared[:0]
	work := e.work[:0]
	visit := func(id, owner uint32) {
		if int(id) <= m.img.BaseCount() || e.renum[id] != 0 && e.renum[id] < leastRank || e.owner[id] == owner || e.owner[id] == severalOwners {
			return
		}
		if e.owner[id] != 0 || owner == severalOwners {
			owner = severalOwners
			e.renum[id] = leastRank | uint32(len(threads)+len(s.shared))
			s.shared = append(s.shared, id)
		}
		e.owner[id] = owner
		work = append(work, id)
	}
	for i, k := range threads {
		s.reached = m.threadReferences(s.reached[:0], m.Thread[k])
		for {
			for _, id := range s.reached {
				visit(id, uint32(i+1))
			}
			if len(work) == 0 {
				break
			}
			id := work[len(work)-1]
			work = work[:len(work)-1]
			s.reached = m.appendReferences(s.reached[:0], int(id))
			if e.owner[id] == severalOwners {
				for _, to := range s.reached {
					visit(to, severalOwners)
				}
				s.reached = s.reached[:0]
			}
		}
	}
	e.work = work
}

// describeNodes encodes each thread as if it were the only one, and the shared objects. References
// to shared objects become edges.
func (m *State) describeNodes(threads []int) {
	e, s := &m.enc, &m.crowd
	g := &s.graph
	g.Ordered, g.Begin, g.To, g.Labels = len(threads), append(g.Begin[:0], 0), g.To[:0], g.Labels[:0]
	s.words, s.ends = s.words[:0], s.ends[:0]
	objects, heap := len(e.order), len(e.heap)
	for _, k := range threads {
		s.words = m.saveThread(s.words, m.Thread[k])
		m.scanPrivate()
		s.words = append(s.words, e.heap[heap:]...)
		s.words = m.appendTracked(s.words, e.order[objects:])
		for _, id := range e.order[objects:] {
			e.renum[id] = 0
		}
		e.order, e.head, e.heap = e.order[:objects], e.head[:objects], e.heap[:heap]
		s.close()
	}
	for i, id := range s.shared {
		s.words = m.saveObject(s.words, int(id), 0)
		s.words = m.appendTracked(s.words, s.shared[i:i+1])
		s.close()
	}
}

// close ends a node.
func (s *survey) close() {
	s.ends = append(s.ends, len(s.words))
	s.graph.Begin = append(s.graph.Begin, int32(len(s.graph.To)))
}

// edge adds an edge from the node that is being encoded to a shared object. It returns the word
// that replaces p in the encoding.
func (s *survey) edge(p uint64, number uint32) uint64 {
	g := &s.graph
	g.Labels = append(g.Labels, int32(len(g.To))-g.Begin[len(g.Begin)-1])
	g.To = append(g.To, int32(number-leastRank))
	return leastRank<<32 | p&0xffffffff
}

// hold makes the newest edge one to a lock p that the thread holds.
func (s *survey) hold(p uint64) {
	label := held | int32(p&(held>>1-1))
	if p&ReadHold != 0 {
		label |= held >> 1
	}
	s.graph.Labels[len(s.graph.Labels)-1] = label
}

// leads reports whether the node that is being encoded has an edge to an object with a number.
func (s *survey) leads(number uint32) bool {
	g := &s.graph
	return slices.Contains(g.To[g.Begin[len(g.Begin)-1]:], int32(number-leastRank))
}

// sortedHeld sorts locks by their places in their objects.
func (s *survey) sortedHeld(locks []uint64) []uint64 {
	s.locks = append(s.locks[:0], locks...)
	slices.SortFunc(s.locks, func(p, q uint64) int { return cmp.Compare(uint32(p), uint32(q)) })
	return s.locks
}

// appendTracked appends which of some objects belong to the tracked access, or to what knows of it.
func (m *State) appendTracked(dst []uint64, objects []uint32) []uint64 {
	t := &m.Tracked
	if !m.Hunting || !t.On {
		return dst
	}
	var list [][3]uint64
	for i, id := range objects {
		if uint32(t.P>>32) == id {
			list = append(list, [3]uint64{uint64(i) << 32, t.P & 0xffffffff})
		}
		for _, c := range t.Knowing {
			if uint32(c.P>>32) == id {
				list = append(list, [3]uint64{uint64(i)<<32 | 1, c.P & 0xffffffff, c.Part})
			}
		}
	}
	slices.SortFunc(list, func(a, b [3]uint64) int { return slices.Compare(a[:], b[:]) })
	for _, w := range list {
		dst = append(dst, w[:]...)
	}
	return dst
}

// colour gives nodes with the same contents the same colour. It returns the first n nodes, the
// threads, sorted by contents.
func (s *survey) colour(n int) []int32 {
	s.nodes = s.nodes[:0]
	for v := range s.ends {
		s.nodes = append(s.nodes, int32(v))
	}
	s.graph.Colours = append(s.graph.Colours[:0], s.nodes...)
	s.tie = s.rank(s.nodes[:n])
	if s.tie {
		s.rank(s.nodes[n:])
	}
	return s.nodes[:n]
}

// rank sorts nodes by contents and reports whether two are equal. A node's colour becomes the index
// of the first node with the same contents.
func (s *survey) rank(nodes []int32) (tie bool) {
	slices.SortFunc(nodes, func(v, w int32) int { return slices.Compare(s.of(v), s.of(w)) })
	base := s.graph.Ordered
	if len(nodes) > 0 && int(nodes[0]) < base {
		base = 0
	}
	for i, v := range nodes {
		if i > 0 && slices.Equal(s.of(nodes[i-1]), s.of(v)) {
			s.graph.Colours[v], tie = s.graph.Colours[nodes[i-1]], true
			continue
		}
		s.graph.Colours[v] = int32(base + i)
	}
	return tie
}

// of returns the contents of a node.
func (s *survey) of(v int32) []uint64 {
	if v == 0 {
		return s.words[:s.ends[0]]
	}
	return s.words[s.ends[v-1]:s.ends[v]]
}
