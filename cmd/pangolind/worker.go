// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/sandbox"
	"pangolin/internal/farm/worker"
)

// The subcommand worker.

const workerHelp = `Worker computes results for the server of a farm, until it is interrupted. It may be
killed at any moment: its tasks go to other workers.

A worker does tasks of its own version only: commands and workers of a farm are to
be of the same release, or built from the same commit.

With -native it does comparisons of generated texts, and nothing else: it compiles and
runs what Pangolin's own generator has written, so it wants Go, and no guard keeps that
from harm (doc/farm.md).

Exit codes: 0 it was interrupted, 2 usage or tool error, such as a server that cannot
be reached.`

// labourer is what worker is told.
type labourer struct {
	*console
	on     string
	native string // the program that does comparisons; "": this worker does the usual tasks
	slots  int
	memory int64 // MiB
	limits sandbox.Limits
	share  bool // tasks share processes also where the server wants tokens
}

func newWorker(con *console) *ffcli.Command {
	l := &labourer{console: con}
	fs := flag.NewFlagSet("worker", flag.ContinueOnError)
	fs.StringVar(&l.on, "on", "http://"+serveAt, "the `URL` that pangolind serve prints")
	fs.StringVar(&l.native, "native", "", "do comparisons of generated texts with the `program` that go test -c ./internal/test/agreement makes")
	fs.IntVar(&l.slots, "j", runtime.NumCPU(), "do `n` tasks at a time")
	fs.Int64Var(&l.memory, "memory", 4096, "a task may have `n` MiB of memory")
	fs.DurationVar(&l.limits.Wall, "wall", 2*time.Hour, "a task may take this `time`")
	fs.DurationVar(&l.limits.Stuck, "stuck", 5*time.Minute, "a task is stuck, and goes to another worker, if no search counts 16384 states in this `time`, or comes to an end; for slow machines, more")
	fs.DurationVar(&l.limits.CPU, "cpu", 4*time.Hour, "a task may have this CPU `time`")
	fs.BoolVar(&l.share, "share", false, "let tasks about the same sources share a process also if the server wants tokens: for clients that trust each other's sources (doc/farm.md)")
	return &ffcli.Command{
		Name: "worker", ShortUsage: "pangolind worker -on URL [-j N]", ShortHelp: "compute results for a server", LongHelp: workerHelp, FlagSet: fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return errors.New("worker takes no arguments")
			}
			if l.slots < 1 {
				return fmt.Errorf("-j %d: want 1 or more", l.slots)
			}
			return l.work(ctx)
		},
	}
}

func (l *labourer) work(ctx context.Context) error {
	tool, err := cache.Shared()
	if err != nil {
		return err
	}
	server, err := farm.FromEnvironment(l.on)
	if err != nil {
		return err
	}
	info, err := server.Info(ctx)
	if err != nil {
		return err
	}
	dir, end, err := scratch(os.TempDir())
	if err != nil {
		return err
	}
	defer end()
	run, patience := farm.Runner(nil), l.limits.Stuck
	if l.native == "" {
		box, err := l.open(ctx, dir, info.Open || l.share)
		if err != nil {
			return err
		}
		defer box.Close()
		run = box.Run
	} else {
		n := &native{program: l.native, dir: dir, wall: l.limits.Wall}
		if err := n.same(ctx, tool); err != nil {
			return err
		}
		l.log("comparisons: compiled code runs here, which nothing keeps from harm but a limit on time: guards are NOT in force")
		run, patience, tool = n.run, l.limits.Wall, farm.Natively(tool)
	}
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	conn, id, err := worker.Connect(ctx, server, tool)
	if err != nil {
		return err
	}
	defer conn.Close()
	q, err := queue.Join(conn)
	if err != nil {
		return err
	}
	w := &worker.Worker{ID: id, Host: host, Tool: tool, Slots: l.slots, Run: run, Fetch: server.Bundle, Queue: q, Log: l.log, Patience: patience}
	l.log(fmt.Sprintf("worker %s does %d tasks at a time for %s", id, l.slots, server.URL))
	return w.Work(ctx)
}

// open makes the sandbox in which tasks are done, and says what it keeps them from. share is whether tasks share processes.
func (l *labourer) open(ctx context.Context, dir string, share bool) (*sandbox.Sandbox, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if l.memory < 64 || l.memory > 1<<30 || min(l.limits.Wall, l.limits.CPU, l.limits.Stuck) < time.Second {
		return nil, errors.New("a task needs 64 MiB of memory or more, up to a PiB, and a second or more (-memory, -wall, -cpu, -stuck)")
	}
	l.limits.Memory = l.memory << 20
	waiting := 0
	if share {
		waiting = 2*l.slots + 2 // processes, each for the tasks about some sources: those of several come mixed
	}
	box, err := sandbox.Open(ctx, sandbox.Config{Command: []string{program, "child"}, Dir: dir, Limits: l.limits, Waiting: waiting})
	if err != nil {
		return nil, err
	}
	for _, line := range box.Sentences() {
		l.log("tasks: " + line)
	}
	return box, nil
}

func (l *labourer) log(text string) { fmt.Fprintf(l.err, "pangolind: %s\n", text) }
