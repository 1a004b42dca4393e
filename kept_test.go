// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/report"
	"pangolin/report/text"
	"pangolin/verdict"
)

// A result from the directory is the one that would be computed: every field of a request that decides about it changes its key,
// and what is taken from the directory has the same bytes in every format.

const boxes = `package box

import (
	"sync"
	"sync/atomic"
)

// Queue is a queue with a lock.
type Queue struct {
	mu   sync.Mutex
	list []int
}

func New(n int) *Queue { return &Queue{list: make([]int, 0, n)} }

func NewQueue() *Queue { return &Queue{} }

func (q *Queue) Put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, v)
}

func (q *Queue) Take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return 0, false
	}
	v := q.list[0]
	q.list = q.list[1:]
	return v, true
}

func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list)
}

func (q *Queue) Each(f func(int) int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, v := range q.list {
		q.list[i] = f(v)
	}
}

func double(v int) int { return 2 * v }

// Counter loses counts.
type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }

func (c *Counter) Get() int64 { return c.n.Load() }

// Plain has no synchronisation.
type Plain struct{ n int }

func (p *Plain) Add(n int) { p.n += n }

func (p *Plain) Get() int { return p.n }

// Hidden cannot be made, because nobody has a key.
type Hidden struct{ mu sync.Mutex }

type key interface{ secret() }

func NewHidden(k key) *Hidden { k.secret(); return &Hidden{} }

func (h *Hidden) Put(v int) { h.mu.Lock() }

func (h *Hidden) Take() int { return 1 }

func (q *Queue) sound() bool { return len(q.list) < 100 }
`

// box writes a module with these types, and gives its directory.
func box(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "box.go": boxes} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// keyless lists the fields that change no key, with the reason.
var keyless = map[string]string{
	"type":     "the base has it, in another way",
	"out":      "where witnesses are written",
	"timeout":  "a result behind which the limit was met is not kept",
	"j":        "results do not depend on it",
	"cache":    "where results are kept",
	"no-cache": "then none is",
	"since":    "which collections are verified", "shard": "which collections are verified", "costs": "which collections are verified",
	"resume": "a verdict is the same",
	"test":   "of programs",
}

// values are those of fields that texts has none for that suit a queue.
var values = map[string]string{"new": "New(2)", "roles": "Put:1", "ops": "Put,Take", "give": "Each=double", "kind": "stack", "engine": "refine", "property": "quiescent",
	"invariant": "sound", "protocol": "blocking", "fair": "false", "preempt": "1"}

// Every field of a request changes the key, or is on the list with the reason. A new field is on neither.
func TestKeys_DifferInEachFieldOfTheRequest(t *testing.T) {
	dir := box(t)
	base := pangolin.Request{Dir: dir, Packages: []string{"m.Queue"}}
	sources, tool := "sources", "tool"
	keyOf := func(r pangolin.Request) string {
		keys, err := pangolin.Keys(context.Background(), r, sources, tool)
		if err != nil || len(keys) != 1 {
			t.Errorf("%+v: %v, %d keys", r, err, len(keys))
			return ""
		}
		return keys[0]
	}
	plain := keyOf(base)
	seen := map[string]string{plain: "nothing"}
	for _, f := range pangolin.Fields() {
		r, plain, text := base, plain, texts()[f.Flag]
		if own, ok := values[f.Flag]; ok {
			text = own
		}
		if f.Flag == "cache" {
			text = t.TempDir() // what the go command says is kept there
		}
		if f.Flag == "type" || f.Flag == "test" {
			continue
		}
		switch f.Flag {
		case "distinct-priorities": // only priority queues have any
			r.Kind = "pqueue"
			plain = keyOf(r)
		case "swarm":
			r.Search.MaxStates = 1000
			plain = keyOf(r)
		case "give":
			r.Ops = []string{"Put", "Take", "Each"}
			plain = keyOf(r)
		}
		if err := f.Set(&r, text); err != nil {
			t.Fatal(err)
		}
		if f.Group == pangolin.OfPart { // there is no repository and no file, and the one collection is in the first shard
			continue
		}
		key, why := keyOf(r), keyless[f.Flag]
		if (key == plain) != (why != "") {
			t.Errorf("-%s %s: the key is that of the plain request: %t; want %t (%s)", f.Flag, text, key == plain, why != "", why)
		}
		if before, ok := seen[key]; ok && why == "" {
			t.Errorf("-%s %s has the key of %s", f.Flag, text, before)
		}
		seen[key] = "-" + f.Flag
	}
	of := reflect.TypeFor[pangolin.Search]()
	for _, field := range reflect.VisibleFields(of) { // those that are no flags of verify as well
		if field.Type.Kind() != reflect.Bool {
			continue
		}
		r := base
		reflect.ValueOf(&r.Search).Elem().FieldByIndex(field.Index).SetBool(true)
		if key := keyOf(r); (key == plain) != slices.Contains([]string{"NoCache", "Resume"}, field.Name) {
			t.Errorf("Search.%s: the key is that of the plain request: %t", field.Name, key == plain)
		}
	}
	if sources = "others"; keyOf(base) == plain {
		t.Error("other sources have the same key")
	}
	if sources, tool = "sources", "another"; keyOf(base) == plain {
		t.Error("another Pangolin has the same key")
	}
	tool = "tool"
	other := base
	if other.Dir = box(t); keyOf(other) != plain {
		t.Error("another directory is another key")
	}
	if other.Dir, other.Packages = dir, []string{"m.Queue", "m.Queue"}[1:]; keyOf(other) != plain {
		t.Error("another pattern for the same package is another key")
	}
	if other.Packages, other.Type = []string{"./..."}, "Queue"; keyOf(other) != plain {
		t.Error("a type that is named by a field is another key")
	}
}

// formats are those in which a verdict can be printed.
var formats = []string{"text", "json", "sarif", "junit", "html"}

// printedIn is a list of verdicts in all formats.
func printedIn(t *testing.T, list []verdict.Verdict) string {
	t.Helper()
	var b bytes.Buffer
	for _, format := range formats {
		p, err := report.New(format, &b, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if err := p.Show(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// What the directory gives is what was computed: but for the mark, all formats have the same bytes, and witnesses are written again.
func TestCache_GivesTheSameBytesInEveryFormat(t *testing.T) {
	requests := []pangolin.Request{{}, {Property: "all"}, {Search: pangolin.Search{Scenes: true, Min: true}}, {Scope: pangolin.Scope{Config: "B"}, Engine: "refine"},
		{Search: pangolin.Search{MaxStates: 20}}, {Type: "Queue", Kind: "stack"}}
	packages := []string{"m"}
	if level.More() {
		packages = append(packages, "./...")
	}
	dir := box(t)
	for _, r := range requests {
		r.Dir, r.Packages, r.Search.Cache = dir, packages, filepath.Join(t.TempDir(), "results")
		r.Out = filepath.Join(t.TempDir(), "witnesses")
		first, told, written := heard(t, r)
		again := func(r pangolin.Request) {
			second, toldAgain, writtenAgain := heard(t, r)
			for i := range second {
				if judged := second[i].Status != verdict.NotJudged; second[i].Cached != judged || first[i].Cached {
					t.Errorf("%+v: %s: cached %t, then %t", r, second[i].Collection, first[i].Cached, second[i].Cached)
				}
				second[i].Cached = false
			}
			if a, b := printedIn(t, first), printedIn(t, second); a != b {
				t.Errorf("%+v: printed first\n%s\nand from the directory\n%s", r, a, b)
			}
			if !slices.Equal(told, toldAgain) {
				t.Errorf("%+v: told first\n%q\nand from the directory\n%q", r, told, toldAgain)
			}
			if writtenAgain != written {
				t.Errorf("%+v: witnesses %q, then %q", r, written, writtenAgain)
			}
		}
		again(r) // without loading the packages
		if r.Packages[0] == "m" {
			r.Packages = []string{"."} // the same, asked in another way: each collection's result by itself
			again(r)
		}
	}
}

// The progress of a search tells what the last one for the same type and property came to, unless that ended with a violation.
func TestProgress_TellsOfAnEarlierSearch(t *testing.T) {
	level.SkipShort(t, "searches a hundred thousand states")
	cache := t.TempDir()
	progress := func(config string) (told []pangolin.Progress) {
		r := pangolin.Request{Packages: []string{"./collections/list.LockFreeList"}, Scope: pangolin.Scope{Config: config},
			Search: pangolin.Search{Cache: cache, Workers: 1, MaxStates: 1 << 16, Reduce: "none"}}
		r.Events.Progress = func(p pangolin.Progress) { told = append(told, p) }
		if _, err := pangolin.Verify(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		return told
	}
	if told := progress("D"); len(told) == 0 || told[0].Earlier != 0 {
		t.Errorf("the first time it tells %+v", told)
	}
	if told := progress("E"); len(told) == 0 || told[0].Earlier != 1<<16 || told[0].EarlierScope != "D" {
		t.Errorf("the second time it tells %+v", told)
	}
}

// printedAs is a result in each format that has a form for it, and with all that text has to say.
func printedAs(t *testing.T, result any) string {
	t.Helper()
	var b bytes.Buffer
	for _, o := range []report.Options{{}, {Options: text.Options{All: true, Width: 160}}} {
		for _, f := range report.Formats {
			p := f.New(&b, o)
			fmt.Fprintf(&b, "\n%s: %v\n", f.Name, p.Show(result))
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

// What the studies ask, and the mutants that they try, have the same bytes in every format, computed and from the directory: a dozen usually,
// more than a thousand with -level all.
func TestCache_GivesTheSameBytesOfStudiesAndMutants(t *testing.T) {
	packages, configs, properties := []string{"./collections/stack"}, []string{"A"}, []pangolin.Properties{"linear"}
	types, opt, least := []string{"./collections/stack.LockFreeStack"}, pangolin.Mutation{Max: 12}, 10
	if level.All() {
		packages, configs, properties = []string{"./collections/..."}, []string{"A", "B", "2x2"}, []pangolin.Properties{"linear", "sc", "quiescent"}
		opt.Max, least = 0, 1000
		for _, name := range []string{"list.LazyList", "list.LockFreeList", "list.FineList", "list.CoarseList", "list.OptimisticList", "queue.LockFreeQueue", "queue.UnboundedQueue", "stack.EliminationBackoffStack", "pqueue.SkipQueue"} {
			types = append(types, "./collections/"+name)
		}
	}
	count := 0
	same := func(name string, first, second any) {
		a, b := strings.Split(printedAs(t, first), "\n"), strings.Split(printedAs(t, second), "\n")
		if count++; slices.Equal(a, b) {
			return
		}
		n := 0
		for n < min(len(a), len(b))-1 && a[n] == b[n] {
			n++
		}
		t.Errorf("%s: printed first\n%.500s\nand from the directory\n%.500s", name, a[n], b[n])
	}
	verdicts, began := 0, time.Now()
	for _, config := range configs {
		for _, property := range properties {
			r := pangolin.Request{Packages: packages, Property: property, Scope: pangolin.Scope{Config: config},
				Search: pangolin.Search{MaxStates: 20_000, Cache: filepath.Join(t.TempDir(), "results")}}
			r.Out = filepath.Join(t.TempDir(), "witnesses")
			first, _, _ := heard(t, r)
			second, _, _ := heard(t, r)
			if len(first) != len(second) {
				t.Fatalf("%s %s: %d verdicts, then %d", config, property, len(first), len(second))
			}
			for i := range second {
				if judged := second[i].Status != verdict.NotJudged; second[i].Cached != judged || first[i].Cached {
					t.Errorf("%s %s: %s: cached %t, then %t", config, property, second[i].Collection, first[i].Cached, second[i].Cached)
				}
				if second[i].Cached = false; second[i].Status != verdict.NotJudged {
					same(second[i].Collection, first[i], second[i])
					verdicts++
				}
			}
		}
	}
	for _, typ := range types {
		r := pangolin.Request{Packages: []string{typ}, Scope: pangolin.Scope{Config: "A"}, Search: pangolin.Search{MaxStates: 20_000, Cache: filepath.Join(t.TempDir(), "results")}}
		tried := func() (list []verdict.Mutant) {
			opt.Mutant = func(m verdict.Mutant) { list = append(list, m) }
			if _, err := pangolin.Mutate(t.Context(), r, opt); err != nil {
				t.Fatal(err)
			}
			return list
		}
		first, second := tried(), tried()
		if len(first) != len(second) {
			t.Fatalf("%s: %d mutants, then %d", typ, len(first), len(second))
		}
		for i := range second {
			if second[i].Cached == (second[i].Outcome == verdict.Invalid) {
				t.Errorf("%s: mutant %d (%s): cached %t", typ, second[i].ID, second[i].Outcome, second[i].Cached)
			}
			second[i].Cached = false
			same(fmt.Sprintf("%s, mutant %d", typ, second[i].ID), first[i], second[i])
		}
	}
	if t.Logf("%d results, %d of them verdicts about collections, in %v", count, verdicts, time.Since(began).Round(time.Second)); count < least {
		t.Errorf("only %d results, want %d", count, least)
	}
}

// heard is what a request leads to: verdicts, what is told, and witnesses, whose directory is empty before.
func heard(t *testing.T, r pangolin.Request) (list []verdict.Verdict, told []string, written string) {
	t.Helper()
	if r.Out == "" {
		r.Out = filepath.Join(t.TempDir(), "witnesses")
	}
	if err := os.RemoveAll(r.Out); err != nil {
		t.Fatal(err)
	}
	r.Events = pangolin.Events{
		Found:   func(c verdict.Collection) { told = append(told, fmt.Sprintf("found %+v", c)) },
		Note:    func(text string) { told = append(told, text) },
		Verdict: func(v verdict.Verdict) { told = append(told, v.Collection+" "+string(v.Status)) },
	}
	list, err := pangolin.Verify(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return list, told, contents(t, r.Out)
}

// contents are the names and texts of a directory's files.
func contents(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	var b strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(filepath.Base(file) + "\n" + string(text))
	}
	return b.String()
}

// A verdict about other source than that which is there is never given: each edit is followed by what is computed without a directory.
func TestCache_FollowsTheSource(t *testing.T) {
	dir := box(t)
	r := pangolin.Request{Dir: dir, Packages: []string{"m"}, Scope: pangolin.Scope{Config: "B"}, Search: pangolin.Search{Cache: filepath.Join(t.TempDir(), "results")}}
	for _, edit := range [][2]string{{"", ""}, {"q.list = q.list[1:]\n\treturn v, true", "return v, true"}, {"", ""}, {"c.n.Store(c.n.Load() + 1)", "c.n.Add(1)"},
		{"//pangolin", "//pangolin"}, {"// Queue is a queue with a lock.", "// Queue is a queue with a lock.\n//\n//pangolin:kind stack"}, {"// Queue is", "// Queue is documented as"}} {
		if err := os.WriteFile(filepath.Join(dir, "box.go"), []byte(strings.Replace(boxes, edit[0], edit[1], 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		plain := r
		plain.Search.Cache = ""
		want, err := pangolin.Verify(t.Context(), plain)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := pangolin.Verify(t.Context(), r)
			if err != nil || len(got) != len(want) {
				t.Fatalf("%v: %d verdicts, want %d", err, len(got), len(want))
			}
			for i := range got {
				if got[i].Collection != want[i].Collection || got[i].Status != want[i].Status || got[i].States != want[i].States || got[i].Reason != want[i].Reason {
					t.Errorf("%q: %s: %s, %d states; want %s, %d", edit[1], got[i].Collection, got[i].Status, got[i].States, want[i].Status, want[i].States)
				}
			}
		}
	}
}

// The package of an oracle that the user wrote counts like the collection's own.
func TestCache_FollowsTheSourceOfTheOracle(t *testing.T) {
	dir := box(t)
	model := "package model\n\ntype Counter struct{ n int64 }\n\nfunc (c *Counter) Inc() { c.n++ }\n\nfunc (c *Counter) Get() int64 { return c.n }\n"
	if err := os.Mkdir(filepath.Join(dir, "model"), 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "model", "model.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := pangolin.Request{Dir: dir, Packages: []string{"m"}, Type: "Counter", Oracle: "m/model.Counter", Scope: pangolin.Scope{Threads: "1"},
		Search: pangolin.Search{Cache: filepath.Join(t.TempDir(), "results")}}
	for i, c := range []struct {
		text   string
		status verdict.Status
		cached bool
	}{{model, verdict.Verified, false}, {model, verdict.Verified, true}, {strings.Replace(model, "c.n++", "c.n += 2", 1), verdict.Violated, false},
		{model, verdict.Verified, true}} {
		write(c.text)
		list, err := pangolin.Verify(t.Context(), r)
		if err != nil || len(list) != 1 || list[0].Status != c.status || list[0].Cached != c.cached {
			t.Errorf("%d: %v, %+v; want %s, cached %t", i, err, list, c.status, c.cached)
		}
	}
}

// What a limit on time or memory has cut off is computed again.
func TestCache_KeepsNothingBehindALimitOfTheMachine(t *testing.T) {
	for name, s := range map[string]pangolin.Search{"time": {Timeout: 1}, "memory": {MaxMemory: 1}} {
		s.Cache = filepath.Join(t.TempDir(), "results")
		r := pangolin.Request{Dir: box(t), Packages: []string{"m"}, Type: "Queue", Scope: pangolin.Scope{Threads: "3", Steps: "6"}, Search: s}
		for range 2 {
			list, err := pangolin.Verify(t.Context(), r)
			if err != nil || len(list) != 1 || list[0].Status != verdict.Unknown || list[0].Cached {
				t.Errorf("%s: %v, %+v; want unknown, computed", name, err, list)
			}
		}
	}
}

// Mutants from the directory are the ones that were computed.
func TestCache_GivesTheSameMutants(t *testing.T) {
	types := []string{"./collections/stack.LockFreeStack"}
	if level.More() {
		types = append(types, "./collections/list.LazyList", "./collections/list.LockFreeList", "./collections/queue.LockFreeQueue", "./collections/list.FineList",
			"./collections/list.CoarseList", "./collections/list.HarrisList", "./collections/list.HindsightList")
	}
	total := 0
	for _, typ := range types {
		r := pangolin.Request{Packages: []string{typ}, Scope: pangolin.Scope{Config: "B"}, Search: pangolin.Search{Workers: 2, Cache: filepath.Join(t.TempDir(), "results")}}
		tried := func() (list []verdict.Mutant) {
			var opt pangolin.Mutation
			if !level.More() {
				opt.Max = 12
			}
			opt.Mutant = func(m verdict.Mutant) { list = append(list, m) }
			if _, err := pangolin.Mutate(t.Context(), r, opt); err != nil {
				t.Fatal(err)
			}
			return list
		}
		first, second := tried(), tried()
		total += len(first)
		for i := range second {
			if second[i].Cached == (second[i].Outcome == verdict.Invalid) {
				t.Errorf("%s: mutant %d (%s): cached %t", typ, second[i].ID, second[i].Outcome, second[i].Cached)
			}
			second[i].Cached = false
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%s: mutants\n%+v\nthen\n%+v", typ, first, second)
		}
	}
	t.Logf("%d mutants", total)
}

// Every field of a request changes the key of the request as a whole, but for those that change no result.
func TestWhole_DiffersInEachFieldOfTheRequest(t *testing.T) {
	base := pangolin.Request{Dir: box(t), Packages: []string{"m"}, Search: pangolin.Search{Cache: t.TempDir()}}
	of := pangolin.Whole(t.Context(), base)
	key := func(r pangolin.Request) string {
		k, err := of(r)
		if err != nil || k == "" {
			t.Errorf("%+v: key %q, %v", r, k, err)
		}
		return k
	}
	seen := map[string]string{key(base): ""}
	for _, f := range pangolin.Fields() {
		r := base
		if err := f.Set(&r, texts()[f.Flag]); err != nil {
			t.Fatal(err)
		}
		if f.Flag == "cache" {
			r.Search.Cache = t.TempDir() // what the go command says is kept there
		}
		if f.Flag == "since" || f.Flag == "costs" { // what the revision or the file holds is not known
			if k, err := of(r); k != "" || err != nil {
				t.Errorf("-%s: key %q, %v", f.Flag, k, err)
			}
			continue
		}
		free := slices.Contains([]string{"out", "timeout", "j", "cache", "no-cache", "resume"}, f.Flag)
		if before, ok := seen[key(r)]; ok != free {
			t.Errorf("-%s has the key of %q: %t; want %t", f.Flag, before, ok, free)
		}
		seen[key(r)] = "-" + f.Flag
	}
	r := base
	r.Search.Scenes = true
	if r.Packages = []string{"m", "m"}; seen[key(r)] != "" || key(r) == key(base) {
		t.Error("Search.Scenes does not count")
	}
}

// What is told about a package that the go command cannot list is found out each time.
func TestCache_FollowsPackagesWithErrors(t *testing.T) {
	dir := box(t)
	if err := os.Mkdir(filepath.Join(dir, "broken"), 0o777); err != nil {
		t.Fatal(err)
	}
	r := pangolin.Request{Dir: dir, Packages: []string{"./..."}, Scope: pangolin.Scope{Config: "B"}, Search: pangolin.Search{Cache: filepath.Join(t.TempDir(), "results")}}
	for i, imported := range []string{"m/nowhere", "m/nowhere", "m/elsewhere"} {
		if err := os.WriteFile(filepath.Join(dir, "broken", "b.go"), []byte("package broken\n\nimport _ \""+imported+"\"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		list, err := pangolin.Verify(t.Context(), r)
		told, cached := fmt.Sprint(err), 0
		for _, v := range list {
			told += v.Reason
			if v.Cached {
				cached++
			}
		}
		if !strings.Contains(told, imported) {
			t.Errorf("%s: nobody tells: %s", imported, told)
		}
		if (cached > 0) != (i > 0) {
			t.Errorf("%d: %d verdicts are cached", i, cached)
		}
	}
}

// A result that was computed in one checkout has the bytes of one that is computed in another.
func TestCache_IsSharedByCheckouts(t *testing.T) {
	for _, s := range []pangolin.Search{{}, {Scenes: true}} {
		r := pangolin.Request{Dir: box(t), Packages: []string{"m"}, Search: s, Out: filepath.Join(t.TempDir(), "witnesses")}
		r.Search.Cache = filepath.Join(t.TempDir(), "results")
		if _, err := pangolin.Verify(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		moved := r
		moved.Dir = box(t)
		for _, v := range asComputed(t, moved) {
			if v.Status != verdict.NotJudged && !v.Cached {
				t.Errorf("%s is computed again", v.Collection)
			}
		}
	}
}

// Files have their names as seen from the directory of the request: results for one directory are none for another.
func TestCache_NamesFilesAsSeenFromTheDirectory(t *testing.T) {
	dir := box(t)
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o777); err != nil {
		t.Fatal(err)
	}
	r := pangolin.Request{Dir: dir, Packages: []string{"m"}, Out: filepath.Join(t.TempDir(), "witnesses")}
	r.Search.Cache = filepath.Join(t.TempDir(), "results")
	asComputed(t, r)
	r.Dir = below
	asComputed(t, r)
	for _, v := range asComputed(t, r) {
		if v.Violation != nil && (v.Violation.Line == 0 || !strings.HasPrefix(v.Violation.File, "m/")) {
			t.Errorf("%s is violated at %s:%d", v.Collection, v.Violation.File, v.Violation.Line)
		}
	}
}

// asComputed compares what a request gives with the directory of results and without it.
func asComputed(t *testing.T, r pangolin.Request) []verdict.Verdict {
	t.Helper()
	kept, told, _ := heard(t, r)
	r.Search.NoCache = true
	computed, toldNow, _ := heard(t, r)
	given := slices.Clone(kept)
	for i := range kept {
		kept[i].Cached, kept[i].Effort.Seconds, kept[i].Effort.PeakBytes = false, computed[i].Seconds, computed[i].PeakBytes
		for k := range kept[i].Asked {
			kept[i].Asked[k].Seconds = computed[i].Asked[k].Seconds
		}
	}
	if a, b := printedIn(t, kept), printedIn(t, computed); a != b {
		t.Errorf("from the directory\n%s\ncomputed\n%s", a, b)
	}
	if !slices.Equal(told, toldNow) {
		t.Errorf("told from the directory\n%q\ncomputed\n%q", told, toldNow)
	}
	return given
}
