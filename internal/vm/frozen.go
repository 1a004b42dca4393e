package vm

// A class is a word of a type: all words at one offset of objects with one layout;
// a base object has classes of its own. A class is frozen if none of its words is
// written once the object has been shared, be it shared no longer: the other thread
// may have lost it by just such a read, which might as well have come after the
// write. Reading a frozen word commutes with everything, so it need not be a
// scheduling point. That a class is frozen is an assumption, checked at every write:
// the first breach is recorded, and whoever made the assumption has to withdraw it
// and begin again.

// Frozen is a set of classes, one entry for each class of an image.
type Frozen []bool

// NewFrozen assumes that every class is frozen.
func (img *Image) NewFrozen() Frozen {
	f := make(Frozen, img.classes+1) // the last one is disowned
	for i := range f {
		f[i] = true
	}
	return f
}

// Breached returns the class that a step of the machine has written although it
// was assumed to be frozen, or -1.
func (m *Machine) Breached() int { return m.breached }

func (o *object) classAt(off int) int {
	if o.count > 1 {
		off %= o.info.typ.Size
	}
	return int(o.class) + off
}

// frozenRead says whether the n words from off on are frozen.
func (m *Machine) frozenRead(o *object, off, n int) bool {
	if m.frozen == nil {
		return false
	}
	for i := range n {
		if !m.frozen[o.classAt(off+i)] {
			return false
		}
	}
	return true
}

// checkWrite records a breach if one of the n words from p on is frozen, or belongs to a
// lock.
func (m *Machine) checkWrite(p uint64, n int) {
	o := &m.objs[p>>32]
	if !m.follows || o.flags&isKnown == 0 {
		return
	}
	if o.info.locks != nil && o.overwritten(offset(p), n) {
		m.disown()
	}
	m.checkFrozen(p, n)
}

// checkFrozen records a breach if one of the n words from p on is frozen.
func (m *Machine) checkFrozen(p uint64, n int) {
	o := &m.objs[p>>32]
	if m.frozen == nil || o.flags&isKnown == 0 {
		return
	}
	for i := range n {
		if c := o.classAt(offset(p) + i); m.frozen[c] {
			m.breached = c
			return
		}
	}
}

// numberClasses gives each type, and then each base object, its classes.
func (img *Image) numberClasses() {
	n := 0
	for _, info := range img.types {
		if info != nil {
			info.class = int32(n)
			n += len(info.layout)
		}
	}
	for i := range img.base {
		o := &img.base[i]
		if o.info != nil {
			o.class = int32(n)
			n += o.info.typ.Size
		}
	}
	img.classes = n
}
