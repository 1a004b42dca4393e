// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// form is what a value is.
type form uint8

const (
	constant  form = iota // the number x; nil is 0
	unknown               // a number
	number                // what variable v has, and x
	itemOwn               // word x of the argument of the thread's Put
	itemCell              // word x of the item of the cell of the chain whose position variable v has
	itemOffer             // likewise of offer v
	dynamic               // the type of an interface value, type x of the program; while the constructor is executed
	root                  // the address of word x of the collection
	slice                 // the address of the first element of the slice whose header is at word x of the collection (of slice x, while the constructor is executed)
	slot                  // the address of slot x
	fixed                 // the address that word x of the collection has always led to
	cell                  // the address of word x of the cell of the chain whose position variable v has
	offer                 // the address of word x of cell c of offer v
	private               // the address of word x of private cell v
)

// value is an abstract word.
type value struct {
	form form
	v, c uint8
	x    int32
}

var null = value{}

// mostConstant is the greatest number that is told apart from others.
const mostConstant = 1 << 20

func constOf(x int64) value {
	if x > mostConstant || x < -mostConstant {
		return value{form: unknown}
	}
	return value{x: int32(x)}
}

func truth(b bool) value {
	if b {
		return constOf(1)
	}
	return null
}

func (v value) isItem() bool    { return v.form == itemOwn || v.form == itemCell || v.form == itemOffer }
func (v value) isAddress() bool { return v.form >= root }

// deed is what a call has done.
type deed uint8

const (
	nothing   deed = iota
	linked         // a Put: its item is in the cell of the chain whose position is the variable
	handed         // a Put: its item was handed over
	tookCell       // a Take: the item of that cell
	tookOffer      // a Take: the item of that offer
)

// local is what one thread knows, but for bounds. A variable v of a thread is variable shared+v of its zone.
type local struct {
	op      int
	did     deed
	what    int  // the variable or offer
	empty   bool // at some moment since the call of this Take all items were taken whose Puts had returned
	since   int  // the variable of a Put that has the position up to which Puts had returned when it was called; -1: it is a Take
	vars    int
	offers  [][]int // of others: of each the variables of its since and of its numbers
	offered int     // the private cell that is in a slot; -1: none
	slot    int     // that slot; -1: none
	met     bool    // that offer was taken
	private []own
	frames  engine.Frames[value]
}

// own is a cell of a thread's own.
type own struct {
	typ   *ir.Type
	words []value
	shown int // its number in an offer that it was part of, plus 1
}

// clone copies what steps change.
func (l *local) clone() local {
	c := *l
	c.offers = slices.Clone(l.offers) // what an offer has is not changed
	c.private = slices.Clone(l.private)
	for i := range c.private {
		c.private[i].words = slices.Clone(c.private[i].words)
	}
	c.frames = l.frames.Clone()
	return c
}

// key is the same for states that are equal.
func (l *local) key() string {
	b := []byte{byte(l.op), byte(l.did), byte(l.what), 0, byte(l.since + 1), byte(l.vars), byte(l.offered + 1), byte(l.slot + 1), byte(len(l.offers))}
	if l.empty {
		b[3] |= 1
	}
	if l.met {
		b[3] |= 2
	}
	words := func(list []value) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = append(b, byte(v.form), v.v, v.c)
			b = binary.AppendVarint(b, int64(v.x))
		}
	}
	for _, o := range l.offers {
		for _, v := range o {
			b = append(b, byte(v))
		}
	}
	for i := range l.frames {
		b = binary.AppendUvarint(b, uint64(l.frames[i].Fn.ID))
		b = binary.AppendUvarint(b, uint64(l.frames[i].PC))
		words(l.frames[i].Regs)
	}
	for i := range l.private {
		b = binary.AppendUvarint(append(b, byte(l.private[i].shown)), uint64(l.private[i].typ.ID))
		words(l.private[i].words)
	}
	return string(b)
}

// tidy drops variables, offers and private cells to which nothing leads, and numbers the others in the order in which they are met. It returns the old numbers of the
// variables that are kept.
func (l *local) tidy() []int {
	t := tidying{old: *l, vars: map[int]int{}, offers: map[int]int{}, private: map[int]int{}}
	l.private, l.offers = nil, nil
	t.l = l
	if l.since >= 0 {
		l.since = t.variable(l.since)
	}
	switch l.did {
	case linked, tookCell:
		l.what = t.variable(l.what)
	case tookOffer:
		l.what = t.offer(l.what)
	}
	for i := range l.frames {
		for k, v := range l.frames[i].Regs {
			l.frames[i].Regs[k] = t.value(v)
		}
	}
	if l.offered >= 0 {
		l.offered = t.cell(l.offered)
	}
	l.vars = len(t.kept)
	return t.kept
}

// tidying is the work of tidy.
type tidying struct {
	l                     *local
	old                   local
	vars, offers, private map[int]int
	kept                  []int
}

func (t *tidying) variable(v int) int {
	n, known := t.vars[v]
	if !known {
		n = len(t.kept)
		t.vars[v] = n
		t.kept = append(t.kept, v)
	}
	return n
}

func (t *tidying) offer(o int) int {
	n, known := t.offers[o]
	if !known {
		n = len(t.l.offers)
		t.offers[o] = n
		var vars []int
		for _, v := range t.old.offers[o] {
			vars = append(vars, t.variable(v))
		}
		t.l.offers = append(t.l.offers, vars)
	}
	return n
}

func (t *tidying) cell(p int) int {
	n, known := t.private[p]
	if !known {
		n = len(t.l.private)
		t.private[p] = n
		t.l.private = append(t.l.private, t.old.private[p])
		words := slices.Clone(t.old.private[p].words)
		for i, v := range words {
			words[i] = t.value(v)
		}
		t.l.private[n].words = words
	}
	return n
}

func (t *tidying) value(v value) value {
	switch v.form {
	case number, itemCell, cell:
		v.v = uint8(t.variable(int(v.v)))
	case itemOffer, offer:
		v.v = uint8(t.offer(int(v.v)))
	case private:
		v.v = uint8(t.cell(int(v.v)))
	}
	return v
}
