// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
)

// Every function that the library answers with, and has no code of its own, is on one of four lists: its answer is a
// decision, refused, fixed and said, or Go's. doc/fixed.md is made of them.

// standing says how functions of the library answer, and why that needs no line in the verdict.
type standing struct {
	why   string
	names []string // of functions, or with a star behind them of all that begin so
}

// decided are answers that Go leaves open, each of which is explored.
var decided = []standing{
	{"any number below the bound, if that is at most 16; with a greater bound, or none, they are refused, but for fractions (above)", []string{"math/rand.*", "math/rand/v2.*", "pangolin/mark.Choose", "pangolin/prelude.choose", "pangolin/prelude.chooseNumber", "sync.runtime_randn", "runtime.cheaprandn"}},
	{"one of two seeds, at each draw but the first one of package initialisation and of a constructor", []string{"hash/maphash.MakeSeed"}},
	{"the clock goes on by a year, once, at any reading of a collection's code, and stands still for oracles of kinds; doc/time.md has what it shows to whole programs", []string{"pangolin/prelude.chooseMoment", "pangolin/prelude.clockJumps", "pangolin/prelude.passTime"}},
	{"a timer fires at any moment, whatever its duration, and a ticker again and again; in virtual time when nobody can move and no other moment comes before", []string{"time.After", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.Tick", "(*time.Timer).*", "(*time.Ticker).*", "time.Sleep", "pangolin/prelude.timer", "pangolin/prelude.ofTimer", "pangolin/prelude.later", "pangolin/prelude.sleeping", "pangolin/prelude.virtualTime"}},
	{"any item that was put back, or a new one: a pool may lose items at any time", []string{"(*sync.Pool).*", "sync.runtime_registerPoolCleanup"}},
	{"any of the threads that wait", []string{"pangolin/prelude.chooseWaiter", "(*sync.Cond).*"}},
	{"a thread that waits for a mutex spins or not, and any time may have passed", []string{"internal/sync.runtime_canSpin", "internal/sync.runtime_doSpin", "internal/sync.runtime_nanotime"}},
	{"other threads go first, or do not", []string{"runtime.Gosched", "runtime.GC"}},
	{"entries in any order", []string{"(*sync.Map).Range", "(reflect.Value).MapKeys", "(*reflect.MapIter).Next"}},
	{"addresses in any order, as far as the verdict says", []string{"pangolin/prelude.formatNeeds", "pangolin/prelude.formatWith", "pangolin/prelude.formatWrapped"}},
}

// refused are functions that make the verdict unknown, with the place of the call, at least for some arguments.
var refused = []standing{
	{"files other than standard output and standard error, and closing these", []string{"(*os.File).Close", "(*os.File).Write", "(*os.File).WriteString", "pangolin/prelude.unsupported", "pangolin/prelude.unsupportedFile"}},
	{"looking up the name of a machine other than localhost, which is 127.0.0.1; networks beyond the loopback addresses, and others than TCP over IPv4", []string{"(*net.Resolver).lookupIPAddr"}},
	{"the directory of a test", []string{"(*testing.common).Chdir", "(*testing.T).Chdir"}},
	{"a debugger's trap", []string{"runtime.Breakpoint"}},
	{"a goroutine of the caller that ends inside an operation", []string{"runtime.Goexit"}},
	{"places in memory where nothing begins", []string{"unsafe.Add"}},
	{"random bytes in FIPS mode, which no setting asks for", []string{"crypto/internal/fips140/drbg.getEntropy"}},
}

// exact are functions that do what Go's do.
var exact = []standing{
	{"this processor's functions, which are Go's", []string{"math.*"}},
	{"synchronisation, as the memory model and the runtime have it", []string{"(*sync.Mutex).*", "(*sync.RWMutex).*", "(*sync.WaitGroup).*", "(*sync.Once).*", "(*sync.Map).*", "(*sync/atomic.Value).*",
		"(*internal/sync.Mutex).*", "sync.NewCond", "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues", "sync.runtime_Sem*", "sync.runtime_notifyList*", "internal/sync.runtime_Sem*",
		"sync.fatal", "sync.throw", "internal/sync.fatal", "internal/sync.throw", "pangolin/prelude.atomicBegin", "pangolin/prelude.atomicEnd", "pangolin/prelude.await", "pangolin/prelude.awaitInput", "pangolin/prelude.wakesUncalled", "pangolin/prelude.waitGroup*"}},
	{"the number of goroutines, numbers of threads and of returned objects, the end of the program", []string{"runtime.NumGoroutine", "pangolin/mark.Thread", "pangolin/mark.object", "os.Exit", crashName}},
	{"formatting and errors; what prints an address is among the decisions", []string{"fmt.*", "errors.*", "pangolin/prelude.isNilPointer", "pangolin/prelude.typeName", "pangolin/prelude.isComparable", "pangolin/prelude.asTarget", "pangolin/prelude.assignAs"}},
	{"what the program was started with, and what it prints; printing never fails", []string{"os.Stdin", "os.Stdout", "os.Stderr", "pangolin/prelude.arguments", "pangolin/prelude.output"}},
	{"a directory's name that no other test has; what makes files there is refused", []string{"(*testing.common).TempDir"}},
	{"connections of the program with itself, with the errors that Linux gives; what a read takes, and ports, are said", []string{"net.sysSocket", "net.maxListenerBacklog", "net.initMPTCPavailable", "net.splice*", "net.sendFile", "net.errClosed", "net.ErrClosed", "internal/poll.*",
		"(*internal/poll.FD).*", "syscall.Bind", "syscall.Listen", "syscall.Connect", "syscall.Getsockname", "syscall.Getpeername", "syscall.SetsockoptInt", "os.ErrDeadlineExceeded"}},
	{"errors of the system", []string{"(syscall.Errno).*", "os.NewSyscallError", "(*os.SyscallError).*"}},
	{"one pointer for each value that has a handle", []string{"unique.Make", "(unique.Handle[T]).Value"}},
	{"what the program has set of its environment", []string{"os.Setenv", "os.Unsetenv"}},
	{"texts, bytes, slices, maps, iterators, contexts and types", []string{"internal/bytealg.*", "slices.*", "maps.*", "iter.*", "context.*", "internal/reflectlite.*", "(internal/reflectlite.Value).*", "internal/abi.*", "(*internal/abi.Type).*",
		"pangolin/prelude.sliceLen", "pangolin/prelude.sliceSwap", "pangolin/prelude.keyAt", "pangolin/prelude.elemAt"}},
	{"types and values of which only the execution knows what they are; what reflection makes or calls that the program's text does not is refused", []string{"reflect.*", "(reflect.*", "(*reflect.*", "pangolin/prelude.reflect*"}},
	{"parts of a hash that are no hash: its contents so far, and sizes that Go documents", []string{"(*hash/maphash.Hash).Write*", "(*hash/maphash.Hash).Size", "(*hash/maphash.Hash).BlockSize", "pangolin/prelude.hashOf"}},
	{"texts of the runtime's errors, which are gc's", []string{"(*runtime.TypeAssertionError).*", "(*runtime.PanicNilError).*"}},
	{"names and lines of the program's text", []string{"(*runtime.Func).Name", "(*runtime.Func).FileLine", "runtime.CallersFrames", "(*runtime.Frames).Next", "pangolin/prelude.callerLine"}},
	{"tests, one after the other, as package testing runs them", []string{"testing.Main", "testing.Short", "testing.Verbose", "testing.Testing", "(*testing.T).Run", "(*testing.T).Parallel", "(*testing.common).Attr", "(*testing.common).Cleanup", "(*testing.common).Context", "(*testing.common).Error", "(*testing.common).Errorf", "(*testing.common).Fail", "(*testing.common).FailNow", "(*testing.common).Failed", "(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).Helper", "(*testing.common).Log", "(*testing.common).Logf", "(*testing.common).Name", "(*testing.common).Skip", "(*testing.common).SkipNow", "(*testing.common).Skipf", "(*testing.common).Skipped", "(*testing.common).Setenv", "(*testing.T).Setenv", "(*testing.M).Run", "(*testing.F).*", "testing.MainStart", "pangolin/prelude.inTest", "pangolin/prelude.over", "pangolin/prelude.printed"}},
	{"loggers; what a line lacks is said", []string{"log.*", "(*log.Logger).*"}},
	{"times, as far as they are compared, subtracted and added to; what else is done with them needs another form of the clock (doc/time.md)", []string{"(time.Time).Sub", "(time.Time).Add", "(time.Time).Compare", "(time.Time).After", "(time.Time).Before", "(time.Time).Equal",
		"(*time.Time).sec", "(*time.Time).nsec", "(*time.Time).stripMono", "pangolin/prelude.clockForm", "pangolin/prelude.clockNow", "pangolin/prelude.addedTime", "pangolin/prelude.comparesTimes", "pangolin/prelude.subtractsTimes", "pangolin/prelude.looksAtTime"}},
	{"bubbles, in virtual time; that a goroutine waits for a mutex does not keep the clock from going on (doc/time.md)", []string{"testing/synctest.Test", "testing/synctest.Wait", "pangolin/prelude.waitIdle", "pangolin/prelude.waitBubble", "pangolin/prelude.goroutines"}},
	{"what a harness keeps for each goroutine", []string{"pangolin/mark.own"}},
	{"no effect that a program could see", []string{"runtime.KeepAlive", "runtime.LockOSThread", "runtime.UnlockOSThread", "runtime/debug.FreeOSMemory", "time.runtimeIsBubbled", "internal/synctest.IsInBubble"}},
	{"a check by Pangolin inside of one", []string{"pangolin/check.*", "pangolin.Check", "pangolin.CheckFunc", "pangolin.CheckNew", "pangolin.Deadline"}},
}

// clockFunctions show the time: what the verdict says of it is in package subject.
var clockFunctions = standing{"what the clock shows depends on what time is (doc/time.md); for collections it stands still, goes on once by a year, or where a harness says so; it begins on 9 September 2001, in virtual time on 1 January 2000, in UTC", []string{"time.Now", "time.Since", "time.Until", "time.runtimeNano", "time.runtimeNow", "pangolin/harness.passYear"}}

// TestFacts_EveryAnswerIsOnAList goes through the built-in functions and the models of the library. Each is on one
// list: what it answers is a decision, refused, fixed and said, or what Go answers. A new one is on none.
func TestFacts_EveryAnswerIsOnAList(t *testing.T) {
	models := modelsOfPrelude(t)
	said := saidNames(models)
	lists := map[string]func(string) bool{"said": func(name string) bool { return said[name] }, "clock": on([]standing{clockFunctions}),
		"decided": on(decided), "refused": on(refused), "exact": on(exact)}
	for _, name := range answering(models) {
		var found []string
		for list, has := range lists {
			if has(name) {
				found = append(found, list)
			}
		}
		// What is decided, refused or said in part does otherwise what Go does.
		if len(found) == 0 {
			t.Errorf("%s is on no list: is its answer Go's only one? If not, it is a decision, refused, or a line of Facts", name)
		}
	}
	for _, list := range [][]standing{decided, refused, exact, {clockFunctions}} {
		for _, s := range list {
			for _, pattern := range s.names {
				if !slices.ContainsFunc(answering(models), func(name string) bool { return matches(pattern, name) }) {
					t.Errorf("%s names no function", pattern)
				}
			}
		}
	}
	for _, f := range Facts {
		for _, name := range f.Functions {
			if builtins[name] == nil && !models.declared[name] {
				t.Errorf("%s, of which it is said that %s, is no function", name, f.Text)
			}
		}
	}
	writeFixed(t, models)
}

// preludeModels are the functions of the prelude.
type preludeModels struct {
	of       map[string][]string // by name in the machine: what it stands for
	declared map[string]bool     // all functions, by name in the machine
}

func modelsOfPrelude(t *testing.T) preludeModels {
	t.Helper()
	files, err := filepath.Glob("../front/prelude/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	m := preludeModels{map[string][]string{}, map[string]bool{}}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				m.add(functionName(d), d.Doc)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						m.add("pangolin/prelude."+v.Names[0].Name, d.Doc)
						m.add("pangolin/prelude."+v.Names[0].Name, v.Doc)
					}
				}
			}
		}
	}
	return m
}

func (m *preludeModels) add(name string, doc *ast.CommentGroup) {
	m.declared[name] = true
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		if of, ok := strings.CutPrefix(c.Text, "//pangolin:model "); ok {
			m.of[name] = append(m.of[name], strings.TrimSpace(of))
		}
	}
}

// functionName is the name that the machine has for a function of the prelude.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return "pangolin/prelude." + d.Name.Name
	}
	recv, pointer := d.Recv.List[0].Type, ""
	if star, ok := recv.(*ast.StarExpr); ok {
		recv, pointer = star.X, "*"
	}
	switch index := recv.(type) {
	case *ast.IndexExpr:
		recv = index.X
	case *ast.IndexListExpr:
		recv = index.X
	}
	return fmt.Sprintf("(%spangolin/prelude.%s).%s", pointer, recv.(*ast.Ident).Name, d.Name.Name)
}

// answering are the names of all functions and variables that have no code of their own: built-in ones, and what the prelude stands for.
func answering(m preludeModels) []string {
	names := slices.Collect(maps.Keys(builtins))
	for _, of := range m.of {
		names = append(names, of...)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// saidNames are those of which a verdict says something, by the names that programs have for them.
func saidNames(m preludeModels) map[string]bool {
	said := map[string]bool{}
	for _, f := range Facts {
		for _, name := range f.Functions {
			said[name] = true
			for _, of := range m.of[name] {
				said[of] = true
			}
		}
	}
	return said
}

func on(list []standing) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(list, func(s standing) bool {
			return slices.ContainsFunc(s.names, func(pattern string) bool { return matches(pattern, name) })
		})
	}
}

func matches(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok && prefix != "" {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}

const fixedHead = `# What is open, and what is fixed

This page is written by a test (go test ./internal/vm -run TestFacts -update), which goes through every function of the
library that Pangolin answers itself and finds those that are on none of these lists.

Go leaves much open, and machines differ. Where code asks for such a thing, Pangolin explores every answer, or gives up
with the place of the call, or gives one answer and says so in the verdict, on a line "assumed" (in JSON among "assumptions").
All other functions of the library are compiled from their source; those that
have neither are refused when they are reached, and so are variables of packages that are not compiled (os.ErrProcessDone).

Some things hold for every verdict, and no line repeats them: int has 64 bits, constants such as runtime.GOOS and files with build constraints are those of
the machine that Pangolin is executed on, memory does not run out, writing to standard output does not
fail, and the code is what gc compiles (doc/soundness.md).
`

// writeFixed compares doc/fixed.md with the lists.
func writeFixed(t *testing.T, m preludeModels) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(fixedHead)
	b.WriteString("\n## Fixed, and said in the verdict\n\n| the line | where code calls |\n|---|---|\n")
	for _, f := range Facts {
		fmt.Fprintf(&b, "| %s | %s |\n", f.Text, inCode(shownNames(f.Functions, m)))
	}
	fmt.Fprintf(&b, "| %s | %s |\n", clockFunctions.why, inCode(clockFunctions.names))
	fmt.Fprintf(&b, "| %s | whatever prints an address, when it is printed |\n", addressNote)
	fmt.Fprintf(&b, "| %s | initialisers, and what they call |\n", initOrderNote)
	fmt.Fprintf(&b, "| %s | initialisers of a collection's package that read the clock, and what they call |\n", initClockNote)
	fmt.Fprintf(&b, "| %s | `runtime.cheaprand`, `runtime.rand`, `runtime.fastrand`, `rand.Float64`, `rand.Float32` |\n", drawNote)
	fmt.Fprintf(&b, "| %s | functions of package rand that take a bound, such as `rand.Intn` |\n", equalNote)
	fmt.Fprintf(&b, "| %s | such a conversion, when it is executed |\n", conversionNote)
	for _, part := range []struct {
		heading, left string
		list          []standing
	}{
		{"Decisions", "what is explored", decided}, {"Refused", "what", refused}, {"As in Go", "what", exact},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| %s | functions |\n|---|---|\n", part.heading, part.left)
		for _, s := range part.list {
			fmt.Fprintf(&b, "| %s | %s |\n", s.why, inCode(s.names))
		}
	}
	const file = "../../doc/fixed.md"
	if flags.Update() {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(have, b.Bytes()) {
		t.Errorf("doc/fixed.md is not what the lists say: go test ./internal/vm -run TestFacts -update (%v)", err)
	}
}

// shownNames are the names that programs have for functions.
func shownNames(functions []string, m preludeModels) []string {
	var out []string
	for _, name := range functions {
		if name == loggerLine {
			out = append(out, "log.Print and its like")
		} else if of := m.of[name]; len(of) > 0 {
			out = append(out, of...)
		} else {
			out = append(out, name)
		}
	}
	return out
}

func inCode(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + strings.ReplaceAll(name, "|", "\\|") + "`"
	}
	return strings.Join(quoted, ", ")
}
