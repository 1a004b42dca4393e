// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/test/level"
	"pangolin/internal/vm/state"
)

// uses are functions of an item x, by whether they look at it. Together they contain every
// instruction that has an item's word among those it works on.
var uses = []struct {
	body  string
	looks bool
}{
	{"g = x", false}, {"y := x; g = y", false}, {"s := []int{x}; g = s[0]", false},
	{"n := &node{x}; g = n.v", false}, {"a := [2]int{x}; b := a; g = b[0]", false},
	{"a := [2]int{x, x}; g = a[g]", false}, {"g = pair(x)[1]", false}, {"g = pick(pair(x), g)", false},
	{"s = append(s, x)", false}, {"t := make([]int, 1); s = append(s, x); copy(t, s); g = t[0]", false}, {"s = append(s, x); clear(s)", false},
	{"c := make(chan int, 1); c <- x; g = <-c", false}, {"c := make(chan int, 1); select { case c <- x: }; select { case g = <-c: default: }", false},
	{"i = x; g = i.(int)", false}, {"f := func() int { return x }; g = f()", false}, {"defer func() { g = x }()", false},
	{"g = id(x)", false}, {"atomic.StoreInt64(&a, int64(x))", false}, {"atomic.SwapInt64(&a, int64(x)); atomic.LoadInt64(&a)", false},
	{"m := map[int]int{1: x}; g = m[1]", false}, {"m := map[int]int{1: x}; for _, v := range m { g = v }", false},
	{"c := make(chan int, 3); c <- x; close(c); g = len(c) + cap(c)", false}, {"g = len(s); s = append(s, x); g = len(s)", false},
	{"t := s[:0:0]; s = append(t, x); p := (*[1]int)(s); g = p[0]", false},

	{"g = x + 1", true}, {"g = 1 - x", true}, {"g = x * 2", true}, {"g = x / 2", true}, {"g = x % 2", true},
	{"g = x & 1", true}, {"g = x | 1", true}, {"g = x ^ 1", true}, {"g = x &^ 1", true}, {"g = x << 1", true}, {"g = x >> 1", true},
	{"g = -x", true}, {"g = ^x", true}, {"b = x == 1", true}, {"b = x != 1", true}, {"b = x < 1", true}, {"b = x <= 1", true},
	{"b = [2]int{x} == [2]int{g}", true}, {"b = node{x} == node{g}", true}, {"b = any(x) == any(g)", true}, {"i = 1; b = i == any(x)", true},
	{"g = int(int8(x))", true}, {"f64 = float64(x)", true}, {"str = string(rune(x))", true},
	{"s = make([]int, x)", true}, {"s = make([]int, 0, x)", true}, {"_ = make(chan int, x)", true},
	{"s = make([]int, 2); g = s[x]", true}, {"p := new([4]int); g = p[x]", true}, {"g = pick([2]int{}, x)", true},
	{"s = s[x:]", true}, {"s = s[:x]", true}, {"s = s[:0:x]", true}, {"p := new([4]int); s = p[:0:x]", true},
	{`_ = "abc"[x]`, true}, {`str = "abc"[x:]`, true}, {`str = "abc"[:x]`, true},
	{"g = map[int]int{1: 1}[x]", true}, {"m := map[int]int{1: 1}; m[x] = 1", true}, {"m := map[int]int{1: 1}; delete(m, x)", true},
	{"m := map[any]int{1: 1}; m[x] = 1", true}, {"m := map[node]int{}; m[node{x}] = 1; m[node{1}] = 2", true},
	{"atomic.AddInt64(&a, int64(x))", true}, {"a = int64(x); atomic.AddInt64(&a, 1)", true},
	{"atomic.AndInt64(&a, int64(x))", true}, {"a = int64(x); atomic.AndInt64(&a, 1)", true},
	{"atomic.OrInt64(&a, int64(x))", true}, {"a = int64(x); atomic.OrInt64(&a, 1)", true},
	{"atomic.CompareAndSwapInt64(&a, int64(x), 1)", true}, {"a = int64(x); atomic.CompareAndSwapInt64(&a, 0, 1)", true},
	{"println(x)", true}, {"print(any(x))", true}, {"panic(x)", true},
	{"str = string(append([]byte(nil), byte(x)))", true}, {"str = string([]rune{rune(x)})", true},
	{"g = int(math.Float64frombits(uint64(x)))", true}, {"str = fmt.Sprint(x)", true}, {"sort.Ints(append(s, x, 1))", true},
	{"for range x { return }", true}, {"switch x { case 1: g = 2 }", true}, {"g = max(x, 1)", true},
}

// unrelated are instructions among whose operands no item can be: words that are no
// numbers of the program, strings, and jumps.
var unrelated = []ir.Op{ir.OpGhost, ir.OpAnnounce, ir.OpSlots, ir.OpSlotsOf, ir.OpThreads,
	ir.OpNop, ir.OpUnsupported, ir.OpZero, ir.OpNot, ir.OpConcat, ir.OpStrLen, ir.OpStrToBytes, ir.OpStrToRunes, ir.OpStrNext,
	ir.OpAddress, ir.OpCast, ir.OpMapClear, ir.OpMapLen, ir.OpDeferList, ir.OpRecover, ir.OpGo, ir.OpDefer,
	ir.OpCap, ir.OpMove, ir.OpRuneToStr, // what they take from an item has been converted or copied before
}

const usesSource = `package main

import (
	"fmt"
	"math"
	"sort"
	"sync/atomic"
)

type node struct{ v int }

var (
	g   int
	s   []int
	b   bool
	i   any
	a   int64
	f64 float64
	str string
	_   = fmt.Sprint
	_   = math.Float64frombits
	_   = sort.Ints
	_   = atomic.AddInt64
)

func id(x int) int { return x }

func pair(x int) [2]int { return [2]int{x, x} }

func pick(a [2]int, n int) int { return a[n] }

func main() {}
`

// TestMachine_NoticesEveryLookAtAnItem has every instruction work on an item.
func TestMachine_NoticesEveryLookAtAnItem(t *testing.T) {
	level.SkipShort(t, "compiles several programs")
	src, names := usesSource, []string{}
	for i, u := range uses {
		names = append(names, "use"+string(rune('a'+i/26))+string(rune('a'+i%26)))
		src += "\nfunc " + names[i] + "(x int) { " + u.body + " }\n"
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	prog, err := front.Load(front.Share(context.Background()), front.Request{Dir: dir, Patterns: []string{file}, Roots: names})
	if err != nil {
		t.Fatal(err)
	}
	img, err := NewImage(prog)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[ir.Op]bool{}
	for i, u := range uses {
		f := prog.Roots[i]
		for _, in := range f.Code {
			seen[in.Op] = true
		}
		m := img.NewMachine(Options{Items: true})
		m.Spawn()
		m.Call(0, f, []uint64{state.Item(0)})
		m.RunAlone(0, nil)
		if m.Fault() != nil {
			t.Errorf("%s: %v", u.body, m.Fault())
		}
		if got := m.Looked().Items; got != u.looks {
			t.Errorf("%s: looked %v, want %v", u.body, got, u.looks)
		}
	}
	for op := ir.OpNop; op.String() != "invalid"; op++ {
		if !seen[op] && !slices.Contains(unrelated, op) {
			t.Errorf("no use of an item has the instruction %s", op)
		}
	}
}

// blind are the built-in functions that may be given memory with items in it and do not
// look: locks, channels, threads, the clock, and what hands values on unseen.
var blind = []string{
	"(*sync.Mutex).Lock", "(*sync.Mutex).TryLock", "(*sync.Mutex).Unlock", "(*sync.RWMutex).Lock", "(*sync.RWMutex).RLock",
	"(*sync.RWMutex).RUnlock", "(*sync.RWMutex).TryLock", "(*sync.RWMutex).TryRLock", "(*sync.RWMutex).Unlock",
	"pangolin/mark.Choose", "pangolin/mark.Thread", "pangolin/mark.object", "pangolin/mark.own", "pangolin/prelude.atomicBegin", "pangolin/prelude.atomicEnd",
	"pangolin/prelude.clockNow", "pangolin/prelude.later", "pangolin/prelude.sleeping", "pangolin/prelude.timer", "pangolin/prelude.waitBubble",
	"pangolin/prelude.await", "pangolin/prelude.awaitInput", "pangolin/prelude.choose", "pangolin/prelude.chooseNumber", "pangolin/prelude.chooseMoment", "pangolin/prelude.chooseWaiter", "pangolin/prelude.output",
	"pangolin/prelude.waitGroupCount", "pangolin/prelude.waitGroupEnter", "pangolin/prelude.waitGroupIs",
	"pangolin/prelude.waitGroupLeave", "pangolin/prelude.waitGroupRelease",
	"runtime.Caller", "runtime.Callers", "runtime.CallersFrames", "runtime.FuncForPC", "runtime.GC", "runtime.GOMAXPROCS",
	"runtime.GOROOT", "runtime.Goexit", "runtime.Gosched", "runtime.KeepAlive", "runtime.NumCPU", "runtime.NumGoroutine",
	"runtime.ReadMemStats", "runtime.SetFinalizer", "runtime.Stack", "pangolin/prelude.chooseQuarter", "runtime.cheaprand", "runtime.cheaprandn", "runtime.rand",
	"runtime.fastrand", "runtime.memhash" /* says itself which words it has read */, "unsafe.Add",
	"sync.fatal", "sync.runtime_Semacquire", "sync.runtime_SemacquireRWMutex", "sync.runtime_SemacquireRWMutexR",
	"sync.runtime_SemacquireWaitGroup", "sync.runtime_Semrelease", "sync.runtime_notifyListAdd", "sync.runtime_notifyListCheck",
	"sync.runtime_notifyListNotifyAll", "sync.runtime_notifyListNotifyOne", "sync.runtime_notifyListWait",
	"sync.runtime_randn", "sync.runtime_registerPoolCleanup", "sync.throw",
}

// TestBuiltins_LookAtMemoryUnlessTheyAreKnownNotTo: all others that get a reference count as
// looking at whatever is there (inspectArguments), and every one at its arguments.
func TestBuiltins_LookAtMemoryUnlessTheyAreKnownNotTo(t *testing.T) {
	for name := range builtins {
		isBlind := slices.ContainsFunc(contentBlind, func(p string) bool { return strings.HasPrefix(name, p) })
		if isBlind != slices.Contains(blind, name) {
			t.Errorf("%s: counts as blind: %v", name, isBlind)
		}
	}
	for _, name := range blind {
		if builtins[name] == nil {
			t.Errorf("%s is no built-in function", name)
		}
	}
}

// TestBuiltins_SayWhatTheyAccess: whoever is visible because of memory lists that memory,
// and no other function is given any that others could write.
func TestBuiltins_SayWhatTheyAccess(t *testing.T) {
	for name, b := range builtins {
		switch {
		case b.visible == ifTouched && b.plainly == nil:
			t.Errorf("%s does not say what it touches", name)
		case b.visible == ifShared && b.atomically == nil && !strings.HasPrefix(name, "pangolin/prelude.await"):
			t.Errorf("%s does not say what it accesses atomically", name)
		case b.visible != ifTouched && b.plainly != nil, b.visible != ifShared && b.atomically != nil:
			t.Errorf("%s accesses memory but is visible otherwise", name)
		case b.visible == never && !slices.ContainsFunc(selfContained, func(p string) bool { return strings.HasPrefix(name, p) }):
			t.Errorf("%s is never visible: does it touch memory?", name)
		}
	}
}

// selfContained are functions, or packages of functions, that read no memory but what nobody
// writes: their arguments, and what boxes and functions are made of.
var selfContained = []string{
	"math.", "internal/abi.", "hash/maphash.MakeSeed", "hash/maphash.String", "hash/maphash.Comparable",
	"(*hash/maphash.Hash).Size", "(*hash/maphash.Hash).BlockSize",
	"runtime.", "(*runtime.Func).", "runtime/debug.", "internal/sync.", "sync.", "internal/synctest.", "pangolin/mark.",
	"pangolin/prelude.isNilPointer", "pangolin/prelude.callerLine", "pangolin/prelude.typeName", "pangolin/prelude.inTest", "pangolin/prelude.isComparable", "pangolin/prelude.asTarget", "pangolin/prelude.unsupported",
	"pangolin/prelude.arguments", "pangolin/prelude.sliceLen", "pangolin/prelude.hashOf", "pangolin/prelude.choose", "pangolin/prelude.chooseNumber", "pangolin/prelude.clockJumps",
	"pangolin/prelude.atomicEnd", "pangolin/prelude.wakesUncalled", "pangolin/prelude.ofTimer", "unsafe.Add",
	"pangolin/prelude.clockForm", "pangolin/prelude.virtualTime", "pangolin/prelude.comparesTimes", "pangolin/prelude.subtractsTimes", "pangolin/prelude.addedTime", "pangolin/prelude.looksAtTime",
	// The clock, which is written while nobody else can move, or in an atomic step.
	"pangolin/prelude.later", "pangolin/prelude.clockNow", "pangolin/prelude.passTime",
	"pangolin/prelude.goroutines", "golang.org/x/sys/cpu.", "vendor/golang.org/x/sys/cpu.",
	// What nobody writes: types, copies of values, and places in memory that are not looked into.
	"pangolin/prelude.reflect",
}
