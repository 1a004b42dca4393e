// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/engine/schedules"
	"pangolin/internal/native"
	"pangolin/internal/test/level"
)

// stressTimes is how many executions a stress test makes of a client where others make one: they cost little, and most are alike.
const stressTimes = 40

// stressed executes clients as a stress test does: go test -race, on the runtime as it is, the goroutines let go at the same time. Clients
// are drawn and histories judged as for schedules. Nothing can be followed: what is asked for again is what has been seen. One process answers
// question after question until it crashes or hangs.
type stressed struct {
	binary, dir string
	seen        native.Sample
	client      native.Client // whose executions have been seen
	process     *stressProcess
}

type stressProcess struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *json.Decoder
	crash *strings.Builder
}

func newStressed(ctx context.Context, sub native.Subject) (schedules.Runner, error) {
	h, dir := sub.Harness, sub.Dir
	var cases strings.Builder
	for i, op := range h.Ops {
		args, results, texts := "", "", ""
		for k := range op.Params {
			args += fmt.Sprintf(", int(c.Args[%d])", k)
		}
		for k := range op.Results {
			results += fmt.Sprintf(", r%d", k)
			texts += fmt.Sprintf(", fmt.Sprint(r%d)", k)
		}
		if results != "" {
			results = results[2:] + " := "
		}
		fmt.Fprintf(&cases, "\tcase %d:\n\t\t%s%s(on%s)\n\t\treturn []string{%s}\n", i, results, op.Func, args, strings.TrimPrefix(texts, ", "))
	}
	text := strings.NewReplacer("PACKAGE", h.Package, "NEW", h.New, "CASES", cases.String()).Replace(stressText)
	if !strings.Contains(text, "fmt.Sprint") {
		text = strings.Replace(text, "\t\"fmt\"\n", "", 1)
	}
	for name, text := range map[string]string{h.File: h.Text, "pangolin_stress_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
		defer os.Remove(filepath.Join(dir, name))
	}
	s := &stressed{binary: filepath.Join(dir, "pangolin_stress.test"), dir: dir}
	cmd := exec.CommandContext(ctx, "go", "test", "-race", "-c", "-o", s.binary)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", native.ErrElsewhere, out)
	}
	return s, nil
}

func (s *stressed) Draw(ctx context.Context, q native.Sampling) (native.Sample, error) {
	if q.Trace { // what was found is asked for again, or a smaller client of it
		if reflect.DeepEqual(q.Client, s.client) {
			return s.seen, nil
		}
		return native.Sample{Failed: "a stress test follows nothing"}, nil
	}
	asked, err := json.Marshal(map[string]any{"Client": q.Client, "Count": q.Count * stressTimes})
	if err != nil {
		return native.Sample{}, err
	}
	if s.process == nil {
		if err := s.start(); err != nil {
			return native.Sample{}, err
		}
	}
	p := s.process
	stopped := context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	defer stopped()
	var answer struct {
		native.Sample
		Hangs int
	}
	_, err = p.in.Write(append(asked, '\n'))
	if err == nil {
		err = p.out.Decode(&answer)
	}
	if err != nil {
		p.cmd.Wait() // now what it wrote is there
		s.process = nil
		text := p.crash.String()
		switch at := strings.Index(text, "panic: "); {
		case ctx.Err() != nil:
			return native.Sample{}, ctx.Err()
		case strings.Contains(text, "WARNING: DATA RACE"):
			answer.Sample = native.Sample{Made: 1, Drawn: []native.Drawn{{Races: []native.Outcome{{Accesses: []string{"write at f.go:1 in f", "read at f.go:1 in f"}}}}}}
		case at >= 0:
			answer.Sample = native.Sample{Made: 1, Drawn: []native.Drawn{{Ending: native.Panic, Text: text[at:], Thread: 1}}}
		default:
			answer.Sample = native.Sample{Made: 1, Drawn: []native.Drawn{{Ending: native.Panic, Text: text, Thread: 1}}}
		}
	} else if answer.Hangs > 0 {
		s.Restart()
	}
	s.seen, s.client = answer.Sample, q.Client
	return s.seen, nil
}

func (s *stressed) start() error {
	p := &stressProcess{crash: &strings.Builder{}}
	p.cmd = exec.Command(s.binary, "-test.run=^TestPangolinStress$", "-test.timeout=0")
	p.cmd.Dir, p.cmd.Env = s.dir, append(os.Environ(), "PANGOLIN_STRESS=1", "GORACE=halt_on_error=1")
	p.cmd.Stderr = p.crash
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.out = in, json.NewDecoder(out)
	s.process = p
	return p.cmd.Start()
}

func (s *stressed) Alone(context.Context, []native.Call, int) (native.Sequential, error) {
	return native.Sequential{}, errors.New("a stress test needs the oracle of a kind")
}

func (s *stressed) Restart() {
	if s.process != nil {
		s.process.cmd.Process.Kill()
		s.process.cmd.Wait()
		s.process = nil
	}
}

func (s *stressed) Close() {
	s.Restart()
	os.Remove(s.binary)
}

// stressText orders calls by the clock, not by atomic operations: those would order the accesses that race.
const stressText = `package PACKAGE

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

type stressCall struct {
	Op   int
	Args []int64
}

type stressEvent struct {
	Thread int
	Return bool
	time   time.Duration
}

type stressDrawn struct {
	Results [][][]string
	Events  []stressEvent
	Ending  string
	Unmade  bool
}

var stressBegan = time.Now()

func TestPangolinStress(t *testing.T) {
	for questions := json.NewDecoder(os.Stdin); ; {
		var q struct {
			Client struct {
				Pre     []stressCall
				Threads [][]stressCall
			}
			Count int
		}
		if err := questions.Decode(&q); err != nil {
			os.Exit(0)
		}
		var answer struct {
			Drawn []stressDrawn
			Made  int
			Hangs int
		}
		known := map[string]bool{}
		for range q.Count {
			answer.Made++
			d, hangs := stressOnce(q.Client.Pre, q.Client.Threads)
			text, _ := json.Marshal(d)
			if !known[string(text)] {
				known[string(text)] = true
				answer.Drawn = append(answer.Drawn, d)
			}
			if answer.Hangs += hangs; answer.Hangs >= stressHangs {
				break
			}
		}
		text, _ := json.Marshal(answer)
		os.Stdout.Write(append(text, '\n'))
	}
}

// stressHangs is how many executions of a client may hang before it is the next one's turn.
const stressHangs = 10

// stressOnce makes an execution. It hangs if all of its goroutines wait for each other, or if it has not ended after a second of processors.
func stressOnce(pre []stressCall, threads [][]stressCall) (d stressDrawn, hangs int) {
	d = stressDrawn{Results: make([][][]string, len(threads)+1), Ending: "exit"}
	events := make([]chan stressEvent, len(threads))
	results := make([]chan []string, len(threads)+1)
	results[0] = make(chan []string, len(pre))
	for i, calls := range threads {
		events[i], results[i+1] = make(chan stressEvent, 2*len(calls)), make(chan []string, len(calls))
	}
	made, done := make(chan bool, 1), make(chan bool, 1)
	go func() {
		on := NEW()
		do := func(c stressCall) []string {
			switch c.Op {
CASES			}
			panic("no such operation")
		}
		for _, c := range pre {
			results[0] <- do(c)
		}
		made <- true
		var ready atomic.Int64
		var wg sync.WaitGroup
		for i, calls := range threads {
			wg.Go(func() {
				ready.Add(1)
				for ready.Load() < int64(len(threads)) {
					runtime.Gosched()
				}
				last := time.Duration(-1)
				for _, c := range calls {
					for last >= time.Since(stressBegan) { // a call begins later than the one before has ended
					}
					events[i] <- stressEvent{i + 1, false, time.Since(stressBegan)}
					r := do(c)
					last = time.Since(stressBegan)
					events[i] <- stressEvent{i + 1, true, last}
					results[i+1] <- r
				}
			})
		}
		wg.Wait()
		done <- true
	}()
	for began, used, stuck := time.Now(), stressUsed(), 0; d.Ending == "exit" && len(done) == 0; {
		select {
		case <-done:
			done <- true
		case <-time.After(10 * time.Millisecond):
			if stressWaits() {
				stuck++
			} else {
				stuck = 0
			}
			if stuck == 3 {
				d.Ending, hangs = "deadlock", 1
			} else if stressUsed()-used > time.Second || time.Since(began) > 30*time.Second {
				d.Ending, hangs = "deadlock", stressHangs
			}
		}
	}
	d.Unmade = len(made) == 0
	for len(results[0]) > 0 {
		d.Results[0] = append(d.Results[0], <-results[0])
	}
	for i := range threads {
		for len(results[i+1]) > 0 {
			d.Results[i+1] = append(d.Results[i+1], <-results[i+1])
			d.Events = append(d.Events, <-events[i], <-events[i])
		}
		if len(events[i]) == 1 {
			d.Events = append(d.Events, <-events[i])
		}
	}
	slices.SortStableFunc(d.Events, func(a, b stressEvent) int { // of one moment, what begins is first: then the two overlap
		switch {
		case a.time != b.time:
			return cmp.Compare(a.time, b.time)
		case a.Return == b.Return:
			return 0
		case a.Return:
			return 1
		}
		return -1
	})
	return d, hangs
}

// stressUsed is the processor time of the process.
func stressUsed() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// stressWaits says that all goroutines but this one wait for locks, channels or conditions.
func stressWaits() bool {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	for i, one := range strings.Split(string(text), "\n\n") {
		_, state, _ := strings.Cut(one, "[")
		state, _, _ = strings.Cut(state, "]")
		state, _, _ = strings.Cut(state, ",") // how long
		switch {
		case i == 0, strings.HasPrefix(state, "chan "), strings.HasPrefix(state, "sync."), state == "semacquire":
		default:
			return false
		}
	}
	return true
}
`

// A stress test finds what is wrong often, and nothing in what is right.
func TestStressed_FindsWhatIsWrongOften(t *testing.T) {
	if !level.More() {
		t.Skip("-level more compiles with the race detector")
	}
	for typ, class := range map[string]string{"plain.Racy": "race", "plain.Crossed": "deadlock", "plain.Queue": "", "plain.Odd": "history"} {
		t.Run(typ, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
				t.Fatal(err)
			}
			defer schedules.RunWith(newStressed)()
			v := tested(t, typ, func(r *pangolin.Request) {
				r.Dir, r.Scope.Schedules, r.Scope.Ways, r.Search.NoCache = dir, 20_000, "random", true
				if typ == "plain.Odd" { // else its own code is the oracle, which no stress test executes
					r.Kind = "queue"
				}
			})
			got := ""
			if v.Violation != nil {
				got = v.Violation.Class
			}
			if got != class {
				t.Errorf("%q, want %q (%s)", got, class, v.Reason)
			}
		})
	}
}
