// SPDX-License-Identifier: BSD-3-Clause

package state

// The capacity of a slice that append or a conversion from a string has made is left open by the
// language: it is some number, not less than what was needed. gc rounds up to the sizes of its
// allocator, but not for slices on its stack and for constants. Here such a capacity is open until
// it matters.
//
//	a := append([]int(nil), 1, 2, 3) // sure room for 3; gc gives 3 on the heap, 4 behind a slice of 2
//	b := append(a, 4)
//	c := append(a, 5)                // writes over b[3] iff there was room
//
// The array is an object with the flag IsOpen. It has as many words as gc would give it, and its
// Aux is the number of words that are sure. The word for a slice's capacity is OpenCap as long as
// the slice reaches to the end of its array, so that whatever is decided holds for all slices of
// it. A slice a[:2:3] has a number instead, within what is sure.
//
// What asks for more than is sure is decided (vm/room.go): the array has the words that are needed
// and the sure ones become more (Stretch), or it has fewer than that (Bound). Then it is open how many of
// those in between it has, if there are any:
//
//	b := append(a[:3:3], 4, 5)       // sure room for 5; gc gives 6
//	c := append(b, 6, 7)             // needs 7: no room
//	d := append(b, 8)                // 6 are needed: room if b has 6, as in gc, and none if it has 5
//
// So every execution is one of some capacity, the same whoever asks.

// OpenCap is the word for the capacity of a slice that reaches to the end of an array whose length
// is or was open. It is greater than any number of elements.
const OpenCap uint64 = 1 << 46

// IsOpen is the flag of an array whose capacity is open: only the first Aux of its words are sure.
const IsOpen uint16 = 1 << 10

// limited is the bit in the Aux of an open array of which it has been decided that it has no more words than gc would give it, or
// than Bound has left.
const limited uint32 = 1 << 31

// sure is the number of words that an open array has for certain.
func (o *Object) sure() int { return int(o.Aux &^ limited) }

// Limited says of an open array that it has no more than its words.
func (o *Object) Limited() bool { return o.Flags&IsOpen != 0 && o.Aux&limited != 0 }

// Open makes an array open; its first words, sure of them, are sure.
func (m *State) Open(id, sure int) {
	o := &m.Objs[id]
	o.Flags |= IsOpen
	o.Aux = uint32(sure)
}

// Room is the capacity of a slice with pointer p and capacity word c, in elements of size words:
// what is sure, and what gc gives on its heap.
func (m *State) Room(p, c uint64, size int) (sure, usual uint64) {
	if c != OpenCap {
		return c, c
	}
	o := &m.Objs[p>>32]
	usual = uint64((o.Words() - Offset(p)) / size)
	if o.Flags&IsOpen == 0 {
		return usual, usual
	}
	return uint64((o.sure() - Offset(p)) / size), usual
}

// Stretch makes more words of an open array sure.
func (m *State) Stretch(id, words int) {
	o := &m.Objs[id]
	if o.sure() >= words || o.Flags&IsOpen == 0 {
		return
	}
	m.Touch(id)
	o.Aux = o.Aux&limited | uint32(words)
	if words <= o.Words() {
		return
	}
	n := o.Words()
	at := m.Grow(words)
	if m.Failure != nil {
		return
	}
	o = &m.Objs[id]
	copy(m.Mem[at:], m.Mem[o.At:o.At+n])
	clear(m.Mem[at+n : at+words])
	o.At, o.Count = at, int32(words/o.Info.Type.Size)
}

// Reserve decides how many words an open array has, at least those that are sure.
func (m *State) Reserve(id, words int) {
	m.Touch(id)
	m.Stretch(id, words)
	o := &m.Objs[id]
	o.Count = int32(words / o.Info.Type.Size)
	o.Flags &^= IsOpen
	o.Aux = 0
}

// Bound decides that an open array has no more than so many words, of which it is open how many beyond the sure ones.
func (m *State) Bound(id, words int) {
	o := &m.Objs[id]
	words = min(words, o.Words())
	if words <= o.sure() {
		m.Reserve(id, o.sure())
		return
	}
	m.Touch(id)
	o.Count = int32(words / o.Info.Type.Size)
	o.Aux |= limited
}
