// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// invariantCase is a type X with an invariant. A broken one has a client that breaks it, and what the invariant did.
type invariantCase struct {
	name, source string
	request      pangolin.Request
	client, did  string
	unknown      string // in the reason of an unknown verdict
}

// double are the declarations of a type that counts doubleAtomic +under a lock.
const double = `type X struct { mu sync.Mutex; a, b int }
func (x *X) Inc() { x.mu.Lock(); x.a++; x.b++; x.mu.Unlock() }
`

// doubleAtomic are those of a type that counts twice in two steps.
const doubleAtomic = `type X struct { a, b atomic.Int64 }
func (x *X) Inc() { x.a.Add(1); x.b.Add(1) }
`

func invariantCases() []invariantCase {
	return []invariantCase{
		{name: "holds while no call is in progress", source: double + "//pangolin:invariant\nfunc (x *X) Same() bool { return x.a == x.b }"},
		{name: "does not hold within the critical section", source: double + "//pangolin:invariant always\nfunc (x *X) Same() bool { return x.a == x.b }",
			client: "1: Inc()", did: "returns false"},
		{name: "waits for the critical section to end", source: double + "//pangolin:invariant always\nfunc (x *X) Same() bool { x.mu.Lock(); defer x.mu.Unlock(); return x.a == x.b }"},
		{name: "does not hold in the only thread's critical section", source: double + "//pangolin:invariant always\nfunc (x *X) Same() bool { return x.a == x.b }",
			request: pangolin.Request{Scope: pangolin.Scope{Config: "1x1x0"}}, client: "1: Inc()", did: "returns false"},
		{name: "does not hold before the lock is released", source: `type X struct { mu sync.Mutex; n int }
func (x *X) Inc() { x.mu.Lock(); x.n = 1; x.mu.Unlock() }
//pangolin:invariant always
func (x *X) Zero() bool { if x.mu.TryLock() { x.mu.Unlock(); return true }; return x.n == 0 }`, client: "1: Inc()", did: "returns false"},
		{name: "holds between two steps that are atomic", source: doubleAtomic + "//pangolin:invariant always\nfunc (x *X) Ordered() bool { return x.a.Load() >= x.b.Load() }"},
		{name: "does not hold between them", source: doubleAtomic + "//pangolin:invariant always\nfunc (x *X) Same() bool { return x.a.Load() == x.b.Load() }",
			client: "1: Inc()", did: "returns false"},
		{name: "is broken by two threads", source: `type X struct { a, b atomic.Int64 }
func (x *X) Inc() { n := x.a.Load(); x.a.Store(n+1); x.b.Add(1) }
//pangolin:invariant
func (x *X) Same() bool { return x.a.Load() == x.b.Load() }`, client: "1: Inc()  |  2: Inc()", did: "returns false"},
		{name: "is broken by one thread", source: `type X struct { mu sync.Mutex; n int }
func (x *X) Inc() { x.mu.Lock(); defer x.mu.Unlock(); x.n++ }
//pangolin:invariant
func (x *X) Even() bool { return x.n < 2 }`, client: "1: Inc(), Inc()", did: "returns false"},
		{name: "panics", source: double + "//pangolin:invariant\nfunc (x *X) Same() bool { if x.a > 0 { panic(\"full\") }; return true }",
			client: "1: Inc()", did: "panics: full"},
		{name: "panics by an index", source: `type X struct { mu sync.Mutex; s []int }
func (x *X) Put(n int) { x.mu.Lock(); defer x.mu.Unlock(); x.s = append(x.s, n) }
func (x *X) Get() (int, bool) { x.mu.Lock(); defer x.mu.Unlock(); if len(x.s) == 0 { return 0, false }; n := x.s[0]; x.s = x.s[1:]; return n, true }
//pangolin:invariant
func (x *X) First() bool { return x.s[0] >= 0 }`, client: "", did: "panics: runtime error: index out of range [0] with length 0"},
		{name: "compares items", source: `type X struct { mu sync.Mutex; s []int }
func (x *X) Put(n int) { x.mu.Lock(); defer x.mu.Unlock(); x.s = append(x.s, n) }
func (x *X) Get() (int, bool) { x.mu.Lock(); defer x.mu.Unlock(); if len(x.s) == 0 { return 0, false }; n := x.s[0]; x.s = x.s[1:]; return n, true }
//pangolin:invariant
func (x *X) Sorted() bool { for i := range x.s { if i > 0 && x.s[i-1] > x.s[i] { return false } }; return true }`, client: "Put", did: "returns false"},
		{name: "changes what it looks at, which nobody sees", source: double + "//pangolin:invariant\nfunc (x *X) Same() bool { x.a, x.b = x.a+1, x.b+1; return x.a == x.b && x.a < 5 }"},
		{name: "depends on the order of a map", source: `type X struct { mu sync.Mutex; m map[int]bool }
func New() *X { return &X{m: map[int]bool{}} }
func (x *X) Add(n int) bool { x.mu.Lock(); defer x.mu.Unlock(); had := x.m[n]; x.m[n] = true; return !had }
func (x *X) Contains(n int) bool { x.mu.Lock(); defer x.mu.Unlock(); return x.m[n] }
//pangolin:invariant
func (x *X) Ascends() bool { last := -1; for k := range x.m { if k < last { return false }; last = k }; return true }`, client: "Add", did: "returns false"},
		{name: "two, of which the second is broken", source: doubleAtomic + `//pangolin:invariant always
func (x *X) Ordered() bool { return x.a.Load() >= x.b.Load() }
//pangolin:invariant
func (x *X) Small() bool { return x.a.Load() < 2 }`, client: "Inc()", did: "Small returns false"},
		{name: "is one for the flag", source: doubleAtomic + "func (x *X) Same() bool { return x.a.Load() == x.b.Load() }", request: pangolin.Request{Specification: pangolin.Specification{Invariants: "Same:always"}},
			client: "1: Inc()", did: "returns false"},
		{name: "holds after each call though a goroutine goes on", source: `type X struct { n atomic.Int64 }
func (x *X) Go() { go x.n.Add(1); x.n.Add(1) }
//pangolin:invariant
func (x *X) Even() bool { return x.n.Load()%2 == 0 }`, client: "1: Go()", did: "returns false"},
		{name: "does not hold in a goroutine's critical section after each call", source: double + `func (x *X) Go() { go x.Inc() }
//pangolin:invariant
func (x *X) Same() bool { return x.a == x.b }`, request: pangolin.Request{Ops: []string{"Go"}}, client: "1: Go()", did: "returns false"},
		{name: "does not hold in a timer's critical section after each call", source: double + `func (x *X) Go() { time.AfterFunc(1, x.Inc) }
//pangolin:invariant
func (x *X) Same() bool { return x.a == x.b }`, request: pangolin.Request{Ops: []string{"Go"}}, client: "1: Go()", did: "returns false"},
		{name: "asks a goroutine", source: doubleAtomic + `//pangolin:invariant
func (x *X) Never() bool { c := make(chan bool); go func() { c <- false }(); return <-c }`, unknown: "the invariant Never starts a goroutine"},
		{name: "waits in each state", source: doubleAtomic + `//pangolin:invariant
func (x *X) Never() bool { <-make(chan bool); return false }`, unknown: "the invariant Never has never returned"},
		{name: "goes round in each state", source: doubleAtomic + `//pangolin:invariant
func (x *X) Never() bool { for x.a.Load() < 9 { }; return false }`, unknown: "the invariant Never has never returned"},
		{name: "waits in some states", source: `type X struct { mu sync.Mutex; n atomic.Int64 }
func (x *X) Take() bool { return x.mu.TryLock() }
//pangolin:invariant
func (x *X) Zero() bool { x.mu.Lock(); defer x.mu.Unlock(); return x.n.Load() == 0 }`},
	}
}

func (c *invariantCase) verify(t *testing.T, reductions string) (verdict.Verdict, error) {
	t.Helper()
	r := c.request
	r.Kind, r.Oracle, r.Type, r.Search.Reduce = "object", "self", "X", pangolin.Reduce(reductions)
	r.Scope.Config = cmp.Or(r.Scope.Config, "2x2x0")
	if strings.Contains(c.source, ") Get(") {
		r.Kind, r.Oracle = "queue", "auto"
	}
	if strings.Contains(c.source, ") Contains(") {
		r.Kind, r.Oracle = "set", "auto"
	}
	imports := ""
	for _, path := range []string{"sync", "sync/atomic", "time"} {
		if strings.Contains(c.source, filepath.Base(path)+".") {
			imports += fmt.Sprintf("import %q\n", path)
		}
	}
	return trySource(t, "package example\n\n"+imports+"\n"+c.source+"\n", r)
}

// wrong says what is wrong with a verdict on the type; "" if nothing is.
func (c *invariantCase) wrong(v verdict.Verdict, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case len(v.Invariants) == 0:
		return "the verdict names no invariant"
	case c.unknown != "" && v.Status == verdict.Unknown && strings.Contains(v.Reason, c.unknown):
		return ""
	case c.unknown != "":
		return string(v.Status) + ": " + v.Reason + ", want unknown"
	case c.did == "" && v.Status != verdict.Verified:
		return string(v.Status) + ": " + v.Reason
	case c.did == "":
		return ""
	case v.Violation == nil || v.Violation.Class != "invariant":
		return string(v.Status) + ": " + v.Reason + ", want a broken invariant"
	case !strings.Contains(v.Violation.Summary, c.did) || !strings.Contains(v.Violation.Client, c.client):
		return v.Violation.Client + " " + v.Violation.Summary
	}
	return ""
}

// TestInvariants verifies each type of the table with all reductions and with none.
func TestInvariants(t *testing.T) {
	for i, c := range invariantCases() {
		if level.Short() && i%4 > 0 {
			continue
		}
		for _, set := range []string{"all", "none"} {
			if why := c.wrong(c.verify(t, set)); why != "" {
				t.Errorf("%s, reductions %s: %s", c.name, set, why)
			}
		}
	}
}

// A drawn type has counters a and b, which are atomic, and c, which is changed under a lock. Its operations are lists of statements.
type drawnType struct {
	ops       [][]string
	invariant string
	always    bool
}

// statements are what operations of drawn types do. The lock is the type's only one.
var statements = []string{"a++", "b++", "a--", "b--", "a=0", "b=0", "c++", "c--", "c=0"}

func drawType(r *rand.Rand) *drawnType {
	d := &drawnType{always: r.IntN(2) == 0}
	for range 1 + r.IntN(2) {
		var op []string
		locked := false
		for range 1 + r.IntN(4) {
			if s := statements[r.IntN(len(statements))]; s[0] != 'c' || locked {
				op = append(op, s)
			}
			if r.IntN(3) == 0 {
				op, locked = append(op, map[bool]string{false: "lock", true: "unlock"}[locked]), !locked
			}
		}
		if locked {
			op = append(op, "unlock")
		}
		d.ops = append(d.ops, op)
	}
	names := []string{"a", "b", "c"}
	x, y := names[r.IntN(3)], names[r.IntN(3)]
	d.invariant = fmt.Sprintf("%s %s %s+%d", x, []string{"==", "<=", ">=", "!="}[r.IntN(4)], y, r.IntN(3)-1)
	return d
}

// source is the type in Go.
func (d *drawnType) source() string {
	var b strings.Builder
	b.WriteString("type X struct { mu sync.Mutex; a, b atomic.Int64; c int64 }\n")
	for i, op := range d.ops {
		fmt.Fprintf(&b, "func (x *X) Op%d() {\n", i)
		for _, s := range op {
			switch {
			case s == "lock":
				b.WriteString("x.mu.Lock()\n")
			case s == "unlock":
				b.WriteString("x.mu.Unlock()\n")
			case s[0] == 'c':
				fmt.Fprintf(&b, "x.%s\n", s)
			case s[1:] == "=0":
				fmt.Fprintf(&b, "x.%c.Store(0)\n", s[0])
			default:
				fmt.Fprintf(&b, "x.%c.Add(%s)\n", s[0], map[string]string{"++": "1", "--": "-1"}[s[1:]])
			}
		}
		b.WriteString("}\n")
	}
	text := strings.NewReplacer("a", "x.a.Load()", "b", "x.b.Load()", "c", "x.c").Replace(d.invariant)
	fmt.Fprintf(&b, "//pangolin:invariant%s\nfunc (x *X) Holds() bool { return %s }", map[bool]string{true: " always"}[d.always], text)
	return b.String()
}

// position is a state of a drawn type under two threads.
type position struct {
	n      [3]int // a, b, c
	op, at [2]int // of each thread: its operation, and the statement that comes next; op -1: it is idle
	calls  int    // that have begun
	holder int    // of the lock; -1: nobody
}

// breaks enumerates, without anything of this package, all executions of clients with two threads and two calls, and reports whether the
// invariant is false in one of their states that count.
func (d *drawnType) breaks() bool {
	seen := map[position]bool{}
	work := []position{{op: [2]int{-1, -1}, holder: -1}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		if (d.always || p.op == [2]int{-1, -1}) && !d.holds(p.n) {
			return true
		}
		for t := range 2 {
			if p.op[t] < 0 {
				for op := range d.ops {
					if q := p; p.calls < 2 {
						q.calls++
						q.op[t], q.at[t] = op, 0
						work = append(work, d.ended(q, t))
					}
				}
				continue
			}
			if q, ok := d.step(p, t); ok {
				work = append(work, d.ended(q, t))
			}
		}
	}
	return false
}

// ended makes a thread idle that has come to the end of its operation.
func (d *drawnType) ended(p position, t int) position {
	if p.at[t] == len(d.ops[p.op[t]]) {
		p.op[t], p.at[t] = -1, 0
	}
	return p
}

func (d *drawnType) step(p position, t int) (position, bool) {
	s := d.ops[p.op[t]][p.at[t]]
	p.at[t]++
	k := strings.IndexByte("abc", s[0])
	switch {
	case s == "lock" && p.holder >= 0:
		return p, false
	case s == "lock":
		p.holder = t
	case s == "unlock":
		p.holder = -1
	case s[1:] == "++":
		p.n[k]++
	case s[1:] == "--":
		p.n[k]--
	default:
		p.n[k] = 0
	}
	return p, true
}

func (d *drawnType) holds(n [3]int) bool {
	var x, op, y byte
	var eq, sign byte
	var k int
	if _, err := fmt.Sscanf(d.invariant, "%c %c%c %c%c%d", &x, &op, &eq, &y, &sign, &k); err != nil {
		panic(err)
	}
	l, r := n[x-'a'], n[y-'a']+k
	switch op {
	case '=':
		return l == r
	case '<':
		return l <= r
	case '>':
		return l >= r
	}
	return l != r
}

// TestInvariants_OfDrawnTypes compares verdicts with the enumeration above.
func TestInvariants_OfDrawnTypes(t *testing.T) {
	n := map[bool]int{true: 1000, false: 40}[level.More()]
	if level.Short() {
		n = 8
	}
	r := rand.New(rand.NewPCG(11, 27))
	broken := 0
	for range n {
		d := drawType(r)
		c := invariantCase{source: d.source()}
		v, err := c.verify(t, "all")
		if err != nil {
			t.Fatal(err)
		}
		want := verdict.Verified
		if d.breaks() {
			want = verdict.Violated
			broken++
		}
		if v.Status != want || want == verdict.Violated && v.Violation.Class != "invariant" {
			t.Errorf("%s: %s, want %s\n%s", v.Status, v.Reason, want, c.source)
		}
	}
	if broken < n/5 || broken > n-n/5 {
		t.Errorf("%d of %d types are broken", broken, n)
	}
}

// invariantFaults each change one condition of what decides whether an invariant is true.
func invariantFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "asked-during-calls", Old: "c.monitor.Busy(c.id) != 0, c.useless", New: "c.monitor.Busy(c.id) != 0 && !planted(\"asked-during-calls\"), c.useless", Wrong: "an invariant at rest is asked while calls are in progress"},
		{Name: "always-is-sometimes", Old: "if busy && !v.Always {", New: "if busy && (!v.Always || planted(\"always-is-sometimes\")) {", Wrong: "an invariant that is always true is asked at rest only"},
		{Name: "steps-stay-fused", Old: "opt.Reduce &^= unfused(s)", New: "if !planted(\"steps-stay-fused\") {\n\t\topt.Reduce &^= unfused(s)\n\t}", Wrong: "places between two accesses of a step are not looked at"},
		{Name: "goroutines-stay-fused", Old: "v.Always || s.StartsGoroutines()", New: "v.Always || s.StartsGoroutines() && !planted(\"goroutines-stay-fused\")", Wrong: "those of a goroutine that goes on between calls are not"},
		{Name: "waiting-is-an-answer", Old: "case did != waits:", New: "case did != waits || planted(\"waiting-is-an-answer\"):", Wrong: "an invariant that waits everywhere counts as asked"},
		{Name: "own-goroutines-wait", Old: "q.m.Threads() > thread+1 {", New: "q.m.Threads() > thread+1 && !planted(\"own-goroutines-wait\") {", Wrong: "one that waits for a goroutine of its own is not told"},
		{Name: "looks-unseen", Old: "l = l.With(c.inquirer.m.Looked())", New: "if !planted(\"looks-unseen\") {\n\t\t\tl = l.With(c.inquirer.m.Looked())\n\t\t}", Wrong: "that an invariant compares items is not noticed"},
		{Name: "one-choice", Old: "more = ch.Next() {\n\t\t\tdid, ok", New: "more = ch.Next() && !planted(\"one-choice\") {\n\t\t\tdid, ok", Wrong: "of the orders of a map one is tried"},
		{Name: "first-invariant-only", Old: "for i, v := range q.asked {", New: "for i, v := range q.asked {\n\t\tif i > 0 && planted(\"first-invariant-only\") {\n\t\t\tbreak\n\t\t}", Wrong: "only the first invariant is asked"},
		{Name: "panics-are-true", Old: "case q.m.Panicked(thread) != \"\":", New: "case q.m.Panicked(thread) != \"\" && planted(\"panics-are-true\"):\n\t\treturn \"\", true\n\tcase q.m.Panicked(thread) != \"\":", Wrong: "an invariant that panics is true"},
		{Name: "waiting-is-false", Old: "case !q.m.Idle(thread):\n\t\treturn waits, true", New: "case !q.m.Idle(thread):\n\t\treturn waits, !planted(\"waiting-is-false\")", Wrong: "an invariant that waits is false"},
		{Name: "effects-stay", Old: "q.m.Load(q.words)\n", New: "if !planted(\"effects-stay\") || q.m.Roots() == 0 {\n\t\tq.m.Load(q.words)\n\t}\n", Wrong: "what an invariant writes stays for the next one"},
	}
}

func invariantSources(t *testing.T) planting.Sources {
	return planting.Room(t)
}

var invariantSection = planting.Section{Page: "../../../doc/monitor-faults.md", Title: "Invariants"}

func TestInvariantFaults_CanBePlanted(t *testing.T) {
	invariantSources(t).Check(t, invariantFaults())
	invariantSection.Check(t, invariantFaults())
}

// TestInvariantFaults_AreFound plants each fault and looks which type of the table shows it.
func TestInvariantFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: a minute")
	}
	by := invariantSources(t).EachIsFound(t, invariantFaults(), "TestInvariantFault_IsFound")
	if flags.Update() {
		invariantSection.Write(t, invariantFaults(), by)
	}
}

// TestInvariantFault_IsFound runs in the binary with the faults and says which type shows the one that is switched on.
func TestInvariantFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestInvariantFaults_AreFound")
	}
	for _, c := range invariantCases() {
		if why := c.wrong(c.verify(t, "all")); why != "" {
			t.Logf("FOUND %s: %s", c.name, why)
			return
		}
	}
}
