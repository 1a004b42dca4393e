// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/bits"
	"slices"

	"pangolin/oracle"
	"pangolin/verdict"
)

// overlapping is the monitor of Weaker. As that of linearizability it follows the minimal configurations that the events so far allow;
// only calls that are not reads take effect. A configuration also has, for each read in progress, the views from which its result may
// come: what it would return if it looked now. A call that takes effect gives more views and takes none away, so it is enough to look
// at them when the read returns.
//
// For some and between, a read may see a call before it takes effect. When it returns, the configuration branches into the sequences of
// pending calls that it has seen: they have to take effect in that order (after), and to change something when they do (shown).
type overlapping struct {
	auto    *oracle.Automaton
	threads int
	weaker  *Weaker
}

// looking is a configuration. Its lists are never changed.
type looking struct {
	config
	// after[t] are the calls in progress that have to take effect before that of thread t.
	after [MaxThreads]ThreadSet
	// shown are calls in progress that a read has seen before they take effect, which has to change something.
	shown ThreadSet
	past  []oracle.StateID   // the last different states before this one, for stale; the latest one last
	ever  []oracle.StateID   // all states so far, this one included, for eventually; sorted
	base  []view             // the states without the effects of some calls in progress, for some and between
	seen  [MaxThreads][]view // by thread: the views of its read
}

// lookingState is a monitor state that is being computed.
type lookingState struct {
	calls calls
	// free are the threads whose read, of the meaning quiet or eventually, overlaps another call.
	free    ThreadSet
	configs []looking
}

func (o overlapping) initial(s oracle.StateID) []byte {
	return o.write(&lookingState{configs: []looking{{config: config{state: s}, ever: o.visited(nil, s)}}})
}

// visited adds a state to those of a configuration so far, if a read may return what was right in them.
func (o overlapping) visited(ever []oracle.StateID, s oracle.StateID) []oracle.StateID {
	at, known := slices.BinarySearch(ever, s)
	if known || !o.weaker.has(verdict.Eventually) {
		return ever
	}
	return slices.Insert(slices.Clone(ever), at, s)
}

// write writes the state in its canonical form: configurations in the order of their texts, which are different.
func (o overlapping) write(s *lookingState) []byte {
	w := &writer{}
	s.calls.write(w, o.threads)
	w.u16(uint16(s.free))
	for _, text := range o.texts(s.configs) {
		w.buf = append(w.buf, text...)
	}
	return w.buf
}

func (o overlapping) texts(configs []looking) []string {
	texts := make([]string, len(configs))
	for i := range configs {
		texts[i] = o.text(&configs[i])
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func (o overlapping) text(c *looking) string {
	w := &writer{}
	w.u32(uint32(c.state))
	for t := range o.threads {
		w.u16(c.done[t])
		w.u16(uint16(c.after[t]))
	}
	w.u16(uint16(c.shown))
	w.u16(uint16(len(c.past)))
	for _, s := range c.past {
		w.u32(uint32(s))
	}
	w.u16(uint16(len(c.ever)))
	for _, s := range c.ever {
		w.u32(uint32(s))
	}
	w.views(c.base)
	for t := range o.threads {
		w.views(c.seen[t])
	}
	return string(w.buf)
}

func (o overlapping) read(words string) *lookingState {
	s, r := &lookingState{}, &reader{words}
	s.calls.read(r, o.threads)
	s.free = ThreadSet(r.u16())
	for len(r.rest) > 0 {
		c := looking{config: config{state: oracle.StateID(r.u32())}}
		for t := range o.threads {
			c.done[t], c.after[t] = r.u16(), ThreadSet(r.u16())
		}
		c.shown = ThreadSet(r.u16())
		for range r.u16() {
			c.past = append(c.past, oracle.StateID(r.u32()))
		}
		for range r.u16() {
			c.ever = append(c.ever, oracle.StateID(r.u32()))
		}
		c.base = r.views()
		for t := range o.threads {
			c.seen[t] = r.views()
		}
		s.configs = append(s.configs, c)
	}
	return s
}

func (o overlapping) busy(words string) ThreadSet { return busyIn(words, o.threads) }

// meaning is what the operation of a call promises.
func (o overlapping) meaning(c oracle.CallID) verdict.Meaning {
	return o.weaker.meaning(o.auto.Call(c).Op)
}

// reads reports whether a thread has a read in progress that lasts.
func (o overlapping) reads(s *lookingState, thread int) bool {
	return s.calls[thread] != 0 && o.weaker.reads(o.auto.Call(s.calls.get(thread)).Op)
}

func (o overlapping) invoke(words string, thread int, c oracle.CallID) []byte {
	s := o.read(words)
	s.calls.set(thread, c)
	read := o.reads(s, thread)
	for t := range o.threads {
		switch {
		case t == thread || s.calls[t] == 0:
		case read && !o.reads(s, t) && minds(o.meaning(c)):
			s.free = s.free.With(thread)
		case !read && o.reads(s, t) && minds(o.meaning(s.calls.get(t))):
			s.free = s.free.With(t)
		}
	}
	if read {
		for i := range s.configs {
			s.configs[i].seen[thread] = o.first(&s.configs[i], o.meaning(c))
		}
	}
	return o.write(s)
}

// minds reports whether a read of the meaning promises less if another call overlaps it.
func minds(m verdict.Meaning) bool { return m.Name == verdict.Quiet || m.Name == verdict.Eventually }

// first are the views of a read that begins; of the meaning eventually they are looked up at its end, by ended.
func (o overlapping) first(c *looking, m verdict.Meaning) []view {
	list := []view{{state: c.state}}
	switch m.Name {
	case verdict.Stale:
		for _, s := range c.past[max(0, len(c.past)-m.Bound):] {
			list = append(list, view{state: s})
		}
	case verdict.Some, verdict.Between:
		for _, v := range c.base {
			list = append(list, view{state: v.state})
		}
	case verdict.Eventually:
		return nil
	}
	return sorted(list)
}

// respond: of a read, see returned; of another call as in linear.
func (o overlapping) respond(words string, thread int, r oracle.ResultID) []byte {
	s := o.read(words)
	var next []looking
	for i := range s.configs {
		c := &s.configs[i]
		switch {
		case o.reads(s, thread):
			next = o.returned(s, c, observeResponse{thread, uint16(r)}, next)
		case c.done[thread] == uint16(r)+1:
			next = append(next, *c)
		case c.done[thread] == 0:
			next = o.effectThen(s, c, observeResponse{thread, uint16(r) + 1}, next)
		}
	}
	if len(next) == 0 {
		return nil
	}
	s.calls[thread], s.free = 0, s.free.Without(thread)
	for i := range next {
		next[i].left(thread)
	}
	s.configs = next
	o.minimal(s)
	return o.write(s)
}

// left removes what was noted of a call that has returned.
func (c *looking) left(thread int) {
	c.done[thread], c.seen[thread], c.after[thread], c.shown = 0, nil, 0, c.shown.Without(thread)
	var base []view
	for _, v := range c.base {
		if !v.skip.Has(thread) {
			base = append(base, v)
		}
	}
	c.base = base
}

// returned appends the configurations in which a read returns its result, now or after other calls have taken effect.
func (o overlapping) returned(s *lookingState, c *looking, resp observeResponse, out []looking) []looking {
	if seen := o.ended(s, c, resp.thread); o.explains(s, resp, seen, seen) { // then also after further effects
		return append(out, *c)
	}
	if m := o.meaning(s.calls.get(resp.thread)).Name; m == verdict.Some || m == verdict.Between {
		out = append(out, o.seenAhead(s, c, resp)...)
	}
	for t := range o.threads {
		for _, e := range o.effects(s, c, t) {
			next := o.effect(s, c, t, e)
			out = o.returned(s, &next, resp, out)
		}
	}
	return out
}

// ended are the views of a read that returns now.
func (o overlapping) ended(s *lookingState, c *looking, thread int) []view {
	switch {
	case o.meaning(s.calls.get(thread)).Name != verdict.Eventually:
		return c.seen[thread]
	case !s.free.Has(thread): // no other call has taken effect since it began, and none is in progress
		return []view{{state: c.state}}
	}
	var list []view
	for _, state := range c.ever {
		list = append(list, view{state: state})
	}
	return list
}

// explains reports whether a read may return the result in views that it has had. Between takes a number that is the least or above it in
// the views low, and the greatest or below it in high.
func (o overlapping) explains(s *lookingState, resp observeResponse, low, high []view) bool {
	call, r := s.calls.get(resp.thread), oracle.ResultID(resp.result)
	meaning := o.meaning(call).Name
	if meaning == verdict.Quiet && s.free.Has(resp.thread) && !o.auto.Result(r).IsPanic() {
		return true
	}
	if meaning != verdict.Between {
		return slices.Contains(o.results(low, call), r)
	}
	n, ok := number(o.auto.Result(r))
	least := slices.ContainsFunc(o.numbers(low, call), func(x int64) bool { return x <= n })
	return ok && least && slices.ContainsFunc(o.numbers(high, call), func(x int64) bool { return x >= n })
}

// numbers are what a read may return in one of the views, for between.
func (o overlapping) numbers(seen []view, call oracle.CallID) (list []int64) {
	for _, r := range o.results(seen, call) {
		n, ok := number(o.auto.Result(r))
		if !ok {
			o.auto.Fail(o.weaker.errNoNumber(o.auto.Call(call), o.auto.Result(r)))
		}
		list = append(list, n)
	}
	return list
}

// results are what a read may return in one of the views.
func (o overlapping) results(seen []view, call oracle.CallID) (list []oracle.ResultID) {
	for _, v := range seen {
		for _, e := range o.auto.Edges(v.state, call) {
			if e.Next != v.state && o.auto.Renamable() { // the state of other specifications may hold what no caller sees
				o.auto.Fail(o.weaker.errChanges(o.auto.Call(call)))
			}
			if !slices.Contains(list, e.Result) {
				list = append(list, e.Result)
			}
		}
	}
	return list
}

// effects are the ways in which the call of a thread may take effect now.
func (o overlapping) effects(s *lookingState, c *looking, t int) []oracle.Edge {
	if s.calls[t] == 0 || c.done[t] != 0 || c.after[t] != 0 || o.reads(s, t) {
		return nil
	}
	edges := o.auto.Edges(c.state, s.calls.get(t))
	if c.shown.Has(t) {
		edges = slices.DeleteFunc(slices.Clone(edges), func(e oracle.Edge) bool { return e.Next == c.state })
	}
	return edges
}

// effect is the configuration after the call of a thread has taken effect. Where that changes nothing, reads see nothing of it.
func (o overlapping) effect(s *lookingState, c *looking, t int, e oracle.Edge) looking {
	next, call := *c, s.calls.get(t)
	next.state, next.done[t], next.shown = e.Next, uint16(e.Result)+1, c.shown.Without(t)
	for r := range o.threads {
		next.after[r] = c.after[r].Without(t)
	}
	if e.Next == c.state {
		return next
	}
	if most := o.weaker.mostStale(); most > 0 {
		next.past = append(slices.Clone(c.past), c.state)
		next.past = next.past[max(0, len(next.past)-most):]
	}
	next.ever = o.visited(c.ever, e.Next)
	if o.weaker.has(verdict.Some) || o.weaker.has(verdict.Between) {
		next.base = []view{{state: c.state, skip: ThreadSet(0).With(t)}}
		for _, v := range c.base {
			next.base = append(next.base, view{state: v.state, skip: v.skip.With(t)})
			for _, to := range o.applied(v.state, call) {
				next.base = append(next.base, view{state: to, skip: v.skip})
			}
		}
		next.base = sorted(next.base)
	}
	for r := range o.threads {
		if o.reads(s, r) {
			next.seen[r] = o.more(o.meaning(s.calls.get(r)).Name, c.seen[r], call, e.Next)
		}
	}
	return next
}

// more are the views of a read behind a call that has led to another state.
func (o overlapping) more(meaning string, seen []view, call oracle.CallID, state oracle.StateID) (list []view) {
	switch meaning {
	case verdict.Some, verdict.Between:
		list = slices.Clone(seen)
		for _, v := range seen {
			for _, to := range o.applied(v.state, call) {
				list = append(list, view{state: to})
			}
		}
	case verdict.Parts:
		key, keyed := o.weaker.key(o.auto.Call(call))
		for _, v := range seen {
			list = append(list, o.part(v, call, partOf{key, keyed})...)
		}
	case verdict.Eventually:
	default:
		list = append(slices.Clone(seen), view{state: state})
	}
	return sorted(list)
}

// applied are the states after a call, whatever it returns; the same one if it cannot return.
func (o overlapping) applied(s oracle.StateID, call oracle.CallID) (list []oracle.StateID) {
	for _, e := range o.auto.Edges(s, call) {
		list = append(list, e.Next)
	}
	if len(list) == 0 {
		return []oracle.StateID{s}
	}
	return list
}

// effectThen is as in linear.
func (o overlapping) effectThen(s *lookingState, c *looking, resp observeResponse, out []looking) []looking {
	for t := range o.threads {
		for _, e := range o.effects(s, c, t) {
			next := o.effect(s, c, t, e)
			switch {
			case t != resp.thread:
				out = o.effectThen(s, &next, resp, out)
			case next.done[t] == resp.result:
				out = append(out, next)
			}
		}
	}
	return out
}

// minimal removes configurations that others lead to.
func (o overlapping) minimal(s *lookingState) {
	if len(s.configs) < 2 {
		return
	}
	byText := map[string]looking{}
	for i := range s.configs {
		byText[o.text(&s.configs[i])] = s.configs[i]
	}
	reached, known := map[string]bool{}, map[string]bool{}
	var mark func(c *looking)
	mark = func(c *looking) {
		for t := range o.threads {
			for _, e := range o.effects(s, c, t) {
				next := o.effect(s, c, t, e)
				text := o.text(&next)
				if known[text] {
					continue
				}
				known[text] = true
				if _, among := byText[text]; among {
					reached[text] = true
				}
				mark(&next)
			}
		}
	}
	for _, c := range byText {
		mark(&c)
	}
	s.configs = s.configs[:0]
	for text, c := range byText { // write sorts them
		if !reached[text] {
			s.configs = append(s.configs, c)
		}
	}
}

func (o overlapping) complete(words string) bool {
	return slices.ContainsFunc(o.read(words).configs, func(c looking) bool { return o.auto.Accepting(c.state) })
}

// blocked is as in linear; and no read may have seen a call that is stuck.
func (o overlapping) blocked(words string, stuck ThreadSet) int {
	s := o.read(words)
	for t := range o.threads {
		if stuck.Has(t) && !slices.ContainsFunc(s.configs, func(c looking) bool {
			return c.done == [MaxThreads]uint16{} && c.shown == 0 && o.auto.MayBlock(c.state, s.calls.get(t))
		}) {
			return t
		}
	}
	return s.calls.partner(o.auto, stuck)
}

func (s ThreadSet) permuted(p Perm) (out ThreadSet) {
	for t := range MaxThreads {
		if s.Has(t) {
			out = out.With(p.To(t))
		}
	}
	return out
}

func (o overlapping) permute(words string, p Perm) []byte {
	s := o.read(words)
	s.calls, s.free = s.calls.permuted(p), s.free.permuted(p)
	for i := range s.configs {
		c := s.configs[i]
		moved := looking{config: config{state: c.state}, shown: c.shown.permuted(p), past: c.past, ever: c.ever}
		for t := range MaxThreads {
			to := p.To(t)
			moved.done[to], moved.after[to], moved.seen[to] = c.done[t], c.after[t].permuted(p), c.seen[t]
		}
		for _, v := range c.base {
			moved.base = append(moved.base, view{state: v.state, skip: v.skip.permuted(p)})
		}
		moved.base = sorted(moved.base)
		s.configs[i] = moved
	}
	return o.write(s)
}

func (o overlapping) rename(words string, r oracle.RenamingID) []byte {
	s := o.read(words)
	views := func(list []view) []view {
		for i, v := range list {
			keys := keysOf(v.missed)
			for k := range keys {
				keys[k] = o.auto.RenameName(oracle.Keys, keys[k], r)
			}
			slices.Sort(keys)
			list[i].state, list[i].missed = o.auto.RenameState(v.state, r), textOf(keys)
		}
		return sorted(list)
	}
	for i := range s.configs {
		c := &s.configs[i]
		c.state = o.auto.RenameState(c.state, r)
		for k, p := range c.past {
			c.past[k] = o.auto.RenameState(p, r)
		}
		for k, p := range c.ever {
			c.ever[k] = o.auto.RenameState(p, r)
		}
		slices.Sort(c.ever)
		c.base = views(c.base)
		for t, res := range c.done {
			if c.seen[t] = views(c.seen[t]); res != 0 {
				c.done[t] = uint16(o.auto.RenameResult(s.calls.get(t), oracle.ResultID(res-1), r)) + 1
			}
		}
	}
	s.calls = s.calls.renamed(o.auto, r)
	return o.write(s)
}

func (o overlapping) names(words string, n *oracle.Names) {
	s := o.read(words)
	views := func(list []view) {
		for _, v := range list {
			o.auto.StateNames(v.state, n)
			for _, k := range keysOf(v.missed) {
				n.Add(oracle.Keys, k)
			}
		}
	}
	for t, call := range s.calls {
		if call != 0 {
			o.auto.CallNames(s.calls.get(t), n)
		}
	}
	for i := range s.configs {
		c := &s.configs[i]
		o.auto.StateNames(c.state, n)
		for _, p := range slices.Concat(c.past, c.ever) {
			o.auto.StateNames(p, n)
		}
		views(c.base)
		for t, res := range c.done {
			if views(c.seen[t]); res != 0 {
				o.auto.ResultNames(s.calls.get(t), oracle.ResultID(res-1), n)
			}
		}
	}
}

// describe: in the content threads have their numbers. A signature tells of sets of threads how many are in them, and whether the
// thread is.
func (o overlapping) describe(words string, signatures []uint64) (content uint64) {
	s := o.read(words)
	of, exact := make([]uint64, o.threads), make([]uint64, o.threads)
	for i := range s.configs {
		c := &s.configs[i]
		shared := o.auto.StateHash(c.state)
		for _, p := range c.past {
			shared = mix(shared, o.auto.StateHash(p))
		}
		for _, p := range c.ever {
			shared += mix(4, o.auto.StateHash(p))
		}
		whole := mix(shared, uint64(c.shown)<<8|uint64(s.free))
		for _, v := range c.base {
			whole += mix(o.auto.StateHash(v.state), uint64(v.skip))
			shared += mix(o.auto.StateHash(v.state), uint64(bits.OnesCount8(uint8(v.skip))))
		}
		for t := range of {
			h := mix(s.calls.hash(o.auto, t), boolean(c.shown.Has(t))|boolean(s.free.Has(t))<<1)
			if r := c.done[t]; r != 0 {
				h = mix(h, o.auto.ResultHash(oracle.ResultID(r-1)))
			}
			for _, v := range c.seen[t] {
				h += mix(o.auto.StateHash(v.state), hashText(v.missed))
			}
			for _, v := range c.base {
				h += mix(o.auto.StateHash(v.state), 2+boolean(v.skip.Has(t)))
			}
			of[t], exact[t] = mix(h, uint64(bits.OnesCount8(uint8(c.after[t])))), mix(h, uint64(c.after[t]))
		}
		content += mix(whole, inOrder(exact))
		for t := range signatures {
			signatures[t] += mix(shared, seen(of, t))
		}
	}
	return content
}

func boolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func hashText(text string) (h uint64) {
	for i := range len(text) {
		h = mix(h, uint64(text[i])+1)
	}
	return h
}
