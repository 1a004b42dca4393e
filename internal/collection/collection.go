// SPDX-License-Identifier: BSD-3-Clause

// Package collection is what is known of a collection before it is run: type,
// constructor, operations, kind, protocol and oracle, and how the values of its
// operations and the small integers of clients stand for one another.
//
// Package recognise makes it from a type-checked package, package harness writes
// the file that drives it, and engines read calls and results with it. It finds
// nothing itself, writes no Go, and does not load or run anything.
package collection

import (
	"go/types"

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

// Overrides are what the user asks for instead of what would be found. The zero
// value asks for nothing.
type Overrides struct {
	Type     string           // a type of the package, exported or not, possibly instantiated: "Queue", "Map[string, int]"
	New      string           // a Go expression of the package that makes one; it may name the package's imports
	Prefix   string           // Go statements that are executed first, alone; the collection is called "it"
	Ops      []string         // the methods that are operations, in this order
	Kind     oracle.Kind      // or "", or "auto"
	Protocol *oracle.Protocol // nil: found
	Oracle   Oracle
	Threads  int // how many threads there will be, for constructors that ask; 0: 4
	// Whole asks for all methods that can be called, with all that they may be given, whatever
	// the kind's oracle knows of: the same code run sequentially judges them.
	Whole bool
	// Agreeing asks for functions without arguments that always return the same.
	Agreeing bool
	// Again names operations that may call a function again that they are given, if others
	// come in between: what the last call was given counts, whoever makes it.
	Again []string
	// Given names functions of the package that methods are given, instead of generated ones, by method. Pull says
	// that the iterator that a method gives is taken step by step.
	Given map[string]string
	// Readings says of operations what no name tells: whether the value that they return is that of
	// before or that of after: an oracle.Slot.
	Readings map[string]string
	// Waits names operations that wait where their results could tell that there is nothing, or no room.
	Waits []string
	// Anonymous asks for results that do not tell which object a pointer is: for engines that compare results as words.
	Anonymous bool
}

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
	Reason   string // why this kind, protocol and oracle, and what was assumed

	// Assumptions are what a verdict stands on besides: what signatures do not tell
	// and was guessed. Reason has them too.
	Assumptions []string

	// Environment is what operations are given, where that is less than they could be.
	Environment []string

	Operations []Operation
	Skipped    []Skipped // methods that are not operations
	// Unclear are the operations for whose sake alone the kind's oracle cannot judge: nothing tells
	// whether they return the value of before or that of after (Overrides.Readings).
	Unclear []string
	// More are the operations that only the whole collection has (Overrides.Whole), or has
	// with more than they are given here.
	More []string
	// Handles are the sorts of what operations give and others take.
	Handles []Handle
	Threads int // how many threads may keep some; 0 without handles
	// Objects is how many objects a call may return for the first time, at most; 0 if operations do
	// not tell which object they return.
	Objects int

	Subject Subject // what the operations take a pointer to
	Made    Made    // what New gives
}

// An Operation is a method, or for a lock a pair of methods, that clients call.
type Operation struct {
	Name string
	// Op has the role, which is empty if the kind is Object or nothing fits. It
	// suits oracle.New only if the collection's oracle is a kind.
	Op      oracle.Op
	Effect  client.Effect
	Params  []Param  // the arguments of the harness function
	Results []Result // those of the method, in order

	Call Call // what its harness function does
	Raw  bool // results are told as they are: the user's oracle knows no slots
}

// A Param is one argument that a client chooses.
type Param struct {
	Name    string // as the method calls it; may be empty
	Type    string // Go type, as written within the package
	Meaning oracle.Param
	// Values is how many different arguments there are: the integers 0 to
	// Values-1, others being taken modulo Values. 0: all integers. Where it is
	// not 0 or smaller than the scope's values, arguments are not names that can
	// be exchanged for one another.
	Values int

	Codec *Codec
}

// A Result is one Go result of an operation.
type Result struct {
	Name string
	Type string
	Slot oracle.Slot // empty if nothing fits

	Codec *Codec
	Form  Form
	Calls bool // it is what generated functions have noted
	// Objects are the expressions of the pointers among the results v0, v1, ..., if this one, the last, tells which
	// objects they point to: five bits each, the first one the lowest, see NameObjects.
	Objects []string
}

// Skipped is a method that is not an operation.
type Skipped struct{ Name, Why string }

// Rejected is a type that looks like a collection and cannot be verified as it is, or not as it is Asked for.
type Rejected struct {
	Type, Why string
	Asked     bool
}

// Cancels says that operations are given contexts that are cancelled at any moment.
func (c *Collection) Cancels() bool {
	for i := range c.Operations {
		for _, p := range c.Operations[i].Params {
			if p.Codec != nil && p.Codec.Shape == AsContext {
				return true
			}
		}
	}
	return false
}

// Client is what the enumeration of clients needs to know of the operation.
func (o *Operation) Client() client.Op {
	return client.Op{Name: o.Name, Params: o.Op.Params, Effect: o.Effect,
		Notation: &history.Notation{Args: o.ShowArgs, Result: o.ShowResult}}
}

// Ops are the operations' bindings, for oracle.New.
func (c *Collection) Ops() []oracle.Op {
	ops := make([]oracle.Op, len(c.Operations))
	for i, o := range c.Operations {
		ops[i] = o.Op
	}
	return ops
}

// A Subject is what the harness's functions take a pointer to.
type Subject struct {
	Name *types.TypeName // of the type, or of the interface
	Type types.Type      // instantiated; an interface if only that is known
}

// IsInterface tells subjects of which only an interface is known.
func (s *Subject) IsInterface() bool { return types.IsInterface(s.Type) }

// Receiver is the type whose method set counts.
func (s *Subject) Receiver() types.Type {
	if s.IsInterface() {
		return s.Type
	}
	return types.NewPointer(s.Type)
}

// Made is what a constructor expression gives.
type Made struct {
	Type     types.Type
	Fallible bool // it gives an error as well
	Asserted bool // it gives an interface that holds the subject
	// Guess says why users may get another one: it is a zero value, though functions that cannot be called return one, or what a
	// function gives that is not called New. "" if names tell it, or the user.
	Guess string
}
