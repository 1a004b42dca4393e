// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"pangolin/internal/test/level"
)

// stacked is what clients of a stack record, half of whose calls put one of so many values.
func stacked(r *rand.Rand, n, clients, values int) *History {
	h := &History{Kind: Stack, Values: NewValues()}
	for i := range clients {
		h.Clients = append(h.Clients, fmt.Sprint(i))
	}
	var items []Value
	open, effect := make([]int, clients), make([]bool, clients) // the call in progress plus one, and whether it has taken effect
	for busy, at := 0, int32(0); len(h.Calls) < n || busy > 0; {
		client := r.IntN(clients)
		switch {
		case open[client] == 0 && len(h.Calls) == n:
		case open[client] == 0:
			c := Call{Op: Take, Client: int32(client), Begin: at, Line: int32(len(h.Calls) + 1)}
			if r.IntN(2) == 0 {
				c.Op, c.A = Put, Value(1+r.IntN(values))
			}
			h.Calls = append(h.Calls, c)
			open[client], effect[client] = len(h.Calls), false
			busy++
			at++
		case !effect[client]:
			effect[client] = true
			c := &h.Calls[open[client]-1]
			switch {
			case c.Op == Put:
				items = append(items, c.A)
			case len(items) == 0:
				c.R = Nil
			default:
				c.R, items = items[len(items)-1], items[:len(items)-1]
			}
		default:
			h.Calls[open[client]-1].End = at
			open[client] = 0
			busy--
			at++
		}
	}
	return h
}

// Puts are guessed right in most histories of a few values, which no search decides: it would have to know which of two puts that overlap came first, long before that shows.
func TestUnstack_GuessesMostHistoriesOfFewValues(t *testing.T) {
	level.SkipShort(t, "seconds")
	for _, sh := range []struct{ calls, clients, values, least int }{ // least of ten
		{1000, 2, 10, 10}, {1000, 4, 10, 6}, {1000, 4, 100, 9}, {100, 20, 10, 8}, {1000, 20, 1000, 9}, {10_000, 4, 1000, 9},
	} {
		r, right := rand.New(rand.NewPCG(1, uint64(sh.clients))), 0
		for range 10 {
			h := stacked(r, sh.calls, sh.clients, sh.values)
			told := unstack(&job{ctx: context.Background(), h: h}, h.Calls)
			if told == nil {
				continue
			}
			if broken, ok := stackLayers(h, told); !ok || broken != nil {
				t.Errorf("%v: what is told has no order", sh)
			}
			value := map[Value]Value{}
			for i, c := range told {
				switch old := &h.Calls[i]; {
				case c.Op == Put:
					value[c.A] = old.A
				case (c.R == Nil) != (old.R == Nil):
					t.Fatalf("%v: a take of nothing is told as one of an item", sh)
				}
			}
			for i, c := range told {
				if c.Op == Take && c.R != Nil && value[c.R] != h.Calls[i].R {
					t.Fatalf("%v: a take of %d is told as one of %d", sh, h.Calls[i].R, value[c.R])
				}
			}
			right++
		}
		if t.Logf("%d calls, %d clients, %d values: %d of 10", sh.calls, sh.clients, sh.values, right); right < sh.least {
			t.Errorf("%v: %d of 10 are guessed", sh, right)
		}
	}
}
