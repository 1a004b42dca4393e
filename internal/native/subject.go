package native

import "context"

// Subject is a collection: where its code is, how one is made, and what may be called.
type Subject struct {
	Name string
	// Files is the source of the collection's package, by file name. If it is nil, the
	// package is the one with import path Package in the module of directory Dir.
	Files   map[string]string
	Dir     string
	Package string
	// New is a Go expression, valid in the package, that makes a collection:
	// "NewStack[int]()". A constructor that also returns an error is fine.
	New string
	Ops []Op
	// Oracle is what is promised: the name of a sequential specification ("set",
	// "queue", "stack", "pqueue", "counter", "map", "register"; see Specifications),
	// or "self": what the code itself does when the calls are made one after another.
	Oracle string
	// Harness is the file that makes and calls a collection, if New and Ops do not say how; its operations have the numbers of
	// Harness.Ops.
	Harness *Harness
	// Bounded is the capacity of the specification; 0 is none. A bounded queue's Put
	// that fails or waits when it is full is right.
	Bounded int
}

// Op is an operation of a collection.
type Op struct {
	Name string // of the method: "Push"
	// Role is what it does in the specification ("add", "remove", "contains", "put",
	// "take", "push", "pop", "enqueue", "dequeue", "inc", "get", "set", …); not needed
	// with oracle self.
	Role string
	// Call is the Go expression for a call if it is not c.Name(ints...): "$c" is the
	// collection, "$1" and "$2" are the arguments (constants of type int). It may have
	// any number of results. E.g. "$c.Put(Item{$1})".
	Call string
	// Results, if not "", is a format of package fmt for the results; the default is
	// "%v" for each, separated by commas. An error is its text.
	Results string
}

// Call is a call of an operation with arguments.
type Call struct {
	Op   int     `json:"op"` // index into Subject.Ops
	Args []int64 `json:"args"`
}

// Client is what is called: Pre by the goroutine that makes the collection, before the
// threads start, then each thread's calls in order.
type Client struct {
	Pre     []Call   `json:"pre"`
	Threads [][]Call `json:"threads"`
}

// Property is what histories are judged by.
type Property string

// The properties.
const (
	Linear    Property = "linear"    // linearizability
	SC        Property = "sc"        // sequential consistency
	Quiescent Property = "quiescent" // quiescent consistency
)

// Class is the class of a violation, in the words of `pangolin verify -json`; "" is none.
type Class string

// The classes.
const (
	Fine           Class = ""
	History        Class = "history"        // no order of the calls explains the results
	Stuck          Class = "deadlock"       // calls wait for ever that may not
	Nontermination Class = "nontermination" // calls go on for ever
	Panicked       Class = "panic"
	Racing         Class = "race"
)

// Judgement is the answer for one client.
type Judgement struct {
	// Classes are all classes of violations that some schedule shows, sorted; empty if
	// every execution is right.
	Classes []Class
	// Histories are the distinct complete or stuck histories, as text, sorted; those
	// that violate the property begin with "!".
	Histories []string
	// Example is an execution for each class, in the order of Classes.
	Examples  [][]Step
	TooBig    string // as in Report
	Fault     string // as in Report
	Schedules int
}

// Trial is a subject with the clients to try on it.
type Trial struct {
	Subject  Subject
	Property Property
	Clients  []Client
}

// Judge tries clients on collections; all are built into one binary. The answers are in
// the order of the trials and their clients.
func Judge(ctx context.Context, trials []Trial, opt Options) ([][]Judgement, error) {
	return judge(ctx, trials, opt)
}

// SPDX-License-Identifier: BSD-3-Clause
