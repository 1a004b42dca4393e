// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"slices"
)

// Priority queues of distinct items, in O(n log n).
//
// Take gives an item of the smallest priority that is there; of those with equal ones, any. Calls
// that find nothing are judged apart (items.go). Let S be the items of a history, and M those of
// the greatest priority. The history is linearizable if and only if that of S without M is, and for
// each taken item of M there is a moment t between the Begin and the End of its take, behind the
// Begin of its put, that lies in no span of an item of S without M.
//
// Only if: when the take of an item of M takes effect, no item of smaller priority is there.
//
// If: divide the history of S without M at all these moments (items.go); each part has an order,
// and each ends with nothing held. Let the takes of M take effect at their moments, between the
// parts; the put of such an item at a moment of its own between its Begin and its End that is
// before: the last one before t, or before its End. Items of M that are not taken are put at any
// moment of theirs. A put of an item of M changes nothing for takes of smaller ones, and a take of
// M happens when no smaller one is there: so the order is right.
//
// By induction the priorities are gone through in ascending order, with the spans of all smaller
// ones in a cover.
func pqueueCover(_ *History, calls []Call) (broken []Call, ok bool) {
	it := collectItems(calls)
	if it == nil {
		return nil, false
	}
	if it.broken != nil {
		return it.broken, true
	}
	slices.SortFunc(it.list, func(a, b item) int { return cmp.Compare(calls[a.put].B, calls[b.put].B) })
	c := newCover(it.end)
	for from := 0; from < len(it.list); {
		to := from
		for ; to < len(it.list) && calls[it.list[to].put].B == calls[it.list[from].put].B; to++ {
			x := it.list[to]
			if x.take < 0 {
				continue
			}
			begin := max(calls[x.take].Begin, calls[x.put].Begin)
			if end := calls[x.take].End; c.next(begin) >= end {
				return it.covered(begin, end, it.list[:from], x.put, x.take), true
			}
		}
		for ; from < to; from++ {
			c.add(it.span(it.list[from]))
		}
	}
	return it.findsNothing(c), true
}
