// SPDX-License-Identifier: BSD-3-Clause

// Package vm executes compiled programs (package ir) with Go's semantics, over
// states that can be saved as flat, canonical words and loaded again.
//
// A Machine holds one state: threads with frames of word registers, a heap of
// typed objects, and what has been printed. Step runs one thread: it executes the
// visible access the thread stands at, then everything local up to the next one.
// An access is visible if another thread can reach the memory it touches, or if it
// synchronises. Every decision that Go leaves open is put to a Chooser.
//
// The package knows Go and nothing else: it does not search (package explore
// does), has no notion of operations, histories or properties, and does not load
// source code.
package vm

import (
	"slices"
	"strings"
	"sync"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Image is a program made ready for execution: what all machines share. It is
// immutable but for its caches, which are safe for concurrent use.
type Image struct {
	state.Ground
	builtins []*builtin  // by the ID of a function without code: its meaning, or nil
	crash    *state.Code // the last one
	// initInState says that package initialisation needs a decision, starts a
	// thread or blocks; then it is the first part of the first thread's run.
	initInState bool
	// usesCallers says that the program can ask for the calls in progress.
	usesCallers bool
	// hasTry says that the program can find out whether a lock is held.
	hasTry bool
	// regions says, by the ID of a function, what the atomic steps order that it begins.
	regions []regionOrder
	// counts says that the program can ask how many goroutines there are.
	counts bool
	// finalizes says that the program has finalizers of its own.
	finalizes bool
	// cutOff has the functions of goroutines that are cut off by design when main ends.
	cutOff map[*ir.Func]bool
	// numbers says that the program converts pointers to numbers.
	numbers bool
	needs   needs // see NeedsForm
	// purposes are what the words of the program's types are for, found when first asked.
	purposes func() *ir.Purposes
}

// NewImage prepares a program and runs its package initialisation.
func NewImage(prog *ir.Program) (*Image, error) {
	img := &Image{Ground: *state.NewGround(prog)}
	img.purposes = sync.OnceValue(func() *ir.Purposes { return ir.FindPurposes(prog) })
	for _, f := range prog.Funcs {
		img.finalizes = img.finalizes || finalizes(prog, f)
		img.usesCallers = img.usesCallers || tellsCallers[f.Name]
		img.numbers = img.numbers || slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return in.Op == ir.OpAddress })
		img.counts = img.counts || f.Name == "runtime.NumGoroutine"
		img.hasTry = img.hasTry || tries[f.Name]
		img.builtins = append(img.builtins, img.meaningOf(f))
		img.regions = append(img.regions, regionOrders[strings.Replace(f.Name, preludePath, "", 1)])
	}
	img.crash = img.crashCode()
	if err := img.initialise(); err != nil {
		return nil, err
	}
	img.NumberClasses()
	return img, nil
}

// meaningOf is the meaning of a function that has no code.
func (img *Image) meaningOf(f *ir.Func) *builtin {
	if !f.External {
		return nil
	}
	return meaning(f.Name)
}
