// SPDX-License-Identifier: BSD-3-Clause

// Package gateway is the server between the commands that want results, by HTTP, and the queue.
//
// It holds in memory which runs want which results, and feeds the queue with those that are likely
// to take longest first. All of that may be lost at any moment: a command that asks a server which
// does not know its run is told so, and sends its orders again.
package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/shared"
)

// Gateway is a server.
type Gateway struct {
	Tool    string // of this program
	Lease   time.Duration
	Queue   *queue.Queue
	Bundles *Bundles
	// Dial opens a connection to the queue for a worker.
	Dial dialer
	// Enrol makes the queue take the public key of a worker.
	Enrol func(key string) error
	// Tokens are those of clients and workers; nil: whoever reaches the server may do all.
	Tokens *Tokens
	// People are further clients, if there are Tokens; nil: there are none.
	People *People
	// Shared is a store in which results are kept as well, and looked for; nil: there is none.
	Shared shared.Store
	// History has what commands were given, for people; nil: the page about the farm is the only one.
	History *History
	// Compare is the share of tasks that are done a second time, to compare the results.
	Compare float64
	// Log is called with what an administrator wants to know.
	Log func(string)

	mu       sync.Mutex
	workers  map[string]*worker
	lending  chan lent    // results for the shared store
	watching atomic.Int32 // pages that are sent events
	orders
	learned
}

// orders are what is wanted of a gateway.
type orders struct {
	runs    map[string]*run
	wants   map[string]*want
	waiting costliest     // wants that are not in the queue yet
	queued  int           // wants that are
	kick    chan struct{} // something may be fed
}

// learned is what a gateway has learned of its queue.
type learned struct {
	costs    map[string]float64   // seconds that the newest result took, by collection
	stored   int                  // results
	differ   []queue.Facts        // conflicts
	trouble  string               // why the queue takes no tasks at present
	admitted map[string]bool      // tools whose workers may take tasks
	moved    map[string]time.Time // when a worker of a tool has begun or ended a task last
	said     string               // what was logged last
	begun    time.Time
	ordered  int // wants that there have been
}

// The limits of what a gateway holds.
const (
	mostWants  = 100_000
	leastDepth = 64               // tasks in the queue, if there are few workers
	runLasts   = 60 * time.Second // a run that does not ask for so long is over
	sweeps     = 5 * time.Second
	forgotten  = 10 * time.Second // a task without news is looked for after so long
)

// worker is a worker that has shown itself.
type worker struct {
	queue.Presence
	seen time.Time
}

// run is a command that wants results.
type run struct {
	name   string // of who has begun it, if there are tokens
	memory string // farm.Answer.Memory
	wants  map[string]*want
	ready  map[string]farm.Result     // results that the command does not have yet
	given  map[string]bool            // keys of those that it has
	origin map[string]json.RawMessage // of orders whose results are for the history, by key
	seen   time.Time
	wake   chan struct{} // closed when there is something new
}

// want is a task that somebody wants done.
type want struct {
	queue.Ticket
	cost    float64 // seconds that it is likely to take
	came    float64 // seconds after the server's start, in steps of ten
	number  int     // in the order in which they came
	runs    map[*run]bool
	added   time.Time // to the queue; zero: it waits here
	doubled bool      // it is being done a second time because it takes long
	place   int       // in the heap
}

// Start makes the gateway work until the context ends.
func (g *Gateway) Start(ctx context.Context) error {
	g.runs, g.wants, g.workers, g.costs = map[string]*run{}, map[string]*want{}, map[string]*worker{}, map[string]float64{}
	g.begun = time.Now()
	g.admitted, g.moved, g.kick = map[string]bool{}, map[string]time.Time{}, make(chan struct{}, 1)
	if err := g.admit(ctx, g.Tool); err != nil { // what is written of leases may be damaged
		if failed := g.Queue.Renew(ctx); failed != nil {
			return errors.Join(err, failed)
		}
		if err := g.admit(ctx, g.Tool); err != nil {
			return err
		}
	}
	if err := g.Queue.Tidy(ctx); err != nil {
		g.Log("tasks that were done may be done again: " + err.Error())
	}
	if err := g.Queue.OnNews(func(t *queue.Told) { g.told(ctx, t) }, g.present); err != nil {
		return err
	}
	if err := g.Queue.Follow(ctx, func(f queue.Facts) { g.result(ctx, f) }, g.conflict); err != nil {
		return err
	}
	if g.Shared != nil {
		g.lend(ctx)
	}
	go g.feed(ctx)
	if g.History != nil {
		g.History.come = make(chan struct{}, 1)
		go g.History.write(ctx)
	}
	go g.sweep(ctx)
	return nil
}

// complain logs something, unless that was said last.
func (g *Gateway) complain(text string) {
	g.mu.Lock()
	again := g.said == text
	g.said = text
	g.mu.Unlock()
	if !again {
		g.Log(text)
	}
}

// admit lets workers of a tool take tasks.
func (g *Gateway) admit(ctx context.Context, tool string) error {
	g.mu.Lock()
	known := g.admitted[tool]
	g.mu.Unlock()
	if known {
		return nil
	}
	if err := g.Queue.Admit(ctx, tool, g.Lease); err != nil {
		return err
	}
	g.mu.Lock()
	g.admitted[tool] = true
	g.mu.Unlock()
	return nil
}

// deliver gives a result to all runs that want it. The caller holds the mutex.
func (g *Gateway) deliver(w *want, r farm.Result) {
	r.Key = w.Key
	for one := range w.runs {
		g.History.note(one, &r)
		one.ready[w.Key] = r
		delete(one.wants, w.Key)
		one.notify()
	}
	g.drop(w)
}

// drop forgets a want. The caller holds the mutex.
func (g *Gateway) drop(w *want) {
	if g.wants[w.Key] != w {
		return
	}
	delete(g.wants, w.Key)
	if w.added.IsZero() {
		g.waiting.remove(w)
	} else {
		g.queued--
	}
	g.nudge()
}

// notify wakes who waits for the run.
func (r *run) notify() {
	close(r.wake)
	r.wake = make(chan struct{})
}

// nudge tells the feeder that there may be something to do.
func (g *Gateway) nudge() {
	select {
	case g.kick <- struct{}{}:
	default:
	}
}

// result is called with each result that is stored.
func (g *Gateway) result(ctx context.Context, f queue.Facts) {
	g.mu.Lock()
	g.costs[f.Name], g.stored = f.Seconds, g.stored+1
	w := g.wants[f.Key]
	g.mu.Unlock()
	if w == nil {
		return
	}
	if !g.fetch(ctx, w) {
		return // the sweep looks again
	}
	if w.doubled {
		_ = g.Queue.Remove(ctx, &w.Ticket) // else it is done to the end, for nothing
	}
	g.again(ctx, w, f.Worker)
}

// fetch delivers the stored result of a want, if there is one.
func (g *Gateway) fetch(ctx context.Context, w *want) bool {
	sealed, facts, err := g.Queue.Result(ctx, w.Key)
	if err != nil {
		return false
	}
	differs, err := g.Queue.Differs(ctx, w.Key) // a server that was just started has not been told of all conflicts
	if err != nil {
		return false
	}
	r := farm.Result{Sealed: sealed, Worker: facts.Worker}
	if differs {
		r = farm.Result{Conflict: true}
	} else {
		g.offer(lent{facts, sealed})
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.deliver(w, r)
	return true
}

// conflict is called with each of two results that differ.
func (g *Gateway) conflict(f queue.Facts) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.differ = append(g.differ, f)
	g.Log("two different results of the same task: " + f.Name + ", key " + f.Key + ", by " + f.Worker)
	for _, one := range g.runs {
		if one.given[f.Key] || one.ready[f.Key].Key != "" {
			one.ready[f.Key] = farm.Result{Key: f.Key, Conflict: true}
			one.notify()
		}
	}
}

// told is called with what workers tell of tasks for which they have created no result.
func (g *Gateway) told(ctx context.Context, t *queue.Told) {
	g.mu.Lock()
	w := g.wants[t.Key]
	if w != nil && t.Again {
		w.Crashed, w.Unfit = t.Crashed, t.Unfit
		g.back(w)
		g.nudge()
	} else if w != nil && !t.Stored {
		g.deliver(w, farm.Result{Text: t.Text, Lost: t.Lost, GivenUp: t.GivenUp, Worker: t.Worker})
	}
	g.mu.Unlock()
	if w != nil && t.Stored {
		g.fetch(ctx, w)
	}
}

// present is called with what workers show of themselves.
func (g *Gateway) present(p *queue.Presence) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.workers[p.ID]
	if was == nil {
		g.nudge()
	}
	if was == nil || was.Done != p.Done || len(was.Busy) != len(p.Busy) {
		g.moved[p.Tool] = time.Now()
	}
	g.workers[p.ID] = &worker{*p, time.Now()}
	g.bury()
}

// bury forgets workers that have not shown themselves for some time. The caller holds the mutex.
func (g *Gateway) bury() {
	for id, w := range g.workers {
		if time.Since(w.seen) > 3*queue.Pulse+time.Second {
			delete(g.workers, id)
		}
	}
}
