// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/farm/gateway"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
	"pangolin/internal/leash"
	"pangolin/internal/test/level"
)

// A whole farm in processes of this test binary, which are killed. Tasks are texts such as "17", and their results say the same in other
// words, so that a wrong one is noticed.

// tool is the version of all of them.
var tool = strings.Repeat("a", 64)

// Environment variables of the processes: which role one has, "server", "worker" or "nats", which share of tasks the server has done twice, and the directory of a shared
// store.
const (
	role    = "PANGOLIN_FARM_ROLE"
	store   = "PANGOLIN_FARM_STORE"
	compare = "PANGOLIN_FARM_COMPARE"
)

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "server":
		err = beServer(os.Args[1], os.Args[2])
	case "worker":
		err = beWorker(os.Args[1], os.Args[2])
	case "nats":
		err = beNATS(os.Args[1], os.Args[2])
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func beServer(addr, dir string) error {
	ctx := context.Background()
	bundles, err := gateway.OpenBundles(filepath.Join(dir, "bundles"))
	if err != nil {
		return err
	}
	s, err := queue.Serve(filepath.Join(dir, "queue"), nil)
	if err != nil {
		return err
	}
	conn, err := s.Connect()
	if err != nil {
		return err
	}
	limits := queue.Usual
	limits.Lease = 2 * time.Second
	q, err := queue.Create(ctx, conn, limits)
	if err != nil {
		return err
	}
	share, err := strconv.ParseFloat(os.Getenv(compare), 64)
	if err != nil {
		share = 0.01
	}
	if at := os.Getenv(store); at != "" {
		bundles.Shared = files(at)
	}
	g := &gateway.Gateway{Shared: bundles.Shared, Tool: tool, Lease: limits.Lease, Queue: q, Bundles: bundles, Dial: s.InProcessConn, Enrol: s.Enrol, Compare: share, Log: func(text string) { fmt.Fprintln(os.Stderr, text) }}
	if err := g.Start(ctx); err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return http.Serve(l, g.Handler())
}

// beWorker does tasks, and appends a line to a file for each.
func beWorker(addr, log string) error {
	s, err := farm.At("http://"+addr, "", nil)
	if err != nil {
		return err
	}
	if _, err := s.Info(context.Background()); err != nil {
		return err
	}
	conn, id, err := worker.Connect(context.Background(), s, tool)
	if err != nil {
		return err
	}
	q, err := queue.Join(conn)
	if err != nil {
		return err
	}
	w := &worker.Worker{ID: id, Tool: tool, Slots: 1, Queue: q, Fetch: s.Bundle, Patience: time.Minute, Log: func(text string) { fmt.Fprintln(os.Stderr, text) },
		Run: func(ctx context.Context, j *farm.Job, progress func(uint64)) (*farm.Output, error) {
			return perform(ctx, j, log)
		}}
	return w.Work(context.Background())
}

// perform does a task. What it is to do beside its result stands behind the number.
func perform(ctx context.Context, j *farm.Job, log string) (*farm.Output, error) {
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%s\n", j.Task); err != nil {
		return nil, err
	}
	number, how, _ := strings.Cut(string(j.Task), " ")
	switch how {
	case "crash":
		return nil, fmt.Errorf("%w: a test", farm.ErrCrashed)
	case "full": // the disk of the first worker that gets the task
		if err := os.Mkdir(log+".full", 0o700); err == nil {
			if err := os.WriteFile(filepath.Join(log+".full", strconv.Itoa(os.Getpid())), nil, 0o600); err != nil {
				return nil, err
			}
		}
		if _, err := os.Stat(filepath.Join(log+".full", strconv.Itoa(os.Getpid()))); err == nil {
			return nil, errors.New("no space left on device")
		}
	case "differ": // each time another result
		number += fmt.Sprint(time.Now().UnixNano())
	case "late":
		time.Sleep(2 * time.Second)
	case "slow":
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Minute):
		}
	default:
		time.Sleep(20 * time.Millisecond)
	}
	return &farm.Output{Text: fmt.Appendf([]byte(resultOf(number, j.Bundle)), " %d", time.Now().UnixNano()), Same: []byte(resultOf(number, j.Bundle)), Lasting: how != "passing"}, nil
}

func resultOf(number string, bundle []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(number+" "), bundle...)))
}

// processes are a farm.
type processes struct {
	t         *testing.T
	addr, dir string
	program   string // this one, or another build of it
	log       string
	server    *exec.Cmd
	workers   []*exec.Cmd
}

// start starts a server and workers.
func start(t *testing.T, workers int) *processes {
	t.Helper()
	return startIn(t, filepath.Join(t.TempDir(), "farm"), workers)
}

// startIn is start with the server's directory.
func startIn(t *testing.T, dir string, workers int) *processes {
	t.Helper()
	return startAs(t, os.Args[0], dir, workers)
}

// startAs is startIn with the program of server and workers.
func startAs(t *testing.T, program, dir string, workers int) *processes {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	p := &processes{t: t, program: program, addr: addr, dir: dir, log: filepath.Join(t.TempDir(), "log"), workers: make([]*exec.Cmd, workers)}
	p.server = p.process("server", p.dir)
	for i := range p.workers {
		p.workers[i] = p.process("worker", p.log)
	}
	t.Cleanup(func() {
		kill(p.server)
		for _, w := range p.workers {
			kill(w)
		}
	})
	return p
}

func (p *processes) process(what, where string) *exec.Cmd {
	p.t.Helper()
	c := exec.Command(p.program, p.addr, where)
	c.Env = append(os.Environ(), role+"="+what)
	c.Stderr = os.Stderr
	if err := leash.Start(c); err != nil {
		p.t.Fatal(err)
	}
	return c
}

func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// open connects to the farm, as soon as it is there.
func (p *processes) open() *client.Client {
	p.t.Helper()
	s, err := farm.At("http://"+p.addr, "", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(50 * time.Millisecond) {
		c := &client.Client{Server: s, Tool: tool, Note: func(text string) { p.t.Log(text) }}
		if err = c.Open(p.t.Context()); err == nil {
			p.t.Cleanup(c.Close)
			return c
		}
	}
	p.t.Fatal(err)
	return nil
}

var sources = []byte("the sources")

// send has a task done.
func send(ctx context.Context, c *client.Client, text string) (client.Outcome, error) {
	return c.Send(ctx, &farm.Order{Name: "some", Task: []byte(text), Bundle: farm.Digest(sources)}, sources, func(uint64) {})
}

// wrong says what is wrong with an outcome; "": nothing.
func wrong(number string, o client.Outcome, err error) string {
	switch text, _, _ := strings.Cut(string(o.Text), " "); {
	case err != nil:
		return err.Error()
	case o.GivenUp != "":
		return o.GivenUp
	case text != resultOf(number, sources):
		return fmt.Sprintf("has the result %q", text)
	}
	return ""
}

// executions counts how often tasks were done.
func (p *processes) executions() int {
	text, err := os.ReadFile(p.log)
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// Servers and workers are killed, one process for each ten tasks that were done, and the server's directory is removed; each task has its one result, and few are done twice.
func TestFarm_LosesNothingInAStorm(t *testing.T) {
	kills, removals := 100, 3
	switch {
	case level.Short():
		kills, removals = 10, 1
	case level.All():
		kills, removals = 1000, 20
	}
	p := start(t, 4)
	c := p.open()
	over := make(chan struct{})
	var senders sync.WaitGroup
	var sent, done atomic.Int64
	for range 40 {
		senders.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				number := strconv.FormatInt(sent.Add(1), 10)
				o, err := send(t.Context(), c, number)
				if what := wrong(number, o, err); what != "" {
					t.Errorf("task %s %s", number, what)
				}
				done.Add(1)
			}
		})
	}
	servers := 0
	for i := range kills {
		time.Sleep(time.Duration(80+rand.IntN(60)) * time.Millisecond)
		for done.Load() < int64(10*i) { // a busy machine takes longer for them
			time.Sleep(10 * time.Millisecond)
		}
		if i%7 != 3 {
			at := rand.IntN(len(p.workers))
			kill(p.workers[at])
			p.workers[at] = p.process("worker", p.log)
			continue
		}
		kill(p.server)
		if servers++; servers%max(1, kills/7/removals) == 0 {
			if err := os.RemoveAll(p.dir); err != nil {
				t.Fatal(err)
			}
		}
		p.server = p.process("server", p.dir)
		time.Sleep(200 * time.Millisecond)
	}
	for done.Load() < int64(10*kills) {
		time.Sleep(10 * time.Millisecond)
	}
	close(over)
	senders.Wait()
	if err := c.Err(); err != nil {
		t.Error(err)
	}
	n := p.executions()
	share := float64(n) / float64(sent.Load())
	t.Logf("%d kills of workers, %d of the server: %d tasks, %d executions (%.3f)", kills-servers, servers, sent.Load(), n, share)
	if share >= 1.1 && level.All() {
		t.Errorf("%.3f executions for a task: want less than 1.1", share)
	}
}

// A task whose process crashes is given up; others are not disturbed.
func TestFarm_GivesUpWhatCrashes(t *testing.T) {
	t.Setenv(compare, "0")
	p := start(t, 2)
	c := p.open()
	o, err := send(t.Context(), c, "1 crash")
	if err != nil || o.GivenUp != "the task has ended 3 workers" {
		t.Errorf("a task that crashes: %+v %v", o, err)
	}
	o, err = send(t.Context(), c, "2 passing")
	if what := wrong("2", o, err); what != "" || o.Lasting {
		t.Errorf("a result that does not last: %s %v", what, o.Lasting)
	}
	if o, err = send(t.Context(), c, "3"); wrong("3", o, err) != "" || !o.Lasting {
		t.Errorf("a result: %s", wrong("3", o, err))
	}
	before := p.executions()
	if o, err = send(t.Context(), c, "3"); wrong("3", o, err) != "" || p.executions() != before {
		t.Errorf("a result that is there was computed again")
	}
	if n := before; n != 3+1+1 {
		text, _ := os.ReadFile(p.log)
		t.Errorf("%d executions: want 3 of the task that crashes, and one of each other:\n%s", n, text)
	}
}

// A machine that can do nothing, and is free at once each time, spoils no task: the other one does them.
func TestFarm_OutlivesAMachineThatCannotWork(t *testing.T) {
	t.Setenv(compare, "0")
	p := start(t, 2)
	c := p.open()
	var senders sync.WaitGroup
	for i := range 30 {
		senders.Go(func() {
			number := strconv.Itoa(i)
			o, err := send(t.Context(), c, number+" full")
			if what := wrong(number, o, err); what != "" {
				t.Errorf("task %s %s", number, what)
			}
		})
	}
	senders.Wait()
	if n := p.executions(); n > 35 {
		t.Errorf("%d executions of 30 tasks", n)
	}
}

// Each task is done twice here. A task with another result each time is in doubt, for who has taken a result and for who asks later; tasks
// with one result are not.
func TestFarm_ShowsConflicts(t *testing.T) {
	t.Setenv(compare, "1")
	p := start(t, 2)
	c := p.open()
	for i := range 10 {
		number := strconv.Itoa(i)
		if o, err := send(t.Context(), c, number); wrong(number, o, err) != "" {
			t.Errorf("task %s %s", number, wrong(number, o, err))
		}
	}
	for range 100 {
		if p.executions() == 20 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if n := p.executions(); n != 20 || c.Err() != nil {
		t.Errorf("%d executions of 10 tasks, %v", n, c.Err())
	}
	_, known := send(t.Context(), c, "10 differ") // an error if the second result was there before the first was taken
	c2 := p.open()
	for range 100 {
		if known = errors.Join(known, c.Err()); known != nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
		_, _ = send(t.Context(), c, "11") // answers come with questions
	}
	if known == nil {
		t.Error("who has taken the first of two different results is not told")
	}
	if _, err := send(t.Context(), c2, "10 differ"); err == nil {
		t.Error("a result that is in doubt was given")
	}
}

// A command that leaves takes its tasks with it, also those that are being done.
func TestFarm_StopsWhatNobodyWants(t *testing.T) {
	p := start(t, 1)
	c := p.open()
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := send(ctx, c, "1 slow")
		gone <- err
	}()
	for range 200 {
		if _, err := os.Stat(p.log); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.Close()
	other := p.open()
	begun := time.Now()
	o, err := send(t.Context(), other, "2") // the only worker was busy for a minute
	if what := wrong("2", o, err); what != "" || time.Since(begun) > 20*time.Second {
		t.Errorf("%s after %v", what, time.Since(begun))
	}
}
