// SPDX-License-Identifier: BSD-3-Clause

package state

// A class is a word of a type: all words at one offset in objects of one layout. A base object has
// classes of its own. A class is frozen if no word of it is written after its object was shared,
// even if it is not shared any more: another thread may have lost it by just such a read, which
// might have come after the write. Reading a frozen word commutes with everything, so it is no
// scheduling point. That a class is frozen is an assumption, checked at every write. The first
// breach is recorded; whoever made the assumption withdraws it and begins again.
//
// Example: the item of a list's cell is written before the cell is linked, and never again: its
// class stays frozen. The link is written later: the first such write is a breach.

// Frozen tells by class whether it is assumed to be frozen.
type Frozen []bool

// NewFrozen assumes that every class is frozen.
func (img *Ground) NewFrozen() Frozen {
	f := make(Frozen, img.classes+1) // the last entry is about locks (disowned)
	for i := range f {
		f[i] = true
	}
	return f
}

// OnlyOwned assumes only that locks are released by the threads that hold them.
func (img *Ground) OnlyOwned() Frozen {
	f := make(Frozen, img.classes+1)
	f[img.disowned()] = true
	return f
}

// Owned reports whether locks are assumed to be released by the threads that hold them.
func (f Frozen) Owned() bool { return f != nil && f[len(f)-1] }

// Breached returns a class that the machine's step has written although it was assumed to be
// frozen, or -1.
func (m *State) Breached() int { return m.breached }

// ClassAt is the class of a word.
func (o *Object) ClassAt(off int) int { return o.classAt(off) }

// Classes is how many classes there are.
func (img *Ground) Classes() int { return img.classes }

func (o *Object) classAt(off int) int {
	if o.Count > 1 {
		off %= o.Info.Type.Size
	}
	return int(o.class) + off
}

// FrozenRead reports whether the n words from off on are assumed to be frozen.
func (m *State) FrozenRead(o *Object, off, n int) bool {
	if m.Frozen == nil {
		return false
	}
	for i := range n {
		if !m.Frozen[o.classAt(off+i)] {
			return false
		}
	}
	m.PassOver()
	return true
}

// PassOver records that the step goes on after an access to memory that others know, because the
// access is no scheduling point.
func (m *State) PassOver() { m.Passed = m.Passed || !m.Ghost && !m.Acquired }

// CheckWrite records a breach if one of the n words from p on is frozen, or belongs to a
// lock.
func (m *State) CheckWrite(p uint64, n int) {
	o := &m.Objs[p>>32]
	if o.Flags&IsLent != 0 {
		m.checkLent(p, n)
	}
	if !m.Follows || o.Flags&IsKnown == 0 {
		return
	}
	if o.Info.locks != nil && o.overwritten(Offset(p), n) {
		m.disown()
	}
	m.CheckFrozen(p, n)
}

// CheckFrozen records a breach if one of the n words from p on is frozen.
func (m *State) CheckFrozen(p uint64, n int) {
	o := &m.Objs[p>>32]
	if m.Frozen == nil || o.Flags&IsKnown == 0 {
		return
	}
	for i := range n {
		if c := o.classAt(Offset(p) + i); m.Frozen[c] {
			m.breached = c
			return
		}
	}
}

// NumberClasses gives each type, and then each base object, its classes.
func (img *Ground) NumberClasses() {
	n := 0
	for _, info := range img.Types {
		if info != nil {
			info.class = int32(n)
			n += len(info.Layout)
		}
	}
	for i := range img.Base {
		o := &img.Base[i]
		if o.Info != nil {
			o.class = int32(n)
			n += o.Info.Type.Size
		}
	}
	img.classes = n
}
