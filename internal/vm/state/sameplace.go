// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/ir"

// Pointers to distinct variables of no size "may or may not be equal" (the specification, on
// comparison operators). gc puts all such variables that escape at one address, runtime.zerobase,
// and gives one that does not escape an address of its own; another compiler may do otherwise. Here
// each of them lies either at one common place or at a place of its own. Where it lies is decided
// when it matters, at the first comparison of its address with that of another one, and is part of
// the state from then on: equality is the same at each comparison of an execution, and transitive,
// as it is of addresses.
//
//	type token struct{}
//	a, b := new(token), new(token)
//	a == b // both in the common place: true; else false. Two executions go on from here.

// atCommon and atOwn are flags of an object without words. With neither it is not decided where it
// lies.
const (
	atCommon uint16 = 1 << (iota + 8)
	atOwn
	placed = atCommon | atOwn
)

// Held are the flags that an object has in saved states because of what has been decided about it.
const Held = placed | IsOpen | IsLent

// heldIn are the flags that a saved object's head says.
func heldIn(head uint64) uint16 {
	f := uint16(head>>headPlaced) & placed
	if head&headOpen != 0 {
		f |= IsOpen
	}
	if head&headLent != 0 {
		f |= IsLent
	}
	return f
}

// Sizeless says that a pointer leads to a variable of no size: not to a map or a channel, which may
// hold nothing, but are something.
func (m *State) Sizeless(p uint64) bool {
	if p == 0 || p&ir.TypeTag != 0 || p>>32 >= uint64(len(m.Objs)) {
		return false
	}
	o := &m.Objs[p>>32]
	return o.Info != nil && o.Words() == 0 && o.Flags&IsChan == 0 && o.Info.Unordered == nil
}

// Placings is the number of ways in which the comparison of two pointers can be decided: 1 if it is
// decided already. Place makes it way k of them and says whether the pointers are equal.
func (m *State) Placings(a, b uint64) int {
	if a == b || !m.Sizeless(a) || !m.Sizeless(b) {
		return 1
	}
	x, y := m.Objs[a>>32].Flags&placed, m.Objs[b>>32].Flags&placed
	switch {
	case x == atOwn || y == atOwn || x == atCommon && y == atCommon:
		return 1
	case x|y == atCommon:
		return 2
	}
	return 3
}

// Place decides a comparison in one of the ways that Placings counts: 0, both are at the common
// place; 1, the first of them of which it was open is at its own; 2, the first one is at the common
// place and the second at its own. No two ways describe the same addresses, and together they are
// all there are.
func (m *State) Place(a, b uint64, k int) (equal bool) {
	if a == b || !m.Sizeless(a) || !m.Sizeless(b) {
		return a == b
	}
	switch n := m.Placings(a, b); {
	case n == 1:
	case k == 0:
		m.lies(a, atCommon)
		m.lies(b, atCommon)
	case n == 2 && m.Objs[a>>32].Flags&placed != 0:
		m.lies(b, atOwn)
	case k == 1:
		m.lies(a, atOwn)
	default:
		m.lies(a, atCommon)
		m.lies(b, atOwn)
	}
	return (m.Objs[a>>32].Flags & m.Objs[b>>32].Flags & atCommon) != 0
}

// lies notes where a variable of no size lies.
func (m *State) lies(p uint64, at uint16) {
	id := ObjectID(p)
	if m.Objs[id].Flags&placed != 0 {
		return
	}
	m.Touch(id)
	m.Objs[id].Flags |= at
	m.Maps = nil // a pointer's key is another one from now on
}

// KeyOf is a pointer as a key of maps: pointers are equal iff their keys are, as far as it is decided.
func (m *State) KeyOf(p uint64) uint64 {
	if m.Sizeless(p) && m.Objs[p>>32].Flags&atCommon != 0 {
		return commonKey
	}
	return p
}

// commonKey stands for the common place: no object has this number.
const commonKey = ir.TypeTag - 1
