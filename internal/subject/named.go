// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/oracle"
)

// Which object an operation returns can be compared only up to a renaming: the objects of the history and those
// of the oracle's execution are different ones. In either they are numbered in the order in which operations return
// them (package vm, objects.go), and the two orders differ where calls overlap: the call that takes effect first
// need not return first. So the oracle's state has, in front, the name in the history of each object that the oracle has
// numbered. A call that returns the oracle's object i has the result name(i); one that returns an object for
// the first time may give it any name that no object has, for it is not known which calls will have returned before.
// A history is right if some choice of names makes it so: that is, if there is a sequential execution in which two calls
// return the same object whenever they do in the history, and not else.
//
// Names are bounded by how many objects all calls of the client can return for the first time (Calls). A call that has taken effect may
// return long afterwards, behind any number of others: a bound by those in progress accused right code, for while a Draw was in progress
// three others had returned the tickets 1, 2 and 3, and its own was the fourth.

// Calls tells the oracle self how many calls the clients make that it judges, pre-adds included. Until then it knows of no bound
// but mostNames.
func Calls(spec oracle.Spec, calls int) {
	if o, ok := spec.(*self); ok {
		o.bound.Store(int64(min(mostNames, calls*o.subject.Objects)))
	}
}

// mostNamed is the greatest name that an object can have.
func (o *self) mostNamed() int {
	if n := int(o.bound.Load()); n > 0 {
		return n
	}
	return mostNames
}

// named is a state with names in front: their number, and one byte for each.
func (o *self) named(names []byte, s oracle.State) oracle.State {
	if o.subject.Objects == 0 {
		return s
	}
	return oracle.State([]byte{byte(len(names))}) + oracle.State(names) + s
}

// names splits a state.
func (o *self) names(s oracle.State) (names []byte, rest oracle.State) {
	if o.subject.Objects == 0 {
		return nil, s
	}
	n := int(s[0])
	return []byte(s[1 : 1+n]), s[1+n:]
}

// outcomes are those of a call that has returned something, in which objects have the oracle's numbers: one for
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

// mostNames is how many objects have numbers of their own: those above are not told apart (vm.MostObjects).
const mostNames = 30

// choose calls f with the names and so many more, up to a number, in every way.
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

// Unnamed is a result without what it says of objects, for those who compare results as they are.
func (o *Operation) Unnamed(result history.Tuple) history.Tuple {
	if !o.Objects || result.IsPanic() || result.Len() == 0 { // it has not returned
		return result
	}
	return result.With(result.Len()-1, history.Value{})
}
