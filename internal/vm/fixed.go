// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// What Go leaves open, or what differs from machine to machine, is a decision of the search, a reason to give up,
// or fixed here. What is fixed is an assumption of every verdict about code that can ask for it.
// doc/fixed.md lists all three; a test finds functions that are on no list (fixed_test.go).

// Fact is an answer that is fixed though another one is possible.
type Fact struct {
	// Functions give it: built-in ones, and models of the prelude ("pangolin/prelude.osLookupEnv"), or variables.
	Functions []string
	// Text is the line of the verdict.
	Text string
}

// Facts are all of them, but for the clock's (see package subject).
var Facts = []Fact{
	{[]string{"pangolin/prelude.chooseQuarter"}, fmt.Sprintf("random fractions (rand.Float64, rand.Float32) are the %d quarters from 0 to 3/4", FewRandoms)},
	{[]string{"runtime.cheaprand", "runtime.rand", "runtime.fastrand"}, fmt.Sprintf("random numbers that the code takes from the runtime are %d, which differ in their two lowest and their two highest bits", FewRandoms)},
	{[]string{"runtime.NumCPU", "runtime.GOMAXPROCS"}, "there are 2 processors (runtime.NumCPU, runtime.GOMAXPROCS)"},
	{[]string{xSysCPU + "cpuid", xSysCPU + "xgetbv", "vendor/" + xSysCPU + "cpuid", "vendor/" + xSysCPU + "xgetbv"}, "the processor has none of the features for which golang.org/x/sys/cpu asks"},
	{[]string{"(*sync.RWMutex).TryLock"}, "RWMutex.TryLock is one step: it does not fail because of a writer whose call has only begun, is nearly over or fails as well"},
	{[]string{"(*sync/atomic.Value).CompareAndSwap"}, "atomic.Value.CompareAndSwap compares values: that an equal one has been stored in between does not make it fail"},
	{[]string{"runtime.Stack", "runtime/debug.Stack", "runtime/debug.PrintStack"},
		"goroutines are numbered from 1 in the order in which they begin, and stack traces show neither arguments nor offsets (runtime.Stack, debug.Stack)"},
	{[]string{"runtime.Caller", "runtime.Callers", "(*runtime.Func).Entry", "runtime.FuncForPC"},
		"program counters are made up, and files have the names under which they were loaded (runtime.Caller, runtime.Callers)"},
	{[]string{"hash/maphash.String", "hash/maphash.Bytes", "hash/maphash.Comparable", "hash/maphash.MakeSeed", "hash/maphash.WriteComparable",
		"(*hash/maphash.Hash).Sum64", "(*hash/maphash.Hash).Seed", "(*hash/maphash.Hash).SetSeed", "(*hash/maphash.Hash).Reset"},
		"hash/maphash: an integer is its own hash, other values have a sum of what they hold, pointers left out; a seed that is drawn later than the first one gives these hashes, or their complements (-hash nondet(m,n): any hashes)"},
	{[]string{"runtime.memhash"}, "runtime.memhash is a sum of the bytes and the seed (-hash nondet(m,n): any hashes)"},
	{[]string{"pangolin/prelude.trieSeed"}, "hash tries have the same seed in every execution (internal/sync.HashTrieMap)"},
	{[]string{"runtime.SetFinalizer"}, "finalizers never run, and where the code sets some goroutine leaks are not looked for (runtime.SetFinalizer)"},
	{[]string{"runtime.ReadMemStats"}, "memory statistics are zero (runtime.ReadMemStats)"},
	{[]string{"runtime/debug.SetGCPercent", "runtime/debug.SetMaxStack", "runtime/debug.SetPanicOnFault"},
		"settings of the runtime have no effect, and were the usual ones before (debug.SetGCPercent, debug.SetMaxStack, debug.SetPanicOnFault)"},
	{[]string{"runtime.GOROOT", "pangolin/prelude.runtimeVersion", "pangolin/prelude.numCgoCall"},
		"runtime.Version is go1.26, runtime.GOROOT is empty and runtime.NumCgoCall is 0"},
	{[]string{"pangolin/prelude.osGetenv", "pangolin/prelude.osLookupEnv"}, "the environment is PATH=/usr/bin and nothing else (os.Getenv, os.LookupEnv)"},
	{[]string{"pangolin/prelude.osGetpid", "pangolin/prelude.osGetppid", "pangolin/prelude.osHostname"},
		"the process has the number 2, its parent the number 1, and the host is localhost (os.Getpid, os.Getppid, os.Hostname)"},
	{[]string{"pangolin/prelude.netSysSocket"}, "the network is the loopback interface with TCP over IPv4: a read takes all that has come and that it has room for, a connection holds 65536 bytes that nobody has read, and ports that the system chooses are 49152 and the following"},
	{[]string{"pangolin/prelude.godebugNew", "pangolin/prelude.godebugValue", "pangolin/prelude.godebugIncNonDefault"}, "no setting of GODEBUG differs from its default"},
	{[]string{programArguments}, "the program's name is main (os.Args)"},
	{[]string{"pangolin/prelude.fileSync"}, "standard output and standard error can be synchronised (os.File.Sync)"},
	{[]string{"pangolin/prelude.testingAllocsPerRun"}, "testing.AllocsPerRun is 0"},
	{[]string{"pangolin/prelude.testDeadline"}, "tests have no deadline (testing.T.Deadline)"},
	{[]string{loggerLine}, "package log writes neither date nor time nor file"},
}

// conversionNote is what a verdict says if a float was converted to an integer type that cannot hold it.
const conversionNote = "a float that does not fit the integer type to which the code converts it becomes what amd64 makes of it (int64: -1<<63); other processors give other integers"

// programArguments is the variable os.Args.
const programArguments = "pangolin/prelude.osArgs"

// loggerLine is what writes a line of a logger.
const loggerLine = "(*pangolin/prelude.loggerState).line"

// Assumed lists the texts of the facts that a program can ask for.
func Assumed(prog *ir.Program) []string {
	called := map[string]bool{programArguments: usesVariable(prog, programArguments)}
	for _, f := range prog.Funcs {
		called[f.Name] = true
	}
	var out []string
	for _, fact := range Facts {
		for _, name := range fact.Functions {
			if called[name] {
				out = append(out, fact.Text)
				break
			}
		}
	}
	return out
}

// Finalizes reports whether a program can set finalizers. They run between any two steps of threads, once nobody else refers to the object,
// so that who proves something of all executions has to refuse them.
func Finalizes(prog *ir.Program) bool {
	return slices.ContainsFunc(prog.Funcs, func(f *ir.Func) bool { return f.Name == "runtime.SetFinalizer" })
}

// usesVariable says that code of the program's own, or of the library's source, has the address of a package variable.
func usesVariable(prog *ir.Program, name string) bool {
	at := slices.IndexFunc(prog.Globals, func(g *ir.Global) bool { return g.Name == name })
	if at < 0 {
		return false
	}
	is := func(r ir.Reg) bool {
		return r < 0 && r != ir.NoReg && int(^r) < len(prog.Consts) && prog.Consts[^r] == ir.GlobalPointer(at) && prog.ConstKinds[^r] == ir.Pointer
	}
	return slices.ContainsFunc(prog.Funcs, func(f *ir.Func) bool {
		return !strings.HasPrefix(f.Name, "pangolin/prelude.") &&
			slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return is(in.A) || is(in.B) || is(in.C) })
	})
}
