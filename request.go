// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"fmt"
	"time"

	"pangolin/verdict"
)

// Request is what to verify and how. The zero value asks for every collection of the
// package in the current directory, in the usual scope.
type Request struct {
	// Dir is the directory in which the go command runs; "" is the current one.
	Dir string
	// Packages are package patterns of the go command, or PKG.Type for one type; none
	// is ".".
	Packages []string
	// Tests says that test files belong to the packages; the import path of a package of tests that
	// stand outside of it ends in "_test".
	Tests bool
	// Program says which function of the one package is executed, and its arguments; for Run and Execute.
	Program Program
	// Type is a type of the one package, exported or not, possibly with type arguments.
	Type string
	// New is a Go expression of the one package that makes a collection. It may name
	// whatever the package declares or imports.
	New string
	// Prefix is a list of Go statements of the one package that are executed before each client, by the
	// constructor; "it" is the collection. The oracle is the code itself then, unless another one is named.
	Prefix string
	// Ops are the methods that are operations; none: those that are found.
	Ops []string
	// Give names functions of the package that operations are given instead of generated ones: "Update=double; Walk=keep".
	// "All=iter.Pull" takes the iterator that All gives step by step, instead of running it to its end at once.
	// The oracle is the code itself then, unless another one is named.
	Give string
	// Roles limits operations to threads: "Put:1,Get:*,Len:~1", or to one call: "Close:once", "Close:last".
	Roles string
	// Kind is set, queue, stack, pqueue, deque, map, counter, register, lock or object;
	// "" or "auto": found.
	Kind string
	// Protocol is nonblocking, blocking, bounded(N) or synchronous; "": found.
	Protocol string
	// Oracle is auto, self, or a kind's name; "" is auto.
	Oracle Oracle
	// Property is linear, sc or quiescent, several of them separated by commas, or all
	// for the strongest that hold; "" is linear.
	Property Properties
	// Expect says which verdicts are no surprise, such as "violated", of linearizability, or
	// "sc:violated"; several are separated by commas. It changes no verdict.
	Expect string
	// Engine is the name of the engine that decides; "" is the usual one.
	Engine string
	Scope  Scope
	Search Search
	// Out is a directory to which witnesses are written; "": none are.
	Out string
	// Events are called as things happen.
	Events Events
}

// Program is what Run and Execute execute of a package. The zero value is its main without arguments.
type Program struct {
	Test string   // the test function that is executed instead of main, such as "TestPut"
	Args []string // os.Args[1:] of the program
	// Leaks says which goroutines that main leaves behind are leaks: all, which is "" too, those
	// that wait for what nobody who may still move can reach; none, and they are not looked for.
	Leaks string
}

// Scope is the bounds, as the command line writes them. Ranges are "a..b" or "b", and
// what is empty (0, Default) is as the configuration has it.
type Scope struct {
	// Config is A to E of COLLECT's Table 1, or such as 2x5 (up to 2 threads, 5 calls in all, 1
	// pre-add; 2x5x0: none), or several with + between them, which are verified one after the other. ""
	// is the usual ones, or D if the threads or calls are given.
	Config    string
	Threads   Range
	Steps     Range // in total over all threads
	PreAdds   Range
	PerThread int // if positive: every thread makes exactly so many calls
	Values    int // keys, and items that are compared, are 0 to Values-1
	// Items is, for the engine cmp, how many items the collection may hold at a time, of as many
	// values; 0: 2.
	Items int

	ThreadSymmetry     Switch
	GenericValues      Switch
	AddsDominant       Switch
	DistinctPriorities Switch

	Hash string // identity or nondet(m,N)
}

// Search is how to search.
type Search struct {
	// Preempt bounds the preemptions of an execution: nil as the configuration says (2 in
	// E), negative for no bound. A bound hides violations; the verdict says so.
	Preempt *int
	// Unfair lets every cycle count as nontermination, not only strongly fair ones.
	Unfair Switch
	// NoRaces does not look for data races.
	NoRaces bool
	// Min looks for a shortest witness: fewest operations, then preemptions, then
	// steps.
	Min bool
	// AsFound leaves a witness as the search has found it: no calls and preemptions are dropped from it.
	AsFound bool
	// Scenes adds to each witness what there is behind each step (verdict.Scene).
	Scenes bool
	// Certify adds to a proof its certificate (verdict.Proof.Text).
	Certify bool
	// Assertions adds to a proof of the engine cmp its source with checks (verdict.Proof.Assertions).
	Assertions bool
	// Lemmas adds to a proof of the engine cmp its lemmas (verdict.Proof.Lemmas).
	Lemmas bool
	// Clients searches client by client instead of one most general client.
	Clients bool
	// Reduce names the reductions to use, separated by commas; "" and "all" are all, none
	// is none.
	Reduce Reduce
	// Workers is the number of goroutines that search; 0 is 1.
	Workers int
	// Limits of each verification; 0 is none. Reaching one makes the verdict unknown.
	Timeout   time.Duration
	MaxStates uint64
	MaxMemory int64 // bytes
}

// Switch is an option that may be left as it is.
type Switch int8

// The positions of a switch.
const (
	Default Switch = iota
	On
	Off
)

// SwitchOf is On or Off.
func SwitchOf(on bool) Switch {
	if on {
		return On
	}
	return Off
}

// asked is the switch's position; nil if it is left as it is.
func (s Switch) asked() *bool {
	if s == Default {
		return nil
	}
	on := s == On
	return &on
}

// Events tells what happens during a verification, from one goroutine at a time. Fields
// that are nil are not called.
type Events struct {
	Found    func(verdict.Collection) // for each collection, before the first is verified
	Note     func(string)             // something worth knowing that is no error
	Verdict  func(verdict.Verdict)
	Progress func(Progress)
}

// Progress is how far a search has come.
type Progress struct {
	Collection  string
	Property    string
	States      uint64
	Transitions uint64
	Bytes       int64
	Depth       int
}

func (e *Events) found(c verdict.Collection) {
	if e.Found != nil {
		e.Found(c)
	}
}

func (e *Events) note(format string, args ...any) {
	if e.Note != nil {
		e.Note(fmt.Sprintf(format, args...))
	}
}

func (e *Events) verdict(v verdict.Verdict) {
	if e.Verdict != nil {
		e.Verdict(v)
	}
}
