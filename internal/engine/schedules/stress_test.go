// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
// are drawn and histories judged as for schedules. Nothing can be followed: what is asked for again is what has been seen.
type stressed struct {
	binary, dir string
	seen        native.Sample
	client      native.Client // whose executions have been seen
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
	cmd := exec.CommandContext(ctx, s.binary, "-test.run=^TestPangolinStress$")
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "PANGOLIN_STRESS="+string(asked), "GORACE=halt_on_error=1")
	var out, crash strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &crash
	err = cmd.Run()
	var answer native.Sample
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case errors.As(err, &failed) && strings.Contains(crash.String(), "WARNING: DATA RACE"):
		answer = native.Sample{Made: 1, Drawn: []native.Drawn{{Races: []native.Outcome{{Accesses: []string{"write at f.go:1 in f", "read at f.go:1 in f"}}}}}}
	case errors.As(err, &failed):
		text := crash.String()
		if at := strings.Index(text, "panic: "); at >= 0 {
			text = text[at:]
		}
		answer = native.Sample{Made: 1, Drawn: []native.Drawn{{Ending: native.Panic, Text: text, Thread: 1}}}
	case err != nil:
		return answer, err
	default:
		line, _, _ := strings.Cut(out.String(), "\n")
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			return answer, fmt.Errorf("%w: %s", err, line)
		}
	}
	s.seen, s.client = answer, q.Client
	return answer, nil
}

func (s *stressed) Alone(context.Context, []native.Call, int) (native.Sequential, error) {
	return native.Sequential{}, errors.New("a stress test needs the oracle of a kind")
}

func (s *stressed) Restart() {}

func (s *stressed) Close() { os.Remove(s.binary) }

// stressText orders calls by the clock, not by atomic operations: those would order the accesses that race.
const stressText = `package PACKAGE

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
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
}

var stressBegan = time.Now()

func TestPangolinStress(t *testing.T) {
	var q struct {
		Client struct {
			Pre     []stressCall
			Threads [][]stressCall
		}
		Count int
	}
	if err := json.Unmarshal([]byte(os.Getenv("PANGOLIN_STRESS")), &q); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Drawn []stressDrawn
		Made  int
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
		if hangs {
			break
		}
	}
	text, _ := json.Marshal(answer)
	os.Stdout.Write(append(text, '\n'))
}

func stressOnce(pre []stressCall, threads [][]stressCall) (d stressDrawn, hangs bool) {
	on := NEW()
	do := func(c stressCall) []string {
		switch c.Op {
CASES		}
		panic("no such operation")
	}
	d = stressDrawn{Results: make([][][]string, len(threads)+1), Ending: "exit"}
	for _, c := range pre {
		d.Results[0] = append(d.Results[0], do(c))
	}
	var ready atomic.Int64
	var wg sync.WaitGroup
	events := make([]chan stressEvent, len(threads))
	results := make([]chan []string, len(threads))
	for i, calls := range threads {
		events[i], results[i] = make(chan stressEvent, 2*len(calls)), make(chan []string, len(calls))
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
				results[i] <- r
			}
		})
	}
	done := make(chan bool)
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		d.Ending, hangs = "deadlock", true
	}
	for i := range threads {
		for len(results[i]) > 0 {
			d.Results[i+1] = append(d.Results[i+1], <-results[i])
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
