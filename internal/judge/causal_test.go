// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"math/rand/v2"
	"testing"

	"pangolin/internal/test/level"
)

// Causal consistency against its definition: every strict partial order of the calls, and for each read every order of what is before it.

// partialOrders lists the strict partial orders of n things; bit i*n+k says that i is before k.
func partialOrders(n int) (all []uint32) {
	var pairs []int
	for i := range n * n {
		if i/n != i%n {
			pairs = append(pairs, i)
		}
	}
	for set := range 1 << len(pairs) {
		r := uint32(0)
		for i, p := range pairs {
			if set>>i&1 == 1 {
				r |= 1 << p
			}
		}
		ok := true
		for a := range n {
			for b := range n {
				for c := range n {
					ok = ok && (r>>(a*n+b)&1 == 0 || r>>(b*n+c)&1 == 0 || a != c && r>>(a*n+c)&1 == 1)
				}
			}
		}
		if ok {
			all = append(all, r)
		}
	}
	return all
}

// causalByDefinition tries the orders. A call that did not return is before none of its client's, and may be left out of what is before a read.
func causalByDefinition(h *History, orders []uint32) bool {
	n := len(h.Calls)
	own := uint32(0)
	for i := range n {
		for k := range n {
			a, b := &h.Calls[i], &h.Calls[k]
			if i < k && a.Client == b.Client && !a.Pending() {
				own |= 1 << (i*n + k)
			}
		}
	}
	for _, r := range orders {
		if r&own != own {
			continue
		}
		all := true
		for o := range n {
			if c := &h.Calls[o]; c.Op == Read && !c.Unknown && !c.Pending() {
				all = all && explains(h, r, o, 0, h.Initial)
			}
		}
		if all {
			return true
		}
	}
	return false
}

// explains reports whether the calls before read o can be put in an order, behind those that are placed, so that it returns what it did.
func explains(h *History, r uint32, o int, placed uint32, value Value) bool {
	n := len(h.Calls)
	done := true
	for i := range n {
		if i == o || r>>(i*n+o)&1 == 0 || placed>>i&1 == 1 {
			continue
		}
		done = false
		free := true
		for k := range n {
			free = free && (r>>(k*n+i)&1 == 0 || placed>>k&1 == 1)
		}
		if !free {
			continue
		}
		next := value
		if c := &h.Calls[i]; c.Op == Write && c.Key == h.Calls[o].Key {
			next = c.A
		}
		if explains(h, r, o, placed|1<<i, next) {
			return true
		}
	}
	return done && value == h.Calls[o].R
}

func TestJudge_CausalConsistencyAgreesWithTheDefinition(t *testing.T) {
	histories, most := 20_000, 4
	if level.Short() {
		histories = 2000
	}
	if level.More() {
		histories, most = 100_000, 5
	}
	orders := make([][]uint32, most+1)
	for n := range orders {
		orders[n] = partialOrders(n)
	}
	r := rand.New(rand.NewPCG(3, 4))
	violated := 0
	for range histories {
		h := &History{Kind: Map, Initial: 0, Values: NewValues(), Clients: []string{"a", "b", "c"}}
		n, fresh := 1+r.IntN(most), Value(0)
		for i := range n {
			c := Call{Op: Read, Key: Value(r.IntN(2)), Client: int32(r.IntN(3)), Begin: int32(2 * i), End: int32(2*i + 1)}
			if r.IntN(2) == 0 {
				fresh++
				c.Op, c.A = Write, fresh
				if r.IntN(6) == 0 {
					c.End = Never
				}
			}
			h.Calls = append(h.Calls, c)
		}
		for i := range h.Calls {
			if c := &h.Calls[i]; c.Op == Read && fresh > 0 && r.IntN(5) > 0 {
				w := &h.Calls[r.IntN(n)]
				if c.R = w.A; w.Op == Write && r.IntN(8) > 0 {
					c.Key = w.Key
				}
			}
		}
		want := causalByDefinition(h, orders[n])
		got := Judge(context.Background(), h, Options{Property: Causal})
		if (got.Status == OK) != want || got.Status == Unknown {
			t.Fatalf("%v; by definition %v\n%s", got.Status, want, h.lines())
		}
		if !want {
			violated++
			part := *h
			part.Calls = got.Witness
			if causalByDefinition(&part, orders[len(part.Calls)]) {
				t.Fatalf("the witness is causally consistent\n%s\nof\n%s", part.lines(), h.lines())
			}
		}
	}
	t.Logf("%d of %d violated", violated, histories)
}
