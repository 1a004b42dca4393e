// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"cmp"
	"slices"

	"pangolin/oracle"
)

// intervals is the monitor of interval linearizability (A. Castañeda, S. Rajsbaum, M. Raynal, Unifying concurrent objects and distributed
// tasks, JACM 2018): calls of the lasting operations take effect at two moments between invocation and response, first that of the operation
// itself, which gives a ticket, then that of the operation that ends it, which takes the ticket and gives the result. So a call may see what
// calls do that overlap it, and be seen by them. All other calls take effect at one moment.
//
// A state is the set of all configurations that the events so far allow, as for linearizability: closed under pending calls going on, of
// which the minimal ones are kept. A call goes on twice at most, so chains end, and the argument there (linear) holds here.
//
// A stuck history is right if one of its configurations has every call that has not returned wait where it is: unlike in linear, one
// configuration for all of them, so two calls that could let each other return are not both right.
type intervals struct {
	auto    *oracle.Automaton
	threads int
	end     []int // Weaker.End
}

// lastingConfig is a configuration. done of a thread in begun is the ticket, and else the result, plus one; 0: its call has had no effect.
type lastingConfig struct {
	config
	begun ThreadSet
}

type lastingState struct {
	calls   calls
	configs []lastingConfig // minimal, sorted
}

func (v intervals) initial(s oracle.StateID) []byte {
	return v.write(&lastingState{configs: []lastingConfig{{config: config{state: s}}}})
}

func compareLasting(a, b lastingConfig) int {
	return cmp.Or(compareConfigs(a.config, b.config), cmp.Compare(a.begun, b.begun))
}

func (v intervals) write(s *lastingState) []byte {
	w := &writer{}
	s.calls.write(w, v.threads)
	for i := range s.configs {
		c := &s.configs[i]
		w.u32(uint32(c.state))
		w.u16(uint16(c.begun))
		for t := range v.threads {
			w.u16(c.done[t])
		}
	}
	return w.buf
}

func (v intervals) read(words string) *lastingState {
	s, r := &lastingState{}, &reader{words}
	s.calls.read(r, v.threads)
	for len(r.rest) > 0 {
		c := lastingConfig{config: config{state: oracle.StateID(r.u32())}, begun: ThreadSet(r.u16())}
		for t := range v.threads {
			c.done[t] = r.u16()
		}
		s.configs = append(s.configs, c)
	}
	return s
}

func (v intervals) busy(words string) ThreadSet { return busyIn(words, v.threads) }

func (v intervals) invoke(words string, thread int, c oracle.CallID) []byte {
	s := v.read(words)
	s.calls.set(thread, c)
	return v.write(s)
}

// steps are the configurations to which a thread's call leads by going on once.
func (v intervals) steps(pending *calls, c lastingConfig, thread int) (list []lastingConfig) {
	if pending[thread] == 0 {
		return nil
	}
	switch call := pending.get(thread); {
	case c.begun.Has(thread):
		for _, e := range v.auto.Edges(c.state, v.ending(call, c.done[thread])) {
			next := c
			next.state, next.done[thread], next.begun = e.Next, uint16(e.Result)+1, c.begun.Without(thread)
			list = append(list, next)
		}
	case c.done[thread] == 0:
		for _, e := range v.auto.Edges(c.state, call) {
			next := c
			next.state, next.done[thread] = e.Next, uint16(e.Result)+1
			if v.end[v.auto.Call(call).Op] >= 0 && !v.auto.Result(e.Result).IsPanic() {
				next.begun = c.begun.With(thread)
			}
			list = append(list, next)
		}
	}
	return list
}

// ending is the call that ends one that has begun and got a ticket (its number plus one).
func (v intervals) ending(c oracle.CallID, ticket uint16) oracle.CallID {
	return v.auto.CallID(oracle.Call{Op: v.end[v.auto.Call(c).Op], Args: v.auto.Result(oracle.ResultID(ticket - 1))})
}

// respond keeps the configurations in which the thread's call has ended with a result, or can after some others have gone on.
func (v intervals) respond(words string, thread int, r oracle.ResultID) []byte {
	s := v.read(words)
	to := &responding{v, &s.calls, observeResponse{thread, uint16(r) + 1}, map[lastingConfig]bool{}, nil}
	for _, c := range s.configs {
		to.from(c)
	}
	if len(to.out) == 0 {
		return nil
	}
	s.calls[thread] = 0
	s.configs = v.minimal(&s.calls, to.out)
	return v.write(s)
}

// responding collects the configurations in which calls have gone on, the responding one last, until that has ended with its result.
type responding struct {
	intervals
	pending *calls
	resp    observeResponse
	known   map[lastingConfig]bool
	out     []lastingConfig
}

func (r *responding) from(c lastingConfig) {
	if r.known[c] {
		return
	}
	r.known[c] = true
	if c.done[r.resp.thread] != 0 && !c.begun.Has(r.resp.thread) { // it has ended
		if c.done[r.resp.thread] == r.resp.result {
			c.done[r.resp.thread] = 0
			r.out = append(r.out, c)
		}
		return
	}
	for t := range r.threads {
		for _, next := range r.steps(r.pending, c, t) {
			r.from(next)
		}
	}
}

// minimal are the configurations to which no others lead, sorted.
func (v intervals) minimal(pending *calls, configs []lastingConfig) []lastingConfig {
	slices.SortFunc(configs, compareLasting)
	configs = slices.Compact(configs)
	if len(configs) == 1 {
		return configs
	}
	reached, known := map[lastingConfig]bool{}, map[lastingConfig]bool{}
	for _, c := range configs {
		v.beyond(pending, c, known, func(next lastingConfig) { reached[next] = true })
	}
	return slices.DeleteFunc(configs, func(c lastingConfig) bool { return reached[c] })
}

// beyond visits each configuration to which one leads.
func (v intervals) beyond(pending *calls, c lastingConfig, known map[lastingConfig]bool, visit func(lastingConfig)) {
	if known[c] {
		return
	}
	known[c] = true
	for t := range v.threads {
		for _, next := range v.steps(pending, c, t) {
			visit(next)
			v.beyond(pending, next, known, visit)
		}
	}
}

func (v intervals) complete(words string) bool {
	return slices.ContainsFunc(v.read(words).configs, func(c lastingConfig) bool { return v.auto.Accepting(c.state) })
}

func (v intervals) blocked(words string, stuck ThreadSet) int {
	s, right := v.read(words), false
	look := func(c lastingConfig) { right = right || v.waits(&s.calls, c, stuck) }
	known := map[lastingConfig]bool{}
	for _, c := range s.configs {
		look(c)
		v.beyond(&s.calls, c, known, look)
	}
	if right {
		return -1
	}
	return slices.IndexFunc(s.calls[:], func(c uint16) bool { return c != 0 })
}

// waits reports whether each of some calls may wait where it is.
func (v intervals) waits(pending *calls, c lastingConfig, stuck ThreadSet) bool {
	for t := range v.threads {
		if !stuck.Has(t) {
			continue
		}
		call := pending.get(t)
		switch {
		case c.begun.Has(t):
			call = v.ending(call, c.done[t])
		case c.done[t] != 0:
			return false
		}
		if !v.auto.MayBlock(c.state, call) {
			return false
		}
	}
	return true
}

func (v intervals) permute(words string, p Perm) []byte {
	s := v.read(words)
	s.calls = s.calls.permuted(p)
	for i, c := range s.configs {
		s.configs[i].begun = c.begun.permuted(p)
		for t, r := range c.done {
			s.configs[i].done[p.To(t)] = r
		}
	}
	slices.SortFunc(s.configs, compareLasting)
	return v.write(s)
}

// rename and names are not asked for: values of a specification that is a Go type have no other names.
func (v intervals) rename(string, oracle.RenamingID) []byte {
	panic("consist: values of a Go type are renamed")
}

func (v intervals) names(string, *oracle.Names) {}

func (v intervals) describe(words string, signatures []uint64) (content uint64) {
	s := v.read(words)
	var calls, room [MaxThreads]uint64
	for t := range v.threads {
		calls[t] = s.calls.hash(v.auto, t)
	}
	of := room[:v.threads]
	for _, c := range s.configs { // sums, as the order of configurations depends on numbers
		for t := range of {
			of[t] = calls[t]
			if r := c.done[t]; r != 0 {
				of[t] = mix(of[t], v.auto.ResultHash(oracle.ResultID(r-1)))
			}
			if c.begun.Has(t) {
				of[t] = mix(of[t], 1)
			}
		}
		state := v.auto.StateHash(c.state)
		content += mix(state, inOrder(of))
		for t := range signatures {
			signatures[t] += mix(state, seen(of, t))
		}
	}
	return content
}
