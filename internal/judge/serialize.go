// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"fmt"
	"slices"
)

// Transactions whose written values differ, key by key. Is there an order of them, within the property's own (that of time, that of clients, or none), such
// that each read shows what was written last? Dependencies as in Adya, Liskov and O'Neil (ICDE 2000); cycles as Elle has them (Kingsbury and Alvaro, VLDB 2020).
//
// Since values differ, a read tells its writer. What is known of the order of a key's versions is held in chains: a chain is a list of
// versions of which each directly follows the one before. A transaction that reads a version and writes the key makes the next one of a chain. Of a key to which is appended, the
// longest list that is read shows all versions up to it, which are one chain; an append that no list shows comes behind.
//
// The graph has an arc wherever every order has to have the one before the other:
//
//   - the order of time or of clients (arcs over moments, so that they are few);
//   - writer of a version -> its readers;
//   - writer and readers of a version -> writer of the next one in the chain;
//   - writer and readers of the last version of the chain that begins with the initial value -> the first writers of all other chains of the key.
//
// A cycle is a violation, and is the witness. If there is none, what is open is the order of chains of one key behind the first. An order of all transactions that extends the graph, and
// for each two chains of a key has writer and readers of the last version of the one before the first writer of the other, is what is asked for: the
// reader of a version comes behind its writer, and each other writer of the key before that one or behind the reader. And each order that is asked for is like this. Chains of one
// version that nobody reads may stand anywhere. So all pairs of chains are decided, one after the other, with the graph kept acyclic; of a conflict the decisions on
// the cycle are known, and the search goes back to the last of them (conflict-directed backjumping: Prosser, 1993). It begins with a guess, by time, which
// mostly is right.
//
// A transaction that did not return, or whose result is unknown, has taken effect if something that it wrote was read. Otherwise the one that did not return is left out, which loses no order.
//
// An order that is found is executed before the answer is ok.

// mostPairs is how many pairs of chains of one history are decided.
const mostPairs = 2_000_000

// serializer has what is known of the transactions of a history.
type serializer struct {
	j      *job
	calls  []Call
	steps  [][]Step
	keys   []*versions
	number map[Value]int // of keys
	g      *dag
	timed  bool // the order of time is in the graph
	nodes  int  // transactions; further nodes of the graph are moments and keys
	broken outcome
}

// serialize judges transactions. ok is false if values do not differ.
func (j *job) serialize(calls []Call) (got outcome, ok bool) {
	s := &serializer{j: j, calls: calls, number: map[Value]int{}}
	if !s.collect() {
		return got, false
	}
	if s.broken.status != OK {
		return s.broken, true
	}
	property := j.o.Property
	open := s.open()
	if open > 0 && property != Linear {
		// An order that keeps time as well is one, and mostly there is one; with time, much fewer pairs are open. Two calls of a client that
		// share a moment are not in an order of time.
		s.link(Linear, property)
		if got = s.solve(); got.status == OK {
			return got, true
		}
	}
	s.link(property)
	return s.solve(), true
}

// link makes the graph, with the orders of properties.
func (s *serializer) link(of ...Property) {
	s.g, s.timed = newDag(s.nodes), of[0] == Linear
	s.bind()
	for _, p := range of {
		s.order(p)
	}
	if s.timed {
		for _, k := range s.keys {
			s.force(k)
		}
	}
}

// solve looks for a cycle, guesses an order of the chains of each key, and decides it if the guess was wrong.
func (s *serializer) solve() outcome {
	if !s.sorted() {
		return s.cyclic()
	}
	if s.open() > 0 {
		fixed := len(s.g.arcs)
		s.guess()
		if !s.sorted() {
			s.g.cut(fixed)
			s.sorted()
			if got := s.settle(); got.status != OK {
				return got
			}
		}
	}
	s.execute()
	return outcome{way: waySerial}
}

const waySerial = "dependencies"

// violated notes that some transactions have no order, whatever the others do. One of them that did not return has taken effect because of others,
// which are then part of it.
func (s *serializer) violated(of ...int32) {
	if s.broken.status != OK {
		return
	}
	s.broken = outcome{status: Violated, calls: pick(s.calls, of...), way: waySerial}
	if slices.ContainsFunc(s.broken.calls, func(c Call) bool { return c.Pending() }) {
		s.broken.calls = s.calls
	}
}

func (s *serializer) keyOf(k Value) *versions {
	n, ok := s.number[k]
	if !ok {
		n = len(s.keys)
		s.number[k] = n
		s.keys = append(s.keys, &versions{key: k, of: map[Value]int32{}, inner: map[Value]int32{}, list: []version{{writer: -1, next: -1}}})
	}
	return s.keys[n]
}

// bind makes the arcs of the graph that reads and writes make.
func (s *serializer) bind() {
	for _, k := range s.keys {
		for _, two := range k.rivals {
			s.g.put(arc{from: two[0], to: two[1], why: rw, key: k.key})
			s.g.put(arc{from: two[1], to: two[0], why: ww, key: k.key})
		}
		for n := range k.list {
			v := &k.list[n]
			for _, r := range v.readers {
				if v.writer >= 0 {
					s.g.put(arc{from: v.writer, to: r, why: wr, key: k.key})
				}
			}
			if v.next >= 0 {
				s.precede(k, v, k.list[v.next].writer, 0)
			}
		}
		s.hub(k)
	}
}

// precede puts the arcs from writer and readers of a version to a writer that comes behind.
func (s *serializer) precede(k *versions, v *version, to, level int32) {
	if v.writer >= 0 {
		s.g.put(arc{from: v.writer, to: to, why: ww, key: k.key, level: level})
	}
	for _, r := range v.readers {
		if r != to {
			s.g.put(arc{from: r, to: to, why: rw, key: k.key, level: level})
		}
	}
}

// hub puts the arcs from the first chain of a key to the others.
func (s *serializer) hub(k *versions) {
	if len(k.chains) == 1 {
		return
	}
	v := &k.list[k.chains[0].last]
	if v.writer < 0 && len(v.readers) == 0 {
		return
	}
	hub := s.g.node()
	s.precede(k, v, hub, 0)
	for _, c := range k.chains[1:] {
		s.g.put(arc{from: hub, to: k.list[c.first].writer, why: ww, key: k.key})
	}
}

// order puts the arcs of the property's own order.
func (s *serializer) order(p Property) {
	switch p {
	case Linear:
		type end struct{ at, call int32 }
		var ends []end
		for i := range s.calls {
			if !s.calls[i].Pending() {
				ends = append(ends, end{s.calls[i].End, int32(i)})
			}
		}
		slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.at, b.at) })
		moment, next := int32(-1), 0
		for i := range s.calls { // by Begin
			for ; next < len(ends) && ends[next].at < s.calls[i].Begin; next++ {
				m := s.g.node()
				if moment >= 0 {
					s.g.put(arc{from: moment, to: m, why: byTime})
				}
				s.g.put(arc{from: ends[next].call, to: m, why: byTime})
				moment = m
			}
			if moment >= 0 {
				s.g.put(arc{from: moment, to: int32(i), why: byTime})
			}
		}
	case Sequential:
		last := map[int32]int32{}
		for i := range s.calls {
			c := &s.calls[i]
			if before, ok := last[c.Client]; ok {
				s.g.put(arc{from: before, to: int32(i), why: byClient})
			}
			if !c.Pending() {
				last[c.Client] = int32(i)
			}
		}
	}
}

// force puts the arcs between chains of a key whose order follows from time: if a transaction of the one returned before one of the other began, the one comes
// first. (Otherwise the other chain's would all come before the one's first writer, and so before all of the one.)
func (s *serializer) force(k *versions) {
	if k.isList || len(k.chains) < 3 {
		return
	}
	list := slices.Clone(k.chains[1:])
	slices.SortFunc(list, func(a, b chainOf) int { return cmp.Compare(a.late, b.late) })
	behind := make([]int32, len(list)+1) // nodes before the first writers of all chains from one on
	for i := len(list) - 1; i >= 0; i-- {
		behind[i] = s.g.node()
		s.g.put(arc{from: behind[i], to: k.list[list[i].first].writer, why: ww, key: k.key})
		if i+1 < len(list) {
			s.g.put(arc{from: behind[i], to: behind[i+1], why: ww, key: k.key})
		}
	}
	for i, c := range list {
		from, _ := slices.BinarySearchFunc(list, c.early, func(x chainOf, at int32) int { return cmp.Compare(x.late, at) })
		if from <= i {
			for _, other := range list[from:i] {
				s.precede(k, &k.list[c.last], k.list[other.first].writer, 0)
				if other.early < c.late {
					break // each of the two has to come before the other: that is a cycle
				}
			}
			from = i + 1
		}
		if from < len(list) {
			s.precede(k, &k.list[c.last], behind[from], 0)
		}
	}
}

// sorted sorts the graph, transactions that began early first where that is free. It is false if there is a cycle.
func (s *serializer) sorted() bool {
	rank := make([]int32, s.nodes)
	for i := range rank {
		rank[i] = s.calls[i].Begin
	}
	return s.g.sort(rank)
}

// alone reports whether a chain may stand anywhere: it is one version that nobody reads.
func (k *versions) alone(c chainOf) bool {
	return c.first == c.last && len(k.list[c.first].readers) == 0
}

// open counts the pairs of chains whose order matters and is not known.
func (s *serializer) open() int {
	n := 0
	for _, k := range s.keys {
		if k.isList {
			continue // chains behind the first are appends that nobody reads
		}
		read, all := 0, len(k.chains)-1
		for _, c := range k.chains[1:] {
			if !k.alone(c) {
				read++
			}
		}
		n += read*(all-read) + read*(read-1)/2
	}
	return n
}

// guess puts the chains of each key in an order, by time: a chain of which some transaction returned before one of the other began comes first.
func (s *serializer) guess() {
	for _, k := range s.keys {
		if k.isList || len(k.chains) < 3 {
			continue
		}
		list := slices.Clone(k.chains[1:])
		slices.SortStableFunc(list, func(a, b chainOf) int { return cmp.Compare(min(a.early, a.late), min(b.early, b.late)) })
		for i := 1; i < len(list); i++ {
			s.precede(k, &k.list[list[i-1].last], k.list[list[i].first].writer, -1)
		}
	}
}

// pair are two chains of a key whose order has to be decided.
type pair struct {
	key     *versions
	a, b    chainOf
	stage   int8 // orders that were tried
	arcs    int  // of the graph before the pair was decided
	blames  []int32
	swapped bool // b before a is tried first
}

// pairs lists the pairs of chains whose order is open, by time; false if they are too many.
func (s *serializer) pairs() (all []pair, few bool) {
	for _, k := range s.keys {
		if k.isList {
			continue
		}
		list := slices.Clone(k.chains[1:])
		slices.SortFunc(list, func(a, b chainOf) int { return cmp.Compare(min(a.early, a.late), min(b.early, b.late)) })
		var running []chainOf // that reach to what comes next
		for _, b := range list {
			if s.timed {
				running = slices.DeleteFunc(running, func(a chainOf) bool { return max(a.early, a.late) < min(b.early, b.late) })
			}
			for _, a := range running {
				known := s.timed && (a.early < b.late || b.early < a.late)
				if !known && (!k.alone(a) || !k.alone(b)) {
					all = append(all, pair{key: k, a: a, b: b})
				}
			}
			if len(all) > mostPairs {
				return nil, false
			}
			running = append(running, b)
		}
	}
	at := func(p pair) int32 { return min(p.b.early, p.b.late) }
	slices.SortStableFunc(all, func(p, q pair) int { return cmp.Compare(at(p), at(q)) })
	return all, true
}

// settle decides all pairs of chains.
func (s *serializer) settle() outcome {
	pairs, few := s.pairs()
	if !few {
		return outcome{status: Unknown, way: waySerial, reason: fmt.Sprintf("more than %d pairs of writes to one key have an order that nothing shows", mostPairs)}
	}
	tries := 0
	for at := 0; at < len(pairs); {
		if tries++; tries&0x3f == 0 && s.j.ctx.Err() != nil {
			return outcome{status: Unknown, way: waySerial, reason: s.j.overtime()}
		}
		p := &pairs[at]
		if p.stage == 0 {
			p.arcs, p.blames = len(s.g.arcs), nil
			p.swapped = s.g.place[p.key.list[p.b.first].writer] < s.g.place[p.key.list[p.a.first].writer]
		}
		if p.stage < 2 {
			a, b := p.a, p.b
			if p.swapped != (p.stage == 1) {
				a, b = b, a
			}
			p.stage++
			if s.try(p, a, b, int32(at)+1) {
				at++
			}
			continue
		}
		if len(p.blames) == 0 {
			return outcome{status: Violated, way: waySerial, calls: s.calls}
		}
		back := slices.Max(p.blames)
		blames := p.blames
		for n := int(back); n <= at; n++ {
			pairs[n].stage = 0
		}
		at = int(back) - 1
		s.g.cut(pairs[at].arcs)
		for _, l := range blames {
			if l < back && !slices.Contains(pairs[at].blames, l) {
				pairs[at].blames = append(pairs[at].blames, l)
			}
		}
	}
	return outcome{}
}

// try puts chain a before chain b. If that makes a cycle, it notes which decisions are to blame.
func (s *serializer) try(p *pair, a, b chainOf, level int32) bool {
	last, to := &p.key.list[a.last], p.key.list[b.first].writer
	for _, from := range append([]int32{last.writer}, last.readers...) {
		if cycle, ok := s.g.add(arc{from: from, to: to, why: decided, key: p.key.key, level: level}); !ok {
			for _, n := range cycle {
				if l := s.g.arcs[n].level; l > 0 && l != level && !slices.Contains(p.blames, l) {
					p.blames = append(p.blames, l)
				}
			}
			s.g.cut(p.arcs)
			return false
		}
	}
	return true
}

// execute performs the transactions in the order that was found.
func (s *serializer) execute() {
	h := s.j.h
	order := make([]int32, s.nodes)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(s.g.place[a], s.g.place[b]) })
	held := map[Value]Value{}
	lists := map[Value][]Value{}
	for _, i := range order {
		for _, step := range s.steps[i] {
			switch step.Op {
			case Write:
				held[step.Key] = step.Value
			case Append:
				lists[step.Key] = append(lists[step.Key], step.Value)
			default:
				v, written := held[step.Key]
				if !written {
					v = h.Initial
				}
				list, appended := lists[step.Key]
				ok := !appended && v == step.Value || appended && slices.Equal(list, h.Values.Items(step.Value))
				if !ok && !s.calls[i].Unknown {
					panic("judge: an order of transactions that was found does not explain the transaction of line " + fmt.Sprint(s.calls[i].Line))
				}
			}
		}
	}
}
