// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Counters and banks: what calls add commutes, so the state is the sum of what has taken effect, and only calls that return something tell how far that is.
//
// The search goes through the responses in their order. At the first one that is not explained, either a call that tells something (a check: a read, or an
// addition that returns the sum) takes effect next, behind a set of additions in progress that make up what it returned; or, if the response is of an
// addition, that addition does. No order is lost: in an order that goes on from here, let r be the first check whose result is not the sum as it is, and S the
// additions before it. Additions before r may change places. So if the addition that returns is in S, or there is no r, it may come first; otherwise r comes
// behind exactly S, and all of S, and r, are in progress. A check that fits the sum as it is, and adds nothing, takes effect at once.
//
// Of additions of the same amount the one that returns first is taken (exchange the two in the order). Sets are found by trying amounts one after the other, as long as what is
// missing lies between the least and the greatest that the rest can add, for each account.
//
// A configuration from which no order goes on is remembered: the response, and which calls in progress have taken effect. These tell the sum.
type sums struct {
	j      *job
	calls  []Call
	width  int     // accounts; 1 for a counter
	deltas []int64 // by call: width amounts
	wants  []int64 // by check: width sums that it needs
	check  []bool
	order  []int32 // responses: calls by End
	done   []bool
	now    []int64 // the sums
	trail  []int32
	crash  []int32 // calls that did not return
	low    []int32 // by response: the first call that returns then or later
	grows  bool    // one sum, and nothing is subtracted
	failed map[string]struct{}
	room   int64
	tries  int
	reason string

	farthest int
}

// additive reports whether a part is judged by sums, and does so.
func (j *job) additive(calls []Call) (got outcome, ok bool) {
	if j.h.Kind != Counter && j.h.Kind != Bank {
		return got, false
	}
	if j.h.Kind == Counter {
		if broken, ok := counted(calls); ok {
			got.way, got.calls = "sums", broken
			if broken != nil {
				got.status = Violated
			}
			return got, true
		}
	}
	s := newSums(j, calls)
	if s.large() {
		return got, false
	}
	got.way = "sums"
	if !s.from(0) {
		got.status, got.reason = Violated, s.reason
		if s.reason != "" {
			got.status = Unknown
		} else {
			got.calls = s.prefix()
		}
	}
	got.explained = s.farthest
	return got, true
}

func newSums(j *job, calls []Call) *sums {
	s := &sums{j: j, calls: calls, width: 1, failed: map[string]struct{}{}, room: j.o.MaxMemory}
	if j.h.Kind == Bank {
		s.width = len(j.h.Values.Items(j.h.Initial))
	}
	s.prepare()
	return s
}

// prefix is a beginning of a part without an order that has none either. It ends at the farthest response that was reached, or, as nextChecks looks ahead, behind it.
func (s *sums) prefix() []Call {
	for at := s.farthest; at < len(s.order); at += (len(s.order)-at)/2 + 1 {
		cut := cutBehind(s.calls, s.calls[s.order[at]].End)
		if again := newSums(s.j, cut); !s.grows || !again.from(0) && again.reason == "" {
			return cut
		}
	}
	return s.calls
}

func (s *sums) prepare() {
	n := len(s.calls)
	s.deltas, s.wants, s.check, s.done = make([]int64, n*s.width), make([]int64, n*s.width), make([]bool, n), make([]bool, n)
	s.now = make([]int64, s.width)
	for i, v := range s.j.h.Values.Items(s.j.h.Initial) {
		s.now[i] = int64(v)
	}
	for i := range s.calls {
		c := &s.calls[i]
		d, w := s.delta(int32(i)), s.want(int32(i))
		s.check[i] = !c.Unknown && (c.Op == Read || c.Op == PlusGet)
		switch {
		case c.Op == Transfer:
			d[c.Key] -= int64(c.B)
			d[c.A] += int64(c.B)
		case c.Op != Read:
			d[0] = int64(c.A)
		}
		switch {
		case !s.check[i]:
		case s.j.h.Kind == Bank:
			for k, v := range s.j.h.Values.Items(c.R) {
				w[k] = int64(v)
			}
		default:
			w[0] = int64(c.R) - d[0]
		}
		if c.Pending() {
			s.crash = append(s.crash, int32(i))
		} else {
			s.order = append(s.order, int32(i))
		}
	}
	s.grows = s.width == 1 && !slices.ContainsFunc(s.deltas, func(d int64) bool { return d < 0 })
	slices.SortFunc(s.order, func(a, b int32) int { return cmp.Compare(s.calls[a].End, s.calls[b].End) })
	s.low = slices.Clone(s.order)
	for at := len(s.low) - 2; at >= 0; at-- {
		s.low[at] = min(s.low[at], s.low[at+1])
	}
}

// large reports whether a sum could exceed 64 bits.
func (s *sums) large() bool {
	all := 0.0
	for _, list := range [][]int64{s.deltas, s.now} {
		for _, d := range list {
			all += math.Abs(float64(d))
		}
	}
	return all > 1<<61
}

// overflows reports whether a sum of a counter or a bank could exceed 64 bits, with which a search computes as well. Half of them are left for rounding.
func (h *History) overflows(calls []Call) bool {
	if h.Kind != Counter && h.Kind != Bank {
		return false
	}
	all := float64(MaxInt) // no less than what an account holds at first
	for i := range calls {
		switch c := &calls[i]; c.Op {
		case Transfer:
			all += math.Abs(float64(c.B))
		case Plus, PlusGet:
			all += math.Abs(float64(c.A))
		}
	}
	return all >= 1<<62
}

func (s *sums) delta(i int32) []int64 { return s.deltas[int(i)*s.width : (int(i)+1)*s.width] }
func (s *sums) want(i int32) []int64  { return s.wants[int(i)*s.width : (int(i)+1)*s.width] }

// adds reports whether a call changes the sums.
func (s *sums) adds(i int32) bool {
	return slices.ContainsFunc(s.delta(i), func(d int64) bool { return d != 0 })
}

func (s *sums) take(i int32) {
	s.done[i] = true
	s.trail = append(s.trail, i)
	for k, d := range s.delta(i) {
		s.now[k] += d
	}
}

func (s *sums) undo(length int) {
	for len(s.trail) > length {
		i := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.done[i] = false
		for k, d := range s.delta(i) {
			s.now[k] -= d
		}
	}
}

// progress lists the calls in progress at a response, whether they have taken effect or not.
func (s *sums) progress(at int) (all []int32) {
	end := s.calls[s.order[at]].End
	for _, i := range s.crash {
		if s.calls[i].Begin < end {
			all = append(all, i)
		}
	}
	for i := s.low[at]; int(i) < len(s.calls) && s.calls[i].Begin < end; i++ {
		if s.calls[i].End >= end && !s.calls[i].Pending() {
			all = append(all, i)
		}
	}
	return all
}

// from reports whether an order goes on from the response with a number.
func (s *sums) from(at int) bool {
	start := len(s.trail)
	for ; at < len(s.order); at++ {
		s.farthest = max(s.farthest, at)
		o := s.order[at]
		if s.done[o] {
			continue
		}
		all := s.progress(at)
		checks := false
		for _, i := range all {
			if s.done[i] || !s.check[i] {
				continue
			}
			if !s.adds(i) && slices.Equal(s.want(i), s.now) {
				s.take(i)
				continue
			}
			checks = true
		}
		switch {
		case s.done[o]:
		case !checks:
			s.take(o)
		default:
			if s.choose(at, o, all) {
				return true
			}
			s.undo(start)
			return false
		}
	}
	return true
}

// choose tries what may take effect next at a response.
func (s *sums) choose(at int, o int32, all []int32) bool {
	key := s.key(at, all)
	if _, ok := s.failed[key]; ok {
		return false
	}
	if s.tries++; s.tries&0xff == 0 && s.j.ctx.Err() != nil {
		s.reason = s.j.overtime()
	}
	for _, r := range s.nextChecks(all) {
		if s.reason == "" && s.before(at, o, r, all) {
			return true
		}
	}
	if s.reason == "" && !s.check[o] {
		length := len(s.trail)
		s.take(o)
		if s.from(at) {
			return true
		}
		s.undo(length)
	}
	if s.reason != "" {
		return false
	}
	if s.room -= int64(len(key)) + 48; s.room < 0 {
		s.reason = limitMemory
		return false
	}
	s.failed[key] = struct{}{}
	return false
}

// nextChecks are the checks in progress that may take effect next. If nothing is subtracted, the sums only grow: then none needs more than another one that
// returns, and so comes behind it.
func (s *sums) nextChecks(all []int32) []int32 {
	list := slices.DeleteFunc(slices.Clone(all), func(i int32) bool { return s.done[i] || !s.check[i] })
	if !s.grows {
		return list
	}
	least := int64(math.MaxInt64)
	for _, i := range list {
		if !s.calls[i].Pending() {
			least = min(least, s.want(i)[0])
		}
	}
	return slices.DeleteFunc(list, func(i int32) bool { return s.want(i)[0] > least })
}

// key names a configuration.
func (s *sums) key(at int, all []int32) string {
	key := binary.AppendUvarint(nil, uint64(at))
	bits, n := byte(0), 0
	for _, i := range all {
		bits <<= 1
		if s.done[i] {
			bits |= 1
		}
		if n++; n%8 == 0 {
			key = append(key, bits)
			bits = 0
		}
	}
	return string(append(key, bits))
}

// before tries to let check r take effect next, behind each set of additions that makes its result.
func (s *sums) before(at int, o, r int32, all []int32) bool {
	var list []int32
	for _, i := range all {
		if i != o && i != r && !s.done[i] && !s.check[i] && s.adds(i) {
			list = append(list, i)
		}
	}
	// Calls of one amount stand together, the one that returns first in front; large amounts first.
	slices.SortFunc(list, func(a, b int32) int {
		if c := slices.Compare(s.delta(b), s.delta(a)); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(s.calls[a].End, s.calls[b].End), cmp.Compare(a, b))
	})
	left := make([]int64, s.width)
	for k := range left {
		left[k] = s.want(r)[k] - s.now[k]
	}
	least, most := make([]int64, (len(list)+1)*s.width), make([]int64, (len(list)+1)*s.width)
	for n := len(list) - 1; n >= 0; n-- {
		for k, d := range s.delta(list[n]) {
			least[n*s.width+k] = least[(n+1)*s.width+k] + min(d, 0)
			most[n*s.width+k] = most[(n+1)*s.width+k] + max(d, 0)
		}
	}
	steps := 0
	var pick func(n int) bool
	pick = func(n int) bool {
		if steps++; steps&0xffff == 0 && s.j.ctx.Err() != nil {
			s.reason = s.j.overtime()
		}
		if s.reason != "" {
			return false
		}
		zero := true
		for k, x := range left {
			if x < least[n*s.width+k] || x > most[n*s.width+k] {
				return false
			}
			zero = zero && x == 0
		}
		if n == len(list) {
			return zero && s.resume(at, r)
		}
		d := s.delta(list[n])
		for k := range left {
			left[k] -= d[k]
		}
		length := len(s.trail)
		s.take(list[n])
		if pick(n + 1) {
			return true
		}
		s.undo(length)
		for k := range left {
			left[k] += d[k]
		}
		// Without this call, those of its amount that return later are out, too.
		next := n + 1
		for next < len(list) && slices.Equal(s.delta(list[next]), d) {
			next++
		}
		return pick(next)
	}
	return pick(0)
}

// resume lets a check take effect, and goes on.
func (s *sums) resume(at int, r int32) bool {
	length := len(s.trail)
	s.take(r)
	if s.from(at) {
		return true
	}
	s.undo(length)
	return false
}
