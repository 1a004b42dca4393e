// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"math/rand/v2"
	"slices"
	"sort"
)

// A guess for stacks of repeated values: which put each take belongs to. Any guess will do (pairing.go): the history that it gives is judged as one of distinct
// items, and only if that has an order something is concluded.
//
// Takes are given puts in the order in which they return. An item is in the way of a take if it was certainly put between the put and the take: its put began
// behind the End of the one and returned before the Begin of the other. So it must have been taken before. It is given to a take of its value that has
// begun and not returned; or to an earlier one, whose own put is free again; or the take exchanges its put with an earlier one of its value. For example, of
//
//	put(1) ├┤   put(2) ├─┤
//	              take = 1 ├──┤
//	                    put(1) ├──┤
//	                     take = 1 ├┤   take = 2 ├┤
//
// the first take has the first put, since put(2) may have come behind it: else the first put would be in the way of take = 2 below it, or 2 above 1.
//
// What of it has no order (it is stuck) is guessed again, at random but the same each time, with the calls near in time and those of the items that were held then, as long as less is stuck
// behind it.
type unstacking struct {
	calls  []Call
	choice []uint8   // by take: see next and choose
	value  []int32   // by call: the number of its value; -1 of takes that find nothing
	of     []int32   // by take: its put; -1
	taker  []int32   // by put: its take; -1
	puts   []int32   // by Begin
	begun  int       // how many of them have begun
	left   []int32   // of those, the ones that nobody has taken, by Begin
	takes  [][]int32 // by value: takes that have begun, by Begin
}

// Limits of the guesses.
const (
	mostRounds  = 6       // times that all is looked at
	mostGuesses = 200     // guesses for what is stuck at one place
	mostTried   = 200_000 // calls of histories that are guessed anew, by call of the whole history
	mostLooked  = 64      // earlier takes of a value that may give back their put
	nearby      = 600     // positions before and behind what is stuck
)

func unstack(j *job, calls []Call) (told []Call) {
	calls = withoutCrashed(slices.Clone(calls))
	g := &guessing{j: j, calls: calls, choice: make([]uint8, len(calls)), random: rand.New(rand.NewPCG(1, 1)), room: mostTried + 200*len(calls)}
	for range mostRounds {
		told, places := pairs(calls, g.choice)
		if len(places) == 0 || told == nil {
			return told
		}
		for _, at := range places {
			g.again(told, at)
		}
	}
	return nil
}

// place is where something is stuck: from the first End to the last Begin of calls that have no order.
type place struct{ from, to int32 }

// pairs are the calls with the pairs as values, and where they are stuck. They are nil if there is a take for which no put is left.
func pairs(calls []Call, choice []uint8) (told []Call, places []place) {
	u := newUnstacking(calls, choice)
	if !u.run() {
		return nil, nil
	}
	told = u.told()
	for _, core := range stuck(told) {
		at := place{from: Never}
		for _, c := range least(core) {
			at.from, at.to = min(at.from, c.End), max(at.to, c.Begin)
		}
		places = append(places, at)
	}
	return told, places
}

// guessing are guesses that are made anew.
type guessing struct {
	j      *job
	calls  []Call
	choice []uint8
	random *rand.Rand
	room   int // calls that may be paired yet
}

// again makes other choices near a place, until less is stuck among the items that were held there.
func (g *guessing) again(told []Call, at place) {
	list := heldBetween(told, at.from-nearby, at.to+nearby)
	some, choice := make([]Call, len(list)), make([]uint8, len(list))
	for k, i := range list {
		some[k], choice[k] = g.calls[i], g.choice[i]
	}
	some = dense(some)
	_, before := pairs(some, choice)
	for try := range mostGuesses {
		if g.room -= len(some); g.room < 0 || g.j.ctx.Err() != nil {
			return
		}
		now := slices.Clone(choice)
		for k, i := range list {
			if begin := g.calls[i].Begin; begin >= at.from-int32(20<<(try%5)) && begin <= at.to && g.random.IntN(5) == 0 {
				now[k] = uint8(g.random.IntN(choices))
			}
		}
		if told, after := pairs(some, now); told != nil && len(after) < len(before) {
			for k, i := range list {
				g.choice[i] = now[k]
			}
			return
		}
	}
}

// heldBetween are the calls of items that may have been held between two positions, and those that found nothing there.
func heldBetween(told []Call, from, to int32) (list []int) {
	put, taken := map[Value]int32{}, map[Value]int32{}
	for i := range told {
		if c := &told[i]; c.Op == Put {
			put[c.A] = c.Begin
		} else if c.R != Nil {
			taken[c.R] = c.End
		}
	}
	for i := range told {
		c := &told[i]
		v := itemOf(c)
		begin, end := c.Begin, c.End
		if v != Nil {
			begin, end = put[v], Never
			if t, ok := taken[v]; ok {
				end = t
			}
		}
		if begin <= to && end >= from {
			list = append(list, i)
		}
	}
	return list
}

// itemOf is the item that a call puts or takes.
func itemOf(c *Call) Value {
	if c.Op == Put {
		return c.A
	}
	return c.R
}

// stuck are the calls of items that have no order, in groups.
func stuck(told []Call) (cores [][]Call) {
	it := collectItems(told)
	if it == nil || it.broken != nil {
		return [][]Call{told}
	}
	if len(it.nothing) > 0 {
		c := it.cover()
		for _, n := range it.nothing {
			if call := &it.calls[n]; c.next(call.Begin) >= call.End {
				cores = append(cores, it.covered(call.Begin, call.End, it.list, n))
			}
		}
	}
	newLayers(it).judge(func(broken []Call) { cores = append(cores, broken) })
	return cores
}

// least leaves out items of calls that are stuck, as long as the rest is.
func least(core []Call) []Call {
	for part := len(core) / 4; part > 0; part /= 2 {
		for at := 0; at < len(core); {
			out := map[Value]bool{}
			for i := at; i < len(core) && len(out) < part; i++ {
				out[itemOf(&core[i])] = true
			}
			delete(out, Nil)
			rest := slices.DeleteFunc(slices.Clone(core), func(c Call) bool { return out[itemOf(&c)] })
			if len(rest) < len(core) && len(stuck(dense(rest))) > 0 {
				core = rest
			} else {
				at += part
			}
		}
	}
	return core
}

// dense gives the events of calls positions without gaps.
func dense(calls []Call) []Call {
	var all []int32
	for i := range calls {
		all = append(all, calls[i].Begin)
		if !calls[i].Pending() {
			all = append(all, calls[i].End)
		}
	}
	slices.Sort(all)
	at := func(position int32) int32 {
		n, _ := slices.BinarySearch(all, position)
		return int32(n)
	}
	out := slices.Clone(calls)
	for i := range out {
		out[i].Begin = at(out[i].Begin)
		if !out[i].Pending() {
			out[i].End = at(out[i].End)
		}
	}
	return out
}

func newUnstacking(calls []Call, choice []uint8) *unstacking {
	u := &unstacking{calls: calls, choice: choice, of: make([]int32, len(calls)), taker: make([]int32, len(calls)), value: make([]int32, len(calls))}
	values := newCounts(calls)
	for i := range calls {
		u.of[i], u.taker[i], u.value[i] = -1, -1, -1
		if v := itemOf(&calls[i]); v != Nil || calls[i].Op == Put {
			u.value[i] = int32(values.add(v))
		}
		if calls[i].Op == Put {
			u.puts = append(u.puts, int32(i))
		}
	}
	u.takes = make([][]int32, len(values.list))
	return u
}

// run is false if there is a take for which no put is left.
func (u *unstacking) run() bool {
	var takes []int32
	for i := range u.calls {
		if u.calls[i].Op != Put {
			takes = append(takes, int32(i))
		}
	}
	next := 0
	byBegin := slices.Clone(takes)
	inOrder(u.calls, takes, true)
	for _, t := range takes {
		end := u.calls[t].End
		for ; next < len(byBegin) && u.calls[byBegin[next]].Begin < end; next++ {
			if v := u.value[byBegin[next]]; v >= 0 {
				u.takes[v] = append(u.takes[v], byBegin[next])
			}
		}
		for ; u.begun < len(u.puts) && u.calls[u.puts[u.begun]].Begin < end; u.begun++ {
			u.left = append(u.left, u.puts[u.begun])
		}
		if !u.next(t) {
			return false
		}
	}
	return true
}

func (u *unstacking) told() []Call {
	told := slices.Clone(u.calls)
	for k, p := range u.puts {
		told[p].A = Value(k)
		if t := u.taker[p]; t >= 0 {
			told[t].R = Value(k)
		}
	}
	return told
}

// The choices of a take: which put it gets, and whether it exchanges it before others are given what is in its way.
const (
	choices   = 8
	whichPut  = 3 // of these bits, 0 and 1: the last one that has returned, if nothing is in the way; 2: the last one; 3: the one before
	exchanges = 4 // this bit: it does not
)

// next gives a take its put, and clears the way. It is false if there is none.
func (u *unstacking) next(t int32) bool {
	if u.of[t] >= 0 {
		return true // its item was in the way of another take
	}
	end := int32(-1)
	if u.value[t] >= 0 {
		put := u.choose(t)
		if put < 0 {
			return false
		}
		u.pair(t, put)
		end = u.calls[put].End
	}
	for {
		x := u.inTheWay(end, t)
		if x < 0 || u.choice[t]&exchanges == 0 && u.exchanged(t) || !u.cleared(x, end, t) {
			return true
		}
	}
}

// choose is a put for a take.
func (u *unstacking) choose(t int32) int32 {
	returned, last, second := int32(-1), int32(-1), int32(-1)
	later := func(p, than int32) bool { return than < 0 || u.calls[p].End > u.calls[than].End }
	for _, p := range slices.Backward(u.left) {
		if u.value[p] != u.value[t] {
			continue
		}
		if u.calls[p].End < u.calls[t].Begin && later(p, returned) {
			returned = p
		}
		if later(p, last) {
			last, second = p, last
		} else if later(p, second) {
			second = p
		}
	}
	which := u.choice[t] & whichPut
	switch {
	case which < 2 && returned >= 0 && u.inTheWay(u.calls[returned].End, t) < 0:
		return returned
	case which == 3 && second >= 0:
		return second
	}
	return last
}

// between reports whether an item was certainly put behind a position and before a take.
func (u *unstacking) between(end, x, t int32) bool {
	return u.calls[x].Begin > end && u.calls[x].End < u.calls[t].Begin
}

// inTheWay is the last item that was certainly put behind a position and before a take, and that nobody has taken; -1 if there is none.
func (u *unstacking) inTheWay(end, t int32) int32 {
	for _, x := range slices.Backward(u.left[u.behind(u.left, end):]) {
		if u.between(end, x, t) {
			return x
		}
	}
	return -1
}

// behind is where those begin that began behind a position, of a list by Begin.
func (u *unstacking) behind(list []int32, at int32) int {
	return sort.Search(len(list), func(i int) bool { return u.calls[list[i]].Begin > at })
}

// exchanged exchanges the puts of a take and an earlier one, if nothing is in the way then.
func (u *unstacking) exchanged(t int32) bool {
	p := u.of[t]
	if p < 0 {
		return false
	}
	for _, s := range slices.Backward(u.earlier(t)) {
		q := u.of[s]
		if s == t || q < 0 || u.calls[p].Begin > u.calls[s].End || u.inTheWay(u.calls[q].End, t) >= 0 || u.blocked(u.calls[p].End, s) {
			continue
		}
		u.of[t], u.of[s], u.taker[p], u.taker[q] = q, p, s, t
		return true
	}
	return false
}

// earlier are the last takes of the value of a call that have begun.
func (u *unstacking) earlier(call int32) []int32 {
	takes := u.takes[u.value[call]]
	return takes[max(0, len(takes)-mostLooked):]
}

// blocked reports whether an item was in the way of an earlier take: it was taken later.
func (u *unstacking) blocked(end, s int32) bool {
	for _, x := range u.puts[u.behind(u.puts, end):u.begun] {
		if u.calls[x].Begin > u.calls[s].Begin {
			break
		}
		if u.between(end, x, s) && (u.taker[x] < 0 || u.calls[u.taker[x]].Begin > u.calls[s].End) {
			return true
		}
	}
	return false
}

// cleared gives an item that is in the way of a take to another one.
func (u *unstacking) cleared(x, end, t int32) bool {
	takes := u.earlier(x)
	first := int32(-1) // to return, of those in progress
	for _, s := range takes {
		if s != t && u.of[s] < 0 && (first < 0 || u.calls[s].End < u.calls[first].End) {
			first = s
		}
	}
	if first >= 0 {
		u.pair(first, x)
		return true
	}
	for _, chain := range []bool{false, true} { // what is given back may be in the way itself, if it was put earlier
		for _, s := range slices.Backward(takes) {
			q := u.of[s]
			if s != t && q >= 0 && u.calls[s].End > u.calls[x].Begin && (!u.between(end, q, t) || chain && u.calls[q].Begin < u.calls[x].Begin) {
				u.leave(s)
				u.pair(s, x)
				return true
			}
		}
	}
	return false
}

func (u *unstacking) pair(t, put int32) {
	u.of[t], u.taker[put] = put, t
	i, _ := slices.BinarySearch(u.left, put)
	u.left = slices.Delete(u.left, i, i+1)
}

// leave takes the put of a take from it.
func (u *unstacking) leave(t int32) {
	put := u.of[t]
	u.of[t], u.taker[put] = -1, -1
	i, _ := slices.BinarySearch(u.left, put)
	u.left = slices.Insert(u.left, i, put)
}
