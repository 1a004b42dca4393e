// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"sort"
)

// Counters that only grow (or only fall), in O(n log n), where all additions that do not tell the sum are of one amount. Among them: a counter with
// increments by one, whether these return the sum or not, and one whose additions of any amounts all return it.
//
// The sums through which such a counter goes are known before any order is. Sort the additions that returned the sum by it: the one with the result R comes
// where the sum is R less its amount, and the gap below that takes as many of the others as their amount fits in it. (If it does not, or if two results
// overlap, no order explains them.) So there is a list of slots, each with the sum behind it: some are fixed, for one addition that returned that sum;
// the others are free, for any addition that did not. What is left of these comes behind the last fixed slot.
//
// A moment is a place between two events; the one behind position p has the number p. A call takes effect at a moment from its Begin to the one before its
// End. Of calls that take effect at one moment all are in progress, so they may do so in any order. So an order is a moment T(k) for each slot that
// is used, T(1) <= T(2) <= …, an addition for each free one, and a moment for each read: one with the sum of slot k is between T(k) and T(k+1). Such a
// moment exists if and only if T(k) is before the read's End and T(k+1) not before its Begin. With these, a slot has a first moment lo(k) and a last one
// hi(k); for a fixed one they include those of its addition. As T(k) grows with k, hi(k) may be lowered to hi(k+1).
//
// What is left is when slots are used, and by which additions. All is done as late as possible: at a moment t the next slot is used if hi of it is t, or if an
// addition in a free slot has t as its last moment; a free slot is used by the addition in progress that returns first. If that slot may be used only
// later (lo), or no addition is in progress, no order explains the history. Proof: let c(t) be the number of slots used up to t, f(c) how many of the first
// c are free, and S any right order. Then S uses at least c(t) slots up to t, for each t, by induction. For suppose S uses fewer, and let slot k <= c(t) be
// the first that it does not. It was not used because of hi. So an addition d was due: when k was used, d, whose last moment is t at the latest, had not
// taken effect. Let s < t be the last moment at which an addition used a free slot that may take effect behind t (-1 if there is none). Nothing that is
// due until t was in progress then, so the set A of additions that are due until t and begin behind s has all that used free slots from then on until k,
// and d. S has all of A behind s, and by induction at least c(s) slots up to s. So f has at most |A| - 1 free slots between c(s) and k, where S needs |A|
// before k: it does not exist. With the same A it does not exist if d is due and the slot may be used later only. And if hi(k) = t and
// no addition is in progress, all that have begun have been used, f(k-1) of them, and S needs f(k) up to t.
//
// An addition that did not return is never due; it may use a free slot, or none.
type counting struct {
	calls []Call
	sign  Value   // what is added is multiplied by it to be above zero
	slots []slot  // slots[0] is the beginning
	free  []int32 // calls, by Begin
}

type slot struct {
	sum    Value // behind it
	call   int32 // of a fixed one; -1
	lo, hi int32
}

// counted decides a history of a counter, and returns its shortest beginning that no order explains, or nil. ok is false if it is not such a history.
func counted(calls []Call) (broken []Call, ok bool) {
	right, ok := explainsCounts(calls)
	if !ok || right {
		return nil, ok
	}
	var ends []int32
	for i := range calls {
		if !calls[i].Pending() {
			ends = append(ends, calls[i].End)
		}
	}
	slices.Sort(ends)
	at := sort.Search(len(ends)-1, func(i int) bool {
		right, ok := explainsCounts(notReturned(calls, ends[i]))
		return ok && !right
	})
	return notReturned(calls, ends[at]), true
}

// notReturned is the history up to the response at a position. Calls that return later have not returned, and their results are not known.
func notReturned(calls []Call, position int32) []Call {
	cut := cutBehind(calls, position)
	for i := range cut {
		cut[i].Unknown = cut[i].Unknown || cut[i].Pending() && cut[i].Op == PlusGet
	}
	return cut
}

// explainsCounts reports whether an order explains the calls. ok is false if it is not such a history.
func explainsCounts(calls []Call) (right, ok bool) {
	k := &counting{calls: calls}
	fixed, amount, ok := k.collect()
	if !ok {
		return false, false
	}
	return k.place(fixed, amount) && k.bound() && k.sweep(), true
}

// collect finds the sign, the additions that tell the sum, and the amount of those that do not, which become k.free.
func (k *counting) collect() (fixed []int32, amount Value, ok bool) {
	for i := range k.calls {
		c := &k.calls[i]
		switch {
		case c.Op == Read || c.A == 0:
			continue
		case c.Pending() && c.Op == PlusGet && !c.Unknown:
			return nil, 0, false // a history that was cut: if the call takes effect, it has this result
		case k.sign == 0 && c.A < 0:
			k.sign = -1
		case k.sign == 0:
			k.sign = 1
		}
		switch a := k.sign * c.A; {
		case a < 0:
			return nil, 0, false
		case c.Op == PlusGet && !c.Unknown:
			fixed = append(fixed, int32(i))
		case amount != 0 && amount != a:
			return nil, 0, false
		default:
			amount, k.free = a, append(k.free, int32(i))
		}
	}
	k.sign = cmp.Or(k.sign, 1)
	slices.SortStableFunc(fixed, func(a, b int32) int { return cmp.Compare(k.sign*k.calls[a].R, k.sign*k.calls[b].R) })
	return fixed, amount, true
}

// place makes the slots. It is false if no list of slots has the results.
func (k *counting) place(fixed []int32, amount Value) bool {
	k.slots = make([]slot, 1, 1+len(fixed)+len(k.free))
	sum, left := Value(0), len(k.free)
	add := func(sum Value, call int32) {
		k.slots = append(k.slots, slot{sum, call, -1, math.MaxInt32})
	}
	for _, i := range fixed {
		c := &k.calls[i]
		gap := k.sign*(c.R-c.A) - sum
		if gap < 0 || gap > 0 && (left == 0 || gap%amount != 0 || gap/amount > Value(left)) {
			return false
		}
		for ; gap > 0; gap -= amount {
			sum += amount
			left--
			add(sum, -1)
		}
		sum = k.sign * c.R
		add(sum, i)
	}
	for ; left > 0; left-- {
		sum += amount
		add(sum, -1)
	}
	return true
}

// bound finds the first and the last moment of each slot. It is false if a result is no sum.
func (k *counting) bound() bool {
	for i := range k.calls {
		c := &k.calls[i]
		if c.Pending() || c.Unknown || c.Op != Read && (c.Op != PlusGet || c.A != 0) {
			continue
		}
		at, ok := slices.BinarySearchFunc(k.slots, k.sign*c.R, func(s slot, sum Value) int { return cmp.Compare(s.sum, sum) })
		if !ok {
			return false
		}
		k.slots[at].hi = min(k.slots[at].hi, c.End-1)
		if at+1 < len(k.slots) {
			k.slots[at+1].lo = max(k.slots[at+1].lo, c.Begin)
		}
	}
	k.slots[0].hi = math.MaxInt32 // the beginning takes no moment
	for n := 1; n < len(k.slots); n++ {
		s := &k.slots[n]
		if s.call >= 0 {
			s.lo, s.hi = max(s.lo, k.calls[s.call].Begin), min(s.hi, k.calls[s.call].End-1)
		}
	}
	for n := len(k.slots) - 2; n > 0; n-- {
		k.slots[n].hi = min(k.slots[n].hi, k.slots[n+1].hi)
	}
	return true
}

// soonest is a heap of calls in progress, the one that returns first on top.
type soonest struct {
	calls []Call
	list  []int32
}

func (s *soonest) Len() int           { return len(s.list) }
func (s *soonest) Less(a, b int) bool { return s.calls[s.list[a]].End < s.calls[s.list[b]].End }
func (s *soonest) Swap(a, b int)      { s.list[a], s.list[b] = s.list[b], s.list[a] }
func (s *soonest) Push(x any)         { s.list = append(s.list, x.(int32)) }
func (s *soonest) Pop() any {
	last := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return last
}

// sweep uses the slots as late as possible, and reports whether they can be used.
func (k *counting) sweep() bool {
	running, begun, used := &soonest{calls: k.calls}, 0, 0
	var due []int32 // by last moment
	for _, i := range k.free {
		if !k.calls[i].Pending() {
			due = append(due, k.calls[i].End-1)
		}
	}
	slices.Sort(due)
	for {
		t := int32(math.MaxInt32)
		if used+1 < len(k.slots) {
			t = k.slots[used+1].hi
		}
		if len(due) > 0 {
			t = min(t, due[0])
		}
		if t == math.MaxInt32 {
			return true
		}
		for ; begun < len(k.free) && k.calls[k.free[begun]].Begin <= t; begun++ {
			heap.Push(running, k.free[begun])
		}
		// Additions that have taken effect before are due no longer.
		if len(due) > 0 && due[0] == t && (len(running.list) == 0 || k.calls[running.list[0]].End-1 > t) {
			due = due[1:]
			continue
		}
		used++
		if used == len(k.slots) || k.slots[used].lo > t || k.slots[used].hi < t {
			return false
		}
		if k.slots[used].call < 0 {
			if len(running.list) == 0 {
				return false
			}
			heap.Pop(running)
		}
	}
}
