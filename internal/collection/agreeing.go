// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"slices"
)

// A method such as Do(key, f) may give several callers the result of one function. It is meant for callers whose functions agree: functions
// given to calls with the same key return the same. Overrides.Agreeing makes them so.

// MostChoices is the greatest number of answers of a generated function, see Codec.Choices.
const MostChoices = 3

// Produces reports whether the parameter with an index, of a method with these parameters, is a function whose result callers may share: it has results,
// and it is told nothing but what its caller knows, contexts and values of the types of the method's other parameters. The function of
// Do(key string, f func(key string) int) is one; that of Update(f func(old int) int) is told something of the collection.
func Produces(params []*Codec, at int) bool {
	f := params[at]
	if f.Shape != AsFunc || len(f.Gives) == 0 {
		return false
	}
	for _, p := range f.Parts {
		given := func(c *Codec) bool { return c != f && types.Identical(c.Type, p.Codec.Type) }
		if p.Changes || !isContext(p.Codec.Type) && !slices.ContainsFunc(params, given) {
			return false
		}
	}
	return true
}

// Keys are the arguments, as indices into Args, by which calls are told apart whose functions need not agree: of a type that a map's key may have, or
// bytes. An error, a time or how long something may take is an option of the call, and no key. So is a bool beside a key; where no other argument is one, it is.
func (m *Call) Keys() (list []int) {
	for i, at := range m.Args {
		if c := m.Params[at]; c.isKey() && c.Shape != AsBool {
			list = append(list, i)
		}
	}
	if len(list) > 0 {
		return list
	}
	for i, at := range m.Args {
		if c := m.Params[at]; c.isKey() {
			list = append(list, i)
		}
	}
	return list
}

func (c *Codec) isKey() bool {
	if c.Chooses() || c.Shape == AsForeign || c.HasStandIn() {
		return false
	}
	if s, ok := c.Type.Underlying().(*types.Slice); ok {
		b, ok := s.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	}
	return types.Comparable(c.Type) && types.Unalias(c.Type).String() != "time.Duration"
}
