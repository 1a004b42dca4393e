// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"pangolin/internal/certificate"
	"pangolin/internal/ir"
)

// most is the greatest number of elements of a slice, and of choices of mark.Choose.
const most = 8

// makeSlice makes a slice, in the constructor only: one object with a known number of elements.
func (c *Checker) makeSlice(s *state, f *frame, in *ir.Instr) error {
	n := c.get(f, in.A)
	if s.frames[0].fn != c.maker || !known(n) || n != c.get(f, in.B) || n.N < 1 || n.N > most || in.T.Size == 0 || in.T.Size > 1<<8 || c.types[in.T.ID].link >= 0 {
		return c.reject(s, "a slice is made outside of the constructor, or not with 1 to %d elements", most)
	}
	for _, lock := range c.types[in.T.ID].mutex {
		if lock {
			return c.reject(s, "a slice contains locks, which certificates do not support")
		}
	}
	s.g = append(s.g, cell{typ: in.T.ID, private: true, words: make([]word, int(n.N)*in.T.Size)})
	copy(f.regs[in.Dst:], []word{ref(len(s.g)-1, 0), n, n})
	return nil
}

// element computes the address of an element of a slice.
func (c *Checker) element(s *state, f *frame, in *ir.Instr) error {
	a, n, i := c.get(f, in.A), c.get(f, in.A.Word(1)), c.get(f, in.B)
	if err := c.pointer(s, a); err != nil {
		return err
	}
	if !known(n) || !known(i) || i.N < 0 || i.N >= n.N {
		return c.reject(s, "an index into a slice that is not known, or out of range")
	}
	a.Off += i.N * int32(in.T.Size)
	f.regs[in.Dst] = a
	return nil
}

// anyOf continues the thread with each number below n.
func (c *Checker) anyOf(s *state, n word) (bool, error) {
	if f := s.top(); f.fn.Code[f.pc].Op != ir.OpCall || !known(n) || n.N < 1 || n.N > most {
		return false, c.reject(s, "mark.Choose among a number that is not known, or not 1 to %d", most)
	}
	for i := range n.N {
		other := s.clone()
		c.goOn(other, []word{{Form: certificate.Const, N: i}})
		c.fork(other)
	}
	return false, nil
}

// at is the offset, in one element of the type, of word off of an object with several elements.
func (l *layout) at(off int) int { return off % l.typ.Size }

// elements reports whether an object of the type may have so many words: those of one element, or of several if the type has no locks and
// forms no chains.
func (l *layout) elements(words int) bool {
	n := l.size()
	if n <= 0 || words == n {
		return words == n
	}
	for _, lock := range l.mutex {
		if lock {
			return false
		}
	}
	return l.link < 0 && words > 0 && words%n == 0 && words/n <= most
}
