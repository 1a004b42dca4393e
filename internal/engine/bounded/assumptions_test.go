// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// What varies in Go and does not here is an assumption of the verdict, if the code asks for it and only then.
func TestAssumptions_NameWhatStandsStill(t *testing.T) {
	level.SkipShort(t, "verifies several types")
	for _, c := range []struct{ name, imports, body, want string }{
		{"nothing", "", "return 0", ""},
		{"the clock", `import "time"`, "return int(time.Now().Unix())", "the clock goes on once at most"},
		{"the clock, by the time since", `import "time"`, "return int(time.Since(time.Time{}))", "the clock goes on once at most"},
		{"processors", `import "runtime"`, "return runtime.NumCPU()", "there are 2 processors"},
		{"a lock that is tried", `import "sync"`, "var mu sync.RWMutex; mu.TryLock(); return 0", "RWMutex.TryLock is one step"},
		{"an exchange that compares", `import "sync/atomic"`, "var v atomic.Value; v.Store(0); v.CompareAndSwap(0, 1); return 0", "atomic.Value.CompareAndSwap compares values"},
		{"a lock that is not tried", `import "sync"`, "var mu sync.RWMutex; mu.Lock(); mu.TryRLock(); return 0", ""},
		{"random numbers of the runtime", "import (\n\t\"sync/atomic\"\n\t_ \"unsafe\"\n)\n\nvar _ atomic.Int64\n\n//go:linkname cheaprand runtime.cheaprand\nfunc cheaprand() uint32\n", "return int(cheaprand())", "random numbers that the code takes from the runtime"},
		{"a random fraction", `import "math/rand"`, "return int(4 * rand.Float64())", "random fractions (rand.Float64"},
		{"another random fraction", `import "math/rand/v2"`, "return int(4 * rand.Float32())", "random fractions (rand.Float64"},
		{"the number of a goroutine", `import "runtime/debug"`, "return int(debug.Stack()[10])", "goroutines are numbered from 1"},
		{"a place in the code", `import "runtime"`, "_, _, line, _ := runtime.Caller(0); return line", "program counters are made up"},
		{"a hash", `import "hash/maphash"`, "return int(maphash.Comparable(maphash.MakeSeed(), 3))", "hash/maphash: an integer is its own hash"},
		{"a hash of text", `import "hash/maphash"`, "return int(maphash.String(maphash.MakeSeed(), `a`))", "hash/maphash: an integer is its own hash"},
		{"a finalizer", `import "runtime"`, "x := new(int); runtime.SetFinalizer(x, func(*int) {}); return 0", "finalizers never run"},
		{"memory statistics", `import "runtime"`, "var s runtime.MemStats; runtime.ReadMemStats(&s); return int(s.Mallocs)", "memory statistics are zero"},
		{"a setting", `import "runtime/debug"`, "return debug.SetGCPercent(50)", "settings of the runtime have no effect"},
		{"the version", `import "runtime"`, "return len(runtime.Version())", "runtime.Version is go1.26"},
		{"the process", `import "os"`, "name, _ := os.Hostname(); return len(name) + os.Getpid() - os.Getppid()", "the process has the number 2"},
		{"the environment", `import "os"`, "return len(os.Getenv(`HOME`))", "the environment is PATH=/usr/bin and nothing else"},
		{"the program's name", `import "os"`, "return len(os.Args)", "the program's name is main"},
		{"an output that is synchronised", `import "os"`, "if os.Stdout.Sync() != nil { return 1 }; return 0", "can be synchronised"},
		{"allocations", `import "testing"`, "return int(testing.AllocsPerRun(1, func() {}))", "testing.AllocsPerRun is 0"},
		{"a logger", `import "log"`, "log.SetFlags(log.Lshortfile); log.Print(1); return 0", "package log writes neither date nor time nor file"},
		{"an address", `import "fmt"`, "return len(fmt.Sprintf(`%p`, b))", "addresses that the code prints"},
		{"an address inside", `import "fmt"`, "return len(fmt.Sprint(struct{ b *Box }{b}))", "addresses that the code prints"},
		{"an address by println", "", "println(b); return 0", "addresses that the code prints"},
		{"an address as a number", `import "unsafe"`, "return int(uintptr(unsafe.Pointer(b)) & 7)", "pointers that it converts to uintptr"},
		{"a canonical value", `import "unique"`, "if unique.Make(1) == unique.Make(1) && unique.Make(1) != unique.Make(2) { return 0 }; panic(1)", ""},
		{"a map that is initialised from", "var m = map[int]int{1: 1, 2: 2}\nvar first = func() int { for k := range m { return k }; return 0 }()", "return first", "ranges over a map, it does in one order"},
		{"a map of one entry", "var m = map[int]int{1: 1}\nvar first = func() int { for k := range m { return k }; return 0 }()", "return first", ""},
		{"a map that an operation ranges over", "var m = map[int]int{1: 1, 2: 2}", "n := 0; for k := range m { n += k }; return n", ""},
		{"no address", `import "fmt"`, "return len(fmt.Sprintf(`%v %d`, b.c == nil, 3))", ""},
	} {
		source := "package example\n\n" + c.imports + "\n\ntype Box struct{ c chan int }\n\nfunc (b *Box) Get() int { " + c.body + " }\n"
		v := verifySource(t, source, pangolin.Request{Type: "Box", Kind: "object", Scope: pangolin.Scope{Threads: "1", Steps: "1"}})
		text := strings.Join(v.Assumptions, "\n")
		if v.Status != verdict.Verified || c.want != "" && !strings.Contains(text, c.want) {
			t.Errorf("%s: %s: %s; want %q", c.name, v.Status, text, c.want)
		}
		for _, f := range vm.Facts {
			if strings.Contains(text, f.Text) && (c.want == "" || !strings.Contains(f.Text, c.want)) {
				t.Errorf("%s: nobody asks, and it is said: %s", c.name, f.Text)
			}
		}
		if c.want == "" && (strings.Contains(text, "the clock") || strings.Contains(text, "addresses") || strings.Contains(text, "ranges over a map")) {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

// The moment at which the clock stands still is not the zero time, which code takes for
// "not yet".
func TestAssumptions_TheClockIsNotZero(t *testing.T) {
	const source = `package example

import (
	"sync"
	"time"
)

type Once struct {
	mu   sync.Mutex
	done time.Time
}

func (o *Once) Do() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.done.IsZero() {
		return false
	}
	o.done = time.Now()
	return true
}

// oracle does once what Once does.
type oracle struct{ done bool }

func (o *oracle) Do() bool {
	before := o.done
	o.done = true
	return !before
}
`
	v := verifySource(t, source, pangolin.Request{Type: "Once", Kind: "object", Oracle: "oracle"})
	if v.Status != verdict.Verified {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
}

// What has no answer ends the search, with the place of the call: it is never silently zero.
func TestAssumptions_RefuseWhatHasNoAnswer(t *testing.T) {
	level.SkipShort(t, "verifies several types")
	for _, c := range []struct{ name, imports, body, want string }{
		{"a variable of a package that is not compiled", `import "os"`, "if os.ErrProcessDone == nil { return 1 }; return 0", "the variable os.ErrProcessDone is not supported"},
		{"a variable that is set", `import "runtime"`, "runtime.MemProfileRate = 1; return 0", "the variable runtime.MemProfileRate is not supported"},
		{"standard output that is closed", `import "os"`, "os.Stdout.Close(); return 0", "closing standard input or output"},
		{"a breakpoint", `import "runtime"`, "runtime.Breakpoint(); return 0", "runtime.Breakpoint"},
		{"all goroutines", `import "runtime"`, "var buf [64]byte; return runtime.Stack(buf[:], true)", "runtime.Stack of all goroutines"},
		{"a cleanup", `import "runtime"`, "runtime.AddCleanup(new(int), func(int) {}, 1); return 0", "runtime.AddCleanup is not supported"},
		{"a weak pointer", `import "weak"`, "if weak.Make(new(int)).Value() == nil { return 1 }; return 0", "weak.Make is not supported"},
		{"the user", `import "os"`, "return os.Getuid()", "os.Getuid: the world outside the program"},
		{"the executable", `import "os"`, "p, _ := os.Executable(); return len(p)", "os.Executable: the world outside the program"},
		{"the local time", `import "time"`, "return time.Unix(0, 0).Hour()", "the world outside the program"},
		{"build information", `import "runtime/debug"`, "_, ok := debug.ReadBuildInfo(); if ok { return 1 }; return 0", "runtime/debug.ReadBuildInfo is not supported"},
		{"an unbounded random number", `import "math/rand"`, "return rand.Int()", "rand.Int (every number would be explored"},
		{"a hash of a number's bytes", "import \"unsafe\"\n\n//go:linkname memhash runtime.memhash\nfunc memhash(p unsafe.Pointer, seed, n uintptr) uintptr\n", "x := 7; return int(memhash(unsafe.Pointer(&x), 0, 8))", "runtime.memhash of other memory than bytes"},
		{"a number as an address", `import "unsafe"`, "at := uintptr(unsafe.Pointer(b)) | 1; return len((*Box)(unsafe.Pointer(at &^ 1)).c)", "pointer arithmetic"},
		{"memory of another layout", `import "unsafe"`, "return *(*int)(unsafe.Pointer(uintptr(unsafe.Pointer(b)) + uintptr(8*len(b.c))))", "which has another layout"},
	} {
		source := "package example\n\n" + c.imports + "\n\ntype Box struct{ c chan int }\n\nfunc (b *Box) Get() int { " + c.body + " }\n"
		v := verifySource(t, source, pangolin.Request{Type: "Box", Kind: "object", Scope: pangolin.Scope{Threads: "1", Steps: "1"}})
		if v.Status != verdict.Unknown || v.Cause != verdict.Unsupported || !strings.Contains(v.Reason, c.want) || !strings.Contains(v.Reason, ".go:") {
			t.Errorf("%s: %s (%s): %s; want %q", c.name, v.Status, v.Cause, v.Reason, c.want)
		}
	}
}

// Errors that package os has from io/fs are these.
func TestAssumptions_ErrorsOfOSAreThere(t *testing.T) {
	const source = `package example

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

type Box struct{ c chan int }

func (b *Box) Get() int {
	err := fmt.Errorf("it is closed: %w", os.ErrClosed)
	if errors.Is(err, fs.ErrClosed) && !errors.Is(err, os.ErrNotExist) && os.ErrExist.Error() == "file already exists" {
		return 0
	}
	panic("another error")
}
`
	if v := verifySource(t, source, pangolin.Request{Type: "Box", Kind: "object"}); v.Status != verdict.Verified {
		t.Errorf("%s: %s", v.Status, v.Reason)
	}
}

// A table without chains is right as long as no two keys have the same hash.
func TestAssumptions_HashesAreMadeUpIfAsked(t *testing.T) {
	const source = `package example

import (
	"hash/maphash"
	"sync"
)

type Set struct {
	mu    sync.Mutex
	seed  maphash.Seed
	taken [4]bool
}

func New() *Set { return &Set{seed: maphash.MakeSeed()} }

func (s *Set) place(k int) *bool { return &s.taken[maphash.Comparable(s.seed, k)%4] }

func (s *Set) Add(k int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.place(k)
	if *p {
		return false
	}
	*p = true
	return true
}

func (s *Set) Contains(k int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.place(k)
}
`
	for hash, want := range map[string]verdict.Status{"": verdict.Verified, "nondet(4,2)": verdict.Violated, "nondet(4,4)": verdict.Violated} {
		v := verifySource(t, source, pangolin.Request{Type: "Set", Kind: "set", Scope: pangolin.Scope{Config: "A", Hash: hash}})
		if v.Status != want {
			t.Errorf("%q: %s: %s", hash, v.Status, v.Reason)
		}
	}
}

// A set of two shards that chooses one by a hash finds its keys again if each hash has the same seed, and not if each has one of its own.
func TestAssumptions_SeedsMakeADifference(t *testing.T) {
	const source = `package example

import (
	"hash/maphash"
	"sync"
)

var common = maphash.MakeSeed()

type Set struct {
	mu     sync.Mutex
	seed   maphash.Seed
	shards [2]map[string]bool
}

func New() *Set {
	return &Set{seed: maphash.MakeSeed(), shards: [2]map[string]bool{{}, {}}}
}

func (s *Set) place(k string) int {
	var h maphash.Hash
	%s
	return int(h.Sum64() %% 2)
}

func (s *Set) Add(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.shards[s.place(k)]
	added := !m[k]
	m[k] = true
	return added
}

func (s *Set) Contains(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shards[s.place(k)][k]
}
`
	for body, want := range map[string]verdict.Status{
		"h.SetSeed(s.seed); h.WriteString(k)":                                                  verdict.Verified,
		"h.WriteString(k); h.SetSeed(common); h.WriteString(k); h.Reset(); h.Write([]byte(k))": verdict.Verified,
		"return int(maphash.String(s.seed, k) % 2)":                                            verdict.Verified,
		"if maphash.Bytes(s.seed, []byte(k)) != maphash.String(s.seed, k) { return 5 }":        verdict.Violated, // by h
		"return int(maphash.Comparable(common, k) % 2)":                                        verdict.Verified,
		"h.WriteString(k)":            verdict.Violated,
		"h.Reset(); h.WriteString(k)": verdict.Violated,
		"var g maphash.Hash; h.SetSeed(g.Seed()); h.WriteString(k)":                                   verdict.Violated,
		"return int(maphash.String(maphash.MakeSeed(), k) % 2)":                                       verdict.Violated,
		"return int(maphash.Comparable(maphash.MakeSeed(), k) % 2)":                                   verdict.Violated,
		"h.SetSeed(maphash.MakeSeed()); maphash.WriteComparable(&h, k)":                               verdict.Violated,
		"h.SetSeed(maphash.Seed{})":                                                                   verdict.Violated, // it panics
		"s.seed = maphash.MakeSeed(); h.SetSeed(s.seed); h.WriteString(k)":                            verdict.Violated,
		"g := h; g.SetSeed(s.seed); h.SetSeed(g.Seed()); h.WriteString(k); return int(h.Sum64()>>63)": verdict.Verified,
	} {
		text := fmt.Sprintf(source, body)
		if v := verifySource(t, text, pangolin.Request{Type: "Set", Kind: "set", Scope: pangolin.Scope{Threads: "1..1", Steps: "1..2"}}); v.Status != want {
			t.Errorf("%s: %s, want %s: %s", body, v.Status, want, v.Reason)
		}
	}
}
