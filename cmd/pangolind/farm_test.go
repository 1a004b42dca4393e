// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/leash"
	"pangolin/internal/test/level"
)

// The two commands as users start them: server, workers and clients are processes.

// commands builds both commands, once, and gives the directory with them.
var commands = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pangolind-test-")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-ldflags", "-X pangolin/internal/cache.stamp=test", "-o", dir+"/", "pangolin/cmd/pangolin", "pangolin/cmd/pangolind").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := commands(); err == nil && dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// installed is a farm's commands, and the address of its server.
type installed struct {
	t         testing.TB
	bin       string
	addr, dir string
	flags     []string // of the server, further ones
	server    *exec.Cmd
	workers   []*exec.Cmd
	log       *os.File // what server and workers say
}

// install starts a server, with further flags, and workers with some slots each.
func install(t testing.TB, workers int, flags ...string) *installed {
	t.Helper()
	bin, err := commands()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &installed{t: t, bin: bin, addr: l.Addr().String(), dir: filepath.Join(t.TempDir(), "farm"), flags: flags}
	if f.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	l.Close()
	f.serve()
	for range workers {
		f.workers = append(f.workers, f.worker())
	}
	t.Cleanup(func() {
		for _, c := range append(f.workers, f.server) {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
		if t.Failed() {
			t.Logf("server and workers say:\n%s", f.said())
		}
	})
	return f
}

func (f *installed) start(args ...string) *exec.Cmd {
	f.t.Helper()
	c := exec.Command(filepath.Join(f.bin, "pangolind"), args...)
	c.Stdout, c.Stderr = f.log, f.log
	if err := leash.Start(c); err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *installed) said() []byte {
	text, err := os.ReadFile(f.log.Name())
	if err != nil {
		f.t.Error(err)
	}
	return text
}

func (f *installed) url() string { return "http://" + f.addr }

// serve starts the server, and waits until it answers.
func (f *installed) serve() {
	f.t.Helper()
	f.server = f.start(append([]string{"serve", "-addr", f.addr, "-dir", f.dir, "-lease", "3s"}, f.flags...)...)
	for range 400 {
		if c, err := net.Dial("tcp", f.addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	f.t.Fatalf("the server does not answer:\n%s", f.said())
}

func (f *installed) worker() *exec.Cmd { return f.start("worker", "-on", f.url(), "-j", "2") }

// printed is what a command has come to.
type printed struct {
	code     int
	out, err string
}

// The figures that differ from run to run: seconds, and memory. How long a run took is told if that is more, or less, than what its verdicts took.
var figures = regexp.MustCompile(`,\s+in\s+[0-9.]+s(?:,\s+[0-9.]+s\s+(?:in\s+all|elapsed))?\.|"(seconds|peak_bytes)":[0-9.e+-]+|\b[0-9.]+ ?(ms|s)\b|[0-9.]+ [KMG]iB`)

// sums are the seconds at the end of a line of the table by packages.
var sums = regexp.MustCompile(`(?m)^( *\S+(?: +[0-9]+){4}) +[0-9.]+$`)

// columns are spaces: a column is wider if a time has a digit more.
var columns = regexp.MustCompile(` +`)

func plainly(text string) string {
	return columns.ReplaceAllString(figures.ReplaceAllString(sums.ReplaceAllString(text, "$1"), "$1"), " ")
}

// What differs from run to run is not compared, in whatever form and however it is wrapped.
func TestPlainly_LeavesOutWhatDiffers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"total 12 verdicts: 6 verified, in 0.2s.", "total 12 verdicts: 6 verified"},
		{"total 12 verdicts: 6 verified, in 12.2s,\n         3.0s in all.", "total 12 verdicts: 6 verified"},
		{"total 12 verdicts: 6 verified,\n      in 12.2s, 7.0s\n         elapsed.", "total 12 verdicts: 6 verified"},
		{`{"seconds":1e-05,"states":3,"peak_bytes":99}`, `{seconds,"states":3,peak_bytes}`},
		{"s.Stack  stack  verified  120ms", "s.Stack stack verified "},
		{"  stack 1 2 3 4  0.25", " stack 1 2 3 4"},
	} {
		if got := plainly(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// pangolin executes the command.
func (f *installed) pangolin(dir string, args ...string) printed {
	f.t.Helper()
	limit := 10 * time.Minute
	if level.More() { // all collections, with workers and servers that are killed
		limit = time.Hour
	}
	ctx, stop := context.WithTimeout(f.t.Context(), limit)
	defer stop()
	c := exec.CommandContext(ctx, filepath.Join(f.bin, "pangolin"), args...)
	c.Dir, c.Env = dir, append(os.Environ(), "PANGOLIN_CACHE=off", "COLUMNS=160") // on a slow machine seconds have more digits: with 80 columns a line would lose its scope
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		f.t.Fatal(err)
	}
	return printed{c.ProcessState.ExitCode(), plainly(out.String()), plainly(errs.String())}
}

// What is asked in the comparisons. Some are violated, unknown, not judged, or the request is wrong.
func requests() [][]string {
	list := [][]string{{"pangolin/collections/stack.LockFreeStack", "pangolin/collections/queue.ArrayQueue"}}
	if level.Short() {
		return list
	}
	list = append(list, []string{"-v", "pangolin/collections/queue.SynchronousDualQueue", "pangolin/collections/queue.BoundedQueue"},
		[]string{"-property", "all", "-threads", "2", "-steps", "1..2", "pangolin/collections/pqueue"},
		[]string{"pangolin/collections/stack.NoSuch"}, []string{"-max-states", "500", "pangolin/collections/queue.LockFreeQueue"},
		[]string{"mutate", "-threads", "2", "-steps", "1..3", "-max", "12", "pangolin/collections/stack.LockFreeStack"}, []string{"prove", "pangolin/collections/stack.LockFreeStack"})
	if level.More() {
		list = append(list, []string{"pangolin/collections/..."})
	}
	return list
}

// known are what runs here have come to, by their arguments.
var known = map[string]printed{}

// here is what a run without a farm comes to.
func (f *installed) here(dir string, args []string) printed {
	about := fmt.Sprintf("%q %q", dir, args)
	p, ok := known[about]
	if !ok {
		p = f.pangolin(dir, args...)
		known[about] = p
	}
	return p
}

// same compares runs here with runs on the farm, before each of which a function is called with its arguments.
func (f *installed) same(dir string, between func(args []string)) {
	list := requests()
	if len(f.workers) != 2 && !level.More() {
		list = list[:1]
	}
	f.asked(dir, list, between)
}

// asked compares runs here with runs on the farm of some requests.
func (f *installed) asked(dir string, list [][]string, between func(args []string)) {
	for _, r := range list {
		for _, format := range []string{"text", "json"} {
			args := append([]string{"verify", "-format", format}, r...)
			if r[0] == "study" && format == "text" {
				continue // a table tells seconds in other forms
			}
			if r[0] == "mutate" || r[0] == "prove" || r[0] == "study" {
				if args = r; format == "json" {
					args = append(r[:len(r):len(r)], "-json")
				}
			}
			want := f.here(dir, args)
			on := append(args[:len(args):len(args)], "-on", f.url())
			between(on)
			got := f.pangolin(dir, on...)
			if got.code != want.code || got.out != want.out {
				f.t.Errorf("%v: exit code %d, here %d; it prints\n%s\nhere\n%s", args, got.code, want.code, got.out, want.out)
			}
			if notes(got.err) != notes(want.err) {
				f.t.Errorf("%v: it notes\n%s\nhere\n%s", args, got.err, want.err)
			}
		}
	}
}

// notes are what is told on standard error, without what concerns the farm itself, and without the progress of searches.
func notes(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "farm") && !strings.Contains(line, " states") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestVerify_IsTheSameOnAFarm(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) { install(t, workers).same(".", func([]string) {}) })
	}
}

// Swarms and studies ask many questions at once; what they come to is in the order in which they ask.
func TestStudy_IsTheSameOnAFarm(t *testing.T) {
	level.SkipShort(t, "studies, and a swarm, here and on a farm")
	install(t, 2).asked(".", [][]string{
		{"-swarm", "12", "-max-states", "1000", "-config", "D", "pangolin/collections/deque.SnarkDeque"},
		{"study", "collect", "-config", "A,B", "-rows", "LazyList,SkipQueueOriginal,SynchronousDualQueue"},
		{"study", "mutants", "-config", "B", "-max", "6", "-rows", "LockFreeStack"},
		{"study", "cmp", "-rows", "LockFreeStack:1", "-others"},
	}, func([]string) {})
}

// Each run is on an empty store. The same command was begun before, and killed; while this one lasts workers and the server are killed.
func TestVerify_IsTheSameUnderKills(t *testing.T) {
	level.SkipShort(t, "processes are killed for half a minute")
	for _, workers := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			f := install(t, workers)
			k := &killer{farm: f, after: 200 * time.Millisecond, pace: 3 * time.Second, asked: make(chan struct{}, 1), over: make(chan struct{})}
			var killing sync.WaitGroup
			killing.Go(k.work)
			f.same(".", k.begin)
			close(k.over)
			killing.Wait()
			t.Logf("%d kills", k.kills)
			if k.kills == 0 {
				t.Error("nothing was killed")
			}
		})
	}
}

// killer kills workers and the server of a farm, and starts others: for the first time soon after something was asked, and again at a pace, which
// gets slower by a fourth each time: a task that takes a minute would else never be done, and be given up after ten workers have ended.
type killer struct {
	farm        *installed
	after, pace time.Duration
	asked, over chan struct{}

	mu    sync.Mutex // held while a process is replaced
	kills int
}

func (k *killer) work() {
	wait, pace := k.pace, k.pace
	for {
		select {
		case <-k.over:
			return
		case <-k.asked:
			wait, pace = k.after, k.pace
			continue
		case <-time.After(wait + rand.N(wait)):
		}
		wait, pace = pace, pace+pace/4
		k.kill()
	}
}

func (k *killer) kill() {
	k.mu.Lock()
	defer k.mu.Unlock()
	f := k.farm
	victim := &f.server
	if k.kills%3 != 2 {
		victim = &f.workers[rand.IntN(len(f.workers))]
	}
	_ = (*victim).Process.Kill()
	_ = (*victim).Wait()
	if victim == &f.server {
		f.serve()
	} else {
		*victim = f.worker()
	}
	k.kills++
}

// begin removes the server's store, begins what will be asked, and kills that command too.
func (k *killer) begin(args []string) {
	k.forget()
	c := exec.Command(filepath.Join(k.farm.bin, "pangolin"), args...)
	c.Env = append(os.Environ(), "PANGOLIN_CACHE=off", "COLUMNS=160") // on a slow machine seconds have more digits: with 80 columns a line would lose its scope
	if err := leash.Start(c); err != nil {
		k.farm.t.Fatal(err)
	}
	time.Sleep(rand.N(500 * time.Millisecond))
	_ = c.Process.Kill()
	_ = c.Wait()
	select {
	case k.asked <- struct{}{}:
	default:
	}
}

func (k *killer) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	f := k.farm
	_ = f.server.Process.Kill()
	_ = f.server.Wait()
	if err := os.RemoveAll(f.dir); err != nil {
		f.t.Fatal(err)
	}
	f.serve()
}

// What is watched is judged as it was saved: the second verdict is about the second text.
func TestVerify_WatchesOnAFarm(t *testing.T) {
	f := install(t, 1)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const flag = "package flag\n\nimport \"sync/atomic\"\n\ntype Flag struct{ on atomic.Bool }\n\nfunc (f *Flag) Set() { f.on.Store(%s) }\n\nfunc (f *Flag) IsSet() bool { return f.on.Load() }\n"
	write("go.mod", "module example.org/flag\n\ngo 1.24\n")
	write("flag.go", fmt.Sprintf(flag, "true"))
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := exec.CommandContext(t.Context(), filepath.Join(f.bin, "pangolin"), "verify", "-watch", "-on", f.url(), ".")
	c.Dir, c.Stdout, c.Stderr = dir, out, out
	c.Env = append(os.Environ(), "PANGOLIN_CACHE="+t.TempDir())
	if err := leash.Start(c); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	said := func(times int, what string) {
		t.Helper()
		text := []byte{}
		for range 600 {
			if text, err = os.ReadFile(out.Name()); err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), "watching 1 directories") >= times {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if n := strings.Count(string(text), what); n != 1 {
			t.Fatalf("%q stands %d times in\n%s", what, n, text)
		}
	}
	said(1, "verified")
	write("flag.go", fmt.Sprintf(flag, "false"))
	said(2, "nothing was done")
}
