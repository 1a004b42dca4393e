package vm

import (
	"fmt"

	"pangolin/internal/ir"
)

// What Go leaves open, or what differs from machine to machine, is a decision of the search, a reason to give up,
// or fixed here. What is fixed is an assumption of every verdict about code that can ask for it.
// doc/fixed.md lists all three; a test finds functions that are on no list (fixed_test.go).

// Fact is an answer that is fixed though another one is possible.
type Fact struct {
	// Functions give it: built-in ones, and models of the prelude ("pangolin/prelude.osLookupEnv").
	Functions []string
	// Text is the line of the verdict.
	Text string
}

// Facts are all of them, but for the clock's (see package subject).
var Facts = []Fact{
	{[]string{"runtime.cheaprand", "runtime.rand"}, fmt.Sprintf("random numbers that the code takes from the runtime are 0 to %d", FewRandoms-1)},
	{[]string{"runtime.fastrand"}, fmt.Sprintf("random numbers that the code takes from runtime.fastrand are 1 to %d", FewRandoms)},
	{[]string{"runtime.NumCPU", "runtime.GOMAXPROCS"}, "there are 2 processors (runtime.NumCPU, runtime.GOMAXPROCS)"},
	{[]string{"(*sync.RWMutex).TryLock"}, "RWMutex.TryLock is one step: it does not fail because of a writer whose call has only begun, is nearly over or fails as well"},
	{[]string{"(*sync/atomic.Value).CompareAndSwap"}, "atomic.Value.CompareAndSwap compares values: that an equal one has been stored in between does not make it fail"},
	{[]string{"runtime.Stack", "runtime/debug.Stack", "runtime/debug.PrintStack"},
		"goroutines are numbered from 1 in the order in which they begin, and stack traces show neither arguments nor offsets (runtime.Stack, debug.Stack)"},
}

// Assumed lists the texts of the facts that a program can ask for.
func Assumed(prog *ir.Program) []string {
	called := map[string]bool{}
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
