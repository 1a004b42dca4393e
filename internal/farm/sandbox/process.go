// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"

	"pangolin/internal/farm"
)

// process is one process that does a task.
type process struct {
	sandbox  *Sandbox
	head     head
	guards   Guards
	env      []string
	progress func(states uint64)

	cmd    *exec.Cmd
	stderr tail
	moved  atomic.Int64 // when the states grew last, in nanoseconds since the start
	begun  time.Time
	guard  bool // the process has set up its guards
	result *result
	why    *Ended // why it has no result
}

// longestLine is the number of bytes that a line of a process may have: a result with a large
// witness.
const longestLine = 256 << 20

// run starts the process and waits for it to end. None of its threads or children is left then.
func (p *process) run(ctx context.Context) (*farm.Output, error) {
	p.cmd = exec.Command(p.sandbox.config.Command[0], p.sandbox.config.Command[1:]...)
	p.cmd.Env, p.cmd.Dir, p.cmd.Stderr = p.env, p.sandbox.config.Dir, &p.stderr
	p.cmd.WaitDelay = 5 * time.Second
	p.guards.start(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("a process for the task cannot be started: %w", err)
	}
	p.begun = time.Now()
	read := make(chan error, 1)
	go func() { read <- p.read(out) }()
	go func() {
		_ = json.NewEncoder(in).Encode(&p.head) // a process that does not read has ended, which is seen below
	}()
	failed := p.watch(ctx, read)
	if failed != nil {
		kill(p.cmd)
	}
	return p.outcome(p.wait(), failed)
}

// wait waits for the process to end, whose output has ended.
func (p *process) wait() error {
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

// watch waits until the process has written its last line, or has to be killed.
func (p *process) watch(ctx context.Context, read <-chan error) error {
	const pace = 100 * time.Millisecond
	tick := time.NewTicker(pace)
	defer tick.Stop()
	limits := &p.sandbox.config.Limits
	for {
		select {
		case err := <-read:
			return err
		case <-ctx.Done():
			p.why = &Ended{How: Cancelled}
		case <-tick.C:
			passed := time.Since(p.begun)
			switch {
			case passed > limits.Wall:
				p.why = &Ended{OutOfTime, fmt.Sprintf("the limit is %v", limits.Wall)}
			case passed-time.Duration(p.moved.Load()) > limits.Stuck:
				p.why = &Ended{Stuck, fmt.Sprintf("it has counted no state for %v", limits.Stuck)}
			case resident(p.cmd.Process.Pid) > limits.Memory:
				p.why = &Ended{OutOfMemory, fmt.Sprintf("the limit is %d MiB", limits.Memory>>20)}
			}
		}
		if p.why != nil {
			kill(p.cmd)
			<-read
			return nil
		}
	}
}

// read reads the lines of the process until its output ends. An error says that it wrote something
// else.
func (p *process) read(out io.Reader) error {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, longestLine)
	states := uint64(0)
	for lines.Scan() {
		if p.result != nil {
			return errors.New("it wrote on behind its result")
		}
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("it wrote a line that is none of the protocol: %w", err)
		}
		switch {
		case l.Guarded:
			p.guard = true
		case l.States != nil:
			if *l.States > states {
				states = *l.States
				p.moved.Store(int64(time.Since(p.begun)))
			}
			if p.progress != nil {
				p.progress(states)
			}
		case l.Refused != "":
			return &Ended{Refused, oneLine(l.Refused)}
		case l.Result != nil:
			if p.result = l.Result; p.result.Digest != p.result.sum(p.head.Digest) {
				return errors.New("its result has another digest than it says")
			}
		}
	}
	return lines.Err()
}

// outcome is what came of a process that has ended.
func (p *process) outcome(ended, failed error) (*farm.Output, error) {
	var refused *Ended
	limits := &p.sandbox.config.Limits
	switch {
	case p.why != nil:
		return nil, p.why
	case errors.As(failed, &refused):
		return nil, refused
	case failed != nil:
		return nil, &Ended{Crashed, oneLine(failed.Error())}
	case p.cmd.ProcessState == nil:
		return nil, &Ended{Crashed, oneLine(fmt.Sprint(ended))}
	case p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime() >= limits.CPU:
		return nil, &Ended{OutOfCPU, fmt.Sprintf("the limit is %v", limits.CPU)}
	case p.stderr.has("out of memory", "cannot allocate memory"):
		return nil, &Ended{OutOfMemory, fmt.Sprintf("the limit is %d MiB", limits.Memory>>20)}
	case p.result == nil || !p.cmd.ProcessState.Success():
		detail := p.stderr.reason()
		if detail == "" {
			detail = p.cmd.ProcessState.String()
		}
		return nil, &Ended{Crashed, oneLine(detail)}
	}
	return &farm.Output{Text: p.result.Text, Same: p.result.Same, Lasting: p.result.Lasting}, nil
}
