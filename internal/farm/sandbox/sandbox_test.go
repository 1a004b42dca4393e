// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/farm"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/find"
	"pangolin/internal/inquiry"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// spun is written by a process that spins.
var spun atomic.Int64

// The test binary is the process that does a task, too: "child" is the real one, others behave as their second argument says.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "child":
			os.Exit(Child(os.Stdin, os.Stdout))
		case "misbehave":
			os.Exit(misbehave(os.Args[2], os.Args[3:]))
		case "worker":
			os.Exit(worker(os.Args[2]))
		}
	}
	code := m.Run()
	if shared.box != nil {
		os.RemoveAll(shared.box.config.Dir)
	}
	os.Exit(code)
}

var shared struct {
	sync.Mutex
	box *Sandbox
}

// box is a sandbox in which the real process does tasks. Its limits may be changed in the copy.
func box(t testing.TB) *Sandbox {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.box == nil {
		dir, err := os.MkdirTemp("", "sandbox")
		if err != nil {
			t.Fatal(err)
		}
		if shared.box, err = Open(t.Context(), Config{Command: []string{exe(t), "child"}, Dir: dir}); err != nil {
			t.Fatal(err)
		}
		for _, line := range shared.box.Sentences() {
			t.Log(line)
		}
	}
	other := *shared.box
	other.waiting = &waiting{}
	return &other
}

func exe(t testing.TB) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// sources writes files below a directory, by their names.
func sources(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// job is the task about one type with its bundle, and its result where the sources are.
func job(t testing.TB, dir, typ string) (*farm.Job, string) {
	t.Helper()
	ctx := find.NewAnswers().Within(t.Context())
	q := find.Query{Dir: dir, Type: typ, Note: func(string, ...any) {}, Overrides: func([]string) (find.Wishes, error) { return find.Wishes{Threads: 2}, nil }}
	found, _, err := q.Find(ctx)
	if err != nil {
		t.Fatal(err)
	}
	terms := &inquiry.Terms{Dir: dir, Bounds: engine.Bounds{Config: "2x2"}, Search: engine.Search{Reduce: engine.AllReductions, MaxStates: 20_000}, Small: true}
	one, err := task.New(found[0], terms, task.Asked{Properties: []verdict.Property{verdict.Linear}}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Make(ctx, dir, one)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range (&task.Here{Dir: dir}).Run(ctx, func(yield func(*task.Task) bool) { yield(one) }) {
		_, same, err := r.Portable()
		if err != nil {
			t.Fatal(err)
		}
		return &farm.Job{Task: text, Bundle: b.Encode()}, string(same)
	}
	return nil, ""
}

const queueSource = `package queue

import "sync"

type Queue struct {
	mu    sync.Mutex
	items []int
}

func (q *Queue) Enqueue(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, x)
}

func (q *Queue) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	x := q.items[0]
	q.items = q.items[1:]
	return x, true
}

type Careless struct{ n int }

func (c *Careless) Inc() int { c.n++; return c.n }
func (c *Careless) Get() int { return c.n }
`

var simple = map[string]string{"go.mod": "module example.org/queue\n\ngo 1.26\n", "queue.go": queueSource}

// A process comes to the result that the task has where its sources are, and leaves nothing behind.
func TestRun_HasTheResultOfTheSources(t *testing.T) {
	s := box(t)
	dir := sources(t, simple)
	for _, typ := range []string{"Queue", "Careless"} {
		j, want := job(t, dir, typ)
		out, err := s.Run(t.Context(), j, nil)
		if err != nil {
			t.Fatal(err)
		}
		if string(out.Same) != want || !out.Lasting {
			t.Errorf("%s: %s (lasting: %t), want %s", typ, out.Same, out.Lasting, want)
		}
		var r task.Result
		if err := json.Unmarshal(out.Text, &r); err != nil || len(r.Verdicts) != 1 {
			t.Errorf("%s: %v", typ, err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(s.config.Dir, "task-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Where the system has fewer guards, the result is the same one.
func TestRun_HasTheSameResultUnderFewerGuards(t *testing.T) {
	s := box(t)
	j, want := job(t, sources(t, simple), "Careless")
	for _, g := range candidates {
		if g.Spaces && !g.User && os.Getuid() != 0 || g.Spaces && !s.guards.Spaces || g.Calls && !s.guards.Calls {
			continue
		}
		other := *s
		other.guards = g
		out, err := other.Run(t.Context(), j, nil)
		if err != nil || string(out.Same) != want {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

// A job with another bundle, or with a task that asks what the bundle does not hold, is refused.
func TestRun_RefusesJobs(t *testing.T) {
	s := box(t)
	j, _ := job(t, sources(t, simple), "Queue")
	var other task.Task
	if err := json.Unmarshal(j.Task, &other); err != nil {
		t.Fatal(err)
	}
	other.Wishes.Oracle = find.ParseOracle("example.org/model.Queue")
	elsewhere, err := json.Marshal(&other)
	if err != nil {
		t.Fatal(err)
	}
	for want, bad := range map[string]*farm.Job{
		"does not begin with a line":      {Task: j.Task, Bundle: []byte("nothing")},
		"another digest":                  {Task: j.Task, Bundle: append(j.Bundle[:len(j.Bundle)-1:len(j.Bundle)-1], '?')},
		"this is no task":                 {Task: []byte("{"), Bundle: j.Bundle},
		"terms or properties are missing": {Task: []byte("{}"), Bundle: j.Bundle},
		"asked about example.org/mod":     {Task: elsewhere, Bundle: j.Bundle},
	} {
		_, err := s.Run(t.Context(), bad, nil)
		var ended *Ended
		if !errors.As(err, &ended) || ended.How != Refused || ended.Again() || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// misbehave is a process that does not do what it is asked for.
func misbehave(how string, args []string) int {
	var h head
	orders := json.NewDecoder(os.Stdin)
	if err := orders.Decode(&h); err != nil {
		return 3
	}
	if h.Probe {
		fmt.Println(`{"Guarded":true}`)
		return 0
	}
	var o order
	if err := orders.Decode(&o); err != nil {
		return 3
	}
	if strings.HasPrefix(how, "attack") {
		threads := otherThreads()
		if err := h.Guards.enter(&h); err != nil {
			fmt.Fprintln(os.Stderr, "pangolind:", err)
			return 2
		}
		return attack(how, args, threads)
	}
	good := func() *line {
		r := &result{Text: []byte(`{"verdicts":[]}`), Same: []byte("{}"), Lasting: true}
		r.Digest = r.sum(o.Digest)
		return &line{Result: r}
	}
	write := func(l *line) { _ = json.NewEncoder(os.Stdout).Encode(l) }
	switch how {
	case "number":
		return numbered(o, orders, strings.Join(args, ""), write)
	case "end":
	case "garbage":
		fmt.Println("verified")
	case "code":
		write(good())
		return 1
	case "foreign": // the result of another job
		o.Digest = "0"
		write(good())
	case "changed":
		l := good()
		l.Result.Text = []byte(`{"verdicts":[{}]}`)
		write(l)
	case "lasting":
		l := good()
		l.Result.Lasting = false
		write(l)
	case "half":
		text, _ := json.Marshal(good())
		os.Stdout.Write(text[:len(text)-3])
	case "on":
		write(good())
		write(good())
	case "panic":
		write(good())
		panic("planted")
	case "late": // a result, and then it does not end
		write(good())
		select {}
	case "still":
		time.Sleep(time.Hour)
	case "circles": // it tells of progress, and makes none
		for n := uint64(7); ; time.Sleep(20 * time.Millisecond) {
			write(&line{States: &n})
		}
	case "busy":
		for n := uint64(0); ; n++ {
			write(&line{States: &n})
			time.Sleep(20 * time.Millisecond)
		}
	case "memory", "data":
		if how == "data" {
			if err := h.Guards.enter(&h); err != nil {
				return 2
			}
		}
		var all [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			all = append(all, b)
			runtime.KeepAlive(all)
			if how == "memory" {
				time.Sleep(time.Millisecond)
			}
		}
	case "spin":
		if err := h.Guards.enter(&h); err != nil {
			return 2
		}
		for i := 0; ; i++ {
			spun.Store(int64(i))
		}
	case "itself":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	case "closed": // it closes its output, and goes on
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "flood":
		for {
			_, _ = io.WriteString(os.Stdout, strings.Repeat("x", 1<<16))
		}
	}
	return 0
}

// Each way in which a process can end has its words, and none a result.
func TestRun_SaysHowAProcessEnded(t *testing.T) {
	j, _ := job(t, sources(t, simple), "Queue")
	for _, c := range []struct {
		how    string
		limits Limits
		want   Ending
		detail string
	}{
		{how: "end", want: Crashed, detail: "exit status 0"},
		{how: "garbage", want: Crashed, detail: "none of the protocol"},
		{how: "code", want: Crashed, detail: "exit status 1"},
		{how: "foreign", want: Crashed, detail: "another digest"},
		{how: "changed", want: Crashed, detail: "another digest"},
		{how: "lasting", want: Crashed, detail: "another digest"},
		{how: "half", want: Crashed, detail: "none of the protocol"},
		{how: "on", want: Crashed, detail: "behind its result"},
		{how: "panic", want: Crashed, detail: "panic: planted"},
		{how: "late", limits: Limits{Stuck: time.Second}, want: Stuck},
		{how: "still", limits: Limits{Stuck: time.Second}, want: Stuck, detail: "no state for 1s"},
		{how: "circles", limits: Limits{Stuck: time.Second}, want: Stuck},
		{how: "busy", limits: Limits{Wall: time.Second}, want: OutOfTime, detail: "1s"},
		{how: "memory", limits: Limits{Memory: 256 << 20}, want: OutOfMemory, detail: "256 MiB"},
		{how: "data", limits: Limits{Memory: 256 << 20}, want: OutOfMemory, detail: "256 MiB"},
		{how: "spin", limits: Limits{CPU: time.Second}, want: OutOfCPU, detail: "1s"},
		{how: "itself", want: Crashed, detail: "killed"},
		{how: "closed", limits: Limits{Stuck: time.Second}, want: Crashed, detail: "killed"},
		{how: "flood", limits: Limits{Wall: time.Second}, want: OutOfTime},
	} {
		t.Run(c.how, func(t *testing.T) {
			s := box(t)
			s.config.Command, s.config.Limits = []string{exe(t), "misbehave", c.how}, c.limits
			s.config.Limits.complete()
			if (c.how == "data" || c.how == "spin") && !s.guards.Data {
				t.Skip("the system sets no limits here")
			}
			s.guards = Guards{Data: s.guards.Data}
			out, err := s.Run(t.Context(), j, nil)
			var ended *Ended
			if out != nil || !errors.As(err, &ended) || ended.How != c.want || !strings.Contains(err.Error(), c.detail) {
				t.Errorf("want %s (%s), got %v", c.want, c.detail, err)
			}
		})
	}
}

// Cancelling kills the process at once.
func TestRun_IsCancelled(t *testing.T) {
	j, _ := job(t, sources(t, simple), "Queue")
	s := box(t)
	s.config.Command = []string{exe(t), "misbehave", "still"}
	s.guards = Guards{}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := s.Run(ctx, j, nil)
	var ended *Ended
	if !errors.As(err, &ended) || ended.How != Cancelled || time.Since(begun) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}

// A process whose worker is gone ends.
func TestChild_EndsWithItsWorker(t *testing.T) {
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() { done <- Child(r, io.Discard) }()
	w.Close()
	select {
	case code := <-done:
		if code == 0 {
			t.Error("without a task its code is 0")
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits for ever")
	}
}

// worker is a process that has a task done by one that stays for an hour, under the strongest guards or none. It tells the number of that one.
func worker(guarded string) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "worker")
	if err != nil {
		return fail(err)
	}
	s, err := Open(context.Background(), Config{Command: []string{os.Args[0], "child"}, Dir: dir})
	if err != nil {
		return fail(err)
	}
	s.config.Command = []string{os.Args[0], "misbehave", "attack stay"}
	if guarded == "none" {
		s.guards = Guards{}
	}
	p := &process{sandbox: s, guards: s.guards, env: []string{}}
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		return fail(err)
	}
	if err := p.start(&head{Guards: s.guards, Limits: s.config.Limits, Root: root, Seen: []string{s.standard.Root(), s.standard.Exports()}}); err != nil {
		return fail(err)
	}
	_, err = p.run(context.Background(), &order{Last: true}, func(uint64) { fmt.Println(p.cmd.Process.Pid) })
	return fail(err)
}
