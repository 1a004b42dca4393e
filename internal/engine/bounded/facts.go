package bounded

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// What the machine and the judge say of an execution, as a verdict holds it: threads,
// steps and calls are counted from 1 there.

// accessKinds are the verdict's words for instructions.
var accessKinds = map[ir.Op]verdict.AccessKind{
	ir.OpLoad: verdict.Read, ir.OpStore: verdict.Write,
	ir.OpAtomicLoad: verdict.Read, ir.OpAtomicStore: verdict.Write, ir.OpAtomicSwap: verdict.Swap, ir.OpAtomicCAS: verdict.CompareAndSwap,
	ir.OpAtomicAdd: verdict.Add, ir.OpAtomicAnd: verdict.And, ir.OpAtomicOr: verdict.Or,
	ir.OpMapGet: verdict.MapGet, ir.OpMapSet: verdict.MapSet, ir.OpMapDel: verdict.MapDelete, ir.OpMapClear: verdict.MapClear, ir.OpMapLen: verdict.MapLen,
	ir.OpSend: verdict.Send, ir.OpRecv: verdict.Receive, ir.OpSelect: verdict.Select, ir.OpClose: verdict.Close,
	ir.OpCall: verdict.LibraryCall,
}

// stepOf is the step in which a thread makes an access.
func (f *frames) stepOf(thread int, e *vm.Event) verdict.Step {
	a := &verdict.Access{Kind: accessKinds[e.Op], Function: e.Function, Object: e.Object, Type: e.Type, Field: e.Field,
		Old: e.Old, New: e.New, Expected: e.Expected, Proposed: e.Proposed, Done: e.Done}
	switch e.Op {
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		a.Atomic = true
	}
	return verdict.Step{Thread: thread + 1, Place: verdict.Place(e.Place), Access: a, Frame: f.number(e.Stack)}
}

// frames numbers calls in progress, from 1: steps share most of them.
type frames struct {
	list  []verdict.Frame
	known map[verdict.Frame]int
}

// number is that of the innermost call of a stack.
func (f *frames) number(stack []vm.Frame) int {
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

// invoked is a call that begins with the given step.
func invoked(e *history.Event, step int) verdict.Event {
	return verdict.Event{Thread: e.Thread + 1, Operation: e.Name, Args: list(e.Notation.Arguments(e.Args)), Results: []string{}, Invoked: step}
}

// conflictsOf are the two sides of a race. What the caller of an operation does has no
// place.
func (r *replayer) conflictsOf(race vm.Race) []verdict.Conflict {
	var both []verdict.Conflict
	for side, thread := range race.Threads {
		c := verdict.Conflict{Thread: thread + 1, Write: race.Write[side], Object: race.What,
			Place: verdict.Place(race.At[side]), Frame: r.frames.number(r.c.m.Stack(thread)), Holds: r.c.m.HeldBy(thread)}
		if race.Caller[side] {
			c.Place = verdict.Place{Function: "the caller of " + r.names[thread]}
		}
		both = append(both, c)
	}
	return both
}

// crash is where the last panic of a thread, counted from 0, began.
func (r *replayer) crash(thread int, text string) *verdict.Crash {
	return &verdict.Crash{Thread: thread + 1, Text: text, Frame: r.frames.number(r.c.m.Raised())}
}

// situation says what a thread does that is stuck, or goes on for ever.
func (r *replayer) situation(thread int) verdict.Situation {
	m := r.c.m
	s := m.Situation(thread)
	x := verdict.Situation{Thread: thread + 1, Operation: r.names[thread], Waits: s.Waits, For: s.For, Object: s.Object,
		Place: verdict.Place(s.Place), At: m.WaitsAt(thread), Holds: m.HeldBy(thread), Frame: r.frames.number(m.Stack(thread))}
	for _, holder := range m.HoldersOf(thread) {
		x.HeldBy = append(x.HeldBy, holder+1)
	}
	return x
}

// explain turns an explanation of a part of a history into one of the whole.
func explain(why *consist.Explanation, h history.History) *verdict.Explanation {
	x := &verdict.Explanation{Kind: verdict.NoOrder, Property: string(why.Property), Unfinished: why.Unfinished}
	calls := numbersOf(why.Operations, h.Operations())
	x.Calls = calls
	if why.Thread >= 0 {
		x.Stuck = append(x.Stuck, why.Thread+1)
	}
	if why.Partner >= 0 {
		x.Kind, x.Stuck = verdict.Partners, append(x.Stuck, why.Partner+1)
		return x
	}
	for _, end := range why.DeadEnds {
		order := verdict.Order{Calls: []int{}}
		for _, op := range end.Order {
			order.Calls = append(order.Calls, calls[op])
		}
		for _, r := range end.Rejected {
			rejected := verdict.Rejection{Call: calls[r.Op], Allowed: []verdict.Returned{}}
			for _, result := range r.Allowed {
				rejected.Allowed = append(rejected.Allowed, returned(why.Operations[r.Op].Notation, result))
			}
			order.Rejected = append(order.Rejected, rejected)
		}
		x.Tried = append(x.Tried, order)
	}
	return x
}

// numbersOf finds calls among all calls, of which the last of some threads may be missing.
func numbersOf(some, all []history.Operation) []int {
	numbers, at := make([]int, len(some)), 0
	for i, op := range some {
		for all[at].Thread != op.Thread || all[at].Method != op.Method || all[at].Args != op.Args {
			at++
		}
		at++
		numbers[i] = at
	}
	return numbers
}

func returned(n *history.Notation, result history.Tuple) verdict.Returned {
	return verdict.Returned{Results: list(n.Returned(result)), Panicked: result.IsPanic()}
}

// list is never nil, so that it is a list in JSON.
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
