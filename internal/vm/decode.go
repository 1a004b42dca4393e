package vm

// Load makes a saved state the machine's state.
func (m *Machine) Load(state []uint64) {
	m.restoreBase()
	m.retireThreads(0)
	m.fault, m.woken, m.region, m.uninitialised = nil, m.woken[:0], false, false
	m.ran, m.chances, m.meetings, m.decisions = m.ran[:0], m.chances[:0], m.meetings[:0], 0
	head := state[0]
	m.end = End{Kind: EndKind(head & 0xff), Code: int(head >> 8 & 0xff)}
	m.out.Stdout, m.out.Stderr = state[1]&0xffffffff, state[1]>>32
	if m.end.Kind != Running {
		m.end.Text, m.end.Pos = state[2], state[3]
		return
	}
	r := reader{m, state[2:]}
	r.base()
	r.roots()
	m.nextID = int(head >> 32)
	for range int(head >> 16 & 0xffff) {
		r.thread()
	}
	if m.img.usesThreadIDs && !m.numbers {
		m.nextID = int(head >> 32)
	}
	m.settle()
	for len(r.rest) > 0 {
		if n := len(m.objs); n < cap(m.objs) {
			m.objs = m.objs[:n+1]
		} else {
			m.objs = append(m.objs, object{})
		}
		r.object(&m.objs[len(m.objs)-1], 0)
	}
}

// restoreBase gives the base objects their first contents and drops all others.
func (m *Machine) restoreBase() {
	n := len(m.img.base)
	if m.moved {
		m.mem = append(m.mem[:0], m.img.baseMem...)
		m.objs = append(m.objs[:0], m.img.base...)
		m.dirty, m.free, m.moved = m.dirty[:0], m.free[:0], false
	}
	for _, id := range m.dirty {
		b := m.img.base[id]
		m.objs[id] = b
		copy(m.mem[b.at:b.at+b.words()], m.img.baseMem[b.at:b.at+b.words()])
	}
	m.dirty = m.dirty[:0]
	m.objs = m.objs[:n]
	m.mem = m.mem[:len(m.img.baseMem)]
	if m.maps != nil {
		m.maps = nil
	}
}

// reader takes a state apart.
type reader struct {
	m    *Machine
	rest []uint64
}

func (r *reader) next() uint64 {
	w := r.rest[0]
	r.rest = r.rest[1:]
	return w
}

func (r *reader) roots() {
	if r.m.hash.Domain > 0 {
		r.m.hashes = r.next()
	}
	n := int(r.next())
	r.m.roots = append(r.m.roots[:0], r.rest[:n]...)
	r.rest = r.rest[n:]
}

func (r *reader) base() {
	for range int(r.next()) {
		id := int(r.next())
		r.m.touch(id)
		class := r.m.objs[id].class
		r.object(&r.m.objs[id], isDirty)
		r.m.objs[id].class = class
	}
}

// object reads an object into fresh memory. It sets all fields of o in place: to build an
// object elsewhere and copy it was a tenth of the machine's time.
func (r *reader) object(o *object, flags uint8) {
	m := r.m
	head := r.next()
	if info := m.img.types[head&0xffffff]; o.info != info {
		o.info = info
	}
	o.at, o.count, o.aux, o.class, o.flags = len(m.mem), int32(head>>32), 0, o.info.class, flags|m.born()
	if head&headShared != 0 {
		o.flags |= isShared | isKnown
	}
	if head&headKnown != 0 {
		o.flags |= isKnown
	}
	n, room := o.words(), 0
	if head&headChan != 0 {
		o.flags |= isChan
		o.aux = uint32(r.next())
		room = int(o.aux>>1)*o.info.typ.Size - n
	}
	m.mem = append(m.mem, r.rest[:n]...)
	r.rest = r.rest[n:]
	if room > 0 {
		m.grow(room)
	}
}

func (r *reader) thread() {
	m := r.m
	head := r.next()
	t := m.newThread()
	t.phase, t.keep, t.tag = phase(head), head&threadSpawned == 0, r.next()
	switch number := int(head &^ threadSpawned >> threadNumber); {
	case m.numbers && number > 0:
		t.id = number - 1
		m.nextID--
	case m.numbers:
		t.anonymous = true
	case m.img.usesThreadIDs:
		t.id = number
	}
	if head&threadPanics != 0 {
		t.panics = r.next()
	}
	n := int(head >> 16 & 0xffffff)
	base := 0
	for i := range n {
		base = r.frame(t, base, i == n-1)
	}
	if head&threadHolds != 0 {
		n := int(r.next())
		t.held = append(t.held, r.rest[:n]...)
		r.rest = r.rest[n:]
	}
}

func (r *reader) frame(t *thread, base int, top bool) int {
	w := r.next()
	c := r.m.img.codes[w>>40]
	if n := len(t.frames); n < cap(t.frames) {
		t.frames = t.frames[:n+1]
	} else {
		t.frames = append(t.frames, frame{})
	}
	f := t.top()
	if f.code != c {
		f.code = c
	}
	f.pc, f.base, f.flags = int32(w>>8&0xffffffff), int32(base), frameFlags(w)
	t.setSize(base + c.fn.NumRegs)
	regs, list := t.regs[base:], r.m.liveIn(f, top)
	rest := r.rest[:len(list)]
	for i, l := range list {
		regs[l.reg] = rest[i]
	}
	r.rest = r.rest[len(list):]
	return base + c.fn.NumRegs
}
