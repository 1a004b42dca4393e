// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"math/bits"
	"slices"
)

// The search for an order of the calls of one part.
//
// It goes through the responses in their order and lets calls take effect when they have to (just-in-time linearization: Lowe, Testing for
// linearizability, 2017, over the list of Wing and Gong, 1993): at the first response of a call that has not taken effect, this call or another
// one that is in progress does so next. A configuration is the position of that response, the calls that have taken effect and return later, and
// the state. Those from which no order goes on are remembered, in memo.go; those on the way are not, so a history that is explained at the
// first attempt needs no memory.
//
// Four rules make it short. None loses an order.
//
//   - pure: a call that may return what it did in this state, and never changes one when it returns that, takes effect at once. (In an order that goes on from here,
//     move it to the front: it is in progress, and nothing behind it sees a difference.)
//   - alike: of calls in progress with the same operation, arguments and result, only the one that returns first is tried. (In an order with
//     another one before it, exchange the two: the other one returns later, and both have begun.)
//   - hidden: let w be the last blind write that took effect, and x one that was in progress then. x may take effect without changing the state: it
//     did so just before w. This is a way more, none less: x may be tried as usual, too.
//   - extends: while the only calls that write and can take effect before the response of a read are appends, the state has to be a prefix of what it returns.
//
// A configuration in which x may still be hidden is at least as good as the one in which it has been used, and one in which more may be hidden (the
// last blind write was later) as one in which fewer may: remembered failures of the better one count for the worse.
type search struct {
	events
	m model

	depth  []step   // the configurations from the beginning to here
	masks  []uint64 // the mask of each, words words long
	trail  []int32  // the calls that have taken effect, in order
	choice []choice
	memo   *memo
	seen   []int32 // by class: its last entry among the choices that are being collected, plus one

	other    bool // what is tried first is the other of hiding a blind write and not
	farthest int32
	nodes    int
	backs    int // number of times that the search went back
	budget   int
	buf, sub []Value
	tried    []choice // what collect looks at
}

// events are the events of a part, 0 to n-1, and a linked list of those that are left: node e+1 is
// event e, node 0 the head. The events of calls that have taken effect are not in the list.
type events struct {
	calls      []Call
	event      []int32 // by event: call*2, plus 1 for a response
	next, prev []int32
	begin, end []int32 // by call: nodes of its events; end is 0 if it did not return
	slot       []int32 // by call: its bit in masks, different for calls in progress at the same time
	class      []int32 // by call that changes states: its class of alike calls
	flags      []flag
	words      int // words in a mask

	extends             bool    // the history has appends
	nextReset, nextRead []int32 // by event: the next invocation, from it on, of a call that changes states other than by appending; the next response of a read
}

type flag uint8

const (
	isPure flag = 1 << iota
	isBlind
	isReset // it changes states other than by appending
	taken   // it has taken effect
)

// step is a configuration on the path of the search, and which continuations were tried.
type step struct {
	state    Value
	at       int32 // the response that has to be explained next; n: all are explained
	last     int32 // the value of at when the last blind write took effect; -1: none did
	trail    int32
	from, to int32 // its continuations in choices; those up to from were tried
	stage    int8
	reset    bool // a call in progress may change the state other than by appending
}

type choice struct {
	call int32
	next Value
}

// search decides one part, remembering at most budget bytes.
func (j *job) search(p *part, budget int) outcome {
	s := p.search
	if p.search = nil; s == nil {
		s = newSearch(j.h, p.calls)
	} else {
		j.carried -= p.carried
		s.rewind()
	}
	s.budget, s.other = budget, j.other
	s.memo.limit = j.o.MaxMemory
	status, reason := s.run(j.ctx.Done())
	if size := s.bytes(); reason == limitBudget && s.memo.used <= mostCarried && j.carried+size <= j.o.MaxMemory/2 {
		p.search, p.carried = s, size
		j.carried += size
	}
	got := outcome{status: status, reason: reason, way: "search", explained: s.returned()}
	if reason == limitTime {
		got.reason = j.overtime()
	}
	if status == Violated {
		got.calls = j.prefix(s)
	}
	return got
}

const (
	limitTime   = "time"
	limitBudget = "budget"
	limitMemory = "the limit on memory for remembered configurations and states was reached"
)

// mostCarried is how many failed configurations a part's search keeps until its next turn. They have failed in whatever order they are tried; later
// turns are so much longer that little is gained. All searches that are kept take half of the limit on memory at most.
const mostCarried = 1 << 10

// bytes is how much the search takes, about.
func (s *search) bytes() int64 {
	lists := 4*(4*len(s.event)+4*len(s.calls)+len(s.seen)+cap(s.trail)) + len(s.flags)
	if s.extends {
		lists += 8 * len(s.event)
	}
	return int64(lists) + s.remembered() + 40*int64(cap(s.depth)) + 16*int64(cap(s.choice))
}

// remembered is what of it is not linear in the length of the history.
func (s *search) remembered() int64 {
	return 8*int64(len(s.memo.table)+cap(s.masks)) + s.m.bytes()
}

// rewind makes a search that was given up ready to begin again, with what has failed.
func (s *search) rewind() {
	for i := range len(s.event) {
		s.next[i], s.prev[i+1] = int32(i+1), int32(i)
	}
	s.next[len(s.event)], s.prev[0] = 0, 0
	s.depth, s.trail, s.choice, s.nodes, s.backs = s.depth[:0], s.trail[:0], s.choice[:0], 0, 0
}

// prefix is the shortest beginning of a part that has no order either, if the part has none. It
// ends at the farthest response that was reached, except that the rule extends looks ahead.
func (j *job) prefix(s *search) []Call {
	for at := int(s.farthest); at < len(s.event); at = at + (len(s.event)-at)/2 + 1 {
		if s.event[at]&1 == 0 {
			continue
		}
		cut := cutBehind(s.calls, s.calls[s.event[at]/2].End)
		if !s.extends {
			return cut
		}
		again := newSearch(j.h, cut)
		again.memo.limit = j.o.MaxMemory
		if status, _ := again.run(j.ctx.Done()); status == Violated {
			return cut
		}
	}
	return s.calls
}

// cutBehind is the history up to the response at a position: later calls are left out, and calls
// that return later have not returned.
func cutBehind(calls []Call, position int32) []Call {
	var cut []Call
	for _, c := range calls {
		if c.Begin > position {
			continue
		}
		if c.End > position {
			c.End = Never
		}
		if !c.idle() {
			cut = append(cut, c)
		}
	}
	return cut
}

func newSearch(h *History, calls []Call) *search {
	s := &search{events: events{calls: calls}, m: newModel(h, false), memo: &memo{}}
	s.list()
	s.classify()
	s.lookAhead()
	return s
}

// list makes the events and assigns bits to calls.
func (s *search) list() {
	ends := make([]uint64, 0, len(s.calls))
	for i := range s.calls {
		if e := s.calls[i].End; e != Never {
			ends = append(ends, uint64(e)<<32|uint64(i))
		}
	}
	slices.Sort(ends)
	n := len(s.calls) + len(ends)
	room := make([]int32, 4*n+2+4*len(s.calls)) // one allocation for all lists
	take := func(n int) []int32 {
		out := room[:n:n]
		room = room[n:]
		return out
	}
	s.event = take(n)[:0]
	s.next, s.prev = take(n+1), take(n+1)
	s.begin, s.end, s.slot, s.class = take(len(s.calls)), take(len(s.calls)), take(len(s.calls)), take(len(s.calls))
	free := take(len(s.calls))[:0]
	slots := int32(0)
	call, end := 0, 0
	for len(s.event) < n {
		if call < len(s.calls) && (end == len(ends) || s.calls[call].Begin < int32(ends[end]>>32)) {
			s.event = append(s.event, int32(call)*2)
			s.begin[call] = int32(len(s.event))
			if len(free) > 0 {
				s.slot[call] = free[len(free)-1]
				free = free[:len(free)-1]
			} else {
				s.slot[call] = slots
				slots++
			}
			call++
			continue
		}
		i := int32(uint32(ends[end]))
		s.event = append(s.event, i*2+1)
		s.end[i] = int32(len(s.event))
		free = append(free, s.slot[i])
		end++
	}
	for i := range n {
		s.next[i], s.prev[i+1] = int32(i+1), int32(i)
	}
	s.words = max(1, int(slots+63)/64)
	s.memo.words = s.words
}

func (s *search) classify() {
	s.flags = make([]flag, len(s.calls))
	size := 4
	for size < 2*len(s.calls) {
		size *= 2
	}
	table := make([]int32, size) // a hash table of classes: a call of each, plus one
	classes := int32(0)
	for i := range s.calls {
		c := &s.calls[i]
		if c.pure() {
			s.flags[i] = isPure
			continue
		}
		if c.blind() {
			s.flags[i] |= isBlind
		}
		if c.Op != Append {
			s.flags[i] |= isReset
		} else {
			s.extends = true
		}
		at := c.likeness() & uint64(size-1)
		for table[at] != 0 && !s.calls[table[at]-1].alike(c) {
			at = (at + 1) & uint64(size-1)
		}
		if table[at] == 0 {
			table[at] = int32(i) + 1
			s.class[i] = classes
			classes++
		} else {
			s.class[i] = s.class[table[at]-1]
		}
	}
	s.seen = make([]int32, classes)
}

// alike reports whether two calls of a part have the same operation, arguments and result.
func (c *Call) alike(d *Call) bool {
	return c.Op == d.Op && c.A == d.A && c.B == d.B && c.Unknown == d.Unknown && (c.R == d.R || c.Unknown) && c.Key == d.Key
}

// likeness is a hash that is equal for alike calls.
func (c *Call) likeness() uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := (uint64(c.A)*odd ^ uint64(c.B)) * odd
	h ^= uint64(c.Op) << 32
	if !c.Unknown {
		h ^= uint64(c.R)
	}
	h *= odd
	return h ^ h>>31
}

func (s *search) lookAhead() {
	if !s.extends {
		return
	}
	n := int32(len(s.event))
	s.nextReset, s.nextRead = make([]int32, n+1), make([]int32, n+1)
	s.nextReset[n], s.nextRead[n] = n, n
	for e := n - 1; e >= 0; e-- {
		s.nextReset[e], s.nextRead[e] = s.nextReset[e+1], s.nextRead[e+1]
		i := s.event[e] / 2
		if s.event[e]&1 == 0 && s.flags[i]&isReset != 0 {
			s.nextReset[e] = e
		}
		if s.event[e]&1 == 1 && s.calls[i].Op == Read {
			s.nextRead[e] = e
		}
	}
}

// lookEvery is the number of configurations between looks at the limits. Tests look more often.
var lookEvery = 256

// run searches. The text is the reason if the status is Unknown.
func (s *search) run(done <-chan struct{}) (Status, string) {
	s.masks = make([]uint64, s.words)
	every := lookEvery
	if _, slow := s.m.(*object); slow {
		every = 1
	}
	if s.settle(step{state: s.m.initial(), last: -1}) {
		return OK, ""
	}
	for len(s.depth) > 0 {
		if s.remembered() > s.memo.limit {
			return Unknown, limitMemory
		}
		if s.nodes++; s.nodes%every == 0 {
			if s.budget > 0 && s.backs > s.budget {
				return Unknown, limitBudget
			}
			select {
			case <-done:
				return Unknown, limitTime
			default:
			}
		}
		call, next, ok := s.choose()
		if !ok {
			s.backs++
			if !s.fail() {
				return Unknown, limitMemory
			}
			continue
		}
		if s.effect(call, next) {
			return OK, ""
		}
	}
	return Violated, ""
}

// hidden takes the place of a state for a call that takes effect without changing the state.
const hidden Value = firstString + 1

// choose is the next continuation of the last configuration; false if all were tried.
func (s *search) choose() (call int32, next Value, ok bool) {
	top := &s.depth[len(s.depth)-1]
	o := s.event[top.at] / 2
	hide := s.flags[o]&isBlind != 0 && s.begin[o]-1 < top.last
	for top.stage < 2 {
		hiding := (top.stage == 0) != s.other
		if hide && s.wanted(o, top.state) {
			hiding = !hiding
		}
		top.stage++
		if hiding {
			if hide {
				return o, hidden, true
			}
			continue
		}
		if s.flags[o]&isPure != 0 {
			continue
		}
		s.buf = s.m.step(top.state, &s.calls[o], s.buf[:0])
		if len(s.buf) > 0 {
			for _, next := range s.buf[1:] {
				s.choice = append(s.choice, choice{o, next})
			}
			top.to = int32(len(s.choice))
			return o, s.buf[0], true
		}
	}
	if top.stage == 2 {
		top.stage = 3
		s.collect(top, o)
	}
	if top.from == top.to {
		return 0, 0, false
	}
	c := s.choice[top.from]
	top.from++
	return c.call, c.next, true
}

// wanted reports whether the value that call o writes is read sooner than the state. It only
// decides which continuation is tried first.
func (s *search) wanted(o int32, state Value) bool {
	w, _ := s.calls[o].writes()
	for n, left := s.next[s.end[o]], 32; n != 0 && left > 0; n, left = s.next[n], left-1 {
		e := s.event[n-1]
		if e&1 == 0 || s.calls[e/2].Unknown {
			continue
		}
		if v, reads := s.calls[e/2].reads(); reads && v == w {
			return true
		} else if reads && v == state {
			return false
		}
	}
	return false
}

// collect lists the continuations in which another call than o takes effect next: first those after
// which o can.
func (s *search) collect(top *step, o int32) {
	first := len(s.choice)
	for n := s.next[0]; n != 0; n = s.next[n] {
		e := s.event[n-1]
		if e&1 == 1 {
			break
		}
		i := e / 2
		if i == o || s.flags[i]&isPure != 0 {
			continue
		}
		class := s.class[i]
		if s.flags[o]&isPure == 0 && class == s.class[o] {
			continue // alike, and o returns earlier
		}
		if at := int(s.seen[class]) - 1; at >= first && at < len(s.choice) && s.class[s.choice[at].call] == class {
			if s.returnsBefore(i, s.choice[at].call) {
				s.choice[at].call = i
			}
			continue
		}
		s.seen[class] = int32(len(s.choice)) + 1
		s.choice = append(s.choice, choice{call: i})
	}
	s.tried = append(s.tried[:0], s.choice[first:]...)
	s.choice = s.choice[:first]
	for _, c := range s.tried {
		s.buf = s.m.step(top.state, &s.calls[c.call], s.buf[:0])
		for _, next := range s.buf {
			s.choice = append(s.choice, choice{c.call, next})
		}
	}
	good := first
	for i := first; i < len(s.choice); i++ {
		if s.sub = s.m.step(s.choice[i].next, &s.calls[o], s.sub[:0]); len(s.sub) > 0 {
			c := s.choice[i]
			copy(s.choice[good+1:i+1], s.choice[good:i])
			s.choice[good] = c
			good++
		}
	}
	top.to = int32(len(s.choice))
}

func (s *search) returnsBefore(a, b int32) bool {
	return s.end[a] != 0 && (s.end[b] == 0 || s.end[a] < s.end[b])
}

// lift removes a call's events from the list.
func (s *search) lift(i int32) {
	n := s.begin[i]
	s.next[s.prev[n]] = s.next[n]
	if s.next[n] != 0 {
		s.prev[s.next[n]] = s.prev[n]
	}
	if n = s.end[i]; n != 0 {
		s.next[s.prev[n]] = s.next[n]
		if s.next[n] != 0 {
			s.prev[s.next[n]] = s.prev[n]
		}
	}
	s.flags[i] |= taken
	s.trail = append(s.trail, i)
}

// putBack puts the events of all calls behind a length of the trail into the list again.
func (s *search) putBack(length int32) {
	for int32(len(s.trail)) > length {
		i := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.flags[i] &^= taken
		for _, n := range [2]int32{s.end[i], s.begin[i]} {
			if n == 0 {
				continue
			}
			s.next[s.prev[n]] = n
			if s.next[n] != 0 {
				s.prev[s.next[n]] = n
			}
		}
	}
}

// effect lets a call take effect, and reports whether all responses are explained.
func (s *search) effect(call int32, next Value) bool {
	top := &s.depth[len(s.depth)-1]
	to := step{state: next, last: top.last, trail: int32(len(s.trail)), at: top.at}
	if next == hidden {
		to.state = top.state
	} else if s.flags[call]&isBlind != 0 {
		to.last = top.at
	}
	s.masks = append(s.masks, s.masks[len(s.masks)-s.words:]...)
	s.lift(call)
	return s.settle(to)
}

// settle lets pure calls take effect in the new state and moves to the next response that has to be
// explained, unless that configuration has failed before.
func (s *search) settle(to step) bool {
	at := int32(len(s.event))
	end := int32(0)
	for n := s.next[0]; n != 0; {
		e := s.event[n-1]
		i := e / 2
		if e&1 == 1 {
			at = n - 1
			end = n
			break
		}
		if s.flags[i]&isPure != 0 {
			if s.buf = s.m.step(to.state, &s.calls[i], s.buf[:0]); len(s.buf) > 0 {
				before := s.prev[n]
				s.lift(i)
				n = s.next[before]
				continue
			}
		} else if s.flags[i]&isReset != 0 {
			to.reset = true
		}
		n = s.next[n]
	}
	mask := s.masks[len(s.masks)-s.words:]
	for e := to.at; e < at; e++ {
		if s.event[e]&1 == 1 {
			slot := s.slot[s.event[e]/2]
			mask[slot/64] &^= 1 << (slot % 64)
		}
	}
	for _, i := range s.trail[to.trail:] {
		if s.end[i] == 0 || s.end[i] > end {
			mask[s.slot[i]/64] |= 1 << (s.slot[i] % 64)
		}
	}
	s.farthest = max(s.farthest, at)
	if end == 0 {
		return true
	}
	to.at = at
	if s.hopeless(&to, mask) {
		s.putBack(to.trail)
		s.masks = s.masks[:len(s.masks)-s.words]
		return false
	}
	to.from, to.to = int32(len(s.choice)), int32(len(s.choice))
	s.depth = append(s.depth, to)
	return false
}

// hopeless reports whether no order is known to go on from a configuration.
func (s *search) hopeless(to *step, mask []uint64) bool {
	if s.extends && !to.reset {
		r := s.nextRead[to.at]
		for r < int32(len(s.event)) && s.flags[s.event[r]/2]&taken != 0 {
			r = s.nextRead[r+1]
		}
		if r < int32(len(s.event)) && s.nextReset[to.at] > r {
			if m, ok := s.m.(*cell); ok && !m.prefix(to.state, s.calls[s.event[r]/2].R) {
				return true
			}
		}
	}
	if s.memo.used == 0 {
		return false
	}
	if s.memo.has(to.at, to.last, to.state, mask) {
		return true
	}
	if to.last < 0 {
		return false
	}
	// The better configuration: the same without the calls that may have been hidden.
	var few [4]uint64
	less := append(few[:0], mask...)
	left, changed := 0, false
	for _, w := range mask {
		left += bits.OnesCount64(w)
	}
	for t := len(s.trail) - 1; left > 0; t-- {
		i := s.trail[t]
		if s.end[i] != 0 && s.end[i]-1 <= to.at {
			continue // the call has returned
		}
		left--
		if s.flags[i]&isBlind != 0 && s.begin[i]-1 < to.last {
			less[s.slot[i]/64] &^= 1 << (s.slot[i] % 64)
			changed = true
		}
	}
	return changed && s.memo.has(to.at, to.last, to.state, less)
}

// prefix reports whether appending can make state s the value r.
func (m *cell) prefix(s, r Value) bool {
	if s == r {
		return true
	}
	a, b := m.values.Text(s), m.values.Text(r)
	return len(a) <= len(b) && b[:len(a)] == a
}

// fail remembers the last configuration as failed and goes back. It is false if there is no memory
// left.
func (s *search) fail() bool {
	top := &s.depth[len(s.depth)-1]
	mask := s.masks[len(s.masks)-s.words:]
	room := s.memo.add(top.at, top.last, top.state, mask)
	s.putBack(top.trail)
	s.masks = s.masks[:len(s.masks)-s.words]
	s.depth = s.depth[:len(s.depth)-1]
	if len(s.depth) > 0 {
		s.choice = s.choice[:s.depth[len(s.depth)-1].to]
	}
	return room
}

// returned counts the calls that returned before the farthest response that was reached.
func (s *search) returned() int {
	n := 0
	for _, e := range s.event[:s.farthest] {
		n += int(e & 1)
	}
	return n
}
