// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/test/level"
)

// Session guarantees against their definition: all orders of the writes, and for each read all sets of writes that it may see.

// guaranteed tries them. Calls are in the order in which they began; a client's own order is that, but a call that did not return comes before none.
func guaranteed(h *History, asked []Property) bool {
	var writes, reads []int
	for i := range h.Calls {
		if h.Calls[i].Op == Write {
			writes = append(writes, i)
		} else if !h.Calls[i].Unknown && !h.Calls[i].Pending() {
			reads = append(reads, i)
		}
	}
	before := func(i, k int) bool {
		a, b := &h.Calls[i], &h.Calls[k]
		return a.Client == b.Client && a.Begin < b.Begin && !a.Pending()
	}
	ok := false
	permute(slices.Clone(writes), 0, func(order []int) {
		if ok || slices.Contains(asked, MonotonicWrites) && badOrder(order, before) {
			return
		}
		sees := make([]int, len(reads)) // sets of places in the order
		var from func(n int) bool
		from = func(n int) bool {
			if n == len(reads) {
				return slices.IndexFunc(asked, func(p Property) bool { return !holds(p, reads, order, sees, before) }) < 0
			}
			for set := range 1 << len(order) {
				if returns(h, reads[n], order, set) {
					if sees[n] = set; from(n + 1) {
						return true
					}
				}
			}
			return false
		}
		ok = from(0)
	})
	return ok
}

func permute(list []int, from int, f func([]int)) {
	if from == len(list) {
		f(list)
		return
	}
	for i := from; i < len(list); i++ {
		list[from], list[i] = list[i], list[from]
		permute(list, from+1, f)
		list[from], list[i] = list[i], list[from]
	}
}

func badOrder(order []int, before func(i, k int) bool) bool {
	for a := range order {
		for b := range a {
			if before(order[a], order[b]) {
				return true
			}
		}
	}
	return false
}

// returns reports whether a read that sees a set of writes returns what it did.
func returns(h *History, read int, order []int, set int) bool {
	v := h.Initial
	for n, w := range order {
		if set>>n&1 == 1 && h.Calls[w].Key == h.Calls[read].Key {
			v = h.Calls[w].A
		}
	}
	return v == h.Calls[read].R
}

// holds reports whether one guarantee holds.
func holds(p Property, reads, order, sees []int, before func(i, k int) bool) bool {
	for n, r := range reads {
		for at, w := range order {
			seen := sees[n]>>at&1 == 1
			if p == ReadYourWrites && before(w, r) && !seen {
				return false
			}
			if p == MonotonicWrites && seen {
				for earlier, x := range order {
					if before(x, w) && sees[n]>>earlier&1 == 0 {
						return false
					}
				}
			}
			if p != WritesFollowReads {
				continue
			}
			for m, earlier := range reads { // a read before write w
				if !before(earlier, w) {
					continue
				}
				if seen && sees[m]&^sees[n] != 0 || sees[m]>>at != 0 {
					return false
				}
			}
		}
		for m, earlier := range reads {
			if p == MonotonicReads && before(earlier, r) && sees[m]&^sees[n] != 0 {
				return false
			}
		}
	}
	return true
}

// randomSessions are reads and writes of which some return the initial value or one that is written.
func randomSessions(r *rand.Rand) *History {
	h := &History{Kind: Map, Initial: 0, Values: NewValues(), Clients: []string{"a", "b", "c"}}
	writes, reads, keys, clients, at := 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(2), 1+r.IntN(3), int32(0)
	for writes+reads > 0 {
		c := Call{Op: Read, Key: Value(r.IntN(keys)), Client: int32(r.IntN(clients)), Begin: at, End: at + 1}
		at += 2
		if r.IntN(writes+reads) < writes {
			c.Op, c.A = Write, Value(writes)
			if writes--; r.IntN(8) == 0 {
				c.End = Never
			}
		} else {
			reads--
		}
		h.Calls = append(h.Calls, c)
	}
	for i := range h.Calls {
		if c := &h.Calls[i]; c.Op == Read && r.IntN(5) > 0 {
			w := &h.Calls[r.IntN(len(h.Calls))]
			if c.R = w.A; w.Op == Write && r.IntN(10) > 0 {
				c.Key = w.Key
			}
		}
	}
	return h
}

func TestJudge_SessionGuaranteesAgreeWithTheDefinition(t *testing.T) {
	histories := 4000
	if level.Short() {
		histories = 300
	}
	if level.More() {
		histories = 100_000
	}
	four := []Property{ReadYourWrites, MonotonicReads, MonotonicWrites, WritesFollowReads}
	for _, asked := range [][]Property{four[:1], four[1:2], four[2:3], four[3:], four[:2], four[1:3], four[2:], four} {
		p := asked[0]
		for _, more := range asked[1:] {
			p += "," + more
		}
		if len(asked) == 4 {
			p = Session
		}
		t.Run(string(p), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(21, 22))
			violated := 0
			for range histories {
				h := randomSessions(r)
				want := guaranteed(h, asked)
				got := Judge(context.Background(), h, Options{Property: p})
				if (got.Status == OK) != want || got.Status == Unknown {
					t.Fatalf("%v %s; by definition %v\n%s", got.Status, got.Reason, want, h.lines())
				}
				if want {
					continue
				}
				violated++
				if part := (&History{Kind: h.Kind, Initial: h.Initial, Values: h.Values, Clients: h.Clients, Calls: got.Witness}); guaranteed(part, asked) {
					t.Fatalf("the witness has it\n%s\nof\n%s", part.lines(), h.lines())
				}
			}
			t.Logf("%d of %d violated", violated, histories)
		})
	}
}

// What a read sees may depend on a read that began later: client 1 reads what client 2 writes only behind its own read.
func TestSessions_AgreesWithTheDefinitionOfALaterRead(t *testing.T) {
	h := &History{Kind: Map, Initial: 0, Values: NewValues(), Clients: []string{"a", "b", "c"}, Calls: []Call{
		{Op: Read, Key: 2, R: 7, Client: 0},
		{Op: Read, Key: 1, R: 0, Client: 0},
		{Op: Write, Key: 1, A: 5, Client: 2},
		{Op: Read, Key: 1, R: 5, Client: 1},
		{Op: Write, Key: 2, A: 7, Client: 1},
	}}
	for i := range h.Calls {
		h.Calls[i].Begin, h.Calls[i].End = int32(2*i), int32(2*i+1)
	}
	for _, asked := range [][]Property{{MonotonicReads, WritesFollowReads}, {WritesFollowReads}} {
		p := asked[0]
		for _, more := range asked[1:] {
			p += "," + more
		}
		got := Judge(context.Background(), h, Options{Property: p})
		if want := guaranteed(h, asked); (got.Status == OK) != want || want != (len(asked) == 1) {
			t.Errorf("%s: %v; by definition %v", p, got.Status, want)
		}
	}
}
