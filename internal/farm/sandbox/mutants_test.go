// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pangolin"
	"pangolin/internal/farm"
	"pangolin/internal/farm/bundle"
	"pangolin/internal/find"
	"pangolin/internal/task"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// ownOracles is a package whose mutants are judged by an oracle that executes code: by what the type itself does with a goroutine beside it and
// with strings that it makes, by a type that the user wrote, and by one that is given the observed results.
var ownOracles = map[string]string{"go.mod": "module m\n\ngo 1.26\n", "own.go": `package own

import (
	"strconv"
	"sync"
)

// Sum is a number that a goroutine adds to.
type Sum struct {
	mu       sync.Mutex
	sum      int
	in, done chan int
}

func NewSum() *Sum {
	s := &Sum{in: make(chan int), done: make(chan int)}
	go s.serve()
	return s
}

func (s *Sum) serve() {
	for x := range s.in {
		s.mu.Lock()
		s.sum += x
		sum := s.sum
		s.mu.Unlock()
		s.done <- sum
	}
}

func (s *Sum) Add(x int) int {
	s.in <- x
	return <-s.done
}

func (s *Sum) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return "sum " + strconv.Itoa(s.sum)
}

// Counter counts.
//
//pangolin:kind object
//pangolin:oracle plain
type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

func (c *Counter) Back() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		return false
	}
	c.n--
	return true
}

type plain struct{ n int }

func (p *plain) Next() int {
	p.n++
	return p.n
}

func (p *plain) Back() bool {
	had := p.n > 0
	if had {
		p.n--
	}
	return had
}

// Bag holds items in no order.
//
//pangolin:kind object
//pangolin:oracle seen
type Bag struct {
	mu    sync.Mutex
	items []int
}

func (b *Bag) Put(x int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, x)
	return true
}

func (b *Bag) Get() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 0 {
		return 0, false
	}
	x := b.items[0]
	b.items = b.items[1:]
	return x, true
}

type seen struct{ of [8]int }

func (s *seen) Put(x int, ok bool) bool {
	s.of[x&7]++
	return ok
}

func (s *seen) Get(x int, ok bool) bool {
	if !ok {
		return s.of == [8]int{} && x == 0
	}
	s.of[x&7]--
	return s.of[x&7] >= 0
}
`}

// judgedMutants are jobs about mutants as the command makes them, and what the command says of them without a farm.
func judgedMutants(t *testing.T, r pangolin.Request, most int) (jobs []*farm.Job, here []string) {
	t.Helper()
	ctx := find.NewAnswers().Within(t.Context())
	var mu sync.Mutex
	sources, ids := map[int]*farm.Job{}, []int(nil)
	far := r
	far.Events.Elsewhere = func(ctx context.Context, a *task.Away) (task.Sent, error) {
		mu.Lock()
		defer mu.Unlock()
		one := a.Task
		job, sent, err := packed(ctx, r.Dir, one)
		if err == nil {
			sources[one.Mutant.Fault.ID] = job
		}
		return sent, err
	}
	for i, from := range []pangolin.Request{far, r} {
		_, err := pangolin.Mutate(ctx, from, pangolin.Mutation{Max: most, Mutant: func(m verdict.Mutant) {
			if m.Outcome == verdict.Invalid {
				return
			}
			if i == 0 {
				ids = append(ids, m.ID)
				return
			}
			m.Seconds = 0
			text, err := json.Marshal(&m)
			if err != nil {
				t.Fatal(err)
			}
			here = append(here, string(text))
		}})
		if err != nil {
			t.Fatalf("%v: %v", r.Packages, err)
		}
	}
	for _, id := range ids {
		jobs = append(jobs, sources[id])
	}
	return jobs, here
}

// Each mutant of a collection has the same result from a process of its own, from a process that has judged others before, in any order, and from the
// command without a farm.
func TestRun_MutantsHaveTheirResultsInAnyOrder(t *testing.T) {
	level.SkipShort(t, "verifies mutants, four times each")
	s := box(t)
	s.shares(1)
	defer s.Close()
	own := sources(t, ownOracles)
	most, total := 4, map[string]bool{}
	list := []pangolin.Request{
		{Packages: []string{"pangolin/collections/queue.UnboundedQueue"}},
		{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Oracle: "self"},
		{Dir: own, Type: "Sum", Oracle: "self"},
		{Dir: own, Type: "Bag"},
	}
	if level.More() {
		most = 24
		list = append(list,
			pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}},
			pangolin.Request{Packages: []string{"pangolin/collections/stack.LockFreeStack"}, Engine: "points"},
			pangolin.Request{Packages: []string{"pangolin/collections/list.LazyList"}},
			pangolin.Request{Packages: []string{"pangolin/collections/list.LockFreeList"}, Property: "quiescent"},
			pangolin.Request{Packages: []string{"pangolin/collections/hashset.StripedHashSet"}},
			pangolin.Request{Packages: []string{"pangolin/collections/queue.BoundedQueue"}},
			pangolin.Request{Dir: own, Type: "Counter"})
	}
	for _, r := range list {
		r.Search.NoCache, r.Scope.Config = true, "2x2"
		name := fmt.Sprint(r.Packages, r.Type, r.Engine, r.Oracle)
		jobs, here := judgedMutants(t, r, most)
		want := make([]string, len(jobs))
		result := func(i int, fresh bool) string {
			j := *jobs[i]
			j.Fresh = fresh
			out, err := s.Run(t.Context(), &j, nil)
			if err != nil || !out.Lasting {
				t.Fatalf("%s: mutant %d: %+v, %v", name, i, out, err)
			}
			return string(out.Same)
		}
		for i := range jobs {
			want[i] = result(i, true)
			var r struct{ Mutant verdict.Mutant }
			if err := json.Unmarshal([]byte(want[i]), &r); err != nil {
				t.Fatal(err)
			}
			total[fmt.Sprint(r.Mutant.Outcome, " ", r.Mutant.Class)] = true
			if r.Mutant.Seconds = 0; i < len(here) {
				if text, _ := json.Marshal(&r.Mutant); string(text) != here[i] {
					t.Errorf("%s: a process of its own says of a mutant\n%s\nand the command\n%s", name, text, here[i])
				}
			}
		}
		if len(jobs) != len(here) || len(jobs) < 3 {
			t.Errorf("%s: %d jobs, %d results without a farm", name, len(jobs), len(here))
		}
		random := rand.New(rand.NewPCG(35, 0))
		back := random.Perm(len(jobs))
		slices.Sort(back)
		slices.Reverse(back)
		shared, order := 0, append(back, random.Perm(len(jobs))...)
		for _, i := range order {
			if got := result(i, false); got != want[i] {
				t.Errorf("%s: behind others a mutant has the result\n%s\nand alone\n%s", name, got, want[i])
			}
			if s.waiting.list[0].done > 1 {
				shared++
			}
		}
		if shared < len(order)/2 {
			t.Errorf("%s: of %d mutants only %d were judged behind others", name, len(order), shared)
		}
	}
	if len(total) < 4 {
		t.Errorf("want mutants with more than %d fates: %v", len(total), total)
	}
}

// packed is the job of a task that is not executed, and the answer that the command gets in its place.
func packed(ctx context.Context, dir string, one *task.Task) (*farm.Job, task.Sent, error) {
	b, err := bundle.Make(ctx, dir, one)
	if err != nil {
		return nil, task.Sent{}, err
	}
	text, err := json.Marshal(one)
	if err != nil {
		return nil, task.Sent{}, err
	}
	given, err := one.GivenUp("asked for its text")
	return &farm.Job{Task: text, Bundle: b.Encode()}, task.Sent{Text: given}, err
}

// ordered are jobs about the types of packages, in several scopes and for all properties.
func ordered(t *testing.T, r pangolin.Request, scopes ...string) (jobs []*farm.Job) {
	t.Helper()
	ctx := find.NewAnswers().Within(t.Context())
	var mu sync.Mutex
	for _, scope := range scopes {
		r.Search.NoCache, r.Property, r.Scope.Config = true, "all", scope
		r.Events.Elsewhere = func(ctx context.Context, a *task.Away) (task.Sent, error) {
			mu.Lock()
			defer mu.Unlock()
			job, sent, err := packed(ctx, r.Dir, a.Task)
			if err == nil {
				jobs = append(jobs, job)
			}
			return sent, err
		}
		if _, err := pangolin.Verify(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	return jobs
}

// Each task about some sources has the same result from a process of its own and from one that has done others before, in any order.
func TestRun_TasksHaveTheirResultsInAnyOrder(t *testing.T) {
	level.SkipShort(t, "verifies types, three times each")
	s := box(t)
	s.shares(2)
	defer s.Close()
	packages := []string{"pangolin/collections/conditional"}
	if level.More() {
		packages = []string{"pangolin/collections/stack", "pangolin/collections/queue", "pangolin/collections/conditional"}
	}
	jobs := slices.Concat(ordered(t, pangolin.Request{Dir: sources(t, ownOracles)}, "2x2", "2x3"), ordered(t, pangolin.Request{Packages: packages}, "2x2", "1x4"))
	var want []string
	for _, j := range jobs {
		fresh := *j
		fresh.Fresh = true
		out, err := s.Run(t.Context(), &fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(out.Same))
	}
	random, shared := rand.New(rand.NewPCG(35, 1)), 0
	order := append(random.Perm(len(jobs)), random.Perm(len(jobs))...)
	for _, i := range order {
		out, err := s.Run(t.Context(), jobs[i], nil)
		if err != nil || string(out.Same) != want[i] {
			t.Errorf("behind others a task has the result\n%s\nand alone\n%s: %v", out.Same, want[i], err)
		}
		if last := len(s.waiting.list) - 1; last >= 0 && s.waiting.list[last].done > 1 {
			shared++
		}
	}
	if t.Logf("%d jobs, %d of %d behind others", len(jobs), shared, len(order)); shared < len(order)/2 || len(jobs) < 8 {
		t.Errorf("of %d tasks only %d were done behind others", len(order), shared)
	}
}
