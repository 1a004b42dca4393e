// SPDX-License-Identifier: BSD-3-Clause

package collection

import "go/types"

// A Call is what an operation's harness function does: call the method that has
// the operation's name, or go through a critical section.
type Call struct {
	Params   []*Codec // of all the method's parameters
	Args     []int    // indices of the parameters that clients choose
	Watched  bool     // it takes a func(), which is made to count its calls
	Called   bool     // it takes functions
	Noted    bool     // what they note is a result
	Again    bool     // of that only what they were given last
	Variadic bool     // the last of Params is written out
	Use      *Use     // of a handle; nil: the method is the collection's
	Section  *Section // a lock's; then there is nothing else
}

// A Handle is a sort of values that one operation gives and others take or use: a
// connection of a pool, a subscription, a channel, a function that gives something back.
// Each thread keeps its own, the last one first.
type Handle struct {
	Type types.Type
}

// A Use is an operation on the handle that the calling thread got last. Without one it
// does nothing.
type Use struct {
	Slot   int
	Method string // "": the handle is a channel, from which is received, or a function, which is called
	Ends   bool   // the handle is not used any more
}

// A Section is a whole critical section: take the lock, use the guarded counter,
// give the lock back. With the halves as operations of their own, clients
// would unlock what is not locked.
type Section struct {
	Enter, Leave string // methods
	Shared       bool   // for reading only
	Try          bool   // Enter says whether it got the lock
	Token        int    // place among Enter's results of what Leave wants back; -1 if there is none
	OKAt         int    // place among Enter's results of whether it got the lock
}

// Name is both halves.
func (s *Section) Name() string { return s.Enter + "+" + s.Leave }

// Silent says that the operation gives nothing, or an error.
func (o *Operation) Silent() bool {
	return len(o.Results) == 0 || len(o.Results) == 1 && o.Results[0].Type == "error"
}

// Computes says that the operation is given functions, all with results, and that what they are
// given is observed.
func (o *Operation) Computes() bool {
	for _, p := range o.Call.Params {
		if p.Shape == AsFunc && len(p.Gives) == 0 {
			return false
		}
	}
	return o.Call.Noted
}

// Driven says that the operation is given, or gives, what plain values do not stand for.
func (o *Operation) Driven() bool {
	driven := o.Call.Use != nil
	for _, p := range o.Params {
		driven = driven || p.Codec != nil && (p.Codec.Chooses() || p.Codec.Count > 1 || p.Codec.Shape == AsMap || p.Codec.Shape == AsThread)
	}
	for _, p := range o.Call.Params {
		if p.Shape == AsConstant {
			_, function := p.Type.Underlying().(*types.Signature)
			driven = driven || function
		}
	}
	return driven || o.Call.Called
}

// Objects are the expressions of the objects that the last result tells of; nil if none does.
func (o *Operation) Objects() []string {
	if n := len(o.Results); n > 0 {
		return o.Results[n-1].Objects
	}
	return nil
}
