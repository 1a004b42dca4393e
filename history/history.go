// SPDX-License-Identifier: BSD-3-Clause

// Package history is the vocabulary of concurrent histories: which thread
// called what, with which arguments, in which order the calls began and
// returned, and what they returned.
//
// It takes events as an execution produces them and gives them back as
// operations, or as text with one line per event.
//
// It does not judge a history (package internal/consist does), knows no
// sequential specification (package oracle) and holds nothing about how an
// execution came about: no schedule, no memory, no source positions.
package history

import (
	"fmt"
	"strings"
)

// Phase tells the two events of an operation apart.
type Phase uint8

const (
	Invoke  Phase = iota // the call begins
	Respond              // the call returns (or panics)
)

// Event is the invocation or the response of one operation.
type Event struct {
	Phase  Phase
	Thread int    // counted from 0; printed from 1
	Method int    // index into the operations of the collection
	Name   string // the method's name, for printing
	Args   Tuple
	Result Tuple // meaningful in a response only
	// Notation is the method's, for printing.
	Notation *Notation
}

// Operation is one call with both of its events.
type Operation struct {
	Thread    int
	Method    int
	Name      string
	Args      Tuple
	Result    Tuple // meaningful if Returned
	Returned  bool  // false: the call never returned, it is stuck
	Invoked   int   // index of its invocation among the events
	Responded int   // index of its response; len(events) if there is none
	Notation  *Notation
}

// History is a sequence of events. It is complete if every invocation has its
// response, and stuck otherwise (COLLECT, section 2).
type History struct {
	Threads int
	Events  []Event
}

// Validate reports the first event that does not fit: a thread out of range, an
// invocation while the thread's last call is open, a response without one.
func (h History) Validate() error {
	open := make(map[int]Event)
	for i, e := range h.Events {
		call, busy := open[e.Thread]
		switch {
		case e.Thread < 0 || e.Thread >= h.Threads:
			return fmt.Errorf("event %d: thread %d of %d", i, e.Thread+1, h.Threads)
		case e.Phase == Invoke && busy:
			return fmt.Errorf("event %d: thread %d invokes %s during %s", i, e.Thread+1, e.Name, call.Name)
		case e.Phase == Respond && !busy:
			return fmt.Errorf("event %d: thread %d returns without a call", i, e.Thread+1)
		case e.Phase == Respond && (call.Method != e.Method || call.Args != e.Args):
			return fmt.Errorf("event %d: thread %d returns from %s, it called %s", i, e.Thread+1, e.Name, call.Name)
		}
		if e.Phase == Invoke {
			open[e.Thread] = e
		} else {
			delete(open, e.Thread)
		}
	}
	return nil
}

// Operations lists the calls in the order of their invocations.
func (h History) Operations() []Operation {
	var ops []Operation
	open := make(map[int]int)
	for i, e := range h.Events {
		if e.Phase == Invoke {
			open[e.Thread] = len(ops)
			ops = append(ops, Operation{
				Thread: e.Thread, Method: e.Method, Name: e.Name, Args: e.Args,
				Invoked: i, Responded: len(h.Events), Notation: e.Notation,
			})
			continue
		}
		op := &ops[open[e.Thread]]
		op.Result, op.Returned, op.Responded = e.Result, true, i
	}
	return ops
}

// Stuck lists the threads, ascending, whose last call has no response.
func (h History) Stuck() []int {
	busy := make([]bool, h.Threads)
	for _, e := range h.Events {
		busy[e.Thread] = e.Phase == Invoke
	}
	var stuck []int
	for thread, b := range busy {
		if b {
			stuck = append(stuck, thread)
		}
	}
	return stuck
}

// Complete reports whether every call returned.
func (h History) Complete() bool { return len(h.Stuck()) == 0 }

// Without is the history with the last, unanswered invocations of the given
// threads removed: COLLECT's alpha[i] when threads are the stuck ones but i.
func (h History) Without(threads []int) History {
	drop := make(map[int]bool)
	for _, op := range h.Operations() {
		for _, t := range threads {
			if op.Thread == t && !op.Returned {
				drop[op.Invoked] = true
			}
		}
	}
	out := History{Threads: h.Threads}
	for i, e := range h.Events {
		if !drop[i] {
			out.Events = append(out.Events, e)
		}
	}
	return out
}

// Precedes reports whether a returned before b was invoked.
func (o Operation) Precedes(b Operation) bool { return o.Returned && o.Responded < b.Invoked }

// Call is the call without its result, such as "Remove(1)".
func (o Operation) Call() string { return o.Notation.Call(o.Name, o.Args) }

// String is the call with its result, such as "Remove(1) = false", or "… never
// returns" for a stuck one.
func (o Operation) String() string {
	call := o.Call()
	switch {
	case !o.Returned:
		return call + " never returns"
	case o.Result.IsPanic():
		return call + " panics"
	case o.Result.Len() == 0:
		return call
	}
	return call + " = " + o.Notation.Results(o.Result)
}

// String is the event without its thread.
func (e Event) String() string {
	o := Operation{Name: e.Name, Args: e.Args, Result: e.Result, Returned: true, Notation: e.Notation}
	if e.Phase == Invoke {
		return "calls   " + o.Call()
	}
	return "returns " + o.String()
}

// String prints one line per event, in order.
func (h History) String() string {
	var b strings.Builder
	for _, e := range h.Events {
		fmt.Fprintf(&b, "%d %s\n", e.Thread+1, e)
	}
	for _, t := range h.Stuck() {
		fmt.Fprintf(&b, "%d is stuck\n", t+1)
	}
	return b.String()
}
