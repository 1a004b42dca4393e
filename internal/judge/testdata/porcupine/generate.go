// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/judge"
)

// Histories of clients that make one call after another: each call takes effect at a moment between its beginning and its return.

// sort is a sort of history.
type sort struct {
	name   string
	kind   judge.Kind
	values int // that are written; 0: each once
	keys   int
	cas    bool
}

func sorts() []sort {
	return []sort{
		{"register, values differ", judge.Register, 0, 1, false},
		{"register, 10 values, cas", judge.Register, 10, 1, true},
		{"map, 1,000 keys, values differ", judge.Map, 0, 1000, false},
		{"map, 1,000 keys, 5 values, cas", judge.Map, 5, 1000, true},
		{"set, 1,000 keys", judge.Set, 0, 1000, false},
		{"counter", judge.Counter, 3, 1, false},
		{"bank, 5 accounts", judge.Bank, 10, 1, false},
		{"queue", judge.Queue, 0, 1, false},
		{"stack", judge.Stack, 0, 1, false},
		{"priority queue", judge.PQueue, 0, 1, false},
	}
}

// generated compares generated histories.
func generated() []row {
	var rows []row
	for _, s := range sorts() {
		sizes := []struct{ events, clients int }{{1000, 5}, {10_000, 20}, {100_000, 100}, {1_000_000, 50}}
		if s.kind == judge.Bank {
			sizes = append(sizes, struct{ events, clients int }{400, 20}, struct{ events, clients int }{5000, 20}) // as reported of banks
		}
		for _, size := range sizes {
			if size.events > *most {
				continue
			}
			for _, swapped := range []bool{false, true} {
				h := s.history(rand.New(rand.NewPCG(*seed, uint64(size.events+size.clients))), size.events, size.clients)
				r := row{name: fmt.Sprintf("%s, %d clients", s.name, size.clients)}
				if swapped {
					r.name += ", swapped"
					swap(h, rand.New(rand.NewPCG(*seed, 7)))
				}
				if size.events > 100_000 && s.keys == 1 {
					r.notRun = "not run: it would take 31 GB" // a set of 500,000 calls for each of them
				}
				r.compare(h)
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// world is the state of all that is called.
type world struct {
	sort
	cells   map[judge.Value]judge.Value
	items   []judge.Value
	ordered priorities
	fresh   judge.Value

	accounts []judge.Value
	table    *judge.Values
}

func (s sort) history(r *rand.Rand, events, clients int) *judge.History {
	h := &judge.History{Kind: s.kind, Values: judge.NewValues()}
	for i := range clients {
		h.Clients = append(h.Clients, fmt.Sprint(i))
	}
	w := &world{sort: s, cells: map[judge.Value]judge.Value{}}
	if s.kind == judge.Bank {
		w.accounts = []judge.Value{100, 100, 100, 100, 100}
		h.Initial = h.Values.List(slices.Clone(w.accounts))
		w.table = h.Values
	}
	calls := events / 2
	open := make([]int, clients) // call+1
	effect := make([]bool, clients)
	busy, at := 0, int32(0)
	for len(h.Calls) < calls || busy > 0 {
		c := r.IntN(clients)
		switch {
		case open[c] == 0:
			if len(h.Calls) == calls {
				continue
			}
			call := judge.Call{Client: int32(c), Begin: at, Line: int32(len(h.Calls) + 1)}
			w.choose(r, &call)
			h.Calls = append(h.Calls, call)
			open[c], effect[c] = len(h.Calls), false
			busy++
			at++
		case !effect[c]:
			w.perform(&h.Calls[open[c]-1])
			effect[c] = true
		default:
			h.Calls[open[c]-1].End = at
			open[c] = 0
			busy--
			at++
		}
	}
	return h
}

func (w *world) value(r *rand.Rand) judge.Value {
	if w.values > 0 {
		return judge.Value(1 + r.IntN(w.values))
	}
	w.fresh++
	return w.fresh
}

func (w *world) choose(r *rand.Rand, c *judge.Call) {
	if w.keys > 1 {
		c.Key = judge.Value(r.IntN(w.keys))
	}
	switch w.kind {
	case judge.Register, judge.Map:
		switch n := r.IntN(10); {
		case n < 5:
			c.Op = judge.Read
		case n < 7 && w.cas:
			c.Op, c.A, c.B = judge.CAS, w.value(r), w.value(r)
		default:
			c.Op, c.A = judge.Write, w.value(r)
		}
	case judge.Set:
		c.Op = []judge.Op{judge.Add, judge.Remove, judge.Contains}[r.IntN(3)]
	case judge.Bank:
		if r.IntN(2) == 0 {
			c.Op = judge.Read
			return
		}
		from, to := r.IntN(5), r.IntN(4)
		if to >= from {
			to++
		}
		c.Op, c.Key, c.A, c.B = judge.Transfer, judge.Value(from), judge.Value(to), w.value(r)
	case judge.Counter:
		c.Op = []judge.Op{judge.Read, judge.Plus, judge.PlusGet}[r.IntN(3)]
		if c.Op != judge.Read {
			c.A = w.value(r)
		}
	default:
		c.Op = judge.Take
		if r.IntN(2) == 0 {
			c.Op, c.A = judge.Put, w.value(r)
			if w.kind == judge.PQueue {
				c.B = judge.Value(r.IntN(1000))
			}
		}
	}
}

func (w *world) perform(c *judge.Call) {
	switch c.Op {
	case judge.Transfer:
		w.accounts[c.Key] -= c.B
		w.accounts[c.A] += c.B
	case judge.Read:
		c.R = w.cells[c.Key]
		if w.table != nil {
			c.R = w.table.List(slices.Clone(w.accounts))
		}
	case judge.Write:
		w.cells[c.Key] = c.A
	case judge.CAS:
		if w.cells[c.Key] == c.A {
			w.cells[c.Key], c.R = c.B, 1
		}
	case judge.Add:
		c.R, w.cells[c.Key] = 1-w.cells[c.Key], 1
	case judge.Remove:
		c.R, w.cells[c.Key] = w.cells[c.Key], 0
	case judge.Contains:
		c.R = w.cells[c.Key]
	case judge.Plus, judge.PlusGet:
		w.cells[0] += c.A
		if c.Op == judge.PlusGet {
			c.R = w.cells[0]
		}
	case judge.Put:
		if w.kind == judge.PQueue {
			heap.Push(&w.ordered, c.B<<32|c.A)
		} else {
			w.items = append(w.items, c.A)
		}
	default:
		w.take(c)
	}
}

func (w *world) take(c *judge.Call) {
	c.R = judge.Nil
	switch {
	case len(w.ordered) > 0:
		c.R = heap.Pop(&w.ordered).(judge.Value) & 0xffffffff
	case len(w.items) == 0:
	case w.kind == judge.Stack:
		c.R = w.items[len(w.items)-1]
		w.items = w.items[:len(w.items)-1]
	default:
		c.R = w.items[0]
		w.items = w.items[1:]
	}
}

// swap exchanges the results of two calls of one operation and key.
func swap(h *judge.History, r *rand.Rand) {
	for {
		a, b := &h.Calls[r.IntN(len(h.Calls))], &h.Calls[r.IntN(len(h.Calls))]
		if a.Op == b.Op && a.Key == b.Key && a.R != b.R && a.Op != judge.CAS {
			a.R, b.R = b.R, a.R
			return
		}
	}
}

// priorities are items by priority.
type priorities []judge.Value

func (p priorities) Len() int           { return len(p) }
func (p priorities) Less(i, j int) bool { return p[i] < p[j] }
func (p priorities) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *priorities) Push(x any)        { *p = append(*p, x.(judge.Value)) }
func (p *priorities) Pop() any {
	old := *p
	x := old[len(old)-1]
	*p = old[:len(old)-1]
	return x
}
