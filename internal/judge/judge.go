// SPDX-License-Identifier: BSD-3-Clause

// Package judge decides whether a recorded history of a running system can be explained by an order
// of its calls.
//
// It takes calls with their results and the order in which they began and returned, and a kind
// (register, map, queue, …) that says what calls do one after another. It answers with a Verdict:
// ok, violated with the part of the history that no order explains, or unknown when a limit was
// reached.
//
// Three ways lead to an answer. A history of a map or a set is divided by key first: it is
// linearizable if and only if each key's part is (P-compositionality: Herlihy and Wing, 1990,
// theorem 1). Where each value is written once, registers, queues, stacks and priority queues are
// decided in O(n log n) (register.go, queue.go, stack.go, pqueue.go); the comments there have the
// proofs. Everything else is searched (search.go), with remembered configurations.
//
// The package reads no files (package record below it does) and executes no Go code of users.
package judge

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Never is the End of a call that did not return: it may have taken effect at any time from its
// Begin on, or not at all.
const Never int32 = math.MaxInt32

// Call is one call of the history.
type Call struct {
	Key  Value // key of a map or set; 0 for other kinds
	A, B Value // the other arguments
	// R is the result: a value, or 0 and 1 for false and true. Nil stands for "nothing there".
	R          Value
	Begin, End int32 // positions of invocation and response among all events of the history; all positions differ
	Client     int32 // index in History.Clients
	Line       int32 // line of the input, for messages
	Op         Op
	Unknown    bool // the result is unknown, and R means nothing
}

// Pending reports whether the call never returned.
func (c *Call) Pending() bool { return c.End == Never }

// History is what was recorded.
type History struct {
	Kind    Kind
	Initial Value // initial value of a register, or of each key of a map
	Calls   []Call
	Clients []string // names of the clients
	Values  *Values
	Source  string // name of the file, for messages
	// Times are those of all events, by position; nil if there are none.
	Times []int64

	spec  Spec // of an object
	keyed bool // all calls of an object have keys
}

// Status is the answer.
type Status uint8

// The answers.
const (
	OK       Status = iota // an order explains the history
	Violated               // no order does
	Unknown                // a limit was reached
)

// String is the word that is printed.
func (s Status) String() string {
	return [...]string{"ok", "violated", "unknown"}[s]
}

// Property is what a history is asked to be.
type Property string

// The properties.
const (
	Linear     Property = "linear" // the order keeps each pair of calls of which one returned before the other began
	Sequential Property = "sc"     // the order keeps each client's calls in their order
	Causal     Property = "causal" // causal.go has the definition
	// Serializable is about transactions: any order will do. Transactions that are linear are what is known as strictly serializable.
	Serializable Property = "serializable"
)

// Options are the property and the limits.
type Options struct {
	Property Property // Linear if empty
	// Limit ends the search; 0 is no limit.
	Limit time.Duration
	// MaxMemory bounds the bytes of remembered configurations and states of one search; 0 is 1 GiB.
	MaxMemory int64
	// SearchOnly leaves out the algorithms for values that differ.
	SearchOnly bool
	// Verdict only: a violation is not minimised.
	NoWitness bool
}

// Verdict is the answer with its reason.
type Verdict struct {
	Status   Status
	Property Property
	Calls    int
	Parts    int // into which the history was divided
	// Witness are the calls of the smallest part found that no order explains, by Begin; of a
	// violation only.
	Witness []Call
	// Confirmed reports that all orders of the witness were tried, one by one.
	Confirmed bool
	// Cycle are dependencies of the witness, transactions that each have to come before the next one; the last is about the last
	// call and the first. Anomaly is what the literature calls such a cycle, such as G-single.
	Cycle   []Dependency
	Anomaly string
	// Key is the key of the part that is violated or unknown, if the history was divided.
	Key     Value
	Divided bool
	// Assumed is true of an object that was divided as its user says, which nothing checks.
	Assumed bool
	// Explained counts the calls that returned before the first one that no order explained when
	// the limit was reached, of Of in the part.
	Explained, Of int
	Reason        string // of Unknown: which limit
	Way           string // how it was decided: the search, or the algorithm for values that differ
}

// outcome is what is known of one part.
type outcome struct {
	status    Status
	calls     []Call // a violated part of these calls, not minimised
	explained int
	reason    string
	way       string
	cycle     []Dependency
	anomaly   string
}

// Judge decides whether the history has the property.
func Judge(ctx context.Context, h *History, o Options) Verdict {
	if o.Property == "" {
		o.Property = Linear
	}
	if o.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Limit)
		defer cancel()
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 1 << 30
	}
	h.within(ctx)
	v := Verdict{Property: o.Property, Calls: len(h.Calls)}
	j := &job{ctx: ctx, h: h, o: o}
	parts := j.parts()
	v.Parts, v.Assumed = len(parts), h.Kind == Object && len(parts) > 0 && parts[0].divided
	for round := 0; len(parts) > 0; round++ {
		budget := firstBudget
		switch j.other = round == 1; {
		case j.other:
			budget = firstBudget / 4
		case round > 1:
			budget = firstBudget << (4*round - 1)
		}
		var left []part
		for i := range parts {
			p := &parts[i]
			got := j.decide(p, budget)
			if h.interrupted() {
				got = outcome{status: Unknown, reason: j.overtime(), way: got.way, explained: got.explained}
			}
			switch {
			case got.status == Violated:
				v.about(p, got)
				v.Witness = got.calls
				if !o.NoWitness && got.cycle == nil {
					v.Witness, v.Confirmed = j.minimise(got.calls)
				}
				return v
			case got.status == OK && v.Way == "":
				v.Way = got.way
			case got.status == OK:
			case got.reason == limitBudget:
				left = append(left, *p)
			case v.Status == OK:
				v.about(p, got) // a violation elsewhere is worth looking for
			}
		}
		parts = left
	}
	return v
}

// firstBudget is how often the search of a part goes back before the other parts have their turn: a violation in one of them is an answer. In
// the second round, which is shorter, blind writes are hidden in the other order (search.choose): what is hopeless in the one order may be found at once in the other.
var firstBudget = 1 << 5 // a variable for tests, whose histories are short

// about notes what came of a part.
func (v *Verdict) about(p *part, got outcome) {
	v.Status, v.Key, v.Divided, v.Of = got.status, p.key, p.divided, len(p.calls)
	v.Explained, v.Reason, v.Way = got.explained, got.reason, got.way
	v.Cycle, v.Anomaly = got.cycle, got.anomaly
}

// job is one history being judged.
type job struct {
	ctx context.Context
	h   *History
	o   Options

	other   bool  // search.other
	carried int64 // bytes of searches that parts keep until their next turns
}

// decide judges one part, whose calls are in the order of their Begin. The budget bounds the
// configurations of a search; 0 does not.
func (j *job) decide(p *part, budget int) outcome {
	if j.h.Kind == Object && j.h.spec == nil {
		return outcome{status: Unknown, reason: ErrNoSpec.Error()}
	}
	if j.h.overflows(p.calls) {
		return outcome{status: Unknown, reason: "the amounts that are added are too large: a sum of them may not fit 64 bits"}
	}
	g, ofSession := j.o.Property.guarantees()
	if j.h.Kind == Transactions && (ofSession || j.o.Property == Causal) {
		return outcome{status: Unknown, reason: fmt.Sprintf("%s is a property of single reads and writes: of transactions linear, sc and serializable are decided", j.o.Property)}
	}
	if j.h.Kind == Transactions && !j.o.SearchOnly && !p.searched {
		if got, ok := j.serialize(p.calls); ok {
			return got
		}
		p.searched = true
	}
	if ofSession {
		return j.sessions(p.calls, g)
	}
	switch j.o.Property {
	case Serializable:
		if j.h.Kind != Transactions {
			return outcome{status: Unknown, reason: "serializable is a property of transactions"}
		}
		return j.interleave(p.calls, false)
	case Sequential:
		return j.interleave(p.calls, true)
	case Causal:
		return j.causal(p.calls)
	}
	if !j.o.SearchOnly && !p.searched {
		if got, ok := j.additive(p.calls); ok {
			return got
		}
		if algorithm := distinct[j.h.Kind]; algorithm != nil {
			broken, ok := algorithm(j.h, p.calls)
			way := "values that differ"
			if cells := j.h.Kind == Register || j.h.Kind == Map; !ok && !cells {
				way = "values put once, and pairs of puts and takes"
				broken, ok = j.repeated(p.calls, algorithm)
			}
			if ok {
				got := outcome{way: way, calls: broken}
				if broken != nil {
					got.status = Violated
				}
				return got
			}
		}
	}
	p.searched = true
	return j.search(p, budget)
}

// overtime is the reason of an answer that the end of the context prevented.
func (j *job) overtime() string {
	if j.o.Limit == 0 {
		return "interrupted"
	}
	return "the limit on time, " + j.o.Limit.Round(time.Millisecond).String() + ", was reached"
}

// distinct are the algorithms for histories in which each value is written once. Each answers
// ok=false if the history is not such a one; otherwise with a part that no order explains, or nil.
var distinct = map[Kind]func(h *History, calls []Call) (broken []Call, ok bool){
	Register: registerZones,
	Map:      registerZones,
	Queue:    queuePairs,
	Stack:    stackLayers,
	PQueue:   pqueueCover,
}
