// SPDX-License-Identifier: BSD-3-Clause

// Package interleave shows the machine (internal/vm) to the search (internal/explore).
//
// It takes compiled programs and gives what every engine needs that executes them under
// all interleavings: the options of machines, with the bounds on what an execution may
// take, walks along paths that a search has found, and the cycles on which an execution can
// stay with a fair scheduler. It knows neither what is searched for nor what is called.
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

// Bounds of a machine that executes a whole program. A program that exceeds one is taken to
// be one that would go on without end.
const (
	heapBytes   = 32 << 20
	stringBytes = 256 << 20
	frames      = 100_000
	threads     = 255 // more have no names of their own in the search
	localSteps  = 50_000_000
)

// Program are the options of a machine that executes a whole program with some reductions.
func Program(set vm.Reductions) vm.Options {
	return vm.Options{
		NoSymmetry: set&vm.Symmetry == 0, Places: set&vm.Symmetry == 0, NoFusing: set&vm.Fusing == 0,
		HeapBytes: heapBytes, StringBytes: stringBytes, Frames: frames, Threads: threads, LocalSteps: localSteps,
	}
}

// Plain are the same options without any reduction: every thread is known by its number,
// every access is a step.
func Plain(opt vm.Options) vm.Options {
	opt.NoFusing, opt.NoSymmetry, opt.Places, opt.Frozen, opt.Guards = true, true, false, nil, nil
	return opt
}

// Operations are the options of a machine that executes a collection's operations under a model of hash functions
// (vm.Hash{}: the identity). The bounds on memory, frames and steps are far beyond what small clients give reason for.
// No reduction is switched off.
func Operations(h vm.Hash) vm.Options {
	return vm.Options{Hash: h, HeapBytes: 64 << 20, Frames: 10_000, LocalSteps: 1_000_000, Threads: threads}
}
