// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// form is what a value is.
type form uint8

const (
	constant form = iota // the number x; nil is 0
	unknown              // a number
	item                 // an item: k if x is 1, else another one
	root                 // the address of the collection's word
	linked               // the address of a word of a cell that is linked in: x is cell*256 + word
	private              // the address of a word of a cell that the thread alone knows, likewise
)

// value is an abstract word.
type value struct {
	form form
	x    int32
}

var null = value{}

// mostConstant is the greatest number that is told apart from others.
const mostConstant = 1 << 20

func constOf(x int64) value {
	if x > mostConstant || x < -mostConstant {
		return value{form: unknown}
	}
	return value{constant, int32(x)}
}

func truth(b bool) value {
	if b {
		return value{constant, 1}
	}
	return null
}

// cell is a cell that is linked in and that the thread knows.
type cell struct {
	is   bool // its item is k
	kind int  // none: it does not count
	own  bool // it is known that the thread's call in progress has linked it in
}

func (c *cell) counts() bool { return c.kind != none }

// gap is what is known of the cells between two that a thread knows, above the first of them, or below the last one.
type gap struct {
	kinds set // of all that count and are in the gap
	below set // of the first one that counts below the upper end of the gap, wherever it is
}

// chain is what a thread knows of the cells that are linked in, the youngest first.
type chain struct {
	empty bool // head leads to the first of the cells; if there is none, to nil
	cells []cell
	gaps  []gap // gap i is above cell i, the last one below the last cell
}

// local is what one thread knows beside the kind of the youngest cell that counts.
type local struct {
	op      int  // the operation's index
	is      bool // its argument is k
	changed bool // it has changed what is held
	present bool // at some moment since the call k was held; only of calls with k
	absent  bool // at some moment it was not
	chain
	private []secret
	frames  engine.Frames[value]
}

// secret is a cell that the thread alone knows.
type secret struct {
	typ   *ir.Type
	words []value
}

// clone copies what steps change.
func (l *local) clone() local {
	c := *l
	c.chain = l.chain.clone()
	c.frames = l.frames.Clone()
	c.private = slices.Clone(l.private)
	for i := range c.private {
		c.private[i].words = slices.Clone(l.private[i].words)
	}
	return c
}

func (l *chain) clone() chain { return chain{l.empty, slices.Clone(l.cells), slices.Clone(l.gaps)} }

// exact is the same for chains that are equal.
func (l *chain) exact() string {
	b := []byte{byte(len(l.cells))}
	if l.empty {
		b = append(b, 1)
	}
	for _, c := range l.cells {
		b = c.append(b)
	}
	for _, g := range l.gaps {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, uint64(g.kinds)), uint64(g.below))
	}
	return string(b)
}

// append adds the cell to a key.
func (c *cell) append(b []byte) []byte {
	flags := byte(0)
	if c.is {
		flags |= 1
	}
	if c.own {
		flags |= 2
	}
	return append(b, flags, byte(c.kind))
}

// words calls f with each word of the thread's registers and private cells.
func (l *local) words(f func(*value)) {
	for i := range l.frames {
		for k := range l.frames[i].Regs {
			f(&l.frames[i].Regs[k])
		}
	}
	for i := range l.private {
		for k := range l.private[i].words {
			f(&l.private[i].words[k])
		}
	}
}

// insert puts a cell into gap i, at the upper end of what counts there: nothing counts between it and the cell above.
func (l *local) insert(i int, c cell) {
	l.words(func(v *value) {
		if v.form == linked && int(v.x>>8) >= i {
			v.x += 1 << 8
		}
	})
	upper := l.gaps[i]
	lower := upper
	if c.counts() {
		lower.below = everyKind
	}
	upper.kinds = 0
	l.cells = slices.Insert(l.cells, i, c)
	l.gaps[i] = lower
	l.gaps = slices.Insert(l.gaps, i, upper)
}

// forget removes cell i: the gaps around it become one.
func (l *local) forget(i int) {
	l.words(func(v *value) {
		if v.form == linked && int(v.x>>8) > i {
			v.x -= 1 << 8
		}
	})
	g := gap{l.gaps[i].kinds | l.gaps[i+1].kinds, l.gaps[i].below}
	if l.cells[i].counts() {
		g.kinds |= bit(l.cells[i].kind)
	}
	if i == 0 {
		l.empty = false
	}
	l.cells = slices.Delete(l.cells, i, i+1)
	l.gaps[i] = g
	l.gaps = slices.Delete(l.gaps, i+1, i+2)
}

// tidy drops the private cells to which nothing leads, numbers the others as registers lead to them, and forgets the linked cells
// that no register leads to: what a private cell has of them is overwritten before the cell is linked in, or there is no proof.
func (l *local) tidy() {
	names := map[int32]int32{}
	var kept []secret
	var visit func(*value)
	visit = func(v *value) {
		if v.form != private {
			return
		}
		name, known := names[v.x>>8]
		if !known {
			name = int32(len(kept))
			names[v.x>>8] = name
			kept = append(kept, l.private[v.x>>8])
			for i := range kept[name].words {
				visit(&kept[name].words[i])
			}
		}
		v.x = name<<8 | v.x&255
	}
	for i := range l.frames {
		for k := range l.frames[i].Regs {
			visit(&l.frames[i].Regs[k])
		}
	}
	l.private = kept
	used := make([]bool, len(l.cells))
	for i := range l.frames {
		for _, v := range l.frames[i].Regs {
			if v.form == linked {
				used[v.x>>8] = true
			}
		}
	}
	for i := range l.private {
		for k, v := range l.private[i].words {
			if v.form == linked && !used[v.x>>8] {
				l.private[i].words[k] = value{form: unknown}
			}
		}
	}
	for i := len(used) - 1; i >= 0; i-- {
		if !used[i] {
			l.forget(i)
		}
	}
}

// behind is the set of kinds of the first cell that counts at or below the lower end of gap i.
func (l *chain) behind(i int) set {
	switch {
	case i == len(l.cells):
		return noneBit
	case l.cells[i].counts():
		return bit(l.cells[i].kind)
	}
	return l.gaps[i+1].below
}

// sharpen draws conclusions from what is known where the youngest cell that counts is of kind first; false if that contradicts itself.
func (n *knowledge) sharpen(first int, l *chain) bool {
	if l.empty {
		l.gaps[0].kinds = 0
	}
	l.gaps[0].below &= bit(first)
	for again := true; again; {
		again = false
		for i := len(l.cells); i >= 0; i-- {
			g := &l.gaps[i]
			was := *g
			g.kinds &^= noneBit
			g.below &= g.kinds | l.behind(i)
			if i > 0 && l.cells[i-1].counts() {
				g.below &= n.below[l.cells[i-1].kind]
			}
			if g.below == 0 {
				return false
			}
			if g.below&g.kinds == 0 {
				g.kinds = 0
			}
			if g.kinds == 0 && i < len(l.cells) && !l.cells[i].counts() {
				if next := &l.gaps[i+1]; next.below&^g.below != 0 {
					next.below &= g.below
					again = true
				}
			}
			again = again || *g != was
		}
	}
	return true
}

// key is the same for what is joined: all but gaps.
func (l *local) key() string {
	b := []byte{byte(l.op), 0, byte(len(l.cells)), byte(len(l.private))}
	for i, is := range []bool{l.is, l.changed, l.present, l.absent, l.empty} {
		if is {
			b[1] |= 1 << i
		}
	}
	for i := range l.cells {
		b = l.cells[i].append(b)
	}
	words := func(list []value) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = append(b, byte(v.form))
			b = binary.AppendVarint(b, int64(v.x))
		}
	}
	for i := range l.frames {
		b = binary.AppendUvarint(b, uint64(l.frames[i].Fn.ID))
		b = binary.AppendUvarint(b, uint64(l.frames[i].PC))
		words(l.frames[i].Regs)
	}
	for i := range l.private {
		words(l.private[i].words)
	}
	return string(b)
}

// join widens what is known so that it stands for another one with the same cells as well, and says whether that is more than before.
func (l *chain) join(o *chain) (grew bool) {
	for i := range l.gaps {
		g, h := &l.gaps[i], o.gaps[i]
		grew = grew || h.kinds&^g.kinds != 0 || h.below&^g.below != 0
		g.kinds |= h.kinds
		g.below |= h.below
	}
	return grew
}

// see notes whether k is held.
func (l *local) see(held bool) {
	if l.is {
		l.present, l.absent = l.present || held, l.absent || !held
	}
}
