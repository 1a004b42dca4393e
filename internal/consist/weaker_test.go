// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/internal/test/level"
	"pangolin/oracle"
	"pangolin/verdict"
)

// weakSubject is an oracle with what its reads promise.
type weakSubject struct {
	subject
	weaker Weaker
}

func meaningOf(t testing.TB, text string) verdict.Meaning {
	t.Helper()
	if text == "" {
		return verdict.Meaning{}
	}
	m, err := verdict.ParseMeaning(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// weakened is a subject of which the operations have meanings, in order.
func weakened(t testing.TB, s subject, meanings ...string) weakSubject {
	w := weakSubject{subject: s, weaker: Weaker{Property: Linear}}
	for i, text := range meanings {
		w.weaker.Of = append(w.weaker.Of, meaningOf(t, text))
		w.weaker.Key = append(w.weaker.Key, slices.Index(s.ops[i].Params, oracle.ParamKey))
		w.weaker.Name = append(w.weaker.Name, s.ops[i].Name)
	}
	w.name += " " + strings.Join(meanings, ",")
	return w
}

func weakSubjects(t testing.TB) (list []weakSubject) {
	ok, item, count := oracle.SlotOK, oracle.SlotItem, oracle.SlotCount
	set := func() subject {
		return bound(t, "set", oracle.Set, oracle.Protocol{}, op(oracle.Add, ok), op(oracle.Remove, ok), op(oracle.Len, count), op(oracle.Contains, ok))
	}
	queue := func() subject {
		return bound(t, "queue", oracle.Queue, oracle.Protocol{}, op(oracle.Put), op(oracle.Take, item, ok), op(oracle.Len, count), op(oracle.Clear))
	}
	waiting := func() subject {
		return bound(t, "bounded queue", oracle.Queue, oracle.Protocol{Kind: oracle.Bounded, Capacity: 2}, op(oracle.Put), op(oracle.Take, item), op(oracle.Len, count))
	}
	counter := func() subject {
		return bound(t, "counter", oracle.Counter, oracle.Protocol{}, op(oracle.AddTo), op(oracle.Dec), op(oracle.Load, item))
	}
	keyed := func() subject {
		return bound(t, "map", oracle.Map, oracle.Protocol{}, op(oracle.Store), op(oracle.LoadAndDelete, item, ok), op(oracle.Len, count), op(oracle.Load, item, ok), op(oracle.Clear))
	}
	for _, m := range []string{"between", "parts", "some", "stale(1)", "stale(2)", "eventually", "quiet"} {
		list = append(list, weakened(t, set(), "", "", m), weakened(t, queue(), "", "", m), weakened(t, waiting(), "", "", m), weakened(t, counter(), "", "", m), weakened(t, keyed(), "", "", m))
	}
	return append(list,
		weakened(t, tallies(), "", "parts"), weakened(t, tallies(), "", "some"), weakened(t, keyed(), "", "", "stale(1)", "stale(2)"),
		weakened(t, set(), "", "", "parts", "some"), weakened(t, keyed(), "", "", "some", "stale(1)"), weakened(t, keyed(), "", "", "parts", "some"),
		weakened(t, set(), "", "", "quiet", "some"), weakened(t, keyed(), "", "", "eventually", "stale(1)"))
}

// tallies is an oracle of which the state is a number for each of two keys: Bump(key, delta) adds 1 or 3, Sum adds the two up. Of a set or a
// map whatever calls with one key are seen leaves it as it was at some moment; here only the first ones do.
func tallies() subject {
	spec := &oracle.Functions{Start: "\x00\x00", Run: func(s oracle.State, c oracle.Call) (oracle.Outcome, bool, error) {
		n := []byte(s)
		if c.Op == 1 {
			return oracle.Outcome{Result: history.Ints(int64(n[0]) + int64(n[1])), Next: s}, true, nil
		}
		n[c.Args.At(0).Int] += byte(1 + 2*c.Args.At(1).Int)
		return oracle.Outcome{Next: oracle.State(n)}, true, nil
	}, Blocks: func(oracle.State, oracle.Call) bool { return false }}
	return subject{"tallies", spec, "", []oracle.Op{{Name: "bump", Params: []oracle.Param{oracle.ParamKey, oracle.ParamDelta}}, {Name: "sum"}}}
}

// weakMaker builds a random history in which calls take effect at a moment, and reads look wherever it comes.
type weakMaker struct {
	*maker
	weaker *Weaker
	log    []oracle.State // the state behind each effect
	done   []oracle.Call  // that have taken effect
	begun  []int          // by thread: how many had when its read began
}

// weakHistory is a random history of at most 9 calls. Many of its reads return what another moment, or some of the calls that overlap them,
// would give.
func (s *weakSubject) weakHistory(rng *rand.Rand, per int, stuck bool) history.History {
	n := 2 + rng.IntN(3)
	if of, known := s.spec.(oracle.NonblockingSpec); known && of.Nonblocking() {
		stuck = stuck && rng.IntN(8) == 0 // there no stuck history is right
	}
	m := &weakMaker{maker: &maker{subject: s.subject, rng: rng, state: s.spec.Initial(), pending: make([]*pendingCall, n), calls: make([]int, n), stuck: stuck},
		weaker: &s.weaker, log: []oracle.State{s.spec.Initial()}, begun: make([]int, n)}
	made := 0
	for range 14 * per * n {
		if thread := rng.IntN(n); m.pending[thread] != nil || made < 9 {
			if m.pending[thread] == nil {
				made++
			}
			m.weakStep(thread, per)
		}
	}
	h := history.History{Threads: n, Events: m.events}
	if !stuck {
		h = h.Without(h.Stuck())
	}
	if rng.IntN(8) == 0 {
		h = m.spoil(h)
	}
	return h
}

func (m *weakMaker) weakStep(thread, per int) {
	p := m.pending[thread]
	switch {
	case p == nil:
		if m.calls[thread] < per && m.rng.IntN(3) > 0 {
			c := m.weakCall(thread)
			m.pending[thread] = &pendingCall{call: c, lost: m.stuck && m.rng.IntN(6) == 0}
			m.calls[thread]++
			m.event(history.Invoke, thread, c, history.Tuple{})
			m.begun[thread] = len(m.done)
		}
	case !m.weaker.reads(p.call.Op):
		was := p.done
		if m.step(thread, per); !was && p.done {
			m.log, m.done = append(m.log, m.state), append(m.done, p.call)
		}
	case !p.lost && m.rng.IntN(8) == 0:
		if out, _ := m.spec.Outcomes(m.look(m.begun[thread]), p.call); len(out) > 0 {
			r := out[0].Result
			if v := r.At(0); v.Kind == history.Int && m.rng.IntN(10) == 0 {
				v.Int += int64(m.rng.IntN(3)) - 1
				r = r.With(0, v)
			}
			m.event(history.Respond, thread, p.call, r)
			m.pending[thread] = nil
		}
	}
}

// weakCall is a call: of thread 0 often a read, of the others rarely; what is added is large.
func (m *weakMaker) weakCall(thread int) oracle.Call {
	c := m.randomCall(m.rng)
	for range 3 {
		if m.weaker.reads(c.Op) == (thread == 0) {
			break
		}
		c = m.randomCall(m.rng)
	}
	if m.ops[c.Op].Role == oracle.AddTo {
		c.Args = history.Ints(1 + 2*c.Args.At(0).Int)
	}
	return c
}

// look is a state that a read may take for the present one; begun calls had taken effect when it began.
func (m *weakMaker) look(begun int) oracle.State {
	switch m.rng.IntN(8) {
	case 0:
		return m.log[m.rng.IntN(len(m.log))]
	case 1, 2:
		return m.log[begun+m.rng.IntN(len(m.log)-begun)]
	}
	from := max(0, begun-m.rng.IntN(4)/3)
	state := m.log[from]
	for _, c := range m.done[from:] {
		if out, _ := m.spec.Outcomes(state, c); len(out) > 0 && m.rng.IntN(2) == 0 {
			state = out[0].Next
		}
	}
	return state
}

func weakMonitor(t testing.TB, s *weakSubject) *HistoryMonitor {
	t.Helper()
	m, err := NewWeakerMonitor(oracle.NewAutomaton(s.spec), s.weaker, 4)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func checkWeaker(t testing.TB, s *weakSubject, h history.History) bool {
	t.Helper()
	j, err := CheckWeaker(s.spec, h, s.weaker, false)
	if err != nil {
		t.Fatal(err)
	}
	if !j.OK {
		blamed(t, j.Why, h)
	}
	return j.OK
}

// blamed fails if an explanation blames a call for a result that it allows.
func blamed(t testing.TB, why *Explanation, h history.History) {
	t.Helper()
	for _, end := range why.DeadEnds {
		for _, r := range end.Rejected {
			if op := why.Operations[r.Op]; slices.Contains(r.Allowed, op.Result) {
				t.Errorf("%s is no result that call %d may have in the order %v, where it may have %v\n%s", op.Result, r.Op, end.Order, r.Allowed, h)
			}
		}
	}
}

// weakHistories is how many random histories are judged for each of the subjects: with -level more 10^5 in all, with -level all 10^5 for each.
func weakHistories() int {
	switch {
	case level.All():
		return 100_000
	case level.More():
		return 100_000/43 + 1
	case level.Short():
		return 60
	}
	return 250
}

func TestWeakerMonitor_AgreesWithTheDefinitionOnRandomHistories(t *testing.T) {
	all, told := 0, map[string]int{}
	for _, s := range weakSubjects(t) {
		t.Run(s.name, func(t *testing.T) {
			m, rng := weakMonitor(t, &s), rand.New(rand.NewPCG(7, 7))
			count := map[[2]bool]int{}
			for i := range weakHistories() {
				h := s.weakHistory(rng, 1+i%4, i%2 == 0)
				for range 8 { // those that are linearizable have every meaning
					if i%3 == 0 || !check(t, s.spec, h, Linear) {
						break
					}
					h = s.weakHistory(rng, 1+i%4, i%2 == 0)
				}
				all++
				want := checkWeaker(t, &s, h)
				if got := judged(m, h); got != want {
					t.Fatalf("%s: monitor %t, definition %t\n%s", s.name, got, want, h)
				}
				count[[2]bool{want, check(t, s.spec, h, Linear)}]++
			}
			if err := m.Err(); err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			if count[[2]bool{false, true}] > 0 {
				t.Errorf("%s: linearizable histories are rejected", s.name)
			}
			told[meanings(&s)] += min(count[[2]bool{true, false}], count[[2]bool{false, false}])
			t.Logf("%-30s %6d states; linearizable %d, only weaker %d, neither %d", s.name, m.States(), count[[2]bool{true, true}], count[[2]bool{true, false}], count[[2]bool{false, false}])
		})
	}
	for of, n := range told {
		if n == 0 && !level.Short() {
			t.Errorf("no history tells %s from linearizability, or all have it", of)
		}
	}
	t.Logf("%d histories", all)
}

// meanings are those of a subject, for messages.
func meanings(s *weakSubject) string {
	_, of, _ := strings.Cut(s.name, " ,,")
	return of
}

// literalWeaker is the definition once more, without sharing anything with CheckWeaker: every order of the calls that are not reads, with
// every place of the beginnings and the ends of reads in it.
func literalWeaker(s *weakSubject, h history.History) bool {
	ops := h.Operations()
	var calls, reads []int
	for i, op := range ops {
		if s.weaker.reads(op.Method) {
			reads = append(reads, i)
		} else {
			calls = append(calls, i)
		}
	}
	found := false
	permutationsOf(len(calls), nil, func(perm []int) {
		order := make([]int, len(perm))
		for i, k := range perm {
			order[i] = calls[k]
		}
		for i, x := range order {
			for _, y := range order[:i] {
				if ops[x].Precedes(ops[y]) {
					return
				}
			}
		}
		runs(s.spec, ops, order, []oracle.State{s.spec.Initial()}, func(states []oracle.State) {
			found = found || s.placed(&literal2{ops, order, states, map[int][2]int{}}, reads)
		})
	})
	return found
}

// literal2 is an order with the states along it, and the places of reads: between which calls they begin and end.
type literal2 struct {
	ops    []history.Operation
	order  []int
	states []oracle.State
	at     map[int][2]int
}

// runs gives the lists of states that an order may lead through.
func runs(spec oracle.Spec, ops []history.Operation, order []int, states []oracle.State, visit func([]oracle.State)) {
	if len(order) == 0 {
		if spec.Accepting(states[len(states)-1]) {
			visit(states)
		}
		return
	}
	outcomes, _ := spec.Outcomes(states[len(states)-1], callOf(ops[order[0]]))
	for _, o := range outcomes {
		if o.Result == ops[order[0]].Result {
			runs(spec, ops, order[1:], append(slices.Clone(states), o.Next), visit)
		}
	}
}

// placed tries all places of the reads.
func (s *weakSubject) placed(l *literal2, reads []int) bool {
	if len(reads) == 0 {
		return true
	}
	r := reads[0]
	for begin := range len(l.states) {
		for end := begin; end < len(l.states); end++ {
			if l.fits(r, begin, end) && s.right(l, r, begin, end) {
				l.at[r] = [2]int{begin, end}
				if s.placed(l, reads[1:]) {
					return true
				}
				delete(l.at, r)
			}
		}
	}
	return false
}

// fits: the first begin calls are before the read, those from end on behind it.
func (l *literal2) fits(r, begin, end int) bool {
	for i, x := range l.order {
		if l.ops[x].Precedes(l.ops[r]) && i >= begin || l.ops[r].Precedes(l.ops[x]) && i < end {
			return false
		}
	}
	for other, at := range l.at {
		if l.ops[other].Precedes(l.ops[r]) && at[1] > begin || l.ops[r].Precedes(l.ops[other]) && end > at[0] {
			return false
		}
	}
	return true
}

// right looks whether the read may return its result from a place.
func (s *weakSubject) right(l *literal2, r, begin, end int) bool {
	op := l.ops[r]
	gives := func(state oracle.State) (list []history.Tuple) {
		outcomes, _ := s.spec.Outcomes(state, callOf(op))
		for _, o := range outcomes {
			list = append(list, o.Result)
		}
		return list
	}
	during := l.states[begin : end+1]
	switch m := s.weaker.Of[op.Method]; m.Name {
	case verdict.Quiet:
		alone := true
		for _, x := range l.order {
			alone = alone && (l.ops[x].Responded < op.Invoked || op.Responded < l.ops[x].Invoked)
		}
		return !alone || slices.Contains(gives(during[0]), op.Result)
	case verdict.Eventually:
		return slices.ContainsFunc(l.states[:end+1], func(state oracle.State) bool {
			alone := !slices.ContainsFunc(l.order, func(x int) bool { return l.ops[x].Invoked < op.Responded && op.Invoked < l.ops[x].Responded })
			return slices.Contains(gives(state), op.Result) && (!alone || state == l.states[end])
		})
	case verdict.Stale:
		different := slices.Compact(slices.Clone(l.states[:begin+1]))
		return slices.ContainsFunc(append(different[max(0, len(different)-1-m.Bound):], during...), func(state oracle.State) bool {
			return slices.Contains(gives(state), op.Result)
		})
	case verdict.Parts:
		return slices.ContainsFunc(s.subsets(l, r, begin, end), func(state oracle.State) bool { return slices.Contains(gives(state), op.Result) })
	case verdict.Some:
		return slices.ContainsFunc(s.subsets(l, r, 0, len(l.order)), func(state oracle.State) bool { return slices.Contains(gives(state), op.Result) })
	case verdict.Between:
		var all []int64
		for _, state := range s.subsets(l, r, 0, len(l.order)) {
			all = append(all, gives(state)[0].At(0).Int)
		}
		return slices.Min(all) <= op.Result.At(0).Int && op.Result.At(0).Int <= slices.Max(all)
	}
	panic("no such meaning")
}

// subsets are the states behind those calls of a part of the order that the read may see, without the others. (The calls of these tests
// have one outcome each.)
func (s *weakSubject) subsets(l *literal2, r, from, to int) (list []oracle.State) {
	parts := s.weaker.Of[l.ops[r].Method].Name == verdict.Parts
next:
	for set := range 1 << (to - from) {
		state, late := l.states[from], map[int64]bool{}
		for i := range to - from {
			x := l.order[from+i]
			if l.states[from+i] == l.states[from+i+1] {
				continue
			}
			key, keyed := s.weaker.key(callOf(l.ops[x]))
			switch seen := set>>i&1 != 0; {
			case seen && l.ops[r].Precedes(l.ops[x]), seen && parts && keyed && late[key], !seen && !parts && l.ops[x].Precedes(l.ops[r]):
				continue next
			case !seen:
				late[key] = late[key] || keyed
			default:
				if outcomes, _ := s.spec.Outcomes(state, callOf(l.ops[x])); len(outcomes) > 0 {
					state = outcomes[0].Next
				}
			}
		}
		list = append(list, state)
	}
	return list
}

func TestCheckWeaker_AgreesWithTheLiteralDefinition(t *testing.T) {
	level.SkipShort(t, "tries permutations")
	for _, s := range weakSubjects(t) {
		rng := rand.New(rand.NewPCG(3, 4))
		n := 150
		if level.All() {
			n = weakHistories()
		}
		for i := range n {
			h := s.weakHistory(rng, 1+i%4, false)
			if len(h.Operations()) > 6 {
				continue
			}
			if got, want := checkWeaker(t, &s, h), literalWeaker(&s, h); got != want {
				t.Fatalf("%s: got %t, want %t\n%s", s.name, got, want, h)
			}
		}
	}
}

// The reductions of a search leave out executions whose calls last longer than those of an execution that is searched: an invocation goes
// with the first access of the call, a response with the last. That is right because such a history has every property that the other one has.
func TestCheckWeaker_HoldsWhereCallsLastLonger(t *testing.T) {
	for _, s := range weakSubjects(t) {
		rng := rand.New(rand.NewPCG(11, 4))
		longer := 0
		for i := range weakHistories() {
			h := s.weakHistory(rng, 1+i%3, i%2 == 0)
			if len(h.Operations()) > 7 || !checkWeaker(t, &s, h) {
				continue
			}
			other := stretched(rng, h)
			if slices.Equal(other.Events, h.Events) {
				continue
			}
			longer++
			if !checkWeaker(t, &s, other) {
				t.Fatalf("%s: holds of\n%sbut not of\n%s", s.name, h, other)
			}
		}
		if longer == 0 && !level.Short() {
			t.Errorf("%s: no history was stretched", s.name)
		}
	}
}

// stretched exchanges neighbouring events of different threads so that calls begin earlier and return later.
func stretched(rng *rand.Rand, h history.History) history.History {
	events := slices.Clone(h.Events)
	for range 6 * len(events) {
		if len(events) < 2 {
			break
		}
		i := rng.IntN(len(events) - 1)
		if a, b := events[i], events[i+1]; a.Thread != b.Thread && a.Phase == history.Respond && b.Phase == history.Invoke {
			events[i], events[i+1] = b, a
		}
	}
	return history.History{Threads: h.Threads, Events: events}
}

func TestWeakerMonitor_FollowsRenumberedThreads(t *testing.T) {
	for _, s := range weakSubjects(t) {
		m, rng := weakMonitor(t, &s), rand.New(rand.NewPCG(1, 3))
		for range 100 {
			h, to := s.weakHistory(rng, 3, true), rng.Perm(4)
			h.Events, h.Threads = h.Events[:rng.IntN(len(h.Events)+1)], 4
			id, other := follow(m, h), follow(m, permuted(h, to))
			if m.Rename(id, NewPerm(to)) != other {
				t.Fatalf("%s: by %v\n%s", s.name, to, h)
			}
			for thread := range 4 {
				if m.Signature(id, thread) != m.Signature(other, to[thread]) {
					t.Fatalf("%s: signature of thread %d\n%s", s.name, thread, h)
				}
			}
		}
	}
}

func TestWeakerMonitor_FollowsRenamedValues(t *testing.T) {
	r := oracle.NoRenaming()
	r[oracle.Keys][0], r[oracle.Keys][1] = 1, 0
	r[oracle.Items][0], r[oracle.Items][1] = 3, 2
	for _, s := range weakSubjects(t) {
		if _, renamable := s.spec.(oracle.RenamableSpec); !renamable || s.kind == oracle.Counter {
			continue // the initial 0 is no name
		}
		m, rng := weakMonitor(t, &s), rand.New(rand.NewPCG(1, 3))
		for range 100 {
			h := s.weakHistory(rng, 3, true)
			h.Events = h.Events[:rng.IntN(len(h.Events)+1)]
			id := follow(m, h)
			other := follow(m, renamedHistory(s.spec.(oracle.RenamableSpec), h, &r))
			if m.RenameValues(id, m.Renaming(r)) != other {
				t.Fatalf("%s:\n%s", s.name, h)
			}
		}
	}
}

func TestWeakerMonitor_ContentDoesNotDependOnNumbering(t *testing.T) {
	for _, s := range weakSubjects(t) {
		m, other, rng := weakMonitor(t, &s), weakMonitor(t, &s), rand.New(rand.NewPCG(2, 5))
		var all []history.History
		for range 60 {
			h := s.weakHistory(rng, 3, true)
			h.Events = h.Events[:rng.IntN(len(h.Events)+1)]
			all = append(all, h)
		}
		for i := range all { // the other way round
			follow(other, all[len(all)-1-i])
		}
		content := make(map[uint64]ID)
		for _, h := range all {
			a, b := follow(m, h), follow(other, h)
			if m.Content(a) != other.Content(b) {
				t.Fatalf("%s:\n%s", s.name, h)
			}
			if known, ok := content[m.Content(a)]; ok && known != a {
				t.Fatalf("%s: two states with one content hash\n%s", s.name, h)
			}
			content[m.Content(a)] = a
		}
	}
}

// parts implies some, some between, between and eventually quiet, and stale(1) stale(2).
func TestCheckWeaker_Implications(t *testing.T) {
	implied := map[string][]string{"between": {"quiet"}, "parts": {"some"}, "some": {"between"}, "stale(1)": {"stale(2)"}, "eventually": {"quiet"}}
	for _, s := range weakSubjects(t) {
		if len(s.ops) < 3 {
			continue
		}
		for from, all := range implied {
			for _, to := range all {
				strong, weak := weakened(t, s.subject, "", "", from), weakened(t, s.subject, "", "", to)
				rng := rand.New(rand.NewPCG(9, 9))
				for i := range 40 {
					h := strong.weakHistory(rng, 1+i%2, false)
					if len(h.Operations()) <= 7 && checkWeaker(t, &strong, h) && !checkWeaker(t, &weak, h) {
						t.Fatalf("%s does not imply %s:\n%s", strong.name, to, h)
					}
				}
			}
		}
	}
}

// The pairs of meanings of which neither implies the other, and those that differ, each with a history.
func TestCheckWeaker_TellsTheMeaningsApart(t *testing.T) {
	ok, count := oracle.SlotOK, oracle.SlotCount
	set := bound(t, "set", oracle.Set, oracle.Protocol{}, op(oracle.Add, ok), op(oracle.Remove, ok), op(oracle.Len, count), op(oracle.Contains, ok))
	counter := bound(t, "counter", oracle.Counter, oracle.Protocol{}, op(oracle.AddTo), op(oracle.Dec), op(oracle.Load, oracle.SlotItem))
	turned := bound(t, "register", oracle.Register, oracle.Protocol{}, op(oracle.AddTo), op(oracle.Toggle), op(oracle.Load, oracle.SlotItem))
	full := bound(t, "bounded queue", oracle.Queue, oracle.Protocol{Kind: oracle.Bounded, Capacity: 2}, op(oracle.Put), op(oracle.Take, oracle.SlotItem), op(oracle.Len, count))
	for _, c := range []struct {
		name string
		subject
		script string
		has    string // meanings that the history has; linear stands for linearizability
	}{
		{"right", set, "1+add1 1-true 2+len 2-1", "linear between parts some stale(1) stale(2) eventually quiet"},
		{"wrong", set, "1+add1 1-true 2+len 2-0", "stale(1) stale(2)"},
		{"wrong by two", set, "1+add1 1-true 1+add0 1-true 2+len 2-0", "stale(2)"},
		{"reads the first key before and the second behind", set, "1+add0 1-true 2+len 1+add1 1-true 1+remove0 1-true 2-2", "linear between parts some stale(1) stale(2) eventually quiet"},
		{"never so many", set, "1+add0 1-true 2+len 1+remove0 1-true 1+add1 1-true 2-2", "parts some between quiet"},
		{"a key that is not there yet counts twice", set, "2+len 1+add0 1-true 1+remove0 1-true 2-2", "quiet"},
		{"remove without add of the same key", set, "2+len 1+add0 1-true 1+remove0 1-true 2--1", "quiet"},
		{"half of a sum", counter, "2+load 1+add-to4 1- 2-3", "between quiet"},
		{"more than there is", counter, "2+load 1+dec 1- 1+add-to1 1- 2-1", "parts some between quiet"},
		{"before its effect is seen by others", set, "1+add1 2+len 2-1 3+contains1 3-false 1-true", "some between quiet"},
		{"seen before it turns out to change nothing", set, "1+add1 3+len 3-1 2+add1 2-true 1-false", "quiet"},
		{"two reads see two calls in one order", turned, "1+add-to3 2+toggle 3+load 3-4 3+load 3-4 1- 2-", "linear between parts some stale(1) stale(2) eventually quiet"},
		{"two reads see two calls in both orders", turned, "1+add-to3 2+toggle 3+load 3--2 3+load 3-4 1- 2-", "quiet"},
		{"a call that is stuck at the end was seen", full, "1+put1 3+len 3-1 2+put1 2- 2+put1 2-", "quiet"},
		{"a call that is not stuck was seen", full, "1+put1 3+len 3-1 2+put1 2- 1-", "linear between parts some stale(1) stale(2) eventually quiet"},
		{"behind its effect is seen by others", set, "1+add1 3+contains1 3-true 2+len 2-0 1-true", "some between stale(1) stale(2) eventually quiet"},
		{"as it was long ago", set, "1+add1 1-true 1+add0 1-true 1+remove0 1-true 1+add0 1-true 2+len 1+remove0 2-0 1-true", "eventually quiet"},
		{"as it was long ago, and no call overlaps", set, "1+add1 1-true 1+add0 1-true 1+remove0 1-true 2+len 3+len 3-1 2-0", ""},
		{"as it will be", set, "1+add1 1-true 2+len 1+remove1 2-2 1-true 1+add0 1-true 1+add1 1-true", "quiet"},
	} {
		h := weakScript(t, c.subject, c.script)
		for _, m := range []string{"linear", "between", "parts", "some", "stale(1)", "stale(2)", "eventually", "quiet"} {
			meaning := m
			if m == "linear" {
				meaning = ""
			}
			s := weakened(t, c.subject, "", "", meaning)
			got := checkWeaker(t, &s, h)
			if want := slices.Contains(strings.Fields(c.has), m); got != want {
				t.Errorf("%s: %s is %t\n%s", c.name, m, got, h)
			}
			if mon := judged(weakMonitor(t, &s), h); mon != got {
				t.Errorf("%s: the monitor says that %s is %t\n%s", c.name, m, mon, h)
			}
		}
	}
}

// weakScript reads such as "1+add1 1-true": thread 1 calls the operation of that role with 1, and it returns true.
func weakScript(t *testing.T, s subject, text string) history.History {
	t.Helper()
	h := history.History{Threads: 3}
	open := map[int]history.Event{}
	for _, word := range strings.Fields(text) {
		thread := int(word[0] - '1')
		if word[1] == '-' {
			e := open[thread]
			e.Phase = history.Respond
			var n int64
			switch r := word[2:]; r {
			case "true", "false":
				e.Result = history.Of(history.BoolValue(r == "true"))
			case "":
			default:
				if _, err := fmt.Sscan(r, &n); err != nil {
					t.Fatal(err)
				}
				e.Result = history.Ints(n)
			}
			h.Events = append(h.Events, e)
			continue
		}
		name := strings.TrimRight(word[2:], "0123456789")
		e := history.Event{Thread: thread, Name: name, Method: slices.IndexFunc(s.ops, func(o oracle.Op) bool { return o.Name == name })}
		if digits := word[2+len(name):]; digits != "" {
			e.Args = history.Ints(int64(digits[0] - '0'))
		}
		open[thread] = e
		h.Events = append(h.Events, e)
	}
	return h
}

// Each read has its own bound, also where others go back further.
func TestCheckWeaker_KeepsTheBoundOfEachRead(t *testing.T) {
	set := bound(t, "set", oracle.Set, oracle.Protocol{}, op(oracle.Add, oracle.SlotOK), op(oracle.Remove, oracle.SlotOK), op(oracle.Len, oracle.SlotCount), op(oracle.Contains, oracle.SlotOK))
	s := weakened(t, set, "", "", "stale(1)", "stale(2)")
	for script, want := range map[string]bool{
		"1+add1 1-true 1+add0 1-true 2+len 2-1":           true,
		"1+add1 1-true 1+add0 1-true 2+len 2-0":           false,
		"1+add1 1-true 1+add0 1-true 2+contains1 2-false": true,
	} {
		h := weakScript(t, set, script)
		if got, mon := checkWeaker(t, &s, h), judged(weakMonitor(t, &s), h); got != want || mon != want {
			t.Errorf("%s: definition %t, monitor %t, want %t", script, got, mon, want)
		}
	}
}

// digits is an oracle that lists the calls that have taken effect: Put(2) behind Put(1) makes 12.
func digits() *lastingSpec {
	return &lastingSpec{name: "digits", outcomes: func(s []int64, op int, args []int64) (results, next [][]int64) {
		n := append(s, 0)[0]
		if op == 1 {
			return one([]int64{n}, s)
		}
		return one(nil, []int64{10*n + args[0]})
	}}
}

// Three calls are in progress while one thread reads twice. Each read may see some of them, in the order in which they take effect, and the second one
// need not see what the first one has seen.
func TestWeakerMonitor_ReadsSeeAnySomeInOneOrder(t *testing.T) {
	w := Weaker{Property: Linear, Of: []verdict.Meaning{{}, meaningOf(t, "some")}, Key: []int{-1, -1}, Name: []string{"Put", "Get"}}
	event := func(thread int, phase history.Phase, method int, args, result history.Tuple) history.Event {
		return history.Event{Thread: thread, Phase: phase, Method: method, Name: w.Name[method], Args: args, Result: result}
	}
	// with is a history with the results of the reads; the last read does not return if it is last.
	with := func(reads []int64, last bool) history.History {
		h := history.History{Threads: 4}
		for i := range 3 {
			h.Events = append(h.Events, event(i, history.Invoke, 0, history.Ints(int64(i+1)), history.Tuple{}))
		}
		for i, r := range reads {
			h.Events = append(h.Events, event(3, history.Invoke, 1, history.Tuple{}, history.Tuple{}))
			if !last || i < len(reads)-1 {
				h.Events = append(h.Events, event(3, history.Respond, 1, history.Tuple{}, history.Ints(r)))
			}
		}
		for i := range 3 {
			h.Events = append(h.Events, event(i, history.Respond, 0, history.Ints(int64(i+1)), history.Tuple{}))
		}
		return h
	}
	for _, c := range []struct {
		reads []int64
		want  bool
	}{
		{[]int64{12, 23}, true}, {[]int64{12, 13}, true}, {[]int64{12, 31}, true}, {[]int64{12, 32}, true}, {[]int64{12, 0}, true}, {[]int64{12, 123}, true},
		{[]int64{12, 21}, false}, {[]int64{12, 231}, false}, {[]int64{12, 11}, false}, {[]int64{123, 13}, true}, {[]int64{123, 31}, false}, {[]int64{321, 31}, true},
	} {
		m, err := NewWeakerMonitor(oracle.NewAutomaton(digits()), w, 4)
		if err != nil {
			t.Fatal(err)
		}
		h := with(c.reads, false)
		j, err := CheckWeaker(digits(), h, w, false)
		if got := judged(m, h); err != nil || got != c.want || j.OK != c.want {
			t.Errorf("%v: monitor %t, definition %t (%v), want %t", c.reads, got, j.OK, err, c.want)
		}
	}
	// A read that has not returned promises nothing so far.
	if j, err := CheckWeaker(digits(), with([]int64{12, 23}, true), w, true); err != nil || !j.OK {
		t.Errorf("a read that has not returned makes an execution wrong: %v", err)
	}
}

// Put(1), Put(2) and Put(3) are in progress while one thread reads 12 and 23, so that Put(1) comes before Put(2), and Put(2) before Put(3). That
// the second read sees Put(3) behind Put(2) does not mean that Put(1) has taken effect then: the thread's own Put(4) comes before all of them in 4123.
func TestWeakerMonitor_SeesCallsWhosePredecessorIsStillToCome(t *testing.T) {
	w := Weaker{Property: Linear, Of: []verdict.Meaning{{}, meaningOf(t, "some")}, Key: []int{-1, -1}, Name: []string{"Put", "Get"}}
	for last, want := range map[int64]bool{4123: true, 1423: true, 1234: true, 4213: false, 4132: false, 123: false} {
		h := history.History{Threads: 4}
		event := func(thread int, phase history.Phase, method int, args, result history.Tuple) {
			h.Events = append(h.Events, history.Event{Thread: thread, Phase: phase, Method: method, Name: w.Name[method], Args: args, Result: result})
		}
		get := func(result int64) {
			event(3, history.Invoke, 1, history.Tuple{}, history.Tuple{})
			event(3, history.Respond, 1, history.Tuple{}, history.Ints(result))
		}
		for i := range 3 {
			event(i, history.Invoke, 0, history.Ints(int64(i+1)), history.Tuple{})
		}
		get(12)
		get(23)
		event(3, history.Invoke, 0, history.Ints(4), history.Tuple{})
		for i := range 4 {
			event(i, history.Respond, 0, history.Ints(int64(i+1)), history.Tuple{})
		}
		get(last)
		m, err := NewWeakerMonitor(oracle.NewAutomaton(digits()), w, 4)
		if err != nil {
			t.Fatal(err)
		}
		j, err := CheckWeaker(digits(), h, w, false)
		if got := judged(m, h); err != nil || got != want || j.OK != want {
			t.Errorf("%d: monitor %t, definition %t (%v), want %t", last, got, j.OK, err, want)
		}
	}
}
