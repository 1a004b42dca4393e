// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"slices"

	"pangolin/internal/ir"
)

// collection is what is known of the words of the collection. Those that are no fingers and no slots never change, unless they are numbers that are
// accessed atomically, of which nothing is known.
type collection struct {
	words    []word // what plain loads give
	kinds    []ir.Kind
	lengths  map[int]int // of slices, by the word where the header begins
	headers  map[int]bool
	fingers  map[int]int // the number of the finger, by its word
	slots    map[place]int
	left     []word   // what Takes leave in a slot
	sentinel object   // the first cell of the chain
	offered  [][]word // what is in an offer, where others may read it: itemOwn, variable (n is the number of the number) or private (n is the cell)
}

// place is where a slot is: a word of the collection, or an element of the slice whose header begins there.
type place struct{ word, index int }

// Limits of what a certificate may say, far above what a queue has.
const (
	mostWords    = 64   // of a cell, and of the collection
	mostElements = 8    // of a slice, and choices of mark.Choose
	mostOffered  = 4    // cells of an offer
	mostBounds   = 5000 // of a thread
	mostVars     = 100  // of a thread
	mostCells    = 40   // private ones of a thread, and offers that it knows
)

// construct executes the constructor, and notes what a new collection is.
func (c *checker) construct() error {
	t := &thread{op: -1, since: -1, own: none, calls: []call{{c.s.New, 0, map[ir.Reg]word{}}}}
	c.choices, c.at = nil, 0
	if err := c.execute(t, false); err != nil {
		return err
	}
	if len(c.choices) > 0 {
		return c.reject(t, "the constructor may do one thing or another")
	}
	return nil
}

// constructed notes what the constructor returns. Where its words lead to is taken apart by head.
func (c *checker) constructed(t *thread, results []word) error {
	if len(results) != 1 || results[0].sort != private || results[0].m != 0 {
		return c.reject(t, "the constructor returns no new object")
	}
	x, typ := t.private[results[0].n], c.s.New.Results[0].Elem
	if typ == nil || x.typ != typ || typ.Size != len(x.words) || len(x.words) > mostWords || x.elements {
		return c.reject(t, "the constructor returns something else than an object of its type")
	}
	m := &collection{kinds: typ.Layout(), lengths: map[int]int{}, headers: map[int]bool{}, fingers: map[int]int{}, slots: map[place]int{}}
	c.made = m
	h := &c.x.Head
	sentinel := -1
	for i, at := range h.Fingers {
		if at < 0 || at >= len(x.words) || !addresses(m.kinds[at]) || x.words[at].sort != private || x.words[at].m != 0 || i > 0 && x.words[at].n != sentinel {
			return c.reject(t, "finger %d leads to no cell of a new collection, or to another one than the front", i)
		}
		if _, twice := m.fingers[at]; twice {
			return c.reject(t, "word %d is two fingers", at)
		}
		m.fingers[at], sentinel = i, x.words[at].n
	}
	if sentinel < 0 || sentinel == results[0].n || t.private[sentinel].elements {
		return c.reject(t, "a new collection has no chain")
	}
	m.sentinel = t.private[sentinel]
	return c.constants(t, x.words, []int{results[0].n, sentinel})
}

// constants notes what the words of a new collection always hold that are no fingers. not are cells to which none of them leads.
func (c *checker) constants(t *thread, words []word, not []int) error {
	m := c.made
	leads := map[int]bool{}
	for _, i := range not {
		leads[i] = true
	}
	for w, is := range words {
		_, finger := m.fingers[w]
		switch {
		case finger:
			is = word{}
		case is.sort == number, is.sort == unknown:
		case is.sort != private || is.m != 0 || leads[is.n] || !addresses(m.kinds[w]):
			return c.reject(t, "word %d of a new collection is not modelled: %v", w, is)
		case t.private[is.n].elements:
			leads[is.n] = true
			if err := c.header(t, words, w); err != nil {
				return err
			}
			is = word{sort: element, n: w}
		default:
			leads[is.n] = true
			is = word{sort: constant, n: w}
		}
		m.words = append(m.words, is)
	}
	return nil
}

// header notes a slice, whose header begins at word w. Its elements are nil, and have to be slots.
func (c *checker) header(t *thread, words []word, w int) error {
	m, x := c.made, t.private[words[w].n]
	n := word{n: len(x.words)}
	if len(words) < w+ir.SliceWords || words[w+1] != n || words[w+2] != n || m.kinds[w+1] != ir.Scalar || m.kinds[w+2] != ir.Scalar {
		return c.reject(t, "word %d of a new collection leads to a slice, and is not the header of all of it", w)
	}
	if slices.ContainsFunc(x.words, func(e word) bool { return e != word{} }) {
		return c.reject(t, "a slice of a new collection has elements that are not nil")
	}
	m.lengths[w] = n.n
	for i := range ir.SliceWords {
		m.headers[w+i] = true
	}
	return nil
}

// addresses says whether a word holds addresses of cells.
func addresses(k ir.Kind) bool { return k == ir.Pointer || k == ir.Unsafe }

// head is an error unless the head of the certificate makes sense, for a new collection.
func (c *checker) head() error {
	h := &c.x.Head
	if len(h.Words) == 0 || len(h.Words) > mostWords || h.Next < 0 || h.Next >= len(h.Words) {
		return reject("the head says nothing of a cell of the chain, or not where its link is")
	}
	typ, words := c.made.sentinel.typ, c.made.sentinel.words
	if len(words) != len(h.Words) {
		return reject("the first cell of a new collection has %d words, and the head says what %d words hold", len(words), len(h.Words))
	}
	for i, is := range h.Words {
		scalar := typ.Layout()[i] == ir.Scalar
		right := is == "?" || c.isItem(is) || is == "number" && scalar && words[i] == word{} || is == "next" && addresses(typ.Layout()[i]) && words[i] == word{}
		if !right || (is == "next") != (i == h.Next) {
			return reject("word %d of the first cell of a new collection is not %q", i, is)
		}
	}
	for _, step := range []func() error{c.slots, c.offers, c.leaves, c.always} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// isItem says whether a text names a word of an item.
func (c *checker) isItem(text string) bool {
	n, is := followed(text, "item")
	return is && n < c.ops[0].width
}

// slots is an error unless all slots are, and every element of a slice is one.
func (c *checker) slots() error {
	m := c.made
	for i, s := range c.x.Head.Slots {
		at := place{s.Word, s.Index}
		if _, twice := m.slots[at]; twice || s.Word < 0 || s.Word >= len(m.words) {
			return reject("slot %d is there twice, or is no word of the collection", i)
		}
		if _, finger := m.fingers[s.Word]; s.Index < 0 && (s.Index != -1 || finger || m.words[s.Word] != word{} || !addresses(m.kinds[s.Word]) || m.headers[s.Word]) {
			return reject("slot %d is no word of the collection that is nil at first", i)
		}
		if s.Index >= m.lengths[s.Word] {
			return reject("slot %d is no element of a slice of the collection", i)
		}
		m.slots[at] = i
	}
	for w, n := range m.lengths {
		for i := range n {
			if _, is := m.slots[place{w, i}]; !is {
				return reject("element %d of the slice in word %d is no slot", i, w)
			}
		}
	}
	return nil
}

// offers reads what is in an offer. It has the item of its Put, and its first cell leads to all others.
func (c *checker) offers() error {
	h := &c.x.Head
	if len(h.Offers) > mostOffered {
		return reject("an offer has more than %d cells", mostOffered)
	}
	items := 0
	leads := map[int]bool{0: true}
	numbers := map[int]bool{}
	for k, cell := range h.Offers {
		if !leads[k] || len(cell) > mostWords {
			return reject("cell %d of an offer is one that no word of a cell before it leads to", k)
		}
		var words []word
		for _, text := range cell {
			w := word{sort: unknown}
			if n, is := followed(text, "number"); is {
				w = word{sort: variable, n: n}
				numbers[n] = true
			} else if n, is := followed(text, "cell"); is && n < len(h.Offers) {
				w = word{sort: private, n: n}
				leads[n] = true
			} else if n, is := followed(text, "item"); is && c.isItem(text) {
				w = word{sort: itemOwn, m: n}
				items++
			} else if text != "?" {
				return reject("%q is nothing that a word of an offer may hold", text)
			}
			words = append(words, w)
		}
		c.made.offered = append(c.made.offered, words)
	}
	for n := range numbers {
		if n >= len(numbers) {
			return reject("an offer has a number %d, and only %d numbers", n, len(numbers))
		}
	}
	c.numbers = len(numbers)
	if len(h.Offers) > 0 && items == 0 {
		return reject("an offer has no item")
	}
	return nil
}

// leaves reads what Takes leave in a slot.
func (c *checker) leaves() error {
	m := c.made
	for _, text := range c.x.Head.Left {
		w := word{}
		if n, is := followed(text, "constant"); is && n < len(m.words) && m.words[n].sort == constant {
			w = m.words[n]
		} else if text != "0" {
			return reject("%q is nothing that a Take may leave in a slot", text)
		}
		if slices.Contains(m.left, w) {
			return reject("the head says twice that a Take leaves %q", text)
		}
		m.left = append(m.left, w)
	}
	return nil
}

// always is an error unless the bounds of shared variables hold of a new collection, where all are 0, and those of offers stay true while others move.
func (c *checker) always() error {
	h := &c.x.Head
	if !c.names(h.Bounds, c.shared()) || !c.names(h.Offered, c.shared()+1+c.numbers) {
		return reject("a bound of the head is of a variable that is none, or there are too many")
	}
	for _, b := range h.Bounds {
		if b[2] < 0 {
			return reject("the bound %v does not hold of a new collection", b)
		}
	}
	z := &bounds{}
	shared := c.fresh(z)
	vars := shared
	for range 1 + c.numbers {
		vars = append(vars, z.fresh())
	}
	z.add(h.Offered, vars)
	vars = append(c.later(z, shared), vars[len(shared):]...)
	if !z.possible() {
		return nil // there is never an offer, for nobody can put one into a slot
	}
	for _, b := range h.Offered {
		if !z.certain(term{vars[b[0]], 0}, term{vars[b[1]], 0}, b[2]) {
			return reject("the bound %v of an offer does not stay true when others move", b)
		}
	}
	return nil
}

// add learns bounds whose variables are those of a list.
func (z *bounds) add(list []Bound, vars []int) {
	for _, b := range list {
		z.learn(term{vars[b[0]], 0}, term{vars[b[1]], 0}, b[2])
	}
}

// names says whether bounds are of so many variables, and there are not too many, nor with too large constants.
func (c *checker) names(list []Bound, vars int) bool {
	for _, b := range list {
		if b[0] < 0 || b[1] < 0 || b[0] >= vars || b[1] >= vars || b[2] > mostNumber || b[2] < -mostNumber {
			return false
		}
	}
	return len(list) <= mostBounds
}
