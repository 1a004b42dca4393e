// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"slices"
)

// Queues of distinct items, in O(n log n). The pattern is one of those of Bouajjani, Emmi, Enea and
// Hamza, On reducing linearizability to state reachability (ICALP 2015). The proof here is for
// histories whose takes have all returned.
//
// Write p(a) and q(a) for the calls that put and take a, and x < y if x returned before y began.
// Let q(a) be later than everything for an item that is not taken. Calls that find nothing are
// judged apart (items.go), and no item is taken before it was put. Then the history is linearizable
// if and only if there are no items a, b with p(a) < p(b) and q(b) < q(a), b taken.
//
// Only if: an order has p(a) before p(b), and so q(a) before q(b).
//
// If: let a -> b when p(a) < p(b), or q(a) < q(b), or q(a) < p(b). This has no cycle. Of two: the
// first two cases together are what is excluded. q(a) < p(b) together with any of p(b) < p(a), q(b)
// < q(a), q(b) < p(a) has b taken before it was put, or a. (For example q(a) < p(b) < p(a): q(a)
// returned before p(a) began.) Of more: take one with the fewest items. Two edges in succession of
// the first case are one, likewise of the second; an edge of the third case and any one beside it
// are one, since p(b) began before q(b) returned. So the cycle alternates between the first two
// cases, and has p(a) < p(b), then p(c) < p(d) with b -> c by q. If p(a) began no later than p(c) …
// in any case p(a) < p(d) or p(c) < p(b), as one of the two puts p(a), p(c) returned first, and
// what began behind the later one of them began behind both. The first makes the cycle shorter; the
// second, with q(b) < q(c), is what is excluded.
//
// So number the items in an order of ->, and ask for an order of calls with p(1), p(2), … and q(1),
// q(2), … in turn, p(i) before q(i), and all of <. A cycle in that would lead from a take back to a
// put by q(j) < p(i), so j comes before i; from p(i) along the puts to p(k), i <= k; from there to
// a take q(l), by p(k) before q(k) or by p(k) < q(l); and along the takes to q(j), l <= j. With l =
// k: j < i <= k = l <= j is false. With p(k) < q(l): q(l) began before q(j) returned, unless q(j) <
// q(l), which has l behind j. So p(k) returned before q(l) began, before q(j) returned, before p(i)
// began: p(k) < p(i), which has k before i. So there is no cycle, and the order is one of a queue.
func queuePairs(_ *History, calls []Call) (broken []Call, ok bool) {
	it := collectItems(calls)
	if it == nil {
		return nil, false
	}
	if broken := it.brokenCalls(); broken != nil {
		return broken, true
	}
	// Of the items whose puts have returned before b's put began, the one whose take begins last is
	// remembered.
	returned := slices.Clone(it.list)
	slices.SortFunc(returned, func(a, b item) int { return cmp.Compare(calls[a.put].End, calls[b.put].End) })
	next, last, latest := 0, int32(-1), item{-1, -1}
	for _, b := range it.list {
		for ; next < len(returned) && calls[returned[next].put].End < calls[b.put].Begin; next++ {
			begin := Never
			if a := returned[next]; a.take >= 0 {
				begin = calls[a.take].Begin
			}
			if begin > last {
				last, latest = begin, returned[next]
			}
		}
		if b.take >= 0 && calls[b.take].End < last {
			return pick(calls, latest.put, latest.take, b.put, b.take), true
		}
	}
	return nil, true
}
