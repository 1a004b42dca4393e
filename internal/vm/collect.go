// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/vm/state"
)

// Garbage. A saved state has none, for what nothing reaches is not saved; a machine that
// follows one execution for thousands of millions of instructions has to look for it. The
// collector must not be noticed: objects keep their numbers, and finalizers and weak
// pointers have their say (builtin_memory.go).

// collectFirst is how much memory, in words, a program uses before the collector
// first runs.
const collectFirst = 1 << 22

// wantsCollection says whether it is time to look for garbage. Only a machine that
// follows one execution has to: a saved state holds no garbage.
func (m *Machine) wantsCollection() bool { return len(m.Mem) > m.collectAt && !m.Tracking }

// collect drops the objects that no thread and no base object reaches. The numbers
// of the others stay as they are. Every thread must stand at an instruction that
// has not begun.
func (m *Machine) collect() {
	work := make([]uint32, 0, 1024)
	for id := 1; id <= m.img.BaseCount(); id++ {
		work = append(work, uint32(id))
	}
	for _, p := range m.Kept {
		work = append(work, uint32(p>>32))
	}
	for _, t := range m.Thread {
		work = m.threadReferences(work, t, false)
	}
	m.mark(m.finalizerReferences(work))
	m.mark(m.findDue(work[:0]))
	m.sweep()
	m.memory.collections++
	m.collectAt = max(collectFirst, 2*len(m.Mem))
	m.runDue()
}

// mark marks what can be reached from the objects in work.
func (m *Machine) mark(work []uint32) {
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		o := &m.Objs[id]
		if o.Flags&state.IsMarked == 0 {
			o.Flags |= state.IsMarked
			work = m.References(work, o)
		}
	}
}

// threadReferences appends the objects that a thread refers to; behind says: once it has executed the instruction that it stands
// at, what that gives left aside.
func (m *Machine) threadReferences(dst []uint32, t *state.Thread, behind bool) []uint32 {
	if t.Panics != 0 {
		dst = append(dst, uint32(t.Panics>>32))
	}
	for i := range t.Frames {
		f := &t.Frames[i]
		regs := t.Regs[f.Base:]
		for _, l := range m.LiveIn(f, i == len(t.Frames)-1 && !behind) {
			if ref := m.Reference(regs, int(l.Reg), l.Kind); ref != 0 {
				dst = append(dst, uint32(ref))
			}
		}
	}
	return dst
}

// sweep frees the numbers of objects that are not marked and moves the others
// together.
func (m *Machine) sweep() {
	old := m.Mem
	m.Mem, m.memory.spare = m.memory.spare[:0], old
	for id := 1; id < len(m.Objs); id++ {
		o := &m.Objs[id]
		if o.Flags&state.IsMarked == 0 {
			if o.Info != nil {
				*o = state.Object{}
				m.Free = append(m.Free, int32(id))
				m.memory.freed++
			}
			continue
		}
		o.Flags &^= state.IsMarked
		at := len(m.Mem)
		m.Mem = append(m.Mem, old[o.At:o.At+o.Words()]...)
		if o.Flags&state.IsChan != 0 {
			m.Grow(int(o.Room())*o.Info.Type.Size - o.Words())
		} else if o.Flags&state.IsOpen == 0 {
			o.Aux = 0
		}
		o.At = at
	}
	m.Moved = true
	m.Maps = nil
}
