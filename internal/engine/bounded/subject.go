package bounded

import (
	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// Subject is a collection made ready: compiled, with the functions that drive it.
type Subject struct {
	Prog *ir.Program
	// New returns a pointer to a new collection.
	New *ir.Func
	// Operations are what clients call, in the order of the oracle's operations.
	Operations []Operation
	// Spec is the sequential specification.
	Spec oracle.Spec
}

// Operation is an operation of the collection.
type Operation struct {
	Name string
	// Func is called with the pointer to the collection and one word for each
	// argument.
	Func *ir.Func
	// Tuple reads the words that Func returned.
	Tuple func(words []uint64) history.Tuple
	// TellsItems says that no result confuses an item with the absence of one
	// (oracle.Op.TellsItems); otherwise items are not renamed.
	TellsItems bool
	// Client says who may call it with what.
	Client client.Op
}

// argumentWords gives the argument words of a call: the collection, then the arguments.
func argumentWords(dst []uint64, collection uint64, args history.Tuple) []uint64 {
	dst = append(dst, collection)
	for i := range args.Len() {
		dst = append(dst, uint64(args.At(i).Int))
	}
	return dst
}
