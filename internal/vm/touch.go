// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"math"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/state"
)

// What built-in functions read and write are accesses like those of instructions: they
// race, they need guards, and they are scheduling points. The few functions whose
// purpose is to be called concurrently access their object atomically.

// object1 is the touch of an operation that changes its first argument's object as a
// whole. The first word stands for it: a program cannot name the words behind.
func object1(c *call, dst []access) []access {
	return append(dst, access{p: c.args[0], words: 1, write: true, atomic: true})
}

// objectRW is the same for a lock of readers and writers. A comparison of what it stands in reads its words one by one, and
// passes over the first where no writer ever comes, so the others have to be there.
func objectRW(c *call, dst []access) []access {
	return append(dst, access{p: c.args[0], words: rwWords, write: true, atomic: true})
}

// reads1 is the same for an operation that only looks.
func reads1(c *call, dst []access) []access {
	return append(dst, access{p: c.args[0], words: 1, atomic: true})
}

// touches says whether a plain access of the call is a scheduling point.
func (c *call) touches() bool {
	var room [few]access
	visible := false
	for _, a := range c.b.plainly(c, room[:0]) {
		visible = c.m.accessVisible(c.t, a) || visible
	}
	return visible
}

// accessVisible says whether a plain access is a scheduling point.
func (m *Machine) accessVisible(t *state.Thread, a access) bool {
	if a.p == 0 || a.words == 0 {
		return false
	}
	// The first word stands for a map's entries: they have no places of their own that anybody could name.
	n := a.words
	if n == wholeMap {
		n = 1
	}
	o := &m.Objs[a.p>>32]
	if o.Flags&state.IsKnown == 0 || !a.write && m.FrozenRead(o, state.Offset(a.p), n) {
		return false
	}
	return m.Visible(t, a.p, n, a.write)
}

// unguard takes note of atomic accesses, which nothing guards.
func (c *call) unguard() {
	// A word on which operations of its own work, such as a lock's, is accessed by threads that hold nothing. If it
	// were left among the guarded ones, a plain access to it under some lock would be passed over, and races with the operation not seen.
	if c.m.Guards == nil || c.b.atomically == nil {
		return
	}
	c.m.touched = c.b.atomically(c, c.m.touched[:0])
	for _, a := range c.m.touched {
		for i := range a.words {
			c.m.Unguard(a.p + uint64(i))
		}
	}
}

// builtinAccesses appends what the built-in call that a thread stands at accesses.
func (m *Machine) builtinAccesses(t *state.Thread, dst []access) []access {
	c := m.builtinAt(t)
	if c == nil || c.b == nil {
		return dst
	}
	if c.b.atomically != nil {
		dst = c.b.atomically(c, dst)
	}
	if c.b.plainly != nil {
		dst = c.b.plainly(c, dst)
	}
	return dst
}

// atPlain says that a thread is about to access memory, and not atomically.
func (m *Machine) atPlain(t *state.Thread) bool {
	if in := t.Instr(); in.Op != ir.OpCall {
		return plain(in.Op)
	}
	c := m.builtinAt(t)
	return c != nil && c.b != nil && c.b.plainly != nil
}

// wholeMap stands for the words of a map: it is one location.
const wholeMap = math.MaxInt32

// reads and writes list one plain access of n words.
func reads(dst []access, p uint64, n int) []access {
	return append(dst, access{p: p, words: n})
}

func writes(dst []access, p uint64, n int) []access {
	return append(dst, access{p: p, words: n, write: true})
}

// readsSlice lists the elements, of one word, of the slice in argument words i to i+2.
func readsSlice(i int) func(c *call, dst []access) []access {
	return func(c *call, dst []access) []access { return reads(dst, c.args[i], int(c.args[i+1])) }
}

// formatted lists what formatting reads: it formats, and keeps a record.
func formatted(run func(m format.Memory, c *call)) func(c *call, dst []access) []access {
	return func(c *call, dst []access) []access {
		r := &recorded{Printed: state.Printed{State: &c.m.State}, list: dst}
		run(r, c)
		return r.list
	}
}

// recorded is the machine's memory with a record of what has been read.
type recorded struct {
	state.Printed
	list   []access
	failed bool
}

// At reads n words from p on, and notes that they were read.
func (r *recorded) At(p uint64, n int) []uint64 {
	r.list = reads(r.list, p, n)
	return r.Printed.At(p, n)
}

// Entries is how many entries the map p has; all of its words count as read.
func (r *recorded) Entries(p uint64) int {
	r.list = reads(r.list, p, wholeMap)
	return r.Printed.Entries(p)
}

// Unsupported notes that a value cannot be printed. No fault is recorded: nothing is executed, reads are looked up.
func (r *recorded) Unsupported(string) { r.failed = true }

// Failed says whether something could not be printed.
func (r *recorded) Failed() bool { return r.failed || r.Printed.Failed() }
