// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"slices"

	"pangolin/internal/ir"
)

// mostMade is how many objects the constructor and a step may make.
const mostMade = 100

// memory executes an instruction that makes or accesses memory.
func (c *checker) memory(t *thread, f *call, in *ir.Instr) error {
	switch in.Op {
	case ir.OpNew:
		return c.makes(t, f, in)
	case ir.OpMakeSlice:
		return c.makesSlice(t, f, in)
	case ir.OpCast:
		return c.casts(t, f, in)
	case ir.OpMakeIface, ir.OpAssert:
		return c.dynamic(t, f, in)
	case ir.OpField, ir.OpElem, ir.OpArrayElem, ir.OpSliceArr, ir.OpLoad, ir.OpStore, ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicCAS, ir.OpAtomicAdd:
	default:
		return c.reject(t, "instruction %s is not modelled here", in.Op)
	}
	a, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	if a == (word{}) {
		return c.reject(t, "a nil pointer may be followed")
	}
	switch in.Op {
	case ir.OpField:
		a.m += int(in.N)
		return c.leads(t, f, in, a)
	case ir.OpElem, ir.OpArrayElem:
		return c.element(t, f, in, a)
	case ir.OpSliceArr:
		return c.slicesAll(t, f, in, a)
	case ir.OpLoad:
		return c.loads(t, f, in, a)
	case ir.OpStore:
		return c.stores(t, f, in, a)
	}
	if a.sort == private {
		return c.alone(t, f, in, a)
	}
	return c.access(t, f, in, a)
}

// makes executes OpNew. Two objects without words may have one address.
func (c *checker) makes(t *thread, f *call, in *ir.Instr) error {
	if in.T.Size < 1 || in.T.Size > mostWords || len(t.private) >= mostMade {
		return c.reject(t, "an object of %d words is made, or too many are", in.T.Size)
	}
	if !t.constructing() && in.T.Size == len(c.made.sentinel.words) && in.T != c.made.sentinel.typ {
		c.foreign = true
	}
	f.regs[in.Dst] = word{sort: private, n: len(t.private)}
	t.private = append(t.private, object{words: make([]word, in.T.Size), typ: in.T})
	return nil
}

// casts executes OpCast, of a cell of the chain or nil. That all cells of the chain have the type of the first one is certain, unless others of that size are made: see types.
func (c *checker) casts(t *thread, f *call, in *ir.Instr) error {
	a, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	if a != (word{}) && (a.sort != cell || a.m != 0 || in.T != c.made.sentinel.typ) {
		return c.reject(t, "an address is converted that may be one of memory of another type")
	}
	c.converts = true
	f.regs[in.Dst] = a
	return nil
}

// types refuses addresses of cells of the chain that are converted, if a cell of another type might be in the chain.
func (c *checker) types() error {
	if c.converts && c.foreign {
		return reject("addresses of cells of the chain are converted, and cells of as many words have another type")
	}
	return nil
}

// dynamic makes an interface value of the address of a cell, or asserts that such a value has the type with which it was made, while the constructor is executed.
func (c *checker) dynamic(t *thread, f *call, in *ir.Instr) error {
	a, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	switch {
	case !t.constructing():
	case in.Op == ir.OpMakeIface && in.T.Size == 1 && a.sort == private:
		f.put(in.Dst, []word{{sort: dynamic, n: in.T.ID}, a})
		return nil
	case in.Op == ir.OpAssert && !in.Ok && a == word{sort: dynamic, n: in.T.ID}:
		w, err := c.value(t, f, in.A.Word(1))
		f.regs[in.Dst] = w
		return err
	}
	return c.reject(t, "%s is not modelled here", in.Op)
}

// makesSlice executes OpMakeSlice, in the constructor alone.
func (c *checker) makesSlice(t *thread, f *call, in *ir.Instr) error {
	n, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	most, err := c.value(t, f, in.B)
	if err != nil {
		return err
	}
	if !t.constructing() || n.sort != number || n != most || n.n < 1 || n.n > mostElements || !slot(in.T) || len(t.private) >= mostMade {
		return c.reject(t, "a slice is made outside of the constructor, or its elements are not 1 to %d pointers", mostElements)
	}
	f.put(in.Dst, []word{{sort: private, n: len(t.private)}, n, n})
	t.private = append(t.private, object{words: make([]word, n.n), elements: true})
	return nil
}

// slot says whether a value of a type is one address.
func slot(t *ir.Type) bool { return t.Size == 1 && addresses(t.Layout()[0]) }

// slicesAll executes OpSliceArr: all of an array that the constructor has made, as make does with a constant length.
func (c *checker) slicesAll(t *thread, f *call, in *ir.Instr, a word) error {
	whole := t.constructing() && in.T.Class == ir.Array && in.T.Len >= 1 && in.T.Len <= mostElements && slot(in.T.Elem) && a.sort == private && a.m == 0
	if !whole || len(t.private[a.n].words) != in.T.Len || t.private[a.n].typ != in.T {
		return c.reject(t, "a slice is made outside of the constructor, or its elements are not 1 to %d pointers", mostElements)
	}
	n := word{n: in.T.Len}
	for i, end := range []ir.Reg{in.B, in.C, ir.Reg(in.N)} {
		if end == ir.NoReg {
			continue
		}
		w, err := c.value(t, f, end)
		if err != nil {
			return err
		}
		if i == 0 && w != (word{}) || i > 0 && w != n {
			return c.reject(t, "a part of an array is sliced")
		}
	}
	t.private[a.n].elements = true
	f.put(in.Dst, []word{a, n, n})
	return nil
}

// leads gives an address to a register, if there is such a word.
func (c *checker) leads(t *thread, f *call, in *ir.Instr, a word) error {
	right := false
	switch a.sort {
	case root:
		a.n, a.m = a.n+a.m, 0 // a root has no words, but is one
		right = a.n >= 0 && a.n < len(c.made.words)
	case element:
		right = a.m >= 0 && a.m < c.made.lengths[a.n]
	case cell:
		right = a.m >= 0 && a.m < len(c.x.Head.Words)
	case offer:
		right = a.m >= 0 && a.m < len(c.made.offered[a.k])
	case private:
		right = a.m >= 0 && a.m < len(t.private[a.n].words)
	}
	if !right {
		return c.reject(t, "a part of something that has none")
	}
	f.regs[in.Dst] = a
	return nil
}

// element executes OpElem and OpArrayElem, with an index that is known.
func (c *checker) element(t *thread, f *call, in *ir.Instr, a word) error {
	i, err := c.value(t, f, in.B)
	if err != nil {
		return err
	}
	n := word{n: int(in.N)}
	if in.Op == ir.OpElem {
		if n, err = c.value(t, f, in.A.Word(1)); err != nil {
			return err
		}
	}
	if i.sort != number || n.sort != number || i.n < 0 || i.n >= n.n || in.Op == ir.OpElem && in.T.Size != 1 {
		return c.reject(t, "an index that is not known, or out of range")
	}
	a.m += i.n * in.T.Size
	return c.leads(t, f, in, a)
}

// loads executes a read that is not atomic.
func (c *checker) loads(t *thread, f *call, in *ir.Instr, a word) error {
	var out []word
	for i := range in.T.Size {
		at := a
		if at.m += i; a.sort == root {
			at.n, at.m = a.n+i, 0
		}
		w, err := c.loaded(t, at)
		if err != nil {
			return err
		}
		out = append(out, w)
	}
	f.put(in.Dst, out)
	return nil
}

// loaded is the value of a word that is read and not atomically: nobody writes it while others may read it.
func (c *checker) loaded(t *thread, a word) (word, error) {
	h := &c.x.Head
	switch {
	case a.sort == private && a.m < len(t.private[a.n].words):
		return t.private[a.n].words[a.m], nil
	case a.sort == root && a.n < len(c.made.words):
		_, finger := c.made.fingers[a.n]
		if _, slot := c.made.slots[place{a.n, -1}]; !finger && !slot {
			c.reads[plainly][a.n] = true
			return c.made.words[a.n], nil
		}
	case a.sort == cell && a.m < len(h.Words) && c.isItem(h.Words[a.m]):
		n, _ := followed(h.Words[a.m], "item")
		return word{sort: itemCell, n: a.n, m: n}, nil
	case a.sort == cell && a.m < len(h.Words) && h.Words[a.m] == "number":
		return word{sort: variable, n: a.n}, nil
	case a.sort == offer && a.m < len(c.made.offered[a.k]):
		switch w := c.made.offered[a.k][a.m]; w.sort {
		case itemOwn:
			return word{sort: itemOffer, n: a.n, m: w.m}, nil
		case variable:
			return word{sort: variable, n: t.offers[a.n][1+w.n]}, nil
		case private:
			return word{sort: offer, n: a.n, k: w.n}, nil
		}
	}
	return word{}, c.reject(t, "a read that is not atomic, of what others may write, or of which nothing is known")
}

// stores executes a write that is not atomic.
func (c *checker) stores(t *thread, f *call, in *ir.Instr, a word) error {
	words, err := c.several(t, f, in.B, in.T.Size)
	if err != nil {
		return err
	}
	for i, w := range words {
		at := a
		at.m += i
		if err := c.writes(t, at, w); err != nil {
			return err
		}
	}
	return nil
}

// writes writes a word of a private cell. Where others may read the cell, they do not read this word.
func (c *checker) writes(t *thread, a, w word) error {
	if a.sort != private || a.m >= len(t.private[a.n].words) {
		return c.reject(t, "a write, not atomic, of what others may see")
	}
	if x := t.private[a.n]; x.shown && c.readByOthers(len(x.words), a.m) {
		return c.reject(t, "a write of what others may read, for it was offered")
	}
	t.private[a.n].words[a.m] = w
	return nil
}

// readByOthers says whether others may read a word of a cell with so many words that was offered: in some place where it may have been in an offer the word has a meaning.
func (c *checker) readByOthers(words, at int) bool {
	return slices.ContainsFunc(c.made.offered, func(cell []word) bool { return len(cell) == words && cell[at].sort != unknown })
}

// alone executes an atomic access to a private cell.
func (c *checker) alone(t *thread, f *call, in *ir.Instr, a word) error {
	was := t.private[a.n].words[a.m]
	from := in.B
	switch in.Op {
	case ir.OpAtomicLoad:
		f.regs[in.Dst] = was
		return nil
	case ir.OpAtomicCAS:
		from = in.C
		expected, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		yes, err := c.equal(t, ir.Word, was, expected)
		if err != nil {
			return err
		}
		if f.regs[in.Dst] = flag(yes); !yes {
			return nil
		}
	}
	w, err := c.value(t, f, from)
	if err != nil {
		return err
	}
	if in.Op == ir.OpAtomicAdd {
		if !was.isNumber() || !w.isNumber() {
			return c.reject(t, "an item or an address is computed with")
		}
		if w = sum(was, w, false); in.Num != ir.I64 {
			w = word{sort: unknown}
		}
		f.regs[in.Dst] = w
	}
	return c.writes(t, a, w)
}
