// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Facts about slices as a whole, in a language that has what the code computes: which elements they have, in which
// order, and how the elements of two slices are related. An element at a fixed index is a term of its own if the
// slice is long enough.

// sequence is a slice of numbers.
type sequence struct {
	name     term // a term of which only the name is used
	elements []uint64
}

// What is said of sequences, in front of their names.
const (
	sameElements  = "slices.Equal("
	beginsWith    = "hasPrefix(" // slices.Equal(a[:len(b)], b)
	endsWith      = "hasSuffix("
	allContained  = "containsAll(" // each element of the second is one of the first's
	permuted      = "permuted("    // in some order, the elements of one are those of the other
	inOrder       = "slices.IsSorted("
	contained     = "slices.Contains(" // a term
	ownOrSame     = "ownOr("           // nobody else has known it, or it is what the second one is
	mostSequences = 16
)

// ofSequences says that a fact is about whole slices.
func ofSequences(f Fact) bool {
	switch f.Before {
	case sameElements, beginsWith, endsWith, allContained, permuted, inOrder:
		return true
	}
	return false
}

// sequences finds slices among the terms: a pointer, and a length with the same name.
func (c *State) sequences() {
	for i := range c.terms {
		of, ok := strings.CutPrefix(c.terms[i].name, "len(")
		if !ok || c.terms[i].kind != ir.Scalar || len(c.sequenced) == mostSequences {
			continue
		}
		of = strings.TrimSuffix(of, ")")
		k := c.term(of)
		if k < 0 || c.terms[k].kind != ir.Pointer || c.terms[i].word > mostWords {
			continue
		}
		c.elements(of, c.terms[k].word, int(c.terms[i].word))
	}
}

// members adds, for each number variable and each slice, the truth value whether the one is an element of the other.
func (c *State) members() {
	for i, n := 0, len(c.terms); i < n; i++ {
		x := c.terms[i]
		if x.depth > 0 || x.kind != ir.Scalar || x.class == ir.Bool || strings.Contains(x.name, "(") {
			continue
		}
		for _, s := range c.sequenced {
			y := term{name: contained + s.name.name + ", " + x.name + ")", kind: ir.Scalar, class: ir.Bool, depth: c.Depth, member: true}
			if slices.Contains(s.elements, x.word) {
				y.word = 1
			}
			c.add(y)
		}
	}
}

// elements adds a slice of n elements that begins at address p. If an element has several words there is one slice
// for each word.
func (c *State) elements(name string, p uint64, n int) {
	if n == 0 {
		c.sequence(name, nil)
		return
	}
	if p == 0 {
		return
	}
	o := &c.m.Objs[state.ObjectID(p)]
	size := o.Info.Type.Size
	if size == 0 || size > 4 || len(o.Info.Layout) != size || state.Offset(p)+n*size > o.Words() {
		return
	}
	words := c.m.Words(p, n*size)
	for off, kind := range o.Info.Layout {
		if kind != ir.Scalar {
			continue
		}
		var list []uint64
		for i := range n {
			list = append(list, words[i*size+off])
		}
		c.sequence(c.names.joined(name, o.Info.Type.FieldPath(off), ""), list)
	}
}

// sequence adds a slice, and its first and last element as terms.
func (c *State) sequence(name string, elements []uint64) {
	if len(c.sequenced) == mostSequences || named(c.terms, name+"[0]") >= 0 {
		return
	}
	c.sequenced = append(c.sequenced, sequence{term{name: name}, elements})
	if n := len(elements); n > 0 {
		c.add(term{name: c.names.joined(name, "[0]", ""), word: elements[0], kind: ir.Scalar, class: ir.Int, depth: c.Depth})
		c.add(term{name: c.names.joined(name, "[len-1]", ""), word: elements[n-1], kind: ir.Scalar, class: ir.Int, depth: c.Depth})
	}
}

// drained adds, for each operation without arguments, the items that it takes out of a content when it is called
// again and again, and the same items in reverse order. before and behind are put around the names.
func (c *State) drained(of Content, before, behind string) {
	for i := range c.names.calls {
		call := &c.names.calls[i]
		if call.Args.Len() > 0 {
			continue
		}
		var list []uint64
		for q := of; len(list) <= c.names.items; {
			r, next := q.Changes(i)
			if next == nil {
				break
			}
			if r.Len() == 0 || r.At(0).Kind != history.Int {
				return
			}
			list, q = append(list, uint64(r.At(0).Int)), next
		}
		if items, _ := of.Items(); len(list) > 0 || items == 0 {
			c.sequence(before+"drain("+call.Op.Name+")"+behind, list)
			turned := slices.Clone(list)
			slices.Reverse(turned)
			c.sequenced = append(c.sequenced, sequence{term{name: before + "reversed(drain(" + call.Op.Name + "))" + behind}, turned})
		}
	}
}

// sequenceFacts finds the facts about one slice and each other one.
func (c *State) sequenceFacts(s *sequence) {
	if slices.IsSortedFunc(s.elements, func(a, b uint64) int { return int(int64(a) - int64(b)) }) {
		c.note(inOrder, &s.name, "", nil)
	}
	for i := range c.sequenced {
		o := &c.sequenced[i]
		if o == s || strings.Contains(s.name.name, "drain(") && strings.Contains(o.name.name, "drain(") {
			continue
		}
		n, k := len(s.elements), len(o.elements)
		if s.name.name < o.name.name && slices.Equal(s.elements, o.elements) {
			c.note(sameElements, &s.name, ", ", &o.name)
		}
		if k <= n && slices.Equal(s.elements[:k], o.elements) {
			c.note(beginsWith, &s.name, ", ", &o.name)
		}
		if k <= n && slices.Equal(s.elements[n-k:], o.elements) {
			c.note(endsWith, &s.name, ", ", &o.name)
		}
		if a, b := slices.Sorted(slices.Values(s.elements)), slices.Sorted(slices.Values(o.elements)); s.name.name < o.name.name && slices.Equal(a, b) {
			c.note(permuted, &s.name, ", ", &o.name)
		}
		if !slices.ContainsFunc(o.elements, func(x uint64) bool { return !slices.Contains(s.elements, x) }) {
			c.note(allContained, &s.name, ", ", &o.name)
		}
	}
}
