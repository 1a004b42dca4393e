// SPDX-License-Identifier: BSD-3-Clause

package state

// Loading a saved state: the reverse of encode.go, word by word. A state is trusted to be
// one that Save has written for the same ground, so that nothing is checked but what costs
// nothing. Marks of sharing are part of the words, for they say what has been shared at
// some time, which cannot be told from the heap (frozen.go).
//
// It is executed for every state that a search takes up, so it makes no garbage: threads,
// frames and memory are those of the state that was there before.

// Load makes a saved state the state of the machine.
func (m *State) Load(state []uint64) {
	m.restoreBase()
	m.RetireThreads(0)
	m.Failure, m.Tracked.On = nil, false
	head := state[0]
	m.End = End{Kind: EndKind(head &^ hasAddresses & 0xff), Code: int(head >> 8 & 0xff)}
	m.Out.Stdout, m.Out.Stderr = state[1]&0xffffffff, state[1]>>32
	if m.End.Kind != Running {
		m.End.Text, m.End.Pos = state[2], state[3]
		return
	}
	if m.Hunting {
		state = m.loadTracked(state)
	}
	r := reader{m: m, rest: state[2:]}
	r.base()
	r.roots(head&hasAddresses != 0)
	m.nextID = int(head >> 32)
	for range int(head >> 16 & 0xffff) {
		r.thread()
	}
	if m.img.ThreadIDs && !m.Numbers {
		m.nextID = int(head >> 32)
	}
	if m.OneOfMany && m.Numbers {
		m.numberAnonymous(NumbersIn(state))
	}
	m.settle()
	for len(r.rest) > 0 {
		if n := len(m.Objs); n < cap(m.Objs) {
			m.Objs = m.Objs[:n+1]
		} else {
			m.Objs = append(m.Objs, Object{})
		}
		r.object(&m.Objs[len(m.Objs)-1], 0)
		r.lend(len(m.Objs) - 1)
	}
}

// restoreBase gives the base objects their initial contents and drops all others.
func (m *State) restoreBase() {
	n := len(m.img.Base)
	if m.Moved {
		m.Mem = append(m.Mem[:0], m.img.BaseMem...)
		m.Objs = append(m.Objs[:0], m.img.Base...)
		m.dirty, m.Free, m.Moved = m.dirty[:0], m.Free[:0], false
	}
	for _, id := range m.dirty {
		b := m.img.Base[id]
		m.Objs[id] = b
		copy(m.Mem[b.At:b.At+b.Words()], m.img.BaseMem[b.At:b.At+b.Words()])
	}
	m.dirty = m.dirty[:0]
	m.Objs = m.Objs[:n]
	m.Mem = m.Mem[:len(m.img.BaseMem)]
	if m.Maps != nil {
		m.Maps = nil
	}
	if m.lent != nil {
		m.lent = nil
	}
}

// reader reads the words of a saved state, from the first one on.
type reader struct {
	m    *State
	rest []uint64
	lent given // of the object read last, if it is lent
}

func (r *reader) next() uint64 {
	w := r.rest[0]
	r.rest = r.rest[1:]
	return w
}

func (r *reader) roots(addresses bool) {
	if r.m.Hashing {
		r.m.Hashes = r.next()
	}
	if r.m.Addresses = (Addresses{}); addresses {
		r.m.Addresses = addressesOf(r.next())
	}
	n := int(r.next())
	r.m.Kept = append(r.m.Kept[:0], r.rest[:n]...)
	r.rest = r.rest[n:]
}

func (r *reader) base() {
	for range int(r.next()) {
		id := int(r.next())
		r.m.Touch(id)
		class := r.m.Objs[id].class
		r.object(&r.m.Objs[id], IsDirty)
		r.m.Objs[id].class = class
		r.lend(id)
	}
}

// object reads an object into fresh memory. It sets all fields of o in place: to build an
// object elsewhere and copy it was a tenth of the machine's time.
func (r *reader) object(o *Object, flags uint16) {
	m := r.m
	head := r.next()
	if info := m.img.Types[head&0xffffff]; o.Info != info {
		o.Info = info
	}
	o.At, o.Count, o.Aux, o.class, o.Flags = len(m.Mem), int32(head>>32), 0, o.Info.class, flags|m.Born()
	if head&headShared != 0 {
		o.Flags |= IsShared | IsKnown
	}
	if head&headKnown != 0 {
		o.Flags |= IsKnown
	}
	o.Flags |= heldIn(head)
	n, room := o.Words(), 0
	if head&headAddressed != 0 {
		m.setSlot(len(m.Objs)-1, int32(r.next()))
	}
	if head&headLent != 0 {
		r.lent = given(r.next())
	}
	if head&headChan != 0 {
		o.Flags |= IsChan
		o.Aux = uint32(r.next())
		room = int(o.Room())*o.Info.Type.Size - n
	}
	if head&headOpen != 0 {
		o.Aux = uint32(r.next())
	}
	m.Mem = append(m.Mem, r.rest[:n]...)
	r.rest = r.rest[n:]
	if room > 0 {
		m.Grow(room)
	}
}

// lend records which words of the object read last belong to strings that stay in use for ever
// (lent.go).
func (r *reader) lend(id int) {
	if r.m.Objs[id].Flags&IsLent != 0 {
		r.m.setLent(id, r.lent)
	}
}

func (r *reader) thread() {
	m := r.m
	head := r.next()
	t := m.NewThread()
	t.Phase, t.Keep, t.Knows, t.Tag = phase(head), head&threadSpawned == 0, head&threadKnows != 0, r.next()
	switch number := int(head &^ threadSpawned >> threadNumber); {
	case m.Numbers && number > 0:
		t.id = number - 1
		m.nextID--
	case m.Numbers:
		t.anonymous = true
	case m.img.ThreadIDs:
		t.id = number
	}
	if head&threadPanics != 0 {
		t.Panics = r.next()
	}
	n := int(head >> 16 & 0xffffff)
	base := 0
	for i := range n {
		base = r.frame(t, base, i == n-1)
	}
	if head&threadHolds != 0 {
		n := int(r.next())
		t.Held = append(t.Held, r.rest[:n]...)
		r.rest = r.rest[n:]
	}
}

func (r *reader) frame(t *Thread, base int, top bool) int {
	w := r.next()
	c := r.m.img.Codes[w>>40]
	if n := len(t.Frames); n < cap(t.Frames) {
		t.Frames = t.Frames[:n+1]
	} else {
		t.Frames = append(t.Frames, Frame{})
	}
	f := t.Top()
	if f.Code != c {
		f.Code = c
	}
	f.PC, f.Base, f.Flags = int32(w>>8&0xffffffff), int32(base), FrameFlags(w)
	t.setSize(base + c.Func.NumRegs)
	regs, list := t.Regs[base:], r.m.LiveIn(f, top)
	rest := r.rest[:len(list)]
	for i, l := range list {
		regs[l.Reg] = rest[i]
	}
	r.rest = r.rest[len(list):]
	return base + c.Func.NumRegs
}
