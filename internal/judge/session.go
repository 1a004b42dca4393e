// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"math/bits"
	"slices"
	"strings"
)

// Session guarantees of registers and maps in which each value of a key is written once (Terry et al., Session guarantees for weakly consistent replicated
// data, PDIS 1994).
//
// Definition: there is a total order of the writes, and for each read a set of writes that it sees, such that a read returns the last of the writes to its key
// that it sees (the initial value if it sees none), and, for the guarantees that are asked for,
//
//   - read-your-writes: a read sees the writes that its client made before it;
//   - monotonic-reads: a read sees what the reads that its client made before it see;
//   - monotonic-writes: a write comes behind the writes that its client made before it, and who sees it sees those;
//   - writes-follow-reads: a write comes behind what the reads that its client made before it see, and who sees it sees that.
//
// Decision: a read has to see the write of what it returns. From there the guarantees add writes until nothing is missing: these least sets are contained in
// all that the definition allows, and whatever they demand of the order is demanded by these, too. So the guarantees hold if and only if no read of the initial value
// has to see a write to its key, and this has no cycle: the order of writes that the guarantees ask for, and, for each read, each other write
// to its key that it sees before the one that it returns. Without monotonic-writes and writes-follow-reads each key is by itself.
//
// Sets are held as bits, so memory is quadratic. A call that did not return comes behind those that its client made before it, and before none.

// The guarantees, as names of properties; several are separated by commas.
const (
	ReadYourWrites    Property = "read-your-writes"
	MonotonicReads    Property = "monotonic-reads"
	MonotonicWrites   Property = "monotonic-writes"
	WritesFollowReads Property = "writes-follow-reads"
	// Session is all four.
	Session Property = "session"
)

// guarantees are the ones that are asked for.
type guarantees struct{ ryw, mr, mw, wfr bool }

// guarantees are those of a property; false if it is another one.
func (p Property) guarantees() (g guarantees, ok bool) {
	for one := range strings.SplitSeq(string(p), ",") {
		switch Property(one) {
		case ReadYourWrites:
			g.ryw = true
		case MonotonicReads:
			g.mr = true
		case MonotonicWrites:
			g.mw = true
		case WritesFollowReads:
			g.wfr = true
		case Session:
			g = guarantees{true, true, true, true}
		default:
			return g, false
		}
	}
	return g, true
}

// IsSession reports whether a property is made of session guarantees.
func (p Property) IsSession() bool {
	_, ok := p.guarantees()
	return ok
}

// sessions judges the guarantees.
func (j *job) sessions(calls []Call, g guarantees) outcome {
	got := outcome{way: "values that differ"}
	s := &sessions{g: g, calls: calls, writer: map[cellValue]int32{}}
	if (j.h.Kind != Register && j.h.Kind != Map) || !s.collect(j.h.Initial) {
		got.status = Unknown
		got.reason = "session guarantees are decided for reads and writes of registers and maps, where each value of a key is written once, and not the initial one"
		return got
	}
	if s.broken == nil {
		n := int64(len(s.writes))
		if n*int64(len(s.reads)+2*len(s.writes))/8 > j.o.MaxMemory {
			got.status, got.reason = Unknown, "the limit on memory for sets of writes was reached"
			return got
		}
		if !s.see(j.ctx.Done()) {
			got.status, got.reason = Unknown, j.overtime()
			return got
		}
		s.judge()
	}
	if s.broken != nil {
		got.status, got.calls = Violated, pick(calls, s.broken...)
	}
	return got
}

type sessions struct {
	g      guarantees
	calls  []Call
	writer map[cellValue]int32
	writes []int32       // the calls that write, with numbers in all sets
	reads  []sessionRead // in the order in which they began
	number []int32       // by call that writes: its number
	before []int32       // by write: the write that its client made before it; -1: none
	readBy []int32       // by write: the read that its client made last before it; -1: none
	sees   [][]uint64    // by read
	broken []int32
}

type sessionRead struct {
	call  int32
	from  int32 // number of the write whose value is returned; -1: the initial value
	write int32 // number of the write that its client made last before it; -1: none
	read  int32 // the read that its client made last before it; -1: none
}

func (s *sessions) collect(initial Value) bool {
	read := map[cellValue]bool{}
	for i := range s.calls {
		c := &s.calls[i]
		switch c.Op {
		case Read:
			if !c.Unknown && !c.Pending() {
				read[cellValue{c.Key, c.R}] = true
			}
		case Write:
			v := cellValue{c.Key, c.A}
			if _, twice := s.writer[v]; twice || c.A == initial {
				return false
			}
			s.writer[v] = -1
		default:
			return false
		}
	}
	lastWrite, lastRead := map[int32]int32{}, map[int32]int32{}
	last := func(of map[int32]int32, client int32) int32 {
		if n, ok := of[client]; ok {
			return n
		}
		return -1
	}
	s.number = make([]int32, len(s.calls))
	for i := range s.calls {
		c := &s.calls[i]
		switch {
		case c.Op == Write && (!c.Pending() || read[cellValue{c.Key, c.A}]):
			n := int32(len(s.writes))
			s.writes, s.number[i] = append(s.writes, int32(i)), n
			s.before, s.readBy = append(s.before, last(lastWrite, c.Client)), append(s.readBy, last(lastRead, c.Client))
			s.writer[cellValue{c.Key, c.A}] = n
			if !c.Pending() {
				lastWrite[c.Client] = n
			}
		case c.Op == Read && !c.Unknown && !c.Pending():
			s.reads = append(s.reads, sessionRead{int32(i), -1, last(lastWrite, c.Client), last(lastRead, c.Client)})
			lastRead[c.Client] = int32(len(s.reads)) - 1
		}
	}
	for n := range s.reads {
		c := &s.calls[s.reads[n].call]
		w, ok := s.writer[cellValue{c.Key, c.R}]
		if c.R == initial {
			continue
		}
		if !ok {
			s.broken = []int32{s.reads[n].call}
			return true
		}
		s.reads[n].from = w
	}
	return true
}

// see computes the least sets. It is false if the time is over.
func (s *sessions) see(done <-chan struct{}) bool {
	words := (len(s.writes) + 63) / 64
	s.sees = make([][]uint64, len(s.reads))
	all := make([]uint64, words*len(s.reads))
	for n := range s.reads {
		s.sees[n] = all[n*words : (n+1)*words]
	}
	for changed := true; changed; {
		changed = false
		for n := range s.reads {
			select {
			case <-done:
				return false
			default:
			}
			if s.grow(n) {
				changed = true
			}
		}
	}
	return true
}

// grow adds to the set of a read what the guarantees ask for, and reports whether something was added.
func (s *sessions) grow(n int) bool {
	r, mine := s.reads[n], s.sees[n]
	grown := false
	var fresh []int32 // writes whose demands have not been added
	add := func(w int32) {
		if w >= 0 && mine[w/64]>>(w%64)&1 == 0 {
			mine[w/64] |= 1 << (w % 64)
			fresh = append(fresh, w)
			grown = true
		}
	}
	include := func(read int32) {
		if read < 0 {
			return
		}
		for i, w := range s.sees[read] {
			for w &^= mine[i]; w != 0; w &= w - 1 {
				add(int32(i*64 + bits.TrailingZeros64(w)))
			}
		}
	}
	add(r.from)
	if s.g.ryw {
		for w := r.write; w >= 0; w = s.before[w] {
			add(w)
		}
	}
	if s.g.mr {
		include(r.read)
	}
	if s.g.wfr { // sets of other reads may have grown
		for i, w := range slices.Clone(mine) {
			for ; w != 0; w &= w - 1 {
				s.readsBefore(int32(i*64+bits.TrailingZeros64(w)), include)
			}
		}
	}
	for len(fresh) > 0 {
		w := fresh[len(fresh)-1]
		fresh = fresh[:len(fresh)-1]
		if s.g.mw {
			add(s.before[w])
		}
		if s.g.wfr {
			s.readsBefore(w, include)
		}
	}
	return grown
}

// readsBefore calls f with the reads that the client of a write made before it: with the last alone if that one sees what the others do.
func (s *sessions) readsBefore(w int32, f func(read int32)) {
	for r := s.readBy[w]; r >= 0; r = s.reads[r].read {
		f(r)
		if s.g.mr {
			return
		}
	}
}

// judge looks for a read that sees too much, and for a cycle in the order of writes.
func (s *sessions) judge() {
	words := (len(s.writes) + 63) / 64
	first := make([][]uint64, len(s.writes)) // by write: the writes that come before it
	all := make([]uint64, words*len(s.writes))
	toKey := map[Value][]uint64{} // by key: the writes to it
	for w, i := range s.writes {
		first[w] = all[w*words : (w+1)*words]
		k := s.calls[i].Key
		if toKey[k] == nil {
			toKey[k] = make([]uint64, words)
		}
		toKey[k][w/64] |= 1 << (w % 64)
	}
	for n, r := range s.reads {
		key := toKey[s.calls[r.call].Key]
		if key == nil {
			continue
		}
		for i, w := range s.sees[n] {
			w &= key[i]
			switch {
			case r.from >= 0:
				if int32(i) == r.from/64 {
					w &^= 1 << (r.from % 64)
				}
				first[r.from][i] |= w
			case w != 0:
				s.broken = s.whole()
				return
			}
		}
	}
	for w := range s.writes {
		if b := s.before[w]; s.g.mw && b >= 0 {
			first[w][b/64] |= 1 << (b % 64)
		}
		if s.g.wfr {
			s.readsBefore(int32(w), func(read int32) {
				for i, x := range s.sees[read] {
					first[w][i] |= x
				}
			})
		}
	}
	if s.cyclic(first) {
		s.broken = s.whole()
	}
}

// cyclic reports whether the writes have no order.
func (s *sessions) cyclic(first [][]uint64) bool {
	const open, closed = 1, 2
	state := make([]uint8, len(first))
	left := make([]uint64, (len(first)+63)/64) // writes that are not closed
	for w := range first {
		left[w/64] |= 1 << (w % 64)
	}
	type frame struct {
		w  int32
		at int // the word that is looked at
	}
	for start := range first {
		if state[start] != 0 {
			continue
		}
		state[start] = open
		stack := []frame{{int32(start), 0}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			next := int32(-1)
			for ; f.at < len(left) && next < 0; f.at++ {
				if x := first[f.w][f.at] & left[f.at]; x != 0 {
					next = int32(f.at*64 + bits.TrailingZeros64(x))
					break
				}
			}
			switch {
			case next < 0:
				state[f.w] = closed
				left[f.w/64] &^= 1 << (f.w % 64)
				stack = stack[:len(stack)-1]
			case state[next] == open:
				return true
			default:
				state[next] = open
				stack = append(stack, frame{next, 0})
			}
		}
	}
	return false
}

// whole is all calls: minimise finds the part.
func (s *sessions) whole() []int32 {
	all := make([]int32, len(s.calls))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
