// SPDX-License-Identifier: BSD-3-Clause

// Package facts says what a machine does and holds in the words of a verdict: the accesses of
// its threads with the calls in progress, who waits for whom, the memory and where threads
// stand.
//
// It takes a machine (package vm) that executes something again and gives plain data (package
// verdict), in which threads, steps and calls are counted from 1. It decides nothing: what is
// executed, and whether it is wrong, is for engines to say; how it looks, for renderers.
package facts

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// accessKinds are the verdict's words for instructions.
var accessKinds = map[ir.Op]verdict.AccessKind{
	ir.OpLoad: verdict.Read, ir.OpStore: verdict.Write,
	ir.OpAtomicLoad: verdict.Read, ir.OpAtomicStore: verdict.Write, ir.OpAtomicSwap: verdict.Swap, ir.OpAtomicCAS: verdict.CompareAndSwap,
	ir.OpAtomicAdd: verdict.Add, ir.OpAtomicAnd: verdict.And, ir.OpAtomicOr: verdict.Or,
	ir.OpMapGet: verdict.MapGet, ir.OpMapSet: verdict.MapSet, ir.OpMapDel: verdict.MapDelete, ir.OpMapClear: verdict.MapClear, ir.OpMapLen: verdict.MapLen,
	ir.OpSend: verdict.Send, ir.OpRecv: verdict.Receive, ir.OpSelect: verdict.Select, ir.OpClose: verdict.Close,
	ir.OpCall: verdict.LibraryCall,
}

// Step is a step in a verdict for an access e of a thread, counted from 0.
func (f *Frames) Step(thread int, e *vm.Event) verdict.Step {
	a := &verdict.Access{Kind: accessKinds[e.Op], Function: e.Function, Object: e.Object, Type: e.Type, Field: e.Field,
		Old: e.Old, New: e.New, Expected: e.Expected, Proposed: e.Proposed, Done: e.Done}
	switch e.Op {
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		a.Atomic = true
	}
	return verdict.Step{Thread: thread + 1, Place: verdict.Place(e.Place), Access: a, Frame: f.Number(e.Stack)}
}

// Frames numbers calls in progress, from 1. Most steps share their calls with others. The zero
// value is empty.
type Frames struct {
	list  []verdict.Frame
	known map[verdict.Frame]int
}

// List returns the calls in the order of their numbers.
func (f *Frames) List() []verdict.Frame { return f.list }

// Number is the number of the innermost call of a stack.
func (f *Frames) Number(stack []vm.Frame) int {
	caller := 0
	for _, call := range slices.Backward(stack) {
		frame := verdict.Frame{Place: verdict.Place(call.Place), Library: call.Library, Model: call.Model, Caller: caller}
		if f.known[frame] == 0 {
			f.list = append(f.list, frame)
			if f.known == nil {
				f.known = map[verdict.Frame]int{}
			}
			f.known[frame] = len(f.list)
		}
		caller = f.known[frame]
	}
	return caller
}

// Situation describes what a thread is doing that is stuck or goes on for ever. place is the
// thread's place in the machine; number maps places to thread numbers counted from 0.
func (f *Frames) Situation(m *vm.Machine, place int, number func(place int) int) verdict.Situation {
	s := m.Situation(place)
	x := verdict.Situation{Thread: number(place) + 1, Waits: s.Waits, For: s.For, Object: s.Object,
		Place: verdict.Place(s.Place), At: m.WaitsAt(place), Holds: m.HeldBy(place), Frame: f.Number(m.Stack(place))}
	for _, holder := range m.HoldersOf(place) {
		x.HeldBy = append(x.HeldBy, number(holder)+1)
	}
	return x
}

// Quote adds the lines of source to the steps, and if there are scenes also the lines around them.
func Quote(w *verdict.Witness, source *subject.Lines) {
	if w.Scenes != nil {
		w.Around = around(w, source)
	}
	for i := range w.Steps {
		if at := w.Steps[i].Place; at.File != "" {
			w.Steps[i].Source = source.Line(at.File, at.Line)
		}
	}
}
