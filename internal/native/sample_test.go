package native

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// sampledSource is what the tests execute: atomics only, plain accesses, a choice, a loop, files.
const sampledSource = `package c

import (
	"os"
	"sync/atomic"
)

type C struct {
	n     atomic.Int64
	plain int
}

func New() *C { return &C{} }

// Torn loses an addition if another comes between.
func (c *C) Torn() int { n := c.n.Load(); c.n.Store(n + 1); return int(n) }

func (c *C) Get() int { return int(c.n.Load()) }

func (c *C) Plain() int { n := c.plain; c.plain = n + 1; return n }

func (c *C) Pick() int {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	select {
	case n := <-a:
		return n
	case n := <-b:
		return n
	}
}

func (c *C) Forever() {
	for i := int64(1); ; i++ {
		c.n.Store(i)
	}
}

// Append writes a byte to a file and returns how many there are.
func (c *C) Append() int {
	f, err := os.OpenFile("log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return -1
	}
	f.Write([]byte("x"))
	s, err := os.Stat("log")
	if err != nil {
		return -2
	}
	return int(s.Size())
}

// Opened returns the number of a new descriptor, which it leaves open.
func (c *C) Opened() int {
	f, err := os.Open(".")
	if err != nil {
		return -1
	}
	return int(f.Fd())
}
`

const (
	opTorn = iota
	opGet
	opPlain
	opPick
	opForever
	opAppend
	opOpened
)

func sampledSubject() Subject {
	sub := Subject{Files: map[string]string{"c.go": sampledSource}, New: "New()", Oracle: "self"}
	for _, name := range []string{"Torn", "Get", "Plain", "Pick", "Forever", "Append", "Opened"} {
		sub.Ops = append(sub.Ops, Op{Name: name})
	}
	return sub
}

// callsOf is a client: a thread for each list of operations.
func callsOf(threads ...[]int) (c Client) {
	c.Threads = [][]Call{}
	for _, ops := range threads {
		calls := []Call{}
		for _, op := range ops {
			calls = append(calls, Call{Op: op, Args: []int64{}})
		}
		c.Threads = append(c.Threads, calls)
	}
	return c
}

func newSampler(t *testing.T) *Sampler {
	s, err := NewSampler(context.Background(), sampledSubject(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// sampleCheck is something that has to be true of samples; it returns what is not.
type sampleCheck struct {
	name  string
	wrong func(s *Sampler) string
}

func drawn(s *Sampler, q Sampling) (Sample, string) {
	if q.Steps == 0 {
		q.Steps = 500
	}
	a, err := s.Draw(context.Background(), q)
	if err != nil {
		return a, err.Error()
	}
	return a, a.Fault
}

var threeWays = []Way{{Random, 0}, {PCT, 3}, {Preempting, 2}}

// repeats says what is wrong with executions followed again.
func repeats(s *Sampler, q Sampling) string {
	a, why := drawn(s, q)
	if why != "" {
		return why
	}
	s.Restart()
	for _, d := range a.Drawn {
		f, why := drawn(s, Sampling{Client: q.Client, Follow: d.Decisions, Sites: d.Sites, Races: q.Races})
		if why += f.Failed; why != "" {
			return why
		}
		if got := f.Drawn[0]; fmt.Sprint(got.Results, got.Events, got.Races, got.Preemptions) != fmt.Sprint(d.Results, d.Events, d.Races, d.Preemptions) {
			return fmt.Sprintf("schedule %d: %v, followed: %v", d.Number, d.Results, got.Results)
		}
	}
	return ""
}

// interleavings are all results of a client, by definition: each order of the steps load and store of two threads that each call Torn once and
// then Get.
func interleavings() (list []string) {
	var from func(n int, at, local [2]int, results [2][]int)
	from = func(n int, at, local [2]int, results [2][]int) {
		done := true
		for t := range 2 {
			if at[t] == 3 {
				continue
			}
			done = false
			m, next, kept, r := n, at, local, results
			switch at[t] {
			case 0:
				kept[t] = n
			case 1:
				m = kept[t] + 1
				r[t] = append(slices.Clone(r[t]), kept[t])
			case 2:
				r[t] = append(slices.Clone(r[t]), n)
			}
			next[t]++
			from(m, next, kept, r)
		}
		if text := fmt.Sprint(results); done && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	from(0, [2]int{}, [2]int{}, [2][]int{})
	slices.Sort(list)
	return list
}

func sampleChecks() []sampleCheck {
	tornAndGet := callsOf([]int{opTorn, opGet}, []int{opTorn, opGet})
	return []sampleCheck{
		{"all results that interleavings have are drawn, and no others", func(s *Sampler) string {
			a, why := drawn(s, Sampling{Client: tornAndGet, Ways: threeWays, Seed: 1, Count: 3000})
			var list []string
			for _, d := range a.Drawn {
				text := fmt.Sprintf("[%v %v]", inner(d.Results[1]), inner(d.Results[2]))
				if !slices.Contains(list, text) {
					list = append(list, text)
				}
			}
			slices.Sort(list)
			if want := interleavings(); why == "" && !slices.Equal(list, want) {
				return fmt.Sprintf("drawn %v, there are %v", list, want)
			}
			return why
		}},
		{"what is drawn is followed again", func(s *Sampler) string {
			return repeats(s, Sampling{Client: tornAndGet, Ways: threeWays, Seed: 2, Count: 300})
		}},
		{"choices and scheduling points of plain accesses are followed again", func(s *Sampler) string {
			return repeats(s, Sampling{Client: callsOf([]int{opPlain, opPick}, []int{opPlain, opPick}), Ways: threeWays, Seed: 3, Count: 300, Races: true})
		}},
		{"operations on files are followed again", func(s *Sampler) string {
			return repeats(s, Sampling{Client: callsOf([]int{opAppend}, []int{opAppend, opOpened}), Ways: threeWays, Seed: 4, Count: 200})
		}},
		{"each ready case of a select is drawn", func(s *Sampler) string {
			a, why := drawn(s, Sampling{Client: callsOf([]int{opPick}), Ways: threeWays, Seed: 1, Count: 60})
			if why == "" && len(a.Drawn) != 2 {
				return fmt.Sprintf("%d executions differ", len(a.Drawn))
			}
			return why
		}},
		{"a race is reported", func(s *Sampler) string {
			a, why := drawn(s, Sampling{Client: callsOf([]int{opPlain}, []int{opPlain}), Ways: threeWays, Seed: 1, Count: 10, Races: true})
			if why == "" && !slices.ContainsFunc(a.Drawn, func(d Drawn) bool { return len(d.Races) > 0 }) {
				return "no execution has one"
			}
			return why
		}},
		{"preemptions are counted, and the bound is kept", func(s *Sampler) string {
			for bound := range 4 {
				a, why := drawn(s, Sampling{Client: tornAndGet, Ways: []Way{{Preempting, bound}}, Seed: 5, Count: 500})
				if why != "" {
					return why
				}
				most := 0
				for _, d := range a.Drawn {
					n := switches(d) // between two threads that never wait, each but the last is a preemption
					most = max(most, n)
					if n != d.Preemptions || n > bound {
						return fmt.Sprintf("bound %d: %d preemptions, said to be %d: %v", bound, n, d.Preemptions, d.Decisions)
					}
				}
				if most < bound {
					return fmt.Sprintf("bound %d: at most %d preemptions are drawn", bound, most)
				}
			}
			return ""
		}},
		{"the depth of pct is kept", func(s *Sampler) string {
			for depth := 1; depth < 4; depth++ {
				a, why := drawn(s, Sampling{Client: tornAndGet, Ways: []Way{{PCT, depth}}, Seed: 6, Count: 500})
				if why != "" {
					return why
				}
				most := 0
				for _, d := range a.Drawn {
					most = max(most, switches(d))
				}
				if most != depth-1 {
					return fmt.Sprintf("depth %d: at most %d changes", depth, most)
				}
			}
			return ""
		}},
		{"the seed decides", func(s *Sampler) string {
			of := func(seed uint64, from int) string {
				a, why := drawn(s, Sampling{Client: callsOf([]int{opTorn, opTorn, opTorn}, []int{opTorn, opTorn, opTorn}), Ways: threeWays[:1], Seed: seed, From: from, Count: 5})
				var b strings.Builder
				for _, d := range a.Drawn {
					fmt.Fprint(&b, d.Decisions)
				}
				return b.String() + why
			}
			again := of(1, 0)
			switch {
			case of(1, 0) != again:
				return "the same seed gives other schedules"
			case of(1, 0) == of(2, 0):
				return "two seeds give the same schedules"
			case of(1, 0) == of(1, 5):
				return "schedules with other numbers are the same"
			}
			return ""
		}},
		{"an execution without end is cut off, and that is said", func(s *Sampler) string {
			a, why := drawn(s, Sampling{Client: callsOf([]int{opForever}, []int{opGet}), Ways: threeWays, Seed: 1, Count: 30})
			if why == "" && (a.Cut != 30 || a.CutBy == "" || slices.ContainsFunc(a.Drawn, func(d Drawn) bool { return d.Ending != Cut })) {
				return fmt.Sprintf("%d of 30: %q", a.Cut, a.CutBy)
			}
			return why
		}},
		{"each execution begins in an empty directory, with no descriptor open", func(s *Sampler) string {
			a, why := drawn(s, Sampling{Client: callsOf([]int{opAppend, opOpened}), Ways: threeWays, Seed: 1, Count: 30})
			if why == "" && (len(a.Drawn) != 1 || fmt.Sprint(a.Drawn[0].Results[1][0]) != "[1]") {
				return fmt.Sprintf("%d executions differ: %v", len(a.Drawn), a.Drawn[len(a.Drawn)-1].Results)
			}
			return why
		}},
		{"operations on files take turns", func(s *Sampler) string {
			a, why := drawn(s, Sampling{Client: callsOf([]int{opAppend}, []int{opAppend}), Ways: threeWays, Seed: 1, Count: 300})
			if why == "" && !slices.ContainsFunc(a.Drawn, func(d Drawn) bool { return fmt.Sprint(d.Results[1], d.Results[2]) == "[[2]] [[2]]" }) {
				return "no execution has both write before both look"
			}
			return why
		}},
		{"calls one after another have the results of one thread", func(s *Sampler) string {
			q, err := s.Alone(context.Background(), callsOf([]int{opTorn, opPick, opGet}).Threads[0], 100)
			var list []string
			for _, h := range q.Histories {
				list = append(list, fmt.Sprint(h.Results[1]))
			}
			slices.Sort(list)
			if want := []string{"[[0] [1] [1]]", "[[0] [2] [1]]"}; err != nil || q.Fault+q.TooBig != "" || !slices.Equal(list, want) {
				return fmt.Sprint(list, q.Fault, q.TooBig, err)
			}
			return ""
		}},
	}
}

// inner is results without the brackets of each call.
func inner(results [][]string) []string {
	var list []string
	for _, r := range results {
		list = append(list, strings.Join(r, " "))
	}
	return list
}

// switches counts from one of two threads to the other and back: the first that goes on and the last do not count.
func switches(d Drawn) (n int) {
	last, threads := 0, 0
	for _, run := range d.Decisions {
		if who := run[0]; who > 0 && d.Threads[who-1] > 0 && who != last {
			last = who
			threads++
		}
	}
	return max(0, threads-2)
}

func TestSample(t *testing.T) {
	level.SkipShort(t, "builds the driver")
	s := newSampler(t)
	for _, c := range sampleChecks() {
		t.Run(c.name, func(t *testing.T) {
			if why := c.wrong(s); why != "" {
				t.Error(why)
			}
		})
	}
}

// sampleFaults are faults of the runner, each of which a check shows.
var sampleFaults = []struct{ wrong, file, from, to string }{
	{"a schedule is not followed", "sample", "if who := f.runs[0][0]; slices.Contains(enabled, who) {", "if who := enabled[0]; true {"},
	{"a race is not reported", "sample", "d.Races = racesOf(s.x.raced, program{name: \"\\x00\"})", "d.Races = nil"},
	{"the depth is ignored", "draw", "for range depth - 1 {", "for range 0 {"},
	{"the depth is exceeded", "draw", "for range depth - 1 {", "for range depth {"},
	{"the bound on preemptions is exceeded", "draw", "for range bound {", "for range bound + 1 {"},
	{"preemptions are not counted", "sample", "n.preemptions++", "n.preemptions += 0"},
	{"executions that differ are taken for one", "sample", "key := d.History.key()", "key := d.Ending"},
	{"the seed is ignored", "sample", "draw(s.q.Seed ^ uint64(n+1)", "draw(uint64(n+1)"},
	{"the number of the schedule is ignored", "sample", "uint64(n+1)*", "uint64(1)*"},
	{"choices go one way", "draw", "{ return d.below(n) }", "{ return 0 }"},
	{"scheduling points are forgotten", "sample", "\t\tturnAddSite(pc)\n", ""},
	{"that an execution is cut off is not said", "sample", "r.Cut, r.CutBy = r.Cut+1, e.tooBig", "_ = 0"},
	{"files stay", "outside", "os.RemoveAll(scratch", "_ = (scratch"},
	{"descriptors stay open", "outside", "func closeAll() {", "func closeAll() {\n\treturn"},
	{"files take no turns", "sample", "turnOutside().turns = true", "turnOutside().turns = false"},
	{"calls one after another make choices one way", "driver", "func (s bySearch) way(n int) int               { return s.Choose(n) }", "func (s bySearch) way(n int) int { return 0 }"},
}

// Each fault of the runner is shown by a check.
func TestSample_ShowsAPlantedFault(t *testing.T) {
	level.SkipShort(t, "builds the driver once for each fault")
	for i, f := range sampleFaults {
		t.Run(f.wrong, func(t *testing.T) {
			if i%5 != 0 && !level.More() {
				t.Skip("every fifth will do; -level more plants all")
			}
			patches = damaged{embedded, f.file, f.from, f.to}
			defer func() { patches = embedded }()
			s := newSampler(t)
			for _, c := range sampleChecks() {
				if why := c.wrong(s); why != "" {
					t.Logf("%s: %s", c.name, why)
					return
				}
			}
			t.Error("no check shows it")
		})
	}
}

// SPDX-License-Identifier: BSD-3-Clause
