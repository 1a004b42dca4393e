// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/sources"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// shared is a context in which the go command is asked about each package once.
var shared = sources.Repository

// repository is where the collections are, with links resolved.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// collectionOf finds a collection of the repository.
func collectionOf(t testing.TB, pkg, typ string) *find.Target {
	t.Helper()
	q := find.Query{Dir: repository(t), Packages: []string{"./collections/" + pkg}, Type: typ, Note: func(string, ...any) {},
		Overrides: func([]string) (collection.Overrides, error) {
			return collection.Overrides{Type: typ, New: news[typ], Protocol: protocols[typ]}, nil
		}}
	found, _, err := q.Find(shared)
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// news and protocols are what comments of types say, which discovery does not read.
var (
	news = map[string]string{"EliminationQueue": "NewEliminationQueue[int](1, 1)",
		"HerlihyWingQueue": "NewHerlihyWingQueue[int](8)", "CCAS": "NewCCAS[int](0)", "RDCSS": "NewRDCSS[int](0, 0)"}
	protocols = map[string]*oracle.Protocol{"HerlihyWingQueue": bounded8}
)

// bounded8 is the protocol of a queue in which an Enqueue may wait when there are eight items, and a
// Dequeue when there is none.
var bounded8, _ = oracle.ParseProtocol("bounded(8)")

// job is what the engine is asked about a collection of the repository in configuration D, with
// its text in a file changed, if anything is.
func job(t testing.TB, f *find.Target, change map[string]string, file string) (*engine.Job, error) {
	t.Helper()
	return load(order(t, f, change, file))
}

// bare is a job as job gives it, but without the points: in a faulty algorithm a point's condition may panic before
// anything else goes wrong.
func bare(t testing.TB, f *find.Target, change map[string]string, file string) (*engine.Job, error) {
	t.Helper()
	o, scope := order(t, f, change, file)
	o.Annotated = false
	return load(o, scope)
}

// order says how a collection is loaded, and in which scope it is tried.
func order(t testing.TB, f *find.Target, change map[string]string, file string) (subject.Order, engine.Scope) {
	t.Helper()
	listed := f.Listed
	if len(change) > 0 {
		path := filepath.Join(repository(t), "collections", file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for from, to := range change {
			if strings.Count(string(text), from) != 1 {
				t.Fatalf("%s has %q %d times", file, from, strings.Count(string(text), from))
			}
			text = []byte(strings.Replace(string(text), from, to, 1))
		}
		listed = listed.Overlay(map[string][]byte{path: text})
	}
	ops, values := f.Operations()
	b := engine.Bounds{Config: "D"}
	if f.Found.Kind == collection.Object {
		b.Values = 2
	}
	operations := &engine.Operations{Kind: f.Found.Kind, Protocol: f.Found.Protocol, List: ops, Values: values}
	scopes, err := b.Scopes(operations)
	if err != nil {
		t.Fatal(err)
	}
	return subject.Order{Listed: listed, Patterns: f.Patterns, Overrides: f.Overrides, Annotated: true, Ops: operations.List, Most: scopes.Words()}, scopes[0]
}

func load(o subject.Order, scope engine.Scope) (*engine.Job, error) {
	s, err := o.Load(shared)
	if err != nil {
		return nil, err
	}
	return &engine.Job{Subject: s, Property: verdict.Linear, Scope: scope,
		Search: engine.Search{Reduce: vm.AllReductions, MaxStates: 2_000_000, MaxBytes: 1 << 30}}, nil
}

func verdictOf(t testing.TB, j *engine.Job) verdict.Verdict {
	t.Helper()
	e := Engine()
	v, err := e.Decide(context.Background(), j, engine.Events{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// annotated are the algorithms of Fig. 6 of the paper in its order of kinds, and one more; those that
// take long have two threads here (study policies has three).
var annotated = []struct {
	pkg, typ, file string
	threads        int // 0: as in configuration D
}{
	{"stack", "LockFreeStack", "stack/stack.go", 0}, {"stack", "EliminationBackoffStack", "stack/elimination.go", 0},
	{"queue", "UnboundedQueue", "queue/queue.go", 0}, {"queue", "LockFreeQueue", "queue/lockfree.go", 0}, {"queue", "DGLMQueue", "queue/dglm.go", 0},
	{"queue", "EliminationQueue", "queue/elimination.go", 0}, {"queue", "HerlihyWingQueue", "queue/herlihywing.go", 0},
	{"list", "FineList", "list/fine.go", 0}, {"list", "OptimisticList", "list/optimistic.go", 0}, {"list", "LazyList", "list/lazy.go", 0},
	{"list", "HindsightList", "list/hindsight.go", 0}, {"list", "DerivedList", "list/derived.go", 0}, {"list", "DerivedListDCAS", "list/derived.go", 0},
	{"list", "HarrisList", "list/harris.go", 2}, {"list", "MichaelList", "list/michael.go", 2}, {"list", "LockFreeList", "list/lockfree.go", 2}, {"list", "UnorderedList", "list/unordered.go", 2},
	{"conditional", "CCAS", "conditional/conditional.go", 0}, {"conditional", "RDCSS", "conditional/rdcss.go", 0},
	{"queue", "LockFreeQueueRecycle", "queue/recycle.go", 0}, {"list", "CoarseList", "list/coarse.go", 0},
}

// The policies of the repository are right, and so is the code without them.
func TestCheck_AcceptsThePoliciesOfTheCollections(t *testing.T) {
	for i, c := range annotated {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 8) {
				t.Skip("some policies will do; -level more checks all")
			}
			j, err := job(t, collectionOf(t, c.pkg, c.typ), nil, "")
			if err != nil {
				t.Fatal(err)
			}
			if !level.More() {
				c.threads = 2
			}
			if c.threads > 0 {
				j.Scope.Clients.Threads.To = c.threads
			}
			if v := verdictOf(t, j); v.Status != verdict.Verified {
				t.Errorf("%s: %s %+v", v.Status, v.Reason, v.Violation)
			}
		})
	}
}

// wrong are faults in policies, by what is wrong with them.
var wrong = []struct {
	pkg, typ, file, fault string
	from, to              string
	rule                  string
}{
	{"stack", "LockFreeStack", "stack/stack.go", "too often", "when result emit Push(n.value)", "emit Push(n.value)", "M5"},
	{"stack", "LockFreeStack", "stack/stack.go", "missing", "//pangolin:point when top == nil emit Pop() = _, false", "// nothing", "M4"},
	{"stack", "LockFreeStack", "stack/stack.go", "wrong result", "emit Pop() = top.value, true", "emit Pop() = _, false", "M3"},
	{"stack", "LockFreeStack", "stack/stack.go", "wrong value", "emit Push(n.value)", "emit Push(n.value + n.value)", ""},
	{"stack", "LockFreeStack", "stack/stack.go", "the other outcome", "when top == nil emit Pop() = _, false", "when top != nil emit Pop() = top.value, true", "M4"},
	{"queue", "UnboundedQueue", "queue/queue.go", "early", "	node := &lockedNode[T]{value: x}\n	//pangolin:point emit Enqueue(x)\n", "	//pangolin:point emit Enqueue(x)\n	q.enqLock.TryLock()\n	node := &lockedNode[T]{value: x}\n", "M3"},
	{"queue", "UnboundedQueue", "queue/queue.go", "late", "	//pangolin:point emit Enqueue(x)\n	q.tail.next.Store(node)\n	q.tail = node\n", "	q.tail.next.Store(node)\n	//pangolin:point emit Enqueue(x)\n	q.tail = node\n", "M3"},
	{"queue", "LockFreeQueue", "queue/lockfree.go", "empty by half the evidence", "when next == nil && first == last emit", "when first == last emit", "M3"},
	{"queue", "LockFreeQueue", "queue/lockfree.go", "late", "	for {\n		last := q.tail.Load()\n		next := last.next.Load()\n		if last != q.tail.Load() {\n			continue\n		}\n		if next != nil {\n			q.tail.CompareAndSwap(last, next)\n			continue\n		}\n		//pangolin:point when result emit Enqueue(x)\n		if last.next.CompareAndSwap(nil, node) {\n",
		"	for {\n		last := q.tail.Load()\n		next := last.next.Load()\n		if last != q.tail.Load() {\n			continue\n		}\n		if next != nil {\n			q.tail.CompareAndSwap(last, next)\n			continue\n		}\n		if last.next.CompareAndSwap(nil, node) {\n			//pangolin:point emit Enqueue(x)\n", "M3"},
	{"list", "LazyList", "list/lazy.go", "late", "	//pangolin:point emit Remove(x) = true\n	curr.marked.Store(true)\n", "	curr.marked.Store(true)\n	//pangolin:point emit Remove(x) = true\n", "M4"},
	{"list", "LazyList", "list/lazy.go", "early", "	//pangolin:point emit Add(x) = true\n	pred.next.Store(node)\n", "	//pangolin:point emit Add(x) = true\n	pred.next.Load()\n	pred.next.Store(node)\n", "M4"},
	{"list", "LazyList", "list/lazy.go", "doubled", "	//pangolin:point emit Add(x) = true\n", "	//pangolin:point emit Add(x) = true\n	//pangolin:point emit Add(x) = true\n", "M5"},
	{"list", "LockFreeList", "list/lockfree.go", "wrong condition", "		//pangolin:point when !result emit Remove(x) = true\n		if !curr.next.CompareAndSet", "		//pangolin:point when result emit Remove(x) = true\n		if !curr.next.CompareAndSet", "M4"},
}

// A policy with a fault is rejected, with a witness that breaks a rule and can be replayed.
func TestCheck_RejectsWrongPolicies(t *testing.T) {
	for i, c := range wrong {
		t.Run(c.typ+" "+c.fault, func(t *testing.T) {
			if level.Out(i, 6) {
				t.Skip("some faults will do; -level more tries all")
			}
			j, err := job(t, collectionOf(t, c.pkg, c.typ), map[string]string{c.from: c.to}, c.file)
			if c.rule == "" {
				if err == nil || !strings.Contains(err.Error(), c.file+":") {
					t.Fatalf("%v: want an error with a position", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.pkg != "list" && level.More() { // the same without any reduction
				raw := *j
				raw.Reduce = 0
				if v := verdictOf(t, &raw); v.Status != verdict.Violated {
					t.Errorf("without reductions: %s %s", v.Status, v.Reason)
				}
			}
			v := verdictOf(t, j)
			if v.Status != verdict.Violated || v.Violation.Class != "point" || !strings.HasPrefix(v.Violation.Summary, c.rule+": ") {
				t.Fatalf("%s %+v, want rule %s", v.Status, v.Violation, c.rule)
			}
			if _, err := bounded.Engine().Replay(j.Subject, v.Violation.Execution); err != nil {
				t.Errorf("the witness does not replay: %v", err)
			}
		})
	}
}

// published are the points that books and papers give, as texts of source lines: of Treiber's
// stack (1986), the queues and lists of The Art of Multiprocessor Programming, 2nd ed.,
// chapters 9 to 11, and the lazy list of Heller et al. (OPODIS 2005), whose failing contains
// has none that is fixed. Where a lock is held all of the critical section does; then the
// statement is the change. Outcomes that are not listed are not given there as statements.
var published = []struct {
	pkg, typ string
	points   map[string]string // by operation and outcome; "none": none is fixed
}{
	{"stack", "LockFreeStack", map[string]string{"Push ": "s.top.CompareAndSwap(top, n)", "Pop _, true": "s.top.CompareAndSwap(top, top.next)", "Pop _, false": "top := s.top.Load()"}},
	{"queue", "UnboundedQueue", map[string]string{"Enqueue ": "q.tail.next.Store(node)", "Dequeue _, true": "q.head = first", "Dequeue _, false": "first := q.head.next.Load()"}},
	{"queue", "LockFreeQueue", map[string]string{"Enqueue ": "last.next.CompareAndSwap(nil, node)", "Dequeue _, true": "q.head.CompareAndSwap(first, next)", "Dequeue _, false": "next := first.next.Load()"}},
	{"queue", "DGLMQueue", map[string]string{"Enqueue ": "last.next.CompareAndSwap(nil, node)", "Dequeue _, true": "q.head.CompareAndSwap(first, next)", "Dequeue _, false": "next := first.next.Load()"}},
	{"list", "FineList", map[string]string{"Add true": "pred.next = &fineNode", "Remove true": "pred.next = curr.next"}},
	{"list", "OptimisticList", map[string]string{"Add true": "pred.next.Store(node)", "Remove true": "pred.next.Store(curr.next.Load())", "Contains true": "return pred.next.Load() == curr", "Contains false": "return pred.next.Load() == curr"}},
	{"list", "CoarseList", map[string]string{"Add true": "pred.next = &coarseNode", "Remove true": "pred.next = curr.next"}},
	{"list", "LazyList", map[string]string{"Add true": "pred.next.Store(node)", "Remove true": "curr.marked.Store(true)", "Contains true": "!curr.marked.Load()", "Contains false": "none"}},
	{"list", "LockFreeList", map[string]string{"Add true": "pred.next.CompareAndSet(curr, node, false, false)", "Remove true": "curr.next.CompareAndSet(succ, succ, false, true)", "Contains true": "!curr.next.Marked()", "Contains false": "none"}},
}

// sampled skips a test that is one of many, but for every ninth, unless -level more is given.
func sampled(t *testing.T, i int) {
	if level.Short() || level.Out(i, 9) {
		t.Skip("some will do; -level more tries all")
	}
}

// The points that are found are the published ones, of lists with two threads unless -level all is
// given.
func TestFind_GivesThePublishedPoints(t *testing.T) {
	for i, c := range published {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 8) {
				t.Skip("some collections will do; -level more finds the points of all")
			}
			j, err := job(t, collectionOf(t, c.pkg, c.typ), nil, "")
			if err != nil {
				t.Fatal(err)
			}
			if c.pkg == "list" && !level.All() {
				j.Scope.Clients.Threads.To = 2
			}
			found, err := Find(context.Background(), j, engine.Events{}, false)
			if err != nil || found.Verdict != nil {
				t.Fatalf("%v %+v", err, found.Verdict)
			}
			seen := 0
			for _, o := range found.Outcomes {
				want, listed := c.points[o.Operation+" "+o.Outcome]
				if !listed {
					continue
				}
				seen++
				switch {
				case want == "none":
					if o.Fixed || len(o.Reasons) != 2 {
						t.Errorf("%s: want none that is fixed, and two executions: %d", o.Title(), len(o.Reasons))
					}
				case !o.Fixed || len(o.Points) != 1 || !strings.Contains(o.Points[0].Source, want):
					t.Errorf("%s: %+v, want %s", o.Title(), o.Points, want)
				}
			}
			if seen != len(c.points) {
				t.Errorf("%d outcomes of %d: %+v", seen, len(c.points), found.Outcomes)
			}
		})
	}
}

// A collection that is wrong has no points, but a verdict.
func TestFind_GivesTheVerdictOfAWrongCollection(t *testing.T) {
	level.SkipShort(t, "verifies a list")
	j, err := job(t, collectionOf(t, "list", "LockFreeListOriginal"), nil, "")
	if err != nil {
		t.Fatal(err)
	}
	found, err := Find(context.Background(), j, engine.Events{}, false)
	if err != nil || found.Verdict == nil || found.Verdict.Status != verdict.Violated || len(found.Outcomes) > 0 {
		t.Fatalf("%v %+v", err, found)
	}
}
