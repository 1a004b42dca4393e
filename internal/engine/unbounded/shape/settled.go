// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"cmp"
	"maps"
	"slices"
)

// What is known of the writes to shared words: which values they replace, and whether they may
// write an old value again. A word whose value no write replaces keeps it. A word to which only new
// cells are written never leads again to a cell that others have seen, unless it does so now. The
// knowledge grows while an invariant is computed, as with Mutable.

// Pattern are values of a word: a constant, or the addresses of cells of a type in which some words
// have certain values. These are words that are never written while shared, so that an address
// stays in its patterns.
type Pattern struct {
	Value Word    // the constant; Type is 0
	Type  int     // the type of the cells; 0: the word is no address
	Words []Fixed // words that these cells have
	Any   bool    // any value
}

// Fixed is a word of a cell with its value.
type Fixed struct {
	Off   int
	Value Word
}

// writes is what is known of all writes to a word of shared cells.
type writes struct {
	replaced []Pattern // the values that they replace
	returns  bool      // some write the address of a cell that others know already
}

// Replaced are the values that writes replace in a word of shared cells of a type.
func (d *Domain) Replaced(t, off int) []Pattern { return d.types[t].writes[off].replaced }

// Returns reports whether the address of a cell that others know is ever written to a word.
func (d *Domain) Returns(t, off int) bool { return d.types[t].writes[off].returns }

// Site is an instruction, and the call that it is part of (the functions are in ir.Program.Funcs; of an
// operation's own instruction the caller is 0).
type Site struct{ Func, PC, Caller, Call int }

// Returning reports whether a step can come back to an access without stopping in between. Such an
// access ends the step even if it is settled, as a thread that waits in a loop would never stop
// otherwise.
func (d *Domain) Returning(s Site) bool { return d.returning[s] }

// Pauses are all accesses of which Returning is true, in order.
func (d *Domain) Pauses() []Site {
	return slices.SortedFunc(maps.Keys(d.returning), func(a, b Site) int {
		return cmp.Or(a.Func-b.Func, a.PC-b.PC, a.Caller-b.Caller, a.Call-b.Call)
	})
}

// SetReturning records that a step can come back to an access, see Returning.
func (d *Domain) SetReturning(s Site) { d.returning[s] = true }

// SetReplaced records that the word (n, off) of a heap is replaced by w. It returns true if that
// was not known.
func (d *Domain) SetReplaced(h *Heap, n, off int, w Word) (grew bool) {
	x := d.writesTo(h, n, off)
	if w.IsRef() && h.Nodes[w.Node()].Shared && !x.returns {
		x.returns, grew = true, true
	}
	for _, p := range d.patterns(h, h.Get(n, off)) {
		if !slices.ContainsFunc(x.replaced, p.equal) {
			x.replaced, grew = append(x.replaced, p), true
		}
	}
	return grew
}

// writesTo is what is known of the writes to a word of a node.
func (d *Domain) writesTo(h *Heap, n, off int) *writes {
	t := int(h.Nodes[n].Type)
	return &d.types[t].writes[d.within(t, off)]
}

// unfix removes a word of cells of a type from all patterns, since it turned out to be written
// while shared.
func (d *Domain) unfix(t, off int) {
	for i := range d.types {
		for k := range d.types[i].writes {
			list := d.types[i].writes[k].replaced
			for n := range list {
				p := &list[n]
				p.Words = slices.DeleteFunc(p.Words, func(f Fixed) bool { return p.Type == t && f.Off == off })
			}
		}
	}
}

func (p *Pattern) equal(q Pattern) bool {
	return p.Value == q.Value && p.Type == q.Type && p.Any == q.Any && slices.Equal(p.Words, q.Words)
}

// patterns are those of a word, of which a heap may leave open which cell it leads to.
func (d *Domain) patterns(h *Heap, w Word) []Pattern {
	switch {
	case w.IsConst():
		return []Pattern{{Value: w}}
	case !w.IsRef() || w.Off() != 0:
		return []Pattern{{Any: true}}
	}
	n := &h.Nodes[w.Node()]
	if !n.Summary {
		return []Pattern{d.pattern(int(n.Type), h.Of(w.Node()))}
	}
	var out []Pattern
	for k := range d.kinds {
		if n.First.Has(Kind(k)) {
			out = append(out, d.pattern(d.kinds[k].typ, d.kinds[k].words))
		}
	}
	if n.Opt {
		out = append(out, d.patterns(h, n.Next)...)
	}
	return out
}

// pattern is that of the address of a cell.
func (d *Domain) pattern(t int, words []Word) Pattern {
	p := Pattern{Type: t}
	for off, w := range words {
		if off < len(d.types[t].writes) && d.fixed(t, off) && w.IsConst() {
			p.Words = append(p.Words, Fixed{off, w})
		}
	}
	return p
}

// fixed says whether a word of a type is a number that is never written while shared.
func (d *Domain) fixed(t, off int) bool {
	return d.types[t].scalar[off] && !d.types[t].mutable[off]
}

// Final says whether the word (n, off) certainly keeps its value.
func (d *Domain) Final(h *Heap, n, off int) bool {
	for _, p := range d.writesTo(h, n, off).replaced {
		if d.may(h, h.Get(n, off), &p) {
			return false
		}
	}
	return true
}

// may says whether a word may be of a pattern.
func (d *Domain) may(h *Heap, w Word, p *Pattern) bool {
	if p.Any || !w.IsConst() && !w.IsRef() || w.IsRef() && w.Off() != 0 {
		return true
	}
	if w.IsConst() {
		return p.Type == 0 && w == p.Value
	}
	n := &h.Nodes[w.Node()]
	if !n.Summary {
		return int(n.Type) == p.Type && d.mayHave(h.Of(w.Node()), p)
	}
	for k := range d.kinds {
		if n.First.Has(Kind(k)) && d.kinds[k].typ == p.Type && d.mayHave(d.kinds[k].words, p) {
			return true
		}
	}
	return n.Opt && d.may(h, n.Next, p)
}

func (d *Domain) mayHave(words []Word, p *Pattern) bool {
	for _, f := range p.Words {
		if words[f.Off].IsConst() && words[f.Off] != f.Value {
			return false
		}
	}
	return true
}

// Gone reports whether the word (n, off) is certainly not w now and will never be again.
func (d *Domain) Gone(h *Heap, n, off int, w Word) bool {
	if !h.differ(h.Get(n, off), w) {
		return false
	}
	again := !w.IsRef() || !h.Nodes[w.Node()].Shared || d.writesTo(h, n, off).returns
	return !again || d.Final(h, n, off)
}

// differ says whether two words certainly are not equal. The second one is not the address of a
// summary.
func (h *Heap) differ(a, b Word) bool {
	for h.IsSummary(a) {
		s := &h.Nodes[a.Node()]
		if !s.Opt {
			return b.IsRef() || b.IsConst()
		}
		a = s.Next
	}
	return (a.IsRef() || a.IsConst()) && (b.IsRef() || b.IsConst()) && a != b
}
