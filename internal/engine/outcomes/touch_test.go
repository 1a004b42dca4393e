// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/ir"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// A table of built-in functions: what each reads and writes, as races show.

// accessed are pairs of statements that access the same memory through a built-in function, a
// model of the standard library or an instruction that moves several words.
var accessed = []struct {
	name, imports, vars, one, other string
	race                            bool
}{
	{"append reads", "", "s = []int{1}; t []int", "t = append(t, s...)", "s[0] = 2", true},
	{"append writes behind", "", "s = make([]int, 1, 2); t = s[:2]", "_ = append(s, 1)", "t[1] = 2", true},
	{"append moves", "", "s = []int{1}", "_ = append(s, 1)", "s[0] = 2", true},
	{"copy from", "", "s = []int{1}; t = []int{0}", "copy(t, s)", "s[0] = 2", true},
	{"copy to", "", "s = []int{1}; t = []int{0}", "copy(t, s)", "println(t[0])", true},
	{"clear slice", "", "s = []int{1}", "clear(s)", "println(s[0])", true},
	{"clear map", "", "m = map[int]int{1: 1}", "clear(m)", "println(m[1])", true},
	{"map write and read", "", "m = map[int]int{1: 1}", "m[2] = 1", "println(m[1])", true},
	{"map delete and len", "", "m = map[int]int{1: 1}", "delete(m, 2)", "println(len(m))", true},
	{"map range and write", "", "m = map[int]int{1: 1}", "for k := range m { println(k) }", "m[1] = 2", true},
	{"map reads", "", "m = map[int]int{1: 1}", "println(m[1])", "println(m[1])", false},
	{"string of bytes", "", "b = []byte{'a'}", "println(string(b))", "b[0] = 'b'", true},
	{"string of runes", "", "b = []rune{'a'}", "println(string(b))", "b[0] = 'b'", true},
	{"format a slice", `"fmt"`, "s = []int{1}", "_ = fmt.Sprint(s)", "s[0] = 2", true},
	{"format a pointer to a struct", `"fmt"`, "s = &struct{ x int }{1}", `_ = fmt.Sprintf("%v", s)`, "s.x = 2", true},
	{"format a map", `"fmt"`, "m = map[int]int{1: 1}", "_ = fmt.Sprint(m)", "m[1] = 2", true},
	{"format an atomic", `"fmt"; "sync/atomic"`, "x atomic.Int32", "_ = fmt.Sprint(&x)", "x.Store(1)", true},
	{"format a pointer as a number", `"fmt"`, "x = 1; p = &x", `_ = fmt.Sprintf("%T", p)`, "x = 2", false},
	{"format twice", `"fmt"`, "s = []int{1}", "_ = fmt.Sprint(s)", "_ = fmt.Sprint(s)", false},
	{"wrap an error", `"fmt"; "errors"`, "a = []any{errors.New(\"e\")}", `_ = fmt.Errorf("%w", a...)`, "a[0] = nil", true},
	{"errors.As target", `"errors"`, "e error = E{}; t E", "errors.As(e, &t)", "println(t.x)", true},
	{"sort.Slice swaps", `"sort"`, "s = []int{2, 1}", "sort.Slice(s, func(i, j int) bool { return i > j })", "println(s[0])", true},
	{"slices.Sort", `"slices"`, "s = []int{2, 1}", "slices.Sort(s)", "println(s[0])", true},
	{"maphash of bytes", `"hash/maphash"`, "b = []byte{1}; d = maphash.MakeSeed()", "maphash.Bytes(d, b)", "b[0] = 2", true},
	{"maphash state", `"hash/maphash"`, "h maphash.Hash", "h.WriteByte(1)", "h.WriteByte(2)", true},
	{"stack trace", `"runtime"`, "b = make([]byte, 1)", "runtime.Stack(b, false)", "println(b[0])", true},
	{"wipe a mutex", `"sync"`, "x sync.Mutex", "x.Lock(); x.Unlock()", "x = sync.Mutex{}", true},
	{"wipe what embeds a mutex", `"sync"`, "x struct{ a int; sync.Mutex }", "x.Lock(); x.Unlock()", "x.Mutex = sync.Mutex{}", true},
	{"wipe an RWMutex", `"sync"`, "x sync.RWMutex", "x.RLock(); x.RUnlock()", "x = sync.RWMutex{}", true},
	{"wipe a wait group", `"sync"`, "x sync.WaitGroup", "x.Wait()", "x = sync.WaitGroup{}", true},
	{"wipe a Once", `"sync"`, "x sync.Once", "x.Do(func() {})", "x = sync.Once{}", true},
	{"wipe a sync.Map", `"sync"`, "x sync.Map", "x.Store(1, 1)", "x = sync.Map{}", true},
	{"wipe a sync.Map that is read", `"sync"`, "x sync.Map", "x.Load(1)", "x = sync.Map{}", true},
	{"wipe a Pool", `"sync"`, "x sync.Pool", "x.Put(1)", "x = sync.Pool{}", true},
	{"wipe a Cond", `"sync"`, "x = sync.NewCond(new(sync.Mutex))", "x.Signal()", "*x = sync.Cond{}", true},
	{"wipe an atomic.Int32", `"sync/atomic"`, "x atomic.Int32", "x.Add(1)", "x = atomic.Int32{}", true},
	{"wipe an atomic.Value", `"sync/atomic"`, "x atomic.Value", "x.Store(1)", "x = atomic.Value{}", true},
	{"wipe an atomic.Value that is read", `"sync/atomic"`, "x atomic.Value", "x.Load()", "x = atomic.Value{}", true},
	{"two locks", `"sync"`, "x sync.Mutex", "x.Lock(); x.Unlock()", "x.Lock(); x.Unlock()", false},
	{"two sync.Map stores", `"sync"`, "x sync.Map", "x.Store(1, 1)", "x.Store(1, 2)", false},
	{"two atomic.Value stores", `"sync/atomic"`, "x atomic.Value", "x.Store(1)", "x.Store(2)", false},
	{"two signals", `"sync"`, "x = sync.NewCond(new(sync.Mutex))", "x.Signal()", "x.Broadcast()", false},
	{"lock through a Cond", `"sync"`, "x = sync.NewCond(new(sync.Mutex))", "x.L.Lock(); x.L.Unlock()", "x.Signal()", false},
	{"two Puts", `"sync"`, "x sync.Pool", "x.Put(1)", "x.Get()", false},
	{"compare structs: equal before the field", "", "x = pair{1, 2}", "println(x == pair{1, 3})", "x.b = 4", true},
	{"compare structs: differ before the field", "", "x = pair{1, 2}", "println(x == pair{2, 3})", "x.b = 4", false},
	{"compare structs: != and the first field", "", "x = pair{1, 2}", "println(x != pair{2, 3})", "x.a = 4", true},
	{"compare structs: both in memory", "", "x = pair{1, 2}; y = pair{2, 2}", "println(x == y)", "y.b = 4", false},
	{"compare structs through pointers", "", "x = &pair{1, 2}; y = &pair{2, 2}", "println(*x != *y)", "y.b = 4", false},
	{"compare structs: a call in front", "", "x = pair{1, 2}", "println(x == pairOf(2, 2))", "x.b = 4", false},
	{"compare structs: a blank field", "", "x blank", "println(x == blank{b: 1})", "x.b = 0", true},
	{"compare structs: a string's content comes last", "", `x = named{"a", 1}`, `println(x == named{"b", 2})`, `x.b = 3`, true},
	{"compare structs: a string's length comes first", "", `x = named{"a", 1}`, `println(x == named{"bb", 1})`, "x.b = 2", false},
	{"compare structs: an interface that differs", "", "x = dynamic{1, 2, 3}", "println(x == dynamic{1, 4, 3})", "x.c = 2", false},
	{"compare structs: before an interface", "", "x = dynamic{1, 2, 3}", "println(x == dynamic{2, 2, 3})", "x.c = 2", false},
	{"compare structs: nested", "", "x = nested{pair{1, 2}, 3}", "println(x == nested{pair{1, 4}, 3})", "x.c = 2", false},
	{"compare structs: nested, its first field", "", "x = nested{pair{1, 2}, 3}", "println(x == nested{pair{1, 4}, 3})", "x.p.b = 2", true},
	{"compare structs: too many fields", "", "x = many{1, 2, 3, 4, 5}", "println(x == many{b: 2})", "x.e = 2", true},
	{"compare structs: four words", "", "x = four{1, 2, 3, 4}", "println(x == four{b: 2})", "x.d = 2", false},
	{"compare structs: small fields", "", "x = small{1, 2, 3, 4, 5}", "println(x == small{b: 2})", "x.e = 2", false},
	{"compare arrays", "", "x = [3]int{1, 2, 3}", "println(x == [3]int{1, 4, 3})", "x[2] = 2", false},
	{"compare arrays of strings", "", `x = [3]string{"a", "b", "c"}`, `println(x == [3]string{"b", "b", "c"})`, `x[2] = "d"`, true},
	{"compare large arrays", "", "x = [5]int{1, 2, 3, 4, 5}", "println(x == [5]int{})", "x[4] = 2", true},
	{"compare arrays of bytes, eight at a time", "", "x = [12]byte{1, 2}", "println(x == [12]byte{})", "x[7] = 2", true},
	{"compare arrays of bytes, the next four", "", "x = [12]byte{1, 2}", "println(x == [12]byte{})", "x[8] = 2", false},
	{"compare arrays of small integers, two at a time", "", "x = [4]int32{1, 2}", "println(x == [4]int32{})", "x[1] = 2", true},
	{"compare arrays of booleans", "", "x = [8]bool{true}", "println(x == [8]bool{})", "x[1] = true", false},
	{"compare structs: a variable that was read before", "", "x = pair{1, 2}", "v := x; println(v == pair{2, 2})", "x.b = 4", true},
	{"compare structs: a variable in memory", "", "x pair; p *pair", "v := pair{1, 2}; p = &v; println(v == pair{2, 2})", "x.b = 4", false},
	{"compare structs: case", "", "x = pair{1, 2}", "switch (pair{2, 2}) { case x: println(1) }", "x.b = 4", false},
	{"compare structs of type parameters", "", "x = pair{1, 2}", "println(same(&x, pair{2, 2}))", "x.b = 4", false},
	{"compare elements of type parameters", "", "x = [2]pair{{1, 2}}", "println(same(&x, [2]pair{{2, 2}}))", "x[1].b = 4", true},
	{"compare structs in a switch", "", "x = pair{1, 2}", "switch x { case pair{2, 2}: println(1) }", "x.b = 4", true},
	{"compare a struct with an interface", "", "x = pair{1, 2}; i any = 1", "println(i == x)", "x.a = 4", true},
	{"New of a Pool", `"sync"`, "x sync.Pool", "x.Put(1)", "_ = x.New", false},
}

// sometimes is a race that the race detector reports in some runs: of eight bytes that are read one by
// one it remembers four, any four.
const sometimes = "compare arrays of bytes, eight at a time"

// unseen are races by Go's memory model that the race detector does not report: it does
// not follow what the runtime's own code accesses.
var unseen = []string{"clear slice", "maphash of bytes", "stack trace", "wipe a wait group", "wipe a Pool"}

const accessProgram = `package main

import (
%s
)

type E struct{ x int }

func (E) Error() string { return "" }

type (
	pair    struct{ a, b int }
	blank   struct {
		_    int
		a, b int
	}
	named struct {
		a string
		b int
	}
	dynamic struct {
		a int
		b any
		c int
	}
	nested struct {
		p pair
		c int
	}
	many  struct{ a, b, c, d, e int }
	four  struct{ a, b, c, d int }
	small struct{ a, b, c, d, e int32 }
)

func same[T comparable](p *T, x T) bool { return *p == x }

//go:noinline
func pairOf(a, b int) pair { return pair{a, b} }

var guard chan bool

var (
%s
)

func main() {
	%s
	done := make(chan bool)
	go func() {
		%s
		done <- true
	}()
	%s
	<-done
}
`

// accesses is the program of a row, its two halves at the same time or one after the other.
func accesses(imports, vars, one, other string, locked bool) string {
	split := func(list string) string { return "\t" + strings.ReplaceAll(list, "; ", "\n\t") }
	start := ""
	if locked {
		start = "guard = make(chan bool, 1)"
		lock := func(s string) string { return "guard <- true\n" + s + "\n<-guard" }
		one, other = lock(one), lock(other)
	}
	return fmt.Sprintf(accessProgram, split(imports), split(vars), start, one, other)
}

// TestExplore_SeesWhatBuiltinsAccess finds a race where one of two halves writes what the
// other accesses, and none where they take turns.
func TestExplore_SeesWhatBuiltinsAccess(t *testing.T) {
	var programs []corpus.Program
	for _, a := range accessed {
		for _, locked := range []bool{false, true} {
			programs = append(programs, corpus.Program{Source: accesses(a.imports, a.vars, a.one, a.other, locked)})
		}
	}
	loads := together(t, programs)
	for i, a := range accessed {
		t.Run(a.name, func(t *testing.T) {
			if level.OutOf(i, 24, 9) {
				t.Skip("some programs will do; -level more tries all")
			}
			for k, locked := range []bool{false, true} {
				if locked && i%6 != 0 && !level.More() {
					continue
				}
				src := programs[2*i+k].Source
				prog, err := loads[2*i+k]()
				if err != nil {
					t.Fatal(err)
				}
				for _, set := range []vm.Reductions{vm.AllReductions, 0} {
					if got, want := races(t, prog, set), a.race && !locked; got != want {
						t.Errorf("a race with %v: %v, want %v\n%s", set, got, want, src)
					}
				}
				if level.All() && !locked && a.name != sometimes {
					judgeRace(t, src, a.race && !slices.Contains(unseen, a.name))
				}
			}
		})
	}
}

func races(t *testing.T, prog *ir.Program, set vm.Reductions) bool {
	t.Helper()
	r, err := explore(prog, outcomes.Options{Reductions: set})
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Fault != nil:
		t.Fatal(r.Fault)
	case !r.Complete:
		t.Fatal(r.Limit)
	}
	return slices.ContainsFunc(r.Outcomes, func(o outcomes.Outcome) bool { return o.Kind == outcomes.Race })
}

// judgeRace runs a program under the race detector.
func judgeRace(t *testing.T, src string, want bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("go", "run", "-race", file).CombinedOutput()
	if got := strings.Contains(string(out), "DATA RACE"); got != want {
		t.Errorf("the race detector says %v\n%s\n%s", got, src, out)
	}
}
