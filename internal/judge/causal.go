// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"slices"
	"sort"
)

// Causal consistency of registers and maps in which each value of a key is written once, in O(n c log n) for c clients: Bouajjani, Enea, Guerraoui and Hamza, On
// verifying causal consistency (POPL 2017), theorem 6 with the patterns of the criterion CC.
//
// Definition: there is a strict partial order of the calls, which contains each client's own, such that for each read the calls before it, in some order that
// extends the partial one, write what it returns; results of other reads do not matter.
//
// Let co be the least transitive relation that contains each client's order and puts the write of a value before its reads. The
// history is causally consistent if and only if
//
//   - co has no cycle,
//   - each value that is read was written, or is the initial one,
//   - no read of the initial value has a write to its key before it in co, and
//   - no read of a write w1 has another write w2 to its key before it in co with w1 before w2.
//
// Only if: the partial order of the definition contains co, since a read returns a value only behind its write. So a
// cycle is none, and in the third and fourth case each order that extends co ends with another write to the key. If: take co itself. The calls before a read r have
// an order that extends it in which w1 comes last of the writes to the key: none of these is behind w1 in co, so w1 and all that is before it can be moved behind
// the writes that are not before it, which are never behind w1.
//
// co is held as a vector for each call: how many calls of each client are before it. A call that did not return is a client of its own, behind
// the calls that its client made before it; it is left out if nothing reads it.
func (j *job) causal(calls []Call) outcome {
	k := &causality{h: j.h, calls: calls, writer: map[cellValue]int32{}}
	got := outcome{way: "values that differ"}
	switch {
	case !k.collect():
		got.status, got.reason = Unknown, "causal consistency is decided for reads and writes of registers and maps, where each value of a key is written once, and not the initial one"
	case k.broken != nil:
		got.status, got.calls = Violated, k.broken
	default:
		k.order()
		for i := 0; i < len(k.calls) && k.broken == nil; i++ {
			if k.calls[i].Op == Read {
				k.judge(int32(i))
			}
		}
		if k.broken != nil {
			got.status, got.calls = Violated, k.broken
		}
	}
	return got
}

type cellValue struct{ key, value Value }

type cellClient struct {
	key    Value
	client int32
}

type causality struct {
	h       *History
	calls   []Call
	writer  map[cellValue]int32 // the call that wrote each value
	from    []int32             // by read: the write of its value; -1: the initial value, or the call is no read
	after   []int32             // by call that did not return: the last call that its client made before it; -1: none, or the call returned
	client  []int32             // by call; each call that did not return counts as a client of its own
	number  []int32             // by call: its index among its client's calls
	lists   [][]int32           // the calls of each client
	writes  map[cellClient][]int32
	before  []int32   // vectors of len(lists) numbers, by call: how many calls of each client are before it, itself included
	readers [][]int32 // by call: the calls that read what it wrote, and those that follow it by after
	broken  []Call
}

func (k *causality) collect() bool {
	if k.h.Kind != Register && k.h.Kind != Map {
		return false
	}
	read := map[cellValue]bool{}
	for i := range k.calls {
		c := &k.calls[i]
		switch c.Op {
		case Read:
			read[cellValue{c.Key, c.R}] = true
		case Write:
			v := cellValue{c.Key, c.A}
			if _, twice := k.writer[v]; twice || c.A == k.h.Initial {
				return false
			}
			k.writer[v] = 0
		default:
			return false
		}
	}
	k.calls = slices.DeleteFunc(slices.Clone(k.calls), func(c Call) bool { return c.Pending() && !read[cellValue{c.Key, c.A}] })
	n := len(k.calls)
	k.from, k.after, k.client, k.number, k.readers = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n), make([][]int32, n)
	k.writes = map[cellClient][]int32{}
	numbers := map[int32]int32{}
	for i := range k.calls {
		c := &k.calls[i]
		client, ok := numbers[c.Client]
		k.after[i] = -1
		if ok && c.Pending() {
			own := k.lists[client]
			before := own[len(own)-1]
			k.after[i], k.readers[before] = before, append(k.readers[before], int32(i))
		}
		if !ok || c.Pending() {
			client = int32(len(k.lists))
			k.lists = append(k.lists, nil)
			if !c.Pending() {
				numbers[c.Client] = client
			}
		}
		k.client[i], k.number[i] = client, int32(len(k.lists[client]))
		k.lists[client] = append(k.lists[client], int32(i))
		if c.Op == Write {
			k.writer[cellValue{c.Key, c.A}] = int32(i)
			of := cellClient{c.Key, client}
			k.writes[of] = append(k.writes[of], int32(i))
		}
	}
	for i := range k.calls {
		c := &k.calls[i]
		k.from[i] = -1
		if c.Op != Read || c.R == k.h.Initial {
			continue
		}
		w, ok := k.writer[cellValue{c.Key, c.R}]
		if !ok {
			k.broken = pick(k.calls, int32(i))
			return true
		}
		k.from[i] = w
		k.readers[w] = append(k.readers[w], int32(i))
	}
	return true
}

// order computes the vectors in an order that extends co. Calls that get none are on a cycle.
func (k *causality) order() {
	clients := len(k.lists)
	k.before = make([]int32, clients*len(k.calls))
	waits := make([]int8, len(k.calls))
	var ready []int32
	for i := range k.calls {
		if k.number[i] > 0 {
			waits[i]++
		}
		if k.from[i] >= 0 {
			waits[i]++
		}
		if k.after[i] >= 0 {
			waits[i]++
		}
		if waits[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	done := 0
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		done++
		mine := k.vector(i)
		if at := k.number[i]; at > 0 {
			copy(mine, k.vector(k.lists[k.client[i]][at-1]))
		}
		for _, w := range []int32{k.from[i], k.after[i]} {
			if w < 0 {
				continue
			}
			for c, n := range k.vector(w) {
				mine[c] = max(mine[c], n)
			}
		}
		mine[k.client[i]] = k.number[i] + 1
		next := k.readers[i]
		if list := k.lists[k.client[i]]; int(k.number[i])+1 < len(list) {
			next = append(slices.Clip(next), list[k.number[i]+1])
		}
		for _, n := range next {
			if waits[n]--; waits[n] == 0 {
				ready = append(ready, n)
			}
		}
	}
	if done < len(k.calls) {
		var of []int32
		for i, n := range waits {
			if n > 0 {
				of = append(of, int32(i), k.from[i], k.after[i])
			}
		}
		k.broken = pick(k.calls, of...)
	}
}

func (k *causality) vector(i int32) []int32 {
	n := len(k.lists)
	return k.before[int(i)*n : (int(i)+1)*n]
}

// judge looks for a write that hides the value that read r returns: one between its write and r.
func (k *causality) judge(r int32) {
	key, w1 := k.calls[r].Key, k.from[r]
	for c, n := range k.vector(r) {
		list := k.writes[cellClient{key, int32(c)}]
		at := sort.Search(len(list), func(i int) bool { return k.number[list[i]] >= n }) - 1
		if at < 0 || list[at] == w1 {
			continue
		}
		w2 := list[at]
		switch {
		case w1 < 0:
			k.broken = pick(k.calls, k.path(w2, r)...)
		case k.vector(w2)[k.client[w1]] > k.number[w1]:
			k.broken = pick(k.calls, append(k.path(w1, w2), append(k.path(w2, r), w1)...)...)
		default:
			continue
		}
		return
	}
}

// path is a chain of calls that leads from one call to another in co. Of successive calls of one
// client it has the first and the last.
func (k *causality) path(from, to int32) []int32 {
	came := map[int32]int32{from: from}
	queue := []int32{from}
	for len(queue) > 0 && queue[0] != to {
		i := queue[0]
		queue = queue[1:]
		next := k.readers[i]
		if list := k.lists[k.client[i]]; int(k.number[i])+1 < len(list) {
			next = append(slices.Clip(next), list[k.number[i]+1])
		}
		for _, n := range next {
			if _, seen := came[n]; !seen && k.vector(to)[k.client[n]] > k.number[n] {
				came[n] = i
				queue = append(queue, n)
			}
		}
	}
	way := []int32{to}
	for i := to; i != from; i = came[i] {
		way = append(way, came[i])
	}
	var ends []int32
	for n, i := range way {
		inside := n > 0 && n < len(way)-1 && !k.follows(i, way[n+1]) && !k.follows(way[n-1], i)
		if !inside {
			ends = append(ends, i)
		}
	}
	return ends
}

// follows reports whether a call reads what another one wrote, or did not return and comes after
// the other one by its client's order.
func (k *causality) follows(call, other int32) bool {
	return k.from[call] == other || k.after[call] == other
}
