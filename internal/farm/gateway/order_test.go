// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pangolin/internal/farm/queue"
)

// waiting is a gateway with wants of some costs that are not in the queue yet.
func waiting(costs []float64) *Gateway {
	g := &Gateway{Lease: 30 * time.Second, workers: map[string]*worker{}, orders: orders{wants: map[string]*want{}, kick: make(chan struct{}, 1)}}
	for i, cost := range costs {
		w := &want{Ticket: queue.Ticket{Key: fmt.Sprint(i), Tool: "t"}, cost: cost, runs: map[*run]bool{}}
		g.wants[w.Key] = w
		heap.Push(&g.waiting, w)
	}
	return g
}

// The queue is given what is likely to take longest, and no more than the workers can do at a time and a few; the others follow as those are done.
func TestGateway_FeedsTheLongestFirstAndNoMoreThanIsNeeded(t *testing.T) {
	var costs []float64
	for range 500 {
		costs = append(costs, float64(rand.IntN(200)))
	}
	g := waiting(costs)
	g.workers["w"] = &worker{queue.Presence{ID: "w", Tool: "t", Slots: 10}, time.Now()}
	const room = leastDepth + 2*10
	last, fed := 1e18, []*want{}
	feed := func() int {
		n := 0
		for w, _ := g.next(); w != nil; w, _ = g.next() {
			if w.cost > last {
				t.Fatalf("a task of %v s behind one of %v s", w.cost, last)
			}
			last, n, fed = w.cost, n+1, append(fed, w)
		}
		return n
	}
	if n := feed(); n != room {
		t.Fatalf("%d tasks are put into the queue; want %d", n, room)
	}
	for len(g.wants) > 0 {
		done := min(7, len(fed))
		for _, w := range fed[:done] {
			g.drop(w)
		}
		fed = fed[done:]
		rest := len(g.waiting)
		if n := feed(); n != min(done, rest) {
			t.Fatalf("%d tasks follow %d that were done, and %d wait", n, done, rest)
		}
		if g.queued != len(fed) {
			t.Fatalf("%d tasks count as queued, %d are", g.queued, len(fed))
		}
	}
}

// Of tasks that cost the same those of one collection come together; a short one that has waited is not behind all the longer ones that come later.
func TestGateway_FeedsCollectionsTogetherAndForgetsNobody(t *testing.T) {
	g := waiting([]float64{5, 5, 5, 5, 0.1, 60, 30, 40})
	for key, name := range map[string]string{"0": "b", "1": "a", "2": "b", "3": "a"} {
		g.wants[key].Name = name
	}
	g.wants["5"].came, g.wants["6"].came, g.wants["7"].came = 10, 40, 40
	for i := range 8 {
		g.wants[fmt.Sprint(i)].number = i
	}
	heap.Init(&g.waiting)
	var fed []string
	for w, _ := g.next(); w != nil; w, _ = g.next() {
		fed = append(fed, w.Key)
	}
	if got := strings.Join(fed, " "); got != "5 1 3 0 2 4 7 6" {
		t.Errorf("%s", got)
	}
}

// Where nothing waits, a free worker does a task a second time that takes long: once, not for a machine that does it already, not of another version, and for
// no more tasks than there are free slots.
func TestGateway_DoublesStragglersAtTheTail(t *testing.T) {
	busy := func(list ...string) (out []queue.Doing) {
		for _, key := range list {
			out = append(out, queue.Doing{Key: key, Seconds: 31})
		}
		return out
	}
	make := func() *Gateway {
		g := waiting([]float64{1, 2, 3})
		for w, _ := g.next(); w != nil; w, _ = g.next() {
		}
		g.workers["slow"] = &worker{queue.Presence{ID: "slow", Tool: "t", Slots: 3, Busy: busy("0", "1", "2")}, time.Now()}
		return g
	}
	free := func(tool string, slots int) *worker {
		return &worker{queue.Presence{ID: "free", Tool: tool, Slots: slots}, time.Now()}
	}
	for _, c := range []struct {
		name   string
		change func(*Gateway)
		want   int
	}{
		{"nobody is free", func(*Gateway) {}, 0},
		{"one slot is free", func(g *Gateway) { g.workers["free"] = free("t", 1) }, 1},
		{"five are free", func(g *Gateway) { g.workers["free"] = free("t", 5) }, 3},
		{"free ones are of another version", func(g *Gateway) { g.workers["free"] = free("other", 5) }, 0},
		{"the slow one is free itself", func(g *Gateway) { g.workers["slow"].Slots = 9 }, 0},
		{"tasks wait", func(g *Gateway) {
			g.workers["free"] = free("t", 5)
			heap.Push(&g.waiting, &want{Ticket: queue.Ticket{Key: "9"}})
		}, 0},
		{"they have just begun", func(g *Gateway) {
			g.workers["free"] = free("t", 5)
			for i := range g.workers["slow"].Busy {
				g.workers["slow"].Busy[i].Seconds = 29
			}
		}, 0},
		{"they are second copies", func(g *Gateway) {
			g.workers["free"] = free("t", 5)
			for i := range g.workers["slow"].Busy {
				g.workers["slow"].Busy[i].Copy = queue.Second
			}
		}, 0},
	} {
		g := make()
		c.change(g)
		list := g.stragglers()
		for _, ticket := range list {
			if ticket.Copy != queue.Straggler || ticket.Avoid != "slow" {
				t.Errorf("%s: %+v", c.name, ticket)
			}
		}
		if len(list) != c.want {
			t.Errorf("%s: %d tasks are doubled; want %d", c.name, len(list), c.want)
		}
		if again := g.stragglers(); len(again) > 0 && c.want == 3 {
			t.Errorf("%s: %d tasks are doubled twice", c.name, len(again))
		}
	}
}
