// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
)

// A Call says what the harness function of an operation does: it calls the method of the operation's name, or executes a critical
// section.
type Call struct {
	Params   []*Codec // of all parameters of the method
	Args     []int    // indices of the parameters that clients choose
	Watched  bool     // it takes a func(), and gets one that counts its calls
	Called   bool     // it takes functions that record their calls
	Noted    bool     // the record of the functions' calls is one more result
	Observed bool     // the calls of stand-ins are recorded as well, in the same result as those of functions, or in one more
	Again    bool     // only the last call of a function is recorded
	Filled   []int    // indices of the parameters whose content behind the call is a result, of Results in this order
	Reuses   bool     // the operation is io.Writer's: its caller writes its own bytes into the first argument behind the call
	Back     string   // the operation of the same object that each function calls, once; "": none
	Variadic bool     // the last argument is followed by ...
	Use      *Use     // the operation is one on a handle; nil: on the collection
	Leave    *Leave   // what the call begins, and the calling thread ends later; nil: nothing
	Section  *Section // the operation is a critical section; then the other fields are unset
	Clock    bool     // the operation is year-passes, and calls nothing of the collection
}

// A Handle is a sort of values that one operation returns and others take or use: a connection of a pool, a subscription, a channel, a
// function that gives something back. Each thread stores the handles that it got and uses the latest one first.
type Handle struct {
	Type types.Type
}

// A Use is an operation on the handle that the calling thread got last. If it has none, the operation does nothing.
type Use struct {
	Slot   int    // index into Collection.Handles
	Method string // "": the handle is a channel, from which is received, or a function, which is called
	Sends  bool   // the handle is a channel, to which is sent
	Ends   bool   // the handle is not used afterwards
}

// A Leave is the second half of a pair of operations. The first half stores, as a handle of its thread, a function that calls it with the
// arguments of the first.
type Leave struct {
	Slot   int    // index into Collection.Handles
	Method string // "Unlock"
	From   int    // so many of the first half's arguments, which come first, the second half is not given: 1 for Acquire(ctx, n) and Release(n)
	When   string // the first half's result says that something has begun: "error" if it is nil, "bool" if it is true; "": always
	Fails  bool   // the method returns an error
}

// A Section is a whole critical section: take the lock, use the guarded counter,
// give the lock back. With the halves as operations of their own, clients
// would unlock what is not locked.
type Section struct {
	Enter, Leave string // methods
	Shared       bool   // a lock for readers: the counter is only read
	Try          bool   // Enter returns whether it got the lock
	Token        int    // index of the result of Enter that Leave takes as its argument; -1 if there is none
	OKAt         int    // with Try: index of the result of Enter that says whether it got the lock
}

// Name is the operation's name: "Lock+Unlock".
func (s *Section) Name() string { return s.Enter + "+" + s.Leave }

// Silent reports whether the operation returns nothing, or only an error.
func (o *Operation) Silent() bool {
	return len(o.Results) == 0 || len(o.Results) == 1 && o.Results[0].Type == "error"
}

// TakenBack is how many of the things that its thread got last from other operations the operation is given, and the thread does not have afterwards.
func (o *Operation) TakenBack() (n int) {
	if o.Call.Use != nil && o.Call.Use.Ends {
		n++
	}
	for _, c := range o.Call.Params {
		if c.Shape == AsHandle {
			n++
		}
	}
	return n
}

// Computes reports whether the operation takes functions that all have results or change what they are given, and whose arguments are recorded.
func (o *Operation) Computes() bool {
	for _, p := range o.Call.Params {
		if p.Shape == AsFunc && len(p.Gives) == 0 && !p.Changes() {
			return false
		}
	}
	return o.Call.Noted
}

// Repeats reports whether the operation may call again, in vain, what it asks for a value: all functions that it is given compute, or it may call
// stand-ins, and what it calls is recorded.
func (o *Operation) Repeats() bool { return o.Computes() || o.Call.Observed && !o.Call.Noted }

// Driven reports whether the operation takes or returns something that is not a plain value: functions, contexts, handles,
// several elements.
func (o *Operation) Driven() bool {
	driven := o.Call.Use != nil
	for _, p := range o.Params {
		driven = driven || p.Codec != nil && (p.Codec.Chooses() || p.Codec.Several || p.Codec.Shape == AsMap || p.Codec.Shape == AsThread || p.Codec.Shape == AsWhich)
	}
	for _, p := range o.Call.Params {
		if p.Shape == AsConstant {
			_, function := p.Type.Underlying().(*types.Signature)
			driven = driven || function
		}
	}
	return driven || o.Call.Called
}

// Objects are the expressions of the pointers whose objects the last result identifies; nil if it identifies none.
func (o *Operation) Objects() []string {
	if n := len(o.Results); n > 0 {
		return o.Results[n-1].Objects
	}
	return nil
}
