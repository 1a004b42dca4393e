// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Weaker is linearizability in which some operations that only read are judged otherwise: their calls see what other calls do while they
// last, and need no moment of their own. All other calls take effect at a moment.
//
// The definitions, which doc/weaker.md has with examples, are about an order of the calls that are not such reads, which takes each call
// after those that had returned before it began. What a read returns has to be what the specification gives it
//
//	parts    after the calls before the read, and those during the read of which it sees some: of those with one key the first ones
//	some     after the calls that it sees in that order: all that had returned before it began, and any of those that overlap it
//	between  some number from the least to the greatest that some allows
//	stale    in a state during the read, or in one of the last K different ones before it
//	quiet    in the state during the read if no call that is not such a read overlaps it; else anything but a panic
//	eventually  as quiet, but in some state before its end, the first one included, where quiet says anything
//
// A call that changes nothing where it takes effect is not seen. For parts, stale and eventually a read has a beginning and an end in the order, and what
// is between them is during the read: parts is interval linearizability (A. Castañeda, S. Rajsbaum, M. Raynal, Unifying concurrent objects
// and distributed tasks, JACM 2018) of reads. For some a read has a place of its own in no order that all agree on: it is what L. Lamport
// (On interprocess communication, 1986) calls regular, and quiet is what he calls safe, of any reads instead of those of a register.
type Weaker struct {
	Property Property
	// Of is what each operation promises, by its index in calls; the zero Meaning of those that are linearizable.
	Of []verdict.Meaning
	// Key is the index of each operation's argument that is its key; -1: it has none.
	Key []int
	// End is, for each lasting operation (verdict.Interval), the operation of the specification that ends its calls; -1: it takes effect at
	// one moment. Nil: there is no lasting one. See intervals.
	End []int
	// Name is each operation's name, for errors.
	Name []string
}

// meaning is what the operation of a call promises; the zero Meaning: it is linearizable.
func (w *Weaker) meaning(op int) verdict.Meaning {
	if op < len(w.Of) {
		return w.Of[op]
	}
	return verdict.Meaning{}
}

// reads reports whether an operation is judged as a read that lasts.
func (w *Weaker) reads(op int) bool {
	m := w.meaning(op)
	return m.Name != "" && m.Reads()
}

// Overlapping reports whether there is an operation that lasts; if not, a history is judged as for linearizability.
func (w *Weaker) Overlapping() bool {
	return w.End != nil || slices.ContainsFunc(w.Of, func(m verdict.Meaning) bool { return m.Name != "" && m.Reads() })
}

// has reports whether some operation has the meaning.
func (w *Weaker) has(name string) bool {
	return slices.ContainsFunc(w.Of, func(m verdict.Meaning) bool { return m.Name == name })
}

// key is the key of a call, if it has one.
func (w *Weaker) key(c oracle.Call) (key int64, ok bool) {
	if c.Op >= len(w.Key) || w.Key[c.Op] < 0 {
		return 0, false
	}
	return c.Args.At(w.Key[c.Op]).Int, true
}

// mostStale is how many states before the present one some read may return.
func (w *Weaker) mostStale() (most int) {
	for _, m := range w.Of {
		if m.Name == verdict.Stale {
			most = max(most, m.Bound)
		}
	}
	return most
}

// number is the result's only value, for the meaning between.
func number(t history.Tuple) (n int64, ok bool) {
	return t.At(0).Int, t.Len() == 1 && t.At(0).Kind == history.Int
}

// errNoNumber says that between has no meaning for a call.
func (w *Weaker) errNoNumber(c oracle.Call, result history.Tuple) error {
	return fmt.Errorf("the meaning %s is for operations that return one number, and %s(%s) returns (%s)", verdict.Between, w.Name[c.Op], c.Args, result)
}

// errChanges says that a call is not a read.
func (w *Weaker) errChanges(c oracle.Call) error {
	return fmt.Errorf("the meaning %s is for operations that only read, and %s(%s) may change what is held", w.Of[c.Op], w.Name[c.Op], c.Args)
}

// NewWeakerMonitor is NewMonitor for a weaker property.
func NewWeakerMonitor(a *oracle.Automaton, w Weaker, threads int) (*HistoryMonitor, error) {
	if !w.Overlapping() {
		return NewMonitor(a, Linear, threads)
	}
	if w.End != nil {
		return newMonitor(a, intervals{auto: a, threads: threads, end: w.End}, threads)
	}
	return newMonitor(a, overlapping{auto: a, threads: threads, weaker: &w}, threads)
}
