// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"cmp"
	"slices"
	"sync"

	"pangolin/oracle"
)

// linear is the monitor of linearizability: the set of all configurations that
// the events so far allow. A configuration is a state of the oracle and, for
// every pending call, whether it has taken effect yet and with which result.
// (Lowe, "Testing for linearizability", 2017, calls the idea just-in-time
// linearization.)
//
// A call may take effect at any moment, so the set is closed under letting a
// pending call take effect. Only the minimal configurations are kept, those
// that cannot be reached from another one in the set by letting calls take
// effect. That loses nothing: the closed set is the closure of its minimal elements
// (each such step makes one more call effective, so chains end), a response keeps
// the minimal elements' closure (see respond), and configurations in which no
// pending call has taken effect, which the stuck rule asks for, are minimal always.
// It is also canonical: equal closed sets have equal minimal elements.
//
// A nondeterministic oracle lists its outcomes; a call that takes effect early
// does so once per outcome.
//
// If calls may fail because of others (oracle.LenientSpec), a state also has the pending calls beside which another one is, or was, in
// progress. Such a failure changes nothing, so it is looked at when the call responds, and no configuration contains one.
//
// If calls may meet others that wait (oracle.TurnSpec), a pending call may also take effect as one that begins behind another one, which is pending, and has not
// taken effect. It changes nothing but its own thread's entry, so chains still end.
type linear struct {
	auto    *oracle.Automaton
	threads int
	lenient bool // auto.Lenient()
	turns   bool // auto.Turns()
}

func newLinear(a *oracle.Automaton, threads int) linear {
	return linear{a, threads, a.Lenient(), a.Turns()}
}

// edges lists how the pending call of thread t may take effect in a configuration.
func (l linear) edges(pending *calls, c *config, t int) []oracle.Edge {
	edges := l.auto.Edges(c.state, pending.get(t))
	if l.turns {
		edges = l.met(edges, pending, c, t)
	}
	return edges
}

// met adds how the call of thread t may take effect beside others that wait.
func (l linear) met(edges []oracle.Edge, pending *calls, c *config, t int) []oracle.Edge {
	for u := range l.threads {
		if u != t && pending[u] != 0 && c.done[u] == 0 {
			met, _ := l.auto.Behind(c.state, pending.get(u), pending.get(t))
			edges = append(edges[:len(edges):len(edges)], met...)
		}
	}
	return edges
}

// config is a configuration; done has ResultID+1 for pending calls that have taken effect.
type config struct {
	state oracle.StateID
	done  [MaxThreads]uint16
}

// linearState is a state that is being computed. Whoever reads one has to free it.
type linearState struct {
	calls   calls
	beside  ThreadSet // of a lenient Spec: threads with a pending call beside which another one is, or was, in progress
	configs []config  // minimal, sorted
	next    []config  // the configurations after a response
	reached []bool    // used by minimal
}

var linearStates = sync.Pool{New: func() any { return new(linearState) }}

func (s *linearState) free() { linearStates.Put(s) }

func (l linear) initial(s oracle.StateID) []byte {
	return l.write(&linearState{configs: []config{{state: s}}})
}

func (l linear) write(s *linearState) []byte {
	w := &writer{buf: make([]byte, 0, 2*l.threads+len(s.configs)*(2+l.threads))}
	s.calls.write(w, l.threads)
	if l.lenient {
		w.u16(uint16(s.beside))
	}
	last := uint32(0)
	for i := range s.configs {
		c := &s.configs[i]
		w.u32(uint32(c.state) - last) // differences, as they are sorted
		last = uint32(c.state)
		for t := range l.threads {
			w.u16(c.done[t])
		}
	}
	return w.buf
}

func (l linear) read(words string) *linearState {
	s := linearStates.Get().(*linearState)
	r := &reader{words}
	s.calls = calls{}
	s.calls.read(r, l.threads)
	if s.beside = 0; l.lenient {
		s.beside = ThreadSet(r.u16())
	}
	s.configs = s.configs[:0]
	last := uint32(0)
	for len(r.rest) > 0 {
		last += r.u32()
		c := config{state: oracle.StateID(last)}
		for t := range l.threads {
			c.done[t] = r.u16()
		}
		s.configs = append(s.configs, c)
	}
	return s
}

func compareConfigs(a, b config) int {
	if a.state != b.state {
		return cmp.Compare(a.state, b.state)
	}
	for t := range a.done {
		if a.done[t] != b.done[t] {
			return cmp.Compare(a.done[t], b.done[t])
		}
	}
	return 0
}

func (l linear) busy(words string) ThreadSet { return busyIn(words, l.threads) }

func (l linear) invoke(words string, thread int, c oracle.CallID) []byte {
	s := l.read(words)
	defer s.free()
	s.calls.set(thread, c)
	if busy := s.calls.busy(); l.lenient && busy != ThreadSet(0).With(thread) {
		s.beside = busy
	}
	return l.write(s)
}

// respond keeps the configurations in which the thread's call has taken effect
// with result r, or can now. To take effect it may need other pending calls to do
// so first; those that would follow it can wait for their own responses.
func (l linear) respond(words string, thread int, r oracle.ResultID) []byte {
	s := l.read(words)
	defer s.free()
	next := s.next[:0]
	fails := l.lenient && s.beside.Has(thread) && l.auto.MayFail(s.calls.get(thread), r)
	for _, c := range s.configs {
		if fails && c.done[thread] == 0 {
			next = append(next, c)
		}
		switch c.done[thread] {
		case 0:
			next = l.effectThen(&s.calls, c, observeResponse{thread, uint16(r) + 1}, next)
		case uint16(r) + 1:
			c.done[thread] = 0
			next = append(next, c)
		}
	}
	s.next, s.configs = s.configs, next
	if len(next) == 0 {
		return nil
	}
	s.calls[thread] = 0
	s.beside = s.beside.Without(thread)
	slices.SortFunc(s.configs, compareConfigs)
	s.configs = slices.Compact(s.configs)
	l.minimal(s)
	return l.write(s)
}

// observeResponse is the response that is being applied.
type observeResponse struct {
	thread int
	result uint16 // ResultID+1
}

// effectThen appends the configurations in which, after zero or more other pending
// calls, the responding one takes effect with its result.
func (l linear) effectThen(pending *calls, c config, resp observeResponse, out []config) []config {
	for t := range l.threads {
		if pending[t] == 0 || c.done[t] != 0 {
			continue
		}
		for _, e := range l.edges(pending, &c, t) {
			next := c
			next.state = e.Next
			switch {
			case t != resp.thread:
				next.done[t] = uint16(e.Result) + 1
				out = l.effectThen(pending, next, resp, out)
			case uint16(e.Result)+1 == resp.result:
				out = append(out, next)
			}
		}
	}
	return out
}

// minimal removes configurations that others lead to. The list is sorted before and after.
func (l linear) minimal(s *linearState) {
	if len(s.configs) < 2 {
		return
	}
	most := 0
	for i := range s.configs {
		most = max(most, s.configs[i].effects())
	}
	s.reached = append(s.reached[:0], make([]bool, len(s.configs))...)
	in := leading{l, &s.calls, s.configs, s.reached}
	for i := range s.configs {
		in.mark(s.configs[i], most-s.configs[i].effects())
	}
	out := s.configs[:0]
	for i, c := range s.configs {
		if !s.reached[i] {
			out = append(out, c)
		}
	}
	s.configs = out
}

// effects is the number of pending calls that have taken effect.
func (c *config) effects() int {
	n := 0
	for _, r := range c.done {
		if r != 0 {
			n++
		}
	}
	return n
}

// leading tells which configurations lead to which.
type leading struct {
	linear
	pending *calls
	all     []config // sorted
	reached []bool
}

// mark marks the configurations that c leads to when up to steps more calls take effect.
func (in *leading) mark(c config, steps int) {
	if steps == 0 {
		return
	}
	for t := range in.threads {
		if in.pending[t] == 0 || c.done[t] != 0 {
			continue
		}
		for _, e := range in.edges(in.pending, &c, t) {
			next := c
			next.state, next.done[t] = e.Next, uint16(e.Result)+1
			if i, found := slices.BinarySearchFunc(in.all, next, compareConfigs); found {
				in.reached[i] = true
			}
			in.mark(next, steps-1)
		}
	}
}

func (l linear) complete(words string) bool {
	s := l.read(words)
	defer s.free()
	return slices.ContainsFunc(s.configs, func(c config) bool { return l.auto.Accepting(c.state) })
}

// blocked: in alpha[i] the calls of the other stuck threads are removed, so they must not have
// taken effect; and thread i's call must be one that may block. (COLLECT, definition 2.1.)
// Or it may wait behind one of those that are removed (oracle.TurnSpec).
func (l linear) blocked(words string, stuck ThreadSet) int {
	s := l.read(words)
	defer s.free()
	for t := range l.threads {
		if stuck.Has(t) && !slices.ContainsFunc(s.configs, func(c config) bool {
			return c.done == [MaxThreads]uint16{} && (l.auto.MayBlock(c.state, s.calls.get(t)) || l.behind(s, c.state, stuck.Without(t), t))
		}) {
			return t
		}
	}
	return s.calls.partner(l.auto, stuck)
}

// behind reports whether the call of thread t may wait because that of another one does.
func (l linear) behind(s *linearState, state oracle.StateID, others ThreadSet, t int) bool {
	for u := range l.threads {
		if l.turns && others.Has(u) {
			if _, waits := l.auto.Behind(state, s.calls.get(u), s.calls.get(t)); waits {
				return true
			}
		}
	}
	return false
}

func (l linear) permute(words string, p Perm) []byte {
	s := l.read(words)
	defer s.free()
	s.calls = s.calls.permuted(p)
	beside := s.beside
	s.beside = 0
	for t := range l.threads {
		if beside.Has(t) {
			s.beside = s.beside.With(p.To(t))
		}
	}
	for i, c := range s.configs {
		for t, r := range c.done {
			s.configs[i].done[p.To(t)] = r
		}
	}
	slices.SortFunc(s.configs, compareConfigs)
	return l.write(s)
}

func (l linear) rename(words string, r oracle.RenamingID) []byte {
	s := l.read(words)
	defer s.free()
	for i := range s.configs {
		c := &s.configs[i]
		c.state = l.auto.RenameState(c.state, r)
		for t, res := range c.done {
			if res != 0 {
				c.done[t] = uint16(l.auto.RenameResult(s.calls.get(t), oracle.ResultID(res-1), r)) + 1
			}
		}
	}
	s.calls = s.calls.renamed(l.auto, r)
	slices.SortFunc(s.configs, compareConfigs)
	return l.write(s)
}

func (l linear) names(words string, n *oracle.Names) {
	s := l.read(words)
	defer s.free()
	for t, call := range s.calls {
		if call != 0 {
			l.auto.CallNames(s.calls.get(t), n)
		}
	}
	for _, c := range s.configs {
		l.auto.StateNames(c.state, n)
		for t, res := range c.done {
			if res != 0 {
				l.auto.ResultNames(s.calls.get(t), oracle.ResultID(res-1), n)
			}
		}
	}
}

func (l linear) describe(words string, signatures []uint64) (content uint64) {
	s := l.read(words)
	defer s.free()
	var calls, room [MaxThreads]uint64
	for t := range l.threads {
		calls[t] = s.calls.hash(l.auto, t)
		if s.beside.Has(t) {
			calls[t] = mix(calls[t], 1)
		}
	}
	of := room[:l.threads]
	for _, c := range s.configs { // sums, as the order of configurations depends on numbers
		for t := range of {
			of[t] = calls[t]
			if r := c.done[t]; r != 0 {
				of[t] = mix(of[t], l.auto.ResultHash(oracle.ResultID(r-1)))
			}
		}
		state := l.auto.StateHash(c.state)
		content += mix(state, inOrder(of))
		for t := range signatures {
			signatures[t] += mix(state, seen(of, t))
		}
	}
	return content
}
