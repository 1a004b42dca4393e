// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"fmt"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// Request is what to verify and how. The zero value asks for every collection of the
// package in the current directory, in the usual scope.
type Request struct {
	// Dir is the directory in which the go command runs; "" is the current one.
	Dir string
	// Packages are package patterns of the go command, or PKG.Type for one type (.Type for one of the package in Dir); none
	// is ".".
	Packages []string
	// Tests: test files belong to the packages. The import path of a package of external tests ends in "_test".
	Tests bool
	// Program selects the function of the one package that is executed, and its arguments; for Run and Execute.
	Program Program
	// Type is a type of the one package, exported or not, possibly with type arguments.
	Type string
	// New is a Go expression of the one package that makes a collection. It may use everything that the package declares or imports.
	New string
	// Prefix is a list of Go statements of the one package that the constructor executes after making the collection, which is called
	// "it". The oracle is then the code itself, unless another one is named.
	Prefix string
	// Ops are the names of the methods that are operations; none: as recognised.
	Ops []string
	// Give names functions of the package that operations are given instead of generated ones: "Update=double; Walk=keep".
	// "All=iter.Pull" takes the iterator that All gives step by step, instead of running it at once, to its end or its first item.
	// "Do=sharing" does not compare the bool that Do returns, which tells whether others share its result.
	// "Clone=copy" keeps the collections that Clone gives, whose operations are called beside the original's: "Clone.Add".
	// The oracle is the code itself then, unless another one is named.
	Give string
	// Roles restricts operations to threads, "Put:1,Get:*,Len:~1", or to one call, "Close:once", "Close:last", or to a time, "Set:first", "Reset:alone", "Add:not-Wait".
	Roles string
	Specification
	// Kind is set, queue, stack, pqueue, deque, map, counter, register, lock or object; "" or "auto": as recognised.
	Kind string
	// Protocol is nonblocking, blocking, bounded(N) or synchronous; "": as recognised.
	Protocol string
	// Oracle is auto, self, or a kind's name; "" is auto.
	Oracle Oracle
	// Property is linear, sc or quiescent, several of them separated by commas, or all
	// for the strongest that hold; "" is linear.
	Property Properties
	// Engine is the name of the engine that decides; "" is the usual one.
	Engine string
	Scope  Scope
	Search Search
	// Out is a directory to which witnesses are written; "": none are.
	Out string
	// Events are called as things happen.
	Events Events `json:"-"`
}

// Program is what Run and Execute execute of a package. The zero value is its main without arguments.
type Program struct {
	Test string   // the test function that is executed instead of main, such as "TestPut"
	Args []string // os.Args[1:] of the program
	// Leaks selects the goroutines that are leaks: "all", which is also "", are those that wait for ever after main has returned, or
	// where no call of a collection is in progress, for something that nobody who may still move can reach; with "none" they are not looked for.
	// With "main" those of a program or test are not looked for that main, or the test, starts itself: its end cuts them off by design.
	Leaks string

	compiled *engine.Engine // executes tests as gc compiles them; nil: the machine does
}

// Specification is what the user says of the type's correctness beside the property.
type Specification struct {
	// Expect lists the verdicts that the user expects, separated by commas: "violated" (of linearizability), "sc:violated". It changes no
	// verdict; expected violations get no hints.
	Expect string
	// Overlaps names operations that only read and see what other calls do while they last, with what they promise instead of
	// linearizability: "Len,Sum:some"; parts if nothing else is said. It is a short form of Property linear(Len:parts,Sum:some).
	Overlaps string
	// Invariants names methods without parameters that have to return true while no call is in progress ("Sorted"), or in every state
	// ("Linked:always"), separated by commas. They are no operations then. The engine bounded asks them.
	Invariants string
}

// Scope is the bounds, as the command line writes them. Ranges are "a..b" or "b"; an empty field (0, Default) has the configuration's
// value.
type Scope struct {
	// Config is A to E of COLLECT's Table 1, or such as 2x5 (up to 2 threads, 5 calls in all, 1
	// pre-add; 2x5x0: none), or several with + between them, which are verified one after the other. ""
	// is the usual ones, or D if the threads or calls are given.
	Config    string
	Threads   Range
	Steps     Range // in total over all threads; or AnySteps
	PreAdds   Range
	PerThread int // if positive: every thread makes exactly so many calls
	Values    int // keys, and items that are compared, are 0 to Values-1
	// Items is, with any number of calls (AnySteps), the greatest number of generic items in use at a time; and for the engine cmp the greatest number of items in the collection at a time, and of different values; 0: 2.
	Items int

	ThreadSymmetry     Switch
	GenericValues      Switch
	AddsDominant       Switch
	DistinctPriorities Switch

	Hash string // identity or nondet(m,N)
	Sample
	// NoContracts: restrictions that the documentation tells, such as "must be called before first use", change no verdict and are not quoted.
	NoContracts bool
	// Prove is whether a type that is verified is also to be proved for any number of threads: "auto", if that is cheap; "off"; "" is auto
	// in the usual scope.
	Prove string
}

// asked reports whether the user asks for another scope than the usual one.
func (s Scope) asked() bool {
	s.NoContracts, s.Prove, s.Sample = false, "", Sample{}
	return s != Scope{}
}

// Sample says which executions the engine schedules makes, which tests compiled code under schedules that are drawn at random.
type Sample struct {
	Schedules int    // executions; 0: 10,000
	Seed      uint64 // of the random numbers; 0: 1
	Ways      string // how schedules are drawn: random, pct, preempt, separated by commas; "": all of them, in turn
	Depth     int    // of the way pct: one more than the changes of priority; 0: 3
}

// Search configures the search.
type Search struct {
	// Preempt is the greatest number of preemptions of an execution: nil as in the configuration (2 in E), negative for no bound. A bound
	// hides violations; the verdict says so.
	Preempt *int
	// Unfair: every cycle counts as nontermination, not only strongly fair ones.
	Unfair Switch
	// Time is when timers fire: "any", at any moment; or "virtual": the clock goes on to the next timer only when nobody can move, as in a
	// bubble of package testing/synctest. "" is any, but virtual for tests that run such bubbles.
	Time string
	// NoRaces: do not look for data races.
	NoRaces bool
	// Min: look for a shortest witness, with the fewest operations, then preemptions, then steps.
	Min bool
	// AsFound: leave a witness as the search has found it, without dropping calls and preemptions.
	AsFound bool
	// Scenes: add the state after each step to each witness (verdict.Scene).
	Scenes bool
	Evidence
	// Clients: search client by client, not one most general client.
	Clients bool
	// Reduce names the reductions to use, separated by commas; "" and "all" are all, none
	// is none.
	Reduce Reduce
	// Workers is the number of goroutines that search; 0 is 1. Of several collections so many are verified at the same time, each with its part of MaxMemory, and again
	// alone if that was too little; of fewer each has several workers.
	Workers int
	// Limits of each verification; 0 is none. Reaching one makes the verdict unknown.
	Timeout   time.Duration
	MaxStates uint64
	MaxMemory int64 // bytes
	// Cache is a directory of results: what was computed before, for the same sources, the same request and by the same Pangolin, is
	// taken from there (verdict.Verdict.Cached), and what is computed is kept there. "": everything is computed; Check takes the user's
	// own directory then.
	Cache string
	// NoCache computes everything, and keeps nothing, whatever Cache says.
	NoCache bool
	// Resume goes on with searches that an interrupted process was making about the same request, from the checkpoints that it has left in
	// Cache. Limits on time and memory may be other ones. Where there is no checkpoint the search begins, and a note says so.
	Resume bool
	// Swarm, if positive, makes so many searches of at most MaxStates states each, with different orders of moves and bounds on preemptions.
	// The answer is the violation that the first of them has found, in the order of their numbers, so that it is the same each time; where none finds
	// one it is unknown, never verified. Workers is then the number of searches at a time.
	Swarm int
	Part  Part
}

// Evidence is what a proof comes with.
type Evidence struct {
	// Certify: add its certificate to a proof (verdict.Proof.Text).
	Certify bool
	// Assertions: add the source with checks to a proof of the engine cmp (verdict.Proof.Assertions).
	Assertions bool
	// Lemmas says what a proof of the engine cmp has to do with lemmas.
	Lemmas Lemmas
}

// Lemmas are facts about threads that a view does not show, in a proof of the engine cmp.
type Lemmas struct {
	// Find: add those that the proof needs (verdict.Proof.Lemmas).
	Find bool
	// Given is the text of lemmas, as they are printed: by these alone other threads are restrained, and the verdict is unknown if one of them is
	// false or they are too weak. "": none.
	Given string
}

// Part says which of the collections Verify verifies; the zero value is all.
type Part struct {
	// Since is a revision of the git repository that the directory belongs to: packages that consist of the same bytes as at the
	// revision, with all that they import, are not verified (verdict.Unchanged).
	Since string
	// Shard is such as "2/4": the second of four parts into which the collections are split. Each is in one of them.
	Shard string
	// Costs is a file of results of an earlier run (-json, -record), whose seconds make the shards equally expensive. All shards need the
	// same.
	Costs string
}

// Switch is an option with a default position.
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

// asked is the switch's position; nil for the default.
func (s Switch) asked() *bool {
	if s == Default {
		return nil
	}
	on := s == On
	return &on
}

// Events are functions that are called during a verification, from one goroutine at a time; nil ones are not called.
type Events struct {
	Found    func(verdict.Collection) // for each collection, before the first is verified
	Note     func(string)             // a message that is not an error
	Verdict  func(verdict.Verdict)
	Shard    func(verdict.Shard)    // once the collections are known, before Found
	Position func(verdict.Position) // what the next call of Found or Verdict is about
	Progress func(Progress)
	// Elsewhere computes results on other machines (pangolin verify -on URL); nil: they are computed here.
	Elsewhere task.Elsewhere
}

// Progress is the work that a search has done so far.
type Progress struct {
	Collection  string
	Property    string
	States      uint64
	Transitions uint64
	Bytes       int64
	Depth       int
	// Earlier is how many states the newest verdict in the directory of results (Search.Cache) about the same type and property took, of other
	// sources or in another scope: what is known of how many are left. 0: nothing is. EarlierScope is that verdict's scope.
	Earlier      uint64
	EarlierScope string
}

func (e *Events) found(c verdict.Collection) {
	if e.Found != nil {
		e.Found(c)
	}
}

func (e *Events) shard(s *verdict.Shard) {
	if e.Shard != nil {
		e.Shard(*s)
	}
}

func (e *Events) position(n int) {
	if e.Position != nil {
		e.Position(verdict.Position(n))
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
