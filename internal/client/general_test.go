// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
)

// follower collects what a plan lets the threads call if every call returns at once.
type follower struct {
	t     *testing.T
	plan  Plan
	scope Scope
	ops   []Op
	found map[string]bool // clients in canonical form
	ways  map[string]int  // in how many orders the calls of a client may be made
}

func newFollower(t *testing.T, p Plan, s Scope, ops []Op) *follower {
	return &follower{t: t, plan: p, scope: s, ops: ops, found: map[string]bool{}, ways: map[string]int{}}
}

// all follows every way through the plan.
func (f *follower) all() {
	for v := range f.plan.Variants() {
		pre, all, own := f.plan.Start(v)
		f.follow(Client{Pre: pre, Threads: make([][]Step, len(own))}, all, own)
	}
}

func (f *follower) follow(c Client, all uint64, own []uint64) {
	if f.plan.Done(all, own, 0) && callsOf(c) > 0 {
		f.found[canonicalText(f.scope, f.ops, c)] = true
		f.way(c)
	}
	last := true
	for thread := range own {
		for _, call := range f.plan.Calls(nil, all, own[thread]) {
			step, _, _ := f.plan.Make(call, all, own[thread])
			if at := (Position{All: all, Own: own}); !at.Placed(f.ops, step.Op, nil) {
				continue
			}
			if f.ops[step.Op].Who.Last {
				if at := (Position{All: all, Own: own}); !at.Ends(f.plan, thread, call) {
					continue
				}
			}
			last = false
			if call > MaxCalls {
				f.t.Fatalf("call %d does not fit into a move", call)
			}
			step, nextAll, nextOwn := f.plan.Make(call, all, own[thread])
			nextAll = Begun(nextAll, f.ops, step.Op)
			next := Client{Pre: c.Pre, Threads: slices.Clone(c.Threads)}
			next.Threads[thread] = append(slices.Clone(c.Threads[thread]), step)
			after := slices.Clone(own)
			after[thread] = nextOwn
			f.follow(next, nextAll, after)
		}
	}
	if last {
		f.end(c, all, own)
	}
}

// end checks a client behind which nothing can be called: no way leads to what is no client
// of the scope, unless that could not be known before, and distinct priorities are 0 to n-1.
func (f *follower) end(c Client, all uint64, own []uint64) {
	once := slices.ContainsFunc(f.ops, func(op Op) bool { return op.Who.Once || op.Who.First }) // then what is left to call is not
	foreseen := !once && f.scope.PerThread == 0 && f.scope.Threads.From == 1 && !(f.scope.AddsDominant && f.scope.DistinctPriorities)
	if foreseen && !f.plan.Done(all, own, 0) {
		f.t.Fatalf("%+v: %v leads nowhere", f.scope, c)
	}
	var ranks, want []int64
	each(append([][]Step{c.Pre}, c.Threads...), f.ops, oracle.ParamPriority, func(v int64) int64 {
		ranks, want = append(ranks, v), append(want, int64(len(want)))
		return v
	})
	if !f.plan.Done(all, own, 0) {
		return
	}
	if slices.Sort(ranks); f.scope.DistinctPriorities && f.scope.PerThread == 0 && !slices.Equal(ranks, want) {
		f.t.Fatalf("%+v: %v has the priorities %v", f.scope, c, ranks)
	}
}

// way counts an order of the calls of a client against those that there are.
func (f *follower) way(c Client) {
	if f.scope.DistinctPriorities || slices.ContainsFunc(f.ops, func(op Op) bool { return op.Who.First }) {
		return // clients with fewer adds come again; what is first has fewer orders
	}
	key, orders, n := renamed(f.scope, f.ops, append([][]Step{c.Pre}, c.Threads...)), 1, 0
	for _, steps := range c.Threads {
		for k, s := range steps {
			if f.ops[s.Op].Who.Last { // behind all others
				continue
			}
			n++
			orders = orders * n / (k + 1)
		}
	}
	if f.ways[key] == 0 {
		f.ways[key] = -orders
	}
	if f.ways[key]++; f.ways[key] == 0 {
		delete(f.ways, key)
	}
}

func callsOf(c Client) int {
	n := 0
	for _, steps := range c.Threads {
		n += len(steps)
	}
	return n
}

// canonicalText is a client as it is told from others: without threads that do nothing, threads
// in any order if they are symmetric, generic items by order of appearance, distinct
// priorities by rank.
func canonicalText(s Scope, ops []Op, c Client) string {
	var threads [][]Step
	for _, steps := range c.Threads {
		if len(steps) > 0 {
			threads = append(threads, steps)
		}
	}
	least := ""
	for _, order := range orders(len(threads), s.ThreadSymmetry) {
		lists := [][]Step{c.Pre}
		for _, t := range order {
			lists = append(lists, threads[t])
		}
		if text := renamed(s, ops, lists); least == "" || text < least {
			least = text
		}
	}
	return least
}

// renamed writes the calls of a client, with items and priorities renamed.
func renamed(s Scope, ops []Op, lists [][]Step) string {
	items, ranks := map[int64]int64{}, []int64{}
	each(lists, ops, oracle.ParamPriority, func(v int64) int64 { ranks = append(ranks, v); return v })
	slices.Sort(ranks)
	if s.GenericValues {
		lists = each(lists, ops, oracle.ParamItem, func(v int64) int64 {
			if items[v] == 0 {
				items[v] = int64(len(items) + 1)
			}
			return items[v]
		})
	}
	if s.DistinctPriorities {
		lists = each(lists, ops, oracle.ParamPriority, func(v int64) int64 { return int64(slices.Index(ranks, v)) })
	}
	var b strings.Builder
	for _, steps := range lists {
		for _, step := range steps {
			b.WriteString(ops[step.Op].Call(step.Args) + " ")
		}
		b.WriteString("| ")
	}
	return b.String()
}

// each replaces the arguments of one kind.
func each(lists [][]Step, ops []Op, p oracle.Param, as func(int64) int64) [][]Step {
	out := make([][]Step, len(lists))
	for i, steps := range lists {
		for _, s := range steps {
			if at := slices.Index(ops[s.Op].Params, p); at >= 0 {
				s.Args = s.Args.With(at, history.IntValue(as(s.Args.At(at).Int)))
			}
			out[i] = append(out[i], s)
		}
	}
	return out
}

// orders are the orders of n things, or only the one they are in.
func orders(n int, any bool) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, o := range orders(n-1, any) {
		for at := len(o); at >= 0 && (any || at == len(o)); at-- {
			out = append(out, slices.Insert(slices.Clone(o), at, n-1))
		}
	}
	return out
}

func never() bool { return false }

// The most general client of a scope has the scope's clients, and no others: package client
// lists them by other means, which its own tests hold against a slow enumeration.
func TestGeneral_CallsWhatTheClientsOfTheScopeCall(t *testing.T) {
	for k, kind := range []oracle.Kind{oracle.Queue, oracle.PQueue, oracle.Set} {
		ops := DefaultOps(kind)[:2]
		for bits := range 16 {
			switch {
			case level.Short() && bits > 0:
				continue
			case !level.More() && bits%3 != 0: // 0, 3, 6, 9, 12, 15: every pair of options
				continue
			case kind == oracle.Set && bits&2 != 0, kind != oracle.PQueue && bits&8 != 0: // options that the kind has not
				continue
			}
			s := Scope{Threads: Range{From: 1, To: 2}, Steps: Range{From: 1, To: 3}, PreAdds: Range{To: 1}, Values: 2,
				ThreadSymmetry: bits&1 != 0, GenericValues: bits&2 != 0 && kind != oracle.Set, AddsDominant: bits&4 != 0,
				DistinctPriorities: bits&8 != 0 && kind == oracle.PQueue}
			each := s
			each.Threads.From, each.PerThread, each.Steps.To = 2, 2, 2 // less than what the threads call
			late := s
			late.Steps.From, late.PreAdds.From = 2, 1
			some, both := each, s
			some.Threads.From, both.Threads.From, both.Steps.From = 1, 2, 2
			once, err := SetRoles(ops, ops[1].Name+":once")
			if err != nil {
				t.Fatal(err)
			}
			last, err := SetRoles(ops, ops[k%2].Name+":last")
			if err != nil {
				t.Fatal(err)
			}
			first, err := SetRoles(ops, ops[(k+1)%2].Name+":first")
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range []Scope{s, each, late, some, both} {
				if !level.More() && (i+bits/6)%2 != 0 {
					continue // every second with each set of options
				}
				for j, ops := range [][]Op{ops, once, last, first} {
					if (level.More() || (i+bits)%4 == j) && (j < 3 || !s.DistinctPriorities) {
						compareWithClients(t, s, ops)
					}
				}
			}
		}
	}
}

func TestGeneral_LetsOnlyThoseCallWhoMay(t *testing.T) {
	ops, err := SetRoles(DefaultOps(oracle.Queue), "Enqueue:1,Dequeue:~1")
	if err != nil {
		t.Fatal(err)
	}
	s := Scope{Threads: Range{From: 1, To: 3}, Steps: Range{From: 1, To: 3}, Values: 2}
	space, err := NewSpace(s, ops)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGeneral(space, never, never)
	_, all, own := g.Start(0)
	for thread, o := range own {
		var names []string
		for _, call := range g.Calls(nil, all, o) {
			step, _, _ := g.Make(call, all, o)
			names = append(names, ops[step.Op].Name)
		}
		slices.Sort(names)
		if want := map[bool]string{true: "[Enqueue]", false: "[Dequeue]"}[thread == 0]; fmt.Sprint(slices.Compact(names)) != want {
			t.Errorf("thread %d calls %v, want %s", thread+1, names, want)
		}
	}
}

func compareWithClients(t *testing.T, s Scope, ops []Op) {
	t.Helper()
	space, err := NewSpace(s, ops)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for c := range space.All() {
		want[canonicalText(s, ops, c)] = true
	}
	f := newFollower(t, NewGeneral(space, never, never), s, ops)
	f.all()
	for c, n := range f.ways {
		t.Fatalf("%+v: %d of the orders in which %s may be called are missing", s, -n, c)
	}
	if maps.Equal(f.found, want) {
		return
	}
	for c := range want {
		if !f.found[c] {
			t.Errorf("%+v: no %s", s, c)
		}
	}
	for c := range f.found {
		if !want[c] {
			t.Errorf("%+v: %s is no client of the scope", s, c)
		}
	}
	t.Fatal("the clients differ")
}

// What is called last waits for all others, those in progress and those that are left.
func TestPosition_KeepsTheLastCallForTheEnd(t *testing.T) {
	end, other := Step{Op: 1}, Step{Args: history.Ints(1)}
	p := NewSingle(Client{Threads: [][]Step{{other, end}, {other}}}, 2)
	_, all, own := p.Start(0)
	ends := func(thread int, busy ThreadSet) bool {
		at := Position{All: all, Own: own, Busy: busy}
		return at.Ends(p, thread, p.Calls(nil, all, own[thread])[0])
	}
	takes := func(thread int) {
		_, all, own[thread] = p.Make(p.Calls(nil, all, own[thread])[0], all, own[thread])
	}
	if takes(0); ends(0, 0) {
		t.Error("the last call may be made while another thread has a call left")
	}
	if takes(1); ends(0, 2) || !ends(0, 0) {
		t.Error("the last call may be made while another is in progress, or not behind it")
	}
}

// The plan of one client lets each thread make its calls in order, and ends behind them.
func TestSingle_MakesTheCallsOfItsClient(t *testing.T) {
	ops := DefaultOps(oracle.Set)
	s := Scope{Threads: Range{From: 1, To: 2}, Steps: Range{From: 1, To: 3}, PreAdds: Range{To: 1}, Values: 2}
	space, err := NewSpace(s, ops)
	if err != nil {
		t.Fatal(err)
	}
	for c := range space.All() {
		f := newFollower(t, NewSingle(c, 2), s, ops)
		f.all()
		if want := canonicalText(s, ops, c); len(f.found) != 1 || !f.found[want] || len(f.ways) > 0 {
			t.Fatalf("%s comes to %v, orders left: %v", want, f.found, f.ways)
		}
	}
	// Threads with the same rest have the same count, so that they are symmetric.
	add := Step{Op: 0, Args: history.Ints(1)}
	p := NewSingle(Client{Threads: [][]Step{{add, add}, {add, add}, {add}}}, 4)
	_, all, own := p.Start(0)
	if own[0] != own[1] || own[0] == own[2] || own[3] != 0 {
		t.Errorf("counts %v", own)
	}
	if _, _, rest := p.Make(int(own[0]), all, own[0]); rest != own[2] {
		t.Errorf("behind one call the rest is %d, want %d", rest, own[2])
	}
	if p.Done(all, []uint64{own[0], 0, 0, 0}, 0) || !p.Done(all, []uint64{own[0], 0, 0, 0}, 1) {
		t.Error("a client ends although a thread that is not busy has calls left, or does not although it has none")
	}
}

// With keys held by rank a call takes each of n keys or a new one at each of n+1 places.
func TestGeneral_ChoosesKeysByRank(t *testing.T) {
	ops := DefaultOps(oracle.Set)
	s := Scope{Threads: Range{From: 1, To: 2}, Steps: Range{From: 1, To: 4}, Values: 8}
	space, err := NewSpace(s, ops)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGeneral(space, never, func() bool { return true })
	for n := range 5 {
		all := uint64(n) << KeysShift
		var keys []int64
		for _, call := range g.Calls(nil, all, 0) {
			step, next, _ := g.Make(call, all, 0)
			if step.Op == 0 {
				keys = append(keys, step.Args.At(0).Int)
			}
			if next&0xff != 1 {
				t.Errorf("%d keys: a call counts as %d", n, next&0xff)
			}
		}
		slices.Sort(keys)
		var want []int64
		for k := -n - 1; k < n; k++ {
			want = append(want, int64(k)) // gap k is -k-1
		}
		if !slices.Equal(keys, want) {
			t.Errorf("%d keys: choices %v, want %v", n, keys, want)
		}
	}
}
