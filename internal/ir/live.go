// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"math/bits"
	"slices"
)

// Live tells which registers of a function still matter at each instruction: a
// register is live before an instruction if some path from there reads it
// before writing it. What is not live may hold anything, so it is no part of a
// state.
//
// Where a function can go on after a recovered panic (Func.Recover), whatever
// is live there is live everywhere: any instruction may panic. The defer list is
// live everywhere for the same reason.
type Live struct {
	p    *Program
	f    *Func
	outs []regSet // at the end of each block
	pin  regSet   // live everywhere
}

// NewLive computes the liveness of a function's registers.
func NewLive(p *Program, f *Func) *Live {
	l := &Live{p: p, f: f, outs: make([]regSet, len(f.Blocks)), pin: newRegSet(f.NumRegs)}
	for i := range l.outs {
		l.outs[i] = newRegSet(f.NumRegs)
	}
	if f.DeferReg != NoReg {
		l.pin.add(f.DeferReg, 1)
	}
	l.solve()
	if f.Recover >= 0 {
		l.pin.union(l.before(f.Recover))
		l.solve()
	}
	return l
}

// Before returns the registers that are live before instruction pc, ascending.
func (l *Live) Before(pc int) []Reg { return l.before(pc).list() }

// NoneBefore says of each instruction whether no register is live before it: whether Before gives none.
func (l *Live) NoneBefore() []bool {
	none := make([]bool, len(l.f.Code))
	for b := range l.f.Blocks {
		s := l.outs[b].clone()
		s.union(l.pin)
		for i := l.f.Blocks[b].End - 1; i >= l.f.Blocks[b].Start; i-- {
			l.transfer(s, &l.f.Code[i])
			none[i] = !slices.ContainsFunc(s, func(word uint64) bool { return word != 0 })
		}
	}
	return none
}

// During returns the registers that are live while the call at pc runs: those
// needed after it, without its result.
func (l *Live) During(pc int) []Reg {
	s := l.after(pc)
	l.remove(s, &l.f.Code[pc])
	s.union(l.pin)
	return s.list()
}

func (l *Live) solve() {
	at := blockStarts(l.f)
	for changed := true; changed; {
		changed = false
		for b := len(l.f.Blocks) - 1; b >= 0; b-- {
			for _, target := range successors(l.f, b) {
				in := l.before(l.f.Blocks[at[target]].Start)
				changed = l.outs[b].union(in) || changed
			}
		}
	}
}

// blockStarts maps the first instruction of each block to the block.
func blockStarts(f *Func) map[int]int {
	at := make(map[int]int, len(f.Blocks))
	for i, b := range f.Blocks {
		at[b.Start] = i
	}
	return at
}

// successors returns the first instructions of the blocks that follow block b.
func successors(f *Func, b int) []int {
	in := &f.Code[f.Blocks[b].End-1]
	switch in.Op {
	case OpJump:
		return []int{int(in.N)}
	case OpIf:
		return []int{int(in.N), int(in.X)}
	}
	return nil
}

// blockOf is the block of an instruction.
func (f *Func) blockOf(pc int) int {
	lo, hi := 0, len(f.Blocks)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if f.Blocks[mid].Start <= pc {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// after returns a fresh set of what is live behind instruction pc.
func (l *Live) after(pc int) regSet {
	b := l.f.blockOf(pc)
	s := l.outs[b].clone()
	s.union(l.pin)
	for i := l.f.Blocks[b].End - 1; i > pc; i-- {
		l.transfer(s, &l.f.Code[i])
	}
	return s
}

func (l *Live) before(pc int) regSet {
	s := l.after(pc)
	l.transfer(s, &l.f.Code[pc])
	return s
}

func (l *Live) transfer(s regSet, in *Instr) {
	l.remove(s, in)
	l.p.Operands(in, func(r Reg, n int, role Role) {
		if role != Def && r >= 0 {
			s.add(r, n)
		}
	})
	s.union(l.pin)
}

func (l *Live) remove(s regSet, in *Instr) {
	l.p.Operands(in, func(r Reg, n int, role Role) {
		if role == Def && r >= 0 {
			s.remove(r, n)
		}
	})
}

// regSet is a bit set of registers.
type regSet []uint64

func newRegSet(n int) regSet { return make(regSet, (n+63)/64) }

func (s regSet) clone() regSet { return append(regSet(nil), s...) }

func (s regSet) add(r Reg, n int) {
	for i := int(r); i < int(r)+n; i++ {
		s[i/64] |= 1 << (i % 64)
	}
}

func (s regSet) remove(r Reg, n int) {
	for i := int(r); i < int(r)+n; i++ {
		s[i/64] &^= 1 << (i % 64)
	}
}

// union adds o to s and says whether s grew.
func (s regSet) union(o regSet) bool {
	grew := false
	for i, w := range o {
		if w&^s[i] != 0 {
			s[i] |= w
			grew = true
		}
	}
	return grew
}

func (s regSet) list() []Reg {
	var regs []Reg
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			regs = append(regs, Reg(i*64+bits.TrailingZeros64(w)))
		}
	}
	return regs
}
