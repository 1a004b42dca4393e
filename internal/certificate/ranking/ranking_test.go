// SPDX-License-Identifier: BSD-3-Clause

package ranking

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/verdict"
)

// line makes a graph of views, each at a place of its own; view 0 is idle. Every place has two variables.
func line(views int, edges ...Edge) *Graph {
	g := &Graph{Edges: edges}
	for v := range views {
		g.View, g.Other = append(g.View, v), append(g.Other, 0)
		g.Places = append(g.Places, Place{Idle: v == 0, Text: "lazy.go:12", Vars: []Var{{Reg: 1}, {Reg: 2}}})
	}
	return g
}

func step(from, to int) Edge { return Edge{From: from, To: to} }

var (
	small = Word{1, 0} // a sort of locks
	large = Word{2, 0}
)

func TestFind_RanksHandDrawnGraphs(t *testing.T) {
	round := func(change func(e *Edge)) *Graph { // 1 -> 2 -> 1, and the step back is changed
		back := step(2, 1)
		change(&back)
		return line(3, step(0, 1), step(1, 2), back, step(2, 0))
	}
	stay := func(g *Graph) *Graph {
		for i := range g.Edges {
			if e := &g.Edges[i]; len(e.Moves) == 0 {
				e.Stays = Pairs{{0, 0}}
			}
		}
		return g
	}
	locks := func(list ...Locking) *Graph {
		g := line(2, step(0, 1), step(1, 0))
		g.Locks = list
		return g
	}
	// 1 -> 2 -> 3 -> return; the step to 2 makes the cell of variable 0 busy, and in the step from 1 to itself the lock of a busy cell is taken
	busy := func(change func(g *Graph)) *Graph {
		again, mark, on := step(1, 1), step(1, 2), step(2, 3)
		again.Awaits, mark.Makes, on.Stays = true, 1, Pairs{{0, 1}}
		g := line(4, step(0, 1), again, mark, on, step(3, 0))
		change(g)
		return g
	}
	// 1 -> 2 -> 1, and view 3 at the place of view 1 leads to 2; other has bits of the variables whose cell has certainly not k
	other := func(one, three uint16, more ...Edge) *Graph {
		g := line(4, append(more, step(0, 1), step(0, 3), step(1, 2), step(2, 1), step(3, 2))...)
		g.View[3], g.Other[1], g.Other[3] = g.View[1], one, three
		return g
	}
	for _, c := range []struct {
		name     string
		g        *Graph
		property verdict.Property
		why      string // ""; it is proved
	}{
		{"round with a cell that has not k", other(1, 0), verdict.DeadlockFree, ""},
		{"round with a cell that has not k, lock-free", other(2, 0), verdict.LockFree, ""},
		{"round with a cell that has not k, wait-free", other(1, 1), verdict.WaitFree, "no bound is known"},
		{"round with a cell that may have k", other(0, 1), verdict.LockFree, "nothing is known that grows less"},
		{"round with cells of which one may have k", other(1, 0, step(2, 3)), verdict.LockFree, "nothing is known that grows less"},
		{"round with cells of two variables", other(1, 2, step(2, 3)), verdict.LockFree, "nothing is known that grows less"},
		{"round with cells that have not k", other(3, 2, step(2, 3)), verdict.LockFree, ""},
		{"round by another place as well", other(1, 0, step(2, 2)), verdict.LockFree, "nothing is known that grows less"},
		{"a busy cell is waited for", busy(func(*Graph) {}), verdict.DeadlockFree, ""},
		{"others may make cells busy", busy(func(g *Graph) { g.Loose = "it is so" }), verdict.DeadlockFree, "nothing is known that grows less"},
		{"the lock of another busy cell is given back", busy(func(g *Graph) { g.Releases = []Release{{From: 3, Vars: 1}} }), verdict.DeadlockFree, ""},
		{"its lock is given back while it is busy", busy(func(g *Graph) { g.Releases = []Release{{From: 3, Vars: 2}} }), verdict.DeadlockFree, "nothing is known that grows less"},
		{"it is given back a step before", busy(func(g *Graph) { g.Releases = []Release{{From: 2, Vars: 1}} }), verdict.DeadlockFree, "nothing is known that grows less"},
		{"no variable leads to it", busy(func(g *Graph) { g.Edges[3].Stays = nil }), verdict.DeadlockFree, "nothing is known that grows less"},
		{"the lock may be another's", busy(func(g *Graph) { g.Edges[1].Awaits = false }), verdict.DeadlockFree, "nothing is known that grows less"},
		{"straight on", line(3, step(0, 1), step(1, 2), step(2, 0)), verdict.WaitFree, ""},
		{"round", round(func(*Edge) {}), verdict.LockFree, "nothing is known that grows less"},
		{"round, deadlock-free", round(func(*Edge) {}), verdict.DeadlockFree, "nothing is known that grows less"},
		{"round by an effect", round(func(e *Edge) { e.Writes, e.Changes = true, true }), verdict.LockFree, ""},
		{"round by an effect, wait-free", round(func(e *Edge) { e.Writes, e.Changes = true, true }), verdict.WaitFree, "no bound is known"},
		{"round by a write", round(func(e *Edge) { e.Writes = true }), verdict.LockFree, "may write any number of times"},
		{"round by an effect that writes nothing", round(func(e *Edge) { e.Changes = true }), verdict.LockFree, "nothing is known that grows less"},
		{"round by a write that shrinks", round(func(e *Edge) { e.Writes, e.Fewer = true, 4 }), verdict.LockFree, ""},
		{"round by a write that shrinks or not", round(func(e *Edge) { e.Writes, e.Same = true, 4 }), verdict.LockFree, "may write any number of times"},
		{"round because another writes", round(func(e *Edge) { e.Driven = true }), verdict.LockFree, ""},
		{"round because another writes, wait-free", round(func(e *Edge) { e.Driven = true }), verdict.WaitFree, "no bound is known"},
		{"along a chain", stay(round(func(e *Edge) { e.Moves = Pairs{{0, 0}} })), verdict.LockFree, ""},
		{"along a chain, wait-free", stay(round(func(e *Edge) { e.Moves = Pairs{{0, 0}} })), verdict.WaitFree, "no bound is known"},
		{"along a chain, with the other variable", stay(round(func(e *Edge) { e.Moves = Pairs{{1, 1}} })), verdict.LockFree, "nothing is known that grows less"},
		{"along a chain, and back to where it began", round(func(e *Edge) { e.Moves = Pairs{{0, 0}} }), verdict.LockFree, "nothing is known that grows less"},
		{"no locks", locks(), verdict.LockFree, ""},
		{"one lock", locks(Locking{From: 1, Takes: small}), verdict.DeadlockFree, ""},
		{"one lock, lock-free", locks(Locking{From: 1, Takes: small}), verdict.LockFree, "a call waits for a lock"},
		{"one lock, wait-free", locks(Locking{From: 1, Takes: small}), verdict.WaitFree, "a call waits for a lock"},
		{"two locks", locks(Locking{From: 1, Takes: large, Held: true, Holds: small}), verdict.DeadlockFree, ""},
		{"two locks, crossed", locks(Locking{From: 1, Takes: large, Held: true, Holds: small}, Locking{From: 1, Takes: small, Held: true, Holds: large}), verdict.DeadlockFree, "no order of the locks"},
		{"hand over hand", locks(Locking{From: 1, Takes: small, Held: true, Holds: small, Ahead: true}), verdict.DeadlockFree, ""},
		{"two of a sort", locks(Locking{From: 1, Takes: small, Held: true, Holds: small}), verdict.DeadlockFree, "no order of the locks"},
		{"the collection's lock in a loop", round(func(e *Edge) { e.Takes = true }), verdict.DeadlockFree, "may take a lock of the collection any number of times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Find(c.g, c.property)
			if why := text(err); why != "" != (c.why != "") || !strings.Contains(why, c.why) {
				t.Errorf("it says %q, want %q", why, c.why)
			}
		})
	}
}

// A claim that no call comes back with k is refused if a step with k may be part of a way round, or any step raises the first number.
func TestCheck_RefusesCallsThatComeBack(t *testing.T) {
	variable := 0
	for _, c := range []struct {
		name  string
		other [3]uint16 // by view
		ranks [3]int
		at    int // the variable
		why   string
	}{
		{"it has not k", [3]uint16{0, 1, 0}, [3]int{0, 1, 1}, 0, ""},
		{"it may have k", [3]uint16{0, 0, 0}, [3]int{0, 1, 1}, 0, "nothing is known that grows less"},
		{"another variable has not k", [3]uint16{0, 2, 0}, [3]int{0, 1, 1}, 0, "nothing is known that grows less"},
		{"the step raises the number", [3]uint16{0, 1, 0}, [3]int{0, 1, 2}, 0, "nothing is known that grows less"},
		{"the step back raises the number", [3]uint16{0, 1, 0}, [3]int{0, 2, 1}, 0, "nothing is known that grows less"},
		{"no such variable", [3]uint16{0, 1, 0}, [3]int{0, 1, 1}, 2, "does not have"},
		{"a variable less than none", [3]uint16{0, 1, 0}, [3]int{0, 1, 1}, -1, "does not have"},
	} {
		g := line(3, step(0, 1), step(1, 2), step(2, 1), step(2, 0))
		copy(g.Other, c.other[:])
		variable = c.at
		r := &Ranking{Property: verdict.LockFree, Places: []Level{{}, {Returning: &variable}, {}}, Ranks: [][]int{{}, {c.ranks[1], none, 0}, {c.ranks[2], none, 1}}}
		if why := text(r.Check(g)); (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s: it says %q, want %q", c.name, why, c.why)
		}
		r.Ranks[1] = []int{}
		if r.Check(g) == nil {
			t.Errorf("%s: accepted without ranks", c.name)
		}
	}
}

// A thread that goes from one pair of a place and a cell to another one is seen with each cell in the part of k. If it can go round for ever there may
// be no ranking of what is seen.
func TestFind_RanksNoThreadThatComesBack(t *testing.T) {
	const places, cells = 3, 4
	r := rand.New(rand.NewPCG(7, 1))
	count := map[string]int{}
	for range 5_000 {
		next := map[[2]int][][2]int{} // by place and cell
		for range 3 + r.IntN(4) {
			from, to := [2]int{r.IntN(places), r.IntN(cells)}, [2]int{r.IntN(places), r.IntN(cells)}
			if r.IntN(3) > 0 {
				to[1] = min(from[1]+r.IntN(3), cells-1)
			}
			next[from] = append(next[from], to)
		}
		g := &Graph{Places: []Place{{Idle: true}}, View: []int{0}, Other: []uint16{0}}
		for p := range places {
			g.Places = append(g.Places, Place{Vars: []Var{{}}})
			for _, other := range []uint16{1, 0, 1} { // the item of the cell is less than k, k, or greater
				g.View, g.Other = append(g.View, 1+p), append(g.Other, other)
			}
		}
		view := func(at [2]int, k int) int { return 1 + 3*at[0] + 1 + min(max(at[1]-k, -1), 1) }
		endless := false
		for from, list := range next {
			ways, seen := slices.Clone(list), map[[2]int]bool{}
			for i := 0; i < len(ways); i++ {
				if endless = endless || ways[i] == from; !seen[ways[i]] {
					seen[ways[i]] = true
					ways = append(ways, next[ways[i]]...)
				}
			}
		}
		for p := range places {
			for c := range cells {
				for _, to := range next[[2]int{p, c}] {
					for k := range cells {
						g.Edges = append(g.Edges, step(view([2]int{p, c}, k), view(to, k)))
					}
				}
			}
		}
		ranking, _, err := Find(g, verdict.LockFree)
		switch {
		case err == nil && endless:
			t.Fatalf("a thread goes round by %v, and that is ranked: %+v", next, ranking)
		case err != nil && !endless:
			count["ends, not ranked"]++
		case err != nil:
			count["endless"]++
		case slices.ContainsFunc(ranking.Places, func(l Level) bool { return l.Returning != nil }):
			count["ranked by k"]++
		default:
			count["ranked"]++
		}
	}
	if count["ranked by k"] < 500 || count["endless"] < 2000 {
		t.Errorf("that compares little: %v", count)
	}
	t.Log(count)
}

// A claim about busy cells that does not hold is refused, whoever makes it.
func TestCheck_RefusesBusyCellsThatAreNot(t *testing.T) {
	again, mark := step(1, 1), step(1, 2)
	again.Awaits, mark.Makes = true, 1
	g := line(3, step(0, 1), again, mark, step(2, 0))
	g.Releases = []Release{{From: 2, Vars: 1}}
	r := &Ranking{Property: verdict.DeadlockFree, Busy: true, Places: []Level{{}, {Number: 2}, {Number: 1}}, Ranks: [][]int{{}, {1}, {0}}}
	if err := text(r.Check(g)); !strings.Contains(err, "it is not known which cells a call has marked") {
		t.Error(err)
	}
	r.Places[2].Own = []int{0}
	if err := text(r.Check(g)); !strings.Contains(err, "the lock of a cell may be given back while it is marked") {
		t.Error(err)
	}
	g.Releases = nil
	if err := r.Check(g); err != nil {
		t.Error(err)
	}
	r.Busy = false
	if err := text(r.Check(g)); !strings.Contains(err, "nothing is known that grows less") {
		t.Error(err)
	}
	r.Busy, r.Places[2].Own = true, []int{7}
	if err := text(r.Check(g)); !strings.Contains(err, "does not have") {
		t.Error(err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The order of the cells of two variables is claimed of a place only if every step that leads there keeps it.
func TestFind_OrdersVariablesByPlaces(t *testing.T) {
	for _, lost := range []bool{false, true} {
		known, kept := step(0, 1), step(1, 2)
		known.Before = Pairs{{0, 1}}
		kept.Stays = Pairs{{0, 0}, {1, 1}}
		if lost {
			kept.Stays = Pairs{{0, 0}}
		}
		g := line(3, known, kept, step(2, 0))
		g.Locks = []Locking{{From: 2, Takes: small, Held: true, Holds: small, A: 1, B: 2}}
		if _, _, err := Find(g, verdict.DeadlockFree); err != nil != lost {
			t.Errorf("lost %t: %v", lost, err)
		}
	}
}

// random makes a graph of a few views with steps of all sorts.
func random(r *rand.Rand) *Graph {
	g := line(2 + r.IntN(5))
	for v := range g.View { // some share a place
		if v > 1 && r.IntN(3) == 0 {
			g.View[v] = 1 + r.IntN(v-1)
		}
	}
	for range r.IntN(9) {
		e := step(r.IntN(len(g.View)), r.IntN(len(g.View)))
		e.Driven, e.Writes, e.Changes, e.Fewer = r.IntN(8) == 0, r.IntN(3) == 0, r.IntN(4) == 0, uint64(r.IntN(2))
		g.Edges = append(g.Edges, e)
	}
	return g
}

// endless reports whether a thread can go round by steps for ever: it looks for a way of as many steps as there are views. A step that takes effect,
// shrinks, or leads to a place from which no way leads back cannot be repeated.
func endless(g *Graph) bool {
	leads := func(from, to int, use func(e *Edge) bool) bool { // by places, or by views
		seen := []int{from}
		for i := 0; i < len(seen); i++ {
			for k := range g.Edges {
				e := &g.Edges[k]
				if !g.inside(e) || !use(e) || g.View[e.From] != g.View[seen[i]] {
					continue
				}
				if g.View[e.To] == g.View[to] {
					return true
				}
				if !slices.ContainsFunc(seen, func(v int) bool { return g.View[v] == g.View[e.To] }) {
					seen = append(seen, e.To)
				}
			}
		}
		return false
	}
	repeats := func(e *Edge) bool {
		once := !(g.View[e.From] == g.View[e.To] || leads(e.To, e.From, func(*Edge) bool { return true }))
		return g.inside(e) && !e.Driven && !(e.Writes && (e.Changes || once || e.Fewer&1 != 0))
	}
	for i := range g.Edges {
		if e := &g.Edges[i]; repeats(e) && e.Writes {
			return true
		}
	}
	reach := map[int]bool{}
	for v := range g.View {
		reach[v] = true
	}
	for range g.View { // views at which a way of so many steps may end
		next := map[int]bool{}
		for i := range g.Edges {
			if e := &g.Edges[i]; repeats(e) && !e.Writes && reach[e.From] {
				next[e.To] = true
			}
		}
		reach = next
	}
	return len(reach) > 0
}

func TestFind_AgreesWithWaysThatAreFollowed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	count := [2]int{}
	for range 20_000 {
		g := random(r)
		_, _, err := Find(g, verdict.LockFree)
		want := endless(g)
		if err != nil != want {
			t.Fatalf("endless %t, and Find says %v: %+v", want, err, g)
		}
		if want {
			count[1]++
		} else {
			count[0]++
		}
	}
	if min(count[0], count[1]) < 2000 {
		t.Errorf("%d end and %d do not: that compares little", count[0], count[1])
	}
}
