// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/engine"
	"pangolin/internal/farm"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/front"
	"pangolin/internal/task"
)

// Tasks in child processes of the same program, without a sandbox.

// plain has tasks done.
type plain struct {
	scratch  string // directory of this process
	standard *bundle.Standard
}

// given is what a child gets on its standard input.
type given struct {
	Task    []byte
	Dir     string // in which the go command would run
	Answers []front.Answer
}

// line is a line that a child writes: how many states it has visited, now and then; at the end an output.
type line struct {
	States uint64       `json:",omitempty"`
	Output *farm.Output `json:",omitempty"`
}

// newPlainRunner prepares a directory. The function that it returns removes it.
func newPlainRunner(ctx context.Context) (p *plain, end func(), err error) {
	p = &plain{}
	if p.scratch, err = os.MkdirTemp("", "pangolind-worker-"); err != nil {
		return nil, nil, fmt.Errorf("there is no directory to work in: %w", err)
	}
	end = func() { os.RemoveAll(p.scratch) }
	if p.standard, err = bundle.OpenStandard(ctx, filepath.Join(p.scratch, "standard")); err != nil {
		end()
		return nil, nil, fmt.Errorf("a worker needs Go: %w", err)
	}
	return p, end, nil
}

// run is a farm.Runner.
func (p *plain) run(ctx context.Context, j *farm.Job, progress func(uint64)) (*farm.Output, error) {
	dir, err := os.MkdirTemp(p.scratch, "task-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, err := p.unpack(ctx, j, dir)
	if invalid := (*bundle.Invalid)(nil); errors.As(err, &invalid) {
		return nil, fmt.Errorf("%w: %w", farm.ErrRefused, err)
	}
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, program, "plain")
	child.Stdin, child.Dir = bytes.NewReader(text), dir
	var stderr bytes.Buffer
	child.Stderr = &stderr
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	output := listen(out, progress)
	if err := child.Wait(); err != nil {
		return nil, fmt.Errorf("the child process has ended: %w: %.500s", err, stderr.String())
	}
	if output == nil {
		return nil, errors.New("the child process has given no output")
	}
	return output, nil
}

// unpack writes a job's sources into a directory, and gives what the child has to know.
func (p *plain) unpack(ctx context.Context, j *farm.Job, dir string) ([]byte, error) {
	b, err := bundle.Decode(j.Bundle)
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "sources")
	if err := b.Unpack(dir); err != nil {
		return nil, err
	}
	answers, err := p.standard.Answers(ctx, b, dir)
	if err != nil {
		return nil, err
	}
	return json.Marshal(&given{j.Task, filepath.Join(dir, bundle.Dir), answers})
}

// listen reads the lines of a child; nil: there is no output among them.
func listen(out io.Reader, progress func(uint64)) *farm.Output {
	lines := bufio.NewReader(out)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var one line
		if err := json.Unmarshal(text, &one); err != nil {
			return nil
		}
		if one.Output != nil {
			return one.Output
		}
		progress(one.States)
	}
}

func newPlain(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name: "plain", ShortUsage: "pangolind plain", ShortHelp: "do one task, for a worker",
		Exec: func(ctx context.Context, args []string) error {
			var g given
			if err := json.NewDecoder(con.in).Decode(&g); err != nil {
				return fmt.Errorf("this is no task: %w", err)
			}
			w := json.NewEncoder(con.out)
			output, err := g.answer(ctx, func(states uint64) { _ = w.Encode(line{States: states}) })
			if err != nil {
				return err
			}
			return w.Encode(line{Output: output})
		},
	}
}

// answer does the task.
func (g *given) answer(ctx context.Context, tell func(states uint64)) (*farm.Output, error) {
	ctx, replaying, err := front.Replay(ctx, g.Answers)
	if err != nil {
		return nil, err
	}
	var last atomic.Int64
	h := &task.Here{Dir: g.Dir, Events: func(string, string) engine.Events {
		return engine.Events{Progress: func(p engine.Progress) {
			now := time.Now().UnixMilli()
			if was := last.Load(); now-was > 500 && last.CompareAndSwap(was, now) {
				tell(p.States)
			}
		}}
	}}
	e, lasting, err := h.Answer(ctx, g.Task)
	if err != nil {
		return nil, err
	}
	if questions := replaying.Unknown(); len(questions) > 0 {
		return nil, fmt.Errorf("the bundle lacks what the go command says of %v", questions)
	}
	return &farm.Output{Text: e.Text, Same: e.Same, Lasting: lasting}, nil
}
