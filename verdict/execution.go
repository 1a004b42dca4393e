// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Place is a position in source code.
type Place struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// Frame is a call in progress, at the place where it stands. The user's frame of a stack is
// the innermost that is not inside the library: where people look for what happens.
type Frame struct {
	Place
	Library bool `json:"library,omitempty"` // inside the standard library
	Model   bool `json:"model,omitempty"`   // inside a model of it: the place is none of its source
	Caller  int  `json:"caller,omitempty"`  // number of the calling frame, counted from 1 in the witness; 0: none
}

// Access is what a step does to memory that others can reach, or the call that
// synchronises. Values are written as Go writes them, objects by type and number.
type Access struct {
	Kind     AccessKind `json:"kind"`
	Atomic   bool       `json:"atomic,omitempty"`
	Function string     `json:"function,omitempty"` // of Call: the library's function, "Lock"
	Object   string     `json:"object,omitempty"`   // "node#3", or the name of a global; "" if it has none
	Type     string     `json:"type,omitempty"`     // the object's, with its package
	Field    string     `json:"field,omitempty"`    // path within the object, ".next", "[2].key"; "" for the object itself
	Old      string     `json:"old,omitempty"`      // what stood there before; of Read, what is read
	New      string     `json:"new,omitempty"`      // what stands there after; of Read "", nothing changes
	// Of CompareAndSwap: what is expected there, what is to take its place, and whether it
	// did.
	Expected string `json:"expected,omitempty"`
	Proposed string `json:"proposed,omitempty"`
	Done     bool   `json:"done,omitempty"`
}

// AccessKind says what an access does.
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

// ReadsOnly says that an access changes nothing and nobody waits in it.
func (a *Access) ReadsOnly() bool { return a != nil && a.Kind == Read }

// Step is one step of an execution: an access to memory that is shared, a call that
// synchronises, or the beginning or end of an operation.
type Step struct {
	Thread    int    `json:"thread"` // counted from 1
	Operation string `json:"operation"`
	// Call is the number of the call, counted from 1 in the history, that the step begins or
	// ends or announces; 0 if it does neither.
	Call  int   `json:"call,omitempty"`
	Phase Phase `json:"phase,omitempty"`
	// Announced is the operation that is announced, with its result: "Pop() = 1, true".
	Announced string `json:"announced,omitempty"`
	Place
	Source string  `json:"source,omitempty"` // text of the line
	Access *Access `json:"access,omitempty"`
	Frame  int     `json:"frame,omitempty"` // number, counted from 1 in the witness, of the innermost call; 0: none
}

// Phase tells the beginning of a call from its end, and from where it is announced.
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
}

// Situation is what goroutines do that are stuck or that go on for ever.
type Situation struct {
	Thread    int    `json:"thread,omitempty"`    // counted from 1; 0 if it is said of several
	Count     int    `json:"count,omitempty"`     // of goroutines of which the same is said, if more than one
	Goroutine string `json:"goroutine,omitempty"` // the function that it began with
	Operation string `json:"operation,omitempty"` // that it executes
	Waits     bool   `json:"waits"`               // it cannot go on
	For       string `json:"for,omitempty"`       // what it waits for: "sync.Mutex.Lock", "chan receive"
	Object    string `json:"object,omitempty"`    // the memory that it waits at, if that has a name
	Place
	// Of a witness, by the numbers that objects have in its steps: what it waits at, the locks
	// that it holds, and the threads, counted from 1, that hold the lock it waits for.
	At     string   `json:"at,omitempty"`
	Holds  []string `json:"holds,omitempty"`
	HeldBy []int    `json:"held_by,omitempty"`
	Frame  int      `json:"frame,omitempty"` // as in Step
}

// Crash is where a panic that nothing recovered, or a fatal error, began.
type Crash struct {
	Thread int    `json:"thread"` // counted from 1
	Text   string `json:"text"`   // as the runtime prints it
	Frame  int    `json:"frame"`  // as in Step
}

// Conflict is one side of a data race.
type Conflict struct {
	Thread int    `json:"thread,omitempty"` // counted from 1; 0 if it is said of any
	Write  bool   `json:"write"`
	Object string `json:"object,omitempty"` // the memory's name, if it has one
	Place
	Frame int      `json:"frame,omitempty"` // as in Step
	Holds []string `json:"holds,omitempty"` // locks that the thread holds
	// Step is the number, counted from 1, of the step that it is; 0 if the thread is about to make it. If one side has been
	// made, the other one comes later, and nothing orders the two.
	Step int `json:"step,omitempty"`
}
