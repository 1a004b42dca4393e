// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// A farm of many machines, simulated: events in a heap, no clock. It has what decides how long a farm takes (the order of tasks, the cost of
// each in the server and in the worker, leases, machines that vanish, tasks that are doubled), with measured figures; it has no network, whose
// bytes are few. doc/farm-figures.md is written from it.

// rates are what was measured (doc/farm.md, "What it costs").
type rates struct {
	dispatch, result float64 // seconds of the server for a task, when it is given out and when its result comes; one task after the other
	start            float64 // seconds of a worker for a task beside the work: the process, and what the worker does
	lease            float64 // seconds
	doubled          float64 // seconds after which a free worker does a task a second time
	again            float64 // share of tasks that are done a second time
}

var measured = rates{dispatch: 0.0003, result: 0.00045, start: 0.24, lease: 30, doubled: 30, again: 0.01}

// sharing is measured for mutants, whose processes have compiled what they have in common.
var sharing = func() rates {
	r := measured
	r.start = 0.11
	return r
}()

// fleet is what a farm has, and what its machines do.
type fleet struct {
	machines, slots int
	lasts           float64 // mean seconds until a machine vanishes; 0: they do not. Another one is there after a minute
	servers         int     // farms that share the tasks by -shard
}

// job is a task: seconds of a core, and what the server believes them to be, from the last time.
type job struct{ cost, believed float64 }

// seen is what came of a simulation.
type seen struct {
	wall       float64
	executions int
	server     float64 // share of the time in which the busiest server is busy
}

type event struct {
	at      float64
	machine int // whose slot, or which machine
	slot    int
	what    int
	job     int
	started int // of the machine's lives
}

const (
	evFree   = iota // a slot asks for a task
	evDone          // a slot has done its task
	evStored        // the result is stored
	evVanish        // a machine vanishes
	evReturn        // another one is in its place
	evLease         // the lease of a task ends that a vanished machine had
)

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, k int) bool { return e[i].at < e[k].at }
func (e events) Swap(i, k int)      { e[i], e[k] = e[k], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// simulation is one farm at work.
type simulation struct {
	fleet
	rates
	rng      *rand.Rand
	jobs     []job
	waiting  []int // jobs that nobody does, the longest last
	events   events
	serverAt float64 // when the server has done what it was asked so far
	busy     float64
	lives    []int // of each machine
	doing    map[[2]int]int
	begun    []float64 // when a job was begun last; -1: never
	copies   []int
	done     []bool
	left     int
	idle     [][2]int // slots that have nothing to do
	seen
}

// simulate runs one farm.
func simulate(f fleet, r rates, jobs []job, seed uint64) seen {
	s := &simulation{fleet: f, rates: r, rng: rand.New(rand.NewPCG(seed, 1)), jobs: jobs, lives: make([]int, f.machines), doing: map[[2]int]int{},
		begun: make([]float64, len(jobs)), copies: make([]int, len(jobs)), done: make([]bool, len(jobs)), left: len(jobs)}
	for i := range jobs {
		s.waiting = append(s.waiting, i)
	}
	slices.SortStableFunc(s.waiting, func(a, b int) int { return cmp.Compare(jobs[a].believed, jobs[b].believed) })
	for m := range f.machines {
		s.arrive(m, 0)
	}
	for s.left > 0 {
		e := heap.Pop(&s.events).(event)
		s.step(&e)
	}
	s.server = s.busy / s.wall
	return s.seen
}

func (s *simulation) plan(e event) { heap.Push(&s.events, e) }

func (s *simulation) arrive(machine int, at float64) {
	for slot := range s.slots {
		s.plan(event{at: at, machine: machine, slot: slot, what: evFree, started: s.lives[machine]})
	}
	if s.lasts > 0 {
		s.plan(event{at: at + s.rng.ExpFloat64()*s.lasts, machine: machine, what: evVanish})
	}
}

// serve is when the server has done something that takes a time.
func (s *simulation) serve(at, takes float64) float64 {
	s.serverAt = max(s.serverAt, at) + takes
	s.busy += takes
	return s.serverAt
}

func (s *simulation) step(e *event) {
	slot := [2]int{e.machine, e.slot}
	switch e.what {
	case evFree:
		if s.lives[e.machine] == e.started {
			s.take(slot, e)
		}
	case evDone:
		if s.lives[e.machine] == e.started {
			delete(s.doing, slot)
			e.at, e.what = s.serve(e.at, s.result), evStored
			s.plan(*e)
			e.what = evFree
			s.plan(*e)
		}
	case evStored:
		if !s.done[e.job] {
			s.done[e.job] = true
			s.left--
			s.wall = e.at
			if s.rng.Float64() < s.again {
				s.executions++ // its time is in take: each task takes longer by the share
			}
		}
	case evVanish:
		s.lives[e.machine]++
		for k := range s.slots {
			if at, ok := s.doing[[2]int{e.machine, k}]; ok {
				delete(s.doing, [2]int{e.machine, k})
				s.plan(event{at: e.at + s.lease*s.rng.Float64(), what: evLease, job: at})
			}
		}
		s.idle = slices.DeleteFunc(s.idle, func(i [2]int) bool { return i[0] == e.machine })
		s.plan(event{at: e.at + 60, machine: e.machine, what: evReturn})
	case evReturn:
		s.arrive(e.machine, e.at)
	case evLease:
		if !s.done[e.job] {
			s.waiting = append(s.waiting, e.job)
			s.wake(e.at)
		}
	}
}

// take gives a slot a task, or the longest that is being done and takes long already.
func (s *simulation) take(slot [2]int, e *event) {
	next := -1
	for next < 0 && len(s.waiting) > 0 {
		last := len(s.waiting) - 1
		if at := s.waiting[last]; !s.done[at] {
			next = at
		}
		s.waiting = s.waiting[:last]
	}
	if next < 0 {
		for _, at := range s.doing {
			if !s.done[at] && s.copies[at] < 2 && e.at-s.begun[at] > s.doubled && (next < 0 || s.begun[at] < s.begun[next] || s.begun[at] == s.begun[next] && at < next) {
				next = at
			}
		}
	}
	if next < 0 {
		s.idle = append(s.idle, slot)
		if len(s.doing) > 0 && s.doubled < math.Inf(1) && len(s.idle) == 1 { // it looks again
			s.idle = s.idle[:0]
			e.at += 5
			s.plan(*e)
		}
		return
	}
	s.executions++
	s.copies[next]++
	at := s.serve(e.at, s.dispatch)
	s.begun[next], s.doing[slot] = at, next
	s.plan(event{at: at + s.start + s.jobs[next].cost*(1+s.again), machine: slot[0], slot: slot[1], what: evDone, job: next, started: s.lives[slot[0]]})
}

// wake lets a slot that has nothing to do ask again.
func (s *simulation) wake(at float64) {
	if len(s.idle) > 0 {
		slot := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		s.plan(event{at: at, machine: slot[0], slot: slot[1], what: evFree, started: s.lives[slot[0]]})
	}
}

// The simulation against what can be computed by hand, and against a farm that was measured.
func TestFleet_AgreesWithWhatIsKnown(t *testing.T) {
	same := func(n int, cost float64) (list []job) {
		for range n {
			list = append(list, job{cost, cost})
		}
		return list
	}
	free := rates{lease: 30, doubled: math.Inf(1)}
	for _, c := range []struct {
		name      string
		f         fleet
		r         rates
		jobs      []job
		low, high float64
	}{
		{"one slot", fleet{machines: 1, slots: 1}, free, same(10, 2), 20, 20},
		{"as many slots as tasks", fleet{machines: 5, slots: 2}, free, same(10, 2), 2, 2},
		{"one task more than slots", fleet{machines: 5, slots: 2}, free, same(11, 2), 4, 4},
		{"longest first", fleet{machines: 1, slots: 2}, free, append(same(4, 1), job{4, 4}), 4, 4},
		{"longest last", fleet{machines: 1, slots: 2}, free, append(same(4, 1), job{4, 0}), 6, 6},
		{"a server that is busy", fleet{machines: 100, slots: 10}, rates{dispatch: 0.01, result: 0.01, lease: 30, doubled: math.Inf(1)}, same(1000, 0.1), 20, 20.2},
		{"a second for the start", fleet{machines: 1, slots: 1}, rates{start: 1, lease: 30, doubled: math.Inf(1)}, same(10, 2), 30, 30},
		// 600 tasks that sleep 20 ms, on a prototype of this farm: one worker 13.71 s, four workers 3.48 s.
		{"measured, one worker", fleet{machines: 1, slots: 1}, rates{dispatch: 0.0012, result: 0.0012, lease: 30, doubled: 30}, same(600, 0.02), 12.3, 15},
		{"measured, four workers", fleet{machines: 4, slots: 1}, rates{dispatch: 0.0012, result: 0.0012, lease: 30, doubled: 30}, same(600, 0.02), 3.1, 3.9},
	} {
		got := simulate(c.f, c.r, c.jobs, 1)
		if got.wall < c.low-1e-9 || got.wall > c.high+1e-9 || got.executions < len(c.jobs) {
			t.Errorf("%s: %.3f s and %d executions, want %.1f to %.1f s", c.name, got.wall, got.executions, c.low, c.high)
		}
	}
	steady := simulate(fleet{machines: 10, slots: 4}, measured, same(4000, 5), 1)
	vanishing := simulate(fleet{machines: 10, slots: 4, lasts: 300}, measured, same(4000, 5), 1)
	if vanishing.executions <= steady.executions || vanishing.wall < steady.wall || vanishing.wall > 2*steady.wall {
		t.Errorf("machines that vanish: %+v, without: %+v", vanishing, steady)
	}
}

// costs are the measured costs of tasks (testdata/costs.json).
type costs map[string][]struct {
	Name    string
	Tasks   int
	Seconds float64
}

// load gives n tasks of a kind with the distribution that was measured; 0: those that were measured. A server believes that a task takes
// what the last one of its collection took: that is within a third here.
func (c costs) load(kind string, n int) []job {
	rng := rand.New(rand.NewPCG(35, 1))
	var all, list []job
	for _, one := range c[kind] {
		for range one.Tasks {
			all = append(all, job{one.Seconds, one.Seconds * (0.67 + 0.66*rng.Float64())})
		}
	}
	if n == 0 {
		return all
	}
	for range n {
		list = append(list, all[rng.IntN(len(all))])
	}
	return list
}

func human(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", seconds)
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", seconds)
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

const figuresHead = `# What more machines would do: a simulation

Nobody has run a farm of 64 machines here. This page is computed by a simulation of one (internal/farm/gateway/fleet_test.go, which also writes this page), from figures that were
measured on two cores: what tasks cost (internal/farm/gateway/testdata/costs.json, from the records of doc/mutants.md, doc/scopes.md and doc/study-policies.md), and what the farm costs beside the work
(doc/farm.md): %g ms of the server for a task, one after the other, and %g s of a worker, which starts a process and compiles the collection for each, or %g s for a mutant, of which a process does several. The order is the real one, longest first by the last known cost, which
is taken to be wrong by up to a third; leases are %g s; tasks that take more than %g s are doubled at the end; one in a hundred is done twice.

A machine has 16 cores and does 16 tasks at a time. Where machines vanish, each does so after half an hour on average, without a word, and another one is there a minute later. The network is not simulated:
tasks and results are a few kB each.

| work | machines | takes | times as fast as one | of the cores, busy with the work | executions a task | the server is busy |
|---|---:|---:|---:|---:|---:|---:|
`

const figuresFoot = `
What follows from it:

* **One to four machines**: one server, and nothing to decide: where there are many tasks, the cores are busy with the work.
* **A few long tasks** set the end, however many machines there are: the study of policies takes as long as its longest cell, and the 2,560 mutants as long as the longest of them.
* **64 machines**: the long tasks are first, so the short ones come together at the end, and then the machines wait for the server, which gives out one after the other. From here on tasks should take a second and more.
* **1,000 machines** are wasted on such tasks with one server, which is busy all the time. Several servers, each with a share of the packages (` + "`-shard`" + `, doc/ci.md) and one store for all of them (` + "`pangolind serve -store`" + `), are
  faster; the longest task is the limit then. Several tasks in one message would be another way, which is not built.
* **Machines that vanish** cost the work that they had begun, and at the end the time of a lease and of the longest task once more. That shows where all of it takes a minute.

# An hour of one server: measured

A server that was asked for 5 tasks a second for an hour, most of them new, by a command and two workers that came and went, each for a minute or half of one
(` + "`go test ./cmd/pangolind -run Soak -soak 1h -timeout 0 -v`" + `, on two cores at load 20 to 30, before ` + "`-nats`" + ` and ` + "`-oidc-issuer`" + ` were there): 17,420 tasks asked for, 12,634 results. Memory in use, as the system counts it:

| after | MB in memory | goroutines | results |
|---:|---:|---:|---:|
| 5 min | 54 | 63 | 1,070 |
| 10 min | 66 | 65 | 2,076 |
| 15 min | 66 | 65 | 3,062 |
| 20 min | 87 | 64 | 4,237 |
| 25 min | 73 | 65 | 5,402 |
| 30 min | 89 | 68 | 6,436 |
| 35 min | 72 | 65 | 7,293 |
| 40 min | 82 | 65 | 8,362 |
| 45 min | 72 | 65 | 9,610 |
| 50 min | 81 | 65 | 10,526 |
| 55 min | 65 | 65 | 11,759 |
| 60 min | 74 | 68 | 12,628 |

At most it was 102 MB, of 240 samples; the limit of the test is 200 MB. The median was 73 MB in the second quarter of the time and 81 MB in the last, so it goes up and down by 15 MB with what is collected, and not up with the results, of which
some hundred bytes each stay. A day has not been run.
`

// The page of figures is what the simulation gives.
func TestFleet_PageIsTrue(t *testing.T) {
	level.SkipShort(t, "some millions of events")
	text, err := os.ReadFile("testdata/costs.json")
	if err != nil {
		t.Fatal(err)
	}
	var c costs
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, figuresHead, 1000*(measured.dispatch+measured.result), measured.start, sharing.start, measured.lease, measured.doubled)
	for _, w := range []struct {
		name   string
		rates  rates
		jobs   []job
		fleets []fleet
	}{
		{"2,560 mutants of 34 collections, as measured", sharing, c.load("mutants", 0), []fleet{{machines: 1}, {machines: 4}, {machines: 64}, {machines: 64, lasts: 1800}}},
		{"76 cells of the study of policies, as measured", measured, c.load("policies", 0), []fleet{{machines: 1}, {machines: 4}, {machines: 64}}},
		{"100,000 mutants, costs as measured", sharing, c.load("mutants", 100_000), []fleet{{machines: 1}, {machines: 4}, {machines: 64}, {machines: 64, lasts: 1800}, {machines: 1000}, {machines: 1000, servers: 16}, {machines: 1000, servers: 16, lasts: 1800}}},
		{"100,000 types of a large repository, costs as measured of scopes", measured, c.load("scopes", 100_000), []fleet{{machines: 1}, {machines: 4}, {machines: 64}, {machines: 1000}, {machines: 1000, servers: 16}}},
	} {
		one := 0.0
		work := 0.0
		for _, j := range w.jobs {
			work += j.cost
		}
		for _, f := range w.fleets {
			f.slots = 16
			got := farms(f, w.rates, w.jobs)
			if f.machines == 1 {
				one = got.wall
			}
			name := fmt.Sprint(f.machines)
			if f.servers > 1 {
				name += fmt.Sprintf(" with %d servers", f.servers)
			}
			if f.lasts > 0 {
				name += ", which vanish"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %.1f | %.0f %% | %.3f | %.0f %% |\n", w.name, name, human(got.wall), one/got.wall, 100*work/(got.wall*float64(f.machines*f.slots)),
				float64(got.executions)/float64(len(w.jobs)), 100*got.server)
		}
	}
	b.WriteString(figuresFoot)
	page := filepath.Join("../../../doc", "farm-figures.md")
	if flags.Update() {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := os.ReadFile(page); err != nil || string(was) != b.String() {
		t.Errorf("doc/farm-figures.md is not what the simulation gives (%v): go test ./internal/farm/gateway -run Fleet -update", err)
	}
}

// farms are several servers, each with a share of the machines and of the tasks.
func farms(f fleet, r rates, jobs []job) (worst seen) {
	n := max(f.servers, 1)
	shares := make([][]job, n)
	for i, j := range jobs { // as -shard, by the believed cost, in turn
		shares[i%n] = append(shares[i%n], j)
	}
	for i, share := range shares {
		one := f
		one.machines = f.machines / n
		if i < f.machines%n {
			one.machines++
		}
		got := simulate(one, r, share, uint64(i+1))
		worst.executions += got.executions
		worst.wall, worst.server = max(worst.wall, got.wall), max(worst.server, got.server)
	}
	return worst
}
