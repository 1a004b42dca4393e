// SPDX-License-Identifier: BSD-3-Clause

package judge

import "slices"

// What queues, stacks and priority queues of distinct items have in common.
//
// An item that is put by p and taken by q is certainly there between End(p) and Begin(q), if that
// is before: its span. Let t be a moment between two events that lies in no span, and S a history
// without calls that find nothing. Then S is linearizable if and only if both sides of t are, where
// a side has for each item both of its calls or neither: the left has the items whose calls began
// before t, the right all others, whose calls then return behind t. (Of such an item one call
// begins behind t. If its put returned before t, its take is the call that begins behind t, and t
// would be in its span. So its put returns behind t, and its take returns behind t, or it would
// return before its put or its put would begin behind t and after its take had returned, which is
// refused first.) Only if: calls of an item can be left out of an order that is right. If: no call
// of the right returned before one of the left began, so an order of the left and then one of the
// right are an order of both; and it is right because the left ends with nothing held.
//
// A call that finds nothing has a moment at which nothing is held, so one between its Begin and its
// End that lies in no span. Conversely S is divided there, and the call placed between the sides.
// So calls that find nothing are judged one by one, and apart from all others.
//
// A put that did not return and whose item is not taken need not have taken effect: it is left out.
// One whose item was taken has no span.

// item is a value of a container, given by the numbers of the calls that put and take it; take is
// -1 if no call does.
type item struct{ put, take int32 }

// items are the calls of a container in which no value is put twice.
type items struct {
	calls   []Call
	list    []item
	nothing []int32 // calls that found the container empty
	end     int32   // the last position plus one
	broken  []Call  // two or three calls that no order explains; nil: none found
}

// collectItems pairs the calls that put and take the same value. It returns nil if a value is put
// twice, or if a take may have taken any value.
func collectItems(calls []Call) *items {
	it := &items{calls: calls, list: make([]item, 0, len(calls)/2+1)}
	numbers := newIndex(calls)
	for i := range calls {
		c := &calls[i]
		it.end = max(it.end, c.Begin+1)
		if c.End != Never {
			it.end = max(it.end, c.End+1)
		}
		if c.Op != Put {
			continue
		}
		if numbers.get(c.A) >= 0 {
			return nil
		}
		numbers.put(c.A, int32(len(it.list)))
		it.list = append(it.list, item{int32(i), -1})
	}
	for i := range calls {
		c := &calls[i]
		switch {
		case c.Op == Put:
		case c.Op != Take || c.Unknown || c.Pending():
			return nil
		case c.R == Nil:
			it.nothing = append(it.nothing, int32(i))
		default:
			it.taken(int32(i), numbers.get(c.R))
		}
	}
	it.list = slices.DeleteFunc(it.list, func(x item) bool { return x.take < 0 && calls[x.put].Pending() })
	return it
}

func (it *items) taken(call, n int32) {
	switch {
	case it.broken != nil:
	case n < 0:
		it.broken = pick(it.calls, call) // never put
	case it.list[n].take >= 0:
		it.broken = pick(it.calls, it.list[n].put, it.list[n].take, call) // taken twice
	case it.calls[call].End < it.calls[it.list[n].put].Begin:
		it.broken = pick(it.calls, it.list[n].put, call) // taken before it was put
	default:
		it.list[n].take = call
	}
}

// brokenCalls are calls that no order explains, whatever the container is: a value that was never
// put, or was taken twice or too early, or a call that finds nothing while an item is there. nil:
// there are none.
func (it *items) brokenCalls() []Call {
	if it.broken != nil || len(it.nothing) == 0 {
		return it.broken
	}
	return it.findsNothing(it.cover())
}

// span is where the item is certainly there: from the moment behind position from to the one before
// position to. The moment behind position p has the number p.
func (it *items) span(x item) (from, to int32) {
	to = it.end
	if x.take >= 0 {
		to = it.calls[x.take].Begin
	}
	return it.calls[x.put].End, to
}

// cover is the set of moments that lie in spans; next finds the first moment from a given one on
// that lies in none.
type cover []int32

func newCover(moments int32) cover {
	c := make(cover, moments+1)
	for i := range c {
		c[i] = int32(i)
	}
	return c
}

func (c cover) next(t int32) int32 {
	for c[t] != t {
		c[t] = c[c[t]]
		t = c[t]
	}
	return t
}

// add covers the moments from one to before another.
func (c cover) add(from, to int32) {
	for t := c.next(min(from, to)); t < to; t = c.next(t) {
		c[t] = t + 1
	}
}

// findsNothing checks the calls that found nothing against the spans of all items. It returns calls
// that no order explains, or nil.
func (it *items) findsNothing(c cover) []Call {
	for _, n := range it.nothing {
		call := &it.calls[n]
		if c.next(call.Begin) >= call.End {
			return it.covered(call.Begin, call.End, it.list, n)
		}
	}
	return nil
}

// covered are the calls n and those of a few items whose spans together cover the moments from one
// to before another.
func (it *items) covered(from, to int32, by []item, n ...int32) []Call {
	of := n
	for from < to {
		far, best := from, item{-1, -1}
		for _, x := range by {
			if a, b := it.span(x); a <= from && b > far {
				far, best = b, x
			}
		}
		from, of = far, append(of, best.put, best.take)
		if best.put < 0 {
			panic("judge: a moment that spans cover is in none of them")
		}
	}
	return pick(it.calls, of...)
}

func (it *items) cover() cover {
	c := newCover(it.end)
	for _, x := range it.list {
		c.add(it.span(x))
	}
	return c
}
