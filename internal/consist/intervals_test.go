// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/oracle"
)

// lastingSpec is a specification by a function of some numbers: operation 0 begins, 2 ends what 0 has begun, 1 takes effect at one moment.
type lastingSpec struct {
	name     string
	outcomes func(s []int64, op int, args []int64) (results, next [][]int64)
	waits    func(s []int64, op int, args []int64) bool
	refuses  func(s []int64) bool // a complete history may not end so
}

func (l *lastingSpec) weaker() Weaker {
	return Weaker{Property: "linear(Meet:interval)", End: []int{2, -1, -1}, Name: []string{"Meet", "Look", "EndMeet"}}
}

func numbers(s oracle.State) (list []int64) {
	for f := range strings.FieldsSeq(string(s)) {
		n, _ := strconv.ParseInt(f, 10, 64)
		list = append(list, n)
	}
	return list
}

func stateOf(list []int64) oracle.State {
	return oracle.State(strings.Trim(fmt.Sprint(list), "[]"))
}

func integers(t history.Tuple) (list []int64) {
	for i := range t.Len() {
		list = append(list, t.At(i).Int)
	}
	return list
}

func (l *lastingSpec) Initial() oracle.State { return "" }

func (l *lastingSpec) Outcomes(s oracle.State, c oracle.Call) (list []oracle.Outcome, err error) {
	results, next := l.outcomes(numbers(s), c.Op, integers(c.Args))
	for i := range results {
		list = append(list, oracle.Outcome{Result: history.Ints(results[i]...), Next: stateOf(next[i])})
	}
	return list, nil
}

func (l *lastingSpec) MayBlock(s oracle.State, c oracle.Call) bool {
	return l.waits != nil && l.waits(numbers(s), c.Op, integers(c.Args))
}

func (l *lastingSpec) Accepting(s oracle.State) bool {
	return l.refuses == nil || !l.refuses(numbers(s))
}

func one(result, next []int64) (results, states [][]int64) { return [][]int64{result}, [][]int64{next} }

// lastingSpecs are exchangers (the state lists the values of those who have begun, -1 where one has gone), snapshots, and one with decisions.
func lastingSpecs() []*lastingSpec {
	partner := func(s []int64, ticket int64) (value int64, met bool) {
		if at := ticket ^ 1; at < int64(len(s)) && s[at] >= 0 {
			return s[at], true
		}
		return 0, false
	}
	exchange := func(gives bool) func(s []int64, op int, args []int64) (results, next [][]int64) {
		return func(s []int64, op int, args []int64) (results, next [][]int64) {
			switch op {
			case 0:
				return one([]int64{int64(len(s))}, append(slices.Clone(s), args[0]))
			case 1:
				return one([]int64{int64(len(s))}, s)
			}
			if v, met := partner(s, args[0]); met {
				return one([]int64{v}, s)
			}
			if !gives {
				return nil, nil
			}
			s = slices.Clone(s)
			s[args[0]] = -1 // nobody meets it any more
			if args[0]^1 == int64(len(s)) {
				s = append(s, -1)
			}
			return one([]int64{9}, s)
		}
	}
	snapshot := func(s []int64, op int, args []int64) (results, next [][]int64) {
		s = slices.Clone(s)
		for len(s) < 2 {
			s = append(s, 0)
		}
		switch op {
		case 0:
			s[args[0]&1] += 1 + args[0]
			return one([]int64{args[0]}, s)
		case 1:
			return one([]int64{s[0]*10 + s[1]}, s)
		}
		return one([]int64{s[0]*10 + s[1]}, s)
	}
	return []*lastingSpec{
		{name: "an exchanger that gives up", outcomes: exchange(true)},
		{name: "an exchanger that waits", outcomes: exchange(false), waits: func(s []int64, op int, args []int64) bool {
			if op != 2 {
				return false
			}
			_, met := partner(s, args[0])
			return !met
		}},
		{name: "a snapshot", outcomes: snapshot},
		{name: "decisions", outcomes: func(s []int64, op int, args []int64) (results, next [][]int64) {
			n := int64(len(s))
			switch op {
			case 0:
				return [][]int64{{n, 0}, {n, 1}}, [][]int64{s, append(slices.Clone(s), args[0])}
			case 1:
				return [][]int64{{n}}, [][]int64{s}
			}
			return [][]int64{{n - args[0] + args[1]}}, [][]int64{s}
		}, waits: func(s []int64, op int, args []int64) bool { return op == 2 && len(s) == 1 || op == 0 && len(s) == 2 },
			refuses: func(s []int64) bool { return len(s) == 3 }},
	}
}

// lastingHistory is a random history of at most 8 calls, which begin and end in the specification at random moments. Some are spoilt.
func (l *lastingSpec) history(rng *rand.Rand, stuck bool) history.History {
	threads := 2 + rng.IntN(3)
	type pending struct {
		call   oracle.Call
		come   int
		ticket history.Tuple
		result history.Tuple
	}
	var state oracle.State
	h := history.History{Threads: threads}
	open := make([]*pending, threads)
	event := func(phase history.Phase, t int, p *pending) {
		e := history.Event{Thread: t, Phase: phase, Method: p.call.Op, Name: []string{"Meet", "Look"}[p.call.Op], Args: p.call.Args}
		if phase == history.Respond {
			e.Result = p.result
		}
		h.Events = append(h.Events, e)
	}
	calls := 0
	for range 60 {
		t := rng.IntN(threads)
		p := open[t]
		switch {
		case p == nil && calls < 8:
			calls++
			p = &pending{call: oracle.Call{Op: rng.IntN(4) / 3}}
			if p.call.Op == 0 {
				p.call.Args = history.Ints(int64(rng.IntN(3)))
			}
			open[t] = p
			event(history.Invoke, t, p)
		case p == nil:
		case p.come == 2:
			event(history.Respond, t, p)
			open[t] = nil
		default:
			c := p.call
			if p.come == 1 {
				c = oracle.Call{Op: 2, Args: p.ticket}
			}
			out, _ := l.Outcomes(state, c)
			if len(out) == 0 || stuck && rng.IntN(10) == 0 {
				continue
			}
			o := out[rng.IntN(len(out))]
			state = o.Next
			if p.come == 0 && p.call.Op == 0 {
				p.come, p.ticket = 1, o.Result
			} else {
				p.come, p.result = 2, o.Result
			}
		}
	}
	if !stuck {
		h = h.Without(h.Stuck())
	}
	switch rng.IntN(4) {
	case 0:
		(&maker{rng: rng}).exchange(h)
	case 1:
		for i, e := range h.Events {
			if e.Phase == history.Respond && rng.IntN(4) == 0 {
				h.Events[i].Result = history.Ints(e.Result.At(0).Int + int64(rng.IntN(3)) - 1)
			}
		}
	}
	return h
}

func intervalMonitor(t testing.TB, l *lastingSpec, threads int) *HistoryMonitor {
	t.Helper()
	m, err := NewWeakerMonitor(oracle.NewAutomaton(l), l.weaker(), threads)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestIntervals_AgreeWithTheDefinitionOnRandomHistories(t *testing.T) {
	n := 250
	switch {
	case level.All():
		n = 100_000
	case level.More():
		n = 25_000 // of four specifications
	case level.Short():
		n = 60
	}
	all := 0
	for _, l := range lastingSpecs() {
		t.Run(l.name, func(t *testing.T) { all += intervalsAgree(t, l, n) })
	}
	t.Logf("%d histories", all)
}

// intervalsAgree compares on n histories of one specification.
func intervalsAgree(t *testing.T, l *lastingSpec, n int) (all int) {
	m, rng := intervalMonitor(t, l, 4), rand.New(rand.NewPCG(3, 3))
	var right, stuckRight, wrong, stuckWrong int
	for i := range n {
		h := l.history(rng, i%2 == 0)
		j, err := CheckWeaker(l, h, l.weaker(), false)
		if err != nil {
			t.Fatal(err)
		}
		if got := judged(m, h); got != j.OK {
			t.Fatalf("%s: monitor %t, definition %t\n%s", l.name, got, j.OK, h)
		}
		all++
		switch {
		case h.Complete() && j.OK:
			right++
		case h.Complete():
			wrong++
		case j.OK:
			stuckRight++
		default:
			stuckWrong++
		}
		if !j.OK && j.Why == nil {
			t.Fatalf("%s: nothing is explained", l.name)
		}
		// The beginning of a history that is right is right, and of the others the monitor says no at the end at the latest.
		cut := h
		cut.Events = h.Events[:rng.IntN(len(h.Events)+1)]
		u, err := CheckWeaker(l, cut, l.weaker(), true)
		if err != nil {
			t.Fatal(err)
		}
		if got := follow(m, cut) != Rejected; got != u.OK {
			t.Fatalf("%s: unfinished: monitor %t, definition %t\n%s", l.name, got, u.OK, cut)
		}
	}
	t.Logf("%s: %d states, complete: %d right, %d wrong, stuck: %d right, %d wrong", l.name, m.States(), right, wrong, stuckRight, stuckWrong)
	if !level.Short() && (right == 0 || wrong == 0 || l.waits != nil && stuckRight+stuckWrong == 0) {
		t.Errorf("%s: histories of one sort are missing", l.name)
	}
	return all
}

// Threads that change places change nothing, and different states have different hashes.
func TestIntervals_PermuteThreads(t *testing.T) {
	for _, l := range lastingSpecs() {
		m, rng, known := intervalMonitor(t, l, 4), rand.New(rand.NewPCG(5, 5)), map[uint64]ID{}
		for i := range 60 {
			h := l.history(rng, i%2 == 0)
			to := rng.Perm(4)
			other := history.History{Threads: 4}
			for _, e := range h.Events {
				e.Thread = to[e.Thread]
				other.Events = append(other.Events, e)
			}
			a, b := follow(m, h), follow(m, other)
			for n := range h.Events {
				cut := h
				cut.Events = h.Events[:n]
				id := follow(m, cut)
				if other, met := known[m.Content(id)]; met && other != id {
					t.Fatalf("%s: the states %d and %d have the same hash\n%s", l.name, other, id, cut)
				}
				known[m.Content(id)] = id
			}
			if got := m.Rename(a, NewPerm(to)); got != b {
				t.Fatalf("%s: renamed %d, followed %d\n%s", l.name, got, b, h)
			}
			for x := range 4 {
				if a != Rejected && m.Signature(a, x) != m.Signature(b, to[x]) {
					t.Fatalf("%s: the signature does not move along\n%s", l.name, h)
				}
			}
		}
	}
}

// Two calls that meet see each other; in no order of moments, one for each call, do they.
func TestIntervals_SeeWhatOverlaps(t *testing.T) {
	l := lastingSpecs()[1]
	meet := func(t int, phase history.Phase, args, result int64) history.Event {
		e := history.Event{Thread: t, Phase: phase, Name: "Meet", Args: history.Ints(args)}
		if phase == history.Respond {
			e.Result = history.Ints(result)
		}
		return e
	}
	overlap := history.History{Threads: 2, Events: []history.Event{meet(0, history.Invoke, 1, 0), meet(1, history.Invoke, 2, 0), meet(0, history.Respond, 1, 2), meet(1, history.Respond, 2, 1)}}
	apart := history.History{Threads: 2, Events: []history.Event{meet(0, history.Invoke, 1, 0), meet(0, history.Respond, 1, 2), meet(1, history.Invoke, 2, 0), meet(1, history.Respond, 2, 1)}}
	alone := history.History{Threads: 2, Events: []history.Event{meet(0, history.Invoke, 1, 0)}}
	both := history.History{Threads: 2, Events: []history.Event{meet(0, history.Invoke, 1, 0), meet(1, history.Invoke, 2, 0)}}
	for _, c := range []struct {
		name string
		h    history.History
		want bool
	}{{"overlapping", overlap, true}, {"one after the other", apart, false}, {"one waits", alone, true}, {"both wait", both, false}} {
		j, err := CheckWeaker(l, c.h, l.weaker(), false)
		if err != nil {
			t.Fatal(err)
		}
		if got := judged(intervalMonitor(t, l, 2), c.h); got != c.want || j.OK != c.want {
			t.Errorf("%s: monitor %t, definition %t, want %t", c.name, got, j.OK, c.want)
		}
	}
}

func intervalFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "begins-twice", Old: "next.begun = c.begun.With(thread)", New: "if next.begun = c.begun.With(thread); planted(\"begins-twice\") {\n\t\t\t\t\tnext.begun = c.begun\n\t\t\t\t}", Wrong: "a call may begin again"},
		{Name: "ticket-of-nobody", Old: "Args: v.auto.Result(oracle.ResultID(ticket - 1))}", New: "Args: v.auto.Result(oracle.ResultID((ticket - 1) * map[bool]uint16{true: 0, false: 1}[planted(\"ticket-of-nobody\")]))}", Wrong: "a call ends with the first ticket, whosever that is"},
		{Name: "any-result", Old: "if c.done[r.resp.thread] == r.resp.result {", New: "if c.done[r.resp.thread] == r.resp.result || planted(\"any-result\") {", Wrong: "a call may return what its end does not give"},
		{Name: "only-own-moments", Old: "\t\tfor _, next := range r.steps(", New: "\t\tif t != r.resp.thread && planted(\"only-own-moments\") {\n\t\t\tcontinue\n\t\t}\n\t\tfor _, next := range r.steps(", Wrong: "between two events only the call that returns has moments"},
		{Name: "minimal-is-first", Old: "\treturn slices.DeleteFunc(configs, func(c lastingConfig) bool { return reached[c] })", New: "\tif planted(\"minimal-is-first\") {\n\t\treturn configs[:1]\n\t}\n\treturn slices.DeleteFunc(configs, func(c lastingConfig) bool { return reached[c] })", Wrong: "of the configurations only one is followed"},
		{Name: "waits-with-effect", Old: "\t\tcase c.done[t] != 0:\n\t\t\treturn false\n\t\t}\n\t\tif !v.auto", New: "\t\tcase c.done[t] != 0:\n\t\t\tif planted(\"waits-with-effect\") {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\treturn false\n\t\t}\n\t\tif !v.auto", Wrong: "a call that has ended may wait for ever"},
		{Name: "waits-at-the-beginning", Old: "\t\tcase c.begun.Has(t):\n\t\t\tcall = v.ending(call, c.done[t])\n\t\tcase c.done[t] != 0:", New: "\t\tcase c.begun.Has(t) && !planted(\"waits-at-the-beginning\"):\n\t\t\tcall = v.ending(call, c.done[t])\n\t\tcase c.done[t] != 0 && !c.begun.Has(t):", Wrong: "a call that has begun waits where it begins"},
		{Name: "nobody-goes-on-when-stuck", Old: "\t\tlook(c)\n\t\tv.beyond(", New: "\t\tif look(c); planted(\"nobody-goes-on-when-stuck\") {\n\t\t\tcontinue\n\t\t}\n\t\tv.beyond(", Wrong: "where calls wait for ever nobody has moments any more"},
		{Name: "begun-stays-with-the-thread", Old: "s.configs[i].begun = c.begun.permuted(p)", New: "if !planted(\"begun-stays-with-the-thread\") {\n\t\t\ts.configs[i].begun = c.begun.permuted(p)\n\t\t}", Wrong: "where threads are renumbered, which calls have begun is not"},
		{Name: "ticket-is-not-described", Old: "\t\t\tif r := c.done[t]; r != 0 {\n\t\t\t\tof[t] = mix(of[t], v.auto", New: "\t\t\tif r := c.done[t]; r != 0 && !planted(\"ticket-is-not-described\") {\n\t\t\t\tof[t] = mix(of[t], v.auto", Wrong: "two states whose calls have other tickets have one description"},
		{Name: "defined-without-order", Old: "if op.Precedes(s.ops[x]) && s.moments[y].come < 2 {", New: "if op.Precedes(s.ops[x]) && s.moments[y].come < 2 && !planted(\"defined-without-order\") {", Wrong: "the definition has moments of a call before others have returned"},
		{Name: "defined-begun-is-enough", Old: "case op.Returned && s.moments[x].come < 2:", New: "case op.Returned && (s.moments[x].come < 1 || s.moments[x].come < 2 && !planted(\"defined-begun-is-enough\")):", Wrong: "the definition takes a call that has only begun for one that returned"},
		{Name: "defined-accepting", Old: "return s.unfinished || stuck || s.spec.Accepting(state)", New: "return s.unfinished || stuck || planted(\"defined-accepting\") || s.spec.Accepting(state)", Wrong: "the definition lets a history end in any state"},
	}
}

var intervalSection = planting.Section{Page: faultsPage, Title: "Calls that last"}

func TestIntervalFaults_CanBePlanted(t *testing.T) {
	planting.Room(t).Check(t, intervalFaults())
	intervalSection.Check(t, intervalFaults())
}

// TestIntervalFaults_AreFound runs the comparisons with each fault switched on: they have to fail.
func TestIntervalFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	by := planting.Room(t).EachFails(t, intervalFaults(), failing, "-test.run=TestIntervals_", "-test.failfast")
	if flags.Update() {
		intervalSection.Write(t, intervalFaults(), by)
	}
}
