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

// atCommon and atOwn are flags of an object of size 0. If it has neither, its address is not
// decided.
const (
	atCommon uint16 = 1 << (iota + 8)
	atOwn
	placed = atCommon | atOwn
)

// Held are the flags that saved states contain for an object because something about it was
// decided.
const Held = placed | IsOpen | IsLent

// heldIn are the flags in the head of a saved object.
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

// Sizeless reports whether a pointer leads to a variable of size 0. Maps and channels are none,
// even if they are empty.
func (m *State) Sizeless(p uint64) bool {
	if p == 0 || p&ir.TypeTag != 0 || p>>32 >= uint64(len(m.Objs)) {
		return false
	}
	o := &m.Objs[p>>32]
	return o.Info != nil && o.Words() == 0 && o.Flags&IsChan == 0 && o.Info.Unordered == nil
}

// Placings is the number of ways in which the comparison of two pointers can be decided; 1 if it is
// decided already. Place chooses way k.
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

// Place decides a comparison and returns its result. Way 0: both are at the common place. Way 1:
// the first one that was undecided is at its own place. Way 2: the first one is at the common place
// and the second at its own. No two ways describe the same addresses, and together they are all
// there are.
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

// lies records the address of a variable of size 0.
func (m *State) lies(p uint64, at uint16) {
	id := ObjectID(p)
	if m.Objs[id].Flags&placed != 0 {
		return
	}
	m.Touch(id)
	m.Objs[id].Flags |= at
	m.Maps = nil // the keys of pointers have changed
}

// KeyOf is a pointer as a key of maps: two pointers have the same key if they are equal, as far as
// that is decided.
func (m *State) KeyOf(p uint64) uint64 {
	if m.Sizeless(p) && m.Objs[p>>32].Flags&atCommon != 0 {
		return commonKey
	}
	return p
}

// commonKey stands for the common place: no object has this number.
const commonKey = ir.TypeTag - 1
