// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"fmt"

	"pangolin/history"
)

// Role is what an operation does, whatever its method is called.
type Role string

// The roles, with the kinds that know them.
const (
	Add      Role = "add"      // set: insert; done if it was absent
	Remove   Role = "remove"   // set: delete; done if it was present
	Contains Role = "contains" // set, map: done if present

	Put  Role = "put"  // queue, stack, pqueue: done unless full
	Take Role = "take" // queue, stack, pqueue: done unless empty
	Peek Role = "peek" // queue, stack, pqueue: like Take, changing nothing

	PutFront  Role = "put-front" // deque
	PutBack   Role = "put-back"
	TakeFront Role = "take-front"
	TakeBack  Role = "take-back"
	PeekFront Role = "peek-front"
	PeekBack  Role = "peek-back"

	Len     Role = "len"      // all containers: the count
	IsEmpty Role = "is-empty" // all containers: done if nothing is held
	Clear   Role = "clear"    // all containers

	Load           Role = "load"             // map, register
	Store          Role = "store"            // map, register
	Swap           Role = "swap"             // map, register; map: done if the key was there
	CompareAndSwap Role = "compare-and-swap" // map, register; done if swapped

	LoadOrStore      Role = "load-or-store"      // map; done if loaded
	LoadAndDelete    Role = "load-and-delete"    // map; done if it was there
	Delete           Role = "delete"             // map; done if it was there
	CompareAndDelete Role = "compare-and-delete" // map; done if deleted

	AddTo  Role = "add-to" // counter, register: add Delta
	SubOf  Role = "sub-of" // counter, register: subtract Delta
	Inc    Role = "inc"
	Round  Role = "round" // Inc, but Rounds times lead back to 0
	Dec    Role = "dec"
	Toggle Role = "toggle" // register holding 0 or 1: the other one
	And    Role = "and"    // register: bitwise, with Item
	Or     Role = "or"
)

// Param is the meaning of one argument.
type Param string

// The meanings of arguments.
const (
	ParamKey      Param = "key"      // of a set or a map
	ParamItem     Param = "item"     // stored, and given back
	ParamPriority Param = "priority" // smallest first
	ParamOld      Param = "old"      // the item to compare with
	ParamDelta    Param = "delta"    // the number to add
	ParamChoice   Param = "choice"   // one of two ways to go about it, which only the oracle self knows of
	ParamChoice3  Param = "choice3"  // likewise, one of three
	ParamThread   Param = "thread"   // the thread that calls, which keeps what it gets; only for the oracle self
)

// Chooses reports whether an argument selects one of a few ways.
func (p Param) Chooses() bool { return p == ParamChoice || p == ParamChoice3 }

// Slot is the meaning of one Go result.
type Slot string

// The meanings of results. Of an operation without the item in question (the
// queue was empty), SlotItem is the zero value.
const (
	SlotItem      Slot = "item"        // the item, or 0
	SlotItemOrNil Slot = "item-or-nil" // a pointer to the item, or nil
	SlotPriority  Slot = "priority"    // the item's priority, or 0
	SlotOK        Slot = "ok"          // whether it was done
	SlotNotOK     Slot = "not-ok"      // whether it was not done
	SlotError     Slot = "error"       // nil if it was done
	SlotCount     Slot = "count"       // the number of things held
	SlotOld       Slot = "old"         // register: the value before
	SlotNew       Slot = "new"         // register: the value after
)

// Refusal is what an operation does that cannot do its work: Take of an empty
// queue, Put into a full one.
type Refusal string

// The ways to refuse. The default blocks if the protocol is bounded or
// synchronous (or blocking) and no result could tell of the refusal, and reports otherwise.
const (
	RefuseDefault Refusal = ""
	RefuseReport  Refusal = "report" // return, the results tell (or nothing does)
	RefusePanic   Refusal = "panic"
	RefuseBlock   Refusal = "block"
)

// Op binds a Go method to a role. For instance
//
//	Dequeue() (T, bool)     Take, Results: item, ok
//	Dequeue() (T, error)    Take, Results: item, error
//	Dequeue() *T            Take, Results: item-or-nil
//	Pop() T                 Take, Results: item, Refusal: panic (or report: zero when empty)
//	Enqueue(v T) error      Put,  Params: item, Results: error
//	TryEnqueue(v T) bool    Put,  Params: item, Results: ok
//	Insert(prio int, v T)   Put,  Params: priority, item
type Op struct {
	Name     string
	Role     Role
	Params   []Param
	Results  []Slot
	Refusal  Refusal
	Spurious bool // may refuse although it could do its work
	Within   int  // Take and Peek: any of the first so many items in order; 0: the first. Within sets it.
}

// ProtocolKind is a synchronization discipline of COLLECT, Fig. 1.
type ProtocolKind string

// The three protocols of Fig. 1, and Blocking, which it has not: Bounded without a bound.
const (
	Nonblocking ProtocolKind = "nonblocking"
	Blocking    ProtocolKind = "blocking"
	Bounded     ProtocolKind = "bounded"
	Synchronous ProtocolKind = "synchronous"
)

// Protocol says which operations may block in which states. A collection with a
// capacity whose operations report instead of blocking is Bounded, too: the
// protocol sets the bound, each operation's Refusal what happens there.
type Protocol struct {
	Kind     ProtocolKind // the empty kind is Nonblocking
	Capacity int          // of Bounded, at least 1
}

// String is the protocol as the command line writes it.
func (p Protocol) String() string {
	switch p.Kind {
	case "":
		return string(Nonblocking)
	case Bounded:
		return fmt.Sprintf("bounded(%d)", p.Capacity)
	}
	return string(p.Kind)
}

// arguments are a call's arguments by meaning.
type arguments struct {
	key, item, priority, old, delta int64
}

// bind reads a tuple by the op's Params. A lone item is its own priority and
// the other way round.
func (op *Op) bind(args history.Tuple) arguments {
	var a arguments
	var hasItem, hasPriority bool
	for i, p := range op.Params {
		v := args.At(i).Int
		switch p {
		case ParamKey:
			a.key = v
		case ParamItem:
			a.item, hasItem = v, true
		case ParamPriority:
			a.priority, hasPriority = v, true
		case ParamOld:
			a.old = v
		case ParamDelta:
			a.delta = v
		}
	}
	if hasPriority && !hasItem {
		a.item = a.priority
	} else if hasItem && !hasPriority {
		a.priority = a.item
	}
	return a
}

// result is the Go result of an effect.
func (op *Op) result(e effect) history.Tuple {
	if !e.done && op.Refusal == RefusePanic {
		return history.PanicTuple()
	}
	var t history.Tuple
	for i, s := range op.Results {
		t = t.With(i, e.slot(s))
	}
	return t
}

// slot is one result of an effect.
func (e effect) slot(s Slot) history.Value {
	switch s {
	case SlotItemOrNil:
		if !e.hasItem {
			return history.NilValue()
		}
		return history.IntValue(e.item)
	case SlotPriority:
		return history.IntValue(e.priority)
	case SlotOK:
		return history.BoolValue(e.done)
	case SlotNotOK:
		return history.BoolValue(!e.done)
	case SlotError:
		if e.done {
			return history.NilValue()
		}
		return history.ErrValue()
	case SlotCount, SlotNew:
		return history.IntValue(e.item)
	case SlotOld:
		return history.IntValue(e.old)
	}
	return history.IntValue(e.item)
}

// reports tells whether a result shows whether the operation was done.
func (op *Op) reports() bool {
	for _, s := range op.Results {
		switch s {
		case SlotOK, SlotNotOK, SlotError, SlotItemOrNil:
			return true
		}
	}
	return false
}

// wasDone reads from a result whether the operation was done, if it tells.
func (op *Op) wasDone(result history.Tuple) (done, known bool) {
	if result.IsPanic() {
		return false, op.Refusal == RefusePanic
	}
	for i, s := range op.Results {
		v := result.At(i)
		switch s {
		case SlotOK:
			return v.Int != 0, true
		case SlotNotOK:
			return v.Int == 0, true
		case SlotError, SlotItemOrNil:
			return (v.Kind == history.Nil) == (s == SlotError), true
		}
	}
	return false, false
}
