// SPDX-License-Identifier: BSD-3-Clause

// Package subject loads what is verified: a collection compiled together with the file that drives it, its operations, and the oracle
// that judges them; or a whole program.
//
// It takes a package that was listed (internal/front), the user's overrides for the type (collection.Overrides) and the threads that
// may call each operation, and gives a Subject, which is all that an engine sees of the code. It does not find collections, does not
// search, and knows no engine.
package subject

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/ir"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Held is what callers hold that the driving file does not.
type Held struct {
	// Forgets names a value that leads to something, so that nobody can tell whether a goroutine waits for what a caller can reach; "": there
	// is none.
	Forgets string
	// Background names what is given context.Background(), where callers may give a context that they cancel; "": nothing is.
	Background string
}

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
	// Invariants are methods that have to return true. Only the engine bounded asks them.
	Invariants []Invariant
	Announced
	// Spec is the sequential specification.
	Spec oracle.Spec
	// Self reports whether the oracle is the same code, run sequentially.
	Self bool
	// Objects is the greatest number of objects that one call may return for the first time; 0 if no operation's result
	// identifies objects.
	Objects int

	// Starts reports whether the code starts goroutines.
	Starts bool
	Held

	// About names the subject in verdicts; its property is not set. Instance is the type with its arguments: "LazyList[int]".
	About    verdict.Subject
	Instance string
	// Source describes how to load the subject again.
	Source verdict.Source
	// LeftOut lists the methods that are not operations, with reasons; it is never nil.
	LeftOut []verdict.LeftOut
	// Assumptions are the assumptions of every verdict about the subject, such as that the clock stands still.
	Assumptions []string
	// Lines reads the subject's source lines.
	Lines *Lines
	// Directories lists the directories of the packages of a test, without those of the standard library.
	Directories []string
	texts       *texts // strings made in executions; nil for a whole program
	// Compiled says how gc's own code of the collection is driven; then there is no Prog. nil: the subject is for the machine.
	Compiled *Compiled
}

// Compiled is a collection that gc compiles.
type Compiled struct {
	Dir     string // of the package
	Package string // its import path
	Name    string // of the package
	File    string // the file that drives it, with its text, the function that makes one, and those of the operations
	Text    []byte
	New     string
	Ops     []CompiledOp
	// Waiting tells when the code itself, as an oracle, allows an operation to wait for ever.
	Waiting Waiting
}

// CompiledOp is a function that calls an operation. Its first parameter is the collection, all others, and its results, are ints.
type CompiledOp struct {
	Func            string
	Params, Results int
}

// Announced is what a linearization policy announces.
type Announced struct {
	// Rules are the rules of the linearization policy; an announcement names one by its index.
	Rules []Rule
	// Every contains the operations of which the policy announces every outcome.
	Every map[string]bool
	// Unexcused: the policy must also announce the outcomes for which no announcement is needed otherwise, see Keyed.
	Unexcused bool
}

// Invariant is an invariant of the collection. Func's argument is the pointer to the collection; its result is one word, 0 for false.
type Invariant struct {
	collection.Invariant
	Func *ir.Func
}

// Operation is an operation of the collection.
type Operation struct {
	Name string
	// Func's arguments are the pointer to the collection and one word for each argument.
	Func *ir.Func
	// Tuple makes the operation's result from the words that Func returned.
	Tuple func(words []uint64) history.Tuple
	// Items are the indices of the result words that may be items.
	Items []int
	// Objects reports whether the last result identifies the returned objects.
	Objects bool
	// Client describes the threads that may call the operation, and its arguments.
	Client client.Op
	// Asks reports whether the code may ask which thread executes it. Then the last argument of a call is the number of the calling
	// thread: Func does not get it, and the oracle self executes the call as that thread.
	Asks bool
	// MayFail reports whether a result is a failure that is allowed while another call is in progress: by the documentation
	// (collection.Overrides.MayFail), or because the caller's context was cancelled (Cancelled); nil: none is.
	MayFail func(args, result history.Tuple) bool
	// Careful: no call of it begins where it, or one in progress, could then panic by the oracle (collection.Overrides.Careful).
	Careful bool
	// InTurn: the oracle self knows that other calls may meet one of it that waits (collection.Overrides.InTurn); nil: it does not.
	InTurn *Turns
	// End is the operation that ends the calls of this one, if it is BeginX of an oracle's type and that is EndX; else 0.
	End int
	// Unending reports whether a call is given a context that never ends; nil: no call is.
	Unending func(args history.Tuple) bool
	// Literal writes the int of a result, by its index, that is a string or an integer as Go source has it; false if it cannot.
	Literal func(result int, v int64) (string, bool)
	// Binding describes the operation as the oracle knows it; its Role is "" if the oracle does not know it.
	Binding oracle.Op
}

// Words appends the argument words of a call to dst: the collection, then the arguments of Func.
func (o *Operation) Words(dst []uint64, collection uint64, args history.Tuple) []uint64 {
	return ArgumentWords(dst, collection, o.Given(args))
}

// Given returns the arguments of a call that Func gets: all but the number of the calling thread.
func (o *Operation) Given(args history.Tuple) (given history.Tuple) {
	if !o.namesCaller(args) {
		return args
	}
	for i := range args.Len() - 1 {
		given = given.With(i, args.At(i))
	}
	return given
}

// Caller returns the number of the calling thread if the code may ask for it; else 0.
func (o *Operation) Caller(args history.Tuple) int {
	if !o.namesCaller(args) {
		return 0
	}
	return int(args.At(args.Len() - 1).Int)
}

// namesCaller reports whether the last argument is the number of the calling thread.
func (o *Operation) namesCaller(args history.Tuple) bool {
	return o.Asks && args.Len() == len(o.Client.Params)
}

// Asks reports whether any operation asks which thread executes it.
func (s *Subject) Asks() bool {
	return slices.ContainsFunc(s.Operations, func(o Operation) bool { return o.Asks })
}

// ArgumentWords appends the argument words of a call to dst: the collection, then the arguments.
func ArgumentWords(dst []uint64, collection uint64, args history.Tuple) []uint64 {
	dst = append(dst, collection)
	for i := range args.Len() {
		dst = append(dst, uint64(args.At(i).Int))
	}
	return dst
}

// HasOracleType reports whether the oracle is a Go type that the user names, whose code nobody watches.
func (s *Subject) HasOracleType() bool {
	_, named := collection.ParseOracle(s.About.Oracle).Type()
	return named
}

// ClientOps lists for each operation the threads that may call it, and its arguments.
func (s *Subject) ClientOps() []client.Op {
	ops := make([]client.Op, len(s.Operations))
	for i := range ops {
		ops[i] = s.Operations[i].Client
	}
	return ops
}
