// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"pangolin/internal/test/level"
)

// lined is what clients of a stack or a queue record, of whose calls so many of a hundred put one of so many values.
func lined(r *rand.Rand, kind Kind, n, clients, values, puts int) *History {
	h := &History{Kind: kind, Values: NewValues()}
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
			if r.IntN(100) < puts {
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
			case kind == Queue:
				c.R, items = items[0], items[1:]
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
func TestGuesses_AreRightForMostHistoriesOfFewValues(t *testing.T) {
	level.SkipShort(t, "seconds")
	for _, sh := range []struct {
		kind                                Kind
		calls, clients, values, puts, least int // least of ten
	}{
		{Stack, 1000, 2, 10, 50, 10}, {Stack, 1000, 4, 10, 50, 6}, {Stack, 1000, 4, 100, 50, 9}, {Stack, 100, 20, 10, 50, 8}, {Stack, 1000, 20, 1000, 50, 9}, {Stack, 10_000, 4, 1000, 50, 9},
		{Queue, 1000, 4, 2, 60, 9}, {Queue, 1000, 20, 10, 60, 9}, {Queue, 1000, 20, 10, 50, 5}, {Queue, 10_000, 4, 10, 60, 9}, {Queue, 10_000, 20, 10, 60, 7},
	} {
		r, right := rand.New(rand.NewPCG(1, uint64(sh.clients))), 0
		for range 10 {
			h := lined(r, sh.kind, sh.calls, sh.clients, sh.values, sh.puts)
			if told := guessed(t, h); told != nil {
				right++
				sameValues(t, h, told)
			}
		}
		if t.Logf("%v, %d calls, %d clients, %d values: %d of 10", sh.kind, sh.calls, sh.clients, sh.values, right); right < sh.least {
			t.Errorf("%v: %d of 10 are guessed", sh, right)
		}
	}
}

// guessed is the first guess that has an order.
func guessed(t *testing.T, h *History) []Call {
	t.Helper()
	g, ok := group(h.Calls)
	if !ok {
		t.Fatal("there is a take of which it is not known what it took")
	}
	for _, guess := range guesses[h.Kind] {
		if told := guess(&job{ctx: context.Background(), h: h}, g, h.Calls); told != nil {
			if broken, ok := distinct[h.Kind](h, told); ok && broken == nil {
				return told
			}
		}
	}
	return nil
}

// sameValues fails if a guess gives a take a put of another value.
func sameValues(t *testing.T, h *History, told []Call) {
	t.Helper()
	value := map[Value]Value{}
	for i, c := range told {
		if c.Op == Put {
			value[c.A] = h.Calls[i].A
		}
	}
	for i, c := range told {
		old := &h.Calls[i]
		if c.Op == Take && ((c.R == Nil) != (old.R == Nil) || c.R != Nil && value[c.R] != old.R) {
			t.Fatalf("a take of %d is told as one of %d", old.R, value[c.R])
		}
	}
}

// Histories that are longer than those of the comparison with the definition, half of them with the results of two takes exchanged.
func TestGuesses_AgreeWithTheSearch(t *testing.T) {
	n := 500
	if level.Short() {
		n = 50
	} else if level.More() {
		n = 20_000
	}
	for _, kind := range []Kind{Stack, Queue, PQueue} {
		r, guessed, violated := rand.New(rand.NewPCG(1, 9)), 0, 0
		for i := range n {
			of := kind
			if kind == PQueue { // all of one priority: any item is right, as it is of a queue
				of = Queue
			}
			h := lined(r, of, 10+r.IntN(30), 2+r.IntN(3), 2+r.IntN(4), 45+r.IntN(15))
			h.Kind = kind
			if i%2 == 0 {
				var takes []*Call
				for k := range h.Calls {
					if c := &h.Calls[k]; c.Op == Take {
						takes = append(takes, c)
					}
				}
				if len(takes) > 1 {
					a, b := takes[r.IntN(len(takes))], takes[r.IntN(len(takes))]
					a.R, b.R = b.R, a.R
				}
			}
			got := Judge(context.Background(), h, Options{NoWitness: true})
			want := Judge(context.Background(), h, Options{NoWitness: true, SearchOnly: true})
			if got.Status != want.Status {
				t.Fatalf("%v %v, the search says %v\n%s", kind, got.Status, want.Status, h.lines())
			}
			if got.Way != want.Way {
				guessed++
			}
			if want.Status == Violated {
				violated++
			}
		}
		if t.Logf("%v: %d of %d by guesses or a part, %d violated", kind, guessed, n, violated); guessed < n/10 || violated < n/20 {
			t.Errorf("%v: histories of one sort are missing", kind)
		}
	}
}
