// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// seen is a set of events since an operation was called, see certificate.Seen.
type seen uint16

const (
	changed seen = 1 << iota
	sawEmpty
	sawAbsent
	sawPresent
	// Of objects, see certificate.Seen.
	announced
	allowed
	refused
	sawRight
)

// operation describes an operation of the collection, and its results.
type operation struct {
	name     string
	driver   *ir.Func // calls the operation with its arguments
	role     oracle.Role
	argument bool // it has an argument, which is an item or a key
	item, ok int  // indices of the results: the item, and whether the operation was done; -1: none
	not      bool // the result ok is true if it was not done
}

// held is a part of the content of a stack or queue: a cell with its item, or a chain of cells.
type held struct {
	node int
	item word
}

// sequence lists the content of a stack or queue, by following links from the word that the certificate names; false if the content is not
// certain.
func (c *Checker) sequence(g graph) ([]held, bool) {
	var list []held
	w := g.get(0, c.content.Word)
	for range 2*len(g) + 1 {
		switch {
		case w == zero && len(list) < c.content.Skip:
			return nil, false
		case w == zero:
			return list[c.content.Skip:], true
		case !w.IsRef() || w.Off != 0:
			return nil, false
		}
		n := int(w.N)
		d := &g[n]
		if d.chain {
			if d.opt && d.all == 0 {
				w = d.next
				continue
			}
			if len(list) < c.content.Skip {
				return nil, false
			}
			list = append(list, held{n, zero})
			w = d.next
			continue
		}
		link := c.types[d.typ].link
		if link < 0 || d.private {
			return nil, false
		}
		list = append(list, held{n, c.itemOf(d)})
		w = d.words[link]
	}
	return nil, false
}

// itemOf is the word of a cell that is its item; lost if the type has several such words, or none.
func (c *Checker) itemOf(d *cell) word {
	item, count := lost, 0
	for off, is := range c.types[d.typ].item {
		if is {
			item, count = d.words[off], count+1
		}
	}
	if count != 1 {
		return lost
	}
	return item
}

// holds reports whether a set certainly contains k, and whether it certainly does not. Both are false if neither is certain.
func (c *Checker) holds(g graph) (yes, no bool) {
	w := g.get(0, c.content.Word)
	maybe := false
	for left := 2*len(g) + 1; w != zero; left-- {
		if !w.IsRef() || w.Off != 0 || left == 0 {
			return false, false
		}
		d := &g[w.N]
		if d.chain {
			for k := range c.kinds {
				maybe = maybe || d.all.has(k) && c.kinds[k].equal
			}
			w = d.next
			continue
		}
		link := c.types[d.typ].link
		if link < 0 || d.private {
			return false, false
		}
		if c.equal(d) {
			m, certain := c.marked(g, d)
			yes = yes || certain && !m
			maybe = maybe || !certain
		}
		w = d.words[link]
	}
	return yes, !yes && !maybe
}

// equal reports whether a word of a cell is k.
func (c *Checker) equal(d *cell) bool {
	for off, w := range d.words {
		if l := &c.types[d.typ]; l.item[l.at(off)] && w.Form == certificate.Item && w.N == certificate.Equal {
			return true
		}
	}
	return false
}

// marked reports whether the mark of a cell is set: a word of the cell, or of the cell after it. certain is false if that is not known.
func (c *Checker) marked(g graph, d *cell) (is, certain bool) {
	m := c.content.Mark
	if m == nil {
		return false, true
	}
	if d.typ != m.Type {
		w := d.words[c.types[d.typ].link]
		if !w.IsRef() || g[w.N].chain || g[w.N].typ != m.Type {
			return false, false
		}
		d = &g[w.N]
	}
	w := d.words[m.Off]
	return w != zero, known(w)
}

// notice adds to the flags of a state what is certain about the content now. fresh means that the register with descriptors was just
// written.
func (c *Checker) notice(s *state, fresh bool) {
	switch {
	case c.object == nil:
		s.saw |= c.certain(s.g, s)
	case len(s.frames) > 0:
		c.observe(s, fresh)
	}
}

// certain returns what is certain about the content in memory g and matters for the result of the operation of s.
func (c *Checker) certain(g graph, s *state) seen {
	switch {
	case len(s.frames) == 0:
	case c.kindOf == oracle.Set && isEqual(s.arg):
		switch yes, no := c.holds(g); {
		case yes:
			return sawPresent
		case no:
			return sawAbsent
		}
	case c.kindOf != oracle.Set && c.ops[s.op].role == oracle.Take:
		if list, ok := c.sequence(g); ok && len(list) == 0 {
			return sawEmpty
		}
	}
	return 0
}

func isEqual(w word) bool { return w.Form == certificate.Item && w.N == certificate.Equal }

// begins reports whether a new collection is certainly empty.
func (c *Checker) begins(g graph) bool {
	if c.kindOf == oracle.Set {
		_, no := c.holds(g)
		return no
	}
	list, ok := c.sequence(g)
	return ok && len(list) == 0
}

var errUntold = errors.New("the content of the collection is not known for certain")

// judge checks a write: the content must stay the same, or change as the writer's operation does, once a call.
func (c *Checker) judge(before, after graph, s *state) error {
	var err error
	op := &c.ops[s.op]
	if c.kindOf == oracle.Set {
		yes, no := c.holds(before)
		yes2, no2 := c.holds(after)
		switch {
		case !yes && !no || !yes2 && !no2:
			return errUntold
		case yes == yes2:
			return nil
		case !isEqual(s.arg) || yes2 != (op.role == oracle.Add) || no2 != (op.role == oracle.Remove):
			err = fmt.Errorf("%s(%s) changes whether the set contains k, though it must not", op.name, s.arg)
		}
	} else {
		old, ok := c.sequence(before)
		now, ok2 := c.sequence(after)
		switch {
		case !ok || !ok2:
			return errUntold
		case slices.Equal(old, now):
			return nil
		}
		err = c.sequential(old, now, after, s)
	}
	if err == nil && s.saw&offers != 0 {
		err = fmt.Errorf("%s changes the content while it has an offer", op.name)
	}
	if err == nil && s.saw&changed != 0 {
		err = fmt.Errorf("%s changes the content a second time", op.name)
	}
	s.saw |= changed
	return err
}

// sequential checks that a stack or queue changes from old to now as the operation of s may change it.
func (c *Checker) sequential(old, now []held, after graph, s *state) error {
	op := &c.ops[s.op]
	isCell := func(h held) bool { return !after[h.node].chain }
	n := len(now)
	switch {
	case op.role == oracle.Put && n == len(old)+1:
		added, rest := now[0], now[1:]
		if c.kindOf == oracle.Queue {
			added, rest = now[n-1], now[:n-1]
		}
		if slices.Equal(rest, old) && isCell(added) && added.item == s.arg {
			return nil
		}
	case op.role == oracle.Take && n == len(old)-1:
		if slices.Equal(old[1:], now) && isCell(old[0]) && old[0].item.Form == certificate.Item {
			s.taken = old[0].item
			return nil
		}
	}
	return fmt.Errorf("%s changes the content in another way than the oracle permits", op.name)
}

// returns checks that the results of an operation agree with what it did, or were right at some moment of the call.
func (c *Checker) returns(s *state, results []word) error {
	if c.object != nil {
		return c.objectReturns(s, results)
	}
	op := &c.ops[s.op]
	done := true
	if op.ok >= 0 {
		if !known(results[op.ok]) {
			return fmt.Errorf("the result that says whether %s was done is not known", op.name)
		}
		done = (results[op.ok] != zero) != op.not
	}
	has := s.saw&changed != 0
	right := false
	switch op.role {
	case oracle.Put:
		right = done && has
	case oracle.Take:
		right = done && has && op.item >= 0 && results[op.item] == s.taken ||
			!done && !has && s.saw&sawEmpty != 0 && (op.item < 0 || results[op.item] == zero)
	case oracle.Add:
		right = !isEqual(s.arg) || done && has || !done && !has && s.saw&sawPresent != 0
	case oracle.Remove:
		right = !isEqual(s.arg) || done && has || !done && !has && s.saw&sawAbsent != 0
	case oracle.Contains:
		right = !isEqual(s.arg) || !has && (done && s.saw&sawPresent != 0 || !done && s.saw&sawAbsent != 0)
	}
	if !right || s.saw&offers != 0 {
		return fmt.Errorf("%s may return a result that is not right", op.name)
	}
	return nil
}
