package vm

// collectFirst is how much memory, in words, a program uses before the collector
// first runs.
const collectFirst = 1 << 22

// wantsCollection says whether it is time to look for garbage. Only a machine that
// follows one execution has to: a saved state holds no garbage.
func (m *Machine) wantsCollection() bool { return len(m.mem) > m.collectAt && !m.tracking }

// collect drops the objects that no thread and no base object reaches. The numbers
// of the others stay as they are. Every thread must stand at an instruction that
// has not begun.
func (m *Machine) collect() {
	work := make([]uint32, 0, 1024)
	for id := 1; id <= m.img.baseCount(); id++ {
		work = append(work, uint32(id))
	}
	for _, p := range m.roots {
		work = append(work, uint32(p>>32))
	}
	for _, t := range m.threads {
		work = m.threadReferences(work, t)
	}
	m.mark(m.finalizerReferences(work))
	m.mark(m.findDue(work[:0]))
	m.sweep()
	m.memory.collections++
	m.collectAt = max(collectFirst, 2*len(m.mem))
	m.runDue()
}

// mark marks what can be reached from the objects in work.
func (m *Machine) mark(work []uint32) {
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		o := &m.objs[id]
		if o.flags&isMarked == 0 {
			o.flags |= isMarked
			work = m.references(work, o)
		}
	}
}

func (m *Machine) threadReferences(dst []uint32, t *thread) []uint32 {
	if t.panics != 0 {
		dst = append(dst, uint32(t.panics>>32))
	}
	for i := range t.frames {
		f := &t.frames[i]
		regs := t.regs[f.base:]
		for _, l := range m.liveIn(f, i == len(t.frames)-1) {
			if ref := m.reference(regs, int(l.reg), l.kind); ref != 0 {
				dst = append(dst, uint32(ref))
			}
		}
	}
	return dst
}

// references appends the objects that an object refers to.
func (m *Machine) references(dst []uint32, o *object) []uint32 {
	size := o.info.typ.Size
	if len(o.info.refs) == 0 {
		return dst
	}
	for at := o.at; at < o.at+o.words(); at += size {
		w := m.mem[at : at+size]
		for _, r := range o.info.refs {
			if ref := m.reference(w, int(r), o.info.layout[r]); ref != 0 {
				dst = append(dst, uint32(ref))
			}
		}
	}
	return dst
}

// sweep frees the numbers of objects that are not marked and moves the others
// together.
func (m *Machine) sweep() {
	old := m.mem
	m.mem, m.memory.spare = m.memory.spare[:0], old
	for id := 1; id < len(m.objs); id++ {
		o := &m.objs[id]
		if o.flags&isMarked == 0 {
			if o.info != nil {
				*o = object{}
				m.free = append(m.free, int32(id))
				m.memory.freed++
			}
			continue
		}
		o.flags &^= isMarked
		at := len(m.mem)
		m.mem = append(m.mem, old[o.at:o.at+o.words()]...)
		if o.flags&isChan != 0 {
			m.grow(int(o.aux>>1)*o.info.typ.Size - o.words())
		} else {
			o.aux = 0
		}
		o.at = at
	}
	m.moved = true
	m.maps = nil
}
