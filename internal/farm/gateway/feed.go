// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"cmp"
	"container/heap"
	"context"
	"math/rand/v2"
	"time"

	"pangolin/internal/farm/queue"
)

// The queue gets a few tasks more than the workers can do at a time; the others wait here, those
// that are likely to take longest in front. So what comes late and takes long is not last. Who waits
// moves up by a second each second, so that nothing waits for as long as others bring longer tasks.

// costliest is a heap of wants.
type costliest []*want

func (c costliest) Len() int { return len(c) }
func (c costliest) Less(i, k int) bool { // tasks of one collection stay together: a process does several of the same sources
	return cmp.Or(cmp.Compare(c[k].cost-c[k].came, c[i].cost-c[i].came), cmp.Compare(c[i].Name, c[k].Name), cmp.Compare(c[i].number, c[k].number)) < 0
}
func (c costliest) Swap(i, k int) {
	c[i], c[k] = c[k], c[i]
	c[i].place, c[k].place = i, k
}
func (c *costliest) Push(x any) {
	w := x.(*want)
	w.place = len(*c)
	*c = append(*c, w)
}
func (c *costliest) Pop() any {
	last := len(*c) - 1
	w := (*c)[last]
	(*c)[last], *c = nil, (*c)[:last]
	return w
}

func (c *costliest) remove(w *want) { heap.Remove(c, w.place) }

// feed puts tasks into the queue.
func (g *Gateway) feed(ctx context.Context) {
	for ctx.Err() == nil {
		w, ticket := g.next()
		if w == nil {
			select {
			case <-g.kick:
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
			continue
		}
		err := g.Queue.Add(ctx, &ticket)
		g.fed(w, err)
		if err != nil {
			pause(ctx, 200*time.Millisecond)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// next takes the want that is put into the queue now; nil: none is.
func (g *Gateway) next() (*want, queue.Ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	depth := leastDepth
	for _, w := range g.workers {
		depth += 2 * w.Slots
	}
	if len(g.waiting) == 0 || g.queued >= depth {
		return nil, queue.Ticket{}
	}
	w := heap.Pop(&g.waiting).(*want)
	w.added = time.Now()
	g.queued++
	return w, w.Ticket
}

// fed notes what became of a want that was put into the queue.
func (g *Gateway) fed(w *want, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.trouble
	if g.trouble = ""; err != nil {
		g.trouble = "the queue takes no tasks: " + err.Error()
		g.back(w)
	}
	if g.trouble != was && err != nil {
		g.Log(g.trouble)
	}
}

// back lets a want wait here again. The caller holds the mutex.
func (g *Gateway) back(w *want) {
	if g.wants[w.Key] == w && !w.added.IsZero() {
		g.queued--
		w.added, w.doubled = time.Time{}, false
		heap.Push(&g.waiting, w)
	}
}

// sweep looks for tasks of which nothing was heard, for runs that are over, and for tasks that take long.
func (g *Gateway) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, sweeps)
		for _, w := range g.silent() {
			if g.fetch(ctx, w) {
				continue
			}
			if g.stuck(w) {
				g.renew(ctx)
				break
			}
			if there, err := g.Queue.Waits(ctx, &w.Ticket); err == nil && !there {
				g.mu.Lock()
				g.back(w)
				g.mu.Unlock()
				g.nudge()
			}
		}
		g.expire(ctx)
		for _, t := range g.stragglers() {
			if err := g.Queue.Add(ctx, t); err != nil {
				break
			}
		}
	}
}

// stuck says that a task is in the queue, and no worker is given it, or any other, although some are free: what the queue has written down
// of leases is damaged. (Between two tasks each worker is free.)
func (g *Gateway) stuck(w *want) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	since := w.added
	if moved := g.moved[w.Tool]; moved.After(since) {
		since = moved
	}
	return !w.added.IsZero() && time.Since(since) > forgotten+2*g.Lease && g.free("", w.Tool) > 0
}

// renew makes the queue anew. Tasks that are being done may be done twice.
func (g *Gateway) renew(ctx context.Context) {
	g.complain("the queue does not give tasks to free workers, and is made anew")
	if err := g.Queue.Renew(ctx); err != nil {
		g.complain("the queue cannot be made anew: " + err.Error())
		return
	}
	g.mu.Lock()
	tools := g.admitted
	g.admitted = map[string]bool{}
	g.mu.Unlock()
	for tool := range tools {
		if err := g.admit(ctx, tool); err != nil {
			g.complain(err.Error())
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.moved = map[string]time.Time{}
	for _, w := range g.wants {
		g.back(w)
	}
	g.nudge()
}

// silent lists wants that are in the queue, or should be, and that no worker says it is doing.
func (g *Gateway) silent() (list []*want) {
	g.mu.Lock()
	defer g.mu.Unlock()
	doing := map[string]bool{}
	for _, w := range g.workers {
		for _, d := range w.Busy {
			doing[d.Key] = true
		}
	}
	for _, w := range g.wants {
		if !w.added.IsZero() && time.Since(w.added) > forgotten && !doing[w.Key] {
			list = append(list, w)
		}
	}
	return list
}

// expire ends runs that have not asked for long.
func (g *Gateway) expire(ctx context.Context) {
	g.mu.Lock()
	g.bury()
	var old []string
	for id, r := range g.runs {
		if time.Since(r.seen) > runLasts {
			old = append(old, id)
		}
	}
	g.mu.Unlock()
	for _, id := range old {
		g.leave(ctx, id)
	}
}

// leave ends a run. Tasks that nobody else wants are taken out of the queue.
func (g *Gateway) leave(ctx context.Context, id string) {
	g.mu.Lock()
	r := g.runs[id]
	if r == nil {
		g.mu.Unlock()
		return
	}
	delete(g.runs, id)
	var gone []*want
	for _, w := range r.wants {
		gone = append(gone, g.forsake(r, w)...)
	}
	g.mu.Unlock()
	g.remove(ctx, gone)
}

// forsake notes that a run does not want a result any more, and gives the task if it is to be taken out of the queue. The caller holds the mutex.
func (g *Gateway) forsake(r *run, w *want) (gone []*want) {
	if delete(w.runs, r); len(w.runs) > 0 {
		return nil
	}
	if !w.added.IsZero() {
		gone = []*want{w}
	}
	g.drop(w)
	return gone
}

// remove takes tasks out of the queue that nobody wants.
func (g *Gateway) remove(ctx context.Context, gone []*want) {
	for _, w := range gone {
		if err := g.Queue.Remove(ctx, &w.Ticket); err != nil {
			g.Log("a task that nobody wants stays in the queue: " + err.Error())
		}
	}
}

// stragglers lists second copies of tasks that take longer than a lease, while a worker is free. Before, nobody would notice if their worker were gone,
// and most tasks that take long do so on each machine.
func (g *Gateway) stragglers() (list []*queue.Ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) > 0 {
		return nil
	}
	for id, w := range g.workers {
		for _, d := range w.Busy {
			if want := g.wants[d.Key]; want != nil && d.Copy == queue.First && d.Seconds > g.Lease.Seconds() && !want.doubled && g.free(id, want.Tool) > len(list) {
				want.doubled = true
				second := want.Ticket
				second.Copy, second.Avoid = queue.Straggler, id
				list = append(list, &second)
			}
		}
	}
	return list
}

// free is how many more tasks the other workers of a tool can do at present. The caller holds the mutex.
func (g *Gateway) free(not, tool string) (n int) {
	for id, w := range g.workers {
		if id != not && w.Tool == tool {
			n += w.Slots - len(w.Busy)
		}
	}
	return n
}

// again has a task done a second time by another worker, now and then, to compare the results.
func (g *Gateway) again(ctx context.Context, w *want, by string) {
	if rand.Float64() >= g.Compare {
		return
	}
	g.mu.Lock()
	others := false
	for id, one := range g.workers {
		others = others || id != by && one.Tool == w.Tool
	}
	g.mu.Unlock()
	if !others {
		by = ""
	}
	second := w.Ticket
	second.Copy, second.Avoid = queue.Second, by
	if err := g.Queue.Add(ctx, &second); err != nil {
		g.Log("a task is not done a second time: " + err.Error())
	}
}
