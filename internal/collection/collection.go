// SPDX-License-Identifier: BSD-3-Clause

// Package collection describes a collection before it is run: its type, constructor, operations, kind, protocol and oracle, and how the
// values of its operations and the small ints of clients represent each other.
//
// Package recognise makes the description from a type-checked package, package harness writes the file that drives the collection, and
// engines read calls and results with it. The package finds nothing itself, writes no Go, and does not load or run anything.
package collection

import (
	"go/types"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/oracle"
)

// Kinds beyond those that oracle knows.
const (
	// Object is a collection whose operations have no known meaning. Its oracle
	// is Self.
	Object oracle.Kind = "object"
	// Lock is a lock. Its operations are whole critical sections that increment
	// or read a plain counter which the lock guards; the oracle is a counter.
	Lock oracle.Kind = "lock"
)

// Overrides are the user's choices in place of what would be recognised. The zero value chooses nothing.
type Overrides struct {
	Type     string           // a type of the package, exported or not, possibly instantiated: "Queue", "Map[string, int]"
	New      string           // a Go expression of the package that makes one; it may name the package's imports
	Prefix   string           // Go statements that are executed first, alone; the collection is called "it"
	Ops      []string         // the methods that are operations, in this order
	Kind     oracle.Kind      // "" or "auto": as recognised
	Protocol *oracle.Protocol // nil: as recognised
	Oracle   Oracle
	Threads  int // the number of threads that constructors with such a parameter get; 0: 4
	// Whole: all methods that can be called are operations, with all arguments that they may be given, whether or not the kind's oracle
	// knows them. The same code, run sequentially, judges them.
	Whole bool
	// Agreeing: functions that load a value (Produces) and are given to calls with the same key (Call.Keys) give the same answer, of Codec.Choices: 1
	// the first one, or, with other keys, one behind it. 0: they need not.
	Agreeing int
	// Again names operations that may repeat the call of a function that they are given, if other threads interfere: only the last call
	// counts, whichever operation makes it.
	Again []string
	// Given maps a method to the name of a function of the package that it is given in place of a generated one. Another: it is given
	// another collection. Pull: the method's iterator is read one element at a time. Copy: the collection that it gives is kept and used.
	Given map[string]string
	// Readings maps an operation to an oracle.Slot: whether the value that it returns is the one before or after its change, or whether its bool is true
	// where it was done or where it was not, if its name does not tell.
	Readings map[string]string
	// Waits names operations that wait for an item or for room, though they have a result that could report failure instead.
	Waits []string
	Fewer
	// Anonymous: results do not identify the objects of pointers, for engines that compare results as words.
	Anonymous bool
	// Known are values that operations are given in place of such that are made up.
	Known []Known `json:",omitempty"`
	// Clues are what the package's source shows, its test files included: read anew wherever the package is.
	Clues *Clues `json:"-"`
	// Clock is what lets the clock go on.
	Clock Clock `json:",omitempty"`
	// Invariants are methods that are no operations: they have to return true.
	Invariants []Invariant `json:",omitempty"`
}

// Clock is what lets the clock go on of a collection that is judged by its own code. The zero value: it goes on by a year, once, at any reading of it.
type Clock string

// The other clocks.
const (
	VirtualClock Clock = "virtual" // to the next timer, when no call in progress can go on
	YearsPass    Clock = "years"   // by a year, where an operation more, year-passes, is called; beside no other call
)

// YearPasses is the name of the operation by which the clock goes on. No method of Go has such a name.
const YearPasses = "year-passes"

// Elsewise is the reading of an operation whose bool tells something else than whether it was done: the bool is no result, but for the type's own code (Overrides.Readings).
const Elsewise = "else"

// The orders in which a priority queue may give its items.
const (
	Smallest = "smallest"
	Largest  = "largest"
)

// Fewer are restrictions of what clients call, and of what they may expect.
type Fewer struct {
	// Paired: what ends something (Unlock) is called by who has begun it (Lock), with the same arguments.
	Paired bool `json:",omitempty"`
	// Untold: with what stand-ins are called is no result.
	Untold bool `json:",omitempty"`
	// Careful: no call begins that could end in a panic by the type's own code, run by one thread, or could let one in progress end so.
	Careful bool `json:",omitempty"`
	// AnyWait: a call may wait for ever where it waits alone, whether or not calls of others could let it return.
	AnyWait bool `json:",omitempty"`
	// MayFail maps an operation to the variable of the error that it may return while another call is in progress, as documented; only
	// linearizability by the type's own code knows of it.
	MayFail map[string]string `json:",omitempty"`
	// Cancelled: a call that was given a context which is cancelled at any moment may return its error, context.Canceled, while another
	// call is in progress; only linearizability by the type's own code knows of it.
	Cancelled bool `json:",omitempty"`
	// InTurn: a call may wait behind another call of its operation that waits, or be refused because another call waits, as by the type's own code if it begins then; only
	// linearizability by that code knows of it.
	InTurn bool `json:",omitempty"`
	// AnyLent: it does not count which object an operation gives that another one takes back, as from a pool.
	AnyLent bool `json:",omitempty"`
	// ConcurrentArguments: implementations of interfaces that are made up for the constructor may be called by several threads at once.
	ConcurrentArguments bool `json:",omitempty"`
	// Order is which items a priority queue gives first, where no name tells it: Smallest or Largest; "": as names tell.
	Order string `json:",omitempty"`
	// Together: the fields of a struct that operations are given vary together, also two that vary by themselves otherwise (Paired); of items of a priority queue, bools and constants
	// do not vary at all.
	Together bool `json:",omitempty"`
	// Ignored are fields of the struct by which a set or a map goes, that do not count: operations that look for a key give them another value than those that add it.
	Ignored []string `json:",omitempty"`
	// Turns: the fields that do not count have one value and another one in turns, whatever the operation. It is for clients of one thread, because the harness counts.
	Turns bool `json:",omitempty"`
	// Alone is a field of the struct by which a set or a map goes: keys 0 and 1, 2 and 3, … differ in that field alone.
	Alone string `json:",omitempty"`
	// Without maps operations that are left out to why.
	Without map[string]string `json:",omitempty"`
}

// Others are operations that are left out, or may be called by fewer.
type Others struct {
	// More lists the operations that exist only with Overrides.Whole, or that take more arguments then.
	More []string
	// Ends lists the operations that end what another one has begun, and may be called without that (Overrides.Paired).
	Ends []string
	// Lends: results identify objects that another operation takes back (Overrides.AnyLent).
	Lends bool
}

// Clues are what source shows of how a package's types are made, beyond signatures.
type Clues struct {
	Calls    []ShownCall       // of functions of the package
	Texts    []ShownText       // that methods are given, or that are sent to channels
	Returned map[string]string // the only type that a function returns, by the function's name
	Held     []ShownField      // of what functions return
	Filled   map[string][]int  // indices of the parameters through which a method, "Buffer.Read", hands something to its caller
	MayHold  map[string][]int  // likewise, of those that may have to point to what the object holds
	// By types' names, with the function that shows it: types whose methods use sync/atomic or locks of the package, types whose constructors use sync
	// or sync/atomic, and generic types whose methods tell their type arguments apart.
	Synchronised, Made, Apart map[string]string
	Written                   map[string]bool // names of fields that methods write, of any type; nil: not known
	Preset                    map[string]bool // likewise, of those that constructors and options write
}

// ShownField is a field of what a function returns, in which there is a pointer.
type ShownField struct {
	Func    string
	In      string // type of the struct that is returned, or that a pointer that is returned points to
	Field   string // "": the one with the index
	Index   int
	Pointed string // type of what the field points to
}

// ShownCall is a call that somebody has written.
type ShownCall struct {
	Func, Expr string
	At         string // file:line
}

// ShownText is a string literal that somebody has given a method.
type ShownText struct {
	Method string
	Arg    int    // index of the argument
	Text   string // as Go has it: "open"
	At     string // file:line
}

// A Way is an expression by which a collection may be made, and whose it is: "as cache_test.go:12 makes it".
type Way struct{ New, Why string }

// A Collection is a type that can be verified.
type Collection struct {
	Package  string // import path
	Type     string // name of the type without its arguments
	Display  string // for people: queue.Queue[int]
	Instance string // type expression within the package: Queue[int]
	New      string // Go expression of the package that makes one: NewQueue[int](2)

	Kind     oracle.Kind
	Protocol oracle.Protocol
	Oracle   Oracle
	Reason   string // why this kind, protocol and oracle were chosen, with the assumptions

	// Assumptions are guesses about what signatures do not tell, on which a verdict rests. Reason contains them too.
	Assumptions []string

	// Environment lists what operations are given, where they could be given more: "contexts are never cancelled".
	Environment []string

	Operations []Operation
	Beside
	// Unclear lists the operations that may return the value before or after their change (Overrides.Readings), if the kind's oracle
	// could judge all others; of a priority queue the one of which nothing tells whether it takes the smallest or the largest (Overrides.Order).
	Unclear []string
	Others
	// Handles are the sorts of values that one operation returns and others take.
	Handles []Handle
	Threads int // the number of threads that may store handles; 0 without Handles
	// Objects is the greatest number of objects that one call may return for the first time; 0 if results do not identify
	// objects.
	Objects int

	Subject Subject // the type to which the operations take a pointer
	Made    Made    // the result of New
}

// Beside are the methods that are no operations.
type Beside struct {
	Invariants []Invariant
	Skipped    []Skipped
}

// An Operation is a method, or for a lock a pair of methods, that clients call.
type Operation struct {
	Name string
	// Op describes the operation to an oracle. Its Role is "" if the kind is Object or no role fits. oracle.New accepts it only if the
	// collection's oracle is that of a kind.
	Op      oracle.Op
	Effect  client.Effect
	Params  []Param  // the arguments of the harness function
	Results []Result // of the method, in order

	// EitherSense: a result is a bool of which no name tells whether it is true where the operation was done, or where it was not. Op says the former.
	EitherSense bool

	Call Call // what its harness function does
	Raw  bool // results are passed on unchanged, because the user's oracle knows no slots
}

// A Param is one argument that a client chooses.
type Param struct {
	Name    string // in the method's declaration; may be ""
	Type    string // Go type, as written within the package
	Meaning oracle.Param
	// Values is the number of different arguments: 0 to Values-1, other ints being taken modulo Values. 0: all ints are different. If
	// it is not 0, or smaller than the number of values in the scope, two arguments cannot be exchanged like names.
	Values int

	Codec *Codec
}

// A Result is one Go result of an operation.
type Result struct {
	Name string
	Type string
	Slot oracle.Slot // its meaning to the oracle; "" if none fits

	Codec  *Codec
	Form   Form
	Calls  bool // the record of the calls of generated functions
	Filled bool // what a call has left in an argument: p of Read(p []byte)
	// Objects are the expressions of the pointers among the results v0, v1, … whose objects this result, the last, identifies: five
	// bits for each, the first one in the lowest, see NameObjects.
	Objects []string
}

// Skipped is a method that is not an operation.
type Skipped struct{ Name, Why string }

// Rejected is a type that looks like a collection and cannot be verified as it is, or, if Asked, not in the way the user
// asks for.
type Rejected struct {
	Type, Why string
	Asked     bool
}

// Cancels reports whether operations take contexts, which may be cancelled at any moment.
func (c *Collection) Cancels() bool {
	return slices.ContainsFunc(c.Operations, func(o Operation) bool { return o.TakesContext() })
}

// Unending reports whether a call is given a context that never ends.
func (o *Operation) Unending(args history.Tuple) bool {
	return o.givenContext(args, 0) || slices.ContainsFunc(o.Call.Params, func(c *Codec) bool { return c.Shape == AsConstant && c.Constant == Background })
}

// givenContext reports whether an argument is a context of a sort: 0 is context.Background(), 1 one that is cancelled at any moment.
func (o *Operation) givenContext(args history.Tuple, sort int64) bool {
	for i := range o.Params {
		if c := o.Params[i].Codec; c != nil && c.Shape == AsContext && args.At(i).Int&1 == sort {
			return true
		}
	}
	return false
}

// Background is the constant argument of a parameter that is a context, see AsConstant.
const Background = "context.Background()"

// Client describes the operation to the enumeration of clients.
func (o *Operation) Client() client.Op {
	return client.Op{Name: o.Name, Params: o.Op.Params, Effect: o.Effect,
		Notation: &history.Notation{Args: o.ShowArgs, Result: o.ShowResult}}
}

// Ops lists the operations as oracle.New takes them.
func (c *Collection) Ops() []oracle.Op {
	ops := make([]oracle.Op, len(c.Operations))
	for i, o := range c.Operations {
		ops[i] = o.Op
	}
	return ops
}

// A Subject is the type to which the harness's functions take a pointer.
type Subject struct {
	Name *types.TypeName // of the type, or of the interface
	Type types.Type      // instantiated; an interface if the constructor returns one of unknown contents
}

// IsInterface reports whether only an interface of the collection is known.
func (s *Subject) IsInterface() bool { return types.IsInterface(s.Type) }

// Receiver is the type whose method set the operations come from.
func (s *Subject) Receiver() types.Type {
	if s.IsInterface() {
		return s.Type
	}
	return types.NewPointer(s.Type)
}

// Variant is another call of the constructor of a collection that is verified, with what New leaves out.
type Variant struct {
	New string // New(WithMax(2))
	// Refuses: each function that it is given can say that there is no value, so that a panic behind any answer is the code's.
	Refuses bool
	// Changes: functions that it is given give another value at each call.
	Changes bool
	// MadeUp: implementations of interfaces that it is given fail, which users' may do in another way.
	MadeUp bool
	// Full: it has room for less than is put in, which nothing but its code says to be allowed.
	Full bool
	// Small: it has room for one item where the type itself is made with room for two.
	Small bool
	// Sets: exported fields of the type that it sets.
	Sets []string
	// Handlers: the functions, options and fields that it gives functions that return nothing but an error.
	Handlers []string
}

// NotObserved is the assumption about functions that return nothing but an error, and that a constructor, an option or a field is given.
func NotObserved(names []string) string {
	return "functions that " + strings.Join(names, ", ") + " is given are not observed, and do not call back"
}

// Made describes the result of a constructor expression.
type Made struct {
	Type        types.Type
	Functions   int       // how many functions it also returns, which stop it or release what it holds, and are not called
	Fallible    bool      // behind them it also returns an error
	Others      []Way     // how it may be made as well, for where New panics or returns an error
	Variants    []Variant // how users may make it as well
	Beyond      []string  // likewise, for whose arguments there is nothing
	Unset       []string  // exported fields that users may set, and that neither New nor a variant sets
	StandIns    []*Codec  // types of the harness that New mentions, for interfaces that the constructor is given
	Implemented bool      // it is given an implementation of an interface that the package has
	Asserted    bool      // it returns an interface that contains the subject
	// Guess tells why users may make the collection in another way: New is a zero value although functions that cannot be called here
	// return one, or a function not called New. "" if a name or the user chose New.
	Guess string
}
