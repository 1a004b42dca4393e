// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/farm"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// faults are pieces of queueSource and what stands in their place in a mutant.
var faults = [][2]string{
	{"q.items = append(q.items, x)", "q.items = append(q.items, x, x)"},
	{"q.items = q.items[1:]", "q.items = q.items[:0]"},
	{"len(q.items) == 0", "len(q.items) != 0"},
	{"x := q.items[0]", "x := q.items[len(q.items)-1]"},
	{"return x, true", "return x, false"},
	{"q.items = append(q.items, x)", "q.items = append(q.items, x+0)"},
	{"q.items = append(q.items, x)", "q.items = append(q.nothing, x)"},
}

// shares lets some processes wait, for as long as a busy machine takes.
func (s *Sandbox) shares(processes int) {
	s.config.Waiting = processes
	s.waiting = &waiting{most: processes, patience: time.Hour}
}

// mutants are jobs about the faults, for a job about the type without a fault.
func mutants(t testing.TB, of *farm.Job) (list []*farm.Job) {
	t.Helper()
	for i, f := range faults {
		var one task.Task
		if err := json.Unmarshal(of.Task, &one); err != nil {
			t.Fatal(err)
		}
		scope := engine.Scope{Preempt: -1}
		scope.Clients.Threads.From, scope.Clients.Threads.To, scope.Clients.Steps.From, scope.Clients.Steps.To, scope.Clients.Values = 1, 2, 1, 3, 3
		text := strings.Replace(queueSource, f[0], f[1], 1)
		one.Mutant = &task.Mutant{Fault: verdict.Mutant{ID: i + 1, File: "queue.go", Line: 12}, Text: []byte(text), Stages: []task.Stage{{Scope: scope, Search: one.Terms.Search}}}
		encoded, err := json.Marshal(&one)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &farm.Job{Task: encoded, Bundle: of.Bundle})
	}
	return list
}

// Mutants of one collection have the same results, in whatever order, from one process that does all and from one process for each.
func TestRun_OneProcessForMutants(t *testing.T) {
	s := box(t)
	s.shares(2)
	defer s.Close()
	of, verified := job(t, sources(t, simple), "Queue")
	list := mutants(t, of)
	var want []string
	for _, j := range list {
		fresh := *j
		fresh.Fresh = true
		out, err := s.Run(t.Context(), &fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(out.Same)+string(out.Text[:1]))
	}
	if len(s.waiting.list) > 0 {
		t.Error("a process of a fresh job waits")
	}
	fates := map[string]bool{}
	for round := range 2 {
		for i := range list {
			if round == 1 {
				i = len(list) - 1 - i
			}
			out, err := s.Run(t.Context(), list[i], nil)
			if err != nil || string(out.Same)+string(out.Text[:1]) != want[i] {
				t.Errorf("%s: %v: %s, want %s", faults[i][1], err, out.Same, want[i])
			}
			fates[string(out.Same)] = true
		}
	}
	all := 2 * len(list)
	if len(fates) < 4 || len(s.waiting.list) != 1 || s.waiting.list[0].done != all {
		t.Errorf("%d results that differ; %d processes wait, want one that has done all", len(fates), len(s.waiting.list))
	}
	for range 2 { // the collection itself is done by another process
		out, err := s.Run(t.Context(), of, nil)
		if err != nil || string(out.Same) != verified {
			t.Errorf("%v: %s", err, out.Same)
		}
	}
	if len(s.waiting.list) != 2 || s.waiting.list[0].done != all || s.waiting.list[1].done != 2 {
		t.Errorf("%d processes wait; want one that has done a task about the collection twice beside the one for mutants", len(s.waiting.list))
	}
	s.Close()
	if left, _ := filepath.Glob(filepath.Join(s.config.Dir, "task-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Only jobs with the same bundle share a process: those about the code itself, and those whose tasks are the same but for the mutant. The result of the process is
// its number.
func TestRun_SharesAProcessOnlyWithinAKind(t *testing.T) {
	s := box(t)
	s.config.Command, s.guards = []string{exe(t), "misbehave", "number"}, Guards{}
	s.shares(3)
	defer s.Close()
	dir := sources(t, simple)
	of, _ := job(t, dir, "Queue")
	list := mutants(t, of)
	more := map[string]string{"go.mod": simple["go.mod"], "queue.go": queueSource + "\n// another comment\n"}
	changed, _ := job(t, sources(t, more), "Queue")
	edited := func(edit func(*task.Task)) *farm.Job {
		var one task.Task
		if err := json.Unmarshal(list[0].Task, &one); err != nil {
			t.Fatal(err)
		}
		edit(&one)
		text, _ := json.Marshal(&one)
		return &farm.Job{Task: text, Bundle: of.Bundle}
	}
	number := func(j *farm.Job) string {
		out, err := s.Run(t.Context(), j, nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(out.Text)
	}
	text := func(edit func(mutant string) string) *farm.Job {
		return &farm.Job{Task: []byte(edit(string(list[0].Task))), Bundle: of.Bundle}
	}
	first := number(list[0])
	for name, j := range map[string]*farm.Job{
		"bundle":     {Task: list[1].Task, Bundle: changed.Bundle},
		"terms":      edited(func(one *task.Task) { one.Terms.Search.MaxStates++ }),
		"type":       edited(func(one *task.Task) { one.Wishes.Threads++ }),
		"property":   edited(func(one *task.Task) { one.Properties = []verdict.Property{verdict.Quiescent} }),
		"no mutant":  of,
		"fresh":      {Task: list[1].Task, Bundle: of.Bundle, Fresh: true},
		"not a task": {Task: []byte(`{"Mutant":`), Bundle: of.Bundle},
		// A repeated key adds to what the first one has set, in whatever letters it is written; the last null holds.
		"repeated key":      text(func(m string) string { return `{"Terms":{"Search":{"Variant":7}},` + m[1:] }),
		"key in lower case": text(func(m string) string { return m[:len(m)-1] + `,"terms":{"Search":{"Variant":7}}}` }),
		"null at the end":   text(func(m string) string { return m[:len(m)-1] + `,"mutant":null}` }),
	} {
		if number(j) == first {
			t.Errorf("another %s is done by the same process", name)
		}
		if number(list[2]) != first {
			if first = number(list[0]); first != number(list[2]) {
				t.Errorf("after another %s, mutants of one kind are done by different processes", name)
			}
		}
	}
	code := number(of)
	if wide := edited(func(one *task.Task) { one.Mutant, one.Terms.Search.MaxStates = nil, 7 }); number(wide) != code {
		t.Error("two tasks about the same sources are done by different processes")
	}
	if other, _ := job(t, sources(t, more), "Queue"); number(other) == code {
		t.Error("tasks about different sources are done by the same process")
	}
	for range mostTasks {
		number(list[1])
	}
	if number(list[1]) == first {
		t.Error("a process does tasks without end")
	}
}

// However a process ends that has done another task, the next one is done by a new process, and there is nothing to see of it.
func TestRun_EndingsOfUsedProcessesDoNotCount(t *testing.T) {
	of, _ := job(t, sources(t, simple), "Queue")
	list := mutants(t, of)
	for _, how := range []string{"panic", "refused", "stale", "garbage", "gone"} {
		s := box(t)
		s.config.Command, s.guards = []string{exe(t), "misbehave", "number", how}, Guards{}
		s.shares(1)
		var numbers []string
		for _, j := range list[:3] {
			out, err := s.Run(t.Context(), j, nil)
			if err != nil {
				t.Fatalf("%s: %v", how, err)
			}
			numbers = append(numbers, string(out.Text))
		}
		slices.Sort(numbers)
		if len(slices.Compact(numbers)) != 3 {
			t.Errorf("%s: a process that had ended has a result: %s", how, numbers)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Run(ctx, list[0], nil); err == nil {
			t.Errorf("%s: a job that was cancelled has a result", how)
		}
		s.Close()
		if left, _ := filepath.Glob(filepath.Join(s.config.Dir, "task-*")); len(left) > 0 {
			t.Errorf("%s: left behind: %v", how, left)
		}
	}
}

// Limits on time are those of a task, not of a process. A process that may leave the next task too little CPU time or memory ends.
func TestRun_UsedProcessesLeaveTasksTheirLimits(t *testing.T) {
	of, _ := job(t, sources(t, simple), "Queue")
	one := mutants(t, of)[0]
	for _, c := range []struct {
		how         string
		limits      Limits
		least, most int // processes that do six tasks
	}{
		{"slow", Limits{Wall: time.Minute, Stuck: time.Minute}, 1, 1},
		{"slow", Limits{Wall: 700 * time.Millisecond, Stuck: time.Minute}, 1, 1}, // six tasks take 1.2 s
		{"slow", Limits{Wall: time.Minute, Stuck: 700 * time.Millisecond}, 1, 1},
		{"slow", Limits{CPU: 3 * time.Second, Wall: time.Minute, Stuck: time.Minute}, 3, 6}, // a process may do tasks for three eighths of a second
		{"fat", Limits{Memory: 512 << 20, Wall: time.Minute, Stuck: time.Minute}, 6, 6},
	} {
		s := box(t)
		s.config.Command, s.guards = []string{exe(t), "misbehave", "number", c.how}, Guards{}
		s.shares(1)
		s.config.Limits = c.limits
		s.config.Limits.complete()
		numbers := map[string]bool{}
		for range 6 {
			out, err := s.Run(t.Context(), one, nil)
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			numbers[string(out.Text)] = true
		}
		s.Close()
		if len(numbers) < c.least || len(numbers) > c.most {
			t.Errorf("%+v: %d processes", c, len(numbers))
		}
	}
}

// A job that is cancelled ends a process that has done another one, and the next job has a new one. A result that another run may not have does not come from
// a used process.
func TestRun_UsedProcessesAreGivenUp(t *testing.T) {
	of, _ := job(t, sources(t, simple), "Queue")
	list := mutants(t, of)
	for _, how := range []string{"still", "limited"} {
		s := box(t)
		s.config.Command, s.guards = []string{exe(t), "misbehave", "number", how}, Guards{}
		s.shares(1)
		var numbers []string
		for i, j := range list[:3] {
			ctx, cancel := context.WithCancel(t.Context())
			if how == "still" && i == 1 {
				time.AfterFunc(200*time.Millisecond, cancel)
			}
			out, err := s.Run(ctx, j, nil)
			cancel()
			switch {
			case how == "still" && i == 1:
				if ended := (*Ended)(nil); !errors.As(err, &ended) || ended.How != Cancelled {
					t.Errorf("a job that was cancelled: %+v, %v", out, err)
				}
			case err != nil || !out.Lasting:
				t.Fatalf("%s: %+v, %v", how, out, err)
			default:
				numbers = append(numbers, string(out.Text))
			}
		}
		slices.Sort(numbers)
		if n := len(numbers); len(slices.Compact(numbers)) != n {
			t.Errorf("%s: a process that was given up has a result: %s", how, numbers)
		}
		s.Close()
		if left, _ := filepath.Glob(filepath.Join(s.config.Dir, "task-*")); len(left) > 0 {
			t.Errorf("%s: left behind: %v", how, left)
		}
	}
}

// numbered is a process whose results are its number. It does one order well; how says what it does with the second one, or with each.
func numbered(o order, more *json.Decoder, how string, write func(*line)) int {
	r := &result{Text: fmt.Append(nil, os.Getpid()), Same: []byte("{}"), Lasting: true}
	var fat []byte
	for n := 1; ; n++ {
		switch how {
		case "slow":
			time.Sleep(200 * time.Millisecond)
		case "fat":
			fat = bytes.Repeat([]byte{1}, 64<<20)
		}
		if n > 1 {
			switch how {
			case "still":
				time.Sleep(time.Hour)
			case "limited":
				r.Lasting = false
			case "panic":
				panic("planted")
			case "refused":
				write(&line{Refused: "planted"})
				return 0
			case "garbage":
				fmt.Println("verified")
			case "gone":
				return 0
			}
		}
		if n == 1 || how != "stale" { // else the result is that of the first order
			r.Digest = r.sum(o.Digest)
		}
		write(&line{Result: r})
		runtime.KeepAlive(fat)
		if o.Last || more.Decode(&o) != nil {
			return 0
		}
	}
}
