// SPDX-License-Identifier: BSD-3-Clause

// Package subject loads what is verified and makes it ready: a collection compiled with
// the file that drives it, its operations, and the oracle that judges them; or a whole
// program.
//
// It takes a package that was listed (internal/front), what is wanted of the type
// (collection.Overrides) and who may call what, and gives a Subject, which is all that an
// engine sees of the code. It does not find collections, does not search, and knows no
// engine.
package subject

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/ir"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Subject is a collection made ready: compiled, with the functions that drive it; or a
// whole program, which has a Main and nothing to call.
type Subject struct {
	Prog *ir.Program
	// Main is where a whole program starts; nil for a collection.
	Main *ir.Func
	// New returns a pointer to a new collection.
	New *ir.Func
	// Operations are what clients call, in the order of the oracle's operations.
	Operations []Operation
	// Rules are those of its linearization policy, by the numbers that it announces.
	Rules []Rule
	// Every are the operations of which the policy announces all outcomes.
	Every map[string]bool
	// Unexcused says that its policy has to announce what needs no announcement otherwise, see Keyed.
	Unexcused bool
	// Spec is the sequential specification.
	Spec oracle.Spec
	// Self says that the oracle is the same code, run sequentially.
	Self bool
	// Objects is how many objects a call may return for the first time, at most; 0 if no
	// operation tells which it returns.
	Objects int

	// About says what it is, in verdicts; the property is open.
	About verdict.Subject
	// Source says how to load it again.
	Source verdict.Source
	// LeftOut are the methods that are no operations; it is not nil.
	LeftOut []verdict.LeftOut
	// Assumptions are what a verdict rests on because of what the code calls.
	Assumptions []string
	// Lines are those of its source.
	Lines *Lines
	// Directories are those of the packages that a test is made of, without the standard library.
	Directories []string
	texts       *texts // nil: of a whole program
}

// Operation is an operation of the collection.
type Operation struct {
	Name string
	// Func is called with the pointer to the collection and one word for each
	// argument.
	Func *ir.Func
	// Tuple reads the words that Func returned.
	Tuple func(words []uint64) history.Tuple
	// Items are the words of the results that may hold items.
	Items []int
	// Objects says that the last result tells which objects are returned.
	Objects bool
	// Client says who may call it with what.
	Client client.Op
	// Asks says that the code may ask which thread executes it. Then the last argument of a call is the number of the thread that makes it: Func
	// is not given that, and the oracle self executes the call as that thread.
	Asks bool
	// Binding says what it does according to the oracle; its Role is "" if that is not known.
	Binding oracle.Op
}

// Words gives the argument words of a call: the collection, then what Func is given.
func (o *Operation) Words(dst []uint64, collection uint64, args history.Tuple) []uint64 {
	return ArgumentWords(dst, collection, o.Given(args))
}

// Given are the arguments of a call that Func is given: all but the number of the thread that makes it.
func (o *Operation) Given(args history.Tuple) (given history.Tuple) {
	if !o.namesCaller(args) {
		return args
	}
	for i := range args.Len() - 1 {
		given = given.With(i, args.At(i))
	}
	return given
}

// Caller is the number of the thread that makes a call, if the code may ask for it; else 0.
func (o *Operation) Caller(args history.Tuple) int {
	if !o.namesCaller(args) {
		return 0
	}
	return int(args.At(args.Len() - 1).Int)
}

// namesCaller says that the last of these arguments is the number of the thread that makes the call.
func (o *Operation) namesCaller(args history.Tuple) bool {
	return o.Asks && args.Len() == len(o.Client.Params)
}

// Asks says that an operation may ask which thread executes it, and that its calls name their threads.
func (s *Subject) Asks() bool {
	return slices.ContainsFunc(s.Operations, func(o Operation) bool { return o.Asks })
}

// ArgumentWords gives the argument words of a call: the collection, then the arguments.
func ArgumentWords(dst []uint64, collection uint64, args history.Tuple) []uint64 {
	dst = append(dst, collection)
	for i := range args.Len() {
		dst = append(dst, uint64(args.At(i).Int))
	}
	return dst
}

// ClientOps says, for each operation, who may call it with what.
func (s *Subject) ClientOps() []client.Op {
	ops := make([]client.Op, len(s.Operations))
	for i := range ops {
		ops[i] = s.Operations[i].Client
	}
	return ops
}
