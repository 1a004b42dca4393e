// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/ir"

// Addresses. A program can ask for the number of a place in memory: by %p, by %v of a value with
// pointers inside, by println of a pointer, by printing a map whose keys are pointers. The object's
// number is no answer, since Save changes it. So an object that is asked for its address is given
// one and keeps it as long as it lives. The address is part of the state: a word behind the
// object's header.
//
// An address consists of a slot, which no other object of the execution has had, and a place in it.
// Package vm chooses the slot (address.go there). Base objects keep their numbers in every state,
// and their addresses follow from these.

// Addresses tells which slots were given in an execution so far, including those of objects that
// are gone.
type Addresses struct {
	Given     bool
	Low, High int32 // the lowest and the highest slot given
	Taken     uint8 // the slots from 0 to 7 that were given, as bits
}

// Address spaces: types and functions, variables of no size (see sameplace.go), base objects, and
// the heap, in which a slot is 256 MiB wide.
const (
	commonAddress = 0x5c0000
	typeAddress   = 0x500000
	baseAddress   = 0x100000000
	heapAddress   = 0xc000000000
	slotBits      = 28
	placeBits     = 2       // for the place within a slot
	headAddressed = 1 << 26 // in an object's header: a word with the slot follows
	hasAddresses  = 1 << 7  // in the first word of a state: a word with the slots given follows the hashes
)

// word is the addresses as one word of a saved state. Low is never less than -128.
func (a Addresses) word() uint64 {
	return uint64(uint32(a.High)) | uint64(uint8(int8(a.Low)))<<32 | uint64(a.Taken)<<40
}

func addressesOf(w uint64) Addresses {
	return Addresses{Given: true, Low: int32(int8(w >> 32)), High: int32(w), Taken: uint8(w >> 40)}
}

// HasAddress reports whether a reference has an address already: its object has a slot, or needs
// none.
func (m *State) HasAddress(p uint64) bool {
	if p == 0 || p&ir.TypeTag != 0 {
		return true
	}
	flags := m.Objs[p>>32].Flags
	return flags&atCommon != 0 || !m.LiesAnywhere(p) && (ObjectID(p) <= m.img.BaseCount() || flags&IsAddressed != 0)
}

// LiesAnywhere reports whether a pointer leads to a variable of size 0 whose address has not been
// decided.
func (m *State) LiesAnywhere(p uint64) bool {
	return m.Sizeless(p) && m.Objs[p>>32].Flags&placed == 0
}

// LieAt decides the address of the variable of size 0 that p leads to: the one that all such
// variables may share, or one of its own.
func (m *State) LieAt(p uint64, common bool) {
	if common {
		m.lies(p, atCommon)
		return
	}
	m.lies(p, atOwn)
}

// PlacesInSlot is the number of places in a slot at which an object can begin.
const PlacesInSlot = len(placesInSlot)

// placesInSlot are these places, in bytes. The second differs from the first in every bit, the
// third in one bit: whatever bits of an address a hash uses, two objects can have the same ones,
// and different ones.
var placesInSlot = [...]uint64{0, 1<<(slotBits-1) - 16, 16}

// GiveSlot gives an object a slot that no other has had, and a place in it.
func (m *State) GiveSlot(id int, slot int32, place int) {
	a := &m.Addresses
	if !a.Given {
		*a = Addresses{Given: true, Low: slot, High: slot}
	}
	a.Low, a.High = min(a.Low, slot), max(a.High, slot)
	if slot >= 0 && slot < 8 {
		a.Taken |= 1 << slot
	}
	m.setSlot(id, slot<<placeBits|int32(place))
}

func (m *State) setSlot(id int, slot int32) {
	if m.slots == nil {
		m.slots = map[int]int32{}
	}
	m.slots[id] = slot
	m.Objs[id].Flags |= IsAddressed
}

// Address is the number of the place that a reference refers to, in bytes. An object without a slot
// is taken to have slot 0, for callers that do not use the number.
func (m *State) Address(p uint64) uint64 {
	at := uint64(Offset(p)) << 3
	switch id := ObjectID(p); {
	case p == 0:
		return 0
	case p&ir.TypeTag != 0:
		return typeAddress + p&^ir.TypeTag<<5
	case m.Objs[id].Flags&atCommon != 0:
		return commonAddress
	case id <= m.img.BaseCount():
		return baseAddress + uint64(id)<<slotBits + at
	case m.Objs[id].Flags&IsAddressed != 0:
		slot := m.slots[id]
		return uint64(heapAddress+int64(slot>>placeBits)<<slotBits) + placesInSlot[slot&(1<<placeBits-1)] + at
	}
	return heapAddress + at
}
