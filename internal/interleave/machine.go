// Package interleave shows the machine (internal/vm) to the search (internal/explore).
//
// It takes compiled programs and gives what every engine needs that executes them under
// all interleavings: the options of machines, with the bounds on what an execution may
// take. It knows neither what is searched for nor what is called.
package interleave

import (
	"pangolin/internal/client"
	"pangolin/internal/vm"
)

// Operations are the options of a machine that executes a collection's operations: bounds
// on what one execution may take, far beyond what small clients give reason for. No
// reduction is switched off.
func Operations(h client.Hash) vm.Options {
	return vm.Options{Hash: HashModel(h), HeapBytes: 64 << 20, Frames: 10_000, LocalSteps: 1_000_000}
}

// HashModel is the machine's form of a hash model.
func HashModel(h client.Hash) vm.Hash {
	if !h.Nondeterministic {
		return vm.Hash{}
	}
	return vm.Hash{Domain: h.Domain, Range: h.Range}
}
