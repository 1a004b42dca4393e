// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// Coverage: lines of the operations that no thread executes in any view. The bound on the items leaves them out, or
// nothing ever reaches them; a proof says nothing about them. To find them every step of the table is made once more,
// one instruction at a time.

// coverage counts which instructions the steps of a table execute.
type coverage struct {
	s    *search
	seen map[*ir.Func][]bool // per function, by index of the instruction
}

// unreached lists the lines, as "file.go:12", of which no instruction is executed in any view. Only the collection's
// own functions count, of these only those that are executed at all, and not the code behind a recovered panic.
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

// call begins call i of the model on thread 0.
func (c *coverage) call(i int) {
	step := c.s.model.calls[i].step
	c.s.m.Call(0, c.s.model.subject.Operations[step.Op].Func, subject.ArgumentWords(nil, c.s.m.Root(0), step.Args))
}

// instructions gives the number of instructions that a step executes. load makes the state before the step the
// machine's state; it is called before and after.
func (s *search) instructions(load, step func()) (n int) {
	load()
	step()
	for _, r := range s.m.Ran() {
		n += r.Instructions
	}
	load()
	return n
}

// follow makes a step instruction by instruction and notes each. The step is made once as a whole first, to learn how
// many instructions it has.
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

// lines lists the lines of executed functions of which no instruction was executed, by file and line.
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

// recoverBlock is the set of the instructions at which a function goes on when a deferred call has recovered a panic.
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
