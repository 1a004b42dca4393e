// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// A data race is decided of states, not of executions: a program has one iff in some state
// that can be reached two threads stand at accesses that conflict. There are no clocks and
// no locksets: what synchronisation forbids is a state that the search never comes to. So
// nothing is reported that cannot happen, and nothing is missed, as long as threads stand
// at all accesses that may conflict: what the reductions pass over has no partner by their
// conditions.
//
// That is so as long as nobody learns of another without being ordered behind it. Where a search meets an operation
// that tells without ordering (len of a channel, a TryLock that fails), races are hunted by what orders them
// (hunt.go, doc/races.md).
//
// Only what the next instruction accesses counts. That is enough: of two accesses that can
// be made at the same time, the one that comes first in an execution could have waited for
// the other.

// access is memory that an instruction is about to touch.
type access struct {
	p      uint64
	words  int
	write  bool
	atomic bool
}

// Race is a pair of threads that are about to access the same memory, at least one
// of them writing and at least one not atomically.
type Race struct {
	Threads [2]int
	At      [2]Place // of the accesses, in the program's own code
	Write   [2]bool
	// Caller says that the access is made by who called an operation, with its result or in
	// a critical section of its own: there is no place in the program's code.
	Caller [2]bool
	What   string // the memory's name for people, "" if it has none
}

// Race looks for a data race in the current state.
func (m *Machine) Race() (Race, bool) {
	for i, j := range m.conflicts {
		return m.race(j, i), true
	}
	return Race{}, false
}

// Races lists all data races in the current state.
func (m *Machine) Races() []Race {
	var list []Race
	for i, j := range m.conflicts {
		list = append(list, m.race(j, i))
	}
	return list
}

// conflicts enumerates the pairs of threads that race, i > j. One of two stands at an access that is not atomic, so where most do not, few
// pairs are looked at.
func (m *Machine) conflicts(yield func(i, j int) bool) {
	plain := m.plain[:0]
	for i, t := range m.Thread {
		if t.Idle() {
			continue
		}
		if !m.atPlain(t) {
			for _, j := range plain {
				if m.conflict(t, m.Thread[j]) && !yield(i, j) {
					return
				}
			}
			continue
		}
		for j, u := range m.Thread[:i] {
			if m.conflict(t, u) && !yield(i, j) {
				return
			}
		}
		plain = append(plain, i)
	}
	m.plain = plain
}

func (m *Machine) race(i, j int) Race {
	r := Race{Threads: [2]int{i, j}}
	for k, n := range r.Threads {
		r.At[k] = m.userPlace(m.Thread[n])
		r.Caller[k] = m.Thread[n].Top().Code.Func.Harness
	}
	// copy reads one slice and writes another: what counts is what the other thread is about to access.
	for _, a := range m.accesses(m.Thread[i], nil) {
		for _, b := range m.accesses(m.Thread[j], nil) {
			if !a.conflicts(b) {
				continue
			}
			r.Write[0], r.Write[1] = r.Write[0] || a.write, r.Write[1] || b.write
			if r.What == "" {
				r.What = m.MemoryName(max(a.p, b.p))
			}
		}
	}
	return r
}

// conflict says that the accesses at which two threads stand race. One of them is not atomic.
func (m *Machine) conflict(t, u *state.Thread) bool {
	if t.Idle() || u.Idle() || t.Top().Code.Func.NoRace || u.Top().Code.Func.NoRace {
		return false
	}
	var a, b [2]access
	for _, x := range m.accesses(t, a[:0]) {
		for _, y := range m.accesses(u, b[:0]) {
			if x.conflicts(y) {
				return true
			}
		}
	}
	return false
}

// plain says whether an instruction accesses memory and does so not atomically.
func plain(op ir.Op) bool {
	switch op {
	case ir.OpLoad, ir.OpStore, ir.OpAppend, ir.OpCopy, ir.OpClear, ir.OpBytesToStr, ir.OpRunesToStr,
		ir.OpMapGet, ir.OpMapSet, ir.OpMapDel, ir.OpMapClear, ir.OpMapLen, ir.OpMapNext:
		return true
	}
	return false
}

func (a access) conflicts(b access) bool {
	if a.p>>32 != b.p>>32 || a.words == 0 || b.words == 0 || !a.write && !b.write || a.atomic && b.atomic {
		return false
	}
	return state.Offset(a.p) < state.Offset(b.p)+b.words && state.Offset(b.p) < state.Offset(a.p)+a.words
}

// accesses lists the memory that the instruction a thread stands at touches.
func (m *Machine) accesses(t *state.Thread, dst []access) []access {
	in := t.Instr()
	regs, consts := t.Registers(), m.img.Prog.Consts
	switch in.Op {
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		// A compare-and-swap is write-like even if it fails: so says the memory model.
		dst = append(dst, access{state.Operand(regs, consts, in.A), 1, in.Op != ir.OpAtomicLoad, true})
	case ir.OpLoad, ir.OpStore:
		dst = append(dst, access{state.Operand(regs, consts, in.A), in.T.Size, in.Op == ir.OpStore, false})
	case ir.OpMapGet, ir.OpMapLen, ir.OpMapNext:
		dst = append(dst, access{state.Operand(regs, consts, in.A), wholeMap, false, false})
	case ir.OpMapSet, ir.OpMapDel, ir.OpMapClear:
		dst = append(dst, access{state.Operand(regs, consts, in.A), wholeMap, true, false})
	case ir.OpBytesToStr, ir.OpRunesToStr:
		dst = append(dst, access{state.Operand(regs, consts, in.A), int(state.Operand(regs, consts, in.A.Word(1))), false, false})
	case ir.OpClear:
		dst = append(dst, access{state.Operand(regs, consts, in.A), int(state.Operand(regs, consts, in.A.Word(1))) * in.T.Size, true, false})
	case ir.OpAppend, ir.OpCopy:
		dst = m.moveAccesses(in, regs, dst)
	case ir.OpCall:
		dst = m.builtinAccesses(t, dst)
	}
	return live(dst)
}

// live drops accesses through nil pointers.
func live(list []access) []access {
	n := 0
	for _, a := range list {
		if a.p != 0 {
			list[n] = a
			n++
		}
	}
	return list[:n]
}

// moveAccesses lists what append and copy touch.
func (m *Machine) moveAccesses(in *ir.Instr, regs []uint64, dst []access) []access {
	consts := m.img.Prog.Consts
	size := in.T.Size
	p, n := state.Operand(regs, consts, in.A), int(state.Operand(regs, consts, in.A.Word(1)))
	k := 0
	if in.Ok {
		k = len(m.Text(state.Operand(regs, consts, in.B)))
	} else {
		k = int(state.Operand(regs, consts, in.B.Word(1)))
	}
	if in.Op == ir.OpCopy {
		k = min(k, n)
		dst = append(dst, access{p, k * size, true, false})
	} else if size > 0 {
		writes, reads := m.mayHaveRoom(p, state.Operand(regs, consts, in.A.Word(2)), uint64(n+k), size)
		if writes {
			dst = append(dst, access{p + uint64(n*size), k * size, true, false})
		}
		if reads {
			dst = append(dst, access{p, n * size, false, false})
		}
	}
	if !in.Ok {
		dst = append(dst, access{state.Operand(regs, consts, in.B), k * size, false, false})
	}
	return dst
}
