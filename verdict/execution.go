// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Place is a position in source code.
type Place struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// Frame is a call in progress, at the place that it has reached. A stack is shown to the user from the innermost frame that is not in the
// library.
type Frame struct {
	Place
	Library bool `json:"library,omitempty"` // inside the standard library
	Model   bool `json:"model,omitempty"`   // inside Pangolin's model of a library function: the place is not in Go's source
	Caller  int  `json:"caller,omitempty"`  // number of the calling frame, counted from 1 in the witness; 0: none
}

// Access is an access of a step to shared memory, or the library call that synchronises. Values are written as in Go, objects by type and
// number.
type Access struct {
	Kind     AccessKind `json:"kind"`
	Atomic   bool       `json:"atomic,omitempty"`
	Function string     `json:"function,omitempty"` // of Call: the library's function, "Lock"
	Object   string     `json:"object,omitempty"`   // "node#3", or the name of a global; "" if it has none
	Type     string     `json:"type,omitempty"`     // the object's, with its package
	Field    string     `json:"field,omitempty"`    // path within the object, ".next", "[2].key"; "" for the object itself
	Old      string     `json:"old,omitempty"`      // the value before; of Read, the value read
	New      string     `json:"new,omitempty"`      // the value after; "" for Read
	// Of CompareAndSwap: the expected value, the new one, and whether the swap was made.
	Expected string `json:"expected,omitempty"`
	Proposed string `json:"proposed,omitempty"`
	Done     bool   `json:"done,omitempty"`
}

// AccessKind is the kind of an access.
type AccessKind string

// The kinds.
const (
	Read           AccessKind = "read"
	Write          AccessKind = "write"
	Swap           AccessKind = "swap"
	CompareAndSwap AccessKind = "compare-and-swap"
	Add            AccessKind = "add"
	And            AccessKind = "and"
	Or             AccessKind = "or"
	MapGet         AccessKind = "map get"
	MapSet         AccessKind = "map set"
	MapDelete      AccessKind = "map delete"
	MapClear       AccessKind = "map clear"
	MapLen         AccessKind = "map len"
	Send           AccessKind = "send"
	Receive        AccessKind = "receive"
	Select         AccessKind = "select"
	Close          AccessKind = "close"
	LibraryCall    AccessKind = "call" // a function of the library that synchronises
)

// ReadsOnly reports whether an access only reads memory.
func (a *Access) ReadsOnly() bool { return a != nil && a.Kind == Read }

// Step is one step of an execution: an access to memory that is shared, a call that
// synchronises, or the beginning or end of an operation.
type Step struct {
	Thread    int    `json:"thread"` // counted from 1
	Operation string `json:"operation"`
	// Call is the number of the call, counted from 1 in the history, that the step begins, ends or announces; 0 if it does none of these.
	Call  int   `json:"call,omitempty"`
	Phase Phase `json:"phase,omitempty"`
	// Announced is the announced operation with its result: "Pop() = 1, true".
	Announced string `json:"announced,omitempty"`
	Place
	Source string  `json:"source,omitempty"` // text of the line
	Access *Access `json:"access,omitempty"`
	Frame  int     `json:"frame,omitempty"` // number, counted from 1 in the witness, of the innermost call; 0: none
}

// Phase marks a step that begins, ends or announces a call.
type Phase string

// The phases; "" is within a call.
const (
	Invoke   Phase = "invoke"
	Respond  Phase = "respond"
	Announce Phase = "announce" // a linearization policy says that the call takes effect
)

// Event is a call of the history: its invocation and its response.
type Event struct {
	Thread    int      `json:"thread"` // counted from 1
	Operation string   `json:"operation"`
	Args      []string `json:"args"`    // as Go writes them
	Results   []string `json:"results"` // empty if it has none, panicked or never returned
	Panicked  bool     `json:"panicked,omitempty"`
	// Invoked and Responded are numbers of steps, counted from 1; Responded is 0 if the call
	// never returned.
	Invoked   int `json:"invoked"`
	Responded int `json:"responded"`
	// Words are what the function of the harness has returned. A witness file has none.
	Words []uint64 `json:"-"`
}

// Situation describes a goroutine that waits or goes on for ever.
type Situation struct {
	Thread    int    `json:"thread,omitempty"`    // counted from 1; 0 if several are described
	Count     int    `json:"count,omitempty"`     // number of goroutines described, if more than one
	Goroutine string `json:"goroutine,omitempty"` // the function that it began with
	Operation string `json:"operation,omitempty"` // the operation that it executes
	Waits     bool   `json:"waits"`               // it cannot continue
	For       string `json:"for,omitempty"`       // what it waits for: "sync.Mutex.Lock", "chan receive"
	Object    string `json:"object,omitempty"`    // the memory at which it waits, if that has a name
	Place
	// In a witness, with the numbers that objects have in its steps: the object at which it waits, the locks that it holds, and the
	// threads, counted from 1, that hold the lock for which it waits.
	At     string   `json:"at,omitempty"`
	Holds  []string `json:"holds,omitempty"`
	HeldBy []int    `json:"held_by,omitempty"`
	Frame  int      `json:"frame,omitempty"` // as in Step
	// Of a goroutine that has leaked from a collection: who started it, and who was the last that could still reach what it waits for; nil
	// if nobody else ever could, or that was during construction.
	Started   *Origin `json:"started,omitempty"`
	Abandoned *Origin `json:"abandoned,omitempty"`
	// Owner is what the channel belongs to for which a leaked goroutine waits: "a context that nobody can cancel any more"; "" if it is
	// the program's own.
	Owner string `json:"owner,omitempty"`
}

// Origin is who has done something: an operation, or the constructor, or a goroutine that one of these has started.
type Origin struct {
	Operation string `json:"operation,omitempty"` // its name, or "the constructor", "the pre-add Add(0)"
	Call      int    `json:"call,omitempty"`      // number of the call, counted from 1 in the history; 0: during construction
	Does      string `json:"does,omitempty"`      // what it does at the place: "select"; "" for a go statement
	Place
}

// Crash describes where a panic that nothing recovered, or a fatal error, began.
type Crash struct {
	Thread int    `json:"thread"` // counted from 1
	Text   string `json:"text"`   // as the runtime prints it
	Frame  int    `json:"frame"`  // as in Step
}

// Conflict is one side of a data race.
type Conflict struct {
	Thread int    `json:"thread,omitempty"` // counted from 1; 0 if no thread is known
	Write  bool   `json:"write"`
	Object string `json:"object,omitempty"` // the memory's name, if it has one
	Place
	Frame int      `json:"frame,omitempty"` // as in Step
	Holds []string `json:"holds,omitempty"` // locks that the thread holds
	// Step is the number, counted from 1, of the step that makes the access; 0 if the thread is about to make it. If one side has been
	// made, the other comes later, and nothing orders the two.
	Step int `json:"step,omitempty"`
}
