// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// published is a type that others have published, with what is known of it
// (doc/published.md).
type published struct {
	name   string
	r      pangolin.Request
	status verdict.Status
	class  string // of the violation
}

func (p *published) verify(t *testing.T, dir string) {
	t.Run(p.name, func(t *testing.T) {
		p.r.Dir = dir
		p.r.Search.MaxMemory = 1 << 30
		list, err := pangolin.Verify(repository, p.r)
		if err != nil {
			t.Fatal(err)
		}
		hasVerdict(t, list, p.status, p.class)
	})
}

// hasVerdict gives the one verdict of a list, which is to have a status and its violation, if there is one, a class.
func hasVerdict(t *testing.T, list []verdict.Verdict, status verdict.Status, class string) verdict.Verdict {
	t.Helper()
	if len(list) != 1 {
		t.Fatalf("%d verdicts", len(list))
	}
	v, got := list[0], ""
	if v.Violation != nil {
		got = v.Violation.Class
	}
	if v.Status != status || got != class {
		t.Errorf("%s %s, want %s %s: %s", v.Status, got, status, class, v.Reason)
	}
	return v
}

// Of each of the twelve causes doc/published.md names files that try it.
func TestPublished_NamesTheTestsOfItsCauses(t *testing.T) {
	text, err := os.ReadFile("doc/published.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| cause | where it is tried |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(strings.TrimSpace(table), "\n")[1:]
	for _, row := range rows {
		files := 0
		for i, name := range strings.Split(row, "`") {
			if i%2 == 0 {
				continue
			}
			files++
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s: %v", row, err)
			}
		}
		if files == 0 {
			t.Errorf("%s: names no file", row)
		}
	}
	if len(rows) < 12 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestVerify_TypesOfTheStandardLibraryFromTheirSource(t *testing.T) {
	level.SkipShort(t, "verifies types of the standard library")
	deque := pangolin.Request{Packages: []string{"sync"}, Type: "poolDequeue", New: "&poolDequeue{vals: make([]eface, 2)}",
		Roles: "pushHead:1,popHead:1", Protocol: "bounded(2)"}
	few := pangolin.Scope{Steps: "1..2"}
	deque.Scope.Config = "D" // with more calls it is found full while a slot is being cleared, as its comment says
	full := deque
	full.New, full.Protocol = "&poolDequeue{vals: make([]eface, 1)}", "bounded(1)"
	for _, p := range []published{
		{"Once", pangolin.Request{Packages: []string{"sync"}, Type: "Once"}, verdict.Verified, ""},
		{"poolDequeue", deque, verdict.Verified, ""},
		{"poolDequeue of one slot", full, verdict.Violated, "history"},
		{"Mutex", pangolin.Request{Packages: []string{"sync"}, Type: "Mutex"}, verdict.Verified, ""},
		{"RWMutex", pangolin.Request{Packages: []string{"sync"}, Type: "RWMutex"}, verdict.Verified, ""},
		{"WaitGroup", pangolin.Request{Packages: []string{"sync"}, Type: "WaitGroup", Ops: []string{"Add", "Done", "Wait"}}, verdict.Verified, ""},
		// Done behind Go, which calls it as well, crashes the goroutine.
		{"WaitGroup with Go", pangolin.Request{Packages: []string{"sync"}, Type: "WaitGroup", Scope: pangolin.Scope{Steps: "1..2", NoContracts: true}}, verdict.Violated, "panic"},
		{"HashTrieMap", pangolin.Request{Packages: []string{"internal/sync"}, Type: "HashTrieMap", Scope: few,
			Ops: []string{"Load", "LoadOrStore", "CompareAndDelete"}}, verdict.Verified, ""},
	} {
		if !level.More() && (p.name == "WaitGroup" || p.name == "HashTrieMap") {
			continue // which take seconds
		}
		p.verify(t, "")
	}
}

// laxQueue is an oracle: a queue of two items whose operations may refuse at any time.
const laxQueue = `package lax

import "math/rand"

type Queue struct{ items []int }

func (q *Queue) TryEnqueue(item int) bool {
	if len(q.items) == 2 || rand.Intn(2) == 0 {
		return false
	}
	q.items = append(q.items, item)
	return true
}

func (q *Queue) TryDequeue() (item int, ok bool) {
	if len(q.items) == 0 || rand.Intn(2) == 0 {
		return 0, false
	}
	item, q.items = q.items[0], q.items[1:]
	return item, true
}
`

// scratch is a module that requires what others have published. It skips the test
// unless the module cache has all of it.
func scratch(t *testing.T, imports []string, requirements string) string {
	t.Helper()
	dir := t.TempDir()
	fromCache(t)
	if err := fillScratch(t, dir, imports, requirements); err != nil {
		t.Skipf("the modules are not in the module cache (go mod download, in a module with these requirements, gets them):\n%s", err)
	}
	return dir
}

// fromCache has the go command take modules from the module cache alone, also those that no go.mod requires.
func fromCache(t *testing.T) {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")))
	t.Setenv("GOSUMDB", "off")
}

// fillScratch makes such a module of a directory; an error says of which requirements the module cache has not all.
func fillScratch(t *testing.T, dir string, imports []string, requirements string) error {
	t.Helper()
	source := "package scratch\n"
	for _, path := range imports {
		source += "import _ \"" + path + "\"\n"
	}
	if err := os.Mkdir(filepath.Join(dir, "lax"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"lax/lax.go": laxQueue, "go.mod": "module scratch\n\ngo 1.26\n\nrequire (\n" + requirements + ")\n", "scratch.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "list", "-export", "-deps", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s%s", requirements, lastLine(out))
	}
	return nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

func TestVerify_PublishedTypesFromTheModuleCache(t *testing.T) {
	if !level.More() {
		t.Skip("takes twenty seconds: -level more (TestVerify_PublishedCode verifies some of them)")
	}
	const atomic, xsync, ants = "go.uber.org/atomic", "github.com/puzpuzpuz/xsync/v4", "github.com/panjf2000/ants/v2"
	dir := scratch(t, []string{atomic, xsync, ants + "/pkg/sync"}, atomic+" v1.12.0\n"+xsync+" v4.5.0\n"+ants+" v2.12.1\n")
	of := func(pkg, typ string) pangolin.Request { return pangolin.Request{Packages: []string{pkg}, Type: typ} }
	roles := func(r pangolin.Request, roles string) pangolin.Request { r.Roles = roles; return r }
	ops := func(r pangolin.Request, ops ...string) pangolin.Request { r.Ops = ops; return r }
	lax := of(xsync, "MPMCQueue")
	lax.Oracle = "scratch/lax.Queue"
	undocumented := of(xsync, "SPSCQueue")
	undocumented.Scope.NoContracts = true
	for _, p := range []published{
		{"atomic.Int64", of(atomic, "Int64"), verdict.Verified, ""},
		{"atomic.Bool", of(atomic, "Bool"), verdict.Verified, ""},
		{"atomic.String", of(atomic, "String"), verdict.Violated, "history"},
		{"atomic.String without CompareAndSwap", ops(of(atomic, "String"), "Load", "Store", "Swap"), verdict.Verified, ""},
		{"xsync.SPSCQueue", roles(of(xsync, "SPSCQueue"), "TryEnqueue:1,TryDequeue:2"), verdict.Verified, ""},
		{"xsync.SPSCQueue as its documentation says", of(xsync, "SPSCQueue"), verdict.Verified, ""},
		{"xsync.SPSCQueue with any number of producers", undocumented, verdict.Violated, "race"},
		{"xsync.MPMCQueue", of(xsync, "MPMCQueue"), verdict.Violated, "history"},
		{"xsync.MPMCQueue that may refuse", lax, verdict.Verified, ""},
		{"xsync.MPMCQueue with one producer", roles(of(xsync, "MPMCQueue"), "TryEnqueue:1,TryDequeue:2"), verdict.Verified, ""},
		{"xsync.UMPSCQueue", roles(of(xsync, "UMPSCQueue"), "Dequeue:1"), verdict.Verified, ""},
		{"xsync.Counter", of(xsync, "Counter"), verdict.Violated, "history"},
		{"sync.spinLock of ants", of(ants+"/pkg/sync", ""), verdict.Verified, ""},
	} {
		p.verify(t, dir)
	}
}
