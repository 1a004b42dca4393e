// SPDX-License-Identifier: BSD-3-Clause

// Package client has tasks done by a farm.
//
// It holds the list of what is wanted. Results are asked for until they are there: a server that was
// restarted, or that has lost everything, is sent the orders again.
package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/task"
)

// Client is a connection to a farm.
type Client struct {
	Server *farm.Server
	Tool   string       // of this program (cache.Shared)
	Dir    string       // where the go command finds the packages of tasks
	Note   func(string) // is called with remarks, from any goroutine

	packing chan struct{} // has room for as many bundles as are made at the same time
	run     string
	largest int // task that the farm takes, in bytes
	stop    context.CancelFunc
	over    sync.WaitGroup

	mu      sync.Mutex
	pending map[string]*pending
	memory  string // farm.Answer.Memory of the last answer
	unsent  []*pending
	have    []string // results that have arrived, which the server does not know yet
	drop    []string // orders that are not wanted any more, likewise
	bundles map[string]*packed
	failed  error         // all orders fail with it
	kick    chan struct{} // there are unsent orders
	told    map[string]bool
	alone   time.Time // since when no worker of this version was seen; zero: one is there
}

// pending is an order without a result.
type pending struct {
	farm.Order
	key      string
	bundle   []byte
	progress []func(states uint64)
	wanted   int           // by so many callers
	done     chan struct{} // closed when there is an outcome, or an error
	outcome  Outcome
	err      error
}

// Outcome is what became of an order.
type Outcome struct {
	Text    []byte // a task.Result as JSON
	Lasting bool   // it is stored
	GivenUp string // why nobody can do the order; there is no text
	Worker  string // by which it was done
}

// packed is the bundle of a package, made once.
type packed struct {
	once   sync.Once
	text   []byte
	digest string
	err    error
}

// The client's patience.
const (
	mostAtOnce  = 100              // orders in a request
	mostBytes   = 4 << 20          // of orders in a request
	unreachable = 10 * time.Minute // how long a server may be away
	noWorker    = 10 * time.Second // how long workers of another version only may be there
)

// Open begins to use a farm. Close ends that.
func (c *Client) Open(ctx context.Context) error {
	info, err := c.Server.Info(ctx)
	if err != nil {
		return err
	}
	c.run, c.pending, c.bundles, c.told = rand.Text(), map[string]*pending{}, map[string]*packed{}, map[string]bool{}
	c.kick, c.packing = make(chan struct{}, 1), make(chan struct{}, runtime.NumCPU())
	c.largest = info.Largest
	c.look(info)
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	c.over.Go(func() { c.send(working) })
	c.over.Go(func() { c.receive(working) })
	return nil
}

// Close ends the client. Tasks that are still wanted are withdrawn.
func (c *Client) Close() {
	c.stop()
	c.over.Wait()
	c.mu.Lock()
	rest := len(c.pending)
	c.mu.Unlock()
	bounded, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	if err := c.Server.Leave(bounded, c.run); err != nil && rest > 0 {
		c.Note("the farm was not told that nobody waits any more: it finds out within a minute")
	}
}

// Do is a task.Elsewhere.
func (c *Client) Do(ctx context.Context, a *task.Away) (task.Sent, error) {
	t := a.Task
	text, err := json.Marshal(t)
	if err != nil {
		return task.Sent{}, err
	}
	b, err := c.bundled(ctx, t)
	if err != nil {
		return task.Sent{}, err
	}
	if len(text) > c.largest || len(b.text) > farm.LargestBundle {
		return task.Sent{}, fmt.Errorf("%w: it has %d kB, and its sources %d kB", task.ErrOnlyHere, len(text)/1000, len(b.text)/1000)
	}
	o := &farm.Order{Name: t.Package + "." + t.Wishes.Type, Task: text, Bundle: b.digest}
	if a.Origin != nil {
		if o.Origin, err = json.Marshal(a.Origin); err != nil {
			return task.Sent{}, err
		}
	}
	out, err := c.Send(ctx, o, b.text, a.Progress)
	if err == nil && out.GivenUp != "" {
		text, err := t.GivenUp(out.GivenUp)
		return task.Sent{Text: text}, err
	}
	if out.Worker == "" {
		out.Worker = "without a name"
	}
	return task.Sent{Text: out.Text, Lasting: out.Lasting, By: out.Worker}, err
}

// Send has an order done whose bundle has a text.
func (c *Client) Send(ctx context.Context, o *farm.Order, bundle []byte, progress func(states uint64)) (Outcome, error) {
	p, err := c.enlist(&pending{Order: *o, key: farm.Key(o.Task, o.Bundle, c.Tool), bundle: bundle, done: make(chan struct{})}, progress)
	if err != nil {
		return Outcome{}, err
	}
	select {
	case <-ctx.Done():
		c.forsake(p)
		return Outcome{}, ctx.Err()
	case <-p.done:
		return p.outcome, p.err
	}
}

// forsake withdraws an order that a caller does not want any more, if no other caller wants it.
func (c *Client) forsake(p *pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.wanted--; p.wanted == 0 && c.pending[p.key] == p {
		delete(c.pending, p.key)
		c.drop = append(c.drop, p.key)
		c.wake()
	}
}

// bundled gives the bundle of a task's package.
func (c *Client) bundled(ctx context.Context, t *task.Task) (*packed, error) {
	about := fmt.Sprintf("%+v %+v", t.Place, t.Wishes.Oracle)
	c.mu.Lock()
	b := c.bundles[about]
	if b == nil {
		b = &packed{}
		c.bundles[about] = b
	}
	c.mu.Unlock()
	b.once.Do(func() {
		c.packing <- struct{}{}
		defer func() { <-c.packing }()
		b.err = b.pack(ctx, c.Dir, t)
	})
	return b, b.err
}

func (b *packed) pack(ctx context.Context, dir string, t *task.Task) error {
	made, err := bundle.Make(ctx, dir, t)
	if refused := (*bundle.Refused)(nil); errors.As(err, &refused) {
		return fmt.Errorf("%w: %w", task.ErrOnlyHere, refused.Why)
	}
	if err != nil {
		return err
	}
	b.text = made.Encode()
	b.digest = farm.Digest(b.text)
	return nil
}

// enlist adds an order, unless there is an equal one.
func (c *Client) enlist(p *pending, progress func(states uint64)) (*pending, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return nil, c.failed
	}
	if other := c.pending[p.key]; other != nil {
		p = other
	} else {
		c.pending[p.key] = p
		c.unsent = append(c.unsent, p)
		c.wake()
	}
	p.progress = append(p.progress, progress)
	p.wanted++
	return p, nil
}

func (c *Client) wake() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// send sends orders, and the bundles that the server has not.
func (c *Client) send(ctx context.Context) {
	for ctx.Err() == nil {
		batch, drop := c.batch()
		if len(batch)+len(drop) == 0 {
			select {
			case <-ctx.Done():
			case <-c.kick:
				pause(ctx, 5*time.Millisecond) // others may follow at once
			}
			continue
		}
		a := &farm.Ask{Tool: c.Tool, Drop: drop}
		for _, p := range batch {
			a.Orders = append(a.Orders, p.Order)
		}
		answer, err := c.Server.Ask(ctx, c.run, a)
		if err != nil {
			c.again(batch)
			if errors.Is(err, farm.ErrRefused) {
				c.fail(err)
			}
			pause(ctx, 300*time.Millisecond) // receive tells the user
			continue
		}
		c.take(answer)
		c.again(batch[min(answer.Accepted, len(batch)):])
		if answer.Accepted < len(batch) {
			pause(ctx, time.Second)
		}
		if len(answer.Missing) > 0 {
			c.upload(ctx, batch, answer.Missing)
		}
	}
}

// batch takes orders that are to be sent, and those that are not wanted any more. A withdrawal that does not arrive costs the farm a task.
func (c *Client) batch() (list []*pending, drop []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range c.drop {
		if c.pending[key] == nil { // else it is wanted again
			drop = append(drop, key)
		}
	}
	c.drop = nil
	size := 0
	for len(c.unsent) > 0 && len(list) < mostAtOnce && size < mostBytes {
		p := c.unsent[0]
		c.unsent = c.unsent[1:]
		if c.pending[p.key] == p {
			list, size = append(list, p), size+len(p.Task)
		}
	}
	return list, drop
}

// again lets orders be sent again.
func (c *Client) again(list []*pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range list {
		if c.pending[p.key] == p && !slices.Contains(c.unsent, p) {
			c.unsent = append(c.unsent, p)
		}
	}
	if len(c.unsent) > 0 {
		c.wake()
	}
}

// upload sends bundles, and lets the orders that need them be sent again.
func (c *Client) upload(ctx context.Context, batch []*pending, missing []string) {
	for _, digest := range missing {
		for _, p := range batch {
			if p.Bundle != digest {
				continue
			}
			err := c.Server.PutBundle(ctx, p.bundle)
			if errors.Is(err, farm.ErrRefused) {
				c.fail(err)
			} else if err != nil && ctx.Err() == nil {
				c.remark(err.Error())
				pause(ctx, time.Second)
			}
			break
		}
	}
	var list []*pending
	for _, p := range batch {
		if slices.Contains(missing, p.Bundle) {
			list = append(list, p)
		}
	}
	c.again(list)
}

// receive waits for results.
func (c *Client) receive(ctx context.Context) {
	var away time.Time
	for ctx.Err() == nil {
		c.mu.Lock()
		have := c.have
		c.have = nil
		idle := len(c.pending) == 0 && len(have) == 0
		c.mu.Unlock()
		if idle {
			pause(ctx, 20*time.Millisecond)
			continue
		}
		answer, err := c.Server.Ask(ctx, c.run, &farm.Ask{Have: have, Seconds: int(farm.LongestPoll / time.Second)})
		if err == nil {
			away = time.Time{}
			c.take(answer)
			if answer.Memory == "" {
				pause(ctx, 50*time.Millisecond) // the orders are being sent
			}
			continue
		}
		c.mu.Lock()
		c.have = append(c.have, have...)
		c.mu.Unlock()
		if away.IsZero() {
			away = time.Now()
		}
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, farm.ErrRefused):
			c.fail(err)
		case time.Since(away) > unreachable:
			c.fail(fmt.Errorf("%w; for %v; what was computed is kept: the same command goes on with the rest", err, unreachable))
		case time.Since(away) > 3*time.Second:
			c.remark(err.Error() + "; it is asked again")
		}
		pause(ctx, 200*time.Millisecond)
	}
}

// take takes what is new in an answer.
func (c *Client) take(a *farm.Answer) {
	c.look(&a.Info)
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.Memory != c.memory || a.Memory == "" { // all of them: which of them an answer from before is about is not known
		c.memory = a.Memory
		c.unsent = nil
		for _, p := range c.pending {
			c.unsent = append(c.unsent, p)
		}
		c.wake()
	}
	for _, r := range a.Results {
		if c.have = append(c.have, r.Key); r.Conflict {
			c.differ(r.Key)
		}
		p := c.pending[r.Key]
		if p == nil {
			continue
		}
		if r.Lost {
			c.unsent = append(c.unsent, p)
			c.wake()
			continue
		}
		p.outcome, p.err = read(&r)
		delete(c.pending, r.Key)
		close(p.done)
	}
	for _, d := range a.Doing {
		if p := c.pending[d.Key]; p != nil && d.States > 0 {
			for _, tell := range p.progress {
				go tell(d.States) // it may wait for who takes results
			}
		}
	}
}

// read reads a result.
func read(r *farm.Result) (Outcome, error) {
	switch {
	case r.Conflict:
		return Outcome{}, errConflict
	case r.Sealed != nil:
		sealed, err := cache.Unseal(r.Key, r.Sealed)
		if err != nil {
			err = fmt.Errorf("the farm's result %s is damaged: %w", r.Key, err)
		}
		return Outcome{Text: sealed.Text, Lasting: true, Worker: r.Worker}, err
	}
	return Outcome{Text: r.Text, GivenUp: r.GivenUp, Worker: r.Worker}, nil
}

// errConflict is the error of a task with two results.
var errConflict = errors.New("the farm has had two different results of this task, and nobody knows which is right (please report both: they are on the server's page)")

// differ notes that a result which may have been taken is in doubt. The caller holds the mutex.
func (c *Client) differ(key string) {
	if c.pending[key] == nil && c.failed == nil {
		c.failed = errConflict
	}
}

// Err is what is wrong with results that were given already.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.failed, errConflict) {
		return c.failed
	}
	return nil
}

// fail ends all orders with an error.
func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = err
	}
	for key, p := range c.pending {
		p.err = c.failed
		delete(c.pending, key)
		close(p.done)
	}
}

// remark tells the user something, once.
func (c *Client) remark(text string) {
	c.mu.Lock()
	was := c.told[text]
	c.told[text] = true
	c.mu.Unlock()
	if !was {
		c.Note(text)
	}
}

// look tells what the user should know of the farm.
func (c *Client) look(i *farm.Info) {
	if i.Trouble != "" {
		c.remark(c.Server.URL + ": " + i.Trouble)
	}
	mine := slices.ContainsFunc(i.Workers, func(w farm.Worker) bool { return w.Tool == c.Tool })
	c.mu.Lock()
	if mine {
		c.alone = time.Time{}
	} else if c.alone.IsZero() {
		c.alone = time.Now()
	}
	alone := c.alone
	c.mu.Unlock()
	switch {
	case mine:
	case len(i.Workers) == 0 && time.Since(alone) > 3*time.Second:
		c.remark("the farm has no worker at present: pangolind worker -on " + c.Server.URL)
	case len(i.Workers) > 0 && time.Since(alone) > noWorker:
		c.fail(fmt.Errorf("the farm at %s has workers of other versions, or for tasks of another class (-native), only (%.12s; this wants %.12s): install the same release, or build both from the same commit", c.Server.URL, i.Workers[0].Tool, c.Tool))
	}
}
