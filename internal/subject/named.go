// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/oracle"
)

// Which object an operation returns can be compared only up to a renaming, since the objects of the history and those of the oracle's
// execution are different ones. On both sides they are numbered in the order in which operations return them (package vm, objects.go),
// and the two orders differ where calls overlap: the call that takes effect first need not return first. So a state of the oracle
// begins with a list of names: the number in the history of each object that the oracle has numbered. A call that returns the oracle's
// object i has the result name(i). A call that returns an object for the first time may give it any unused name, because the calls that
// will have returned before it are not known yet. A history is right if some choice of names makes it right: if there is a sequential
// execution in which two calls return the same object exactly where they do in the history.
//
// Names are bounded by the number of objects that all calls of the client can return for the first time (Calls). The calls in progress
// would be too small a bound: while one Draw was in progress three others returned the tickets 1, 2 and 3, so its own was the fourth.

// Calls tells the oracle self how many calls the client makes, pre-adds included. Before that, only mostNames bounds the
// names.
func Calls(spec oracle.Spec, calls int) {
	if o, ok := spec.(*self); ok {
		o.known.bound.Store(int64(min(mostNames, calls*o.subject.Objects)))
	}
}

// mostNamed is the greatest name that an object can get.
func (o *self) mostNamed() int {
	if n := int(o.known.bound.Load()); n > 0 {
		return n
	}
	return mostNames
}

// named puts names in front of a state: their number, and one byte for each. States of subjects that return no objects stay
// as they are.
func (o *self) named(names []byte, s oracle.State) oracle.State {
	if o.subject.Objects == 0 {
		return s
	}
	return oracle.State([]byte{byte(len(names))}) + oracle.State(names) + s
}

// names splits a state into the names and the rest.
func (o *self) names(s oracle.State) (names []byte, rest oracle.State) {
	if o.subject.Objects == 0 {
		return nil, s
	}
	n := int(s[0])
	return []byte(s[1 : 1+n]), s[1+n:]
}

// outcomes returns the outcomes of a call with the given result, in which objects have the oracle's numbers: one outcome for
// each choice of names.
func (o *self) outcomes(c oracle.Call, result history.Tuple, names []byte, next oracle.State) (list []oracle.Outcome) {
	op := &o.subject.Operations[c.Op]
	if !op.Objects || result.IsPanic() {
		return []oracle.Outcome{{Result: result, Next: o.named(names, next)}}
	}
	at := result.Len() - 1
	said := result.At(at).Int
	fresh := 0
	collection.NameObjects(said, func(n int64) int64 {
		if int(n) <= mostNames {
			fresh = max(fresh, int(n)-len(names))
		}
		return n
	})
	o.choose(names, fresh, o.mostNamed(), func(names []byte) {
		told := collection.NameObjects(said, func(n int64) int64 {
			if int(n) > mostNames {
				return n
			}
			return int64(names[n-1])
		})
		list = append(list, oracle.Outcome{Result: result.With(at, history.IntValue(told)), Next: o.named(names, next)})
	})
	return list
}

// mostNames is the number of objects that have numbers (vm.MostObjects).
const mostNames = 30

// choose calls f with every extension of names by so many more unused names, each at most the given greatest name.
func (o *self) choose(names []byte, more, most int, f func([]byte)) {
	if more == 0 {
		f(names)
		return
	}
	var used uint64
	for _, n := range names {
		used |= 1 << n
	}
	for n := 1; n <= most; n++ {
		if used>>n&1 == 0 {
			o.choose(append(names[:len(names):len(names)], byte(n)), more-1, most, f)
		}
	}
}

// Unnamed is a result with the numbers of objects removed, so that results of two executions can be compared.
func (o *Operation) Unnamed(result history.Tuple) history.Tuple {
	if !o.Objects || result.IsPanic() || result.Len() == 0 { // it has not returned
		return result
	}
	return result.With(result.Len()-1, history.Value{})
}
