// SPDX-License-Identifier: BSD-3-Clause

package facts

import (
	"reflect"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Tests that stacks share their frames, and that steps are told with their accesses.

func at(function string, line int) vm.Frame {
	return vm.Frame{Place: vm.Place{Function: function, File: "stack.go", Line: line}}
}

// Push calls link in line 10, from which cas is called, in a library; then Push is in line 11. A stack is listed from its innermost call.
func TestFrames_AreSharedByStacks(t *testing.T) {
	push, link := at("Push", 10), at("link", 20)
	cas := vm.Frame{Place: vm.Place{Function: "CompareAndSwap", File: "atomic.go", Line: 5}, Library: true, Model: true}
	var f Frames
	for i, c := range []struct {
		stack []vm.Frame
		want  int
	}{
		{nil, 0},
		{[]vm.Frame{push}, 1},
		{[]vm.Frame{cas, link, push}, 3},
		{[]vm.Frame{link, push}, 2},
		{[]vm.Frame{at("Push", 11)}, 4},
		{[]vm.Frame{link, at("Push", 11)}, 5}, // link is called from another line
		{[]vm.Frame{cas, link, push}, 3},
	} {
		if got := f.Number(c.stack); got != c.want {
			t.Errorf("stack %d has number %d, want %d", i, got, c.want)
		}
	}
	frame := func(function string, line, caller int) verdict.Frame {
		return verdict.Frame{Place: verdict.Place{Function: function, File: "stack.go", Line: line}, Caller: caller}
	}
	inside := verdict.Frame{Place: verdict.Place{Function: "CompareAndSwap", File: "atomic.go", Line: 5}, Library: true, Model: true, Caller: 2}
	want := []verdict.Frame{frame("Push", 10, 0), frame("link", 20, 1), inside, frame("Push", 11, 0), frame("link", 20, 4)}
	if !reflect.DeepEqual(f.List(), want) {
		t.Errorf("the frames are\n%v, want\n%v", f.List(), want)
	}
}

// A thread's steps are told with what they access; threads are counted from 1.
func TestStep_TellsTheAccess(t *testing.T) {
	place := vm.Place{Function: "Push", File: "stack.go", Line: 10}
	for _, c := range []struct {
		e    vm.Event
		want verdict.Access
	}{
		{vm.Event{Op: ir.OpAtomicCAS, Object: "Stack#1", Type: "Stack", Field: ".top", Old: "nil", New: "cell#2", Expected: "nil", Proposed: "cell#2", Done: true},
			verdict.Access{Kind: verdict.CompareAndSwap, Atomic: true, Object: "Stack#1", Type: "Stack", Field: ".top", Old: "nil", New: "cell#2",
				Expected: "nil", Proposed: "cell#2", Done: true}},
		{vm.Event{Op: ir.OpStore, Object: "cell#2", Field: ".item", Old: "0", New: "7"},
			verdict.Access{Kind: verdict.Write, Object: "cell#2", Field: ".item", Old: "0", New: "7"}},
		{vm.Event{Op: ir.OpAtomicStore}, verdict.Access{Kind: verdict.Write, Atomic: true}},
		{vm.Event{Op: ir.OpLoad}, verdict.Access{Kind: verdict.Read}},
		{vm.Event{Op: ir.OpAtomicLoad}, verdict.Access{Kind: verdict.Read, Atomic: true}},
		{vm.Event{Op: ir.OpAtomicAdd}, verdict.Access{Kind: verdict.Add, Atomic: true}},
		{vm.Event{Op: ir.OpAtomicAnd}, verdict.Access{Kind: verdict.And, Atomic: true}},
		{vm.Event{Op: ir.OpAtomicOr}, verdict.Access{Kind: verdict.Or, Atomic: true}},
		{vm.Event{Op: ir.OpAtomicSwap}, verdict.Access{Kind: verdict.Swap, Atomic: true}},
		{vm.Event{Op: ir.OpMapSet}, verdict.Access{Kind: verdict.MapSet}},
		{vm.Event{Op: ir.OpRecv}, verdict.Access{Kind: verdict.Receive}},
		{vm.Event{Op: ir.OpCall, Function: "Lock"}, verdict.Access{Kind: verdict.LibraryCall, Function: "Lock"}},
	} {
		c.e.Place, c.e.Stack = place, []vm.Frame{at("Push", 10)}
		var f Frames
		got := f.Step(1, &c.e)
		if *got.Access != c.want {
			t.Errorf("%v is told as %+v, want %+v", c.e.Op, *got.Access, c.want)
		}
		if got.Thread != 2 || got.Place != verdict.Place(place) || got.Frame != 1 {
			t.Errorf("%v: thread %d, %v, frame %d", c.e.Op, got.Thread, got.Place, got.Frame)
		}
	}
}
