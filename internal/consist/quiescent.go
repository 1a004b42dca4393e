// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"cmp"
	"slices"

	"pangolin/oracle"
)

// quiescent is the monitor of quiescent consistency: between two moments without
// a pending call, calls may be reordered at will, those of one thread too. A state
// holds the oracle states possible at the last quiescent moment, the multiset of
// calls completed since, and the pending calls; when none is left, the multiset is
// consumed in every order.
//
// The stuck rule complicates this. In alpha[i] the last calls of the other stuck
// threads are removed, so there may be quiescent moments in alpha[i] at which the
// whole history has none. Nobody knows beforehand who will be stuck. So for every set
// of pending calls there is a variant of the state that assumes that exactly
// these never return, and ignores them; a response ends the variants that
// assumed otherwise. If the oracle never blocks, no stuck history is right
// and the variants are not kept.
//
// As in sequential, pure calls that are correct now are consumed at once.
type quiescent struct {
	auto    *oracle.Automaton
	threads int
}

type quiescentState struct {
	calls    calls
	variants []variant // sorted by ignored, without those that no order fits
}

type variant struct {
	ignored ThreadSet
	configs []segment // sorted, without repetitions
}

// segment is a state of the oracle at the last quiescent moment, and the calls completed since.
type segment struct {
	state oracle.StateID
	left  []observed // ascending
}

func (q quiescent) initial(s oracle.StateID) []byte {
	return q.write(quiescentState{variants: []variant{{configs: []segment{{state: s}}}}})
}

func (q quiescent) write(s quiescentState) []byte {
	w := new(writer)
	s.calls.write(w, q.threads)
	for _, v := range s.variants {
		w.u16(uint16(v.ignored))
		w.u16(uint16(len(v.configs)))
		for _, c := range v.configs {
			w.u32(uint32(c.state))
			w.observed(c.left)
		}
	}
	return w.buf
}

func (q quiescent) read(words string) quiescentState {
	var s quiescentState
	r := &reader{words}
	s.calls.read(r, q.threads)
	for len(r.rest) > 0 {
		v := variant{ignored: ThreadSet(r.u16())}
		for range r.u16() {
			state := oracle.StateID(r.u32())
			v.configs = append(v.configs, segment{state, r.observed()})
		}
		s.variants = append(s.variants, v)
	}
	return s
}

func compareSegments(a, b segment) int {
	if c := cmp.Compare(a.state, b.state); c != 0 {
		return c
	}
	return slices.Compare(a.left, b.left)
}

func compareVariants(a, b variant) int { return cmp.Compare(a.ignored, b.ignored) }

// tidy sorts the configurations and removes repetitions.
func (v *variant) tidy() {
	for _, c := range v.configs {
		slices.Sort(c.left)
	}
	slices.SortFunc(v.configs, compareSegments)
	v.configs = slices.CompactFunc(v.configs, func(a, b segment) bool { return compareSegments(a, b) == 0 })
}

func (q quiescent) busy(words string) ThreadSet { return busyIn(words, q.threads) }

func (q quiescent) invoke(words string, thread int, c oracle.CallID) []byte {
	s := q.read(words)
	s.calls.set(thread, c)
	if !q.auto.Nonblocking() {
		for _, v := range s.variants {
			s.variants = append(s.variants, variant{v.ignored.With(thread), v.configs})
		}
		slices.SortFunc(s.variants, compareVariants)
	}
	return q.write(s)
}

func (q quiescent) respond(words string, thread int, r oracle.ResultID) []byte {
	s := q.read(words)
	o := observe(s.calls.get(thread), r)
	s.calls[thread] = 0
	var kept []variant
	for _, v := range s.variants {
		if v.ignored.Has(thread) {
			continue
		}
		v = q.completed(v, o, s.calls.busy())
		if len(v.configs) > 0 {
			kept = append(kept, v)
		} else if v.ignored == 0 {
			return nil // no continuation changes what is before this quiescent moment
		}
	}
	s.variants = kept
	return q.write(s)
}

// completed is a variant after one more completed call.
func (q quiescent) completed(v variant, o observed, busy ThreadSet) variant {
	out := variant{ignored: v.ignored}
	for _, c := range v.configs {
		next := segment{state: c.state}
		for _, x := range append(c.left, o) {
			if !pureNow(q.auto, c.state, x) {
				next.left = append(next.left, x)
			}
		}
		out.configs = append(out.configs, next)
	}
	out.tidy()
	if busy&^v.ignored == 0 {
		ends := q.ends(out)
		out.configs = out.configs[:0]
		for _, s := range ends {
			out.configs = append(out.configs, segment{state: s})
		}
		out.tidy()
	}
	return out
}

// ends lists the oracle states, perhaps repeatedly, after all completed calls in some order.
func (q quiescent) ends(v variant) []oracle.StateID {
	var out []oracle.StateID
	for _, c := range v.configs {
		w := quiescentWalk{q: q, left: c.left, seen: make(map[subset]bool)}
		w.from(subset{state: c.state})
		out = append(out, w.ends...)
	}
	return out
}

// subset is a state of the oracle after some of the calls, given by index.
type subset struct {
	state    oracle.StateID
	consumed uint64
}

type quiescentWalk struct {
	q    quiescent
	left []observed
	seen map[subset]bool
	ends []oracle.StateID
}

func (w *quiescentWalk) from(p subset) {
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	if p.consumed == 1<<len(w.left)-1 {
		w.ends = append(w.ends, p.state)
		return
	}
	for i, o := range w.left {
		used := func(i int) bool { return p.consumed>>i&1 != 0 }
		if used(i) || i > 0 && w.left[i-1] == o && !used(i-1) { // of equal calls the first one is taken
			continue
		}
		for _, e := range w.q.auto.Edges(p.state, o.call()) {
			if e.Result == o.result() {
				w.from(subset{e.Next, p.consumed | 1<<i})
			}
		}
	}
}

func (q quiescent) complete(words string) bool {
	for _, v := range q.read(words).variants {
		if v.ignored == 0 {
			return slices.ContainsFunc(q.ends(v), q.auto.Accepting)
		}
	}
	return false
}

func (q quiescent) blocked(words string, stuck ThreadSet) int {
	s := q.read(words)
	for t := range q.threads {
		if stuck.Has(t) && !q.mayBlock(&s, t, stuck.Without(t)) {
			return t
		}
	}
	return s.calls.partner(q.auto, stuck)
}

// mayBlock judges alpha[thread], by the variant that ignores the other stuck calls.
func (q quiescent) mayBlock(s *quiescentState, thread int, others ThreadSet) bool {
	at := slices.IndexFunc(s.variants, func(v variant) bool { return v.ignored == others })
	return at >= 0 && slices.ContainsFunc(q.ends(s.variants[at]), func(end oracle.StateID) bool {
		return q.auto.MayBlock(end, s.calls.get(thread))
	})
}

func (q quiescent) permute(words string, p Perm) []byte {
	s := q.read(words)
	s.calls = s.calls.permuted(p)
	for i, v := range s.variants {
		var moved ThreadSet
		for t := range q.threads {
			if v.ignored.Has(t) {
				moved = moved.With(p.To(t))
			}
		}
		s.variants[i].ignored = moved
	}
	slices.SortFunc(s.variants, compareVariants)
	return q.write(s)
}

func (q quiescent) rename(words string, r oracle.RenamingID) []byte {
	s := q.read(words)
	s.calls = s.calls.renamed(q.auto, r)
	for i := range s.variants {
		v := &s.variants[i]
		for k := range v.configs {
			c := &v.configs[k]
			c.state = q.auto.RenameState(c.state, r)
			for n, o := range c.left {
				c.left[n] = o.renamed(q.auto, r)
			}
		}
		v.tidy()
	}
	return q.write(s)
}

func (q quiescent) names(words string, n *oracle.Names) {
	s := q.read(words)
	for t, call := range s.calls {
		if call != 0 {
			q.auto.CallNames(s.calls.get(t), n)
		}
	}
	for _, v := range s.variants {
		for _, c := range v.configs {
			q.auto.StateNames(c.state, n)
			for _, o := range c.left {
				q.auto.CallNames(o.call(), n)
				q.auto.ResultNames(o.call(), o.result(), n)
			}
		}
	}
}

func (q quiescent) describe(words string, signatures []uint64) (content uint64) {
	s := q.read(words)
	for _, v := range s.variants {
		of := make([]uint64, q.threads)
		for t := range of {
			of[t] = s.calls.hash(q.auto, t)
			if v.ignored.Has(t) {
				of[t] = mix(of[t], 2)
			}
		}
		configs := uint64(0)
		for _, c := range v.configs {
			configs += mix(q.auto.StateHash(c.state), q.hashLeft(c.left))
		}
		content += mix(configs, inOrder(of))
		for t := range signatures {
			signatures[t] += mix(configs, seen(of, t))
		}
	}
	return content
}

func (q quiescent) hashLeft(left []observed) uint64 {
	sum := uint64(0)
	for _, o := range left {
		sum += mix(o.hash(q.auto), 3)
	}
	return sum
}
