// SPDX-License-Identifier: BSD-3-Clause

// Package verdict is the vocabulary of results: what was verified, within which bounds and under which assumptions, with what result, and
// for a violation the execution that shows it.
//
// It is plain data with the JSON form that scripts rely on (one object a line), and knows nothing of engines, source code or terminals:
// packages that compute verdicts fill it in, package report prints it. It contains facts, never drawings: which thread accessed which
// object with which value, not a line of text about it.
package verdict

import (
	"cmp"
	"encoding/json"
	"slices"
)

// Schema is the version of the JSON form of every printed line. It grows when a field changes its meaning or is removed, not when one is
// added.
const Schema = 2

// Status is one of the outcomes of a verification.
type Status string

// The outcomes. A tool error is none of them.
const (
	Verified Status = "verified" // within the scope and under the assumptions
	Proved   Status = "proved"   // for any number of threads, calls, cells and values
	Violated Status = "violated" // the violation has been executed again and confirmed
	Unknown  Status = "unknown"  // a limit was reached, or something is not supported
	// NotJudged: something was named and not verified: a type that cannot be made, a package with errors, a pattern that matches nothing.
	// Engine, scope and oracle are unset.
	NotJudged Status = "not judged"
	// NotShared: a type in a package that a pattern such as ./... matches, which is for one goroutine at a time: it contains no
	// synchronisation, or its documentation says so. It is verified only if the user names it.
	NotShared Status = "not shared"
	// Unchanged: a package that consists of the same bytes as at the revision that was named (-since), with all that it imports, so that it was
	// not verified.
	Unchanged Status = "unchanged"
)

// Progress is the strongest property of progress that an operation has, or Blocking.
type Progress struct {
	Operation string   `json:"operation"`
	Class     Property `json:"class"`
}

// Cause is the kind of reason for an unknown verdict.
type Cause string

// The causes.
const (
	Limited     Cause = "limit"       // a limit was reached
	Diverges    Cause = "diverges"    // a thread runs for ever without a visible access
	Vacuous     Cause = "vacuous"     // no call returned, so that nothing was examined; or the collection was not made as users make it
	Unsupported Cause = "unsupported" // the engine or the machine does not support something that the code needs
	Testing     Cause = "testing"     // some executions were made, none of which is wrong (Sampled): that is no proof
)

// Verdict is the answer for one subject and one property: a collection, or a program whose outcomes were asked for.
type Verdict struct {
	Type string `json:"type"` // "verdict"
	Subject
	Package string `json:"package,omitempty"` // import path
	// Declared is where the type is declared; nil if that is not known.
	Declared *Place `json:"declared,omitempty"`
	// Operations lists the names of the verified operations.
	Operations []string `json:"operations,omitempty"`
	Engine     string   `json:"engine"` // the name of the engine that gave it
	Status     Status   `json:"verdict"`
	Expectation
	Reason string `json:"reason"` // what is wrong, or why the verdict is unknown; else ""
	// LeftOut lists the operations that were not verified. It is not nil.
	LeftOut []LeftOut `json:"left_out"`
	Scope   Scope     `json:"scope"`
	// Dropped lists scopes that nobody asked for, that were not searched to their end and that the verdict does not cover.
	Dropped []Dropped `json:"dropped,omitempty"`
	// Hints lists weaker claims that hold, each verified in the same scope.
	Hints []string `json:"hints,omitempty"`
	// Asked lists the questions that led to the verdict, in order.
	Asked []Asked `json:"asked,omitempty"`
	// Cause is the kind of reason for which a verdict is unknown; else "".
	Cause Cause `json:"cause,omitempty"`
	// Assumptions lists what the verdict rests on besides the scope. It is not nil.
	Assumptions []string `json:"assumptions"`
	Effort
	// Cached: the verdict was stored by an earlier run (-cache); the effort is that of the first time.
	Cached bool `json:"cached,omitempty"`
	Findings
	Schema int `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Expectation says whether the verdict is a surprise.
type Expectation struct {
	// Expected is the status that the code's author declares; "" if none is declared.
	Expected Status `json:"expected,omitempty"`
	// Novelty says whether the baseline lists the violation; "" without a baseline, or without a violation.
	Novelty Novelty `json:"baseline,omitempty"`
	// Fingerprint identifies the violation across runs (Identity); "" unless there is a baseline.
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Findings are the results of an engine besides the status. Which of them are set depends on the engine and the property.
type Findings struct {
	Violation *Violation `json:"violation"` // nil unless a collection is violated
	// Progress is the class of each operation, if a property of progress was asked for.
	Progress []Progress `json:"progress,omitempty"`
	// Invariants lists the methods that had to return true, with when: "Sorted while no call is in progress".
	Invariants []string `json:"invariants,omitempty"`
	// Contracts are what the documentation restricts, and the verdict is restricted to; nil: nothing.
	Contracts []Contract `json:"contracts,omitempty"`
	// ByPoints is set if linearization points judged histories, and not all orders of the calls.
	ByPoints *ByPoints `json:"by_points,omitempty"`
	// Returns lists the results of each operation in all explored executions; nil if there is a violation.
	Returns []Returns `json:"returns,omitempty"`
	// NotExecuted lists the lines of the collection's package, as "file.go:12", to which no client of the scopes has come, in functions that were called. Lines that only
	// lead to a panic of the code's own are not listed.
	NotExecuted []string `json:"not_executed,omitempty"`
	// NotCalled lists the lines of functions that operations could call and no client did.
	NotCalled []string `json:"not_called,omitempty"`
	// Inexecutable is the operation for whose sake the verdict is unknown, because the machine or the oracle cannot execute it; "": there is
	// none, or it is not known which.
	Inexecutable string `json:"inexecutable,omitempty"`

	Outcomes *Outcomes `json:"-"` // of a program, each printed as a line of its own; nil for a collection
	// Sampled are the executions that were made, of an engine that tests; else nil. No number of them makes a verdict "verified".
	Sampled     *Sampled     `json:"sampled,omitempty"`
	Swarm       *Swarm       `json:"swarm,omitempty"`       // of a swarm of searches; else nil
	Certificate *Certificate `json:"certificate,omitempty"` // of a proof, once it was written to a file; else nil
	Proof       *Proof       `json:"proof,omitempty"`       // of an engine that proves, or beside a search (Proof.For); else nil
}

// Contract is a restriction of the use of an operation that its documentation tells and without which the type is violated.
type Contract struct {
	Operation string `json:"operation"`
	Role      string `json:"role"` // as -roles has it: "first"
	Sentence  string `json:"sentence"`
	At        string `json:"at"`     // file:line of the sentence
	Broken    string `json:"broken"` // what a use that breaks it does: class and client of the violation
}

// Weaker returns for each operation the weaker of its classes in two lists of the same operations.
func Weaker(a, b []Progress) []Progress {
	order := append(OfProgress(), Blocking)
	slices.Reverse(order) // the weakest first
	out := slices.Clone(a)
	for i := range out {
		if i < len(b) && slices.Index(order, b[i].Class) < slices.Index(order, out[i].Class) {
			out[i] = b[i]
		}
	}
	return out
}

// LeftOut is an operation that was not verified, with the reason.
type LeftOut struct {
	Operation string `json:"operation"`
	Why       string `json:"why"`
}

// Certificate names a file with a proof that can be checked without the prover.
type Certificate struct {
	Method string `json:"method"` // the method that found the proof and can check it: "unbounded", "cmp"
	File   string `json:"file"`
}

// Subject tells what was verified, and against what.
type Subject struct {
	Collection string `json:"collection"` // package name and type: "queue.Queue"
	Kind       string `json:"kind"`
	Protocol   string `json:"protocol"`
	Property   string `json:"property"`
	Oracle     string `json:"oracle"`
	// Unlike is the kind that the method names suggest and one thread contradicts, so that another oracle judges; "" if there is none.
	Unlike string `json:"unlike,omitempty"`
}

// Effort is the size of the scope and the cost of the search. Clients, states and transitions are those of the scope; time and memory
// include scopes that were dropped.
type Effort struct {
	Clients     json.Number `json:"clients"` // number of clients of the whole scope, even if it was not explored to its end
	States      uint64      `json:"states"`
	Transitions uint64      `json:"transitions"`
	Seconds     float64     `json:"seconds"`    // of searching, without loading
	PeakBytes   int64       `json:"peak_bytes"` // greatest memory of the search, in bytes
	// Resumed is how many times the search went on from a checkpoint of a process that was interrupted. Its seconds are included.
	Resumed int `json:"resumed,omitempty"`
	// Confusions is the expected number of states that were taken for other ones because only their hash was stored; Apart names the hash,
	// "" if states were compared exactly.
	Confusions float64 `json:"-"`
	Apart      string  `json:"-"`
}

// Searched is the number of states searched, including those of dropped scopes.
func (v *Verdict) Searched() uint64 {
	n := v.States
	for _, d := range v.Dropped {
		n += d.States
	}
	return n
}

// Add adds the effort in other scopes. The number of clients, which scopes may share, is left unchanged.
func (e *Effort) Add(before Effort) {
	e.States += before.States
	e.Transitions += before.Transitions
	e.Seconds += before.Seconds
	e.Resumed += before.Resumed
	e.PeakBytes = max(e.PeakBytes, before.PeakBytes)
	e.Confusions += before.Confusions
	e.Apart = cmp.Or(e.Apart, before.Apart)
}

// Infinite is the class of violations in which a client makes the collection grow without end, and the published verdict for an infinite
// state space.
const Infinite = "infinite"

// Classes lists the classes of violations of collections.
var Classes = []string{"history", "deadlock", "livelock", "nontermination", "panic", "race", "leak", "invariant", Infinite, "progress", "point"}

// Violation describes what is wrong, in brief.
type Violation struct {
	Class   string `json:"class"`   // one of Classes
	Client  string `json:"client"`  // the calls of each thread: "1: Add(0)  |  2: Remove(0)"
	Witness string `json:"witness"` // the file with the witness, or ""
	Summary string `json:"summary"` // one line
	// The place where it goes wrong, see Witness.Where.
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Steps    []Step `json:"steps,omitempty"` // of the execution
	// Execution is the witness itself.
	Execution *Witness `json:"-"`
}

// Clients is the number of clients of a scope.
type Clients struct {
	Type       string      `json:"type"` // "clients"
	Collection string      `json:"collection,omitempty"`
	Kind       string      `json:"kind"`
	Scope      Scope       `json:"scope"`
	Count      json.Number `json:"count"`
	List       []string    `json:"list,omitempty"`
	Schema     int         `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Collection describes a type that was found and can be verified.
type Collection struct {
	Type       string      `json:"type"`    // "collection"
	Package    string      `json:"package"` // import path
	Name       string      `json:"collection"`
	Instance   string      `json:"instance"`    // with type arguments
	New        string      `json:"constructor"` // a Go expression
	Kind       string      `json:"kind"`
	Protocol   string      `json:"protocol"`
	Oracle     string      `json:"oracle"`
	Operations []Operation `json:"operations"`
	Invariants []string    `json:"invariants,omitempty"` // methods that have to return true, with when: "Sorted while no call is in progress"
	Skipped    []Skipped   `json:"skipped"`              // methods that are not operations
	Reason     string      `json:"reason"`               // why this kind, protocol and oracle were chosen, with the assumptions
	Schema     int         `json:"schema"`               // the constant Schema; whoever prints the line sets it
}

// Operation is one operation of a collection.
type Operation struct {
	Name      string `json:"name"`
	Role      string `json:"role"`      // its role in the oracle: "take", "put"; "" if it has none
	Signature string `json:"signature"` // as Go writes it, with the name
}

// Skipped is something that is not verified, with the reason.
type Skipped struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// The exit codes of the command. If several apply, ExitTool comes before ExitViolated, and ExitViolated before ExitUnknown.
const (
	ExitVerified = 0
	ExitViolated = 1
	ExitTool     = 2 // usage, load or tool error: there is an error, not a verdict
	ExitUnknown  = 3 // nothing is violated, but something is unknown or not judged
)

// ExitCode is the exit code for a list of verdicts. One that is as expected counts as verified. An expected violation that is not found is no
// failure: a smaller scope need not show it.
func ExitCode(list []Verdict) int {
	var all []Status
	for i := range list {
		if !list[i].AsExpected() {
			all = append(all, list[i].Status)
		}
	}
	return ExitOf(all...)
}

// ExitOf is the exit code for a list of statuses.
func ExitOf(list ...Status) int {
	code := ExitVerified
	for _, s := range list {
		switch s {
		case Violated:
			return ExitViolated
		case Unknown, NotJudged:
			code = ExitUnknown
		}
	}
	return code
}

// Found announces a collection that is about to be verified.
type Found struct{ Collection }

// Asked is a question on the way to a verdict, with its answer: whether one thread agrees with the kind queue, say, or whether a violated
// type has a weaker property.
type Asked struct {
	// Rule is the name of the rule that asked it (doc/inquiry.md), or "the question" for the user's own.
	Rule      string   `json:"rule"`
	Kind      string   `json:"kind"`
	Protocol  string   `json:"protocol"`
	Oracle    string   `json:"oracle"`
	Property  string   `json:"property"`
	Scope     string   `json:"scope"` // its name
	OneThread bool     `json:"one_thread,omitempty"`
	Roles     string   `json:"roles,omitempty"`
	Waits     []string `json:"waits,omitempty"` // operations that are taken to wait
	Limit     uint64   `json:"limit,omitempty"` // limit on states, if the user did not ask the question
	Status    Status   `json:"verdict,omitempty"`
	Class     string   `json:"class,omitempty"` // of the violation
	// Why is the client of a violation, or the reason why the question was not answered.
	Why     string  `json:"why,omitempty"`
	Took    string  `json:"took,omitempty"` // why the type is understood in this way from then on
	States  uint64  `json:"states"`
	Seconds float64 `json:"seconds"`
}
