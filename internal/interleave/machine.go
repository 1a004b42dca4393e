// SPDX-License-Identifier: BSD-3-Clause

// Package interleave connects the machine (internal/vm) and the search (internal/explore).
//
// It takes compiled programs and provides what every engine needs that executes them under all interleavings: the options of machines
// with their bounds, walks along paths that a search has found, executing such a path again, and the cycles in which an execution can
// stay under a fair scheduler. It knows neither properties nor operations.
package interleave

import (
	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// Cursor is a search's cursor over a machine.
type Cursor interface {
	explore.Cursor
	Machine() *vm.Machine
}

// Bounds on the execution of a whole program. A program that exceeds one is taken to run for ever.
const (
	heapBytes   = 32 << 20
	stringBytes = 256 << 20
	frames      = 100_000
	threads     = 4096 // that exist at a time
	localSteps  = 50_000_000
)

// Program returns the options of a machine that executes a whole program with the given reductions.
func Program(set vm.Reductions) vm.Options {
	return vm.Options{
		NoSymmetry: set&vm.Symmetry == 0, Places: set&vm.Symmetry == 0, NoFusing: set&vm.Fusing == 0,
		HeapBytes: heapBytes, StringBytes: stringBytes, Frames: frames, Threads: threads, LocalSteps: localSteps,
	}
}

// Plain returns the same options without any reduction: threads are not sorted, and every access is a step.
func Plain(opt vm.Options) vm.Options {
	opt.NoFusing, opt.NoSymmetry, opt.Places, opt.Frozen, opt.Guards = true, true, false, nil, nil
	return opt
}

// Operations returns the options of a machine that executes a collection's operations under a model of hash functions (vm.Hash{}: the
// identity), with all reductions. The bounds on memory, frames and steps are far beyond the needs of small clients.
func Operations(h vm.Hash) vm.Options {
	return vm.Options{Hash: h, HeapBytes: 64 << 20, Frames: 10_000, LocalSteps: 1_000_000, Threads: threads}
}
