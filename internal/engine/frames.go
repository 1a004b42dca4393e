// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"fmt"
	"slices"

	"pangolin/internal/ir"
)

// The methods of proof zones, places and ages execute a thread's instructions on abstract values, each with a type V of its own. This file has what they share: the calls
// that the thread has in progress, and which of their registers are read later. It moves values between registers, and looks at none.

// Frame is a call in progress. While a thread is stopped, Regs has the values of the registers that are read later, in the order of Live.Registers.
type Frame[V any] struct {
	Fn   *ir.Func
	PC   int
	Regs []V
}

// Frames are the calls of a thread, the innermost one last.
type Frames[V any] []Frame[V]

// NewFrames is a call of a function, with its first registers.
func NewFrames[V any](f *ir.Func, args ...V) Frames[V] {
	regs := make([]V, f.NumRegs)
	copy(regs, args)
	return Frames[V]{{Fn: f, Regs: regs}}
}

// Top is the innermost call.
func (s Frames[V]) Top() *Frame[V] { return &s[len(s)-1] }

// Clone copies the calls and their registers.
func (s Frames[V]) Clone() Frames[V] {
	c := slices.Clone(s)
	for i := range c {
		c[i].Regs = slices.Clone(s[i].Regs)
	}
	return c
}

// Stop gives the calls of a thread that is stopped: of the registers what is read later.
func (s Frames[V]) Stop(l *Live) Frames[V] {
	c := slices.Clone(s)
	for i := range c {
		f := &c[i]
		f.Regs = []V{}
		for _, r := range l.Registers(f.Fn, f.PC, i < len(c)-1) {
			f.Regs = append(f.Regs, s[i].Regs[r])
		}
	}
	return c
}

// Go gives the calls of a thread that goes on: registers that are not read have the zero value.
func (s Frames[V]) Go(l *Live) Frames[V] {
	c := slices.Clone(s)
	for i := range c {
		f := &c[i]
		f.Regs = make([]V, f.Fn.NumRegs)
		for k, r := range l.Registers(f.Fn, f.PC, i < len(c)-1) {
			f.Regs[r] = s[i].Regs[k]
		}
	}
	return c
}

// Enter begins the call of a function with code; get gives the values of operands. The caller stays at its instruction.
func (s *Frames[V]) Enter(c *ir.Call, get func(*Frame[V], ir.Reg) V) {
	f := s.Top()
	var args []V
	for _, a := range c.Args {
		for i := range a.Type.Size {
			args = append(args, get(f, a.Reg.Word(i)))
		}
	}
	*s = append(slices.Clip(*s), NewFrames(c.Func, args...)...)
}

// Results are what the innermost call returns.
func (s Frames[V]) Results(list []ir.Arg, get func(*Frame[V], ir.Reg) V) (results []V) {
	for _, a := range list {
		for i := range a.Type.Size {
			results = append(results, get(s.Top(), a.Reg.Word(i)))
		}
	}
	return results
}

// Leave ends the innermost call, which is not the only one, and goes on behind it.
func (s *Frames[V]) Leave(results []V) {
	*s = (*s)[:len(*s)-1]
	f := s.Top()
	if dst := f.Fn.Code[f.PC].Dst; dst != ir.NoReg {
		copy(f.Regs[dst:], results)
	}
	f.PC++
}

// Alarm is one at the innermost instruction that is not the harness's.
func (s Frames[V]) Alarm(p *ir.Program, outside bool, format string, args ...any) *Alarm {
	a := &Alarm{Outside: outside, Text: fmt.Sprintf(format, args...)}
	for i := len(s) - 1; i >= 0; i-- {
		if f := &s[i]; !f.Fn.Harness {
			a.At = p.Position(f.Fn.Pos[f.PC])
			break
		}
	}
	if a.At == "" && outside {
		a.Text += ", in the code that drives the operations: items are not of type int"
	}
	return a
}

// Site is an instruction; Calling: one in whose call a thread is.
type Site struct {
	Fn      *ir.Func
	PC      int
	Calling bool
}

// Live says which registers are read later.
type Live struct {
	prog  *ir.Program
	funcs map[*ir.Func]*ir.Live
	lists map[Site][]ir.Reg
}

// NewLive is for the functions of a program.
func NewLive(p *ir.Program) *Live {
	return &Live{p, map[*ir.Func]*ir.Live{}, map[Site][]ir.Reg{}}
}

// Registers lists those that are read by a thread that is before an instruction, or, if calling, in its call. Panics are not recovered.
func (l *Live) Registers(f *ir.Func, pc int, calling bool) []ir.Reg {
	at := Site{f, pc, calling}
	list, known := l.lists[at]
	if known {
		return list
	}
	live := l.funcs[f]
	if live == nil {
		plain := *f
		plain.Recover, plain.DeferReg = -1, ir.NoReg
		live = ir.NewLive(l.prog, &plain)
		l.funcs[f] = live
	}
	if list = live.Before(pc); calling {
		list = live.During(pc)
	}
	l.lists[at] = list
	return list
}

// IsInteger says whether words of a format are whole numbers, and no floats, complex numbers or strings.
func IsInteger(n ir.Num) bool { return n >= ir.I8 && n <= ir.U64 }

// IsOrdered says whether two constants, which are words read as numbers with a sign, are as large in a format as they look: -1 is a great number without a sign.
func IsOrdered(n ir.Num, a, b int64) bool {
	return n == ir.Word || IsInteger(n) && (n.Signed() || a >= 0 && b >= 0)
}
