// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
)

// memory executes an instruction on memory.
func (c *Checker) memory(s *state, f *frame, in *ir.Instr) (bool, error) {
	switch in.Op {
	case ir.OpNew:
		if in.T.Size == 0 {
			return false, c.reject(s, "a variable of no size: whether it has an address of its own is open")
		}
		f.regs[in.Dst] = s.fresh(in.T, nil)
	case ir.OpMakeClosure:
		words := []word{{Form: certificate.Func, N: in.N}}
		for _, a := range c.prog.Lists[in.X] {
			words = append(words, c.several(f, a.Reg, a.Type.Size)...)
		}
		if slices.Contains(words, lost) {
			return false, c.reject(s, "a closure with something that is not known")
		}
		f.regs[in.Dst] = s.fresh(in.T, words)
	case ir.OpMakeSlice, ir.OpElem:
		make := c.element
		if in.Op == ir.OpMakeSlice {
			make = c.makeSlice
		}
		if err := make(s, f, in); err != nil {
			return false, err
		}
	case ir.OpField, ir.OpArrayElem:
		a := c.get(f, in.A)
		if err := c.pointer(s, a); err != nil {
			return false, err
		}
		off := int(in.N)
		if in.Op == ir.OpArrayElem {
			i := c.get(f, in.B)
			if !known(i) || i.N < 0 || i.N >= in.N {
				return false, c.reject(s, "an element of an array that is not known")
			}
			off = int(i.N) * in.T.Size
		}
		a.Off += int32(off)
		f.regs[in.Dst] = a
	case ir.OpLoad, ir.OpStore, ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		return c.access(s, f, in)
	default:
		return false, c.reject(s, "%s has no meaning in a proof", in.Op)
	}
	f.pc++
	return true, nil
}

// fresh makes a new private cell and returns its address.
func (s *state) fresh(t *ir.Type, words []word) word {
	all := make([]word, t.Size)
	copy(all, words)
	s.g = append(s.g, cell{typ: t.ID, private: true, words: all})
	return ref(len(s.g)-1, 0)
}

func (c *Checker) pointer(s *state, a word) error {
	switch {
	case a.IsRef():
		return nil
	case a == zero:
		return c.reject(s, "a nil pointer may be followed")
	}
	return c.reject(s, "a pointer that is not known is followed")
}

// reach is the memory that an instruction accesses.
type reach struct {
	at          word
	words       int
	write, bare bool // write: it writes; bare: it is not atomic
}

func (c *Checker) reachOf(f *frame, in *ir.Instr) (reach, bool) {
	r := reach{words: 1}
	switch in.Op {
	case ir.OpLoad, ir.OpStore:
		r.words, r.bare, r.write = in.T.Size, true, in.Op == ir.OpStore
	case ir.OpAtomicLoad:
	case ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		r.write = true
	default:
		return r, false
	}
	r.at = c.get(f, in.A)
	return r, true
}

// access executes a read or write, or ends the step before it.
func (c *Checker) access(s *state, f *frame, in *ir.Instr) (bool, error) {
	r, _ := c.reachOf(f, in)
	if err := c.pointer(s, r.at); err != nil {
		return false, err
	}
	n, from, to := int(r.at.N), int(r.at.Off), int(r.at.Off)+r.words
	d := &s.g[n]
	if d.chain || to > len(d.words) {
		return false, c.reject(s, "an access beyond its object")
	}
	if !d.private && r.words > 0 {
		visible, racy, err := c.visible(s, &r)
		if err != nil {
			return false, err
		}
		settled := visible && !racy && c.settled(s.g, &r, f, in)
		if visible && s.moved && (!s.locked || racy) && (!settled || c.mayStop(s)) {
			return c.stop(s)
		}
		for off := from; off < to && in.Op != ir.OpStore && in.Op != ir.OpAtomicStore; off++ {
			if s.g.isChain(d.words[off]) {
				for _, g := range c.cases(s.g, n, off) {
					other := s.clone()
					other.g = g
					c.fork(other)
				}
				return false, nil
			}
		}
		if visible && !(settled && s.moved) {
			s.moved, s.locked = true, false
		}
	}
	if in.Op != ir.OpStore && in.Op != ir.OpAtomicStore && slices.Contains(s.g[n].words[from:to], lost) {
		return false, c.reject(s, "a word is read of which the certificate says nothing")
	}
	switch in.Op {
	case ir.OpLoad:
		copy(f.regs[in.Dst:], d.words[from:to])
	case ir.OpStore:
		return c.write(s, r, c.several(f, in.B, r.words))
	case ir.OpAtomicLoad:
		f.regs[in.Dst] = d.words[from]
	default:
		return c.atomic(s, f, in, r)
	}
	f.pc++
	return true, nil
}

// visible reports whether other threads observe or influence an access to a shared cell, and whether it may race. It rejects accesses that
// contradict the certificate's facts about words.
func (c *Checker) visible(s *state, r *reach) (visible, racy bool, err error) {
	t := &c.types[s.g[r.at.N].typ]
	for off := int(r.at.Off); off < int(r.at.Off)+r.words; off++ {
		switch {
		case t.mutex[t.at(off)]:
			return false, false, c.reject(s, "a lock is copied or overwritten")
		case r.write && !t.mutable[t.at(off)]:
			return false, false, c.reject(s, "a shared word is written, of which the certificate says that it is never written while shared")
		}
		visible = visible || t.mutable[t.at(off)]
		racy = racy || t.plain[t.at(off)]
	}
	if visible && r.bare && !racy {
		return false, false, c.reject(s, "a word is accessed without synchronisation, of which the certificate says that it is only accessed atomically")
	}
	return visible, racy, nil
}

// atomic executes an atomic access that may write.
func (c *Checker) atomic(s *state, f *frame, in *ir.Instr, r reach) (bool, error) {
	old, b := s.g.get(int(r.at.N), int(r.at.Off)), c.get(f, in.B)
	if b == lost {
		return false, c.reject(s, "%s of something that is not known", in.Op)
	}
	switch in.Op {
	case ir.OpAtomicStore:
		return c.write(s, r, []word{b})
	case ir.OpAtomicSwap:
		f.regs[in.Dst] = old
		return c.write(s, r, []word{b})
	case ir.OpAtomicCAS:
		w, ok := same(ir.Word, old, b)
		if !ok {
			return false, c.reject(s, "a compare-and-swap of items")
		}
		if w != number(1) {
			failed := s
			if w == top {
				failed = s.clone()
				c.fork(failed)
			}
			if err := c.attempted(failed, r); err != nil {
				return false, err
			}
			g := failed.top()
			g.regs[in.Dst] = zero
			g.pc++
		}
		if w == zero {
			return true, nil
		}
		f.regs[in.Dst] = number(1)
		return c.write(s, r, []word{c.get(f, in.C)})
	}
	op := map[ir.Op]ir.Op{ir.OpAtomicAdd: ir.OpAdd, ir.OpAtomicAnd: ir.OpAnd, ir.OpAtomicOr: ir.OpOr}[in.Op]
	now := calculated(op, in.Num, old, b)
	f.regs[in.Dst] = old
	if in.Op == ir.OpAtomicAdd {
		f.regs[in.Dst] = now
	}
	return c.write(s, r, []word{now})
}

// attempted looks for a claimed effect for a compare-and-swap that fails at a word which is also accessed without synchronisation. Go's
// memory model counts it as write-like, so it may race with such an access. The effect writes the value that is there.
func (c *Checker) attempted(s *state, r reach) error {
	d := &s.g[r.at.N]
	if t := &c.types[d.typ]; d.private || !t.plain[t.at(int(r.at.Off))] {
		return nil
	}
	return c.effectClaimed(s, s.g, &write{at: r.at, words: []word{s.g.get(int(r.at.N), int(r.at.Off))}})
}

// write changes memory.
func (c *Checker) write(s *state, r reach, words []word) (bool, error) {
	n, off := int(r.at.N), int(r.at.Off)
	shared := !s.g[n].private
	l := &c.types[s.g[n].typ]
	for i, w := range words {
		switch {
		case w == lost:
			return false, c.reject(s, "something that is not known is stored")
		case isItem(w) && !l.item[l.at(off+i)]:
			return false, c.reject(s, "an item is stored in a word of which the certificate says that it holds none")
		case w == top && l.item[l.at(off+i)]:
			return false, c.reject(s, "an item that is calculated is stored")
		}
	}
	ended := -1
	if shared {
		s.g = slices.Clone(s.g)
		var err error
		if ended, err = c.exchange(s, r.at, words); err != nil {
			return false, c.reject(s, "%v", err)
		}
	}
	before := s.g
	s.g = slices.Clone(s.g)
	for i, w := range words {
		s.g.put(n, off+i, w)
	}
	if ended >= 0 {
		s.g[ended].offer = offer{}
	}
	if shared {
		if s.frames[0].fn == c.maker {
			return false, c.reject(s, "the constructor shares what it makes")
		}
		if err := c.replacing(s, before, &r, words); err != nil {
			return false, err
		}
		if err := c.effectClaimed(s, before, &write{at: r.at, words: words, plain: r.bare}); err != nil {
			return false, err
		}
		for _, w := range words {
			if s.g.unknown(w, nil) {
				return false, c.reject(s, "others get to see a word of which the certificate says nothing")
			}
			s.g.publish(w)
		}
		c.wrote(s, before, r.at, words)
		judge := func() error { return c.judge(before, s.g, s) }
		if c.object != nil {
			judge = func() error { return c.judgeObject(before, s, &write{at: r.at, words: words}) }
		}
		if err := judge(); err != nil {
			return false, c.reject(s, "%v", err)
		}
	}
	s.top().pc++
	return true, nil
}

// lock takes a lock, or ends the step before it.
func (c *Checker) lock(s *state, a word) (bool, error) {
	if err := c.lockable(s, a); err != nil {
		return false, err
	}
	if !s.g[a.N].private {
		if s.moved && !s.locked {
			return c.stop(s)
		}
		s.moved, s.locked = true, true
	}
	c.taking(s, a)
	switch s.g.get(int(a.N), int(a.Off)) {
	case others:
		return false, nil // it waits
	case free:
		return true, c.setLock(s, a, mine, certificate.Take)
	}
	return false, c.reject(s, "a lock may be taken by who holds it")
}

// unlock gives a lock back.
func (c *Checker) unlock(s *state, a word) (bool, error) {
	if err := c.lockable(s, a); err != nil {
		return false, err
	}
	if a.N == 0 {
		if s.moved {
			return c.stop(s)
		}
		s.moved = true
	}
	s.locked = false
	if s.g.get(int(a.N), int(a.Off)) != mine {
		return false, c.reject(s, "a lock may be given back by who does not hold it")
	}
	c.releasing(s, int(a.N))
	return true, c.setLock(s, a, free, certificate.Give)
}

func (c *Checker) lockable(s *state, a word) error {
	if err := c.pointer(s, a); err != nil {
		return err
	}
	if t := c.types[s.g[a.N].typ]; int(a.Off) >= len(t.mutex) || !t.mutex[a.Off] {
		return c.reject(s, "a lock in memory of another type")
	}
	return nil
}

// setLock changes a lock. It is an effect for others only if it is a lock of the collection itself.
func (c *Checker) setLock(s *state, a, w word, how string) error {
	before := s.g
	s.g = slices.Clone(s.g)
	s.g.put(int(a.N), int(a.Off), w)
	if a.N == 0 && s.frames[0].fn != c.maker {
		if err := c.effectClaimed(s, before, &write{at: a, lock: how}); err != nil {
			return err
		}
	}
	c.goOn(s, nil)
	return nil
}
