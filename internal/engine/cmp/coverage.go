// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// What a proof is not about: lines of the operations that no thread executes in any view, because the
// bound on the items leaves them out, or nothing does. Every step of the table is made
// once more, one instruction at a time.

// coverage is which instructions were executed.
type coverage struct {
	s    *search
	seen map[*ir.Func][]bool
}

// unreached lists the lines of the subject's own code, of functions that are executed, of which
// no instruction is.
func (s *search) unreached() []string {
	c := &coverage{s: s, seen: map[*ir.Func][]bool{}}
	for v := range s.t.views {
		s.load(int32(v))
		if s.m.Idle(0) {
			for i := range s.model.calls {
				c.follow(func() { s.load(int32(v)); c.call(i) }, func() { s.m.Settle(0, nil) })
			}
		} else if s.m.Enabled(0) {
			c.follow(func() { s.load(int32(v)) }, func() { s.m.Step(0, nil) })
		}
	}
	return c.lines()
}

// call begins a call.
func (c *coverage) call(i int) {
	step := c.s.model.calls[i].step
	c.s.m.Call(0, c.s.model.subject.Operations[step.Op].Func, subject.ArgumentWords(nil, c.s.m.Root(0), step.Args))
}

// instructions says how many instructions a step has, and stands before it again.
func (s *search) instructions(load, step func()) (n int) {
	load()
	step()
	for _, r := range s.m.Ran() {
		n += r.Instructions
	}
	load()
	return n
}

// follow makes a step, and then as many instructions one by one.
func (c *coverage) follow(load, step func()) {
	m := c.s.m
	for range c.s.instructions(load, step) {
		if m.Idle(0) {
			return
		}
		f := m.Thread[0].Top()
		fn := f.Code.Func
		if c.seen[fn] == nil {
			c.seen[fn] = make([]bool, len(f.Code.Instrs))
		}
		c.seen[fn][f.PC] = true
		if m.RunExactly(0, 1, nil) == 0 {
			return
		}
	}
}

// lines are those without an executed instruction.
func (c *coverage) lines() []string {
	type line struct{ file, n int32 }
	reached := map[line]bool{}
	for fn, seen := range c.seen {
		if fn.Library() || fn.Harness || fn.Wrapper {
			continue
		}
		recovers := recoverBlock(fn)
		for pc, yes := range seen {
			if pc >= len(fn.Pos) || fn.Pos[pc].Line == 0 || recovers[pc] {
				continue
			}
			at := line{fn.Pos[pc].File, fn.Pos[pc].Line}
			reached[at] = reached[at] || yes
		}
	}
	var missing []line
	for at, yes := range reached {
		if !yes {
			missing = append(missing, at)
		}
	}
	prog := c.s.model.subject.Prog
	slices.SortFunc(missing, func(a, b line) int {
		return cmp.Or(cmp.Compare(prog.Files[a.file], prog.Files[b.file]), cmp.Compare(a.n, b.n))
	})
	out := []string{}
	for _, at := range missing {
		out = append(out, prog.Position(ir.Pos{File: at.file, Line: at.n}))
	}
	return out
}

// recoverBlock are the instructions at which a function goes on when a deferred call has
// recovered a panic.
func recoverBlock(fn *ir.Func) map[int]bool {
	out := map[int]bool{}
	for _, b := range fn.Blocks {
		if fn.Recover >= 0 && b.Start == fn.Recover {
			for pc := b.Start; pc < b.End; pc++ {
				out[pc] = true
			}
		}
	}
	return out
}
