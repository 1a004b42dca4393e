// SPDX-License-Identifier: BSD-3-Clause

// Package verdict is the vocabulary of results: what was verified, within which
// bounds and under which assumptions, what came out, and of a violation the
// execution that shows it.
//
// It is plain data with the JSON form that scripts rely on (one object a line), and
// knows nothing of engines, source code or terminals: packages that compute verdicts
// fill it in, package report prints it. What it holds are facts, never drawings: who
// accessed which object with which value, not a line of text that says so.
package verdict

import (
	"cmp"
	"encoding/json"
	"slices"
)

// Schema is the version of the JSON form of every line that is printed. It grows when a
// field changes its meaning or goes; new fields alone do not change it.
const Schema = 2

// Status is one of the outcomes of a verification.
type Status string

// The outcomes. A tool error is none of them.
const (
	Verified Status = "verified" // within the scope and under the assumptions
	Proved   Status = "proved"   // for any number of threads, calls, cells and values
	Violated Status = "violated" // the violation has been executed again and confirmed
	Unknown  Status = "unknown"  // a limit was reached, or something is not supported
	// NotJudged is something that was named and not verified: a type that cannot be made, a package with errors, a
	// pattern that matches nothing. There is no engine then, no scope and no oracle.
	NotJudged Status = "not judged"
	// NotShared is a type of one of the packages that a pattern such as ./... matches, which nobody has named, and that is for one goroutine at a time: there is no
	// synchronisation in it, or its documentation says so. It is not verified unless it is named.
	NotShared Status = "not shared"
)

// Progress says of an operation which property of progress is the strongest that it has, or that it
// is blocking.
type Progress struct {
	Operation string   `json:"operation"`
	Class     Property `json:"class"`
}

// Cause says what keeps a verdict unknown.
type Cause string

// The causes.
const (
	Limited     Cause = "limit"       // a limit that was asked for was reached
	Diverges    Cause = "diverges"    // a thread goes on for ever without a visible access
	Vacuous     Cause = "vacuous"     // no call returned, so that nothing was looked at, or what was made is not what users make
	Unsupported Cause = "unsupported" // the engine or the machine cannot do what it takes
)

// Verdict is the answer for one subject and one property: a collection, or a program of
// which every outcome was asked for.
type Verdict struct {
	Type string `json:"type"` // "verdict"
	Subject
	Package string `json:"package,omitempty"` // import path
	// Operations are the names of those that were verified.
	Operations []string `json:"operations,omitempty"`
	Engine     string   `json:"engine"` // the name of the engine that gave it
	Status     Status   `json:"verdict"`
	// Expected is the status that the code's author says it has; "" if nobody says.
	Expected Status `json:"expected,omitempty"`
	Reason   string `json:"reason"` // of a violation what is wrong, of an unknown verdict why; else empty
	// LeftOut are the operations that were not verified. It is not nil.
	LeftOut []LeftOut `json:"left_out"`
	Scope   Scope     `json:"scope"`
	// Dropped are scopes beside it that were begun, or would have been, and that the verdict says nothing of.
	Dropped []Dropped `json:"dropped,omitempty"`
	// Hints are weaker claims that hold, each verified in the same scope.
	Hints []string `json:"hints,omitempty"`
	// Asked are the questions that led to it, in their order.
	Asked []Asked `json:"asked,omitempty"`
	// Cause is the kind of reason for which a verdict is unknown; else "".
	Cause Cause `json:"cause,omitempty"`
	// Assumptions are what the verdict rests on besides the scope. It is not nil.
	Assumptions []string `json:"assumptions"`
	Effort
	// Cached says that it was not computed now but kept (-cache): the effort is that of the first time.
	Cached bool `json:"cached,omitempty"`
	Findings
	Schema int `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Findings are what an engine found besides the status. Which of them there are depends on the engine and the property.
type Findings struct {
	Violation *Violation `json:"violation"` // nil unless a collection is violated
	// Progress is the class of each operation, if a property of progress was asked for.
	Progress []Progress `json:"progress,omitempty"`
	// Returns are the results that each operation returned in all explored executions; nil if there is a violation.
	Returns     []Returns    `json:"returns,omitempty"`
	Outcomes    *Outcomes    `json:"-"`                     // of a program, each printed as a line of its own; nil for a collection
	Certificate *Certificate `json:"certificate,omitempty"` // of a proof, once it was written to a file; else nil
	Proof       *Proof       `json:"proof,omitempty"`       // of an engine that proves; else nil
}

// Weaker gives for each operation the weaker of its classes in two lists of the same operations.
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

// LeftOut is an operation that is not verified, and why.
type LeftOut struct {
	Operation string `json:"operation"`
	Why       string `json:"why"`
}

// Certificate says where a proof is that can be checked without the prover.
type Certificate struct {
	Method string `json:"method"` // that found the proof, and that checks it
	File   string `json:"file"`
}

// Subject says what was verified against what.
type Subject struct {
	Collection string `json:"collection"` // package name and type: "queue.Queue"
	Kind       string `json:"kind"`
	Protocol   string `json:"protocol"`
	Property   string `json:"property"`
	Oracle     string `json:"oracle"`
	// Unlike is the kind that the names of the methods tell and that one thread contradicts, so that another oracle than the
	// kind's judges; "" if there is none.
	Unlike string `json:"unlike,omitempty"`
}

// Effort says how large the scope was and what it cost. Clients, states and transitions are those of the scope; time and
// memory are all that was spent, on scopes that were dropped, too.
type Effort struct {
	Clients     json.Number `json:"clients"` // of the scope, whatever part was explored; a whole number
	States      uint64      `json:"states"`
	Transitions uint64      `json:"transitions"`
	Seconds     float64     `json:"seconds"`    // of searching, without loading
	PeakBytes   int64       `json:"peak_bytes"` // of the search itself
	// Confusions is how many states are expected to have been taken for another one, since
	// states were told apart by what Apart says; "" if nothing was confused.
	Confusions float64 `json:"-"`
	Apart      string  `json:"-"`
}

// Searched is how many states were searched, those of scopes that were dropped included.
func (v *Verdict) Searched() uint64 {
	n := v.States
	for _, d := range v.Dropped {
		n += d.States
	}
	return n
}

// Add adds what came before in other scopes; the number of clients, which scopes may share,
// is left as it is.
func (e *Effort) Add(before Effort) {
	e.States += before.States
	e.Transitions += before.Transitions
	e.Seconds += before.Seconds
	e.PeakBytes = max(e.PeakBytes, before.PeakBytes)
	e.Confusions += before.Confusions
	e.Apart = cmp.Or(e.Apart, before.Apart)
}

// Infinite is the class of a collection that one client makes larger without end, and the published verdict of a state space without end.
const Infinite = "infinite"

// Classes are the classes of violations of collections.
var Classes = []string{"history", "deadlock", "livelock", "nontermination", "panic", "race", Infinite, "progress", "point"}

// Violation is what is wrong, in brief.
type Violation struct {
	Class   string `json:"class"`   // one of Classes
	Client  string `json:"client"`  // who calls what
	Witness string `json:"witness"` // the file with the witness, or ""
	Summary string `json:"summary"` // one line
	// Where it goes wrong, see Witness.Where.
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

// Collection is what was found and will be verified.
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
	Skipped    []Skipped   `json:"skipped"` // methods that are not operations
	Reason     string      `json:"reason"`  // why this kind, protocol and oracle, and what was assumed
	Schema     int         `json:"schema"`  // the constant Schema; whoever prints the line sets it
}

// Operation is one operation of a collection.
type Operation struct {
	Name      string `json:"name"`
	Role      string `json:"role"`      // what it does according to the oracle; "" if that is not known
	Signature string `json:"signature"` // as Go writes it, with the name
}

// Skipped is something that is not verified, and why.
type Skipped struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// The exit codes of the command. With several reasons ExitTool wins over ExitViolated,
// ExitViolated over ExitUnknown.
const (
	ExitVerified = 0
	ExitViolated = 1
	ExitTool     = 2 // usage, load or tool error: there is an error, not a verdict
	ExitUnknown  = 3 // nothing is violated, but something unknown or not judged
)

// ExitCode is the exit code for some verdicts.
func ExitCode(list []Verdict) int {
	var all []Status
	for _, v := range list {
		all = append(all, v.Status)
	}
	return ExitOf(all...)
}

// ExitOf is the exit code for what some verdicts come to.
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

// Found is the announcement of a collection that will be verified.
type Found struct{ Collection }

// Asked is a question on the way to a verdict, and what came of it: a queue of which one thread is asked, or the type for less than
// was asked for, behind a violation.
type Asked struct {
	// Rule is the name of the rule that asked it (doc/inquiry.md), or "the question" for the one that was asked for.
	Rule      string   `json:"rule"`
	Kind      string   `json:"kind"`
	Protocol  string   `json:"protocol"`
	Oracle    string   `json:"oracle"`
	Property  string   `json:"property"`
	Scope     string   `json:"scope"` // its name
	OneThread bool     `json:"one_thread,omitempty"`
	Roles     string   `json:"roles,omitempty"`
	Waits     []string `json:"waits,omitempty"` // operations that are taken to wait
	Limit     uint64   `json:"limit,omitempty"` // of states, of a question that nobody asked for
	Status    Status   `json:"verdict,omitempty"`
	Class     string   `json:"class,omitempty"` // of the violation
	// Why is the client of a violation, or why the question was not answered.
	Why     string  `json:"why,omitempty"`
	Took    string  `json:"took,omitempty"` // why the type is read in this way from then on
	States  uint64  `json:"states"`
	Seconds float64 `json:"seconds"`
}
