// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin"
	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Two procedures that judge histories, the monitor and permutations, are compared on every history of small scopes.

// Bounds of a search for histories; what is larger is left to -level more, and to -level all.
const (
	statesFused = 6_000
	statesRaw   = 4_000
	statesMore  = 32_000
	statesLong  = 500_000
)

// The monitor and the checker that tries permutations agree on every history of the small
// collections: those of the command line's case files in their own scopes, and the case
// studies in the small configurations. Every beginning of a history counts, and is
// judged as if the calls that have not returned never did. Then the engine's verdict, with
// all its reductions, must follow from what the permutations say.
func TestHistories_AreJudgedAlikeByMonitorAndPermutations(t *testing.T) {
	all, list := newTally(), caseFiles(t)
	if level.Short() {
		list = list[:2]
	} else {
		list = append(list, caseStudies(t)...)
	}
	ran, judgedIn := 0, make(map[string]int)
	for i, c := range list {
		if level.Out(i, 12) && !level.Short() {
			continue
		}
		if c.config == "A" && judgedIn[c.collection] > 0 {
			ran++ // B contains it
			continue
		}
		t.Run(c.scope, func(t *testing.T) {
			ran++
			auditScope(t, c, all)
			judgedIn[c.collection]++
		})
	}
	t.Logf("%s", all)
	if ran < len(list) {
		return // only some were asked for: with -level more all
	}
	for _, c := range list {
		if judgedIn[c.collection] == 0 && level.More() { // without, the scopes of some cases are too large
			t.Errorf("%s: not judged in any scope", c.collection)
		}
	}
	if want := len(properties()) * 4; len(all.judged) < want && !level.Short() {
		t.Errorf("%d of %d judgements: for some property no complete or no stuck history is right, or none is wrong", len(all.judged), want)
	}
}

// A search that executes an invocation with the first access, many accesses in one
// step, and none of those that are fixed or guarded as steps of their own, finds
// every history: each stands for those in which calls begin earlier or return later.
func TestHistories_AreAllFoundWithFusing(t *testing.T) {
	level.SkipShort(t, "lists the histories of the case studies with and without a reduction")
	compared := 0
	for i, c := range caseStudies(t) {
		t.Run(c.scope, func(t *testing.T) {
			if level.Out(i, 5) {
				t.Skip("some case studies will do; -level more tries all")
			}
			c.request.Scope.GenericValues = pangolin.Off // they are numbered by invocations
			c.request.Scope.AddsDominant = pangolin.Off
			for _, s := range prepared(t, c) {
				raw, limit := histories(t, s, vm.AllReductions&^vm.Fusing)
				if limit != "" {
					t.Skip("too many to list them all: " + limit)
				}
				fused, limit := histories(t, s, vm.AllReductions)
				if limit != "" {
					t.Fatal(limit)
				}
				letters := new(alphabet)
				a, b := letters.closed(fused), letters.closed(raw)
				for _, h := range missing(a, b) {
					t.Fatalf("only with fusing:\n%s", h)
				}
				for _, h := range missing(b, a) {
					t.Fatalf("only without fusing:\n%s", h)
				}
				compared += size(a)
			}
		})
	}
	t.Logf("%d histories", compared)
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

func properties() []consist.Property {
	return []consist.Property{consist.Linear, consist.Sequential, consist.Quiescent}
}

// audited is a request whose histories are listed.
type audited struct {
	collection string
	config     string // if the scope is a configuration
	scope      string // the collection and its bounds
	request    pangolin.Request
}

// caseFiles are the scopes in which the command line's case files verify, and with -level more
// configuration B.
func caseFiles(t *testing.T) []audited {
	files, err := filepath.Glob("cmd/pangolin/testdata/case/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	var list []audited
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := extracted(t, archive)
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		small := false
		for line := range strings.Lines(string(archive.Comment)) {
			if args := strings.Fields(strings.TrimPrefix(line, "! ")); len(args) > 0 && args[0] == "agree" {
				r := verifyArguments(t, args[1:])
				r.Dir = dir
				list = append(list, audited{collection: name, scope: fmt.Sprintf("%s %s", name, strings.Join(args[1:len(args)-1], " ")), request: r})
				if r.Scope = (pangolin.Scope{Config: "B"}); !small && level.More() {
					small = true
					list = append(list, audited{name, "B", name + " B", r})
				}
			}
		}
	}
	return list
}

func extracted(t *testing.T, a *txtar.Archive) string {
	dir := t.TempDir()
	for _, f := range a.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(string(a.Comment), "go work init") {
		root, err := filepath.Abs(".")
		if err != nil {
			t.Fatal(err)
		}
		init := exec.Command("go", "work", "init", ".", root)
		init.Dir = dir
		if out, err := init.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return dir
}

// verifyArguments reads those of verify's flags that say what is verified; whatever the
// property, all are looked at.
func verifyArguments(t *testing.T, args []string) pangolin.Request {
	for i := range args {
		args[i] = strings.Trim(args[i], "'")
	}
	var r pangolin.Request
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	r.Register(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	r.Packages, r.Property = fs.Args(), ""
	if r.Search.Unfair == pangolin.Default {
		r.Search.Unfair = pangolin.Off
	}
	return r
}

// caseStudies are the collections of this module in small configurations.
func caseStudies(t *testing.T) []audited {
	switch {
	case level.All():
		return studies(t, "D,B,A")
	case level.More():
		return studies(t, "B,A")
	}
	return studies(t, "A")
}

func studies(t *testing.T, configs string) []audited {
	var list []audited
	eachExpectation(t, configs, func(dir string, cell func(string) string, config string) {
		r := expectedRequest(t, dir, cell, config)
		list = append(list, audited{r.Type + " = " + r.New, config, fmt.Sprintf("%s %s %s", cell("collection"), cell("property"), config), r})
	})
	return list
}

func prepared(t *testing.T, c audited) []pangolin.Audited {
	t.Helper()
	list, err := pangolin.Audit(repository, c.request)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// histories lists those of a collection; a limit says why not all.
func histories(t *testing.T, a pangolin.Audited, reduce vm.Reductions) (list []bounded.Observed, limit string) {
	t.Helper()
	opt, err := a.Options(consist.Linear)
	if err != nil {
		t.Fatal(err)
	}
	opt.Reduce, opt.MaxStates = reduce, statesFused
	switch {
	case level.All():
		opt.MaxStates = statesLong
	case level.More() && reduce&vm.Fusing != 0:
		opt.MaxStates = statesMore
	case reduce&vm.Fusing == 0:
		opt.MaxStates = statesRaw
	}
	list, limit, err = bounded.Histories(repository, opt)
	if err != nil {
		t.Fatal(err)
	}
	return list, limit
}

// auditScope judges the histories of a scope if all can be listed within the limit.
func auditScope(t *testing.T, c audited, all *tally) {
	for _, a := range prepared(t, c) {
		list, limit := histories(t, a, vm.AllReductions)
		if limit != "" {
			t.Skip("too many to list them all: " + limit)
		}
		here := newTally()
		for _, p := range properties() {
			j := judgeAll(t, a, p, list, here)
			if level.All() || p == consist.Linear || j.wrong != nil { // the engine confirms what it finds by permutations
				j.compareWithEngine(t, a)
			}
		}
		t.Logf("%s: %s", a.Name, here)
		all.add(here)
	}
}

// tally counts judgements.
type tally struct {
	histories int
	judged    map[judged]int
}

type judged struct {
	property consist.Property
	kind     string
	ok       bool
}

func newTally() *tally { return &tally{judged: make(map[judged]int)} }

func (t *tally) add(o *tally) {
	t.histories += o.histories
	for k, n := range o.judged {
		t.judged[k] += n
	}
}

func (t *tally) String() string {
	text := fmt.Sprintf("%d histories", t.histories)
	for _, p := range properties() {
		n := func(kind string, ok bool) int { return t.judged[judged{p, kind, ok}] }
		text += fmt.Sprintf("; %s: complete %d good %d bad, stuck %d good %d bad", p,
			n("complete", true), n("complete", false), n("stuck", true), n("stuck", false))
	}
	return text
}

// judgement is what the permutations say of a scope's histories.
type judgement struct {
	property consist.Property
	wrong    *history.History // an execution may end with it, and no order fits
}

// judgeAll lets monitor and permutations judge all histories, and those that they stand for.
func judgeAll(t *testing.T, a pangolin.Audited, p consist.Property, list []bounded.Observed, count *tally) judgement {
	m, err := consist.NewMonitor(oracle.NewAutomaton(a.Subject.Spec), p, list[0].History.Threads)
	if err != nil {
		t.Fatal(err)
	}
	benches := make(map[oracle.State]*bench)
	all := new(alphabet).closed(list)
	for start, set := range all {
		b := &bench{t: t, property: p, monitor: m, from: m.InitialAt(start), spec: oracle.StartingAt(a.Subject.Spec, start), count: count}
		benches[start] = b
		for key := range set.known {
			b.judge(set.history(key))
		}
	}
	out := judgement{property: p}
	for _, o := range list {
		if o.Ends && !benches[o.Start].permutations(o.History) {
			out.wrong = &o.History
		}
	}
	if p == consist.Linear {
		count.histories += size(all)
	}
	return out
}

// bench judges histories that begin in one state of the oracle.
type bench struct {
	t        *testing.T
	property consist.Property
	monitor  *consist.HistoryMonitor
	from     consist.ID
	spec     oracle.Spec
	count    *tally
}

func (b *bench) permutations(h history.History) bool {
	b.t.Helper()
	j, err := consist.Check(b.spec, h, b.property)
	if err != nil {
		b.t.Fatal(err)
	}
	return j.OK
}

func (b *bench) judge(h history.History) {
	b.t.Helper()
	id, _ := b.monitor.Follow(b.from, h)
	got, kind := id != consist.Rejected, "complete"
	if h.Complete() {
		got = got && b.monitor.CompleteOK(id)
	} else {
		kind = "stuck"
		ok, _ := b.monitor.StuckOK(id, b.monitor.Busy(id))
		got = got && ok
	}
	want := b.permutations(h)
	if got != want {
		b.t.Fatalf("%s: monitor %t, permutations %t\n%s", b.property, got, want, h)
	}
	b.count.judged[judged{b.property, kind, want}]++
	b.judgeUnfinished(h, id == consist.Rejected)
}

// judgeUnfinished judges a history as the beginning of others: what the monitor rejects
// then no continuation can mend. Of linearizability it knows at once.
func (b *bench) judgeUnfinished(h history.History, rejected bool) {
	b.t.Helper()
	if !rejected && b.property != consist.Linear {
		return
	}
	j, err := consist.CheckUnfinished(b.spec, h, b.property)
	switch {
	case err != nil:
		b.t.Fatal(err)
	case rejected && j.OK:
		b.t.Fatalf("%s: rejected, but the order %v fits\n%s", b.property, j.Order, h)
	case !rejected && !j.OK:
		b.t.Fatalf("%s: not rejected, but no order fits\n%s", b.property, h)
	}
}

// compareWithEngine verifies with all reductions. A violation that is a matter of histories
// must be found exactly if permutations find one.
func (j judgement) compareWithEngine(t *testing.T, a pangolin.Audited) {
	t.Helper()
	opt, err := a.Options(j.property)
	if err != nil {
		t.Fatal(err)
	}
	opt.NoRaces = true
	res, err := bounded.Run(repository, opt)
	if err != nil {
		t.Fatal(err)
	}
	ofHistories := []bounded.Class{bounded.History, bounded.Deadlock, bounded.Livelock}
	switch {
	case res.Violation == nil && j.wrong != nil:
		t.Errorf("%s: %q, but no order fits\n%s", j.property, res.Incomplete, j.wrong)
	case res.Violation != nil && slices.Contains(ofHistories, res.Violation.Class) && j.wrong == nil:
		t.Errorf("%s: %s, but there is an order for every history\n%s", j.property, res.Violation.Class, res.Violation.History)
	}
}

// historySet is a set of histories, written as strings of events.
type historySet struct {
	*alphabet
	threads int
	known   map[string]bool
}

// alphabet numbers events.
type alphabet struct {
	codes  map[history.Event]byte
	events []history.Event
}

// closed is the set of all histories that those in the list stand for, by the oracle's state before
// them: a call may begin earlier and return later, as long as its thread does nothing
// else, and an execution may be looked at before it ends.
func (a *alphabet) closed(list []bounded.Observed) map[oracle.State]*historySet {
	sets := make(map[oracle.State]*historySet)
	for _, o := range list {
		if sets[o.Start] == nil {
			sets[o.Start] = &historySet{alphabet: a, threads: o.History.Threads, known: make(map[string]bool)}
		}
		sets[o.Start].include(a.key(o.History))
	}
	return sets
}

// include adds a history and what it stands for.
func (s *historySet) include(key string) {
	todo := []string{key}
	for len(todo) > 0 {
		key, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if s.known[key] {
			continue
		}
		s.known[key] = true
		if len(key) > 0 {
			todo = append(todo, key[:len(key)-1])
		}
		for i := range len(key) - 1 {
			e, f := s.events[key[i]], s.events[key[i+1]]
			if e.Thread != f.Thread && (e.Phase == history.Respond || f.Phase == history.Invoke) {
				todo = append(todo, key[:i]+key[i+1:i+2]+key[i:i+1]+key[i+2:])
			}
		}
	}
}

func (a *alphabet) key(h history.History) string {
	if a.codes == nil {
		a.codes = make(map[history.Event]byte)
	}
	var key []byte
	for _, e := range h.Events {
		code, ok := a.codes[e]
		if !ok {
			code = byte(len(a.events))
			a.codes[e] = code
			a.events = append(a.events, e)
		}
		key = append(key, code)
	}
	return string(key)
}

func (s *historySet) history(key string) history.History {
	h := history.History{Threads: s.threads}
	for _, code := range []byte(key) {
		h.Events = append(h.Events, s.events[code])
	}
	return h
}

func size(sets map[oracle.State]*historySet) int {
	n := 0
	for _, s := range sets {
		n += len(s.known)
	}
	return n
}

// missing lists what is in a and not in b.
func missing(a, b map[oracle.State]*historySet) (list []history.History) {
	for start, s := range a {
		for key := range s.known {
			if b[start] == nil || !b[start].known[key] {
				list = append(list, s.history(key))
			}
		}
	}
	return list
}
