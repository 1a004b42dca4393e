// SPDX-License-Identifier: BSD-3-Clause

package engines_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// Failures are planted in each mechanism that a search can do without: the verdict comes out all the same, and
// says which one has failed. They are planted in one build of this test, which runs itself.

// The subjects: a stack whose every answer is known, a set that copies itself, and a program.
const (
	copied = `package copied

import (
	"sync"
	"sync/atomic"
)

// Set is copied when it changes: the map is written under the lock, and read without it.
type Set struct {
	mu sync.Mutex
	m  atomic.Pointer[map[int]bool]
}

func New() *Set {
	s := &Set{}
	s.m.Store(&map[int]bool{})
	return s
}

func (s *Set) copy() map[int]bool {
	c := make(map[int]bool)
	for x := range *s.m.Load() {
		c[x] = true
	}
	return c
}

func (s *Set) Add(k int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.copy()
	if c[k] {
		return false
	}
	c[k] = true
	s.m.Store(&c)
	return true
}

func (s *Set) Remove(k int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.copy()
	if !c[k] {
		return false
	}
	delete(c, k)
	s.m.Store(&c)
	return true
}

func (s *Set) Contains(k int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copy()[k]
}
`
	program = `package main

import (
	"fmt"
	"sync"
)

type box struct{ n int }

func main() {
	b := &box{1}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { fmt.Print(b.n) })
	}
	wg.Wait()
}
`
)

// failures are planted, with what comes of each.
var failures = []struct {
	planting.Fault
	request pangolin.Request
	program bool
	status  verdict.Status
	reason  string // of a verdict that is unknown
	lacks   string // the mechanism that the verdict names; "": none has failed
	err     string
}{
	{Fault: planting.Fault{Name: "recall panics", Old: "\tm.recalled++\n", New: "\tm.recalled++\n\tif planted(\"recall panics\") && m.recalled > 100 {\n\t\tpanic(\"a planted failure\")\n\t}\n"},
		request: stack(1), status: verdict.Verified, lacks: "remembered steps (-reduce)"},
	{Fault: planting.Fault{Name: "recall returns something else", Old: "\tif s.Returned {\n\t\te.Returned = append(e.Returned, Return{Thread: t.Thread",
		New: "\tif s.Returned {\n\t\tif planted(\"recall returns something else\") && len(a.Results) == 2 {\n\t\t\ta.Results[1] ^= 1\n\t\t}\n" +
			"\t\te.Returned = append(e.Returned, Return{Thread: t.Thread"},
		request: stack(1), status: verdict.Verified, lacks: "remembered steps (-reduce)"},
	{Fault: planting.Fault{Name: "a worker panics", Old: "\tw.pooled = pooled{before: t.before}\n",
		New: "\tw.pooled = pooled{before: t.before}\n\tif planted(\"a worker panics\") && len(w.search.workers) > 1 {\n\t\tpanic(\"a planted failure\")\n\t}\n"},
		request: large(2), status: verdict.Verified, lacks: "several workers (-j)"},
	{Fault: planting.Fault{Name: "guards panic", Old: "\tif m.Guards.void.Load() {\n\t\treturn false\n",
		New: "\tif planted(\"guards panic\") {\n\t\tpanic(\"a planted failure\")\n\t}\n\tif m.Guards.void.Load() {\n\t\treturn false\n"},
		request: set(1), status: verdict.Verified, lacks: "any reduction (-reduce)"},
	{Fault: planting.Fault{Name: "guards are given up in the midst", Old: "func (m *State) guardHeld(t *Thread, guard *atomic.Uint32, p uint64, write bool) bool {\n\tg := guard.Load()\n",
		New: "var plantedAccesses, plantedBreaks int\n\nfunc (m *State) guardHeld(t *Thread, guard *atomic.Uint32, p uint64, write bool) bool {\n\tg := guard.Load()\n" +
			"\tif plantedAccesses++; planted(\"guards are given up in the midst\") && plantedBreaks < 40 && plantedAccesses > 100+40*plantedBreaks {\n" +
			"\t\tplantedAccesses = 0\n\t\tplantedBreaks++\n\t\tm.Guards.broken.Store(true)\n\t\treturn false\n\t}\n"},
		request: set(1), status: verdict.Verified},
	{Fault: planting.Fault{Name: "nothing can be executed", Old: "func (m *Machine) Step(i int, ch Chooser) {\n",
		New: "func (m *Machine) Step(i int, ch Chooser) {\n\tif planted(\"nothing can be executed\") {\n\t\tpanic(\"a planted failure\")\n\t}\n"},
		request: stack(1), err: "pangolin itself has failed, please report it: a planted failure"},
	{Fault: planting.Fault{Name: "an invariant is not computed", Old: "func Compute(ctx context.Context, t *Task, o Options) (*Invariant, *Failure, error) {\n",
		New: "func Compute(ctx context.Context, t *Task, o Options) (*Invariant, *Failure, error) {\n\tif planted(\"an invariant is not computed\") {\n\t\tpanic(\"a planted failure\")\n\t}\n"},
		request: proof("unbounded"), status: verdict.Unknown, reason: "no proof: pangolin itself has failed, please report it: a planted failure"},
	{Fault: planting.Fault{Name: "an invariant is not closed", Old: "\tif err := inv.Check(ctx); err != nil {\n",
		New: "\tif planted(\"an invariant is not closed\") {\n\t\treturn engine.Contradiction(errors.New(\"a planted failure\"))\n\t}\n\tif err := inv.Check(ctx); err != nil {\n"},
		request: proof("unbounded"), status: verdict.Unknown, reason: "no proof: pangolin itself has failed, please report it: a planted failure"},
	{Fault: planting.Fault{Name: "a table is not filled", Old: "func (s *search) run(ctx context.Context) error {\n\tif err := s.begin(); err != nil {\n",
		New: "func (s *search) run(ctx context.Context) error {\n\tif planted(\"a table is not filled\") {\n\t\tpanic(\"a planted failure\")\n\t}\n\tif err := s.begin(); err != nil {\n"},
		request: proof("cmp"), status: verdict.Unknown, reason: "no proof: pangolin itself has failed, please report it: a planted failure"},
	{Fault: planting.Fault{Name: "frozen reads panic", Old: "\tfor i := range n {\n\t\tif !m.Frozen[o.classAt(off+i)] {\n",
		New: "\tif planted(\"frozen reads panic\") {\n\t\tpanic(\"a planted failure\")\n\t}\n\tfor i := range n {\n\t\tif !m.Frozen[o.classAt(off+i)] {\n"},
		program: true, status: verdict.Verified, lacks: "any reduction (-reduce)"},
	{Fault: planting.Fault{Name: "recall panics in a transition system", Old: "func (s *Standing) Recall(step *Step, i int) bool {\n",
		New: "func (s *Standing) Recall(step *Step, i int) bool {\n\tif planted(\"recall panics in a transition system\") {\n\t\tpanic(\"a planted failure\")\n\t}\n"},
		request: refined(), status: verdict.Verified, lacks: "remembered steps (-reduce)"},
}

func stack(workers int) pangolin.Request {
	return pangolin.Request{Dir: "../..", Packages: []string{"./collections/stack.LockFreeStack"},
		Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}, Search: pangolin.Search{Workers: workers}}
}

// large is a search of more states than one worker makes alone first.
func large(workers int) pangolin.Request {
	r := stack(workers)
	r.Scope = pangolin.Scope{Threads: "1..3", Steps: "1..6"}
	r.Search.Reduce = "all,-points" // which leave few states
	return r
}

// set is about the set that copies itself, in a directory of the test's.
func set(workers int) pangolin.Request {
	return pangolin.Request{Packages: []string{"./copied"}, Scope: pangolin.Scope{Threads: "1..2", Steps: "1..2", PreAdds: "0..3"}, Search: pangolin.Search{Workers: workers}}
}

func proof(engine string) pangolin.Request {
	return pangolin.Request{Dir: "../..", Packages: []string{"./collections/stack.LockFreeStack"}, Engine: engine}
}

func refined() pangolin.Request {
	r := stack(1)
	r.Engine = "refine"
	return r
}

func sources(t *testing.T) (planting.Sources, []planting.Fault) {
	texts := planting.Sources{}
	for _, dir := range []string{"vm", "vm/parts", "vm/state", "explore", "play", "engine/bounded", "engine/unbounded", "engine/unbounded/fixpoint", "engine/cmp"} {
		texts.Read(t, "../"+dir+"/*.go")
	}
	var list []planting.Fault
	for _, f := range failures {
		list = append(list, f.Fault)
	}
	return texts, list
}

// TestPersist_AVerdictComesOutWhateverFails plants each failure, in one build for all.
func TestPersist_AVerdictComesOutWhateverFails(t *testing.T) {
	texts, list := sources(t)
	texts.Check(t, list)
	level.SkipShort(t, "builds a test binary")
	binary := filepath.Join(t.TempDir(), "planted.test")
	texts.Build(t, list, binary)
	for _, f := range append(list, planting.Fault{}) {
		out, err := planting.Command(binary, f.Name, "-test.run=^TestPlanted_Failure$", "-test.v").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%s: %v\n%s", f.Name, err, out)
		}
	}
}

// TestPlanted_Failure runs in the build with failures, of which one is switched on.
func TestPlanted_Failure(t *testing.T) {
	if _, in := os.LookupEnv("PANGOLIN_PLANTED"); !in {
		t.Skip("runs in the build with failures")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "copied/copied.go": copied, "program/main.go": program} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range failures {
		switch on := planting.On(); {
		case on == f.Name:
		case on == "" && f.program: // without a failure everything is as it was
			f.lacks, f.err = "", ""
		case on == "":
			f.lacks, f.err, f.reason = "", "", ""
			if f.status != verdict.Verified {
				continue
			}
		default:
			continue
		}
		if f.request.Dir == "" {
			f.request.Dir = dir
		}
		var v verdict.Verdict
		var err error
		if f.program {
			f.request.Packages = []string{"./program"}
			v, err = pangolin.Run(context.Background(), f.request)
		} else {
			var list []verdict.Verdict
			if list, err = pangolin.Verify(context.Background(), f.request); len(list) > 0 {
				v = list[0]
			}
		}
		if f.err != "" {
			if err == nil || !strings.HasSuffix(err.Error(), f.err) {
				t.Errorf("%s: %v, want %q", f.Name, err, f.err)
			}
			continue
		}
		if err != nil || v.Status != f.status || !strings.HasPrefix(v.Reason, f.reason) {
			t.Errorf("%s: %v, %s %s, want %s %s", f.Name, err, v.Status, v.Reason, f.status, f.reason)
		}
		note := "pangolin itself has failed"
		if assumed := strings.Join(v.Assumptions, "\n"); strings.Contains(assumed, note) != (f.lacks != "") || !strings.Contains(assumed, f.lacks) {
			t.Errorf("%s: assumes %q, want %q", f.Name, assumed, f.lacks)
		}
	}
}
