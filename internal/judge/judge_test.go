// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// Every way to an answer is held against the definition: orders of the calls are tried one by one, on states that are Go slices. It shares nothing with the package but
// the type Call.

// state is what a collection holds: items front, top or smallest first; a cell's value; a set's keys; pairs of a map.
type state []Value

// outcome is a result and the state behind it.
type possible struct {
	result Value
	next   state
}

// perform lists all that a call can do.
func perform(h *History, s state, c *Call) []possible {
	switch h.Kind {
	case Register, Counter:
		return []possible{performCell(h, s, c)}
	case Map:
		for i := 0; i < len(s); i += 2 {
			if s[i] == c.Key {
				p := performCell(h, state{s[i+1]}, c)
				next := slices.Clone(s)
				next[i+1] = p.next[0]
				return []possible{{p.result, next}}
			}
		}
		p := performCell(h, state{h.Initial}, c)
		return []possible{{p.result, append(slices.Clone(s), c.Key, p.next[0])}}
	case Set:
		at := slices.Index(s, c.Key)
		switch {
		case c.Op == Add && at < 0:
			return []possible{{1, append(slices.Clone(s), c.Key)}}
		case c.Op == Remove && at >= 0:
			return []possible{{1, slices.Delete(slices.Clone(s), at, at+1)}}
		case c.Op == Contains && at >= 0:
			return []possible{{1, s}}
		}
		return []possible{{0, s}}
	case Bank:
		if c.Op == Read {
			return []possible{{h.Values.List(s), s}}
		}
		next := slices.Clone(s)
		next[c.Key], next[c.A] = next[c.Key]-c.B, next[c.A]+c.B
		if c.Key == c.A {
			next = s
		}
		return []possible{{0, next}}
	case PQueue:
		if c.Op == Put {
			return []possible{{0, append(slices.Clone(s), c.A, c.B)}}
		}
		var all []possible
		for i := 0; i < len(s); i += 2 {
			least := true
			for k := 0; k < len(s); k += 2 {
				least = least && s[i+1] <= s[k+1]
			}
			if least && c.Op == Peek {
				all = append(all, possible{s[i], s})
			} else if least {
				all = append(all, possible{s[i], slices.Delete(slices.Clone(s), i, i+2)})
			}
		}
		if len(s) == 0 {
			all = append(all, possible{Nil, s})
		}
		return all
	}
	switch {
	case c.Op == Put && h.Kind == Stack:
		return []possible{{0, append(state{c.A}, s...)}}
	case c.Op == Put:
		return []possible{{0, append(slices.Clone(s), c.A)}}
	case len(s) == 0:
		return []possible{{Nil, s}}
	case c.Op == Peek:
		return []possible{{s[0], s}}
	}
	return []possible{{s[0], s[1:]}}
}

func performCell(h *History, s state, c *Call) possible {
	v := s[0]
	switch c.Op {
	case Write:
		return possible{0, state{c.A}}
	case Delete:
		return possible{0, state{Nil}}
	case Swap:
		return possible{v, state{c.A}}
	case CAS:
		if v == c.A {
			return possible{1, state{c.B}}
		}
		return possible{0, s}
	case Append:
		return possible{0, state{h.Values.String(h.Values.Text(v) + h.Values.Text(c.A))}}
	case Plus, PlusGet:
		return possible{v + c.A, state{v + c.A}}
	}
	return possible{v, s}
}

func hasResult(c *Call) bool {
	return !c.Unknown && c.Op != Write && c.Op != Delete && c.Op != Append && c.Op != Put && c.Op != Plus && c.Op != Transfer
}

// defined reports whether the calls have an order, by definition.
func defined(h *History, p Property) bool {
	start := state{}
	if h.Kind == Register {
		start = state{h.Initial}
	} else if h.Kind == Counter {
		start = state{0}
	} else if h.Kind == Bank {
		start = h.Values.Items(h.Initial)
	}
	placed := make([]bool, len(h.Calls))
	var from func(s state) bool
	from = func(s state) bool {
		done := true
		for i := range h.Calls {
			done = done && (placed[i] || h.Calls[i].End == Never)
		}
		if done {
			return true
		}
		for i := range h.Calls {
			c := &h.Calls[i]
			free := !placed[i]
			for k := range h.Calls {
				d := &h.Calls[k]
				before := d.End < c.Begin
				if p == Sequential {
					before = before && c.Client == d.Client
				}
				free = free && (placed[k] || k == i || !before)
			}
			if !free {
				continue
			}
			placed[i] = true
			for _, o := range perform(h, s, c) {
				if (!hasResult(c) || o.result == c.R) && from(o.next) {
					return true
				}
			}
			placed[i] = false
		}
		return false
	}
	return from(start)
}

// shape says what random histories are like.
type shape struct {
	kind     Kind
	differ   bool // values are written once
	unknown  bool // results may be unknown, and calls may not return
	property Property
	pieces   bool // of a register or map: writes and appends of strings that differ
}

// random makes a history of up to most calls by executing calls in some order, and then perhaps changes results.
func random(r *rand.Rand, sh shape, most int) *History {
	h := &History{Kind: sh.kind, Initial: 0, Values: NewValues(), Clients: []string{"a", "b", "c", "d"}}
	if sh.kind == Map {
		h.Initial = Nil
	}
	n, clients := 1+r.IntN(most), 1+r.IntN(4)
	type running struct {
		call   int
		effect bool
	}
	busy := make([]*running, clients)
	s := state{}
	if sh.pieces {
		h.Initial = h.Values.String("")
	}
	if sh.kind == Register || sh.kind == Counter {
		s = state{h.Initial}
	}
	if sh.kind == Bank {
		s = state{5, 5, 5}[:2+r.IntN(2)]
		h.Initial = h.Values.List(s)
	}
	event, fresh := int32(0), Value(1)
	value := func() Value {
		if sh.differ {
			fresh++
			return fresh
		}
		return Value(r.IntN(3))
	}
	made := 0
	for {
		who := r.IntN(clients)
		b := busy[who]
		switch {
		case b == nil:
			if made == n {
				open := false
				for _, b := range busy {
					open = open || b != nil
				}
				if !open {
					return h
				}
				continue
			}
			made++
			c := Call{Begin: event, End: Never, Client: int32(who)}
			randomOp(r, sh, h, &c, value, s)
			h.Calls = append(h.Calls, c)
			busy[who] = &running{call: len(h.Calls) - 1}
			event++
		case !b.effect && r.IntN(2) == 0:
			all := perform(h, s, &h.Calls[b.call])
			o := all[r.IntN(len(all))]
			h.Calls[b.call].R, s = o.result, o.next
			b.effect = true
		case b.effect || sh.unknown && r.IntN(8) == 0:
			c := &h.Calls[b.call]
			if sh.unknown && (!b.effect || r.IntN(8) == 0) {
				c.Unknown = hasResult(c)
			} else {
				c.End = event
				event++
				if sh.unknown && r.IntN(10) == 0 {
					c.Unknown = hasResult(c)
				}
			}
			if (r.IntN(10) == 0 || sh.pieces && r.IntN(3) == 0) && hasResult(c) {
				randomResult(r, h, c, fresh)
			}
			busy[who] = nil
			if c.End == Never {
				busy[who] = nil
				event++
			}
		}
	}
}

func randomOp(r *rand.Rand, sh shape, h *History, c *Call, value func() Value, s state) {
	switch sh.kind {
	case Register, Map:
		if sh.kind == Map {
			c.Key = Value(r.IntN(2))
		}
		if sh.pieces {
			if c.Op = []Op{Read, Read, Write, Append, Append}[r.IntN(5)]; c.Op != Read {
				c.A = h.Values.String(fmt.Sprint(value(), "."))
			}
			return
		}
		ops := []Op{Read, Read, Read, Write, Write, CAS, Swap, Delete}
		if !sh.differ && r.IntN(4) == 0 {
			ops = append(ops, Append, Append)
		}
		c.Op = ops[r.IntN(len(ops))]
		if sh.differ && c.Op == Delete {
			c.Op = Write
		}
		switch c.Op {
		case Write, Swap:
			c.A = value()
		case Append:
			c.A = h.Values.String(string(rune('a' + r.IntN(2))))
		case CAS:
			c.A, c.B = Value(r.IntN(3)), value()
			if sh.differ && sh.kind == Register {
				c.A = s[0]
			}
		}
	case Set:
		c.Key = Value(r.IntN(2))
		c.Op = []Op{Add, Remove, Contains}[r.IntN(3)]
	case Bank:
		if c.Op = []Op{Read, Transfer, Transfer}[r.IntN(3)]; c.Op == Transfer {
			c.Key, c.A, c.B = Value(r.IntN(len(s))), Value(r.IntN(len(s))), Value(r.IntN(4)-1)
		}
	case Counter:
		c.Op = []Op{Read, Plus, PlusGet}[r.IntN(3)]
		if c.Op != Read {
			c.A = Value(r.IntN(4) - 1)
		}
	default:
		c.Op = []Op{Put, Put, Put, Take, Take, Take, Peek}[r.IntN(7)]
		if sh.differ && c.Op == Peek {
			c.Op = Take
		}
		if c.Op == Put {
			c.A = value()
			if sh.kind == PQueue {
				c.B = Value(r.IntN(3))
			}
		}
	}
}

func randomResult(r *rand.Rand, h *History, c *Call, fresh Value) {
	switch c.Op {
	case CAS, Add, Remove, Contains:
		c.R = 1 - c.R
	case Take, Peek:
		if c.R = Nil; r.IntN(2) == 0 {
			c.R = Value(r.IntN(int(fresh) + 2))
		}
	default:
		if c.R.IsList() {
			list := slices.Clone(h.Values.Items(c.R))
			from, to := r.IntN(len(list)), r.IntN(len(list))
			list[from]--
			list[to]++
			c.R = h.Values.List(list)
			return
		}
		if c.R.IsString() {
			var all []Value
			for i := range h.Calls {
				if h.Calls[i].R.IsString() {
					all = append(all, h.Calls[i].R)
				}
			}
			c.R = all[r.IntN(len(all))]
			if r.IntN(3) == 0 {
				c.R = h.Values.String(h.Values.Text(c.R) + h.Values.Text(h.Calls[r.IntN(len(h.Calls))].A))
			}
			return
		}
		c.R = Value(r.IntN(int(fresh) + 2))
	}
}

func (h *History) lines() string {
	var b strings.Builder
	for i := range h.Calls {
		c := &h.Calls[i]
		fmt.Fprintf(&b, "%s %3d %3d %s\n", h.Clients[c.Client], c.Begin, c.End, h.Text(c))
	}
	return b.String()
}

// TestJudge_AgreesWithTheDefinition compares on random histories, of which about half have an order.
func TestJudge_AgreesWithTheDefinition(t *testing.T) {
	histories := 4000
	if level.Short() {
		histories = 500
	}
	if level.More() {
		histories = 100_000
	}
	for _, kind := range Kinds() {
		if kind == Transactions || kind == Object {
			continue // transaction_test.go, and package history/recorded
		}
		shapes := []shape{{kind, true, false, Linear, false}, {kind, true, true, Linear, false}, {kind, false, false, Linear, false},
			{kind, false, true, Linear, false}, {kind, false, true, Sequential, false}}
		if kind == Register || kind == Map {
			shapes = append(shapes, shape{kind, true, false, Linear, true}, shape{kind, true, true, Linear, true}, shape{kind, true, true, Sequential, true})
		}
		for _, sh := range shapes {
			t.Run(fmt.Sprintf("%s differ=%v unknown=%v pieces=%v %s", kind, sh.differ, sh.unknown, sh.pieces, sh.property), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(1, 2))
				violated, fast := 0, 0
				for range histories {
					h := random(r, sh, 7)
					want := defined(h, sh.property)
					if !want {
						violated++
					}
					for _, only := range []bool{false, true} {
						got := Judge(context.Background(), h, Options{Property: sh.property, SearchOnly: only, NoWitness: r.IntN(4) != 0})
						if (got.Status == OK) != want {
							t.Fatalf("search only %v: %v; by definition %v\n%s", only, got.Status, want, h.lines())
						}
						if strings.HasPrefix(got.Way, "values") || got.Way == "sums" {
							fast++
						}
						if got.Status == Violated {
							part := *h
							part.Calls = got.Witness
							if defined(&part, sh.property) {
								t.Fatalf("search only %v: the witness has an order\n%s\nof\n%s", only, part.lines(), h.lines())
							}
						}
					}
				}
				t.Logf("%d of %d violated, %d by algorithms for values that differ", violated, histories, fast)
			})
		}
	}
}

// TestSearch_AgreesWithTheAlgorithms compares the search with the algorithms for values that differ, on histories that are long enough for remembered configurations to matter.
func TestSearch_AgreesWithTheAlgorithms(t *testing.T) {
	histories := 2000
	if level.Short() {
		histories = 300
	}
	if level.More() {
		histories = 20_000
	}
	for _, sh := range []shape{{kind: Register, differ: true}, {kind: Register, differ: true, pieces: true}, {kind: Queue, differ: true}, {kind: Stack, differ: true}, {kind: PQueue, differ: true},
		{kind: Counter}, {kind: Bank}, {kind: Counter, unknown: true}, {kind: Bank, unknown: true}} {
		r := rand.New(rand.NewPCG(5, 6))
		violated, fast := 0, 0
		for range histories {
			h := random(r, sh, 24)
			got := Judge(context.Background(), h, Options{NoWitness: true})
			slow := Judge(context.Background(), h, Options{NoWitness: true, SearchOnly: true})
			if got.Status != slow.Status {
				t.Fatalf("%s: %v, and by search alone %v\n%s", sh.kind, got.Status, slow.Status, h.lines())
			}
			violated += int(got.Status)
			if strings.HasPrefix(got.Way, "values") {
				fast++
			}
		}
		t.Logf("%s: %d of %d violated, %d by algorithms", sh.kind, violated, histories, fast)
	}
}

// TestSearch_InTurnsAgreesWithTheDefinition compares a search that is given up and goes on, each time with other blind writes hidden first, with the definition.
func TestSearch_InTurnsAgreesWithTheDefinition(t *testing.T) {
	histories := 4000
	if level.Short() {
		histories = 300
	}
	if level.More() {
		histories = 50_000
	}
	usual := lookEvery
	lookEvery = 1
	defer func() { lookEvery = usual }()
	r := rand.New(rand.NewPCG(12, 34))
	violated, given, carried := 0, 0, 0
	for range histories {
		h := random(r, shape{kind: Register, unknown: r.IntN(2) == 0}, 12)
		want := defined(h, Linear)
		j := &job{ctx: context.Background(), h: h, o: Options{Property: Linear, MaxMemory: 1 << 20}}
		p := &j.parts()[0]
		got := outcome{status: Unknown, reason: limitBudget}
		for turn := 1; got.reason == limitBudget; turn++ {
			j.other = turn%2 == 0
			if got = j.search(p, turn); got.reason == limitBudget {
				given++
				carried += p.search.memo.used
			}
		}
		if (got.status == OK) != want {
			t.Fatalf("%v; by definition %v\n%s", got.status, want, h.lines())
		}
		if !want {
			violated++
		}
	}
	t.Logf("%d of %d violated, given up %d times with %d failed configurations", violated, histories, given, carried)
	if given < histories/10 || carried < given {
		t.Errorf("given up %d times with %d failed configurations: the histories are too short", given, carried)
	}
}

// TestJudge_InTurnsAgreesWithTheDefinition has all parts of a history searched in turns so short that most are given up, for each kind and property.
func TestJudge_InTurnsAgreesWithTheDefinition(t *testing.T) {
	histories := 1500
	if level.Short() {
		histories = 150
	}
	if level.More() {
		histories = 30_000
	}
	usual, first := lookEvery, firstBudget
	lookEvery, firstBudget = 1, 4 // turns of 4, 1, 512, ... times back
	defer func() { lookEvery, firstBudget = usual, first }()
	type drawn struct {
		name    string
		history func(*rand.Rand) *History
		defined func(*History, Property) bool
	}
	var all []drawn
	for _, kind := range Kinds() {
		if kind == Object {
			continue // package history/recorded
		}
		if kind == Transactions {
			all = append(all, drawn{string(kind), func(r *rand.Rand) *History {
				return randomTransactions(r, txnShape{lists: r.IntN(2) == 0, differ: r.IntN(2) == 0, unknown: r.IntN(2) == 0, blind: r.IntN(2) == 0}, 7)
			}, serial})
			continue
		}
		all = append(all, drawn{string(kind), func(r *rand.Rand) *History {
			return random(r, shape{kind: kind, differ: r.IntN(4) == 0, unknown: r.IntN(2) == 0}, 11)
		}, defined})
	}
	for _, d := range all {
		for _, p := range []Property{Linear, Sequential, Serializable} {
			if p == Serializable && d.name != string(Transactions) {
				continue
			}
			r := rand.New(rand.NewPCG(21, 43))
			violated, parts := 0, 0
			for range histories {
				h := d.history(r)
				want := d.defined(h, p)
				got := Judge(context.Background(), h, Options{Property: p, SearchOnly: r.IntN(3) != 0, NoWitness: r.IntN(4) != 0, MaxMemory: 1 << (23 + r.IntN(5))})
				if (got.Status == OK) != want || got.Status == Unknown {
					t.Fatalf("%s %s: %v (%s); by definition %v\n%s", d.name, p, got.Status, got.Reason, want, h.lines())
				}
				if part := *h; got.Status == Violated {
					if part.Calls = got.Witness; d.defined(&part, p) {
						t.Fatalf("%s %s: the witness has an order\n%s\nof\n%s", d.name, p, part.lines(), h.lines())
					}
					violated++
				}
				parts = max(parts, got.Parts)
			}
			if violated == 0 || violated == histories || parts < 2 && p == Linear && (d.name == string(Map) || d.name == string(Set)) {
				t.Errorf("%s %s: %d of %d violated, up to %d parts", d.name, p, violated, histories, parts)
			}
			t.Logf("%s %s: %d of %d violated, up to %d parts", d.name, p, violated, histories, parts)
		}
	}
}

// TestSearch_AgreesWithTheDefinition compares the search with the definition on longer histories of one register and few values, where
// configurations differ in nothing but the calls that have taken effect.
func TestSearch_AgreesWithTheDefinition(t *testing.T) {
	histories := 4000
	if level.Short() {
		histories = 300
	}
	if level.More() {
		histories = 50_000
	}
	// Two ways lead to 5, and only the one by 2 leaves the call that leads to 1.
	var calls []Call
	for i, c := range [][2]Value{{0, 1}, {1, 5}, {0, 2}, {2, 5}, {5, 0}} {
		calls = append(calls, Call{Op: CAS, A: c[0], B: c[1], R: 1, Begin: int32(i), End: int32(20 + i), Client: int32(i)})
	}
	calls = append(calls, Call{Op: Read, R: 5, Begin: 10, End: 11, Client: 5}, Call{Op: Read, R: 1, Begin: 12, End: 13, Client: 5})
	two := &History{Kind: Register, Values: NewValues(), Clients: []string{"a", "b", "c", "d", "e", "f"}, Calls: calls}
	if got := Judge(context.Background(), two, Options{SearchOnly: true}); got.Status != OK || !defined(two, Linear) {
		t.Errorf("%v; by definition %v", got.Status, defined(two, Linear))
	}
	r := rand.New(rand.NewPCG(8, 9))
	violated := 0
	for range histories {
		h := random(r, shape{kind: Register, unknown: r.IntN(2) == 0}, 12)
		want := defined(h, Linear)
		if got := Judge(context.Background(), h, Options{NoWitness: true, SearchOnly: true}); (got.Status == OK) != want {
			t.Fatalf("%v; by definition %v\n%s", got.Status, want, h.lines())
		}
		if !want {
			violated++
		}
	}
	t.Logf("%d of %d violated", violated, histories)
}

// States count as memory: those of a queue that grows, and of transactions that append, are as long as the history.
func TestJudge_StatesAreWithinTheLimitOnMemory(t *testing.T) {
	const n = 2000 // 2,000 states of up to 2,000 values: 32 MB
	long := func(kind Kind) *History {
		h := &History{Kind: kind, Initial: Nil, Values: NewValues(), Clients: []string{"a"}, Calls: make([]Call, n)}
		for i := range h.Calls {
			c := &h.Calls[i]
			c.Begin, c.End, c.Line = int32(2*i), int32(2*i+1), int32(i+2)
			switch kind {
			case Transactions:
				c.SetSteps(h.Values, []Step{{Append, 1, 5}})
			case Register:
				c.Op, c.A = Append, h.Values.String("sixteen letters.")
			default:
				if c.Op, c.A = Put, 5; i == 0 {
					c.Op, c.R = Peek, Nil // pairs of puts and takes do not tell what it sees
				}
			}
		}
		return h
	}
	for _, kind := range []Kind{Queue, Stack, PQueue, Transactions, Register} {
		for _, p := range []Property{Linear, Sequential} {
			if got := Judge(context.Background(), long(kind), Options{Property: p, MaxMemory: 1 << 20}); got.Status != Unknown || got.Reason != limitMemory || got.Explained == 0 {
				t.Errorf("%s %s: %v, %s, %d explained", kind, p, got.Status, got.Reason, got.Explained)
			}
			if got := Judge(context.Background(), long(kind), Options{Property: p}); got.Status != OK {
				t.Errorf("%s %s: %v, %s", kind, p, got.Status, got.Reason)
			}
		}
	}
}

// Searches that are given up for a while keep half of the limit on memory at most, of all parts together.
func TestJudge_WhatPartsKeepIsWithinTheLimitOnMemory(t *testing.T) {
	const limit = 1 << 16
	r := rand.New(rand.NewPCG(31, 32))
	usual := lookEvery
	lookEvery = 1
	defer func() { lookEvery = usual }()
	j := &job{ctx: context.Background(), o: Options{Property: Linear, MaxMemory: limit}}
	kept, dropped := 0, 0
	for range 2000 {
		j.h = random(r, shape{kind: Register}, 12)
		p := &j.parts()[0]
		got := j.search(p, 1)
		switch {
		case got.reason != limitBudget:
		case p.search == nil:
			dropped++
		default:
			kept++
		}
		if j.carried > limit/2 {
			t.Fatalf("%d bytes are kept", j.carried)
		}
	}
	if kept == 0 || dropped == 0 {
		t.Errorf("%d searches were kept, %d were not", kept, dropped)
	}
}

// growing makes a history of a counter that only grows or only falls: additions of one amount, or of several if all of them return the sum.
func growing(r *rand.Rand, most int, crash bool) *History {
	h := random(r, shape{Counter, false, crash, Linear, false}, 1)
	h.Calls = random(r, shape{Register, true, crash, Linear, false}, most).Calls
	sign, kinds, sum := Value(1-2*r.IntN(2)), 1+r.IntN(3), Value(0)
	amount := Value(1 + r.IntN(2))
	// The sums are those of an order of moments in the calls.
	order, moment := make([]int, len(h.Calls)), make([]int32, len(h.Calls))
	for i := range order {
		c := &h.Calls[i]
		order[i], moment[i] = i, c.Begin+r.Int32N(min(c.End, c.Begin+20)-c.Begin)
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(moment[a] - moment[b]) })
	for _, i := range order {
		c := &h.Calls[i]
		c.Op, c.A, c.B, c.R, c.Unknown = []Op{Read, Plus, PlusGet}[r.IntN(3)], 0, 0, 0, false
		switch {
		case kinds == 1:
			c.Op = []Op{Read, PlusGet, PlusGet}[r.IntN(3)]
		case kinds == 2 && c.Op == PlusGet:
			c.Op = Plus
		}
		if c.Op != Read {
			if c.A = sign * amount; c.Op == PlusGet && (kinds == 1 || r.IntN(4) == 0) {
				c.A = sign * Value(r.IntN(4))
			}
			sum += c.A
		}
		if hasResult(c) {
			if c.R = sum; r.IntN(12) == 0 {
				c.R += Value(r.IntN(3) - 1)
			}
			c.Unknown = c.Pending() || crash && kinds > 1 && c.A == sign*amount && r.IntN(6) == 0
		}
	}
	return h
}

// TestCounted_AgreesWithTheDefinition compares on histories of counters that only grow or only fall.
func TestCounted_AgreesWithTheDefinition(t *testing.T) {
	histories := 4000
	if level.Short() {
		histories = 500
	}
	if level.More() {
		histories = 100_000
	}
	for _, crash := range []bool{false, true} {
		r, violated, not := rand.New(rand.NewPCG(3, 4)), 0, 0
		for range histories {
			h := growing(r, 7, crash)
			broken, ok := counted(h.Calls)
			if !ok {
				not++
				continue
			}
			want := defined(h, Linear)
			if (broken == nil) != want {
				t.Fatalf("counted: %v; by definition %v\n%s", broken == nil, want, h.lines())
			}
			if broken != nil {
				violated++
				part := *h
				if part.Calls = broken; defined(&part, Linear) {
					t.Fatalf("the beginning has an order\n%s\nof\n%s", part.lines(), h.lines())
				}
			}
		}
		t.Logf("crashes %v: %d of %d violated, %d of another kind", crash, violated, histories, not)
		if violated < histories/20 || violated > histories*9/10 || not > histories/2 {
			t.Errorf("crashes %v: %d of %d violated, %d of another kind", crash, violated, histories, not)
		}
	}
}

// TestCounted_AgreesWithTheAlgorithms compares longer histories with the search for sums.
func TestCounted_AgreesWithTheAlgorithms(t *testing.T) {
	histories := 2000
	if level.Short() {
		histories = 300
	}
	if level.More() {
		histories = 40_000
	}
	r, violated := rand.New(rand.NewPCG(5, 6)), 0
	for i := range histories {
		h := growing(r, 24, i%2 == 0)
		broken, ok := counted(h.Calls)
		if !ok {
			continue
		}
		j := &job{ctx: context.Background(), h: h, o: Options{MaxMemory: 1 << 30}}
		got := j.search(&part{calls: h.Calls}, 0)
		if (broken == nil) != (got.status == OK) || got.status == Unknown {
			t.Fatalf("counted: %v; by search %v\n%s", broken == nil, got.status, h.lines())
		}
		if broken != nil {
			violated++
		}
	}
	t.Logf("%d of %d violated", violated, histories)
}
