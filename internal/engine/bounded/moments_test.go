// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// moments are points whose moment a reduction could move: with it and without any the verdict must be the same. Set
// writes x, and Get gives it.
var moments = []struct{ name, fields, set, get, broken string }{
	{"an access that goes with the taking of its lock", "v int",
		"r.mu.Lock()\n//pangolin:point emit Set(x)\nr.v = x\nr.mu.Unlock()",
		"r.mu.Lock()\n//pangolin:point emit Get() = v\nv := r.v\nr.mu.Unlock()\nreturn v", ""},
	{"a lock in a lock", "v int; inner sync.Mutex; w int",
		"r.mu.Lock()\nr.inner.Lock()\nr.w = x\n//pangolin:point emit Set(x)\nr.v = x\nr.inner.Unlock()\nr.mu.Unlock()",
		"r.mu.Lock()\n//pangolin:point emit Get() = v\nv := r.v\nr.mu.Unlock()\nreturn v", ""},
	{"an access that goes with one that others see without the lock", "v int; a atomic.Int64",
		"r.mu.Lock()\nr.a.Store(int64(x))\n//pangolin:point emit Set(x)\nr.v = x\nr.mu.Unlock()",
		"//pangolin:point emit Get() = int(v)\nv := r.a.Load()\nreturn int(v)", "M3"},
	{"a read of what never changes, behind the release of the lock", "v int; never *int",
		"r.mu.Lock()\nr.v = x\nr.mu.Unlock()\n//pangolin:point emit Set(x)\nif r.never != nil {\nreturn\n}",
		"r.mu.Lock()\n//pangolin:point emit Get() = v\nv := r.v\nr.mu.Unlock()\nreturn v", "M3"},
	{"no access, which is the release before it", "v int",
		"r.mu.Lock()\nr.v = x\nr.mu.Unlock()\ny := x * x\n//pangolin:point emit Set(x)\ny++\n_ = y",
		"r.mu.Lock()\n//pangolin:point emit Get() = v\nv := r.v\nr.mu.Unlock()\nreturn v", ""},
	{"the release of the lock", "v int",
		"r.mu.Lock()\nr.v = x\n//pangolin:point emit Set(x)\nr.mu.Unlock()",
		"r.mu.Lock()\n//pangolin:point emit Get() = v\nv := r.v\nr.mu.Unlock()\nreturn v", ""},
	{"somebody finds out that the lock is taken", "v int; gets sync.Mutex",
		"r.mu.Lock()\n//pangolin:point emit Set(x)\nr.v = 1\nr.mu.Unlock()",
		"r.gets.Lock()\ndefer r.gets.Unlock()\n//pangolin:point when !ok emit Get() = 1\nok := r.mu.TryLock()\nif !ok {\nreturn 1\n}\n//pangolin:point emit Get() = v\nv := r.v\nr.mu.Unlock()\nreturn v", "M3"},
}

func TestPoints_HaveTheMomentsOfTheirAccesses(t *testing.T) {
	level.SkipShort(t, "verifies many small types")
	for _, c := range moments {
		t.Run(c.name, func(t *testing.T) {
			source := "package example\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ atomic.Int64\n\n" +
				"type Register struct {\n\tmu sync.Mutex\n\t" + c.fields + "\n}\n\nfunc New() *Register { return &Register{} }\n\n" +
				"func (r *Register) Set(x int) {\n" + c.set + "\n}\n\nfunc (r *Register) Get() int {\n" + c.get + "\n}\n"
			for _, reduce := range []string{"all", "none"} {
				req := pangolin.Request{Type: "Register", New: "New()", Oracle: "self", Engine: "points", Scope: pangolin.Scope{Config: "3x3x0", Values: 2},
					Search: pangolin.Search{Reduce: pangolin.Reduce(reduce)}}
				v, err := trySource(t, source, req)
				if err != nil {
					t.Fatal(err)
				}
				if c.broken == "" && v.Status != verdict.Verified {
					t.Errorf("reduce %s: %s %s %+v", reduce, v.Status, v.Reason, v.Violation)
				}
				if c.broken != "" && (v.Status != verdict.Violated || !strings.HasPrefix(v.Violation.Summary, c.broken)) {
					t.Errorf("reduce %s: %s %s, want rule %s", reduce, v.Status, v.Reason, c.broken)
				}
			}
		})
	}
}

// What a remembered step has announced is announced when it is recalled, in the search for a policy's faults as well.
func TestParts_AreThoseOfAPolicy(t *testing.T) {
	level.SkipShort(t, "executes every step twice")
	for _, c := range []struct{ pkg, typ, config string }{
		{"stack", "LockFreeStack", "3x2x0"}, {"stack", "EliminationBackoffStack", "2x2x0"}, {"queue", "LockFreeQueue", "2x3x1"},
		{"queue", "EliminationQueue", "2x3x1"}, {"queue", "HerlihyWingQueue", "3x2x1"}, {"list", "FineList", "2x2x1"}, {"list", "LockFreeList", "2x2x1"},
	} {
		t.Run(c.typ, func(t *testing.T) {
			p, err := pangolin.Prepare(repository, pangolin.Request{Packages: []string{"pangolin/collections/" + c.pkg}, Type: c.typ, Engine: "points",
				Scope: pangolin.Scope{Config: c.config}})
			if err != nil {
				t.Fatal(err)
			}
			want := counted(t, p, pangolin.Search{Workers: 1, Reduce: "fusing,frozen,symmetry,items,keys,guarded"})
			recalls, _ := bounded.Doubt(t)
			if got := counted(t, p, pangolin.Search{Workers: 1}); got != want {
				t.Errorf("%s\nwithout remembered steps:\n%s", got, want)
			}
			if recalls.Load() == 0 {
				t.Error("no step was recalled")
			}
		})
	}
}
