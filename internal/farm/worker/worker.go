// SPDX-License-Identifier: BSD-3-Clause

// Package worker takes tasks from a farm's queue, has them done, and stores what came of them.
//
// Whatever happens to a worker, no result is lost: its tasks go to others when it has been silent
// for the time of a lease. A task that has ended several workers is given up, with a word to who
// wants it.
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
)

// Worker is one worker, with some slots.
type Worker struct {
	ID, Host string
	Tool     string // of its program
	Slots    int    // tasks at a time
	Run      farm.Runner
	Fetch    func(ctx context.Context, digest string) ([]byte, error) // gives a bundle, or farm.ErrNoBundle
	Queue    *queue.Queue
	Log      func(string)
	// Patience is how long a task may make no progress.
	Patience time.Duration

	mu   sync.Mutex
	busy map[*doing]bool
	done int
	last struct { // the bundle that was fetched last: most tasks have that of the one before
		digest string
		text   []byte
	}
}

// doing is a task that is being done.
type doing struct {
	lease  *queue.Lease
	begun  time.Time
	stop   context.CancelCauseFunc
	mu     sync.Mutex
	states uint64
	moved  time.Time // when states changed last
}

// A task is given up when so many processes that did it have crashed, or when it was given to so many workers that were not heard of
// again, or whose machine could not do it: most of those were ended by something else, such as the end of a lease of a machine.
const (
	mostCrashed = 3
	mostSilent  = 10
	mostUnfit   = 10
)

// recovers is how long a slot takes no task whose machine could not do one, such as for a full disk: else it would take, and spoil, most
// of those in the queue.
const recovers = 5 * time.Second

// Reasons for which a task is stopped.
var (
	errUnwanted = errors.New("nobody wants the result any more")
	errStuck    = errors.New("the task makes no progress")
)

// Work takes tasks until the context ends. Then the tasks that are being done are given back.
func (w *Worker) Work(ctx context.Context) error {
	w.busy = map[*doing]bool{}
	if err := w.Queue.OnCancel(w.cancel); err != nil {
		return err
	}
	var slots sync.WaitGroup
	for range w.Slots {
		slots.Go(func() { w.slot(ctx) })
	}
	for ctx.Err() == nil {
		_ = w.Queue.Show(w.presence()) // while the connection is down nobody sees it
		pause(ctx, queue.Pulse)
	}
	slots.Wait()
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// slot does one task after the other.
func (w *Worker) slot(ctx context.Context) {
	var source *queue.Source
	for ctx.Err() == nil {
		if source == nil {
			s, err := w.Queue.Source(ctx, w.Tool)
			if err != nil {
				pause(ctx, 500*time.Millisecond)
				continue
			}
			source = s
		}
		l, err := source.Take(4 * time.Second)
		if err != nil {
			source = nil // the server was away; its streams may be new
			pause(ctx, 100*time.Millisecond)
			continue
		}
		if l != nil {
			w.do(ctx, l, source.Lease)
		}
	}
}

// do does one task.
func (w *Worker) do(ctx context.Context, l *queue.Lease, lease time.Duration) {
	if l.Avoid == w.ID {
		_ = l.Return(time.Second) // on failure the lease ends
		return
	}
	if l.Copy != queue.Second && l.Delivery > 1 {
		if _, _, err := w.Queue.Result(ctx, l.Key); err == nil { // who had it before has done it, and was not heard
			w.tell(&queue.Told{Key: l.Key, Stored: true})
			w.finish(ctx, l)
			return
		}
	}
	if l.Crashed >= mostCrashed || l.Delivery > mostSilent || l.Unfit >= mostUnfit {
		ended := l.Crashed + l.Delivery - 1 + l.Unfit
		if l.Copy == queue.First {
			w.Log(fmt.Sprintf("%s has ended %d workers and is given up", l.Name, ended))
			w.tell(&queue.Told{Key: l.Key, GivenUp: fmt.Sprintf("the task has ended %d workers", ended)})
		}
		w.finish(ctx, l)
		return
	}
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := &doing{lease: l, begun: time.Now(), stop: stop, moved: time.Now()}
	w.mu.Lock()
	w.busy[d] = true
	w.mu.Unlock()
	go w.prolong(working, d, lease)
	again, unfit := w.judge(working, d)
	w.mu.Lock()
	delete(w.busy, d)
	w.done++
	w.mu.Unlock()
	switch {
	case ctx.Err() != nil: // this worker ends, and the task is not to blame
		w.release(l)
	case errors.Is(context.Cause(working), errUnwanted):
		w.finish(ctx, l)
	case unfit:
		l.Unfit++
		w.release(l)
		pause(ctx, recovers)
	case again:
		l.Crashed++
		w.release(l)
	default:
		w.finish(ctx, l)
	}
}

// judge has a task done and stores what came of it. It reports whether somebody has to do it again, and whether that is because this
// machine could not.
func (w *Worker) judge(ctx context.Context, d *doing) (again, unfit bool) {
	l := d.lease
	if l.Key != farm.Key(l.Task, l.Bundle, w.Tool) {
		w.tell(&queue.Told{Key: l.Key, GivenUp: "its key is that of another task"})
		return false, false
	}
	bundle, err := w.bundle(ctx, l.Bundle)
	if errors.Is(err, farm.ErrNoBundle) {
		w.tell(&queue.Told{Key: l.Key, Lost: true})
		return false, false
	}
	if err != nil {
		return true, ctx.Err() == nil
	}
	out, err := w.Run(ctx, &farm.Job{Task: l.Task, Bundle: bundle, Fresh: l.Copy == queue.Second}, d.progress)
	if errors.Is(err, farm.ErrRefused) {
		w.Log(fmt.Sprintf("%s: %v", l.Name, err))
		text, _ := json.Marshal(map[string]string{"error": fmt.Sprintf("worker %s on %s: %v", w.ID, w.Host, err)}) // a task.Result
		w.tell(&queue.Told{Key: l.Key, Text: text})
		return false, false
	}
	if errors.Is(err, farm.ErrLimit) {
		w.tell(&queue.Told{Key: l.Key, GivenUp: err.Error()})
		return false, false
	}
	if err != nil {
		if ctx.Err() == nil || errors.Is(context.Cause(ctx), errStuck) {
			w.Log(fmt.Sprintf("%s: %v", l.Name, errors.Join(err, context.Cause(ctx))))
		}
		return true, ctx.Err() == nil && !errors.Is(err, farm.ErrCrashed)
	}
	if n, most := len(out.Text), w.Queue.Largest(); n > most {
		w.tell(&queue.Told{Key: l.Key, GivenUp: fmt.Sprintf("its result has %d kB; the farm takes %d", n/1000, most/1000)})
		return false, false
	}
	if !out.Lasting {
		w.tell(&queue.Told{Key: l.Key, Text: out.Text})
		return false, false
	}
	facts := &queue.Facts{Key: l.Key, Name: l.Name, Worker: w.ID, Seconds: time.Since(d.begun).Seconds()}
	for ctx.Err() == nil {
		stored, err := w.Queue.Store(ctx, facts, &cache.Entry{Text: out.Text, Same: out.Same})
		if err != nil {
			pause(ctx, 300*time.Millisecond) // the server is away
			continue
		}
		switch stored {
		case queue.Equal:
			w.tell(&queue.Told{Key: l.Key, Stored: true})
		case queue.NoRoom:
			w.tell(&queue.Told{Key: l.Key, Text: out.Text})
		case queue.Other:
			w.Log(fmt.Sprintf("%s: another worker has had a different result: both are kept, see the server's page", l.Name))
		}
		return false, false
	}
	return true, false
}

// bundle gives a bundle, and fetches it, as long as it takes to reach the server, unless it is the last one.
func (w *Worker) bundle(ctx context.Context, digest string) ([]byte, error) {
	w.mu.Lock()
	last := w.last
	w.mu.Unlock()
	if last.text != nil && last.digest == digest {
		return last.text, nil
	}
	for {
		text, err := w.Fetch(ctx, digest)
		if err == nil {
			w.mu.Lock()
			w.last.digest, w.last.text = digest, text
			w.mu.Unlock()
			return text, nil
		}
		if errors.Is(err, farm.ErrRefused) || errors.Is(err, farm.ErrNoBundle) || ctx.Err() != nil {
			return text, err
		}
		pause(ctx, 300*time.Millisecond)
	}
}

// finish removes a task from the queue. On failure somebody else gets it, and finds the result.
func (w *Worker) finish(ctx context.Context, l *queue.Lease) {
	for range 3 {
		bounded, stop := context.WithTimeout(ctx, 2*time.Second)
		err := l.Done(bounded)
		stop()
		if err == nil || ctx.Err() != nil {
			return
		}
	}
}

// release has a task put into the queue as a new one. If that fails, who wants it asks again.
func (w *Worker) release(l *queue.Lease) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	if l.Done(ctx) == nil {
		w.tell(&queue.Told{Key: l.Key, Again: true, Crashed: l.Crashed, Unfit: l.Unfit})
	}
}

func (w *Worker) tell(t *queue.Told) {
	t.Worker = w.ID
	if err := w.Queue.Tell(t); err != nil {
		w.Log(fmt.Sprintf("the server was not told what became of a task: %v", err)) // who wants it asks again
	}
}

// prolong keeps the lease while the task makes progress.
func (w *Worker) prolong(ctx context.Context, d *doing, lease time.Duration) {
	for {
		pause(ctx, lease/3)
		if ctx.Err() != nil {
			return
		}
		d.mu.Lock()
		silent := time.Since(d.moved)
		d.mu.Unlock()
		if silent > w.Patience {
			d.stop(errStuck)
			return
		}
		_ = d.lease.Extend() // on failure another worker does the task as well
	}
}

// progress notes how many states the searches have visited.
func (d *doing) progress(states uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if states != d.states {
		d.states, d.moved = states, time.Now()
	}
}

// cancel stops a task that nobody wants.
func (w *Worker) cancel(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for d := range w.busy {
		if d.lease.Key == key && d.lease.Copy != queue.Second {
			d.stop(errUnwanted)
		}
	}
}

// presence is what this worker shows of itself.
func (w *Worker) presence() *queue.Presence {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &queue.Presence{ID: w.ID, Host: w.Host, Tool: w.Tool, Slots: w.Slots, Done: w.done}
	for d := range w.busy {
		d.mu.Lock()
		p.Busy = append(p.Busy, queue.Doing{Key: d.lease.Key, Name: d.lease.Name, Copy: d.lease.Copy, States: d.states, Seconds: time.Since(d.begun).Seconds()})
		d.mu.Unlock()
	}
	return p
}
