// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/front"
	"pangolin/internal/task"
)

// Child is the process that does a task, or several of one kind, one after the other. It reads from in what all have in common,
// sets up its guards, and then reads orders. It writes lines to out, the last of which for each order is the result. It ends after an order
// with Last, without a result, and when in does. It returns the exit code.
func Child(in io.Reader, out io.Writer) int {
	w := &writer{out: json.NewEncoder(out)}
	decoder := json.NewDecoder(in)
	var h head
	if err := decoder.Decode(&h); err != nil {
		fmt.Fprintf(os.Stderr, "pangolind: child is started by a worker, which tells it what to do: %v\n", err)
		return 2
	}
	if err := h.Guards.enter(&h); err != nil {
		fmt.Fprintf(os.Stderr, "pangolind: the guards cannot be set up: %v\n", err)
		return 2
	}
	w.write(&line{Guarded: true})
	if h.Probe {
		return 0
	}
	orders := make(chan order)
	go func() {
		for {
			var o order
			if decoder.Decode(&o) != nil { // whoever waits for results has gone
				os.Exit(2)
			}
			orders <- o
		}
	}()
	return h.do(orders, w)
}

// writer writes lines from several goroutines.
type writer struct {
	mu  sync.Mutex
	out *json.Encoder
}

func (w *writer) write(l *line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.out.Encode(l) != nil {
		os.Exit(2) // nobody reads
	}
}

// do does one order after the other and writes the results.
func (h *head) do(orders <-chan order, w *writer) int {
	refuse := func(format string, args ...any) int {
		w.write(&line{Refused: fmt.Sprintf(format, args...)})
		return 0
	}
	ctx, replaying, err := front.Replay(context.Background(), h.Answers)
	if err != nil {
		return refuse("%v", err)
	}
	ctx, original := front.Share(ctx), &task.Original{} // types are checked once
	for o := range orders {
		count := &counter{w: w}
		here := &task.Here{Dir: h.Dir, Original: original, Events: func(string, string) engine.Events {
			return engine.Events{Progress: count.search()}
		}}
		answer, lasting, err := here.Answer(ctx, o.Task)
		if unknown := replaying.Unknown(); len(unknown) > 0 { // whatever the result is
			return refuse("the go command would be asked about %s, and the bundle does not hold what it answers", strings.Join(unknown, ", "))
		}
		if err != nil {
			return refuse("%v", err)
		}
		done := &result{Text: answer.Text, Same: answer.Same, Lasting: lasting}
		done.Digest = done.sum(o.Digest)
		w.write(&line{Result: done})
		if o.Last {
			break
		}
	}
	return 0
}

// counter counts the states of all searches, and tells of them once a second.
type counter struct {
	w     *writer
	mu    sync.Mutex
	total uint64
	told  time.Time
}

// search is the function to be told of one search's progress.
func (c *counter) search() func(engine.Progress) {
	last := uint64(0)
	return func(p engine.Progress) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p.States < last { // another search
			last = 0
		}
		c.total, last = c.total+p.States-last, p.States
		if time.Since(c.told) >= time.Second {
			c.told = time.Now()
			total := c.total
			c.w.write(&line{States: &total})
		}
	}
}
