// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"errors"
	"fmt"
)

// Check says what is not well-formed in a program: registers and table indices
// out of range, words of different kinds in one register, control transfers
// that do not lead to the beginning of a block, blocks without a terminator or
// with one inside, registers that are read before they are written. The error
// joins one error for each problem, at most 20 of them.
func (p *Program) Check() error {
	c := checker{p: p}
	c.tables()
	for i, f := range p.Funcs {
		if f.ID != i {
			c.problem("function %s has ID %d but is number %d", f.Name, f.ID, i)
		}
		if !f.External {
			c.function(f)
		}
	}
	return errors.Join(c.problems...)
}

const maxProblems = 20

type checker struct {
	p        *Program
	f        *Func
	pc       int
	problems []error
}

func (c *checker) problem(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fmt.Errorf(format, args...))
	}
}

// wrong reports a problem in the instruction that is being checked.
func (c *checker) wrong(format string, args ...any) {
	c.problem("%s: %d: %s: %s", c.f.Name, c.pc, c.f.Code[c.pc].Op, fmt.Sprintf(format, args...))
}

func (c *checker) tables() {
	p := c.p
	if len(p.Types) == 0 || p.Types[0] != nil {
		c.problem("type 0 is not nil")
	}
	for i, t := range p.Types {
		if t != nil && t.ID != i {
			c.problem("type %s has ID %d but is number %d", t.Name, t.ID, i)
		}
		if t != nil && t.Size <= MaxObject && len(t.Layout()) != t.Size {
			c.problem("type %s has %d words and a layout of %d", t.Name, t.Size, len(t.Layout()))
		}
	}
	if len(p.Consts) != len(p.ConstKinds) {
		c.problem("%d constants but kinds of %d", len(p.Consts), len(p.ConstKinds))
	}
	for i, call := range p.Calls {
		if call.ID != i {
			c.problem("call number %d has ID %d", i, call.ID)
		}
		if call.Kind == CallStatic && (call.Func == nil || call.Func.ID >= len(p.Funcs) || p.Funcs[call.Func.ID] != call.Func) {
			c.problem("call number %d is of no function of the program", i)
		}
	}
	if p.Init != nil && (p.Init.ID >= len(p.Funcs) || p.Funcs[p.Init.ID] != p.Init) {
		c.problem("Init is no function of the program")
	}
}

func (c *checker) function(f *Func) {
	c.f = f
	switch {
	case len(f.Code) == 0 || len(f.Blocks) == 0:
		c.problem("%s has no code", f.Name)
		return
	case len(f.Code) != len(f.Pos):
		c.problem("%s has %d instructions but %d positions", f.Name, len(f.Code), len(f.Pos))
		return
	case f.NumRegs != len(f.Kinds):
		c.problem("%s has %d registers but kinds of %d", f.Name, f.NumRegs, len(f.Kinds))
		return
	}
	before := len(c.problems)
	c.blocks()
	for c.pc = range f.Code {
		c.instr(&f.Code[c.pc])
	}
	if len(c.problems) == before {
		c.entry()
	}
}

// blocks checks that the blocks cover the code and end with a terminator.
func (c *checker) blocks() {
	end := 0
	starts := map[int]bool{}
	for _, b := range c.f.Blocks {
		if b.Start != end || b.End <= b.Start || b.End > len(c.f.Code) {
			c.problem("%s: block [%d:%d) does not follow on %d", c.f.Name, b.Start, b.End, end)
			return
		}
		starts[b.Start] = true
		end = b.End
		for c.pc = b.Start; c.pc < b.End; c.pc++ {
			if last := c.pc == b.End-1; IsTerminator(c.f.Code[c.pc].Op) != last {
				c.wrong("terminator expected at the end of a block and nowhere else")
			}
		}
	}
	if end != len(c.f.Code) {
		c.problem("%s: blocks cover %d of %d instructions", c.f.Name, end, len(c.f.Code))
	}
	for c.pc = range c.f.Code {
		c.targets(starts)
	}
	if r := c.f.Recover; r >= 0 && !starts[r] {
		c.problem("%s: Recover is %d, which begins no block", c.f.Name, r)
	}
}

// IsTerminator says whether an operation ends a block.
func IsTerminator(op Op) bool {
	switch op {
	case OpJump, OpIf, OpReturn, OpPanic:
		return true
	}
	return false
}

func (c *checker) targets(starts map[int]bool) {
	in := &c.f.Code[c.pc]
	if (in.Op == OpJump || in.Op == OpIf) && !starts[int(in.N)] {
		c.wrong("target %d begins no block", in.N)
	}
	if in.Op == OpIf && !starts[int(in.X)] {
		c.wrong("target %d begins no block", in.X)
	}
}

// instr checks one instruction.
func (c *checker) instr(in *Instr) {
	if in.Op >= numOps {
		c.wrong("invalid operation")
		return
	}
	if !c.indices(in) {
		return
	}
	inRange := true
	c.p.Operands(in, func(r Reg, n int, role Role) {
		inRange = c.register(r, n, role) && inRange
	})
	if inRange {
		c.kinds(in)
	}
}

// indices checks the indices into tables. They have to be right before Operands is called.
func (c *checker) indices(in *Instr) bool {
	n := -1
	switch in.Op {
	case OpUnsupported:
		n = len(c.p.Messages)
	case OpReturn, OpMakeClosure, OpPrint, OpAnnounce:
		n = len(c.p.Lists)
	case OpCall, OpGo, OpDefer:
		n = len(c.p.Calls)
	case OpSelect:
		n = len(c.p.Selects)
	case OpField:
		if in.T == nil || in.T.Class != Struct {
			c.wrong("no struct type")
			return false
		}
		n = len(in.T.Fields)
	}
	if n >= 0 && (in.X < 0 || int(in.X) >= n) {
		c.wrong("index %d, table of %d", in.X, n)
		return false
	}
	if in.Op == OpMakeClosure && (in.N < 0 || int(in.N) >= len(c.p.Funcs)) {
		c.wrong("function %d of %d", in.N, len(c.p.Funcs))
		return false
	}
	if needsType(in.Op) && in.T == nil {
		c.wrong("no type")
		return false
	}
	return true
}

func needsType(op Op) bool {
	switch op {
	case OpEqual, OpStrToBytes, OpStrToRunes, OpNew, OpMakeSlice, OpLoad, OpStore, OpField, OpElem, OpArrayElem, OpIndex,
		OpSlice, OpSliceArr, OpArrayPtr, OpAppend, OpCap, OpCopy, OpClear, OpCast, OpMakeMap, OpMapGet, OpMapSet, OpMapDel,
		OpMapClear, OpMapLen, OpMapRange, OpMapNext, OpMakeChan, OpSend, OpRecv, OpClose, OpChanLen, OpChanCap,
		OpMakeIface, OpAssert, OpMakeClosure:
		return true
	}
	return false
}

func (c *checker) register(r Reg, n int, role Role) bool {
	if r < 0 {
		if role != Use {
			c.wrong("writes a constant")
			return false
		}
		if i := int(^r); i+n > len(c.p.Consts) {
			c.wrong("constants %d to %d of %d", i, i+n, len(c.p.Consts))
			return false
		}
		return true
	}
	if int(r)+n > c.f.NumRegs {
		c.wrong("registers %d to %d of %d", r, int(r)+n, c.f.NumRegs)
		return false
	}
	return true
}

// kind is what a word operand holds.
func (c *checker) kind(r Reg) Kind {
	if r < 0 {
		return c.p.ConstKinds[^r]
	}
	return c.f.Kinds[r]
}

// entry checks that nothing but parameters, free variables and the defer list is read before it is
// written. Reads after a recovered panic are left out: they concern the registers of results, which
// a function clears first.
func (c *checker) entry() {
	given := c.f.ParamWords() + c.f.FreeWords()
	plain := *c.f
	plain.Recover = -1
	for _, r := range NewLive(c.p, &plain).Before(0) {
		if int(r) >= given && r != c.f.DeferReg {
			c.problem("%s: register %d is read before it is written", c.f.Name, r)
		}
	}
}
