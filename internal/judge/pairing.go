// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
)

// Containers in which some values are put several times. The algorithms for items that differ are of use there twice.
//
// A violation is found in what is left if all calls of some values are left out: an order of the whole, without them, is one of the rest. (Other items stay in
// their order, of priorities too; what finds nothing still does; and a peek can be left out.) So the values that are put once are judged by themselves, with the calls that find nothing. A take
// with an unknown result may have taken any value, but for those that a call with a known result took: if there is such a take, the others are left out too.
//
// An order is found by a guess: each take is given one put of its value, so that the items differ. If that history has an order, it is one of the whole. For
// a queue, let the n-th take of a value belong to the n-th put of it, by Begin or by End: if no put of the value overlaps another one, and no take another one,
// nothing else would do. Where they do overlap, takes and puts of a queue are paired one after the other. For a stack, unstack.go
// has the guess. A take that did not return is taken not to have happened.
//
// If neither decides, the history is searched.

// repeated decides a history of a container in which a value is put several times, or a call may have taken any. ok is false if it decides nothing.
func (j *job) repeated(calls []Call, algorithm func(h *History, calls []Call) (broken []Call, ok bool)) (broken []Call, ok bool) {
	if broken, ok := algorithm(j.h, putOnce(calls)); ok && broken != nil {
		return broken, true
	}
	g, known := group(calls)
	if broken := g.early(calls); broken != nil {
		return broken, true
	}
	if !known {
		return nil, false
	}
	for _, guess := range guesses[j.h.Kind] {
		if told := guess(j, g, calls); told != nil {
			if broken, ok := algorithm(j.h, told); ok && broken == nil {
				return nil, true
			}
		}
	}
	return nil, false
}

// guesses give each put a value of its own, and each take that of its put; takes that did not return are left out. They return nil if they find no put for some take.
var guesses = map[Kind][]func(j *job, g groups, calls []Call) []Call{
	Queue:  {inTurn(true, true), inTurn(false, true), inTurn(true, false), inTurn(false, false), func(j *job, _ groups, calls []Call) []Call { return stepwise(j, calls) }},
	PQueue: {inTurn(true, true), inTurn(false, true), inTurn(true, false), inTurn(false, false)},
	Stack:  {func(j *job, _ groups, calls []Call) []Call { return unstack(j, calls) }},
}

// putOnce are the calls of values that are put once at most, and those that find nothing.
func putOnce(calls []Call) (rest []Call) {
	puts, takes := newCounts(calls), newCounts(calls)
	blind := false // there is a take that may have taken any value
	for i := range calls {
		switch c := &calls[i]; {
		case c.Op == Put:
			puts.add(c.A)
		case c.Op == Take && (c.Unknown || c.Pending()):
			blind = true
		case c.Op == Take:
			takes.add(c.R)
		}
	}
	for i := range calls {
		c := &calls[i]
		v := c.A
		if c.Op != Put {
			v = c.R
		}
		switch {
		case c.Op != Put && (c.Op != Take || c.Unknown || c.Pending()):
		case c.Op == Take && v == Nil, puts.of(v) <= 1 && (!blind || takes.of(v) > 0):
			rest = append(rest, *c)
		}
	}
	return rest
}

// counts are numbers of values.
type counts struct {
	numbers index
	list    []int
}

func newCounts(calls []Call) *counts { return &counts{numbers: newIndex(calls)} }

func (c *counts) of(v Value) int {
	if n := c.numbers.get(v); n >= 0 {
		return c.list[n]
	}
	return 0
}

func (c *counts) add(v Value) int {
	n := c.numbers.get(v)
	if n < 0 {
		n = int32(len(c.list))
		c.numbers.put(v, n)
		c.list = append(c.list, 0)
	}
	c.list[n]++
	return int(n)
}

// groups are the puts and the takes of each value, by Begin. ok is false if there is a call that returned of which it is not known what it took, or a peek.
type groups struct{ puts, takes [][]int32 }

func group(calls []Call) (g groups, ok bool) {
	values, ok := newCounts(calls), true
	for i := range calls {
		c := &calls[i]
		v := c.A
		switch {
		case c.Op == Take && c.Pending(), c.Op == Take && !c.Unknown && c.R == Nil:
			continue
		case c.Op != Put && (c.Op != Take || c.Unknown):
			ok = false
			continue
		case c.Op == Take:
			v = c.R
		}
		n := values.add(v)
		if n == len(g.puts) {
			g.puts, g.takes = append(g.puts, nil), append(g.takes, nil)
		}
		if c.Op == Put {
			g.puts[n] = append(g.puts[n], int32(i))
		} else {
			g.takes[n] = append(g.takes[n], int32(i))
		}
	}
	return g, ok
}

// early are calls of one value that no order explains, since n takes of it return before the n-th put of it begins; nil if there are none.
func (g groups) early(calls []Call) []Call {
	for n, takes := range g.takes {
		inOrder(calls, takes, true)
		puts := g.puts[n]
		for k, take := range takes {
			if k == len(puts) || calls[take].End < calls[puts[k]].Begin {
				return pick(calls, append(slices.Clone(takes[:k+1]), puts[:k]...)...)
			}
		}
	}
	return nil
}

// told is calls with the values that a guess gives them: of decides which put of a value each take of it belongs to (-1: none).
func (g groups) told(calls []Call, of func(puts, takes []int32) []int) []Call {
	told, fresh := slices.Clone(calls), Value(0)
	for n, puts := range g.puts {
		for k, put := range puts {
			told[put].A = fresh + Value(k)
		}
		for k, put := range of(puts, g.takes[n]) {
			if put < 0 {
				return nil
			}
			told[g.takes[n][k]].R = fresh + Value(put)
		}
		fresh += Value(len(puts))
	}
	return withoutCrashed(told)
}

func withoutCrashed(calls []Call) []Call {
	return slices.DeleteFunc(calls, func(c Call) bool { return c.Op == Take && c.Pending() })
}

// inTurn gives the n-th take the n-th put, by End or by Begin.
func inTurn(putsByEnd, takesByEnd bool) func(j *job, g groups, calls []Call) []Call {
	return func(_ *job, g groups, calls []Call) []Call {
		return g.told(calls, func(puts, takes []int32) (of []int) {
			inOrder(calls, puts, putsByEnd)
			inOrder(calls, takes, takesByEnd)
			for k := range takes {
				of = append(of, k)
			}
			return of
		})
	}
}

func inOrder(calls []Call, list []int32, ends bool) {
	slices.SortFunc(list, func(a, b int32) int {
		if ends {
			return cmp.Or(cmp.Compare(calls[a].End, calls[b].End), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
}

// stepwise pairs the calls of a queue one after the other: of the takes that may be next and the puts that may be next, two of one value, those that return first
// if there are several. Where there are none, it goes back some steps, the farther the more often it has been there, and takes others there, at random but the same each
// time.
func stepwise(j *job, calls []Call) []Call {
	told := withoutCrashed(slices.Clone(calls))
	values := slices.Clone(told)
	var empty []Call // takes that find nothing
	p, q := &window{calls: values}, &window{calls: values}
	for i := range values {
		switch c := &values[i]; {
		case c.Op == Put:
			p.more = append(p.more, int32(i))
		case c.R == Nil:
			empty = append(empty, *c)
		default:
			q.more = append(q.more, int32(i))
		}
	}
	for i := len(empty) - 2; i >= 0; i-- { // now End is the least of those that begin then or later
		empty[i].End = min(empty[i].End, empty[i+1].End)
	}
	// fits reports whether nobody found nothing while the item was certainly there.
	fits := func(put, take int32) bool {
		i := sort.Search(len(empty), func(i int) bool { return empty[i].Begin >= values[put].End })
		return i == len(empty) || empty[i].End > values[take].Begin
	}
	random := rand.New(rand.NewPCG(1, 1))
	var marks []mark        // each 16 steps
	farthest, backs := 0, 0 // steps, and how often the farthest has not been passed
	for step := 0; ; step++ {
		if step%16 == 0 {
			marks = append(marks[:step/16], mark{p.copied(), q.copied()})
		}
		takes, puts := q.next(), p.next()
		if len(takes) == 0 {
			for k, i := range append(puts, p.more...) {
				told[i].A = Value(step + k)
			}
			return told
		}
		put, take := nextPair(values, puts, takes, func(put, take int32) bool {
			return !fits(put, take) || step < farthest && random.IntN(4) == 0
		})
		if put >= 0 {
			p.remove(put)
			q.remove(take)
			told[put].A, told[take].R = Value(step), Value(step)
			continue
		}
		if step > farthest {
			farthest, backs = step, 0
		}
		if backs++; backs > mostBacks || j.ctx.Err() != nil {
			return nil
		}
		at := max(0, step/16-backs%8)
		marks = marks[:at+1]
		p, q = marks[at].p.copied(), marks[at].q.copied()
		step = 16*at - 1
	}
}

// mostBacks is how often stepwise goes back from one place.
const mostBacks = 200

// mark is where stepwise may go back to.
type mark struct{ p, q *window }

// nextPair is a put and a take of one value that return first, of those that it is not to skip; if it is to skip all, one of them.
func nextPair(calls []Call, puts, takes []int32, skip func(put, take int32) bool) (put, take int32) {
	put, take = -1, -1
	for sum := 0; sum < len(takes)+len(puts)-1; sum++ {
		for a := max(0, sum-len(puts)+1); a <= min(sum, len(takes)-1); a++ {
			t, u := takes[a], puts[sum-a]
			if calls[t].R != calls[u].A || calls[u].Begin > calls[t].End {
				continue
			}
			if put, take = u, t; !skip(u, t) {
				return put, take
			}
		}
	}
	return put, take
}

// window lists calls of which some may be next: those that begin before any of them returns.
type window struct {
	calls      []Call
	left, more []int32 // more by Begin; left are those in front of them
}

// next are the calls that may be next, by End.
func (w *window) next() []int32 {
	end := Never
	for _, i := range w.left {
		end = min(end, w.calls[i].End)
	}
	for len(w.more) > 0 && w.calls[w.more[0]].Begin < end {
		end = min(end, w.calls[w.more[0]].End)
		w.left, w.more = append(w.left, w.more[0]), w.more[1:]
	}
	inOrder(w.calls, w.left, true)
	return slices.DeleteFunc(slices.Clone(w.left), func(i int32) bool { return w.calls[i].Begin > end })
}

func (w *window) copied() *window {
	return &window{calls: w.calls, left: slices.Clone(w.left), more: w.more}
}

func (w *window) remove(call int32) {
	w.left = slices.DeleteFunc(w.left, func(i int32) bool { return i == call })
}
