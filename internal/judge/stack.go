// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"slices"
	"sort"
)

// Stacks of distinct items, in O(n log n) when few calls are in progress at a time.
//
// Calls that find nothing are judged apart (items.go). Three reductions keep the answer, whichever is applied when:
//
//  1. An item whose put and take overlap can be left out: put it back next to each other, at a moment of both.
//  2. A history can be divided at a moment that lies in no span (items.go).
//  3. An item v can be left out if no other call returned before its put began, and none began after its take returned: put first and taken
//     last, it is below all others. (An item that is not taken is taken later than all.)
//
// In all three, only if: leaving out an item's calls keeps an order right. If: as said with each.
//
// If none of them applies and there are items, the history is not linearizable: in an order, consider the item that is put first, and its take.
// If other items follow behind that take, no call of these returned before one of the items up to the take began; so there is a moment, between the
// last Begin of the former and the first End of the latter, that lies in no span: the second reduction applies. If none follow, the third applies to this item.
//
// After the first reduction each item has a span that is not empty, and the histories of the second are the connected parts of the union of spans:
// runs of items in the order of the End of their puts.

// never is the time at which an item is taken that no call takes: later than Never.
const never int64 = int64(Never) + 1

// layer is an item whose put returned before its take began.
type layer struct {
	item
	begin, from int64 // Begin and End of the put
	to, end     int64 // Begin and End of the take
}

func stackLayers(_ *History, calls []Call) (broken []Call, ok bool) {
	it := collectItems(calls)
	if it == nil {
		return nil, false
	}
	if broken := it.brokenCalls(); broken != nil {
		return broken, true
	}
	return newLayers(it).judge(nil), true
}

func newLayers(it *items) *layers {
	s := &layers{it: it}
	for _, x := range it.list {
		from, to := it.span(x)
		if from >= to {
			continue
		}
		l := layer{item: x, begin: int64(it.calls[x.put].Begin), from: int64(from), to: int64(to), end: never}
		if x.take >= 0 {
			l.end = int64(it.calls[x.take].End)
		} else {
			l.to = int64(Never)
		}
		s.list = append(s.list, l)
	}
	return s
}

type layers struct {
	it      *items
	list    []layer // sorted by from
	tree    []extremes
	base    int     // index of the first leaf in tree
	present cover   // next finds the next layer that was not left out
	depth   *depths // by moment: the number of spans that contain it
}

// extremes are the extreme times among the layers below a node of the tree, without those that were
// left out.
type extremes struct {
	begin, to, end int64 // the least begin, the greatest to, the greatest end
}

var noExtremes = extremes{begin: never, to: -1, end: -1}

// judge returns the calls of items that no order explains, nil if there are none. If goOn is not nil, it gets them, and they are left out as if an order explained
// them.
func (s *layers) judge(goOn func(broken []Call)) []Call {
	slices.SortFunc(s.list, func(a, b layer) int { return cmp.Compare(a.from, b.from) })
	n := len(s.list)
	s.base = 1
	for s.base < n {
		s.base *= 2
	}
	s.tree = make([]extremes, 2*s.base)
	for i := range s.tree {
		s.tree[i] = noExtremes
	}
	s.depth = newDepths(int(s.it.end))
	for i, l := range s.list {
		s.tree[s.base+i] = extremes{l.begin, l.to, l.end}
		s.depth.difference(int(l.from), s.last(l)+1)
	}
	s.depth.build()
	for i := s.base - 1; i > 0; i-- {
		s.lift(i)
	}
	s.present = newCover(int32(n))
	todo := [][2]int{{0, n}}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		lo, hi := int(s.present.next(int32(r[0]))), r[1]
		if lo >= hi {
			continue
		}
		top := s.highest(lo, hi)
		if z := s.depth.zero(int(s.list[lo].from), s.last(s.list[top])); z >= 0 {
			cut := sort.Search(n, func(i int) bool { return s.list[i].from > int64(z) })
			todo = append(todo, [2]int{cut, hi}, [2]int{lo, cut})
			continue
		}
		v := s.bottom(lo, hi, top)
		if v < 0 {
			rest := s.rest(lo, hi)
			if goOn == nil {
				return rest
			}
			goOn(rest)
			for i := lo; i < hi; i = int(s.present.next(int32(i + 1))) {
				s.leaveOut(i)
			}
			continue
		}
		s.leaveOut(v)
		todo = append(todo, [2]int{lo, hi})
	}
	return nil
}

// last is the last moment of a layer's span.
func (s *layers) last(l layer) int { return int(min(l.to, int64(s.it.end))) - 1 }

func (s *layers) lift(i int) {
	a, b := s.tree[2*i], s.tree[2*i+1]
	s.tree[i] = extremes{min(a.begin, b.begin), max(a.to, b.to), max(a.end, b.end)}
}

// leaveOut removes a layer.
func (s *layers) leaveOut(v int) {
	s.depth.remove(int(s.list[v].from), s.last(s.list[v])+1)
	s.present.add(int32(v), int32(v)+1)
	i := s.base + v
	s.tree[i] = noExtremes
	for i /= 2; i > 0; i /= 2 {
		s.lift(i)
	}
}

// bottom is the layer in [lo, hi) that the third reduction leaves out; -1 if there is none. top is
// the layer with the greatest to.
func (s *layers) bottom(lo, hi, top int) int {
	first := s.list[lo].from
	most := s.list[top].to
	if lo == top {
		most = s.greatest(lo+1, hi)
	}
	if s.list[lo].end > most {
		return lo
	}
	return s.find(lo+1, hi, first, s.list[top].to)
}

// find is a layer in [lo, hi) whose put began before first and whose take returned after last; -1
// if there is none.
func (s *layers) find(lo, hi int, first, last int64) int {
	return s.first(lo, hi, func(x extremes) bool { return x.begin < first && x.end > last })
}

// first is the first wanted layer in [lo, hi); -1 if there is none. If a layer is wanted, so are
// the extremes of every node above it.
func (s *layers) first(lo, hi int, wanted func(extremes) bool) int {
	var in func(node, from, size int) int
	in = func(node, from, size int) int {
		if from >= hi || from+size <= lo || !wanted(s.tree[node]) {
			return -1
		}
		if size == 1 {
			return from
		}
		if v := in(2*node, from, size/2); v >= 0 {
			return v
		}
		return in(2*node+1, from+size/2, size/2)
	}
	return in(1, 0, s.base)
}

// greatest is the greatest to of the layers in [lo, hi).
func (s *layers) greatest(lo, hi int) int64 {
	best := int64(-1)
	for a, b := lo+s.base, hi+s.base; a < b; a, b = a/2, b/2 {
		if a&1 == 1 {
			best = max(best, s.tree[a].to)
			a++
		}
		if b&1 == 1 {
			b--
			best = max(best, s.tree[b].to)
		}
	}
	return best
}

// highest is the layer with the greatest to in [lo, hi).
func (s *layers) highest(lo, hi int) int {
	want := s.greatest(lo, hi)
	return s.first(lo, hi, func(x extremes) bool { return x.to >= want })
}

// rest are the calls of the layers that were not left out.
func (s *layers) rest(lo, hi int) []Call {
	var of []int32
	for i := lo; i < hi; i = int(s.present.next(int32(i + 1))) {
		of = append(of, s.list[i].put, s.list[i].take)
	}
	return pick(s.it.calls, of...)
}
