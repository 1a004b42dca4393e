// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/leash"
)

// process is one process that does a task, or several of one kind. It has run or end called by one goroutine at a time.
type process struct {
	sandbox *Sandbox
	guards  Guards
	env     []string
	scratch string // directory of its files, which is removed with it; "": it has none
	kind    *kind  // of the tasks that it may do; nil: it does one task

	cmd    *exec.Cmd // nil: it has not been started
	tell   chan any  // what it is to be told
	said   chan said // what it has said; closed when its output has ended
	stderr tail
	guard  bool // it has set up its guards
	ended  bool // it has been waited for

	done       int           // results that it has given
	busy       time.Duration // how long that took
	impatience *time.Timer   // ends it while it waits for a task
}

// said is a line of a process, or why there is none.
type said struct {
	line
	err error
}

// longestLine is the number of bytes that a line of a process may have: a result with a large
// witness.
const longestLine = 256 << 20

// start starts the process and tells it the head.
func (p *process) start(h *head) error {
	cmd := exec.Command(p.sandbox.config.Command[0], p.sandbox.config.Command[1:]...)
	cmd.Env, cmd.Dir, cmd.Stderr = p.env, p.sandbox.config.Dir, &p.stderr
	cmd.WaitDelay = 5 * time.Second
	p.guards.start(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := leash.Start(cmd); err != nil {
		return fmt.Errorf("a process for the task cannot be started: %w", err)
	}
	p.cmd, p.tell, p.said = cmd, make(chan any, 2), make(chan said)
	p.tell <- h
	go func() {
		to := json.NewEncoder(in)
		for what := range p.tell {
			_ = to.Encode(what) // a process that does not read has ended, which is seen in its output
		}
	}()
	go p.read(out)
	return nil
}

// run gives the process an order and waits for its result. It leaves the process running if there is one and the order is not the last; else none of
// its threads or children is left then.
func (p *process) run(ctx context.Context, o *order, progress func(states uint64)) (*farm.Output, error) {
	begun := time.Now()
	p.tell <- o
	r, failed := p.watch(ctx, o, progress)
	if r != nil && !o.Last && failed == nil {
		p.done++
		p.busy += time.Since(begun)
		return r.output(), nil
	}
	if failed != nil {
		p.kill()
	}
	return p.outcome(p.wait(), failed, r)
}

// kill kills the process, and waits until nobody is left who could write.
func (p *process) kill() {
	kill(p.cmd)
	for range p.said {
	}
}

// end ends the process, if it has not ended, and removes its files.
func (p *process) end() {
	if p.cmd != nil && !p.ended {
		p.kill()
		_ = p.wait()
	}
	if p.scratch != "" {
		os.RemoveAll(p.scratch)
	}
}

// wait waits for the process to end, whose output has ended.
func (p *process) wait() error {
	p.ended = true
	close(p.tell)
	const grace = 5 * time.Second // it has nothing left to do
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
		kill(p.cmd)
		return <-ended
	}
}

// watch waits until the process has given the result of an order, of the last one until its output has ended, or until the process has to be
// killed, which the error says.
func (p *process) watch(ctx context.Context, o *order, progress func(states uint64)) (r *result, err error) {
	const pace = 100 * time.Millisecond
	tick := time.NewTicker(pace)
	defer tick.Stop()
	limits := &p.sandbox.config.Limits
	begun, states := time.Now(), uint64(0)
	moved := begun // when the states grew last
	for {
		select {
		case s, more := <-p.said:
			switch {
			case !more:
				return r, nil
			case s.err != nil:
				return nil, s.err
			case r != nil:
				return nil, errors.New("it wrote on behind its result")
			case s.Guarded:
				p.guard = true
			case s.States != nil:
				if *s.States > states {
					states, moved = *s.States, time.Now()
				}
				if progress != nil {
					progress(states)
				}
			case s.Refused != "":
				return nil, &Ended{Refused, oneLine(s.Refused)}
			case s.Result != nil:
				if r = s.Result; r.Digest != r.sum(o.Digest) {
					return nil, errors.New("its result has another digest than it says")
				}
				if !o.Last {
					return r, nil
				}
			}
		case <-ctx.Done():
			return nil, &Ended{How: Cancelled}
		case <-tick.C:
			switch {
			case time.Since(begun) > limits.Wall:
				return nil, &Ended{OutOfTime, fmt.Sprintf("the limit is %v", limits.Wall)}
			case time.Since(moved) > limits.Stuck:
				return nil, &Ended{Stuck, fmt.Sprintf("it has counted no state for %v", limits.Stuck)}
			case resident(p.cmd.Process.Pid) > limits.Memory:
				return nil, &Ended{OutOfMemory, fmt.Sprintf("the limit is %d MiB", limits.Memory>>20)}
			}
		}
	}
}

// read reads the lines of the process until its output ends.
func (p *process) read(out io.Reader) {
	defer close(p.said)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		var s said
		if err := json.Unmarshal(lines.Bytes(), &s.line); err != nil {
			s.err = fmt.Errorf("it wrote a line that is none of the protocol: %w", err)
		}
		p.said <- s
	}
	if err := lines.Err(); err != nil {
		p.said <- said{err: err}
	}
}

// outcome is what came of a process that has ended, behind the last order or because an order failed.
func (p *process) outcome(ended, failed error, r *result) (*farm.Output, error) {
	var why *Ended
	limits := &p.sandbox.config.Limits
	switch {
	case errors.As(failed, &why):
		return nil, why
	case failed != nil:
		return nil, &Ended{Crashed, oneLine(failed.Error())}
	case p.cmd.ProcessState == nil:
		return nil, &Ended{Crashed, oneLine(fmt.Sprint(ended))}
	case p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime() >= limits.CPU:
		return nil, &Ended{OutOfCPU, fmt.Sprintf("the limit is %v", limits.CPU)}
	case p.stderr.has("out of memory", "cannot allocate memory", "pthread_create failed", "failed to create new OS thread"):
		return nil, &Ended{OutOfMemory, fmt.Sprintf("the limit is %d MiB", limits.Memory>>20)}
	case r == nil || !p.cmd.ProcessState.Success():
		detail := p.stderr.reason()
		if detail == "" {
			detail = p.cmd.ProcessState.String()
		}
		return nil, &Ended{Crashed, oneLine(detail)}
	}
	return r.output(), nil
}

func (r *result) output() *farm.Output {
	return &farm.Output{Text: r.Text, Same: r.Same, Lasting: r.Lasting}
}
